// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* maps/hooks_cgroup.c: programs attached to cgroups, with or without a link. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "maps/hooks_cgroup.h"
#include "maps/hook_list.h"
#include "base/log.h"
#include "base/text.h"

#define CGROUPS	 10000
#define DEPTH	 64 /* each level needs an fd */
#define PROGRAMS 64 /* BPF_CGROUP_MAX_PROGS */

struct cgroup_search {
	struct hook_list *list;
	unsigned cgroups;
};

/* ---- names of types -------------------------------------------------------------------------- */

bool hooks_cgroup__handles(uint32_t program_type)
{
	const char *name = libbpf_bpf_prog_type_str((enum bpf_prog_type)program_type);

	return name && (begins_with(name, "cgroup_") || !strcmp(name, "sock_ops"));
}

static bool is_cgroup_attach_type(const char *attach_type)
{
	return begins_with(attach_type, "cgroup_");
}

const char *hooks_cgroup__name(uint32_t attach_type)
{
	static const char *const starts[] = { "cgroup_inet_", "cgroup_" };
	const char *name = libbpf_bpf_attach_type_str((enum bpf_attach_type)attach_type);

	for (size_t i = 0; name && i < sizeof(starts) / sizeof(*starts); i++)
		if (begins_with(name, starts[i]))
			return name + strlen(starts[i]);
	return name ? name : "hook of a newer kernel";
}

/* ---- cgroups --------------------------------------------------------------------------------- */

/* With more programs than room (ENOSPC), the kernel returns the first ones. */
static int query_cgroup(struct hook_list *list, int fd, uint32_t attach_type,
			const struct hook *hook)
{
	uint32_t programs[PROGRAMS], count = PROGRAMS;
	int err = 0;

	if (bpf_prog_query(fd, (enum bpf_attach_type)attach_type, 0, NULL, programs, &count) &&
	    errno != ENOSPC)
		return 0;
	for (uint32_t i = 0; !err && i < count && i < PROGRAMS; i++) {
		struct hook found = *hook;

		found.program = programs[i];
		err = hook_list__add(list, &found);
	}
	return err;
}

/* The id of a cgroup is its inode number. */
static int query_cgroup_types(struct hook_list *list, int fd, const char *path)
{
	char text[HOOK_BYTES];
	struct stat status;
	const char *name;
	int err = 0;

	if (fstat(fd, &status))
		return 0;
	for (uint32_t type = 0; !err; type++) {
		struct hook hook = { .at = status.st_ino, .text = text };

		name = libbpf_bpf_attach_type_str((enum bpf_attach_type)type);
		if (!name)
			break;
		if (!is_cgroup_attach_type(name))
			continue;
		snprintf(text, sizeof(text), "cgroup %.200s %s", *path ? path : "/",
			 hooks_cgroup__name(type));
		err = query_cgroup(list, fd, type, &hook);
	}
	return err;
}

static int search_cgroup(struct cgroup_search *search, int parent, const char *name,
			 const char *path, unsigned depth);

static int search_children(struct cgroup_search *search, DIR *entries, const char *path,
			   unsigned depth)
{
	struct dirent *entry;
	int err = 0;

	while (!err && (entry = readdir(entries))) {
		char *child;

		if (entry->d_type != DT_DIR || !strcmp(entry->d_name, ".") ||
		    !strcmp(entry->d_name, ".."))
			continue;
		if (asprintf(&child, "%s/%s", path, entry->d_name) < 0)
			return -ENOMEM;
		err = search_cgroup(search, dirfd(entries), entry->d_name, child, depth + 1);
		free(child);
	}
	return err;
}

static int search_cgroup(struct cgroup_search *search, int parent, const char *name,
			 const char *path, unsigned depth)
{
	DIR *entries;
	int fd, err;

	if (depth >= DEPTH || search->cgroups >= CGROUPS)
		return 0;
	fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return 0; /* removed meanwhile */
	search->cgroups++;
	err = query_cgroup_types(search->list, fd, path);
	entries = fdopendir(fd);
	if (!err && entries)
		err = search_children(search, entries, path, depth);
	if (entries)
		closedir(entries);
	else
		close(fd);
	return err;
}

int hooks_cgroup__read(struct hook_list *list)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	struct cgroup_search search = { .list = list };
	struct mntent *mount = NULL;
	int err = 0;

	while (mounts && (mount = getmntent(mounts)) && strcmp(mount->mnt_type, "cgroup2"))
		;
	if (mount)
		err = search_cgroup(&search, AT_FDCWD, mount->mnt_dir, "", 0);
	if (mounts)
		endmntent(mounts);
	if (search.cgroups >= CGROUPS)
		log__info("cgroups: only the first %u were searched for programs", CGROUPS);
	return err;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* runtimes/runtime_names.c: the names of containers and pods, from the files of their runtimes. */
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <peat/identity.h>
#include <peat/runtimes.h>

#include "base/array.h"
#include "base/errors.h"
#include "runtimes/kubernetes_names.h"
#include "runtimes/runtime_json.h"

#define ID_ROOM	    65 /* longer ids of JSON are cut, and match no container */
#define LISTS_MAX   64
#define ENTRIES_MAX 65536
#define DOCKER	    "/var/lib/docker/containers/"

/* ---- podman, CRI-O --------------------------------------------------------------------------- */

struct entry {
	char id[ID_ROOM], *name;
};

/* The containers of a file, which is read again if it has changed. */
struct name_list {
	char *path;
	dev_t device;
	ino_t inode;
	off_t bytes;
	struct timespec changed;
	struct entry *entries;
	size_t count, room;
};

struct peat_runtime_names {
	struct name_list *lists; /* a file of podman each */
	size_t count;
};

static void clear(struct name_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->entries[i].name);
	free(list->entries);
	list->entries = NULL;
	list->count = list->room = 0;
}

/* False: no memory, or too many. */
static bool add_entry(struct name_list *list, const char *id)
{
	struct entry *entry;

	if (list->count == ENTRIES_MAX || !ARRAY_RESERVE(list->entries, list->count, list->room))
		return false;
	entry = &list->entries[list->count++];
	entry->name = NULL;
	snprintf(entry->id, ID_ROOM, "%.*s", ID_ROOM - 1, id);
	return true;
}

/* [ { "id": "4f1a...", "names": [ "web", ... ] } ]: the id comes first. */
static bool use_text(void *arg, const struct runtime_text *text)
{
	struct name_list *list = arg;
	struct entry *last = list->count ? &list->entries[list->count - 1] : NULL;

	if (text->depth == 2 && !strcmp(text->key, "id"))
		return add_entry(list, text->text);
	if (text->depth == 3 && !strcmp(text->key, "names") && last && !last->name)
		last->name = strdup(text->text);
	return true;
}

static bool is_same(const struct name_list *list, const struct stat *file)
{
	return list->device == file->st_dev && list->inode == file->st_ino &&
	       list->bytes == file->st_size && list->changed.tv_sec == file->st_mtim.tv_sec &&
	       list->changed.tv_nsec == file->st_mtim.tv_nsec;
}

static void refresh(struct name_list *list)
{
	struct stat file;

	if (stat(list->path, &file))
		memset(&file, 0, sizeof(file));
	if (is_same(list, &file))
		return;
	clear(list);
	list->device = file.st_dev;
	list->inode = file.st_ino;
	list->bytes = file.st_size;
	list->changed = file.st_mtim;
	runtime_json__read(list->path, use_text, list);
}

static const char *find_entry(const struct name_list *list, const char *id)
{
	for (size_t i = 0; i < list->count; i++)
		if (!strcmp(list->entries[i].id, id))
			return list->entries[i].name;
	return NULL;
}

/* NULL: no memory, or too many. */
static struct name_list *list_of(struct peat_runtime_names *names, const char *path)
{
	struct name_list *list;

	for (size_t i = 0; i < names->count; i++)
		if (!strcmp(names->lists[i].path, path))
			return &names->lists[i];
	if (names->count == LISTS_MAX || !ARRAY_RESERVE_NEXT(names->lists, names->count))
		return NULL;
	list = &names->lists[names->count];
	*list = (struct name_list){ .path = strdup(path) };
	names->count += list->path != NULL;
	return list->path ? list : NULL;
}

static void add_paths(glob_t *paths, const char *pattern)
{
	glob(pattern, GLOB_NOSORT | (paths->gl_pathc ? GLOB_APPEND : 0), NULL, paths);
}

/*
 * The storage of root comes first: users may name ids as they like.  volatile-containers.json:
 * podman run --rm, in /run by podman 4, beside the other file by podman 5.
 */
static void find_paths(glob_t *paths)
{
	add_paths(paths, "/var/lib/containers/storage/*-containers/*containers.json");
	add_paths(paths, "/run/containers/storage/*-containers/volatile-containers.json");
	add_paths(paths, "/home/*/.local/share/containers/storage/*-containers/*containers.json");
	add_paths(paths, "/run/user/*/containers/*-containers/volatile-containers.json");
}

static void find_in_storage(struct peat_runtime_names *names, struct peat_identity *identity)
{
	glob_t paths = { .gl_pathc = 0 };
	const char *name = NULL;

	find_paths(&paths);
	for (size_t i = 0; !name && i < paths.gl_pathc; i++) {
		struct name_list *list = list_of(names, paths.gl_pathv[i]);

		if (list)
			refresh(list);
		name = list ? find_entry(list, identity->container) : NULL;
	}
	if (name)
		snprintf(identity->container_name, sizeof(identity->container_name), "%s", name);
	globfree(&paths);
}

/* ---- docker ---------------------------------------------------------------------------------- */

/* { "Name": "/web" } */
static bool use_docker_text(void *arg, const struct runtime_text *text)
{
	struct peat_identity *identity = arg;

	if (text->depth != 1 || strcmp(text->key, "Name"))
		return true;
	snprintf(identity->container_name, sizeof(identity->container_name), "%s",
		 text->text + (*text->text == '/'));
	return false;
}

/* An id is no path: it has hexadecimal digits only. */
static void find_in_docker(struct peat_identity *identity)
{
	char path[sizeof(DOCKER) + sizeof(identity->container) + sizeof("/config.v2.json")];

	snprintf(path, sizeof(path), DOCKER "%s/config.v2.json", identity->container);
	runtime_json__read(path, use_docker_text, identity);
}

/* ---- containerd ------------------------------------------------------------------------------ */

/* The names in a bundle's annotations: { "annotations": { "nerdctl/name": "web", ... } }. */
struct annotations {
	struct peat_identity *identity;
	char pod[254], namespace[64];
};

static bool use_annotation(void *arg, const struct runtime_text *text)
{
	struct annotations *found = arg;
	struct peat_identity *identity = found->identity;

	if (text->depth != 2)
		return true;
	if (!strcmp(text->key, "io.kubernetes.cri.container-name") ||
	    !strcmp(text->key, "nerdctl/name"))
		snprintf(identity->container_name, sizeof(identity->container_name), "%s",
			 text->text);
	else if (!strcmp(text->key, "io.kubernetes.cri.sandbox-name"))
		snprintf(found->pod, sizeof(found->pod), "%.*s", (int)sizeof(found->pod) - 1,
			 text->text);
	else if (!strcmp(text->key, "io.kubernetes.cri.sandbox-namespace"))
		snprintf(found->namespace, sizeof(found->namespace), "%.*s",
			 (int)sizeof(found->namespace) - 1, text->text);
	return true;
}

/* The container has its bundle before its cgroup.  The id has no character of a pattern. */
static void find_in_containerd(struct peat_identity *identity)
{
	static const char *const states[] = { "/run/containerd", "/run/k3s/containerd",
					      "/var/snap/microk8s/common/run/containerd" };
	struct annotations found = { .identity = identity };
	char pattern[512];
	glob_t paths = { .gl_pathc = 0 };

	for (size_t i = 0; i < sizeof(states) / sizeof(*states); i++) {
		snprintf(pattern, sizeof(pattern),
			 "%s/io.containerd.runtime.v2.task/*/%s/config.json", states[i],
			 identity->container);
		add_paths(&paths, pattern);
	}
	if (paths.gl_pathc)
		runtime_json__read(paths.gl_pathv[0], use_annotation, &found);
	globfree(&paths);
	if (*found.pod && *found.namespace)
		snprintf(identity->pod_name, sizeof(identity->pod_name), "%s/%s", found.namespace,
			 found.pod);
}

/* ---- all of them ----------------------------------------------------------------------------- */

struct peat_runtime_names *peat_runtime_names__new(void)
{
	struct peat_runtime_names *names = calloc(1, sizeof(*names));

	return names ? names : fail_null(-ENOMEM);
}

void peat_runtime_names__find(void *names, struct peat_identity *identity)
{
	const char *runtime = identity->runtime ? identity->runtime : "";

	if (!strcmp(runtime, "podman") || !strcmp(runtime, "cri-o"))
		find_in_storage(names, identity);
	else if (!strcmp(runtime, "docker"))
		find_in_docker(identity);
	else if (*identity->container && (!*runtime || !strcmp(runtime, "containerd")))
		find_in_containerd(identity);
	if (!*identity->pod)
		return;
	kubernetes_names__split(identity);
	kubernetes_names__find(identity);
}

void peat_runtime_names__free(struct peat_runtime_names *names)
{
	if (!names)
		return;
	for (size_t i = 0; i < names->count; i++) {
		clear(&names->lists[i]);
		free(names->lists[i].path);
	}
	free(names->lists);
	free(names);
}

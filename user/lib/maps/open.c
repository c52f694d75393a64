// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* maps/open.c: finding and opening the maps of other programs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <peat/map.h>

#include "base/errors.h"
#include "base/log.h"
#include "sys/caps.h"
#include "maps/map_file.h"
#include "maps/map_users.h"
#include "schema/table_types.h"
#include "base/strbuf.h"

/* The maps that are wanted. */
struct wanted {
	const char *what; /* "perf event array", in messages */
	uint32_t open_flags;
	bool (*has_type)(uint32_t type);
};

static bool is_perf_array(uint32_t type)
{
	return type == BPF_MAP_TYPE_PERF_EVENT_ARRAY;
}

static bool is_table(uint32_t type)
{
	bool is_per_cpu;

	return table_types__has(type, &is_per_cpu);
}

static bool is_either(uint32_t type)
{
	return is_perf_array(type) || is_table(type);
}

static const struct wanted perf_array = { "perf event array", 0, is_perf_array };
static const struct wanted table = { "table", BPF_F_RDONLY, is_table };
static const struct wanted either = { "perf event array or table", BPF_F_RDONLY, is_either };

/* ---- finding --------------------------------------------------------------------------------- */

static int log_open_map_error(const char *which, int err)
{
	if (err == -ENOENT)
		log__error("no BPF map '%s'", which);
	else
		log__error("cannot open the BPF map '%s': %s%s%s", which, strerror(-err),
			   err == -EPERM ? ": " : "", err == -EPERM ? caps__explain_map_ids() : "");
	return err;
}

static int open_by_id(const struct wanted *wanted, uint32_t id)
{
	LIBBPF_OPTS(bpf_get_fd_by_id_opts, opts, .open_flags = wanted->open_flags);

	return bpf_map_get_fd_by_id_opts(id, &opts);
}

static int open_id(const struct wanted *wanted, const char *which, const char *number)
{
	unsigned long id;
	char *end;
	int fd;

	errno = 0;
	id = strtoul(number, &end, 10);
	if (*number < '0' || *number > '9' || *end || errno || id > UINT32_MAX) {
		log__error("invalid id of a map: '%s': it must be a number", which);
		return -EINVAL;
	}
	fd = open_by_id(wanted, (uint32_t)id);
	return fd < 0 ? log_open_map_error(which, -errno) : fd;
}

static int open_pinned_map(const struct wanted *wanted, const char *path)
{
	LIBBPF_OPTS(bpf_obj_get_opts, opts, .file_flags = wanted->open_flags);
	int fd = bpf_obj_get_opts(path, &opts);
	char number[16];
	struct map_file file;

	if (fd < 0)
		return log_open_map_error(path, -errno);
	snprintf(number, sizeof(number), "%d", fd);
	if (map_file__read(&file, "self", number))
		return fd;
	close(fd);
	log__error("'%s' is not a BPF map: another object is pinned there", path);
	return -EINVAL;
}

/* The maps found by name. */
struct matches {
	const struct wanted *wanted;
	const char *name;
	int fd; /* the first one of a wanted type */
	uint32_t count, of_other_types;
	struct strbuf ids; /* of all of wanted types, as text */
};

/* The kernel keeps 15 bytes of a name. */
static bool has_map_name(const struct bpf_map_info *info, const char *name)
{
	return !strncmp(info->name, name, sizeof(info->name) - 1);
}

static void match_map(struct matches *matches, int fd)
{
	struct bpf_map_info info = { 0 };
	uint32_t bytes = sizeof(info);
	bool is_wanted;

	if (bpf_obj_get_info_by_fd(fd, &info, &bytes) || !has_map_name(&info, matches->name)) {
		close(fd);
		return;
	}
	is_wanted = matches->wanted->has_type(info.type);
	if (!is_wanted)
		matches->of_other_types++;
	if (!is_wanted || matches->count++)
		close(fd);
	else
		matches->fd = fd;
	if (!is_wanted)
		return;
	strbuf__text(&matches->ids, matches->ids.count ? ", id=" : "id=");
	strbuf__unsigned(&matches->ids, info.id);
}

static int match_maps(struct matches *matches)
{
	uint32_t id = 0;

	while (!bpf_map_get_next_id(id, &id)) {
		int fd = open_by_id(matches->wanted, id);

		if (fd >= 0)
			match_map(matches, fd);
		else if (errno != ENOENT)
			return -errno;
	}
	return errno == ENOENT ? 0 : -errno;
}

static int require_one_match(const struct matches *matches)
{
	if (matches->count == 1)
		return 0;
	if (matches->count) {
		log__error("%u %ss are called '%s': %.*s", matches->count, matches->wanted->what,
			   matches->name, (int)matches->ids.count, matches->ids.bytes);
		return -ENOTUNIQ;
	}
	log__error("no %s '%s'%s", matches->wanted->what, matches->name,
		   matches->of_other_types ? ": the maps of that name are of other types" : "");
	return -ENOENT;
}

static int open_name(const struct wanted *wanted, const char *which, const char *name)
{
	struct matches matches = { .wanted = wanted, .name = name, .fd = -1 };
	int err = match_maps(&matches);

	if (err)
		log_open_map_error(which, err);
	else
		err = matches.ids.failed ? -ENOMEM : require_one_match(&matches);
	strbuf__free(&matches.ids);
	if (!err)
		return matches.fd;
	if (matches.fd >= 0)
		close(matches.fd);
	return err;
}

/*
 * The part of `which` after "WORD="; NULL: it does not begin so.  A colon or a blank is accepted
 * for the "=", as users of bpftool try them.
 */
static const char *after_word(const char *which, const char *word)
{
	size_t bytes = strlen(word);

	if (strncmp(which, word, bytes) || !which[bytes] || !strchr("=: ", which[bytes]))
		return NULL;
	return which + bytes + 1;
}

static int find_map(const struct wanted *wanted, const char *which)
{
	const char *rest;

	if ((rest = after_word(which, "id")))
		return open_id(wanted, which, rest);
	if ((rest = after_word(which, "name")))
		return open_name(wanted, which, rest);
	if ((rest = after_word(which, "pinned")))
		return open_pinned_map(wanted, rest);
	if (strchr(which, '/'))
		return open_pinned_map(wanted, which);
	log__error("'%s' names no map: use id=N, name=X or the path of a pin", which);
	return -EINVAL;
}

/* ---- checking that slots can be set ---------------------------------------------------------- */

/* BPF_F_RDONLY restricts the fd that the map was created with, not the fd opened here. */
static int log_update_error(const char *which, bool is_frozen, int err)
{
	if (is_frozen)
		log__error("cannot read map '%s': it is frozen, and a new reader has to set its "
			   "slots",
			   which);
	else
		log__error("cannot read map '%s': its slots cannot be set: %s", which,
			   strerror(-err));
	return err;
}

/*
 * A reader updates slots.  An update with an invalid fd changes nothing and fails with EBADF if
 * updates are allowed.
 */
static int check_updates(const char *which, int fd)
{
	uint32_t slot = 0;
	int nothing = -1, err;
	struct map_file file;
	char number[16];

	if (!bpf_map_update_elem(fd, &slot, &nothing, BPF_ANY) || errno == EBADF)
		return 0;
	err = -errno;
	snprintf(number, sizeof(number), "%d", fd);
	return log_update_error(which, map_file__read(&file, "self", number) && file.is_frozen,
				err);
}

static int check_map_readable(const char *which, int fd)
{
	struct bpf_map_info info = { 0 };
	uint32_t bytes = sizeof(info);

	if (bpf_obj_get_info_by_fd(fd, &info, &bytes))
		return log_open_map_error(which, -errno);
	if (info.type == BPF_MAP_TYPE_PERF_EVENT_ARRAY)
		return check_updates(which, fd);
	log__error("map '%s' (id %u, '%s') is not a perf event array: its type is %u, not %u",
		   which, info.id, info.name, info.type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
	return -EINVAL;
}

int peat_map__open(const char *which)
{
	int fd = find_map(&perf_array, which), err;

	if (fd < 0)
		return fail(fd);
	err = check_map_readable(which, fd);
	if (!err)
		return fd;
	close(fd);
	return fail(err);
}

static int check_table(const char *which, int fd)
{
	struct bpf_map_info info = { 0 };
	uint32_t bytes = sizeof(info);
	const char *type;

	if (bpf_obj_get_info_by_fd(fd, &info, &bytes))
		return log_open_map_error(which, -errno);
	if (is_table(info.type))
		return 0;
	type = libbpf_bpf_map_type_str((enum bpf_map_type)info.type);
	log__error("map '%s' (id %u, '%s') is no table: its type is %s: hash tables and arrays can "
		   "be shown: peat list --maps lists them",
		   which, info.id, info.name, type ? type : "unknown");
	return -EINVAL;
}

int peat_map__is_table(const char *which)
{
	struct bpf_map_info info = { 0 };
	uint32_t bytes = sizeof(info);
	int fd = find_map(&either, which), err = 0;

	if (fd < 0)
		return fail(fd);
	if (bpf_obj_get_info_by_fd(fd, &info, &bytes))
		err = log_open_map_error(which, -errno);
	close(fd);
	return err ? fail(err) : is_table(info.type);
}

int peat_map__open_table(const char *which)
{
	int fd = find_map(&table, which), err;

	if (fd < 0)
		return fail(fd);
	err = check_table(which, fd);
	if (!err)
		return fd;
	close(fd);
	return fail(err);
}

/* ---- checking for other readers -------------------------------------------------------------- */

static int refuse_if_shared(const struct peat_map *map)
{
	struct strbuf out = { 0 };
	int err = -EBUSY;

	if (!map->holder_count && !map->pin_count)
		return 0;
	map_users__append(&out, map);
	if (out.failed)
		err = -ENOMEM;
	else
		log__error(
			"map '%s' (id %u) may have a reader, which a second reader would "
			"deprive of events: %s. The kernel does not show whose rings are in a perf "
			"event array",
			map->name, map->id, out.bytes);
	strbuf__free(&out);
	return err;
}

static int check_unread(uint32_t id)
{
	struct peat_maps *maps = peat_maps__new();
	const struct peat_map *map;
	int err = maps ? 0 : -errno;

	for (uint32_t i = 0; maps && (map = peat_maps__at(maps, i)); i++)
		if (map->id == id)
			err = refuse_if_shared(map);
	peat_maps__free(maps);
	return err;
}

int peat_map__check_unread(int map_fd)
{
	struct map_file file;
	char number[16];
	int err = -EBADF;

	snprintf(number, sizeof(number), "%d", map_fd);
	if (map_file__read(&file, "self", number))
		err = check_unread(file.id);
	else
		log__error("fd %d is not a BPF map", map_fd);
	return err ? fail(err) : 0;
}

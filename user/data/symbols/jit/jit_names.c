// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/jit/jit_names.c: finds /tmp/perf-PID.map of a process, and follows it as it grows. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/monotonic.h"
#include "symbols/elf/budget.h"
#include "symbols/jit/jit_names.h"
#include "sys/foreign_file.h"
#include "sys/pid_namespace.h"

/* The file is looked at again after this, sooner for an address that it does not have. */
#define CHECK_NS	 200000000
#define CHECK_MISSING_NS 20000000
#define MS_NS		 UINT64_C(1000000)

#define READ_BYTES (1u << 20)

static void find_own_pid(struct jit_names *names, uint32_t pid)
{
	struct own_ids ids;

	if (!names->own_pid && pid_namespace__own_ids(pid, &ids))
		names->own_pid = ids.pid;
}

/* Anyone may write to /tmp: a map of another user could have any names. */
static bool is_trusted(const struct stat *map, uint32_t pid, bool is_live)
{
	char path[64];
	struct stat owner;

	if (!map->st_uid || map->st_uid == geteuid())
		return true;
	snprintf(path, sizeof(path), "/proc/%" PRIu32, pid);
	return is_live && !stat(path, &owner) && owner.st_uid == map->st_uid;
}

/* The number in the file's name. */
static uint32_t name_pid(const struct jit_names *names, uint32_t pid)
{
	return names->own_pid ? names->own_pid : pid;
}

/* A file descriptor; or a negative errno: -ENOENT: there is none. */
static int open_map(const struct jit_names *names, uint32_t pid, bool is_live, struct stat *found)
{
	char root[32], path[32];
	int fd = -1;

	snprintf(root, sizeof(root), "/proc/%" PRIu32 "/root", pid);
	snprintf(path, sizeof(path), "/tmp/perf-%" PRIu32 ".map", name_pid(names, pid));
	if (is_live)
		fd = foreign_file__open(root, path, FOREIGN_NO_LINK, found);
	if (fd < 0)
		fd = foreign_file__open(NULL, path, FOREIGN_NO_LINK, found);
	if (fd < 0)
		return fd;
	if (!is_trusted(found, pid, is_live)) {
		close(fd);
		return -EPERM;
	}
	return fd;
}

static void warn(const struct jit_names *names, uint32_t pid, const char *why)
{
	if (names->map->is_warned)
		return;
	names->map->is_warned = true;
	log__warn("perf-%" PRIu32 ".map: %s: functions of process %" PRIu32 " have addresses "
		  "instead of names",
		  name_pid(names, pid), why, pid);
}

/* ---- limits ---------------------------------------------------------------------------------- */

/* Ids of users are given one after the other, those of containers in blocks of 65,536. */
static uint64_t *owner_bytes(struct jit_budget *budget, uint32_t owner)
{
	return &budget->owner_bytes[(owner ^ owner >> 16) % JIT_OWNERS];
}

static bool has_memory(struct jit_budget *budget, uint32_t owner)
{
	return !owner || (budget->bytes < budget->most_bytes &&
			  *owner_bytes(budget, owner) < budget->most_bytes / 2);
}

static bool has_time(const struct jit_budget *budget, uint32_t owner)
{
	return !owner || namer_accounts__is_open(&budget->accounts, owner, monotonic_ns());
}

static void charge_time(struct jit_budget *budget, uint32_t owner, uint64_t begin_ns)
{
	const uint64_t now_ns = monotonic_ns();

	if (owner && !namer_accounts__charge(&budget->accounts, owner, now_ns - begin_ns, now_ns))
		log__warn("perf maps of user %" PRIu32 " take too long to read: new functions in "
			  "them have no names for a minute",
			  owner);
}

/* ---- reading --------------------------------------------------------------------------------- */

/*
 * Reads the lines after those read before, as long as the budget allows.  A line without its end is
 * perhaps being written.
 */
static int read_lines(struct jit_budget *budget, struct perf_map *map, int fd, uint32_t owner)
{
	const uint64_t end_ns = monotonic_ns() + budget->wait_ms * MS_NS;
	char *bytes = malloc(READ_BYTES);
	int64_t used = bytes ? 1 : -ENOMEM;

	while (used > 0 && !map->is_full) {
		ssize_t count = pread(fd, bytes, READ_BYTES, (off_t)map->read_bytes);

		used = count < 0 ? -errno : perf_map__add(map, bytes, (size_t)count);
		if (used > 0)
			map->read_bytes += (uint64_t)used;
		perf_map__count(map);
		map->is_full =
			map->read_bytes >= BUDGET_PERF_MAP_BYTES || !has_memory(budget, owner);
		if (budget->wait_ms && owner && monotonic_ns() >= end_ns)
			break;
	}
	free(bytes);
	return used < 0 ? (int)used : 0;
}

static void check_map(const struct jit_names *names, uint32_t pid, bool is_live,
		      const struct stat *found)
{
	const struct perf_map *map = names->map;

	if (map->bad_lines)
		warn(names, pid, "damaged: lines are not \"START SIZE NAME\"");
	else if (map->is_full)
		warn(names, pid, "too large: its first lines are used");
	else if (!is_live && map->read_bytes < (uint64_t)found->st_size)
		warn(names, pid, "cut in the middle of a line");
}

/* A shorter or another file is a new one: its lines replace the former ones. */
static int restart_map(struct jit_budget *budget, struct jit_names *names, const struct stat *found)
{
	struct perf_map *map = names->map;

	if (map && map->inode == found->st_ino && map->read_bytes <= (uint64_t)found->st_size)
		return 0;
	perf_map__free(names->former);
	names->former = map;
	names->map = perf_map__new();
	if (!names->map)
		return -ENOMEM;
	names->map->inode = found->st_ino;
	names->map->counters[0] = &budget->bytes;
	names->map->counters[1] = owner_bytes(budget, found->st_uid);
	return 0;
}

static void read_map(struct jit_budget *budget, struct jit_names *names, uint32_t pid, int fd,
		     bool is_live, const struct stat *found)
{
	const uint64_t begin_ns = monotonic_ns();

	if (!restart_map(budget, names, found) &&
	    !read_lines(budget, names->map, fd, found->st_uid) && !perf_map__sort(names->map))
		check_map(names, pid, is_live, found);
	charge_time(budget, found->st_uid, begin_ns);
}

static void update_map(struct jit_budget *budget, struct jit_names *names, uint32_t pid,
		       bool is_live)
{
	struct stat found;
	int fd;

	if (is_live)
		find_own_pid(names, pid);
	fd = open_map(names, pid, is_live, &found);
	if (fd < 0)
		return;
	if (has_time(budget, found.st_uid))
		read_map(budget, names, pid, fd, is_live, &found);
	close(fd);
}

/* At most once in a call, so that at most one map is replaced. */
static bool is_due(struct jit_names *names, uint64_t after_ns, uint64_t call)
{
	uint64_t now_ns;

	if (names->call == call)
		return false;
	now_ns = monotonic_ns();
	if (names->check_ns && now_ns - names->check_ns < after_ns)
		return false;
	names->check_ns = now_ns;
	names->call = call;
	return true;
}

struct perf_map_symbol *jit_names__find(struct jit_budget *budget, struct jit_names *names,
					uint32_t pid, bool is_live, uint64_t address, uint64_t call)
{
	struct perf_map_symbol *symbol;

	if (is_due(names, CHECK_NS, call))
		update_map(budget, names, pid, is_live);
	symbol = names->map ? perf_map__find(names->map, address) : NULL;
	if (symbol || !is_live || !is_due(names, CHECK_MISSING_NS, call))
		return symbol;
	update_map(budget, names, pid, is_live);
	return names->map ? perf_map__find(names->map, address) : NULL;
}

void jit_names__free(struct jit_names *names)
{
	perf_map__free(names->map);
	perf_map__free(names->former);
}

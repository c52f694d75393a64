// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/jit_names.c: finds /tmp/perf-PID.map of a process, and follows it as it grows. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/internal.h"
#include "symbols/jit_names.h"
#include "sys/foreign_file.h"
#include "sys/pid_namespace.h"

/* The file is looked at again after this, sooner for an address that it does not have. */
#define CHECK_NS	 200000000
#define CHECK_MISSING_NS 20000000

#define READ_BYTES    (1u << 20)
#define MAP_BYTES_MAX (128u << 20)

static void find_own_pid(struct process *process)
{
	if (!process->own_pid)
		process->own_pid = pid_namespace__own_pid(process->pid);
}

/* Anyone may write to /tmp: a map of another user could have any names. */
static bool is_trusted(const struct stat *map, const struct process *process, bool is_live)
{
	char path[64];
	struct stat owner;

	if (!map->st_uid || map->st_uid == geteuid())
		return true;
	snprintf(path, sizeof(path), "/proc/%" PRIu32, process->pid);
	return is_live && !stat(path, &owner) && owner.st_uid == map->st_uid;
}

/* A file descriptor; or a negative errno: -ENOENT: there is none. */
static int open_map(const struct process *process, bool is_live, struct stat *found)
{
	uint32_t pid = process->own_pid ? process->own_pid : process->pid;
	char root[32], path[32];
	int fd = -1;

	snprintf(root, sizeof(root), "/proc/%" PRIu32 "/root", process->pid);
	snprintf(path, sizeof(path), "/tmp/perf-%" PRIu32 ".map", pid);
	if (is_live)
		fd = foreign_file__open(root, path, FOREIGN_NO_LINK, found);
	if (fd < 0)
		fd = foreign_file__open(NULL, path, FOREIGN_NO_LINK, found);
	if (fd < 0)
		return fd;
	if (!is_trusted(found, process, is_live)) {
		close(fd);
		return -EPERM;
	}
	return fd;
}

static void warn(const struct process *process, struct perf_map *map, const char *why)
{
	if (map->is_warned)
		return;
	map->is_warned = true;
	log__warn("perf-%" PRIu32 ".map: %s: functions of process %" PRIu32 " have addresses "
		  "instead of names",
		  process->own_pid ? process->own_pid : process->pid, why, process->pid);
}

/* Reads the lines after those read before.  A line without its end is perhaps being written. */
static int read_lines(struct perf_map *map, int fd)
{
	char *bytes = malloc(READ_BYTES);
	int64_t used = bytes ? 1 : -ENOMEM;

	while (used > 0 && map->read_bytes < MAP_BYTES_MAX) {
		ssize_t count = pread(fd, bytes, READ_BYTES, (off_t)map->read_bytes);

		used = count < 0 ? -errno : perf_map__add(map, bytes, (size_t)count);
		if (used > 0)
			map->read_bytes += (uint64_t)used;
	}
	free(bytes);
	return used < 0 ? (int)used : 0;
}

static void check_map(const struct process *process, struct perf_map *map, bool is_live,
		      const struct stat *found)
{
	if (map->bad_lines)
		warn(process, map, "damaged: lines are not \"START SIZE NAME\"");
	else if (map->read_bytes >= MAP_BYTES_MAX)
		warn(process, map, "too large: the first 128 MiB are used");
	else if (!is_live && map->read_bytes < (uint64_t)found->st_size)
		warn(process, map, "cut in the middle of a line");
}

/* A shorter or another file is a new one: its lines replace the former ones. */
static int restart_map(struct process *process, const struct stat *found)
{
	struct perf_map *map = process->perf_map;

	if (map && map->inode == found->st_ino && map->read_bytes <= (uint64_t)found->st_size)
		return 0;
	perf_map__free(process->former_map);
	process->former_map = map;
	process->perf_map = perf_map__new();
	if (!process->perf_map)
		return -ENOMEM;
	process->perf_map->inode = found->st_ino;
	return 0;
}

static void update_map(struct process *process, bool is_live)
{
	struct stat found;
	int fd;

	if (is_live)
		find_own_pid(process);
	fd = open_map(process, is_live, &found);
	if (fd < 0)
		return;
	if (!restart_map(process, &found) && !read_lines(process->perf_map, fd))
		check_map(process, process->perf_map, is_live, &found);
	close(fd);
}

/* At most once in a call, so that at most one map is replaced. */
static bool is_due(struct process *process, uint64_t after_ns, uint64_t call)
{
	uint64_t now_ns;

	if (process->perf_map_call == call)
		return false;
	now_ns = monotonic_ns();
	if (process->perf_map_check_ns && now_ns - process->perf_map_check_ns < after_ns)
		return false;
	process->perf_map_check_ns = now_ns;
	process->perf_map_call = call;
	return true;
}

struct perf_map_symbol *jit_names__find(struct process *process, bool is_live, uint64_t address,
					uint64_t call)
{
	struct perf_map_symbol *symbol;

	if (is_due(process, CHECK_NS, call))
		update_map(process, is_live);
	symbol = process->perf_map ? perf_map__find(process->perf_map, address) : NULL;
	if (symbol || !is_live || !is_due(process, CHECK_MISSING_NS, call))
		return symbol;
	update_map(process, is_live);
	return process->perf_map ? perf_map__find(process->perf_map, address) : NULL;
}

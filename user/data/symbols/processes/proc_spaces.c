// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/processes/proc_spaces.c: mappings of running processes, from /proc/PID/maps. */
#include <errno.h>

#include "base/monotonic.h"
#include "symbols/processes/proc_spaces.h"
#include "sys/proc_maps.h"

#define INTERVAL_MIN_NS 100000000
#define INTERVAL_MAX_NS 10000000000
#define UPDATE_NS	1000000000

struct maps_reading {
	struct processes *processes;
	struct address_space *space;
	int err;
};

static void add_line(void *arg, const struct proc_map *map)
{
	struct maps_reading *reading = arg;
	struct mapping mapping = { map->start, map->end, map->offset, reading->space->since_ns,
				   NULL };
	struct mapped_key key = {
		.path = map->path, .major = map->major, .minor = map->minor, .inode = map->inode
	};

	if (!map->is_executable || reading->err)
		return;
	mapping.file = mapped_files__get(&reading->processes->files, &key);
	reading->err = mapping.file ? address_space__fill(reading->space,
							  &reading->processes->files, &mapping)
				    : -ENOMEM;
}

static int read_into(struct processes *processes, uint32_t pid, struct address_space *space)
{
	struct maps_reading reading = { processes, space, 0 };
	int err = proc_maps__each(pid, add_line, &reading);

	return err ? err : reading.err;
}

/* A process that is just ending has a file without lines. */
static bool replace_space(struct processes *processes, struct process *process)
{
	struct address_space *space = process__space(process, 0);
	struct address_space read = { .since_ns = space->since_ns };

	if (read_into(processes, process->pid, &read) || !read.parts) {
		address_space__clear(&read, &processes->files);
		return false;
	}
	address_space__clear(space, &processes->files);
	*space = read;
	process->is_whole = true;
	return true;
}

static bool read_maps(struct processes *processes, struct process *process)
{
	struct address_space *space = process__space(process, 0);
	uint32_t before = part_tree__count(space->parts);

	if (!processes->is_followed)
		return replace_space(processes, process);
	if (read_into(processes, process->pid, space))
		return false;
	process->is_whole = true;
	return part_tree__count(space->parts) != before;
}

bool proc_spaces__read(struct processes *processes, struct process *process)
{
	uint64_t now_ns = monotonic_ns();
	bool has_more;

	if (process->has_ended || now_ns < process->next_read_ns)
		return false;
	has_more = read_maps(processes, process);
	if (has_more || !process->read_interval_ns)
		process->read_interval_ns = INTERVAL_MIN_NS;
	else if (process->read_interval_ns < INTERVAL_MAX_NS)
		process->read_interval_ns *= 2;
	process->next_read_ns = monotonic_ns() + process->read_interval_ns;
	return has_more;
}

void proc_spaces__update(struct processes *processes, struct process *process)
{
	uint64_t now_ns;

	if (processes->is_followed)
		return;
	now_ns = monotonic_ns();
	if (now_ns < process->next_update_ns)
		return;
	process->next_update_ns = now_ns + UPDATE_NS;
	process->next_read_ns = 0;
	proc_spaces__read(processes, process);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* convert/mappings.c: the address spaces of processes, built from MMAP records. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "convert/mappings.h"

#define SLOTS_MIN  64
#define KERNEL_PID UINT32_MAX

/* A process's mappings are sorted by `begin` and do not overlap. */
struct mapping {
	uint64_t begin, end, pgoff;
	const char *file;
};

struct mapped_process {
	struct mapping *maps;
	uint32_t pid, count, room;
	bool is_used;
};

/* ---- processes ------------------------------------------------------------------------------- */

static struct mapped_process *find_process_slot(const struct mappings *mappings, uint32_t pid)
{
	uint32_t mask = mappings->slots_count - 1, at = (pid * 0x9e3779b1U) & mask;

	while (mappings->slots[at].is_used && mappings->slots[at].pid != pid)
		at = (at + 1) & mask;
	return &mappings->slots[at];
}

static int grow_slots(struct mappings *mappings)
{
	struct mappings grown = *mappings;

	grown.slots_count = mappings->slots_count ? 2 * mappings->slots_count : SLOTS_MIN;
	grown.slots = calloc(grown.slots_count, sizeof(*grown.slots));
	if (!grown.slots)
		return -ENOMEM;
	for (uint32_t i = 0; i < mappings->slots_count; i++)
		if (mappings->slots[i].is_used)
			*find_process_slot(&grown, mappings->slots[i].pid) = mappings->slots[i];
	free(mappings->slots);
	*mappings = grown;
	return 0;
}

/* NULL: no memory. */
static struct mapped_process *get_process(struct mappings *mappings, uint32_t pid)
{
	struct mapped_process *process;

	if (4 * (uint64_t)mappings->count >= 3 * (uint64_t)mappings->slots_count &&
	    grow_slots(mappings))
		return NULL;
	process = find_process_slot(mappings, pid);
	mappings->count += !process->is_used;
	process->is_used = true;
	process->pid = pid;
	return process;
}

static int reserve_mappings(struct mapped_process *process, uint32_t count)
{
	uint32_t room = process->room ? process->room : 16;
	struct mapping *maps;

	if (count <= process->room)
		return 0;
	while (room < count)
		room *= 2;
	maps = reallocarray(process->maps, room, sizeof(*maps));
	if (!maps)
		return -ENOMEM;
	process->maps = maps;
	process->room = room;
	return 0;
}

/* ---- what is mapped -------------------------------------------------------------------------- */

/* The index of the first mapping that ends after the address. */
static uint32_t find_mapping(const struct mapped_process *process, uint64_t address)
{
	uint32_t low = 0, high = process->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (process->maps[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void replace_mappings(struct mapped_process *process, uint32_t at, uint32_t removed,
			     const struct mapping *by, uint32_t count)
{
	struct mapping *maps = process->maps;

	memmove(maps + at + count, maps + at + removed,
		(process->count - at - removed) * sizeof(*maps));
	memcpy(maps + at, by, count * sizeof(*maps));
	process->count += count - removed;
}

/* Replaces the mappings below; the parts of the first and last that are not covered remain. */
static int add_mapping(struct mapped_process *process, const struct mapping *mapping)
{
	uint32_t first = find_mapping(process, mapping->begin), last = first, parts = 0;
	struct mapping by[3];

	if (reserve_mappings(process, process->count + 2))
		return -ENOMEM;
	if (first < process->count && process->maps[first].begin < mapping->begin) {
		by[parts] = process->maps[first];
		by[parts++].end = mapping->begin;
	}
	by[parts++] = *mapping;
	while (last < process->count && process->maps[last].begin < mapping->end)
		last++;
	if (last > first && process->maps[last - 1].end > mapping->end) {
		by[parts] = process->maps[last - 1];
		by[parts].pgoff += mapping->end - by[parts].begin;
		by[parts++].begin = mapping->end;
	}
	replace_mappings(process, first, last - first, by, parts);
	return 0;
}

/* ---- records --------------------------------------------------------------------------------- */

static int apply_mmap(struct mappings *mappings, const struct peat_record *rec)
{
	const struct peat_mmap *mmap = &rec->mmap;
	const char *slash = strrchr(mmap->filename, '/');
	const char *name = slash && slash[1] ? slash + 1 : mmap->filename;
	struct mapping mapping = { mmap->addr, mmap->addr + mmap->len, mmap->pgoff, NULL };
	struct mapped_process *process;
	struct string_count *file;

	if (mmap->pid == KERNEL_PID || mmap->data || mapping.end <= mapping.begin)
		return 0;
	file = string_counts__add(&mappings->files, name, strlen(name));
	process = get_process(mappings, mmap->pid);
	if (!file || !process)
		return -ENOMEM;
	mapping.file = file->text;
	return add_mapping(process, &mapping);
}

/* A child process begins with a copy of its parent's mappings; a thread shares them. */
static int apply_fork(struct mappings *mappings, const struct peat_task *task)
{
	struct mapped_process *child, *parent;

	if (task->pid == task->ppid)
		return 0;
	child = get_process(mappings, task->pid);
	if (!child || !get_process(mappings, task->ppid))
		return -ENOMEM;
	child = find_process_slot(mappings, task->pid);
	parent = find_process_slot(mappings, task->ppid);
	if (reserve_mappings(child, parent->count))
		return -ENOMEM;
	if (parent->count)
		memcpy(child->maps, parent->maps, parent->count * sizeof(*child->maps));
	child->count = parent->count;
	return 0;
}

static int apply_comm(struct mappings *mappings, const struct peat_comm *comm)
{
	if (comm->exec && mappings->slots_count)
		find_process_slot(mappings, comm->pid)->count = 0;
	return 0;
}

int mappings__apply(struct mappings *mappings, const struct peat_record *rec)
{
	switch (rec->type) {
	case PEAT_RECORD_MMAP:
	case PEAT_RECORD_MMAP2:
		return apply_mmap(mappings, rec);
	case PEAT_RECORD_FORK:
		return apply_fork(mappings, &rec->task);
	case PEAT_RECORD_COMM:
		return apply_comm(mappings, &rec->comm);
	default:
		return 0;
	}
}

const char *mappings__find(const struct mappings *mappings, uint32_t pid, uint64_t address,
			   uint64_t *offset)
{
	const struct mapped_process *process;
	const struct mapping *mapping;
	uint32_t at;

	if (!mappings->slots_count)
		return NULL;
	process = find_process_slot(mappings, pid);
	at = find_mapping(process, address);
	if (at == process->count || process->maps[at].begin > address)
		return NULL;
	mapping = &process->maps[at];
	*offset = address - mapping->begin + mapping->pgoff;
	return mapping->file;
}

void mappings__free(struct mappings *mappings)
{
	for (uint32_t i = 0; i < mappings->slots_count; i++)
		free(mappings->slots[i].maps);
	free(mappings->slots);
	string_counts__free(&mappings->files);
	*mappings = (struct mappings){ 0 };
}

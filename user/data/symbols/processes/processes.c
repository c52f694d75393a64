// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/processes/processes.c: the address spaces of all processes, updated record by record. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/sip_hash.h"
#include "symbols/processes/processes.h"

#define KERNEL_PID UINT32_MAX

/* ---- the table ------------------------------------------------------------------------------- */

static uint64_t code_of(uint32_t pid)
{
	return sip_hash__key(&pid, sizeof(pid));
}

struct process *processes__find(const struct processes *processes, uint32_t pid)
{
	struct hash_link *link = hash__first(&processes->by_pid, code_of(pid));

	while (link && HASH_ENTRY(link, struct process, link)->pid != pid)
		link = hash__next(link);
	return link ? HASH_ENTRY(link, struct process, link) : NULL;
}

static void clear_spaces(struct process *process, struct mapped_files *files)
{
	for (uint32_t i = 0; i < process->spaces_count; i++)
		address_space__clear(&process->spaces[i], files);
}

static void free_process(struct process *process, struct mapped_files *files)
{
	clear_spaces(process, files);
	jit_names__free(&process->jit);
	free(process);
}

/* ---- ended processes ------------------------------------------------------------------------- */

static void unlink_ended(struct processes *processes, struct process *process)
{
	if (!process->has_ended)
		return;
	*(process->ended_before ? &process->ended_before->ended_after : &processes->ended_first) =
		process->ended_after;
	*(process->ended_after ? &process->ended_after->ended_before : &processes->ended_last) =
		process->ended_before;
	process->ended_before = process->ended_after = NULL;
	process->has_ended = false;
	processes->ended_count--;
}

static void remove_process(struct processes *processes, struct process *process)
{
	unlink_ended(processes, process);
	hash__remove(&processes->by_pid, &process->link);
	free_process(process, &processes->files);
}

/* One that ended first; otherwise any: the buckets have no order. */
static void forget_process(struct processes *processes)
{
	const struct hash *hash = &processes->by_pid;
	struct process *process = processes->ended_first;
	struct hash_link *link = NULL;

	while (!process && !link) {
		processes->forget_at = (processes->forget_at + 1) & (hash->bucket_count - 1);
		link = hash->buckets[processes->forget_at];
	}
	remove_process(processes, process ?: HASH_ENTRY(link, struct process, link));
}

/* Mappings that another process shares stay. */
static void limit_mappings(struct processes *processes)
{
	const uint64_t most = processes->mappings_max ?: PROCESSES_MAPPINGS_MAX;

	while (processes->files.uses > most && processes->by_pid.count > 1)
		forget_process(processes);
}

struct process *processes__get(struct processes *processes, uint32_t pid)
{
	struct process *process = processes__find(processes, pid);

	if (process)
		return process;
	limit_mappings(processes);
	if (processes->by_pid.count >= PROCESSES_MAX)
		forget_process(processes);
	process = calloc(1, sizeof(*process));
	if (!process)
		return NULL;
	process->pid = pid;
	process->spaces_count = 1;
	if (hash__add(&processes->by_pid, &process->link, code_of(pid))) {
		free(process);
		return NULL;
	}
	return process;
}

/* The record may be read after that of the next process with this pid. */
static void apply_exit(struct processes *processes, const struct peat_task *task, uint64_t time_ns)
{
	struct process *process = processes__find(processes, task->pid);

	if (!process || task->pid != task->tid ||
	    (time_ns && process->spaces[process->spaces_count - 1].since_ns > time_ns))
		return;
	unlink_ended(processes, process);
	process->has_ended = true;
	process->ended_before = processes->ended_last;
	*(processes->ended_last ? &processes->ended_last->ended_after : &processes->ended_first) =
		process;
	processes->ended_last = process;
	if (++processes->ended_count > PROCESSES_ENDED_MAX)
		remove_process(processes, processes->ended_first);
}

/* ---- spaces ---------------------------------------------------------------------------------- */

static uint32_t find_space(const struct process *process, uint64_t time_ns)
{
	uint32_t at = process->spaces_count - 1;

	while (time_ns && at && process->spaces[at].since_ns > time_ns)
		at--;
	return at;
}

struct address_space *process__space(struct process *process, uint64_t time_ns)
{
	return &process->spaces[find_space(process, time_ns)];
}

/* Drops the oldest space of a process that has no room for another one. */
static void make_space_room(struct process *process, struct mapped_files *files)
{
	if (process->spaces_count < PROCESS_SPACES_MAX)
		return;
	address_space__clear(&process->spaces[0], files);
	process->spaces_count--;
	memmove(&process->spaces[0], &process->spaces[1],
		process->spaces_count * sizeof(process->spaces[0]));
}

static struct address_space *insert_space(struct process *process, uint32_t at,
					  const struct address_space *space)
{
	memmove(&process->spaces[at + 1], &process->spaces[at],
		(process->spaces_count - at) * sizeof(*space));
	process->spaces[at] = *space;
	process->spaces_count++;
	process->is_whole = true;
	return &process->spaces[at];
}

/*
 * Begins a new space at a time.  Records of several CPUs may be read in another order: mappings
 * made later than that move to the new space.  NULL: no memory.
 */
static struct address_space *begin_space(struct process *process, struct mapped_files *files,
					 uint64_t time_ns)
{
	struct address_space made = { .since_ns = time_ns };
	uint32_t at;

	make_space_room(process, files);
	at = find_space(process, time_ns);
	if (time_ns && time_ns < process->spaces[at].since_ns)
		return insert_space(process, at, &made);
	if (time_ns && address_space__split(&process->spaces[at], files, time_ns, &made)) {
		address_space__clear(&made, files);
		return NULL;
	}
	return insert_space(process, at + 1, &made);
}

static int apply_exec(struct processes *processes, uint32_t pid, uint64_t time_ns)
{
	struct process *process = processes__get(processes, pid);

	return process && begin_space(process, &processes->files, time_ns) ? 0 : -ENOMEM;
}

/*
 * A child begins with the mappings of its parent; a thread has the same space.  The mappings that
 * the child made itself were perhaps read before, and cover those of the parent.
 */
static int apply_fork(struct processes *processes, const struct peat_record *record,
		      uint64_t time_ns)
{
	const struct peat_task *task = &record->task;
	struct process *child, *parent;
	struct address_space *space;

	if (!processes__is_copied(record))
		return 0;
	child = processes__get(processes, task->pid);
	if (!child)
		return -ENOMEM;
	unlink_ended(processes, child);
	space = begin_space(child, &processes->files, time_ns);
	if (!space)
		return -ENOMEM;
	parent = processes__find(processes, task->ppid);
	child->is_whole = parent && parent->is_whole;
	return parent ? address_space__inherit(space, &processes->files,
					       process__space(parent, time_ns), time_ns)
		      : 0;
}

static void identify(const struct peat_mmap *mmap, struct mapped_key *key)
{
	*key = (struct mapped_key){ .path = mmap->filename };
	if (mmap->build_id) {
		build_id__set(&key->build_id, mmap->build_id, mmap->build_id_bytes);
		return;
	}
	key->major = mmap->maj;
	key->minor = mmap->min;
	key->inode = mmap->ino;
	key->generation = mmap->ino_generation;
}

static int apply_mmap(struct processes *processes, const struct peat_record *record,
		      uint64_t time_ns)
{
	const struct peat_mmap *mmap = &record->mmap;
	struct mapping mapping = { mmap->addr, mmap->addr + mmap->len, mmap->pgoff, time_ns, NULL };
	struct process *process;
	struct mapped_key key;

	if (mmap->pid == KERNEL_PID || mmap->data || mapping.end <= mapping.begin)
		return 0;
	processes->is_followed = true;
	process = processes__get(processes, mmap->pid);
	if (!process)
		return -ENOMEM;
	identify(mmap, &key);
	mapping.file = mapped_files__get(&processes->files, &key);
	if (!mapping.file)
		return -ENOMEM;
	return address_space__add(process__space(process, time_ns), &processes->files, &mapping);
}

int processes__apply(struct processes *processes, const struct peat_record *record,
		     uint64_t time_ns)
{
	limit_mappings(processes);
	switch (record->type) {
	case PEAT_RECORD_MMAP:
	case PEAT_RECORD_MMAP2:
		return apply_mmap(processes, record, time_ns);
	case PEAT_RECORD_FORK:
		return apply_fork(processes, record, time_ns);
	case PEAT_RECORD_EXIT:
		apply_exit(processes, &record->task, time_ns);
		return 0;
	case PEAT_RECORD_COMM:
		return record->comm.exec ? apply_exec(processes, record->comm.pid, time_ns) : 0;
	default:
		return 0;
	}
}

void processes__free(struct processes *processes)
{
	for_each_entry (&processes->by_pid, link)
		free_process(HASH_ENTRY(link, struct process, link), &processes->files);
	hash__free(&processes->by_pid);
	mapped_files__free(&processes->files);
	*processes = (struct processes){ 0 };
}

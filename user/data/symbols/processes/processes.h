/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/processes/processes.h: the address spaces of all processes, updated record by record.
 * Pure.
 *
 * A process has a space for each exec, and keeps the last few, since events may be older.  It is
 * kept for a while after it ended: the PROCESSES_ENDED_MAX processes that ended last.
 */
#ifndef PEAT_SYMBOLS_PROCESSES_PROCESSES_H
#define PEAT_SYMBOLS_PROCESSES_PROCESSES_H

#include <peat/record.h>

#include "base/hash.h"
#include "symbols/jit/jit_names.h"
#include "symbols/processes/address_space.h"

#define PROCESSES_ENDED_MAX 2048
#define PROCESSES_MAX	    131072 /* records of ends may be lost: others are forgotten beyond this */
#define PROCESS_SPACES_MAX  8

/* Mappings of all processes together, if processes.mappings_max is 0: about 256 MiB. */
#define PROCESSES_MAPPINGS_MAX (UINT64_C(1) << 21)

struct process {
	uint32_t pid;
	uint32_t spaces_count;				 /* at least 1 */
	struct address_space spaces[PROCESS_SPACES_MAX]; /* by since_ns */
	bool is_whole; /* its mappings are known from its fork or exec on, or were read */
	bool has_ended;
	struct hash_link link;
	struct process *ended_before, *ended_after; /* queue of ended processes */

	/* For symbols/processes/proc_spaces.c: the times when /proc/PID/maps may be read again. */
	uint64_t next_read_ns, read_interval_ns, next_update_ns;
	struct jit_names jit;
};

struct processes {
	struct hash by_pid;
	struct process *ended_first, *ended_last;
	uint32_t ended_count;
	size_t forget_at;      /* the bucket that loses a process next */
	bool is_followed;      /* mappings come from records */
	uint64_t mappings_max; /* processes are forgotten beyond this */
	struct mapped_files files;
};

/* Applies MMAP, MMAP2, FORK, EXIT and COMM; ignores other records.  0 or -ENOMEM. */
int processes__apply(struct processes *processes, const struct peat_record *record,
		     uint64_t time_ns);

/* NULL: unknown. */
struct process *processes__find(const struct processes *processes, uint32_t pid);

/* Finds or adds it, and perhaps frees another one.  NULL: no memory. */
struct process *processes__get(struct processes *processes, uint32_t pid);

/* The space that the process had at a time; 0: now. */
struct address_space *process__space(struct process *process, uint64_t time_ns);

/* Whether the process is the child of a thread group, whose mappings are copied. */
static inline bool processes__is_copied(const struct peat_record *record)
{
	return record->type == PEAT_RECORD_FORK && record->task.pid != record->task.ppid &&
	       !(record->misc & PEAT_MISC_FORK_EXEC);
}

void processes__free(struct processes *processes); /* all zero is allowed */

#endif /* PEAT_SYMBOLS_PROCESSES_PROCESSES_H */

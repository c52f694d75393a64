/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_EVENT_TASK_NAMES_H
#define PEAT_EVENT_TASK_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sys/own_ids.h"

/*
 * The names of tasks, by time: the name of a thread at a given time, even if the thread has ended
 * since, was renamed, or its id was reused.
 *
 * Names may be added in any order.  A call takes O(log n) for a task with n names.
 */
struct tasks;

/* With the NUL: TASK_COMM_LEN of the kernel.  Recordings of other programs have longer names. */
#define TASKS_COMM_BYTES 16
#define TASKS_NAME_BYTES 256

/*
 * Keeps up to `limit` past names (replaced, or of tasks that ended), then removes the oldest.
 * NULL: no memory.
 */
struct tasks *tasks__new(size_t limit);
void tasks__free(struct tasks *tasks); /* accepts NULL */

/* A copy to find names in, not to be changed.  NULL: no memory. */
struct tasks *tasks__copy(const struct tasks *tasks);

/* Sets the thread's name from `time_ns` on, cut to TASKS_NAME_BYTES; NULL: unknown. */
void tasks__comm(struct tasks *tasks, uint32_t tid, uint64_t time_ns, const char *comm);

/* Adds a new thread with its parent's name at that time. */
void tasks__fork(struct tasks *tasks, uint32_t tid, uint32_t parent_tid, uint64_t time_ns);

/* Makes the thread's name a past one, still to be found: events may follow a thread's end. */
void tasks__exit(struct tasks *tasks, uint32_t tid, uint64_t time_ns);

/*
 * Returns the thread's name at that time, or NULL: unknown.  Valid until the next change.  The name
 * that tasks__scan() found also applies before the scan, if it is the thread's first.
 */
const char *tasks__name(const struct tasks *tasks, uint32_t tid, uint64_t time_ns);

/*
 * The same, and the times since and until which (both included) the name is valid.  `ids` of the
 * thread: 0 if they are unknown; NULL: not wanted.
 */
const char *tasks__name_span(const struct tasks *tasks, uint32_t tid, uint64_t time_ns,
			     uint64_t *since_ns, uint64_t *until_ns, struct own_ids *ids);

/*
 * Finds the ids that threads have in their own pid namespaces.  False: unknown.  Called once for
 * each thread; `has_ended`: its id may be another's meanwhile.
 */
typedef bool (*tasks_find_ids)(void *arg, uint32_t tid, bool has_ended, struct own_ids *ids);
void tasks__follow_ids(struct tasks *tasks, tasks_find_ids find, void *arg);

/* Adds all threads in /proc with their names, as of time_ns.  0 or a negative errno. */
int tasks__scan(struct tasks *tasks, uint64_t time_ns);

struct tasks_counts {
	size_t threads, names; /* current */
	size_t past;	       /* the past ones of these names */
	size_t no_memory;      /* names dropped or cut for lack of memory */
};

struct tasks_counts tasks__counts(const struct tasks *tasks);

#endif /* PEAT_EVENT_TASK_NAMES_H */

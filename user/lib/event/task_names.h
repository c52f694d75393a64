/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef TASKS_H
#define TASKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The names of tasks, by time: what a thread was called when something happened, though it is gone
 * by now, or has another name, or its id is another thread's.
 *
 * What is told has to come in the order of time; a little disorder costs a name at most.  All calls
 * are O(1): of a task that changes its name all the time what is far back is not known any more.
 */
struct tasks;

#define TASKS_NAME_BYTES 16 /* with the NUL: TASK_COMM_LEN of the kernel */

/*
 * Names of tasks that ended, and names that were replaced, are kept up to `limit`, then the oldest
 * are forgotten.  NULL: no memory.
 */
struct tasks *tasks__new(size_t limit);
void tasks__free(struct tasks *tasks); /* takes NULL */

/* From `time_ns` on the thread has this name, cut to what the kernel keeps; NULL: not known. */
void tasks__comm(struct tasks *tasks, uint32_t tid, uint64_t time_ns, const char *comm);

/* A new thread, with the name that its parent has then. */
void tasks__fork(struct tasks *tasks, uint32_t tid, uint32_t parent_tid, uint64_t time_ns);

/* It keeps its name: a thread is seen for a while after it ended. */
void tasks__exit(struct tasks *tasks, uint32_t tid, uint64_t time_ns);

/*
 * What it was called then; NULL when that is not known.  Valid until something else is told.
 * Before the first name that is known of a thread found by tasks__scan(), it had that one.
 */
const char *tasks__name(const struct tasks *tasks, uint32_t tid, uint64_t time_ns);

/* Tells of all threads that /proc has, as of time_ns.  0 or a negative errno. */
int tasks__scan(struct tasks *tasks, uint64_t time_ns);

struct tasks_counts {
	size_t threads, names; /* held */
	size_t past;	       /* of these names: replaced, or of threads that ended */
	size_t no_memory;      /* names that could not be kept */
};

struct tasks_counts tasks__counts(const struct tasks *tasks);

#endif /* TASKS_H */

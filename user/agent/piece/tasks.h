/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* piece/tasks.h: writes the names and owners of tasks, once and when they change. */
#ifndef PEAT_PIECE_TASKS_H
#define PEAT_PIECE_TASKS_H

#include <peat/reader.h>

#include "base/arena.h"
#include "base/hash.h"
#include "base/strbuf.h"

/*
 * The facts of a task that were written so far, or that were read.  The texts are those of the
 * batch, or of the decoded piece.
 */
struct piece_task {
	struct hash_link link; /* by its key */
	uint64_t key;
	const char *comm;
	const struct peat_identity *identity;
	uint64_t cgroup;
	uint32_t uid, nspid, nstid;
	bool has_owner;
};

/* Zeroes: nothing is written yet. */
struct piece_tasks {
	struct hash tasks, identities;
	struct arena memory;
	struct piece_task *last;
	uint32_t identity_count;
	struct strbuf note;
};

/* The key of the event's task: idle tasks have one id. */
static inline uint64_t tasks__key(uint32_t tid, uint32_t cpu)
{
	return tid ? tid : (uint64_t)1 << 32 | cpu;
}

/* NULL: no task has this key. */
static inline struct piece_task *tasks__find(const struct hash *tasks, uint64_t key)
{
	struct hash_link *link = hash__first(tasks, hash__number(key));

	while (link && HASH_ENTRY(link, struct piece_task, link)->key != key)
		link = hash__next(link);
	return link ? HASH_ENTRY(link, struct piece_task, link) : NULL;
}

/* Whether a record COMM can name the task. */
static inline bool tasks__has_comm(uint32_t tid)
{
	return tid && tid != PEAT_NO_TASK;
}

/*
 * Appends the records that the event's task needs before it.  `side`: of those records.  0 or a
 * negative errno.
 */
int piece_tasks__put(struct piece_tasks *tasks, const struct peat_event *event,
		     const struct peat_layout *side, struct strbuf *out);

/* Begins the next piece. */
void piece_tasks__clear(struct piece_tasks *tasks);

void piece_tasks__free(struct piece_tasks *tasks);

#endif /* PEAT_PIECE_TASKS_H */

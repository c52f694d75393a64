// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* event/task_names.c: the names of threads, by time, in a hash table. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "sys/proc_tasks.h"
#include "event/task_names.h"

/*
 *	by_tid ──▶ thread
 *	              │ newest
 *	              ▼
 *	            name ──▶ name ──▶ name  by time, each but the newest of a living thread past
 *
 *	past: a queue of all past names, in the order in which they became past
 */
struct name {
	uint64_t time_ns; /* valid since */
	struct thread *thread;
	struct name *newer, *older;
	struct name *next_past;
	bool is_past, is_known;
	bool was_found; /* by tasks__scan(): may be older than time_ns */
	char comm[TASKS_COMM_BYTES];
	char *long_comm; /* of a name that does not fit into `comm`; or NULL */
};

struct thread {
	struct hash_link link; /* its code is the thread's id: ids that live are mostly adjacent */
	struct name *newest;
};

struct tasks {
	struct hash by_tid;
	struct name *first_past, *last_past;
	size_t limit;
	struct tasks_counts counts;
};

/* Limits the search through a thread's names: a recording may have any number, in any order. */
#define SEARCH_MAX 1024

struct tasks *tasks__new(size_t limit)
{
	struct tasks *tasks = calloc(1, sizeof(*tasks));

	if (tasks)
		tasks->limit = limit;
	return tasks;
}

static void free_name(struct name *name)
{
	free(name->long_comm);
	free(name);
}

static void free_thread(struct thread *thread)
{
	while (thread->newest) {
		struct name *name = thread->newest;

		thread->newest = name->older;
		free_name(name);
	}
	free(thread);
}

void tasks__free(struct tasks *tasks)
{
	if (!tasks)
		return;
	for_each_entry (&tasks->by_tid, link)
		free_thread(HASH_ENTRY(link, struct thread, link));
	hash__free(&tasks->by_tid);
	free(tasks);
}

/* ---- copies ---------------------------------------------------------------------------------- */

static struct name *copy_name(const struct name *name, struct thread *thread)
{
	struct name *copy = malloc(sizeof(*copy));

	if (!copy)
		return NULL;
	*copy = *name;
	copy->thread = thread;
	copy->newer = copy->older = copy->next_past = NULL;
	if (!name->long_comm)
		return copy;
	copy->long_comm = strdup(name->long_comm);
	if (copy->long_comm)
		return copy;
	free(copy);
	return NULL;
}

static int copy_names(struct thread *copy, const struct thread *thread)
{
	struct name **link = &copy->newest, *newer = NULL;

	for (const struct name *name = thread->newest; name; name = name->older) {
		*link = copy_name(name, copy);
		if (!*link)
			return -ENOMEM;
		(*link)->newer = newer;
		newer = *link;
		link = &newer->older;
	}
	return 0;
}

static int copy_thread(struct tasks *tasks, const struct thread *thread)
{
	struct thread *copy = calloc(1, sizeof(*copy));

	if (!copy)
		return -ENOMEM;
	if (copy_names(copy, thread) || hash__add(&tasks->by_tid, &copy->link, thread->link.code)) {
		free_thread(copy);
		return -ENOMEM;
	}
	return 0;
}

struct tasks *tasks__copy(const struct tasks *tasks)
{
	struct tasks *copy = calloc(1, sizeof(*copy));

	if (!copy)
		return NULL;
	for_each_entry (&tasks->by_tid, link)
		if (copy_thread(copy, HASH_ENTRY(link, struct thread, link))) {
			tasks__free(copy);
			return NULL;
		}
	return copy;
}

/* ---------------------------------------------------------------------------------------------- */

struct tasks_counts tasks__counts(const struct tasks *tasks)
{
	struct tasks_counts counts = tasks->counts;

	counts.threads = tasks->by_tid.count;
	return counts;
}

/* ---- threads --------------------------------------------------------------------------------- */

static struct thread *find_thread(const struct tasks *tasks, uint32_t tid)
{
	struct hash_link *link = hash__first(&tasks->by_tid, tid);

	return link ? HASH_ENTRY(link, struct thread, link) : NULL;
}

static struct thread *find_or_add_thread(struct tasks *tasks, uint32_t tid)
{
	struct thread *thread = find_thread(tasks, tid);

	if (thread)
		return thread;
	thread = calloc(1, sizeof(*thread));
	if (thread && hash__add(&tasks->by_tid, &thread->link, tid)) {
		free(thread);
		return NULL;
	}
	return thread;
}

static void remove_thread(struct tasks *tasks, struct thread *thread)
{
	hash__remove(&tasks->by_tid, &thread->link);
	free(thread);
}

/* ---- names ----------------------------------------------------------------------------------- */

static void remove_name(struct tasks *tasks, struct name *name)
{
	struct thread *thread = name->thread;

	if (name->newer)
		name->newer->older = name->older;
	else
		thread->newest = name->older;
	if (name->older)
		name->older->newer = name->newer;
	free_name(name);
	tasks->counts.names--;
	if (!thread->newest)
		remove_thread(tasks, thread);
}

static void remove_first_past(struct tasks *tasks)
{
	struct name *name = tasks->first_past;

	tasks->first_past = name->next_past;
	if (!tasks->first_past)
		tasks->last_past = NULL;
	tasks->counts.past--;
	remove_name(tasks, name);
}

static void make_past(struct tasks *tasks, struct name *name)
{
	if (name->is_past)
		return;
	name->is_past = true;
	if (tasks->last_past)
		tasks->last_past->next_past = name;
	else
		tasks->first_past = name;
	tasks->last_past = name;
	tasks->counts.past++;
	while (tasks->counts.past > tasks->limit)
		remove_first_past(tasks);
}

/*
 * Inserts the name among those of its thread, by time.  It becomes past if a newer one exists, and
 * is discarded if more than SEARCH_MAX do.
 */
static void link_name(struct tasks *tasks, struct thread *thread, struct name *name)
{
	struct name *newer = NULL, *older = thread->newest;

	for (int i = 0; older && older->time_ns > name->time_ns; i++) {
		if (i == SEARCH_MAX) {
			free_name(name);
			return;
		}
		newer = older;
		older = older->older;
	}
	name->thread = thread;
	name->newer = newer;
	name->older = older;
	if (older)
		older->newer = name;
	if (newer)
		newer->older = name;
	else
		thread->newest = name;
	tasks->counts.names++;
	if (newer)
		make_past(tasks, name);
	else if (older)
		make_past(tasks, older);
}

static struct name *name_at(const struct thread *thread, uint64_t time_ns)
{
	struct name *name = thread->newest;

	for (int i = 0; i < SEARCH_MAX && name && name->time_ns > time_ns; i++)
		name = name->older;
	return name && name->time_ns <= time_ns ? name : NULL;
}

/* Without memory, a long name is cut. */
static void set_comm(struct name *name, const char *comm)
{
	size_t bytes = comm ? strnlen(comm, sizeof(name->comm) - 1) : 0;

	free(name->long_comm);
	name->long_comm = NULL;
	name->is_known = comm;
	memset(name->comm, 0, sizeof(name->comm));
	if (bytes)
		memcpy(name->comm, comm, bytes);
	if (comm && comm[bytes])
		name->long_comm = strndup(comm, TASKS_NAME_BYTES - 1);
}

static void add_name(struct tasks *tasks, uint32_t tid, uint64_t time_ns, const char *comm,
		     bool was_found)
{
	struct thread *thread = find_or_add_thread(tasks, tid);
	struct name *name = thread ? name_at(thread, time_ns) : NULL;

	/* A duplicate, or a fork and an exec in one nanosecond of a coarse clock. */
	if (name && name->time_ns == time_ns) {
		set_comm(name, comm);
		return;
	}
	name = thread ? calloc(1, sizeof(*name)) : NULL;
	if (!name) {
		tasks->counts.no_memory++;
		if (thread && !thread->newest)
			remove_thread(tasks, thread);
		return;
	}
	name->time_ns = time_ns;
	name->was_found = was_found;
	set_comm(name, comm);
	link_name(tasks, thread, name);
}

void tasks__comm(struct tasks *tasks, uint32_t tid, uint64_t time_ns, const char *comm)
{
	add_name(tasks, tid, time_ns, comm, false);
}

/* Adds an unknown name, too: the thread's id may have been another's before. */
void tasks__fork(struct tasks *tasks, uint32_t tid, uint32_t parent_tid, uint64_t time_ns)
{
	char comm[TASKS_NAME_BYTES];
	const char *name = tasks__name(tasks, parent_tid, time_ns);

	if (name)
		snprintf(comm, sizeof(comm), "%.*s", TASKS_NAME_BYTES - 1, name);
	add_name(tasks, tid, time_ns, name ? comm : NULL, false);
}

void tasks__exit(struct tasks *tasks, uint32_t tid, uint64_t time_ns)
{
	struct thread *thread = find_thread(tasks, tid);

	if (thread && thread->newest->time_ns <= time_ns)
		make_past(tasks, thread->newest);
}

/* NULL: the thread has more names than SEARCH_MAX. */
static const struct name *oldest_name(const struct thread *thread)
{
	const struct name *name = thread->newest;

	for (int i = 0; i < SEARCH_MAX && name->older; i++)
		name = name->older;
	return name->older ? NULL : name;
}

const char *tasks__name_span(const struct tasks *tasks, uint32_t tid, uint64_t time_ns,
			     uint64_t *since_ns, uint64_t *until_ns)
{
	const struct thread *thread = find_thread(tasks, tid);
	const struct name *name = thread ? name_at(thread, time_ns) : NULL;

	*since_ns = name ? name->time_ns : 0;
	*until_ns = UINT64_MAX;
	if (thread && !name) {
		name = oldest_name(thread);
		if (!name || !name->was_found)
			return NULL;
		*until_ns = name->time_ns - 1;
	} else if (name && name->newer) {
		*until_ns = name->newer->time_ns - 1;
	}
	if (!name || !name->is_known)
		return NULL;
	return name->long_comm ? name->long_comm : name->comm;
}

const char *tasks__name(const struct tasks *tasks, uint32_t tid, uint64_t time_ns)
{
	uint64_t since_ns, until_ns;

	return tasks__name_span(tasks, tid, time_ns, &since_ns, &until_ns);
}

/* ---- /proc ----------------------------------------------------------------------------------- */

struct scan {
	struct tasks *tasks;
	uint64_t time_ns;
};

/* /proc has longer names of kernel threads than the records. */
static void add_found(void *arg, uint32_t pid, uint32_t tid, const char *comm)
{
	const struct scan *scan = arg;
	char cut[TASKS_COMM_BYTES];

	(void)pid;
	snprintf(cut, sizeof(cut), "%.*s", TASKS_COMM_BYTES - 1, comm);
	add_name(scan->tasks, tid, scan->time_ns, cut, true);
}

int tasks__scan(struct tasks *tasks, uint64_t time_ns)
{
	struct scan scan = { tasks, time_ns };

	return proc_tasks__each(add_found, &scan);
}

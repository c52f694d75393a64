// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tasks.c: the names of threads, by time. */
#include <stdlib.h>
#include <string.h>

#include "base/internal.h"
#include "sys/proc_tasks.h"
#include "event/task_names.h"

/*
 *	buckets ──▶ thread ──▶ thread       by id
 *	              │ newest
 *	              ▼
 *	            name ──▶ name ──▶ name  by time, each but the newest of a living thread past
 *
 *	past: a queue through all names that are, the one first that was first
 */
struct name {
	uint64_t time_ns; /* since when */
	struct thread *thread;
	struct name *newer, *older;
	struct name *next_past;
	bool is_past, is_known, was_found; /* was_found: by tasks__scan(), it may be older */
	char comm[TASKS_NAME_BYTES];
};

struct thread {
	uint32_t tid;
	struct thread *next; /* in the bucket */
	struct name *newest;
};

struct tasks {
	struct thread **buckets;
	size_t bucket_count; /* a power of two */
	struct name *first_past, *last_past;
	size_t limit;
	struct tasks_counts counts;
};

#define BUCKETS_AT_FIRST 1024u

/* So many names of a thread are looked at, as a recording may have any number, in any order. */
#define LOOK_BACK 1024

struct tasks *tasks__new(size_t limit)
{
	struct tasks *tasks = calloc(1, sizeof(*tasks));

	if (!tasks)
		return NULL;
	tasks->limit = limit;
	tasks->bucket_count = BUCKETS_AT_FIRST;
	tasks->buckets = calloc(tasks->bucket_count, sizeof(*tasks->buckets));
	if (!tasks->buckets) {
		free(tasks);
		return NULL;
	}
	return tasks;
}

static void free_thread(struct thread *thread)
{
	while (thread->newest) {
		struct name *name = thread->newest;

		thread->newest = name->older;
		free(name);
	}
	free(thread);
}

void tasks__free(struct tasks *tasks)
{
	if (!tasks)
		return;
	for (size_t i = 0; i < tasks->bucket_count; i++) {
		while (tasks->buckets[i]) {
			struct thread *thread = tasks->buckets[i];

			tasks->buckets[i] = thread->next;
			free_thread(thread);
		}
	}
	free(tasks->buckets);
	free(tasks);
}

struct tasks_counts tasks__counts(const struct tasks *tasks)
{
	return tasks->counts;
}

/* ---- threads --------------------------------------------------------------------------------- */

/* The ids of threads that are alive together are mostly next to each other. */
static struct thread **bucket_of(const struct tasks *tasks, uint32_t tid)
{
	return &tasks->buckets[tid & (tasks->bucket_count - 1)];
}

static struct thread *find_thread(const struct tasks *tasks, uint32_t tid)
{
	struct thread *thread = *bucket_of(tasks, tid);

	while (thread && thread->tid != tid)
		thread = thread->next;
	return thread;
}

static void link_thread(struct tasks *tasks, struct thread *thread)
{
	struct thread **bucket = bucket_of(tasks, thread->tid);

	thread->next = *bucket;
	*bucket = thread;
}

/* Without memory for more buckets their chains grow. */
static void grow(struct tasks *tasks)
{
	struct thread **old = tasks->buckets, **larger;
	size_t old_count = tasks->bucket_count;

	larger = calloc(2 * old_count, sizeof(struct thread *));
	if (!larger)
		return;
	tasks->buckets = larger;
	tasks->bucket_count = 2 * old_count;
	for (size_t i = 0; i < old_count; i++) {
		while (old[i]) {
			struct thread *thread = old[i];

			old[i] = thread->next;
			link_thread(tasks, thread);
		}
	}
	free(old);
}

static struct thread *find_or_add_thread(struct tasks *tasks, uint32_t tid)
{
	struct thread *thread = find_thread(tasks, tid);

	if (thread)
		return thread;
	if (tasks->counts.threads >= tasks->bucket_count)
		grow(tasks);
	thread = calloc(1, sizeof(*thread));
	if (!thread)
		return NULL;
	thread->tid = tid;
	link_thread(tasks, thread);
	tasks->counts.threads++;
	return thread;
}

static void remove_thread(struct tasks *tasks, struct thread *thread)
{
	struct thread **at = bucket_of(tasks, thread->tid);

	while (*at != thread)
		at = &(*at)->next;
	*at = thread->next;
	free(thread);
	tasks->counts.threads--;
}

/* ---- names ----------------------------------------------------------------------------------- */

static void forget(struct tasks *tasks, struct name *name)
{
	struct thread *thread = name->thread;

	if (name->newer)
		name->newer->older = name->older;
	else
		thread->newest = name->older;
	if (name->older)
		name->older->newer = name->newer;
	free(name);
	tasks->counts.names--;
	if (!thread->newest)
		remove_thread(tasks, thread);
}

static void forget_first_past(struct tasks *tasks)
{
	struct name *name = tasks->first_past;

	tasks->first_past = name->next_past;
	if (!tasks->first_past)
		tasks->last_past = NULL;
	tasks->counts.past--;
	forget(tasks, name);
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
		forget_first_past(tasks);
}

/* Puts the name where its time is among those of its thread; it becomes past if that is before.
 * Far before it is of no use. */
static void link_name(struct tasks *tasks, struct thread *thread, struct name *name)
{
	struct name *newer = NULL, *older = thread->newest;

	for (int i = 0; older && older->time_ns > name->time_ns; i++) {
		if (i == LOOK_BACK) {
			free(name);
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

	for (int i = 0; i < LOOK_BACK && name && name->time_ns > time_ns; i++)
		name = name->older;
	return name && name->time_ns <= time_ns ? name : NULL;
}

static void set_comm(struct name *name, const char *comm)
{
	size_t bytes = comm ? strnlen(comm, sizeof(name->comm) - 1) : 0;

	name->is_known = comm;
	memset(name->comm, 0, sizeof(name->comm));
	if (bytes)
		memcpy(name->comm, comm, bytes);
}

static void add(struct tasks *tasks, uint32_t tid, uint64_t time_ns, const char *comm,
		bool was_found)
{
	struct thread *thread = find_or_add_thread(tasks, tid);
	struct name *name = thread ? name_at(thread, time_ns) : NULL;

	/* Told twice, or a fork and an exec in one nanosecond of a coarse clock. */
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
	add(tasks, tid, time_ns, comm, false);
}

/* That the name is not known is noted too, as the thread's id may have been another's before. */
void tasks__fork(struct tasks *tasks, uint32_t tid, uint32_t parent_tid, uint64_t time_ns)
{
	char comm[TASKS_NAME_BYTES];
	const char *name = tasks__name(tasks, parent_tid, time_ns);

	if (name)
		memcpy(comm, name, sizeof(comm));
	add(tasks, tid, time_ns, name ? comm : NULL, false);
}

void tasks__exit(struct tasks *tasks, uint32_t tid, uint64_t time_ns)
{
	struct thread *thread = find_thread(tasks, tid);

	if (thread && thread->newest->time_ns <= time_ns)
		make_past(tasks, thread->newest);
}

/* NULL: it has had too many. */
static const struct name *oldest_of(const struct thread *thread)
{
	const struct name *name = thread->newest;

	for (int i = 0; i < LOOK_BACK && name->older; i++)
		name = name->older;
	return name->older ? NULL : name;
}

const char *tasks__name(const struct tasks *tasks, uint32_t tid, uint64_t time_ns)
{
	const struct thread *thread = find_thread(tasks, tid);
	const struct name *name = thread ? name_at(thread, time_ns) : NULL;

	if (thread && !name) {
		name = oldest_of(thread);
		if (!name || !name->was_found)
			return NULL;
	}
	return name && name->is_known ? name->comm : NULL;
}

/* ---- /proc ----------------------------------------------------------------------------------- */

struct scan {
	struct tasks *tasks;
	uint64_t time_ns;
};

static void found(void *arg, uint32_t pid, uint32_t tid, const char *comm)
{
	const struct scan *scan = arg;

	(void)pid;
	add(scan->tasks, tid, scan->time_ns, comm, true);
}

int tasks__scan(struct tasks *tasks, uint64_t time_ns)
{
	struct scan scan = { tasks, time_ns };

	return proc_tasks__each(found, &scan);
}

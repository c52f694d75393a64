// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* event/task_names.c: the names of threads, by time, in a hash table. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/log.h"
#include "base/number_hash.h"
#include "sys/proc_tasks.h"
#include "event/task_names.h"

/*
 *	by_tid ──▶ thread
 *	              │ newest
 *	              ▼
 *	            name ──▶ name ──▶ name  by time, each but the newest of a living thread past
 *
 *	past: a queue of all past names, in the order in which they became past
 *
 * The names of a thread are a skip list: each fourth name of a level is in the next level, too.
 */
#define LEVELS 8

struct name {
	uint64_t time_ns; /* valid since */
	struct thread *thread;
	struct name *newer;
	struct name *next_past;
	bool is_past, is_known;
	bool was_found; /* by tasks__scan(): may be older than time_ns */
	char comm[TASKS_COMM_BYTES];
	char *long_comm; /* of a name that does not fit into `comm`; or NULL */
	uint8_t levels;
	struct name *older[]; /* in each of its levels */
};

struct thread {
	struct hash_link link; /* its code is the thread's id: ids that live are mostly adjacent */
	struct name *newest[LEVELS];
	uint64_t begun_ns;  /* of its last fork; 0: it is older than all names */
	bool has_ids;	    /* `ids` were looked for since it began */
	struct own_ids ids; /* 0: unknown */
};

struct tasks {
	struct hash by_tid;
	struct name *first_past, *last_past;
	size_t limit;
	uint64_t seed[2], added; /* levels are random: a recording cannot make its names slow */
	struct tasks_counts counts;
	tasks_find_ids find_ids; /* NULL: ids are not followed */
	void *find_ids_arg;
};

struct tasks *tasks__new(size_t limit)
{
	struct tasks *tasks = calloc(1, sizeof(*tasks));

	if (!tasks)
		return NULL;
	tasks->limit = limit;
	sip_hash__seed(tasks->seed);
	return tasks;
}

static void free_name(struct name *name)
{
	free(name->long_comm);
	free(name);
}

static void free_thread(struct thread *thread)
{
	for (struct name *name = *thread->newest, *older; name; name = older) {
		older = *name->older;
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

static struct name *new_name(unsigned levels)
{
	struct name *name = calloc(1, sizeof(*name) + levels * sizeof(*name->older));

	if (name)
		name->levels = (uint8_t)levels;
	return name;
}

static struct name *copy_name(const struct name *name, struct thread *thread)
{
	struct name *copy = new_name(name->levels);

	if (!copy)
		return NULL;
	*copy = *name;
	copy->thread = thread;
	copy->newer = copy->next_past = NULL;
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
	struct name **ends[LEVELS], *newer = NULL;

	for (unsigned i = 0; i < LEVELS; i++)
		ends[i] = &copy->newest[i];
	for (const struct name *name = *thread->newest; name; name = *name->older) {
		struct name *added = copy_name(name, copy);

		if (!added)
			return -ENOMEM;
		added->newer = newer;
		newer = added;
		for (unsigned i = 0; i < added->levels; i++) {
			*ends[i] = added;
			ends[i] = &added->older[i];
		}
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

/* Sets the links to the newest name at `time_ns`, of each level.  Returns the name after it. */
static struct name *find_links(struct thread *thread, uint64_t time_ns, struct name **links[LEVELS])
{
	struct name **older = thread->newest, *newer = NULL;

	for (unsigned i = LEVELS; i--; links[i] = &older[i])
		while (older[i] && older[i]->time_ns > time_ns) {
			newer = older[i];
			older = newer->older;
		}
	return newer;
}

static void remove_name(struct tasks *tasks, struct name *name)
{
	struct thread *thread = name->thread;
	struct name **links[LEVELS];

	find_links(thread, name->time_ns, links);
	for (unsigned i = 0; i < name->levels; i++)
		*links[i] = name->older[i];
	if (*name->older)
		(*name->older)->newer = name->newer;
	free_name(name);
	tasks->counts.names--;
	if (!*thread->newest)
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

/* Inserts the name among those of its thread, by time.  It becomes past if a newer one exists. */
static void link_name(struct tasks *tasks, struct thread *thread, struct name *name)
{
	struct name **links[LEVELS], *older;

	name->thread = thread;
	name->newer = find_links(thread, name->time_ns, links);
	older = *links[0];
	for (unsigned i = 0; i < name->levels; i++) {
		name->older[i] = *links[i];
		*links[i] = name;
	}
	if (older)
		older->newer = name;
	tasks->counts.names++;
	if (name->newer)
		make_past(tasks, name);
	else if (older)
		make_past(tasks, older);
}

static struct name *name_at(const struct thread *thread, uint64_t time_ns)
{
	struct name *const *older = thread->newest;

	for (unsigned i = LEVELS; i--;)
		while (older[i] && older[i]->time_ns > time_ns)
			older = older[i]->older;
	return *older;
}

static unsigned random_levels(struct tasks *tasks)
{
	unsigned levels = 1;

	for (uint64_t random = number_hash(tasks->seed, tasks->added++);
	     levels < LEVELS && !(random & 3); random >>= 2)
		levels++;
	return levels;
}

/* Reported once: without memory, more names follow. */
static void count_no_memory(struct tasks *tasks)
{
	if (!tasks->counts.no_memory++)
		log__warn("cannot keep the names of all tasks: %s: some events have no name, or an "
			  "older one",
			  strerror(ENOMEM));
}

/* Without memory, a long name is cut. */
static void set_comm(struct tasks *tasks, struct name *name, const char *comm)
{
	size_t bytes = comm ? strnlen(comm, sizeof(name->comm) - 1) : 0;

	free(name->long_comm);
	name->long_comm = NULL;
	name->is_known = comm;
	memset(name->comm, 0, sizeof(name->comm));
	if (bytes)
		memcpy(name->comm, comm, bytes);
	if (!comm || !comm[bytes])
		return;
	name->long_comm = strndup(comm, TASKS_NAME_BYTES - 1);
	if (!name->long_comm)
		count_no_memory(tasks);
}

static void add_name(struct tasks *tasks, uint32_t tid, uint64_t time_ns, const char *comm,
		     bool was_found)
{
	struct thread *thread = find_or_add_thread(tasks, tid);
	struct name *name = thread ? name_at(thread, time_ns) : NULL;

	/* A duplicate, or a fork and an exec in one nanosecond of a coarse clock. */
	if (name && name->time_ns == time_ns) {
		set_comm(tasks, name, comm);
		return;
	}
	name = thread ? new_name(random_levels(tasks)) : NULL;
	if (!name) {
		count_no_memory(tasks);
		if (thread && !*thread->newest)
			remove_thread(tasks, thread);
		return;
	}
	name->time_ns = time_ns;
	name->was_found = was_found;
	set_comm(tasks, name, comm);
	link_name(tasks, thread, name);
}

void tasks__comm(struct tasks *tasks, uint32_t tid, uint64_t time_ns, const char *comm)
{
	add_name(tasks, tid, time_ns, comm, false);
}

/* The thread's id may have been another's before. */
static void begin_thread(struct tasks *tasks, uint32_t tid, uint64_t time_ns)
{
	struct thread *thread = find_thread(tasks, tid);

	if (!thread || thread->begun_ns > time_ns)
		return;
	thread->begun_ns = time_ns;
	thread->has_ids = false;
}

/* Adds an unknown name, too: the thread's id may have been another's before. */
void tasks__fork(struct tasks *tasks, uint32_t tid, uint32_t parent_tid, uint64_t time_ns)
{
	char comm[TASKS_NAME_BYTES];
	const char *name = tasks__name(tasks, parent_tid, time_ns);

	if (name)
		snprintf(comm, sizeof(comm), "%.*s", TASKS_NAME_BYTES - 1, name);
	add_name(tasks, tid, time_ns, name ? comm : NULL, false);
	begin_thread(tasks, tid, time_ns);
}

void tasks__exit(struct tasks *tasks, uint32_t tid, uint64_t time_ns)
{
	struct thread *thread = find_thread(tasks, tid);

	if (thread && (*thread->newest)->time_ns <= time_ns)
		make_past(tasks, *thread->newest);
}

static const struct name *oldest_name(const struct thread *thread)
{
	struct name *const *older = thread->newest;
	const struct name *name = NULL;

	for (unsigned i = LEVELS; i--;)
		while (older[i]) {
			name = older[i];
			older = name->older;
		}
	return name;
}

void tasks__follow_ids(struct tasks *tasks, tasks_find_ids find, void *arg)
{
	tasks->find_ids = find;
	tasks->find_ids_arg = arg;
}

/* Only the last thread with this id is known. */
static struct own_ids ids_at(const struct tasks *tasks, struct thread *thread, uint64_t time_ns)
{
	if (!tasks->find_ids || !thread || time_ns < thread->begun_ns)
		return (struct own_ids){ 0 };
	if (!thread->has_ids && !tasks->find_ids(tasks->find_ids_arg, (uint32_t)thread->link.code,
						 (*thread->newest)->is_past, &thread->ids))
		thread->ids = (struct own_ids){ 0 };
	thread->has_ids = true;
	return thread->ids;
}

const char *tasks__name_span(const struct tasks *tasks, uint32_t tid, uint64_t time_ns,
			     uint64_t *since_ns, uint64_t *until_ns, struct own_ids *ids)
{
	struct thread *thread = find_thread(tasks, tid);
	const struct name *name = thread ? name_at(thread, time_ns) : NULL;

	if (ids)
		*ids = ids_at(tasks, thread, time_ns);
	*since_ns = name ? name->time_ns : 0;
	*until_ns = UINT64_MAX;
	if (thread && !name) {
		name = oldest_name(thread);
		if (!name->was_found)
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

	return tasks__name_span(tasks, tid, time_ns, &since_ns, &until_ns, NULL);
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

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* recorder/named_threads.c: a table of names by thread id, allocated in pages. */
#include <stdlib.h>
#include <string.h>

#include "recorder/named_threads.h"

#define PAGES (NAMED_THREADS_TIDS / NAMED_THREADS_PAGE)

void named_threads__free(struct named_threads *named)
{
	for (uint32_t i = 0; i < PAGES; i++)
		free(named->pages[i]);
	*named = (struct named_threads){ 0 };
}

static bool is_thread(uint32_t tid)
{
	return tid && tid < NAMED_THREADS_TIDS;
}

/* NULL: the id is of no thread, or no thread of its page has a name. */
static struct named_thread *find_named_thread(const struct named_threads *named, uint32_t tid)
{
	struct named_thread *page;

	if (!is_thread(tid))
		return NULL;
	page = named->pages[tid / NAMED_THREADS_PAGE];
	return page ? &page[tid % NAMED_THREADS_PAGE] : NULL;
}

bool named_threads__has(const struct named_threads *named, uint32_t tid, const char *name,
			uint64_t time_ns)
{
	const struct named_thread *thread = find_named_thread(named, tid);

	if (!thread)
		return !is_thread(tid);
	return thread->is_known && time_ns >= thread->since_ns &&
	       !strncmp(thread->name, name, sizeof(thread->name)) &&
	       strnlen(name, sizeof(thread->name) + 1) <= sizeof(thread->name);
}

static struct named_thread *find_or_add(struct named_threads *named, uint32_t tid)
{
	struct named_thread **page;

	if (!is_thread(tid))
		return NULL;
	page = &named->pages[tid / NAMED_THREADS_PAGE];
	if (!*page)
		*page = calloc(NAMED_THREADS_PAGE, sizeof(**page));
	return find_named_thread(named, tid);
}

void named_threads__set(struct named_threads *named, uint32_t tid, const char *name,
			uint64_t time_ns)
{
	struct named_thread *thread =
		name ? find_or_add(named, tid) : find_named_thread(named, tid);
	size_t bytes = name ? strlen(name) : 0;

	if (!thread || thread->since_ns > time_ns)
		return;
	*thread = (struct named_thread){ .since_ns = time_ns,
					 .is_known = name && bytes <= sizeof(thread->name) };
	if (thread->is_known)
		memcpy(thread->name, name, bytes);
}

void named_threads__copy(struct named_threads *named, uint32_t tid, uint32_t from, uint64_t time_ns)
{
	const struct named_thread *parent = find_named_thread(named, from);
	bool is_known = parent && parent->is_known && parent->since_ns <= time_ns;
	char name[sizeof(parent->name) + 1] = "";

	if (is_known)
		memcpy(name, parent->name, sizeof(parent->name));
	named_threads__set(named, tid, is_known ? name : NULL, time_ns);
}

uint64_t named_threads__since(const struct named_threads *named, uint32_t tid)
{
	const struct named_thread *thread = find_named_thread(named, tid);

	return thread ? thread->since_ns : 0;
}

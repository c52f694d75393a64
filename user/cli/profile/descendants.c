// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* descendants.c: the processes that a command starts. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/profile/descendants.h"

static int grow_descendants(struct descendants *descendants, size_t count)
{
	uint64_t *words = reallocarray(descendants->words, count, sizeof(*words));

	if (!words)
		return -ENOMEM;
	memset(words + descendants->count, 0, (count - descendants->count) * sizeof(*words));
	descendants->words = words;
	descendants->count = count;
	return 0;
}

int descendants__add(struct descendants *descendants, uint32_t pid)
{
	size_t word = pid / 64;

	if (word >= descendants->count && grow_descendants(descendants, word + 1))
		return -ENOMEM;
	descendants->words[word] |= 1ULL << pid % 64;
	return 0;
}

bool descendants__has(const struct descendants *descendants, uint32_t pid)
{
	size_t word = pid / 64;

	return word < descendants->count && descendants->words[word] >> pid % 64 & 1;
}

int descendants__follow(struct descendants *descendants, const struct peat_event *event)
{
	const struct peat_task *task;

	if (event->kind != PEAT_EVENT_RECORD || !event->record ||
	    event->record->type != PEAT_RECORD_FORK)
		return 0;
	task = &event->record->task;
	if (descendants__has(descendants, task->ppid))
		return descendants__add(descendants, task->pid);
	if (descendants__has(descendants, task->pid))
		descendants->words[task->pid / 64] &= ~(1ULL << task->pid % 64);
	return 0;
}

void descendants__free(struct descendants *descendants)
{
	free(descendants->words);
	*descendants = (struct descendants){ 0 };
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* event/deferred.c: samples wait for the user part of their callchain. */
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "event/deferred.h"

/* A record of the queue, followed by its data. */
struct deferred_item {
	struct deferred_item *next;
	uint64_t cookie;
	struct peat_event record;
	enum deferred_role role;
	_Alignas(8) unsigned char data[];
};

void deferred__init(struct deferred *deferred, uint64_t limit_bytes, uint64_t wait_ns)
{
	*deferred = (struct deferred){ .limit_bytes = limit_bytes, .wait_ns = wait_ns };
}

/* ---- parts ----------------------------------------------------------------------------------- */

static int compare_cookies(const void *a, const void *b)
{
	const struct deferred_item *x = a, *y = b;

	return (x->cookie > y->cookie) - (x->cookie < y->cookie);
}

static struct deferred_item *find_part(const struct deferred *deferred, uint64_t cookie)
{
	const struct deferred_item key = { .cookie = cookie };
	void *found = tfind(&key, (void *const *)&deferred->parts, compare_cookies);

	return found ? *(struct deferred_item **)found : NULL;
}

/* Several events may have the same part: the first one counts. */
static int add_stack_part(struct deferred *deferred, const struct deferred_item *item)
{
	return tsearch(item, &deferred->parts, compare_cookies) ? 0 : -ENOMEM;
}

/* Samples of the part are before it in the queue: after its return, no sample needs it. */
static void remove_part(struct deferred *deferred, const struct deferred_item *item)
{
	if (find_part(deferred, item->cookie) == item)
		tdelete(item, &deferred->parts, compare_cookies);
}

/* ---- the queue ------------------------------------------------------------------------------- */

static size_t item_bytes(const struct peat_event *record)
{
	return sizeof(struct deferred_item) + (record->data ? record->size : 0);
}

static struct deferred_item *new_item(const struct peat_event *record)
{
	struct deferred_item *item = malloc(item_bytes(record));

	if (!item)
		return NULL;
	item->next = NULL;
	item->record = *record;
	item->record.comm = NULL;
	if (record->data) {
		memcpy(item->data, record->data, record->size);
		item->record.data = item->data;
	}
	return item;
}

static void append_item(struct deferred *deferred, struct deferred_item *item)
{
	if (deferred->last)
		deferred->last->next = item;
	else
		deferred->first = item;
	deferred->last = item;
	deferred->held_bytes += item_bytes(&item->record);
	if (item->record.time_ns > deferred->newest_ns)
		deferred->newest_ns = item->record.time_ns;
}

int deferred__put(struct deferred *deferred, const struct peat_event *record,
		  enum deferred_role role, uint64_t cookie)
{
	struct deferred_item *item = new_item(record);

	if (!item)
		return -ENOMEM;
	item->role = role;
	item->cookie = cookie;
	if (role == DEFERRED_PART && add_stack_part(deferred, item)) {
		free(item);
		return -ENOMEM;
	}
	append_item(deferred, item);
	return 0;
}

void deferred__release(struct deferred *deferred)
{
	deferred->is_released = deferred->first;
}

static void free_returned(struct deferred *deferred)
{
	struct deferred_item *item = deferred->returned;

	deferred->returned = NULL;
	if (item && item->role == DEFERRED_PART)
		remove_part(deferred, item);
	free(item);
}

static bool exceeds_limits(const struct deferred *deferred)
{
	uint64_t first_ns = deferred->first->record.time_ns;

	return deferred->is_released || deferred->held_bytes > deferred->limit_bytes ||
	       (first_ns < deferred->newest_ns &&
		deferred->newest_ns - first_ns > deferred->wait_ns);
}

static struct deferred_item *remove_first(struct deferred *deferred)
{
	struct deferred_item *item = deferred->first;

	deferred->first = item->next;
	deferred->held_bytes -= item_bytes(&item->record);
	if (!deferred->first) {
		deferred->last = NULL;
		deferred->is_released = false;
	}
	return item;
}

bool deferred__next(struct deferred *deferred, struct peat_event *record,
		    const struct peat_event **part)
{
	struct deferred_item *first = deferred->first, *found = NULL;

	free_returned(deferred);
	if (!first)
		return false;
	if (first->role == DEFERRED_SAMPLE) {
		found = find_part(deferred, first->cookie);
		if (!found && !exceeds_limits(deferred))
			return false;
		deferred->missing += !found;
	}
	deferred->returned = remove_first(deferred);
	*record = first->record;
	*part = found ? &found->record : NULL;
	return true;
}

static void keep_item(void *item)
{
	(void)item;
}

void deferred__free(struct deferred *deferred)
{
	tdestroy(deferred->parts, keep_item);
	deferred->parts = NULL;
	free(deferred->returned);
	deferred->returned = NULL;
	while (deferred->first)
		free(remove_first(deferred));
}

/* ---- callchains ------------------------------------------------------------------------------ */

/* Marker and cookie end the callchain: the user part would be the last one. */
bool deferred__find_cookie(const struct peat_words *chain, uint64_t *cookie)
{
	if (chain->count < 2 ||
	    peat_words__at(chain, chain->count - 2) != PEAT_CONTEXT_USER_DEFERRED)
		return false;
	*cookie = peat_words__at(chain, chain->count - 1);
	return true;
}

static uint64_t *copy_words(uint64_t *to, const struct peat_words *words, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		*to++ = peat_words__at(words, i);
	return to;
}

uint64_t deferred__merge(const struct peat_words *chain, const struct peat_words *user,
			 uint64_t *merged)
{
	uint64_t *to = copy_words(merged, chain, chain->count - 2);

	*to++ = PEAT_CONTEXT_USER;
	to = copy_words(to, user, user->count);
	return (uint64_t)(to - merged);
}

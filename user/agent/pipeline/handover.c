// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pipeline/handover.c: notes the events of an old pipeline, and finds those of the new one in it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/errors.h"
#include "base/sip_hash.h"
#include "pipeline/handover.h"

/* The two times of an event that was preempted between its programs differ by less. */
#define MOST_APART_NS UINT64_C(1000000000)

/* The order of the two programs of a type: the shortest times from an event to one of the other. */
struct order {
	struct hash_link link;
	uint64_t code;
	uint64_t old_to_new_ns, new_to_old_ns;
};

/* An event that the old pipeline delivered. */
struct note {
	struct note *next;
	uint64_t time_ns;
};

/* The events of a task and a type.  Readers return those of several CPUs in any order. */
struct stream {
	struct hash_link link;
	uint64_t code;
	struct order *order;
	struct note *notes;
	size_t count;
	uint64_t *times;	/* of the notes, sorted; NULL: not yet, or no memory */
	uint64_t last_ns;	/* the last event that was delivered; 0: none was */
	uint64_t last_content;	/* of that one */
	uint64_t first_left_ns; /* the first event that was left; UINT64_MAX: none was */
	bool has_matched;	/* the new pipeline has left out its own of last_ns */
};

struct handover *handover__new(void)
{
	struct handover *handover = calloc(1, sizeof(*handover));

	if (!handover)
		return fail_null(-ENOMEM);
	atomic_init(&handover->until_ns, UINT64_MAX);
	return handover;
}

/* ---- keys ------------------------------------------------------------------------------------ */

static uint64_t code_of_type(const struct peat_event *event)
{
	const char *name = event->schema ? peat_schema__name(event->schema) : event->map ?: "";

	return sip_hash__key(name, strlen(name)) + event->kind;
}

/* Each CPU has an idle task, and all of them have tid 0. */
static uint64_t code_of_stream(const struct peat_event *event, uint64_t type)
{
	bool is_task = event->tid && event->tid != PEAT_NO_TASK;
	const uint64_t parts[] = { type, is_task, is_task ? event->tid : event->cpu };

	return sip_hash__key(parts, sizeof(parts));
}

static struct stream *find_stream(const struct handover *handover, uint64_t code)
{
	struct hash_link *link = hash__first(&handover->streams, code);

	while (link && HASH_ENTRY(link, struct stream, link)->code != code)
		link = hash__next(link);
	return link ? HASH_ENTRY(link, struct stream, link) : NULL;
}

static struct order *get_order(struct handover *handover, uint64_t code)
{
	struct hash_link *link = hash__first(&handover->orders, code);
	struct order *order;

	while (link && HASH_ENTRY(link, struct order, link)->code != code)
		link = hash__next(link);
	if (link)
		return HASH_ENTRY(link, struct order, link);
	order = arena__take(&handover->memory, sizeof(*order));
	if (!order)
		return NULL;
	*order = (struct order){ .code = code,
				 .old_to_new_ns = UINT64_MAX,
				 .new_to_old_ns = UINT64_MAX };
	return hash__add(&handover->orders, &order->link, code) ? NULL : order;
}

static struct stream *get_stream(struct handover *handover, const struct peat_event *event)
{
	uint64_t type = code_of_type(event), code = code_of_stream(event, type);
	struct stream *stream = find_stream(handover, code);
	struct order *order = stream ? stream->order : get_order(handover, type);

	if (stream || !order)
		return stream;
	stream = arena__take(&handover->memory, sizeof(*stream));
	if (!stream)
		return NULL;
	*stream = (struct stream){ .code = code, .order = order, .first_left_ns = UINT64_MAX };
	return hash__add(&handover->streams, &stream->link, code) ? NULL : stream;
}

/* ---- the old pipeline ------------------------------------------------------------------------ */

static void keep_least(uint64_t *least, uint64_t time_ns)
{
	if (time_ns < *least)
		*least = time_ns;
}

static uint64_t content_of(const struct peat_event *event)
{
	return sip_hash__key(event->data, event->size);
}

int handover__note(struct handover *handover, const struct peat_event *event, bool is_delivered)
{
	struct stream *stream = get_stream(handover, event);
	struct note *note;

	if (!stream)
		return -ENOMEM;
	if (!is_delivered) {
		keep_least(&stream->first_left_ns, event->time_ns);
		return 0;
	}
	note = arena__take(&handover->memory, sizeof(*note));
	if (!note)
		return -ENOMEM;
	*note = (struct note){ stream->notes, event->time_ns };
	stream->notes = note;
	stream->count++;
	if (event->time_ns >= stream->last_ns) {
		stream->last_ns = event->time_ns;
		stream->last_content = content_of(event);
	}
	return 0;
}

/* ---- the order of programs ------------------------------------------------------------------- */

static int compare_times(const void *a, const void *b)
{
	const uint64_t *one = a, *other = b;

	return (*one > *other) - (*one < *other);
}

static const uint64_t *sort_times(struct handover *handover, struct stream *stream)
{
	size_t count = 0;

	if (stream->times || !stream->count)
		return stream->times;
	stream->times = arena__take(&handover->memory, stream->count * sizeof(*stream->times));
	for (const struct note *note = stream->notes; stream->times && note; note = note->next)
		stream->times[count++] = note->time_ns;
	if (stream->times)
		qsort(stream->times, count, sizeof(*stream->times), compare_times);
	return stream->times;
}

/* Learns from a time of the new pipeline, and those of the old one before and after it. */
static void learn(struct handover *handover, struct stream *stream, uint64_t time_ns)
{
	const uint64_t *times = sort_times(handover, stream);
	size_t first = 0, end = times ? stream->count : 0, count = end;
	uint64_t after_ns;

	while (first < end) {
		size_t middle = first + (end - first) / 2;

		if (times[middle] <= time_ns)
			first = middle + 1;
		else
			end = middle;
	}
	if (first)
		keep_least(&stream->order->old_to_new_ns, time_ns - times[first - 1]);
	after_ns = first < count ? times[first] : stream->first_left_ns;
	if (after_ns != UINT64_MAX && after_ns > time_ns)
		keep_least(&stream->order->new_to_old_ns, after_ns - time_ns);
}

static bool is_new_first(const struct order *order)
{
	return order->new_to_old_ns < order->old_to_new_ns;
}

/* ---- the new pipeline ------------------------------------------------------------------------ */

/*
 * Whether it is the last event that was delivered, by an old program that ran first: also after
 * until_ns, if it has the same content.  One more was not read by the old pipeline, which had
 * ended: the new one delivers it.
 */
static bool is_last(struct stream *stream, const struct peat_event *event, uint64_t until_ns)
{
	bool is = !stream->has_matched &&
		  (event->time_ns <= until_ns ||
		   (stream->last_ns && event->time_ns < stream->first_left_ns &&
		    stream->last_content == content_of(event)));

	stream->has_matched |= is;
	return is;
}

bool handover__is_over(const struct handover *handover, uint64_t time_ns)
{
	return time_ns > atomic_load(&handover->until_ns) + MOST_APART_NS;
}

bool handover__is_delivered(struct handover *handover, const struct peat_event *event)
{
	struct stream *stream = find_stream(handover, code_of_stream(event, code_of_type(event)));
	uint64_t until_ns = atomic_load(&handover->until_ns);

	if (event->time_ns <= handover->since_ns || !stream)
		return event->time_ns <= until_ns;
	learn(handover, stream, event->time_ns);
	if (event->time_ns <= stream->last_ns)
		return true;
	return !is_new_first(stream->order) && is_last(stream, event, until_ns);
}

void handover__free(struct handover *handover)
{
	if (!handover)
		return;
	hash__free(&handover->streams);
	hash__free(&handover->orders);
	arena__free(&handover->memory);
	free(handover);
}

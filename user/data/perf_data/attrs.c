// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_data/attrs.c: the attrs of a recording, their ids, and the attr that a record belongs to. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/cursor.h"
#include "base/number_hash.h"
#include "perf_data/attrs.h"
#include "record/extent.h"

#define HEADER_BYTES 8
#define WORD	     8
#define SLOTS_LEAST  64
#define ANY_TRAILER  UINT_MAX

/* The fields before the ID of a sample; the fields after the ID of a trailer. */
#define BEFORE_ID (PEAT_SAMPLE_IP | PEAT_SAMPLE_TID | PEAT_SAMPLE_TIME | PEAT_SAMPLE_ADDR)
#define AFTER_ID  (PEAT_SAMPLE_STREAM_ID | PEAT_SAMPLE_CPU)

struct perf_id_slot {
	uint64_t id; /* 0: empty */
	uint32_t attr;
	uint32_t cpu; /* UINT32_MAX: unknown, or any */
};

void perf_attrs__init(struct perf_attrs *attrs, bool swapped)
{
	*attrs = (struct perf_attrs){ .alike = true, .bare.swapped = swapped };
	sip_hash__seed(attrs->seed);
}

void perf_attrs__clear(struct perf_attrs *attrs)
{
	for (uint32_t i = 0; i < attrs->count; i++) {
		perf_attr__clear(attrs->at[i]);
		free(attrs->at[i]);
	}
	free(attrs->at);
	free(attrs->slots);
	*attrs = (struct perf_attrs){ 0 };
}

/* ---- position of ids ------------------------------------------------------------------------- */

static unsigned words(uint64_t fields)
{
	return (unsigned)__builtin_popcountll(fields);
}

/* The bit of a word, counted from the sample's start; 0: its samples have no id. */
static uint8_t place_in_sample(const struct peat_layout *layout)
{
	if (layout->sample_type & PEAT_SAMPLE_IDENTIFIER)
		return 1;
	if (!(layout->sample_type & PEAT_SAMPLE_ID))
		return 0;
	return (uint8_t)(1U << words(layout->sample_type & BEFORE_ID));
}

/* Likewise, counted from the record's end: the last word is 0. */
static uint8_t place_in_trailer(const struct peat_layout *layout)
{
	if (!layout->sample_id_all)
		return 0;
	if (layout->sample_type & PEAT_SAMPLE_IDENTIFIER)
		return 1;
	if (!(layout->sample_type & PEAT_SAMPLE_ID))
		return 0;
	return (uint8_t)(1U << words(layout->sample_type & AFTER_ID));
}

/* The bit of the number of words in a trailer. */
static uint8_t trailer_words(const struct peat_layout *layout)
{
	return (uint8_t)(1U << (extent__trailer(layout) / WORD));
}

static bool same_layout(const struct peat_layout *a, const struct peat_layout *b)
{
	return a->sample_type == b->sample_type && a->read_format == b->read_format &&
	       a->branch_sample_type == b->branch_sample_type && a->regs_user == b->regs_user &&
	       a->regs_intr == b->regs_intr && a->sample_id_all == b->sample_id_all;
}

/* ---- events ---------------------------------------------------------------------------------- */

int perf_attrs__add(struct perf_attrs *attrs, const struct perf_attr *attr)
{
	struct perf_attr *kept;

	if (attrs->count == PERF_ATTRS_MAX)
		return -E2BIG;
	kept = ARRAY_RESERVE(attrs->at, attrs->count, attrs->room) ? malloc(sizeof(*kept)) : NULL;
	if (!kept)
		return -ENOMEM;
	*kept = *attr;
	kept->index = attrs->count;
	attrs->at[attrs->count++] = kept;
	if (!attrs->own_count++)
		attrs->first = kept;
	attrs->sample_places |= place_in_sample(&kept->layout);
	attrs->trailer_places |= place_in_trailer(&kept->layout);
	attrs->trailers |= trailer_words(&kept->layout);
	attrs->alike = attrs->alike && same_layout(&attrs->first->layout, &kept->layout);
	return 0;
}

int perf_attrs__name(struct perf_attr *attr, const void *bytes, size_t count)
{
	char *name = strndup(bytes, count);

	if (!name)
		return -ENOMEM;
	free(attr->name);
	attr->name = name;
	attr->is_format_name = false;
	return 0;
}

/* ---- ids ------------------------------------------------------------------------------------- */

/* The slot of the id, or the empty slot for it; there is always an empty slot. */
static struct perf_id_slot *id_slot(const struct perf_attrs *attrs, uint64_t id)
{
	uint32_t mask = attrs->slots_count - 1;
	uint32_t i = (uint32_t)number_hash(attrs->seed, id) & mask;

	while (attrs->slots[i].id && attrs->slots[i].id != id)
		i = (i + 1) & mask;
	return &attrs->slots[i];
}

/* At least half of the slots stay empty. */
static bool has_slot(struct perf_attrs *attrs)
{
	struct perf_attrs larger = *attrs;

	if (2 * (attrs->ids_count + 1) <= attrs->slots_count)
		return true;
	larger.slots_count = attrs->slots_count ? 2 * attrs->slots_count : SLOTS_LEAST;
	larger.slots = calloc(larger.slots_count, sizeof(*larger.slots));
	if (!larger.slots)
		return false;
	for (uint32_t i = 0; i < attrs->slots_count; i++)
		if (attrs->slots[i].id)
			*id_slot(&larger, attrs->slots[i].id) = attrs->slots[i];
	free(attrs->slots);
	*attrs = larger;
	return true;
}

struct perf_attr *perf_attrs__by_id(const struct perf_attrs *attrs, uint64_t id)
{
	const struct perf_id_slot *slot = id && attrs->slots ? id_slot(attrs, id) : NULL;

	return slot && slot->id ? attrs->at[slot->attr] : NULL;
}

void perf_attrs__set_cpu(struct perf_attrs *attrs, uint64_t id, uint32_t cpu)
{
	struct perf_id_slot *slot = id && attrs->slots ? id_slot(attrs, id) : NULL;

	if (slot && slot->id)
		slot->cpu = cpu;
}

uint32_t perf_attrs__cpu_of(const struct perf_attrs *attrs, uint64_t id)
{
	const struct perf_id_slot *slot = id && attrs->slots ? id_slot(attrs, id) : NULL;

	return slot && slot->id ? slot->cpu : UINT32_MAX;
}

static bool append_id(struct perf_attr *attr, uint64_t id)
{
	if (!ARRAY_RESERVE_NEXT(attr->ids, attr->ids_count))
		return false;
	attr->ids[attr->ids_count++] = id;
	return true;
}

int perf_attrs__add_id(struct perf_attrs *attrs, struct perf_attr *attr, uint64_t id)
{
	if (!id || perf_attrs__by_id(attrs, id))
		return 0;
	if (attrs->ids_count == PERF_IDS_MAX)
		return -E2BIG;
	if (!has_slot(attrs) || !append_id(attr, id))
		return -ENOMEM;
	*id_slot(attrs, id) = (struct perf_id_slot){ id, attr->index, UINT32_MAX };
	attrs->ids_count++;
	return 0;
}

int perf_attrs__add_ids(struct perf_attrs *attrs, struct perf_attr *attr, const void *bytes,
			size_t count, bool swapped)
{
	int err = 0;

	for (size_t i = 0; i < count && !err; i++)
		err = perf_attrs__add_id(attrs, attr,
					 load_u64((const uint8_t *)bytes + i * WORD, swapped));
	return err;
}

/* ---- several recordings ---------------------------------------------------------------------- */

static void remove_unused(struct perf_attrs *attrs)
{
	while (attrs->count > attrs->begin) {
		struct perf_attr *attr = attrs->at[--attrs->count];

		perf_attr__clear(attr);
		free(attr);
	}
}

void perf_attrs__restart(struct perf_attrs *attrs)
{
	if (!attrs->is_used)
		remove_unused(attrs);
	attrs->is_used = false;
	if (attrs->slots)
		memset(attrs->slots, 0, attrs->slots_count * sizeof(*attrs->slots));
	attrs->begin = attrs->count;
	attrs->first = NULL;
	attrs->own_count = attrs->ids_count = 0;
	attrs->sample_places = attrs->trailer_places = attrs->trailers = 0;
	attrs->alike = true;
}

static bool same_text(const char *one, const char *other)
{
	return one && other ? !strcmp(one, other) : one == other;
}

bool perf_attrs__are_equal(const struct perf_attr *one, const struct perf_attr *other)
{
	return one->type == other->type && one->config == other->config &&
	       one->config1 == other->config1 && one->config2 == other->config2 &&
	       one->config3 == other->config3 && one->config4 == other->config4 &&
	       one->period == other->period && one->flags == other->flags &&
	       one->precise_ip == other->precise_ip && one->bp_type == other->bp_type &&
	       one->clockid == other->clockid && one->stack_user == other->stack_user &&
	       same_layout(&one->layout, &other->layout) && same_text(one->name, other->name);
}

/* The records of all ids of `from` belong to the attr `to` from now on. */
static void move_ids(struct perf_attrs *attrs, const struct perf_attr *from, uint32_t to)
{
	for (uint32_t i = 0; i < from->ids_count; i++) {
		struct perf_id_slot *slot = id_slot(attrs, from->ids[i]);

		if (slot->id)
			slot->attr = to;
	}
}

void perf_attrs__merge(struct perf_attrs *attrs,
		       struct perf_attr *(*find)(void *arg, const struct perf_attr *attr),
		       void *arg)
{
	uint32_t kept = attrs->begin;

	for (uint32_t i = attrs->begin; i < attrs->count; i++) {
		struct perf_attr *attr = attrs->at[i], *former = find(arg, attr);

		move_ids(attrs, attr, former ? former->index : kept);
		if (!former) {
			attr->index = kept;
			attrs->at[kept++] = attr;
			continue;
		}
		if (attrs->first == attr)
			attrs->first = former;
		perf_attr__clear(attr);
		free(attr);
	}
	attrs->count = attrs->begin = kept;
}

/* ---- the attr of a record -------------------------------------------------------------------- */

/*
 * Tries each possible position of an id; nearly always there is only one.  The attr found must have
 * its id at that position: a word of another event's record can look like an id.  `trailers`: a
 * set of sizes of trailers in words: the attr has one of these.
 */
static const struct perf_attr *find_attr(const struct perf_attrs *attrs, bool is_sample,
					 const uint8_t *bytes, size_t size, unsigned trailers)
{
	unsigned places = is_sample ? attrs->sample_places : attrs->trailer_places;
	size_t count = (size - HEADER_BYTES) / WORD;
	bool of_perf = false;

	for (; places; places &= places - 1) {
		size_t word = (size_t)__builtin_ctz(places);
		size_t at = is_sample ? HEADER_BYTES + word * WORD : size - (word + 1) * WORD;
		const struct perf_attr *attr;
		uint64_t id;

		if (word >= count)
			continue;
		id = load_u64(bytes + at, attrs->bare.swapped);
		attr = perf_attrs__by_id(attrs, id);
		of_perf = of_perf || !id;
		if (attr && trailers & trailer_words(&attr->layout) &&
		    (is_sample ? place_in_sample(&attr->layout)
			       : place_in_trailer(&attr->layout)) == 1U << word)
			return attr;
	}
	return of_perf && trailers == ANY_TRAILER ? attrs->first : NULL;
}

/* If the body says its length, the id is in the trailer behind it: other bytes may follow. */
static const struct perf_attr *find_before_excess(const struct perf_attrs *attrs,
						  const uint8_t *bytes, size_t size, size_t body)
{
	const struct perf_attr *attr = NULL;

	for (unsigned left = attrs->trailers; left && !attr; left &= left - 1) {
		size_t end = HEADER_BYTES + body + (size_t)__builtin_ctz(left) * WORD;

		if (end < size)
			attr = find_attr(attrs, false, bytes, end, left & -left);
	}
	return attr;
}

/* Whether the bytes after the body are as many as an attr's trailer has. */
static bool is_exact(const struct perf_attrs *attrs, size_t size, size_t body)
{
	size_t words = (size - HEADER_BYTES - body) / WORD;

	return words < CHAR_BIT * sizeof(attrs->trailers) && attrs->trailers & 1U << words;
}

static const struct perf_attr *find_owner(const struct perf_attrs *attrs, uint32_t type,
					  const uint8_t *bytes, size_t size)
{
	size_t body =
		extent__body(type, bytes + HEADER_BYTES, size - HEADER_BYTES, attrs->bare.swapped);
	const struct perf_attr *attr = NULL;

	if (body && !is_exact(attrs, size, body))
		attr = find_before_excess(attrs, bytes, size, body);
	return attr ? attr : find_attr(attrs, type == PEAT_RECORD_SAMPLE, bytes, size, ANY_TRAILER);
}

const struct perf_attr *perf_attrs__owner(const struct perf_attrs *attrs, uint32_t type,
					  const uint8_t *bytes, size_t size,
					  const struct peat_layout **layout)
{
	bool is_sample = type == PEAT_RECORD_SAMPLE;
	const struct perf_attr *owner = NULL;

	if (attrs->own_count == 1)
		owner = attrs->first;
	else if (attrs->own_count > 1)
		owner = find_owner(attrs, type, bytes, size);
	if (owner)
		*layout = &owner->layout;
	else if (attrs->own_count && attrs->alike)
		*layout = &attrs->first->layout;
	else
		*layout = is_sample ? NULL : &attrs->bare;
	return owner;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* replay/recordings.c: the types of recordings that follow each other: equal ones become one. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "replay/event_types.h"

/* Limits: recordings with different types; earlier events that are compared with each. */
#define FORMATS_MAX  4096
#define COMPARED_MAX 4096

static struct replay_formats *formats_of(struct replay_types *types, uint32_t number)
{
	return number ? types->others[number - 1] : &types->first;
}

static void use_formats(struct replay_types *types, uint32_t number)
{
	types->number = number;
	types->formats = formats_of(types, number);
}

static bool same_bytes(const void *one, size_t one_count, const void *other, size_t other_count)
{
	return one_count == other_count && !one == !other &&
	       (!one_count || !memcmp(one, other, one_count));
}

static bool are_equal(const struct replay_formats *one, const struct replay_formats *other)
{
	return same_bytes(one->tracing_data, one->tracing_data_bytes, other->tracing_data,
			  other->tracing_data_bytes) &&
	       same_bytes(one->btf_bytes, one->btf_count, other->btf_bytes, other->btf_count);
}

/* The formats of an earlier recording if they are equal: their types go on. */
static void share_formats(struct replay_types *types)
{
	for (uint32_t i = 0; i < types->number; i++) {
		if (!are_equal(formats_of(types, i), types->formats))
			continue;
		types->other_count--;
		replay_types__free_formats(types->others[types->other_count]);
		free(types->others[types->other_count]);
		use_formats(types, i);
		return;
	}
}

static struct noted_type *noted_of(const struct replay_types *types, const struct perf_attr *attr)
{
	return attr->ids_count ? noted_types__find(&types->noted, attr->ids[0]) : NULL;
}

/* Adds the origins of all events up to number `end`. */
static int add_origins(struct replay_types *types, const struct perf_attrs *attrs, uint32_t end)
{
	while (types->origin_count < end) {
		const struct perf_attr *attr = attrs->at[types->origin_count];

		if (!ARRAY_RESERVE_NEXT(types->origins, types->origin_count))
			return -ENOMEM;
		types->origins[types->origin_count++] =
			(struct type_origin){ .noted = noted_of(types, attr),
					      .formats = types->number };
	}
	return 0;
}

/* Types of earlier events are looked up now, with their own formats. */
static int find_all(struct replay_types *types, const struct perf_attrs *attrs)
{
	int err = add_origins(types, attrs, attrs->begin);

	for (uint32_t i = 0; !err && i < types->origin_count; i++)
		err = replay_types__of(types, attrs->at[i]) ? 0 : -ENOMEM;
	return err;
}

int replay_types__restart(struct replay_types *types, const struct perf_attrs *attrs)
{
	struct replay_formats *formats;

	if (!types->has_begun)
		share_formats(types);
	if (find_all(types, attrs))
		return -ENOMEM;
	if (types->other_count == FORMATS_MAX)
		return -E2BIG;
	if (!ARRAY_RESERVE_NEXT(types->others, types->other_count))
		return -ENOMEM;
	formats = calloc(1, sizeof(*formats));
	if (!formats)
		return -ENOMEM;
	types->others[types->other_count++] = formats;
	use_formats(types, types->other_count);
	noted_types__restart(&types->noted);
	types->has_begun = false;
	return 0;
}

/* ---- events ---------------------------------------------------------------------------------- */

struct search {
	const struct replay_types *types;
	const struct perf_attrs *attrs;
	uint32_t end; /* of the earlier events */
};

/* The event of an earlier recording that has the same type.  NULL: none. */
static struct perf_attr *find_earlier(void *arg, const struct perf_attr *attr)
{
	const struct search *search = arg;
	const struct noted_type *noted = noted_of(search->types, attr);

	for (uint32_t i = 0; i < search->end && i < COMPARED_MAX; i++) {
		const struct type_origin *origin = &search->types->origins[i];

		if (origin->noted == noted && (noted || origin->formats == search->types->number) &&
		    perf_attrs__are_equal(search->attrs->at[i], attr))
			return search->attrs->at[i];
	}
	return NULL;
}

int replay_types__begin(struct replay_types *types, struct perf_attrs *attrs)
{
	struct search search = { .types = types, .attrs = attrs, .end = types->origin_count };

	if (types->has_begun)
		return 0;
	types->has_begun = true;
	share_formats(types);
	if (search.end)
		perf_attrs__merge(attrs, find_earlier, &search);
	return add_origins(types, attrs, attrs->count);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tool_encode.c: perf's own records, put together. */
#include <errno.h>

#include "record/attr_encode.h"
#include "record/encode.h"
#include "base/store.h"
#include "perf_data/write/tool_encode.h"

int tool_encode__attr(struct out *out, const struct perf_attr *attr)
{
	size_t start = encode__begin(out, TOOL_HEADER_ATTR, 0);

	attr_encode__put(out, attr);
	store_u64s(out, attr->ids, attr->ids_count);
	return encode__end(out, start);
}

int tool_encode__name(struct out *out, uint64_t id, const char *name)
{
	size_t start = encode__begin(out, TOOL_EVENT_UPDATE, 0);

	store_u64(out, TOOL_UPDATE_NAME);
	store_u64(out, id);
	out__bytes(out, name, strlen(name) + 1);
	return encode__end(out, start);
}

int tool_encode__id_index(struct out *out, const struct tool_id_entry *entries, size_t count)
{
	size_t start = encode__begin(out, TOOL_ID_INDEX, 0);

	store_u64(out, count);
	for (size_t i = 0; i < count; i++) {
		store_u64(out, entries[i].id);
		store_u64(out, entries[i].index);
		store_u64(out, (uint64_t)entries[i].cpu);
		store_u64(out, (uint64_t)entries[i].tid);
	}
	return encode__end(out, start);
}

int tool_encode__mark(struct out *out, enum tool_record_type type)
{
	return encode__end(out, encode__begin(out, type, 0));
}

/* Zeroes up to `end`. */
static int finish(struct out *out, size_t start, size_t end)
{
	if (!out->failed)
		out__fill(out, 0, end - out->count);
	if (!out->failed)
		return 0;
	out__cut(out, start);
	return -ENOMEM;
}

int tool_encode__feature(struct out *out, uint64_t id, const void *bytes, size_t count)
{
	size_t start = out->count, size = TOOL_ENCODE_FEATURE_AT + count;

	if (count > TOOL_ENCODE_FEATURE_MOST)
		return -E2BIG;
	size += -(start + size) & 7;
	store_u32(out, TOOL_FEATURE);
	store_u16(out, 0);
	store_u16(out, (uint16_t)size);
	store_u64(out, id);
	if (count)
		out__bytes(out, bytes, count);
	return finish(out, start, start + size);
}

/* The record is no multiple of 8, as perf's own is none, and what follows it has to be one. */
int tool_encode__tracing_data(struct out *out, const void *bytes, size_t count)
{
	size_t start = out->count, padded = (count + 7) & ~(size_t)7;

	if (padded > UINT32_MAX)
		return -E2BIG;
	store_u32(out, TOOL_TRACING_DATA);
	store_u16(out, 0);
	store_u16(out, TOOL_ENCODE_TRACING_AT);
	store_u32(out, (uint32_t)padded);
	out__bytes(out, bytes, count);
	return finish(out, start, start + TOOL_ENCODE_TRACING_AT + padded);
}

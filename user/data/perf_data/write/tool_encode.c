// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_data/write/tool_encode.c: encodes perf's own records. */
#include <errno.h>

#include "record/attr_encode.h"
#include "record/encode.h"
#include "base/store.h"
#include "perf_data/features.h"
#include "perf_data/write/tool_encode.h"

int tool_encode__attr(struct strbuf *out, const struct perf_attr *attr)
{
	size_t start = encode__begin(out, TOOL_HEADER_ATTR, 0);

	attr_encode__put(out, attr);
	store_u64s(out, attr->ids, attr->ids_count);
	return encode__end(out, start);
}

int tool_encode__name(struct strbuf *out, uint64_t id, const char *name)
{
	size_t start = encode__begin(out, TOOL_EVENT_UPDATE, 0);

	store_u64(out, TOOL_UPDATE_NAME);
	store_u64(out, id);
	strbuf__bytes(out, name, strlen(name) + 1);
	return encode__end(out, start);
}

int tool_encode__id_index(struct strbuf *out, const struct tool_id_entry *entries, size_t count)
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

int tool_encode__mark(struct strbuf *out, enum tool_record_type type)
{
	return encode__end(out, encode__begin(out, type, 0));
}

/* Pads with zeroes up to `end`; if memory failed, removes the record again. */
static int finish_tool_record(struct strbuf *out, size_t start, size_t end)
{
	if (!out->failed)
		strbuf__fill(out, 0, end - out->count);
	if (!out->failed)
		return 0;
	strbuf__cut(out, start);
	return -ENOMEM;
}

/* perf decides by the size of CPU_TOPOLOGY which of its parts it has. */
static size_t feature_padding(uint64_t id, size_t end)
{
	return id == FEATURE_CPU_TOPOLOGY ? 0 : -end & 7;
}

int tool_encode__feature(struct strbuf *out, uint64_t id, const void *bytes, size_t count)
{
	size_t start = out->count, size = TOOL_ENCODE_FEATURE_AT + count;

	if (count > TOOL_ENCODE_FEATURE_MOST)
		return -E2BIG;
	size += feature_padding(id, start + size);
	store_u32(out, TOOL_FEATURE);
	store_u16(out, 0);
	store_u16(out, (uint16_t)size);
	store_u64(out, id);
	if (count)
		strbuf__bytes(out, bytes, count);
	return finish_tool_record(out, start, start + size);
}

/* The record's size is 12, as perf's own; the size of its payload has to be a multiple of 8. */
int tool_encode__tracing_data(struct strbuf *out, const void *bytes, size_t count)
{
	size_t start = out->count, padded = (count + 7) & ~(size_t)7;

	if (padded > UINT32_MAX)
		return -E2BIG;
	store_u32(out, TOOL_TRACING_DATA);
	store_u16(out, 0);
	store_u16(out, TOOL_ENCODE_TRACING_AT);
	store_u32(out, (uint32_t)padded);
	strbuf__bytes(out, bytes, count);
	return finish_tool_record(out, start, start + TOOL_ENCODE_TRACING_AT + padded);
}

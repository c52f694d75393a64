// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_data/write/layout.c: the beginning and the end of a recording. */
#include "record/attr_encode.h"
#include "base/cursor.h"
#include "perf_data/write/feature_encode.h"
#include "perf_data/write/layout.h"
#include "base/store.h"
#include "perf_data/write/tool_encode.h"

#define RECORD_HEADER_BYTES 8
#define SECTION_BYTES	    16

/* The magic is a number: its byte order is that of the file. */
static void store_magic(struct strbuf *out)
{
	static const char magic[] = "2ELIFREP";
	bool big_endian = out->swapped != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);

	strbuf__bytes(out, big_endian ? magic : "PERFILE2", 8);
}

static void store_section(struct strbuf *out, uint64_t offset, uint64_t bytes)
{
	store_u64(out, offset);
	store_u64(out, bytes);
}

void perf_layout__open(struct strbuf *out, bool can_close)
{
	store_magic(out);
	store_u64(out, PERF_HEADER_PIPE_BYTES);
	if (!can_close)
		return;
	for (unsigned at = PERF_HEADER_PIPE_BYTES; at < PERF_HEADER_BYTES;
	     at += RECORD_HEADER_BYTES)
		tool_encode__mark(out, TOOL_FINISHED_ROUND);
}

/* ---- closing --------------------------------------------------------------------------------- */

static size_t count_features(const struct perf_kept *features)
{
	size_t count = 0;

	for (unsigned bit = 0; bit < PERF_LAYOUT_FEATURES; bit++)
		count += features[bit].is_set;
	return count;
}

/* Appends the whole table, and then the features that are not in the file yet. */
static void store_features(struct strbuf *tail, const struct perf_closing *closing)
{
	const struct perf_kept *end = closing->features + PERF_LAYOUT_FEATURES;
	uint64_t at =
		closing->end + tail->count + count_features(closing->features) * SECTION_BYTES;

	for (const struct perf_kept *kept = closing->features; kept < end; kept++) {
		if (!kept->is_set)
			continue;
		store_section(tail, kept->bytes ? at : kept->offset, kept->count);
		at += kept->bytes ? kept->count : 0;
	}
	for (const struct perf_kept *kept = closing->features; kept < end; kept++)
		if (kept->is_set && kept->bytes)
			strbuf__bytes(tail, kept->bytes, kept->count);
	strbuf__fill(tail, 0, -(closing->end + tail->count) & 7);
}

struct perf_section perf_layout__attrs(struct strbuf *out, const struct perf_attrs *attrs,
				       uint64_t offset)
{
	size_t start = out->count;
	uint64_t ids_at = offset;
	struct perf_section section;

	for (uint32_t i = 0; i < attrs->count; i++)
		store_u64s(out, attrs->at[i]->ids, attrs->at[i]->ids_count);
	section.offset = offset + out->count - start;
	for (uint32_t i = 0; i < attrs->count; i++) {
		uint64_t bytes = attrs->at[i]->ids_count * sizeof(uint64_t);

		attr_encode__put(out, attrs->at[i]);
		store_section(out, ids_at, bytes);
		ids_at += bytes;
	}
	section.bytes = offset + out->count - start - section.offset;
	return section;
}

/* The bitmap has 256 bits. */
static void store_bits(struct strbuf *header, const struct perf_kept *features)
{
	uint64_t bits = 0;

	for (unsigned bit = 0; bit < PERF_LAYOUT_FEATURES; bit++)
		bits |= (uint64_t)features[bit].is_set << bit;
	store_u64(header, bits);
	for (unsigned word = 1; word < 4; word++)
		store_u64(header, 0);
}

void perf_layout__close(const struct perf_closing *closing, struct strbuf *tail,
			struct strbuf *header)
{
	struct perf_section attrs = closing->attrs_section;
	uint64_t data_end;

	tool_encode__mark(tail, TOOL_FINISHED_ROUND);
	tool_encode__mark(tail, TOOL_FINISHED_ROUND);
	data_end = closing->end + tail->count;
	store_features(tail, closing);
	if (!attrs.bytes)
		attrs = perf_layout__attrs(tail, closing->attrs, closing->end + tail->count);

	store_magic(header);
	store_u64(header, PERF_HEADER_BYTES);
	store_u64(header, ATTR_ENCODE_BYTES + SECTION_BYTES);
	store_section(header, attrs.offset, attrs.bytes);
	store_section(header, closing->data_offset, data_end - closing->data_offset);
	store_section(header, 0, 0);
	store_bits(header, closing->features);
}

/* ---- whole records --------------------------------------------------------------------------- */

/* Size of the payload after a record, which the record's own size does not include. */
static uint64_t payload_bytes(const uint8_t *at, size_t left, uint32_t type, bool swapped)
{
	if (type == TOOL_TRACING_DATA && left >= TOOL_ENCODE_TRACING_AT)
		return load_u32(at + RECORD_HEADER_BYTES, swapped);
	if (type == TOOL_AUXTRACE && left >= RECORD_HEADER_BYTES + sizeof(uint64_t))
		return load_u64(at + RECORD_HEADER_BYTES, swapped);
	return 0;
}

size_t perf_layout__whole(const void *records, size_t count, bool swapped, uint64_t *samples)
{
	const uint8_t *at = records;
	size_t left = count;

	*samples = 0;
	while (left >= RECORD_HEADER_BYTES) {
		uint32_t type = load_u32(at, swapped);
		uint64_t size = load_u16(at + 6, swapped);
		uint64_t payload = payload_bytes(at, left, type, swapped);

		if (size < RECORD_HEADER_BYTES || size > left || payload > left - size)
			break;
		*samples += type == PEAT_RECORD_SAMPLE;
		at += size + payload;
		left -= size + payload;
	}
	return count - left;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_data/read/stream.c: splits the bytes of a file into records, and inflates compressed ones.
 */
#include <errno.h>
#include <string.h>

#include "base/cursor.h"
#include "perf_data/header.h"
#include "perf_data/read/stream.h"

#define HEADER_BYTES	   8
#define TRACING_DATA_BYTES 12
#define AUXTRACE_BYTES	   16
#define COMPRESSED2_BYTES  16
#define TYPE_MOST	   0xffff /* no perf has larger types: such a record may be text */
#define FIRST_TYPE_OF_TOOL 64
#define TEXT_MOST	   4096
#define TEXT_LEAST	   4 /* the first byte of a type may be a letter */

void perf_stream__open(struct perf_stream *stream, const struct perf_source *source,
		       uint64_t end_offset, bool swapped)
{
	*stream = (struct perf_stream){ .source = *source,
					.end_offset = end_offset,
					.swapped = swapped };
}

void perf_stream__close(struct perf_stream *stream)
{
	perf_source__close(&stream->source);
	inflate__free(stream->inflate);
	stream->inflate = NULL;
}

static int end(struct perf_stream *stream, enum perf_end_how how, uint64_t offset, const char *why)
{
	stream->end.how = how;
	stream->end.offset = offset;
	stream->end.why = why;
	return 0;
}

static int damaged(struct perf_stream *stream, uint64_t offset, const char *why)
{
	return end(stream, PERF_END_DAMAGED, offset, why);
}

/*
 * perf's messages at its end are after the records if both were written to one pipe.  So a short
 * rest of the file that is only text is no damage.
 */
static bool is_text(struct perf_stream *stream)
{
	size_t count = perf_source__peek(&stream->source, TEXT_MOST + 1);
	const uint8_t *at = stream->source.at;

	if (stream->end_offset != UINT64_MAX || count < TEXT_LEAST || count > TEXT_MOST ||
	    stream->source.err)
		return false;
	for (size_t i = 0; i < count; i++)
		if ((at[i] < ' ' && at[i] != '\n' && at[i] != '\t' && at[i] != '\r') ||
		    at[i] == 127)
			return false;
	return true;
}

/* The source has too few bytes: it is truncated, or cannot be read. */
static int cut(struct perf_stream *stream, uint64_t offset, const char *why)
{
	return stream->source.err ? stream->source.err : end(stream, PERF_END_CUT, offset, why);
}

/* The source ended between two records. */
static int finish_stream(struct perf_stream *stream)
{
	uint64_t offset = stream->source.offset;

	if (stream->source.err)
		return stream->source.err;
	if (stream->inflate && inflate__peek(stream->inflate, 1))
		return end(stream, PERF_END_CUT, offset, "the compressed data end inside a record");
	if (stream->unfinished)
		return end(stream, PERF_END_CUT, offset, stream->unfinished);
	if (stream->end_offset != UINT64_MAX && offset < stream->end_offset)
		return end(stream, PERF_END_CUT, offset, "the file ends before its data do");
	return end(stream, PERF_END_WHOLE, offset, NULL);
}

static int end_in_text(struct perf_stream *stream)
{
	finish_stream(stream);
	if (stream->end.how == PERF_END_WHOLE)
		stream->end.why = "text follows it";
	return stream->source.err;
}

static void read_header(const struct perf_stream *stream, const uint8_t *at,
			struct perf_entry *entry)
{
	entry->type = load_u32(at, stream->swapped);
	entry->misc = load_u16(at + 4, stream->swapped);
	entry->size = load_u16(at + 6, stream->swapped);
	entry->payload = NULL;
	entry->payload_bytes = 0;
}

/* NULL, or the error in the header itself. */
static const char *check_header(const struct perf_entry *entry)
{
	if (entry->size < HEADER_BYTES)
		return "a record is shorter than its header";
	if (entry->type == 0 || entry->type > TYPE_MOST)
		return "this is no record, but text or garbage";
	return NULL;
}

/* ---- records inside compressed records ------------------------------------------------------- */

static bool may_be_compressed(uint32_t type)
{
	return type != TOOL_TRACING_DATA && type != TOOL_AUXTRACE && type != TOOL_COMPRESSED &&
	       type != TOOL_COMPRESSED2;
}

/* 1; 0: the compressed record is used up, or the stream has ended. */
static int next_inflated(struct perf_stream *stream, struct perf_entry *entry)
{
	struct inflate *inflate = stream->inflate;
	uint64_t offset = stream->inflating_offset;
	const char *wrong = NULL;

	inflate__consume(inflate, stream->inflated_held);
	stream->inflated_held = 0;
	if (inflate__peek(inflate, HEADER_BYTES) >= HEADER_BYTES) {
		read_header(stream, inflate__at(inflate), entry);
		wrong = check_header(entry);
		if (!wrong && !may_be_compressed(entry->type))
			wrong = "a record is compressed that never is";
		if (!wrong && inflate__peek(inflate, entry->size) >= entry->size) {
			entry->bytes = inflate__at(inflate);
			entry->inflated = true;
			entry->offset = offset;
			stream->inflated_held = entry->size;
			return 1;
		}
	}
	wrong = inflate__error(inflate) ? inflate__error(inflate) : wrong;
	return wrong ? damaged(stream, offset, wrong) : 0;
}

/* The compressed bytes stay in the source until they are inflated. */
static int begin_inflating(struct perf_stream *stream, struct perf_entry *entry)
{
	size_t skip = HEADER_BYTES, bytes = entry->size - skip;

	if (entry->type == TOOL_COMPRESSED2) {
		uint64_t stated;

		if (entry->size < COMPRESSED2_BYTES)
			return damaged(stream, entry->offset, "a compressed record is too short");
		skip = COMPRESSED2_BYTES;
		bytes = entry->size - skip; /* padding among them */
		stated = load_u64(entry->bytes + HEADER_BYTES, stream->swapped);
		if (stated > bytes)
			return damaged(stream, entry->offset,
				       "a compressed record is shorter than what is in it");
		bytes = (size_t)stated;
	}
	if (!stream->inflate)
		stream->inflate = inflate__new();
	if (!stream->inflate)
		return -ENOMEM;
	inflate__feed(stream->inflate, entry->bytes + skip, bytes);
	stream->inflating = true;
	stream->inflating_offset = entry->offset;
	return 1;
}

/* ---- payloads after records ------------------------------------------------------------------ */

static int hold_payload(struct perf_stream *stream, struct perf_entry *entry)
{
	struct perf_source *source = &stream->source;
	size_t bytes = entry->size + (size_t)entry->payload_bytes;

	if (perf_source__peek(source, bytes) < bytes)
		return cut(stream, entry->offset,
			   entry->type == TOOL_TRACING_DATA
				   ? "the file ends inside the tracing data"
				   : "the file ends inside the payload of a record");
	entry->bytes = source->at;
	entry->payload = entry->bytes + entry->size;
	stream->held = bytes;
	return 1;
}

static int find_payload(struct perf_stream *stream, struct perf_entry *entry, uint64_t limit)
{
	bool tracing = entry->type == TOOL_TRACING_DATA;
	const uint8_t *field = entry->bytes + HEADER_BYTES;

	if (entry->size < (tracing ? TRACING_DATA_BYTES : AUXTRACE_BYTES))
		return damaged(stream, entry->offset, "a record is too short for its type");
	entry->payload_bytes =
		tracing ? load_u32(field, stream->swapped) : load_u64(field, stream->swapped);
	if (entry->payload_bytes > limit - entry->size)
		return damaged(stream, entry->offset,
			       "what follows a record is larger than the data");
	if ((tracing || stream->keeps_payloads) && entry->payload_bytes <= PERF_PAYLOAD_MAX)
		return hold_payload(stream, entry);
	stream->pass = entry->payload_bytes;
	return 1;
}

/* ---- records of the file --------------------------------------------------------------------- */

static int read_tool_record(struct perf_stream *stream, struct perf_entry *entry, uint64_t limit)
{
	switch (entry->type) {
	case TOOL_TRACING_DATA:
	case TOOL_AUXTRACE:
		return find_payload(stream, entry, limit);
	case TOOL_COMPRESSED:
	case TOOL_COMPRESSED2:
		return begin_inflating(stream, entry);
	default:
		return 1;
	}
}

/* Fewer bytes are left than a header has. */
static int end_short(struct perf_stream *stream, uint64_t limit)
{
	uint64_t offset = stream->source.offset;

	if (stream->source.left == 0 || limit == 0)
		return finish_stream(stream);
	if (is_text(stream))
		return end_in_text(stream);
	if (limit < HEADER_BYTES && stream->source.left >= limit)
		return damaged(stream, offset, "the data end inside a record");
	return cut(stream, offset, "the file ends inside a record");
}

/* ---- another recording ----------------------------------------------------------------------- */

#define MAGIC_BYTES 8

/* The header of a pipe stands where a record would: `cat one two` wrote both. */
static bool is_repeated(struct perf_stream *stream)
{
	return stream->may_repeat &&
	       perf_source__peek(&stream->source, MAGIC_BYTES) >= MAGIC_BYTES &&
	       (!memcmp(stream->source.at, "PERFILE2", MAGIC_BYTES) ||
		!memcmp(stream->source.at, "2ELIFREP", MAGIC_BYTES));
}

/* NULL, or the reason why it cannot be read with this one. */
static const char *check_repeated(const struct perf_stream *stream)
{
	struct perf_header header;
	const char *why;
	int bytes = perf_header__parse(&header, stream->source.at, PERF_HEADER_PIPE_BYTES, &why);

	if (bytes < 0)
		return why;
	if (header.swapped != stream->swapped)
		return "a recording of the other byte order follows";
	return header.is_pipe ? NULL
			      : "a recording with sections follows: only those of pipes can follow";
}

/* 1: its records follow; 0: the stream has ended. */
static int begin_repeated(struct perf_stream *stream)
{
	uint64_t offset = stream->source.offset;
	const char *wrong;

	if (perf_source__peek(&stream->source, PERF_HEADER_PIPE_BYTES) < PERF_HEADER_PIPE_BYTES)
		return cut(stream, offset, "the file ends inside the header of a recording");
	wrong = check_repeated(stream);
	if (wrong)
		return damaged(stream, offset, wrong);
	if (stream->inflate && inflate__peek(stream->inflate, 1))
		return end(stream, PERF_END_CUT, offset, "the compressed data end inside a record");
	inflate__free(stream->inflate);
	stream->inflate = NULL;
	perf_source__consume(&stream->source, PERF_HEADER_PIPE_BYTES);
	stream->repeats++;
	return 1;
}

/* ---- records of the file, one by one --------------------------------------------------------- */

static int next_plain(struct perf_stream *stream, struct perf_entry *entry)
{
	struct perf_source *source = &stream->source;
	uint64_t limit = stream->end_offset - source->offset;
	const char *wrong;

	if (limit < HEADER_BYTES || perf_source__peek(source, HEADER_BYTES) < HEADER_BYTES) {
		perf_source__peek(source, limit < HEADER_BYTES ? (size_t)limit : 1);
		return end_short(stream, limit);
	}
	read_header(stream, source->at, entry);
	entry->offset = source->offset;
	entry->inflated = false;
	wrong = check_header(entry);
	if (wrong)
		return is_text(stream) ? end_in_text(stream)
				       : damaged(stream, entry->offset, wrong);
	if (entry->size > limit)
		return damaged(stream, entry->offset, "the data end inside a record");
	if (perf_source__peek(source, entry->size) < entry->size)
		return cut(stream, entry->offset, "the file ends inside a record");
	entry->bytes = source->at;
	stream->held = entry->size;
	if (entry->type < FIRST_TYPE_OF_TOOL)
		return 1;
	return read_tool_record(stream, entry, limit);
}

/* Releases the last record, and skips the payload after it.  False: the payload is truncated. */
static bool release_last(struct perf_stream *stream)
{
	uint64_t pass = stream->pass;

	if (stream->held) /* none before the first: there is no window yet */
		perf_source__consume(&stream->source, stream->held);
	stream->held = 0;
	stream->pass = 0;
	return !pass || perf_source__skip(&stream->source, pass);
}

int perf_stream__next(struct perf_stream *stream, struct perf_entry *entry)
{
	uint64_t after;
	int ret;

	if (stream->end.how)
		return 0;
	if (stream->inflating) {
		ret = next_inflated(stream, entry);
		if (ret || stream->end.how)
			return ret;
		stream->inflating = false;
	}
	after = stream->source.offset + stream->held;
	if (!release_last(stream))
		return cut(stream, after, "the file ends inside the payload of a record");
	while (is_repeated(stream)) {
		ret = begin_repeated(stream);
		if (ret <= 0)
			return ret;
	}
	return next_plain(stream, entry);
}

/* Waits for the rest of a record of which a part arrived: its writer is about to write it. */
bool perf_stream__would_wait(struct perf_stream *stream)
{
	if (stream->end.how || stream->pass)
		return false;
	if (stream->inflating) {
		inflate__consume(stream->inflate, stream->inflated_held);
		stream->inflated_held = 0;
		if (inflate__peek(stream->inflate, HEADER_BYTES) >= HEADER_BYTES)
			return false;
	}
	return perf_source__would_wait(&stream->source, stream->held + HEADER_BYTES);
}

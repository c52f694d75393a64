// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_data/write/writer.c: writes records to a file that is a valid recording at every moment. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cursor.h"
#include "perf_data/write/feature_encode.h"
#include "base/errors.h"
#include "perf_data/note.h"
#include "perf_data/features.h"
#include "perf_data/header.h"
#include "perf_data/write/layout.h"
#include "perf_data/write/writer.h"
#include "base/store.h"
#include "perf_data/write/tool_encode.h"

/* A write(2) costs less than copying so many bytes, and they still fit into a CPU's cache. */
#define WRITE_BYTES ((size_t)256 << 10)

/* About the bytes that close a file, unless features are set after begin. */
#define CLOSING_BYTES ((size_t)384)

#define TYPE_TRACEPOINT	    2
#define RECORD_HEADER_BYTES 8

struct perf_writer {
	int fd;
	bool can_close;		 /* a regular file that was empty and is not appended to */
	bool begun;		 /* the header is in the file */
	bool unwritten_features; /* `out` has features that are not in the file yet */
	int err;		 /* the first error; it stays */
	struct strbuf out;
	uint64_t data_offset;
	struct strbuf late; /* u64 offsets of the event records after begin */
	struct perf_attrs attrs;
	struct perf_section attrs_section; /* of the attrs before the records */
	struct perf_kept features[PERF_LAYOUT_FEATURES];
	struct perf_written written;
};

/* ---- bytes into the file --------------------------------------------------------------------- */

static int keep(struct perf_writer *writer, int err)
{
	if (err && !writer->err)
		writer->err = err;
	return err;
}

static ssize_t write_some(struct perf_writer *writer, const char *bytes, size_t count,
			  uint64_t offset)
{
	struct pollfd ready = { .fd = writer->fd, .events = POLLOUT };
	ssize_t put;

	for (;;) {
		writer->written.writes++;
		put = writer->can_close ? pwrite(writer->fd, bytes, count, (off_t)offset)
					: write(writer->fd, bytes, count);
		if (put > 0)
			return put;
		if (put == 0)
			return -EIO;
		if (errno == EAGAIN)
			poll(&ready, 1, -1); /* another process made the pipe non-blocking */
		else if (errno != EINTR)
			return -errno;
	}
}

/* *done is the number of bytes written, also on failure. */
static int write_at(struct perf_writer *writer, const struct strbuf *from, uint64_t offset,
		    size_t *done)
{
	ssize_t put = 0;

	for (*done = 0; *done < from->count && put >= 0; *done += (size_t)put) {
		put = write_some(writer, from->bytes + *done, from->count - *done, offset + *done);
		if (put < 0)
			return (int)put;
	}
	return 0;
}

/* Removes the part of a record at the end: readers would report it as damage. */
static void cut(struct perf_writer *writer)
{
	if (writer->can_close && ftruncate(writer->fd, (off_t)writer->written.bytes))
		return; /* readers still get the records before it */
}

void perf_writer__cut(struct perf_writer *writer, uint64_t bytes)
{
	writer->written.bytes = bytes;
	cut(writer);
}

/* Counts the buffered bytes after the first `from` as lost. */
static void count_lost(struct perf_writer *writer, size_t from)
{
	size_t count = writer->out.count - from;
	uint64_t samples = 0;

	if (writer->begun && count)
		perf_layout__whole(writer->out.bytes + from, count, writer->out.swapped, &samples);
	writer->written.lost_bytes += count;
	writer->written.lost_samples += samples;
}

/*
 * How many of the `done` bytes that were written stay in the file: whole records.  A few records
 * less if that makes room for the bytes that close the file; the removed records are counted as
 * lost.
 */
static size_t bytes_to_keep(struct perf_writer *writer, size_t done)
{
	uint64_t samples;
	size_t whole = perf_layout__whole(writer->out.bytes, done, writer->out.swapped, &samples),
	       less;

	if (!writer->can_close || done - whole >= CLOSING_BYTES)
		return whole;
	less = done < CLOSING_BYTES ? 0 : done - CLOSING_BYTES;
	less = perf_layout__whole(writer->out.bytes, less, writer->out.swapped, &samples);
	return whole - less <= 2 * CLOSING_BYTES ? less : whole;
}

/* A write failed after `done` bytes: cuts the file, and counts the rest as lost. */
static void handle_short_write(struct perf_writer *writer, size_t done)
{
	size_t whole = 0;
	uint64_t samples;

	if (writer->begun)
		whole = bytes_to_keep(writer, done);
	else if (done >= PERF_HEADER_PIPE_BYTES)
		whole = PERF_HEADER_PIPE_BYTES +
			perf_layout__whole(writer->out.bytes + PERF_HEADER_PIPE_BYTES,
					   done - PERF_HEADER_PIPE_BYTES, writer->out.swapped,
					   &samples);
	writer->written.bytes += whole;
	count_lost(writer, whole);
	cut(writer);
}

void perf_writer__swap(struct perf_writer *writer)
{
	writer->out.swapped = true;
}

/* ---- the header ------------------------------------------------------------------------------ */

/* The features in `out` are in the file now: close only refers to them. */
static void free_written_features(struct perf_writer *writer)
{
	for (unsigned bit = 0; bit < PERF_LAYOUT_FEATURES && writer->unwritten_features; bit++) {
		struct perf_kept *kept = &writer->features[bit];

		if (!kept->offset)
			continue;
		free(kept->bytes);
		kept->bytes = NULL;
	}
	writer->unwritten_features = false;
}

/*
 * perf reads the feature BUILD_ID by its offset in the file, even if it is in a record.  So in a
 * pipe each of its entries becomes a record instead: an entry only lacks the type.  They follow the
 * features, so that all of those are known at the first record that is none.
 */
static void put_build_ids(struct perf_writer *writer, const struct perf_kept *kept)
{
	bool swapped = writer->out.swapped;
	size_t left = kept->count, size;

	for (const char *at = kept->bytes; left >= RECORD_HEADER_BYTES; at += size, left -= size) {
		size = load_u16(at + 6, swapped);
		if (size < RECORD_HEADER_BYTES || size > left || size % 8)
			return;
		store_u32(&writer->out, TOOL_BUILD_ID);
		strbuf__bytes(&writer->out, at + sizeof(uint32_t), size - sizeof(uint32_t));
	}
}

/*
 * A feature that is too large for a record is appended by close.  So is an empty feature: perf
 * refuses most of them in a pipe, and writes none itself.
 */
static void put_feature(struct perf_writer *writer, unsigned bit)
{
	struct perf_kept *kept = &writer->features[bit];
	uint64_t at = writer->written.bytes + writer->out.count;

	if (!kept->count)
		return;
	if (bit == FEATURE_TRACING_DATA) {
		if (!tool_encode__tracing_data(&writer->out, kept->bytes, kept->count))
			kept->offset = at + TOOL_ENCODE_TRACING_AT;
	} else if (!tool_encode__feature(&writer->out, bit, kept->bytes, kept->count)) {
		kept->offset = at + TOOL_ENCODE_FEATURE_AT;
	}
	writer->unwritten_features = true;
}

/*
 * TRACING_DATA and CPU_TOPOLOGY may end at any multiple of 4, and the next feature aligns the
 * records after it.  So EVENT_DESC, which every recording has, follows CPU_TOPOLOGY.
 */
static void put_features(struct perf_writer *writer)
{
	for (unsigned i = 0; i < PERF_LAYOUT_FEATURES; i++) {
		unsigned bit = i == FEATURE_EVENT_DESC	   ? FEATURE_CPU_TOPOLOGY
			       : i == FEATURE_CPU_TOPOLOGY ? FEATURE_EVENT_DESC
							   : i;

		if (writer->features[bit].is_set && bit != FEATURE_BUILD_ID)
			put_feature(writer, bit);
	}
	if (!writer->can_close)
		put_build_ids(writer, &writer->features[FEATURE_BUILD_ID]);
}

/*
 * Appends both records, attr and name, or neither.  A record has no room for the ids of hundreds of
 * tasks on hundreds of CPUs: a growing file has as many as fit, a closed file has all.  perf gives
 * a name without an id to the first event.
 */
static int put_event(struct perf_writer *writer, const struct perf_attr *attr)
{
	struct perf_attr fitting = *attr;
	size_t start = writer->out.count;
	int err;

	if (writer->can_close && fitting.ids_count > TOOL_ENCODE_IDS_MOST)
		fitting.ids_count = TOOL_ENCODE_IDS_MOST;
	err = tool_encode__attr(&writer->out, &fitting);
	if (!err && attr->name && (attr->ids_count || !attr->index))
		err = tool_encode__name(&writer->out, attr->ids_count ? attr->ids[0] : 0,
					attr->name);
	if (err)
		strbuf__cut(&writer->out, start);
	return err;
}

static int add_attr(struct perf_attrs *attrs, const struct perf_attr *attr)
{
	struct perf_attr copy = *attr;
	int err;

	copy.name = NULL;
	copy.ids = NULL;
	copy.ids_count = 0;
	err = perf_attrs__add(attrs, &copy);
	if (!err && attr->name)
		err = perf_attrs__name(attrs->at[attrs->count - 1], attr->name, strlen(attr->name));
	if (!err && attr->ids_count)
		err = perf_attrs__add_ids(attrs, attrs->at[attrs->count - 1], attr->ids,
					  attr->ids_count, false);
	return err;
}

/* perf 6.1 reads a single TRACING_DATA, and crashes on a tracepoint after it. */
static int add_late_event(struct perf_writer *writer, const struct perf_attr *attr)
{
	size_t start = writer->out.count;
	uint64_t at = writer->written.bytes + start;
	int err;

	if (attr->type == TYPE_TRACEPOINT)
		return -ENOTSUP;
	err = add_attr(&writer->attrs, attr);
	if (!err)
		err = put_event(writer, writer->attrs.at[writer->attrs.count - 1]);
	if (err)
		return err;
	strbuf__bytes(&writer->late, &at, sizeof(at));
	if (writer->late.failed) {
		writer->late.failed = false;
		strbuf__cut(&writer->out, start);
		return -ENOMEM;
	}
	return perf_writer__commit(writer);
}

int perf_writer__event(struct perf_writer *writer, const struct perf_attr *attr)
{
	return writer->begun ? add_late_event(writer, attr)
			     : keep(writer, add_attr(&writer->attrs, attr));
}

int perf_writer__feature(struct perf_writer *writer, unsigned bit, const void *bytes, size_t count)
{
	struct perf_kept *kept;
	void *copy;

	if (bit == 0 || bit >= PERF_LAYOUT_FEATURES)
		return -EINVAL;
	copy = malloc(count + !count);
	if (!copy)
		return writer->begun ? -ENOMEM : keep(writer, -ENOMEM);
	if (count)
		memcpy(copy, bytes, count);
	kept = &writer->features[bit];
	free(kept->bytes);
	*kept = (struct perf_kept){ .is_set = true, .bytes = copy, .count = count };
	return 0;
}

int perf_writer__feature_strbuf(struct perf_writer *writer, unsigned bit, struct strbuf *bytes)
{
	int err = bytes->failed ? -ENOMEM
				: perf_writer__feature(writer, bit, bytes->bytes, bytes->count);

	strbuf__free(bytes);
	return err;
}

/* EVENT_DESC */
static int describe_events(struct perf_writer *writer)
{
	struct strbuf desc = { .swapped = writer->out.swapped };

	feature_encode__event_desc(&desc, &writer->attrs);
	return perf_writer__feature_strbuf(writer, FEATURE_EVENT_DESC, &desc);
}

/* Appends the attrs in a note.  If there are too many events for a note, close appends the attrs.
 */
static void put_attrs(struct perf_writer *writer)
{
	struct strbuf attrs = { .swapped = writer->out.swapped };
	struct perf_section section =
		perf_layout__attrs(&attrs, &writer->attrs, writer->out.count + NOTE_AT);

	if (!attrs.failed && !note__put(&writer->out, NOTE_ATTRS, attrs.bytes, attrs.count))
		writer->attrs_section = section;
	strbuf__free(&attrs);
}

int perf_writer__begin(struct perf_writer *writer)
{
	int err = writer->err;

	if (!err)
		err = describe_events(writer);
	if (err)
		return err;
	perf_layout__open(&writer->out, writer->can_close);
	for (uint32_t i = 0; i < writer->attrs.count && !err; i++)
		err = put_event(writer, writer->attrs.at[i]);
	if (writer->can_close)
		put_attrs(writer);
	put_features(writer);
	writer->data_offset = writer->out.count;
	if (!err && writer->out.failed)
		err = -ENOMEM;
	if (err)
		return keep(writer, err);
	err = perf_writer__flush(writer);
	writer->begun = !err;
	return err;
}

/* ---- records --------------------------------------------------------------------------------- */

int perf_writer__flush(struct perf_writer *writer)
{
	bool short_of_memory = writer->out.failed;
	int err = writer->err;
	size_t done = 0;

	if (err) {
		count_lost(writer, 0);
	} else if (writer->out.count) {
		err = keep(writer, write_at(writer, &writer->out, writer->written.bytes, &done));
		if (err) {
			handle_short_write(writer, done);
		} else {
			writer->written.bytes += done;
			free_written_features(writer);
		}
	}
	writer->out.count = 0;
	writer->out.failed = false;
	return err ? err : short_of_memory ? -ENOMEM : 0;
}

struct strbuf *perf_writer__out(struct perf_writer *writer)
{
	return &writer->out;
}

int perf_writer__commit(struct perf_writer *writer)
{
	if (writer->out.count < WRITE_BYTES && !writer->out.failed && !writer->err)
		return 0;
	return perf_writer__flush(writer);
}

int perf_writer__round(struct perf_writer *writer)
{
	tool_encode__mark(&writer->out, TOOL_FINISHED_ROUND);
	return perf_writer__commit(writer);
}

/* ---- opening and closing --------------------------------------------------------------------- */

struct perf_writer *perf_writer__new(int fd)
{
	struct perf_writer *writer = calloc(1, sizeof(*writer));
	int flags = fcntl(fd, F_GETFL);
	struct stat status;
	int err = 0;

	if (!writer)
		err = -ENOMEM;
	else if (flags < 0 || fstat(fd, &status))
		err = -errno;
	else if ((flags & O_ACCMODE) == O_RDONLY)
		err = -EBADF;
	if (err) {
		free(writer);
		close(fd);
		return fail_null(err);
	}
	writer->fd = fd;
	writer->can_close = S_ISREG(status.st_mode) && !status.st_size && !(flags & O_APPEND) &&
			    lseek(fd, 0, SEEK_CUR) == 0;
	perf_attrs__init(&writer->attrs, false);
	return writer;
}

/*
 * Events that are in the header and in records as well would be read twice.  So this overwrites the
 * type, the first bytes of the record, with an old type that every perf skips.
 */
static int hide_late_events(struct perf_writer *writer)
{
	uint32_t type = writer->out.swapped ? __builtin_bswap32(TOOL_EVENT_TYPE) : TOOL_EVENT_TYPE;
	ssize_t put = sizeof(type);
	uint64_t at;

	for (size_t i = 0; i < writer->late.count && put == sizeof(type); i += sizeof(at)) {
		memcpy(&at, writer->late.bytes + i, sizeof(at));
		if (at < writer->written.bytes)
			put = pwrite(writer->fd, &type, sizeof(type), (off_t)at);
	}
	return put < 0 ? -errno : put == sizeof(type) ? 0 : -EIO;
}

static int write_closing(struct perf_writer *writer, const struct strbuf *tail,
			 const struct strbuf *header)
{
	size_t done;
	int err = tail->failed || header->failed ? -ENOMEM : 0;

	if (!err)
		err = write_at(writer, tail, writer->written.bytes, &done);
	if (!err)
		err = write_at(writer, header, 0, &done);
	if (err) {
		cut(writer);
		return err;
	}
	err = hide_late_events(writer);
	writer->written.bytes += tail->count;
	writer->written.closed = true;
	return err;
}

static int close_file(struct perf_writer *writer)
{
	struct perf_closing closing = { .data_offset = writer->data_offset,
					.end = writer->written.bytes,
					.attrs = &writer->attrs,
					.attrs_section = writer->attrs_section,
					.features = writer->features };
	struct strbuf tail = { .swapped = writer->out.swapped };
	struct strbuf header = { .swapped = writer->out.swapped };
	int err = 0;

	if (writer->late.count) {
		closing.attrs_section.bytes = 0;
		err = describe_events(writer);
	}
	if (!err) {
		perf_layout__close(&closing, &tail, &header);
		err = write_closing(writer, &tail, &header);
	}
	strbuf__free(&tail);
	strbuf__free(&header);
	return err;
}

int perf_writer__close(struct perf_writer *writer)
{
	if (writer->fd < 0)
		return writer->err;
	perf_writer__flush(writer);
	if (writer->can_close && writer->begun)
		keep(writer, close_file(writer));
	if (close(writer->fd))
		keep(writer, -errno);
	writer->fd = -1;
	return writer->err;
}

void perf_writer__free(struct perf_writer *writer)
{
	if (!writer)
		return;
	if (writer->fd >= 0)
		close(writer->fd);
	for (unsigned bit = 0; bit < PERF_LAYOUT_FEATURES; bit++)
		free(writer->features[bit].bytes);
	perf_attrs__clear(&writer->attrs);
	strbuf__free(&writer->late);
	strbuf__free(&writer->out);
	free(writer);
}

const struct perf_written *perf_writer__written(const struct perf_writer *writer)
{
	return &writer->written;
}

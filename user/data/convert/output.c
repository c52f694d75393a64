// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* convert/output.c: copies records into a new file with a header of its own. */
#include <errno.h>
#include <string.h>

#include "perf_data/event_names.h"
#include "perf_data/write/feature_encode.h"
#include "base/log.h"
#include "convert/placeholder_formats.h"
#include "perf_data/describe/features.h"
#include "perf_data/write/layout.h"
#include "convert/output.h"
#include "base/store.h"
#include "record/encode.h"
#include "record/extent.h"
#include "perf_data/write/tool_encode.h"

/* Records are compressed in pieces of this size: a few COMPRESSED records. */
#define PLAIN_BYTES ((size_t)256 << 10)

/* perf 6.1 stops reading at a record of perf's own with a newer type. */
#define MAX_TYPE TOOL_FINISHED_INIT

/* FINISHED_ROUNDs that perf_writer__close() writes. */
#define CLOSING_ROUNDS 2

#define ATTR_BYTES_WITH_CONFIG3 136

int convert_output__open(struct convert_output *output, int fd, bool swapped, int level)
{
	*output = (struct convert_output){ .level = level,
					   .plain.swapped = swapped,
					   .places.swapped = swapped };
	output->writer = perf_writer__new(fd);
	if (!output->writer)
		return -errno;
	if (swapped)
		perf_writer__swap(output->writer);
	if (!level)
		return 0;
	output->deflate = deflate__new(level);
	return output->deflate ? 0 : -ENOMEM;
}

void convert_output__free(struct convert_output *output)
{
	perf_writer__free(output->writer);
	retype_events__free(&output->retype);
	deflate__free(output->deflate);
	strbuf__free(&output->plain);
	strbuf__free(&output->places);
	*output = (struct convert_output){ 0 };
}

int convert_output__retype(struct convert_output *output, const struct retype_source *source)
{
	return retype_events__init(&output->retype, source);
}

/* ---- header ---------------------------------------------------------------------------------- */

/* Features that describe the old file.  The writer itself writes EVENT_DESC. */
static bool describes_file(unsigned bit)
{
	return bit == FEATURE_EVENT_DESC || bit == FEATURE_COMPRESSED ||
	       bit == FEATURE_DIR_FORMAT || bit == FEATURE_AUXTRACE;
}

/*
 * A feature that a recording should have bytes for.  Stock perf fails to parse it, and reads none
 * of the features after it.
 */
static bool lacks_bytes(const struct perf_feature *feature)
{
	return !feature->bytes_count && feature->bit != FEATURE_BRANCH_STACK &&
	       feature->bit != FEATURE_STAT;
}

static bool leave_topology_out(struct convert_output *output, const struct perf_feature *feature)
{
	bool swapped = perf_writer__out(output->writer)->swapped;

	topology_check__note(&output->topology, feature, swapped);
	if (feature->bit != FEATURE_CPU_TOPOLOGY ||
	    !topology_check__is_refused(&output->topology, feature, swapped))
		return false;
	output->leaves_topology_out = true;
	return true;
}

/* -ENOTSUP: TRACING_DATA follows after events were given types. */
int convert_output__feature(struct convert_output *output, const struct perf_feature *feature)
{
	unsigned bit = feature->bit;

	if (!feature->bytes || lacks_bytes(feature) || describes_file(bit))
		return 0;
	if (bit == FEATURE_TRACING_DATA && output->retype.count)
		return -ENOTSUP;
	if (bit == 0 || bit >= PERF_LAYOUT_FEATURES) {
		if (bit < 256)
			output->features[bit / 64] |= 1ULL << bit % 64;
		return 0;
	}
	if (leave_topology_out(output, feature))
		return 0;
	output->is_named |= bit == FEATURE_HOSTNAME;
	output->has_formats |= bit == FEATURE_TRACING_DATA;
	return perf_writer__feature(output->writer, bit, feature->bytes, feature->bytes_count);
}

/* perf assumes that a file of the other byte order without HOSTNAME is from a 32-bit machine. */
static int add_empty_hostname(struct convert_output *output)
{
	struct strbuf text = { .swapped = true };

	if (!perf_writer__out(output->writer)->swapped || output->is_named)
		return 0;
	feature_encode__text(&text, "");
	return perf_writer__feature_strbuf(output->writer, FEATURE_HOSTNAME, &text);
}

static int add_placeholder_formats(struct convert_output *output, const struct perf_attrs *attrs)
{
	struct strbuf formats = { 0 };

	if (output->retype.count)
		return perf_writer__feature_strbuf(output->writer, FEATURE_TRACING_DATA,
						   &output->retype.formats);
	if (output->has_formats)
		return 0;
	output->placeholder_formats = placeholder_formats__append(&formats, attrs);
	return output->placeholder_formats || formats.failed
		       ? perf_writer__feature_strbuf(output->writer, FEATURE_TRACING_DATA, &formats)
		       : 0;
}

static int write_compression(struct convert_output *output)
{
	uint64_t ratio = output->deflated_bytes ? output->plain_bytes / output->deflated_bytes : 1;
	struct strbuf feature = { .swapped = perf_writer__out(output->writer)->swapped };

	if (!output->deflate)
		return 0;
	feature_encode__compressed(&feature, output->level, (uint32_t)(ratio ? ratio : 1));
	return perf_writer__feature_strbuf(output->writer, FEATURE_COMPRESSED, &feature);
}

/* Sets the event's name if it has none, so that writing the file again makes no difference. */
static int set_event_name(struct perf_attr *attr)
{
	char room[EVENT_NAME_BYTES];
	const char *name = event_names__of(attr, room);

	if (attr->bytes >= ATTR_BYTES_WITH_CONFIG3 && (attr->config3 || attr->config4))
		log__warn("event %s: config3 and config4 left out: unknown to perf 6.1", name);
	return attr->name && *attr->name ? 0 : perf_attrs__name(attr, name, strlen(name));
}

static int copy_event_attr(struct convert_output *output, const struct perf_attr *attr)
{
	struct perf_attr event = *attr;

	retype_events__attr(&output->retype, &event);
	return perf_writer__event(output->writer, &event);
}

/* Writes the events that were added since the last call. */
static int write_new_events(struct convert_output *output, struct perf_attrs *attrs)
{
	int err = 0;

	for (; output->events < attrs->count && !err; output->events++) {
		struct perf_attr *attr = attrs->at[output->events];

		err = set_event_name(attr);
		if (!err)
			err = copy_event_attr(output, attr);
	}
	return err;
}

static int begin_output(struct convert_output *output, struct perf_attrs *attrs)
{
	int err = write_new_events(output, attrs);

	if (err || output->begun)
		return err;
	output->begun = true;
	err = add_empty_hostname(output);
	if (!err)
		err = add_placeholder_formats(output, attrs);
	if (!err)
		err = write_compression(output);
	return err ? err : perf_writer__begin(output->writer);
}

/* ---- records --------------------------------------------------------------------------------- */

static struct strbuf *plain_or_writer(struct convert_output *output)
{
	return output->deflate ? &output->plain : perf_writer__out(output->writer);
}

static int deflate_all(struct convert_output *output)
{
	struct strbuf *out = perf_writer__out(output->writer);
	size_t before = out->count;
	int err;

	if (!output->plain.count)
		return 0;
	if (output->plain.failed)
		return -ENOMEM;
	err = deflate__records(output->deflate, output->plain.bytes, output->plain.count, out);
	output->plain_bytes += output->plain.count;
	output->deflated_bytes += out->count - before;
	output->plain.count = 0;
	return err ? err : perf_writer__commit(output->writer);
}

static int commit_records(struct convert_output *output)
{
	if (!output->deflate)
		return perf_writer__commit(output->writer);
	return output->plain.count < PLAIN_BYTES && !output->plain.failed ? 0 : deflate_all(output);
}

void convert_output__round(struct convert_output *output)
{
	output->rounds += output->begun; /* before the first record it has no effect */
}

static void put_rounds(struct convert_output *output, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		tool_encode__mark(plain_or_writer(output), TOOL_FINISHED_ROUND);
	output->rounds = 0;
}

/* An AUXTRACE record is never compressed, and perf needs an index of their places. */
static int put_auxtrace(struct convert_output *output, const struct perf_entry *entry)
{
	struct strbuf *out = perf_writer__out(output->writer);
	int err = output->deflate ? deflate_all(output) : 0;

	if (err)
		return err;
	store_u64(&output->places, perf_writer__written(output->writer)->bytes + out->count);
	store_u64(&output->places, entry->size);
	output->auxtraces++;
	strbuf__bytes(out, entry->bytes, entry->size);
	if (entry->payload_bytes)
		strbuf__bytes(out, entry->payload, (size_t)entry->payload_bytes);
	return perf_writer__commit(output->writer);
}

/* perf's index of AUXTRACE records: their number, and the place of each. */
static int write_auxtrace_index(struct convert_output *output)
{
	struct strbuf index = { .swapped = output->places.swapped };

	if (!output->auxtraces)
		return 0;
	store_u64(&index, output->auxtraces);
	strbuf__bytes(&index, output->places.bytes, output->places.count);
	index.failed |= output->places.failed;
	return perf_writer__feature_strbuf(output->writer, FEATURE_AUXTRACE, &index);
}

/* Counts the entry if it cannot be written. */
static bool leave_out(struct convert_output *output, const struct perf_entry *entry)
{
	if (entry->type == TOOL_AUXTRACE && entry->payload_bytes && !entry->payload) {
		output->payloads++;
		output->payload_bytes += entry->payload_bytes;
		return true;
	}
	output->unknown += entry->type > MAX_TYPE;
	return entry->type > MAX_TYPE;
}

/* The bytes after the trailer, where stock perf would look for the id, are left out. */
static void put_kernel_record(struct strbuf *out, const struct perf_entry *entry)
{
	size_t size =
		entry->attr ? extent__record(entry->layout, entry->type, entry->bytes, entry->size)
			    : entry->size;

	strbuf__bytes(out, entry->bytes, EXTENT_HEADER_BYTES - sizeof(entry->size));
	store_u16(out, (uint16_t)size);
	strbuf__bytes(out, entry->bytes + EXTENT_HEADER_BYTES, size - EXTENT_HEADER_BYTES);
}

/*
 * Old perfs wrote records such as CPU_MAP with any number of bytes, and perf 7.2 refuses a size
 * that is no multiple of 8.  A kernel record ends with ids: it cannot be padded.
 */
static int put_record(struct strbuf *out, const struct perf_entry *entry)
{
	size_t start = out->count;

	if (entry->type < TOOL_HEADER_ATTR) {
		put_kernel_record(out, entry);
		return 0;
	}
	strbuf__bytes(out, entry->bytes, entry->size);
	if (entry->size % 8 == 0 || entry->size > ENCODE_RECORD_MOST)
		return 0;
	return encode__end(out, start);
}

int convert_output__record(struct convert_output *output, struct perf_attrs *attrs,
			   const struct perf_entry *entry)
{
	struct perf_entry changed = *entry;
	int err = begin_output(output, attrs);

	if (err || leave_out(output, entry) || !retype_events__record(&output->retype, &changed))
		return err;
	put_rounds(output, output->rounds);
	if (entry->type == TOOL_AUXTRACE)
		return put_auxtrace(output, entry);
	err = put_record(plain_or_writer(output), &changed);
	return err ? err : commit_records(output);
}

/* ---- end ------------------------------------------------------------------------------------- */

int convert_output__close(struct convert_output *output, struct perf_attrs *attrs)
{
	uint64_t rounds = output->rounds;
	int err = begin_output(output, attrs);

	if (err)
		return err;
	put_rounds(output, rounds > CLOSING_ROUNDS ? rounds - CLOSING_ROUNDS : 0);
	err = output->deflate ? deflate_all(output) : 0;
	if (!err)
		err = write_auxtrace_index(output);
	if (!err)
		err = write_compression(output);
	return err ? err : perf_writer__close(output->writer);
}

static void report_features(const struct convert_output *output, const char *path)
{
	for (unsigned bit = 0; bit < 256; bit++) {
		const char *name = features__name(bit);

		if (output->features[bit / 64] >> bit % 64 & 1)
			log__warn("%s: feature %u%s%s left out: unknown to perf 6.1", path, bit,
				  name ? " " : "", name ? name : "");
	}
}

void convert_output__report(const struct convert_output *output, const char *path)
{
	uint32_t placeholder_formats =
		output->retype.placeholder_formats + output->placeholder_formats;

	report_features(output, path);
	if (output->leaves_topology_out)
		log__warn("%s: feature 13 CPU_TOPOLOGY left out: perf 6.1 refuses it, since the "
			  "id of a socket is larger than the number of CPUs",
			  path);
	retype_events__report(&output->retype, path);
	if (placeholder_formats && !output->has_formats)
		log__warn("%s: formats of its tracepoints are lost: wrote %u without fields, since "
			  "perf refuses tracepoints without a format",
			  path, placeholder_formats);
	if (output->payloads)
		log__warn("%s: AUXTRACE records left out: %llu with %llu bytes, each larger than "
			  "%u MiB",
			  path, (unsigned long long)output->payloads,
			  (unsigned long long)output->payload_bytes, PERF_PAYLOAD_MAX >> 20);
	if (output->unknown)
		log__warn("%s: records left out: %llu of types unknown to perf 6.1", path,
			  (unsigned long long)output->unknown);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* rewritten.c: records as they are, and around them a file that is made anew. */
#include "perf_data/event_names.h"
#include "perf_data/write/feature_encode.h"
#include "base/internal.h"
#include "convert/placeholder_formats.h"
#include "perf_data/describe/features.h"
#include "perf_data/write/layout.h"
#include "convert/output.h"
#include "base/store.h"
#include "perf_data/write/tool_encode.h"

/* As much as a few records of compressed ones. */
#define PLAIN_BYTES ((size_t)256 << 10)

/* perf 6.1 ends at those of its own types that are newer. */
#define TYPE_MOST TOOL_FINISHED_INIT

/* perf_writer__close() writes so many marks. */
#define CLOSING_ROUNDS 2

#define ATTR_BYTES_WITH_CONFIG3 136

int rewritten__open(struct rewritten *result, int fd, bool swapped, int level)
{
	*result = (struct rewritten){ .level = level,
				      .plain.swapped = swapped,
				      .places.swapped = swapped };
	result->writer = perf_writer__new(fd);
	if (!result->writer)
		return -errno;
	if (swapped)
		perf_writer__swap(result->writer);
	if (!level)
		return 0;
	result->deflate = deflate__new(level);
	return result->deflate ? 0 : -ENOMEM;
}

void rewritten__free(struct rewritten *result)
{
	perf_writer__free(result->writer);
	retyped__free(&result->retyped);
	deflate__free(result->deflate);
	out__free(&result->plain);
	out__free(&result->places);
	*result = (struct rewritten){ 0 };
}

int rewritten__retype(struct rewritten *result, const struct retyped_of *of)
{
	return retyped__make(&result->retyped, of);
}

/* ---- its header ------------------------------------------------------------------------------ */

/* What is only true of the file that it was in; of the events the writer tells by itself. */
static bool is_of_shape(unsigned bit)
{
	return bit == FEATURE_EVENT_DESC || bit == FEATURE_COMPRESSED ||
	       bit == FEATURE_DIR_FORMAT || bit == FEATURE_AUXTRACE;
}

/* Formats that come when events have got theirs are too late. */
int rewritten__feature(struct rewritten *result, const struct perf_feature *feature)
{
	unsigned bit = feature->bit;

	if (!feature->bytes || is_of_shape(bit))
		return 0;
	if (bit == FEATURE_TRACING_DATA && result->retyped.count)
		return -ENOTSUP;
	if (bit == 0 || bit >= PERF_LAYOUT_FEATURES) {
		if (bit < 256)
			result->features[bit / 64] |= 1ULL << bit % 64;
		return 0;
	}
	result->is_named |= bit == FEATURE_HOSTNAME;
	result->has_formats |= bit == FEATURE_TRACING_DATA;
	return perf_writer__feature(result->writer, bit, feature->bytes, feature->bytes_count);
}

static int give(struct rewritten *result, unsigned bit, struct out *bytes)
{
	int err = bytes->failed
			  ? -ENOMEM
			  : perf_writer__feature(result->writer, bit, bytes->bytes, bytes->count);

	out__free(bytes);
	return err;
}

/* perf takes a file of the other byte order that has no name of a host for one of 32 bits. */
static int name_host(struct rewritten *result)
{
	struct out text = { .swapped = true };

	if (!perf_writer__out(result->writer)->swapped || result->is_named)
		return 0;
	feature_encode__text(&text, "");
	return give(result, FEATURE_HOSTNAME, &text);
}

static int replace_formats(struct rewritten *result, const struct perf_attrs *attrs)
{
	struct out formats = { 0 };

	if (result->retyped.count)
		return give(result, FEATURE_TRACING_DATA, &result->retyped.formats);
	if (result->has_formats)
		return 0;
	result->lost_formats = lost_formats__append(&formats, attrs);
	return result->lost_formats || formats.failed ? give(result, FEATURE_TRACING_DATA, &formats)
						      : 0;
}

static int describe_compression(struct rewritten *result)
{
	uint64_t ratio = result->deflated_bytes ? result->plain_bytes / result->deflated_bytes : 1;
	struct out feature = { .swapped = perf_writer__out(result->writer)->swapped };

	if (!result->deflate)
		return 0;
	feature_encode__compressed(&feature, result->level, (uint32_t)(ratio ? ratio : 1));
	return give(result, FEATURE_COMPRESSED, &feature);
}

/* Each with a name, so that it is the same when it is written again. */
static int name_event(struct perf_attr *attr)
{
	char room[EVENT_NAME_BYTES];
	const char *name = event_names__of(attr, room);

	if (attr->bytes >= ATTR_BYTES_WITH_CONFIG3 && (attr->config3 || attr->config4))
		log__warn("event %s: config3 and config4 are left out: perf 6.1 knows none", name);
	return attr->name && *attr->name ? 0 : perf_attrs__name(attr, name, strlen(name));
}

static int add_event(struct rewritten *result, const struct perf_attr *attr)
{
	struct perf_attr event = *attr;

	retyped__attr(&result->retyped, &event);
	return perf_writer__event(result->writer, &event);
}

/* Those that have come since. */
static int add_events(struct rewritten *result, struct perf_attrs *attrs)
{
	int err = 0;

	for (; result->events < attrs->count && !err; result->events++) {
		struct perf_attr *attr = attrs->at[result->events];

		err = name_event(attr);
		if (!err)
			err = add_event(result, attr);
	}
	return err;
}

static int begin(struct rewritten *result, struct perf_attrs *attrs)
{
	int err = add_events(result, attrs);

	if (err || result->begun)
		return err;
	result->begun = true;
	err = name_host(result);
	if (!err)
		err = replace_formats(result, attrs);
	if (!err)
		err = describe_compression(result);
	return err ? err : perf_writer__begin(result->writer);
}

/* ---- records --------------------------------------------------------------------------------- */

static struct out *records_of(struct rewritten *result)
{
	return result->deflate ? &result->plain : perf_writer__out(result->writer);
}

static int deflate_all(struct rewritten *result)
{
	struct out *out = perf_writer__out(result->writer);
	size_t before = out->count;
	int err;

	if (!result->plain.count)
		return 0;
	if (result->plain.failed)
		return -ENOMEM;
	err = deflate__records(result->deflate, result->plain.bytes, result->plain.count, out);
	result->plain_bytes += result->plain.count;
	result->deflated_bytes += out->count - before;
	result->plain.count = 0;
	return err ? err : perf_writer__commit(result->writer);
}

static int commit(struct rewritten *result)
{
	if (!result->deflate)
		return perf_writer__commit(result->writer);
	return result->plain.count < PLAIN_BYTES && !result->plain.failed ? 0 : deflate_all(result);
}

void rewritten__round(struct rewritten *result)
{
	result->rounds += result->begun; /* in front of all records it says nothing */
}

static void put_rounds(struct rewritten *result, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		tool_encode__mark(records_of(result), TOOL_FINISHED_ROUND);
	result->rounds = 0;
}

/* It stands in the file as it is, and perf wants to know where. */
static int put_auxtrace(struct rewritten *result, const struct perf_entry *entry)
{
	struct out *out = perf_writer__out(result->writer);
	int err = result->deflate ? deflate_all(result) : 0;

	if (err)
		return err;
	store_u64(&result->places, perf_writer__written(result->writer)->bytes + out->count);
	store_u64(&result->places, entry->size);
	result->auxtraces++;
	out__bytes(out, entry->bytes, entry->size);
	if (entry->payload_bytes)
		out__bytes(out, entry->payload, (size_t)entry->payload_bytes);
	return perf_writer__commit(result->writer);
}

/* perf's index of them: how many, and where each is. */
static int give_places(struct rewritten *result)
{
	struct out index = { .swapped = result->places.swapped };

	if (!result->auxtraces)
		return 0;
	store_u64(&index, result->auxtraces);
	out__bytes(&index, result->places.bytes, result->places.count);
	index.failed |= result->places.failed;
	return give(result, FEATURE_AUXTRACE, &index);
}

static bool is_left_out(struct rewritten *result, const struct perf_entry *entry)
{
	if (entry->type == TOOL_AUXTRACE && entry->payload_bytes && !entry->payload) {
		result->payloads++;
		result->payload_bytes += entry->payload_bytes;
		return true;
	}
	result->unknown += entry->type > TYPE_MOST;
	return entry->type > TYPE_MOST;
}

int rewritten__record(struct rewritten *result, struct perf_attrs *attrs,
		      const struct perf_entry *entry)
{
	struct perf_entry changed = *entry;
	int err = begin(result, attrs);

	if (err || is_left_out(result, entry) || !retyped__record(&result->retyped, &changed))
		return err;
	put_rounds(result, result->rounds);
	if (entry->type == TOOL_AUXTRACE)
		return put_auxtrace(result, entry);
	out__bytes(records_of(result), changed.bytes, changed.size);
	return commit(result);
}

/* ---- its end --------------------------------------------------------------------------------- */

int rewritten__close(struct rewritten *result, struct perf_attrs *attrs)
{
	uint64_t rounds = result->rounds;
	int err = begin(result, attrs);

	if (err)
		return err;
	put_rounds(result, rounds > CLOSING_ROUNDS ? rounds - CLOSING_ROUNDS : 0);
	err = result->deflate ? deflate_all(result) : 0;
	if (!err)
		err = give_places(result);
	if (!err)
		err = describe_compression(result);
	return err ? err : perf_writer__close(result->writer);
}

static void tell_features(const struct rewritten *result, const char *path)
{
	for (unsigned bit = 0; bit < 256; bit++) {
		const char *name = perf_features__name(bit);

		if (result->features[bit / 64] >> bit % 64 & 1)
			log__warn("%s: left out: the feature %u%s%s, which perf 6.1 does not know",
				  path, bit, name ? ", " : "", name ? name : "");
	}
}

void rewritten__tell(const struct rewritten *result, const char *path)
{
	uint32_t lost_formats = result->retyped.lost_formats + result->lost_formats;

	tell_features(result, path);
	retyped__tell(&result->retyped, path);
	if (lost_formats && !result->has_formats)
		log__warn("%s: the formats of its tracepoints are lost, and perf wants some: it "
			  "has %u that say nothing of what is in them",
			  path, lost_formats);
	if (result->payloads)
		log__warn("%s: left out: %llu records AUXTRACE with %llu bytes, each of more than "
			  "%u MiB",
			  path, (unsigned long long)result->payloads,
			  (unsigned long long)result->payload_bytes, PERF_PAYLOAD_HELD_MAX >> 20);
	if (result->unknown)
		log__warn("%s: left out: %llu records of types that perf 6.1 does not know", path,
			  (unsigned long long)result->unknown);
}

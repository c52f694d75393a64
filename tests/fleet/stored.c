// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stored.c: reads recordings, and counts the events in them by their numbers. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>
#include <linux/perf_event.h>

#include "flood.h"
#include "stored.h"
#include "support/machine/harness.h"
#include "support/perf/perf_magic.h"

/* Records of perf's tools. */
#define HEADER_ATTR  64
#define TRACING_DATA 66
#define AUXTRACE     71
#define COMPRESSED   81
#define COMPRESSED2  83

#define ATTRS_MOST    64
#define INFLATED_MOST (1u << 20)

/* ---- numbers --------------------------------------------------------------------------------- */

/* The numbers of a CPU that were there. */
static struct numbers {
	uint8_t *bits;
	uint64_t room;
	uint64_t end; /* above the greatest one */
} numbers[FLOOD_CPUS];

static void make_room(struct numbers *of, uint64_t number)
{
	uint64_t room = of->room ?: 1 << 16;

	while (room <= number)
		room *= 2;
	if (room == of->room)
		return;
	of->bits = realloc(of->bits, room / 8);
	ck_assert_ptr_nonnull(of->bits);
	memset(of->bits + of->room / 8, 0, (room - of->room) / 8);
	of->room = room;
}

static void note_order(struct stored *stored, struct numbers *of, uint64_t number)
{
	if (number < of->end)
		stored->disordered++;
	else
		of->end = number + 1;
}

static void count_event(struct stored *stored, uint32_t cpu, const struct flood *event)
{
	struct numbers *of = &numbers[cpu];
	uint64_t number = event->number;
	uint8_t bit = (uint8_t)(1u << number % 8);

	ck_assert_uint_eq(event->check, ~number);
	ck_assert_uint_lt(number, UINT64_C(1) << 36);
	make_room(of, number);
	stored->samples++;
	if (of->bits[number / 8] & bit)
		stored->repeated++;
	else
		stored->events++;
	of->bits[number / 8] |= bit;
	note_order(stored, of, number);
}

void stored__free(struct stored *stored)
{
	for (int i = 0; i < FLOOD_CPUS; i++)
		free(numbers[i].bits);
	memset(numbers, 0, sizeof(numbers));
	*stored = (struct stored){ 0 };
}

/* ---- records --------------------------------------------------------------------------------- */

static struct {
	uint64_t id, sample_type;
} attrs[ATTRS_MOST];
static unsigned attr_count;

static ZSTD_DStream *zstd;
static uint8_t *inflated; /* records that were compressed; the last one may continue */
static size_t inflated_count;

static void begin_piece(struct stored *stored)
{
	ck_assert_uint_eq(inflated_count, 0);
	ck_assert(!ZSTD_isError(ZSTD_DCtx_reset(zstd, ZSTD_reset_session_only)));
	attr_count = 0;
	stored->pieces++;
}

static void read_attr(const uint8_t *record, size_t count)
{
	const size_t header = sizeof(struct perf_event_header);
	struct perf_event_attr attr = { 0 };
	uint32_t bytes;

	ck_assert_uint_ge(count, header + PERF_ATTR_SIZE_VER0);
	memcpy(&bytes, record + header + offsetof(struct perf_event_attr, size), sizeof(bytes));
	ck_assert_uint_le(header + bytes, count);
	memcpy(&attr, record + header, bytes < sizeof(attr) ? bytes : sizeof(attr));
	ck_assert_uint_ne(attr.sample_type & PERF_SAMPLE_IDENTIFIER, 0);
	for (size_t at = header + bytes; at + sizeof(uint64_t) <= count; at += sizeof(uint64_t)) {
		ck_assert_uint_lt(attr_count, ATTRS_MOST);
		memcpy(&attrs[attr_count].id, record + at, sizeof(uint64_t));
		attrs[attr_count++].sample_type = attr.sample_type;
	}
}

static uint64_t sample_type_of(uint64_t id)
{
	for (unsigned i = 0; i < attr_count; i++)
		if (attrs[i].id == id)
			return attrs[i].sample_type;
	ck_abort_msg("a sample of an unknown event");
	return 0;
}

/* Fields of 8 bytes before the raw data, in their order. */
static const uint64_t sample_fields[] = {
	PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_IP,	  PERF_SAMPLE_TID,
	PERF_SAMPLE_TIME,	PERF_SAMPLE_ADDR, PERF_SAMPLE_ID,
	PERF_SAMPLE_STREAM_ID,	PERF_SAMPLE_CPU,  PERF_SAMPLE_PERIOD,
};

static void read_sample(struct stored *stored, const uint8_t *record, size_t count)
{
	size_t at = sizeof(struct perf_event_header);
	uint32_t cpu = FLOOD_CPUS, raw_bytes;
	struct flood event;
	uint64_t id, type;

	ck_assert_uint_ge(count, at + sizeof(id));
	memcpy(&id, record + at, sizeof(id));
	type = sample_type_of(id);
	ck_assert_uint_eq(type & (PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN), 0);
	ck_assert_uint_ne(type & PERF_SAMPLE_RAW, 0);
	for (size_t i = 0; i < sizeof(sample_fields) / sizeof(*sample_fields); i++) {
		if (!(type & sample_fields[i]))
			continue;
		ck_assert_uint_le(at + sizeof(uint64_t), count);
		if (sample_fields[i] == PERF_SAMPLE_CPU)
			memcpy(&cpu, record + at, sizeof(cpu));
		at += sizeof(uint64_t);
	}
	ck_assert_uint_lt(cpu, FLOOD_CPUS);
	ck_assert_uint_le(at + sizeof(raw_bytes) + sizeof(event), count);
	memcpy(&raw_bytes, record + at, sizeof(raw_bytes));
	ck_assert_uint_ge(raw_bytes, sizeof(event));
	memcpy(&event, record + at + sizeof(raw_bytes), sizeof(event));
	count_event(stored, cpu, &event);
}

static void inflate(struct stored *stored, const uint8_t *bytes, size_t count);

static void read_record(struct stored *stored, const uint8_t *record, size_t count, uint32_t type)
{
	switch (type) {
	case HEADER_ATTR:
		read_attr(record, count);
		break;
	case PERF_RECORD_SAMPLE:
		read_sample(stored, record, count);
		break;
	case COMPRESSED:
		inflate(stored, record + sizeof(struct perf_event_header),
			count - sizeof(struct perf_event_header));
		break;
	case TRACING_DATA: /* others that more bytes follow */
	case AUXTRACE:
	case COMPRESSED2:
		ck_abort_msg("a record of type %u", type);
	default:
		break;
	}
}

static bool is_piece(const uint8_t *bytes, size_t count)
{
	return count >= 2 * sizeof(perf_magic) && !memcmp(bytes, &perf_magic, sizeof(perf_magic));
}

/* Reads whole records.  Returns the bytes of these. */
static size_t read_records(struct stored *stored, const uint8_t *bytes, size_t count)
{
	struct perf_event_header header;
	uint64_t header_bytes;
	size_t at = 0;

	while (count - at >= sizeof(header)) {
		if (is_piece(bytes + at, count - at)) {
			memcpy(&header_bytes, bytes + at + sizeof(perf_magic),
			       sizeof(header_bytes));
			ck_assert_uint_eq(header_bytes, 2 * sizeof(perf_magic));
			begin_piece(stored);
			at += header_bytes;
			continue;
		}
		memcpy(&header, bytes + at, sizeof(header));
		ck_assert_uint_ge(header.size, sizeof(header));
		if (header.size > count - at)
			break;
		read_record(stored, bytes + at, header.size, header.type);
		at += header.size;
	}
	return at;
}

static void inflate(struct stored *stored, const uint8_t *bytes, size_t count)
{
	ZSTD_inBuffer in = { bytes, count, 0 };
	size_t rest, used;

	do {
		ZSTD_outBuffer out = { inflated, INFLATED_MOST, inflated_count };

		rest = ZSTD_decompressStream(zstd, &out, &in);
		ck_assert_msg(!ZSTD_isError(rest), "%s", ZSTD_getErrorName(rest));
		used = read_records(stored, inflated, out.pos);
		ck_assert(used || out.pos < INFLATED_MOST);
		inflated_count = out.pos - used;
		memmove(inflated, inflated + used, inflated_count);
		rest = out.pos == INFLATED_MOST;
	} while (in.pos < in.size || rest);
}

/* ---- files ----------------------------------------------------------------------------------- */

static size_t read_file(struct stored *stored, const char *path, size_t *count)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	uint8_t *bytes;
	size_t used;

	ck_assert_msg(fd >= 0, "%s: %m", path);
	ck_assert_int_eq(fstat(fd, &status), 0);
	*count = (size_t)status.st_size;
	if (!*count)
		return (size_t)close(fd);
	bytes = mmap(NULL, *count, PROT_READ, MAP_PRIVATE, fd, 0);
	ck_assert_ptr_ne(bytes, MAP_FAILED);
	close(fd);
	zstd = ZSTD_createDStream();
	inflated = malloc(INFLATED_MOST);
	inflated_count = 0;
	ck_assert(zstd && inflated);
	used = read_records(stored, bytes, *count);
	munmap(bytes, *count);
	ZSTD_freeDStream(zstd);
	free(inflated);
	return used;
}

void stored__add_file(struct stored *stored, const char *path)
{
	size_t count, used = read_file(stored, path, &count);

	ck_assert_msg(used == count, "%s: its end is cut", path);
	ck_assert_uint_eq(inflated_count, 0);
}

void stored__add_cut_file(struct stored *stored, const char *path)
{
	size_t count;

	read_file(stored, path, &count);
}

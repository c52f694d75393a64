// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* typed_file.c: writes a perf.data of tracepoints byte by byte. */
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/machine/harness.h"
#include "support/perf/perf_magic.h"
#include "typed_file.h"

#define SAMPLE_TYPE                                                                                \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |           \
	 PERF_SAMPLE_RAW)
#define FIRST_TIME 1000000000ULL
#define STEP	   1000000ULL
#define TASK	   100
#define FILE_MAX   (4 << 20)

/* Features, by their bits. */
enum { TRACING_DATA = 1, HOSTNAME = 3, OSRELEASE, VERSION, ARCH, NRCPUS, CPUDESC };

static uint8_t *memory;
static size_t length;

static void put(const void *bytes, size_t count)
{
	ck_assert_uint_le(count, FILE_MAX - length);
	if (count)
		memcpy(memory + length, bytes, count);
	length += count;
}

static void put_u16(uint16_t value)
{
	put(&value, sizeof(value));
}

static void put_u32(uint32_t value)
{
	put(&value, sizeof(value));
}

static void put_u64(uint64_t value)
{
	put(&value, sizeof(value));
}

static void put_zeroes(size_t count)
{
	while (count--)
		put("", 1);
}

static void put_over(size_t at, uint64_t value)
{
	memcpy(memory + at, &value, sizeof(value));
}

static uint64_t id_of(uint32_t event)
{
	return 1000 + event;
}

static void put_attr(uint32_t event, const struct typed_event *events)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = 128,
		.config = events[event].id,
		.sample_period = 1,
		.sample_type = SAMPLE_TYPE,
		.read_format = PERF_FORMAT_ID,
		.sample_id_all = 1,
	};

	put(&attr, sizeof(attr) < 128 ? sizeof(attr) : 128);
	put_zeroes(sizeof(attr) < 128 ? 128 - sizeof(attr) : 0);
	put_u64(104 + 8 * (uint64_t)event);
	put_u64(8);
}

static void put_record_header(uint32_t type, uint16_t misc, size_t bytes)
{
	ck_assert_uint_le(bytes, UINT16_MAX);
	put_u32(type);
	put_u16(misc);
	put_u16((uint16_t)bytes);
}

static void put_comm(void)
{
	put_record_header(PERF_RECORD_COMM, 0, 8 + 8 + 8 + 32);
	put_u32(TASK);
	put_u32(TASK);
	put("maker\0\0", 8);
	put_u32(TASK);
	put_u32(TASK);
	put_u64(0);
	put_u64(0);
	put_u64(id_of(0));
}

static void put_sample(uint32_t event, const struct typed_event *events)
{
	size_t bytes = 8 + 8 + 8 + 8 + 8 + 4 + events[event].bytes, padding = -bytes % 8;

	put_record_header(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL, bytes + padding);
	put_u64(id_of(event));
	put_u32(TASK);
	put_u32(TASK);
	put_u64(FIRST_TIME + STEP * event);
	put_u64(0);
	put_u32((uint32_t)events[event].bytes);
	put(events[event].payload, events[event].bytes);
	put_zeroes(padding);
}

static void put_text(const char *text)
{
	size_t bytes = strlen(text) + 1, padding = -bytes % 64;

	put_u32((uint32_t)(bytes + padding));
	put(text, bytes);
	put_zeroes(padding);
}

static void put_feature(int bit, const void *tracing, size_t tracing_bytes)
{
	if (bit == TRACING_DATA) {
		put(tracing, tracing_bytes);
	} else if (bit == NRCPUS) {
		put_u32(1);
		put_u32(1);
	} else {
		put_text(bit == ARCH ? "x86_64" : "none");
	}
}

/* perf data convert --to-json needs all of them. */
static void put_features(const void *tracing, size_t tracing_bytes)
{
	static const int bits[] = { TRACING_DATA, HOSTNAME, OSRELEASE, VERSION,
				    ARCH,	  NRCPUS,   CPUDESC };
	const size_t count = sizeof(bits) / sizeof(*bits);
	size_t table = length;
	uint64_t mask = 0;

	put_zeroes(16 * count);
	for (size_t i = 0; i < count; i++) {
		size_t start = length;

		put_feature(bits[i], tracing, tracing_bytes);
		put_over(table + 16 * i, start);
		put_over(table + 16 * i + 8, length - start);
		mask |= 1ULL << bits[i];
	}
	put_over(72, mask);
}

static void put_header(uint32_t count)
{
	put_u64(perf_magic);
	put_u64(104);
	put_u64(128 + 16);
	put_u64(104 + 8 * (uint64_t)count);
	put_u64(144 * (uint64_t)count);
	put_u64(104 + (8 + 144) * (uint64_t)count);
	put_zeroes(104 - length);
}

void typed_file__write(const char *path, const void *tracing, size_t tracing_bytes,
		       const struct typed_event *events, uint32_t count)
{
	FILE *file = fopen(path, "w");
	size_t data;

	memory = memory ?: malloc(FILE_MAX);
	ck_assert(file && memory);
	length = 0;
	put_header(count);
	for (uint32_t i = 0; i < count; i++)
		put_u64(id_of(i));
	for (uint32_t i = 0; i < count; i++)
		put_attr(i, events);
	data = length;
	put_comm();
	for (uint32_t i = 0; i < count; i++)
		put_sample(i, events);
	put_over(48, length - data);
	put_features(tracing, tracing_bytes);
	ck_assert_uint_eq(fwrite(memory, 1, length, file), length);
	ck_assert_int_eq(fclose(file), 0);
}

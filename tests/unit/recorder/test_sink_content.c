// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_sink_content.c: bytes, rounds and times of a recording of events without a schema. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <peat/sink.h>

#include "event/source.h"
#include "perf_data/features.h"
#include "perf_data/read/file.h"
#include "perf_data/tool_record.h"
#include "support/machine/harness.h"
#include "unit/suite.h"

static const char payload[100] = "a hundred bytes";

static struct peat_sink *sink;
static int fd;

static int put_plain(uint64_t time_ns)
{
	struct peat_event event = { .kind = PEAT_EVENT_DATA,
				    .time_ns = time_ns,
				    .pid = 100,
				    .tid = 100,
				    .data = payload,
				    .size = sizeof(payload) };

	return peat_sink__write(sink, &event);
}

/* The first and the last time of the samples, as the file's feature has them. */
static void check_sample_times(struct perf_file *file, uint64_t first, uint64_t last)
{
	struct perf_feature feature = { 0 };
	uint64_t times[2];

	do
		ck_assert_int_eq(perf_file__next_feature(file, &feature), 1);
	while (feature.bit != FEATURE_SAMPLE_TIME);
	ck_assert_uint_eq(feature.bytes_count, sizeof(times));
	memcpy(times, feature.bytes, sizeof(times));
	ck_assert_uint_eq(times[0], first);
	ck_assert_uint_eq(times[1], last);
}

static bool plain_type(struct peat_reader *reader, uint32_t i, struct reader_type *type)
{
	(void)reader;
	*type = (struct reader_type){ .type = 0, .name = "plain" };
	return !i;
}

static int no_stats(const struct peat_reader *reader, struct peat_reader_stats *counts)
{
	(void)reader;
	(void)counts;
	return 0;
}

/* A sink for events without a schema. */
static void open_plain_sink(void)
{
	static const struct source_ops ops = { .type = plain_type, .stats = no_stats };
	static struct peat_reader reader = { .ops = &ops };

	fd = memfd_create("recording", MFD_CLOEXEC);
	sink = peat_sink__new_perf(&reader, fd, NULL);
	ck_assert_ptr_nonnull(sink);
}

static void close_plain_sink(void)
{
	peat_sink__free(sink);
	close(fd);
}

/* Plain bytes are copied; each flush ends a round; late samples count for the times as well. */
START_TEST(test_content)
{
	static const uint64_t times[] = { 20, 10, 30 };
	unsigned samples = 0, rounds = 0;
	struct perf_entry entry;
	struct perf_file *file;
	const char *why;

	open_plain_sink();
	for (unsigned i = 0; i < 3; i++) {
		ck_assert_int_eq(put_plain(times[i]), 0);
		if (i)
			ck_assert_int_eq(peat_sink__flush(sink), 0);
	}
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	ck_assert_int_eq(perf_file__open_fd(&file, fd, &why), 0);
	while (perf_file__next(file, &entry) > 0) {
		struct peat_record record;

		rounds += entry.type == TOOL_FINISHED_ROUND;
		if (entry.type != PEAT_RECORD_SAMPLE)
			continue;
		ck_assert_int_eq(
			peat_record__decode(entry.layout, entry.bytes, entry.size, &record), 1);
		ck_assert_uint_eq(record.time_ns, times[samples++]);
		ck_assert_uint_ge(record.sample.raw_bytes, sizeof(payload));
		ck_assert_mem_eq(record.sample.raw, payload, sizeof(payload));
		ck_assert_uint_eq(rounds, samples / 3);
	}
	ck_assert_uint_eq(samples, 3);
	check_sample_times(file, 10, 30);
	perf_file__close(file);
	close_plain_sink();
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_content);
}

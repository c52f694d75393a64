// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_sink_content.c: records and features of a recording of events without a schema. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <peat/sink.h>

#include "event/source.h"
#include "perf_data/features.h"
#include "perf_data/read/file.h"
#include "perf_data/tool_record.h"
#include "support/machine/harness.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

static const char payload[100] = "a hundred bytes";

static struct peat_sink *sink;
static int fd;
static long blocks;
static struct peat_reader_stats reader_stats;

static int put_named(uint64_t time_ns, const char *comm)
{
	struct peat_event event = { .kind = PEAT_EVENT_DATA,
				    .time_ns = time_ns,
				    .pid = 100,
				    .tid = 100,
				    .comm = comm,
				    .data = payload,
				    .size = sizeof(payload) };

	return peat_sink__write(sink, &event);
}

static int put_plain(uint64_t time_ns)
{
	return put_named(time_ns, NULL);
}

static struct peat_perf_stats stats(void)
{
	struct peat_perf_stats stats = { .sz = sizeof(stats) };

	ck_assert_int_eq(peat_sink__perf_stats(sink, &stats), 0);
	return stats;
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

static void copy_stats(const struct peat_reader *reader, struct peat_reader_stats *counts)
{
	(void)reader;
	*counts = reader_stats;
}

static const struct source_ops ops = { .type = plain_type, .count = copy_stats };
static struct peat_reader reader = { .ops = &ops };

/* A sink for events without a schema. */
static void open_plain_sink(const struct peat_perf_opts *opts)
{
	fd = memfd_create("recording", MFD_CLOEXEC);
	sink = peat_sink__new_perf(&reader, fd, opts);
	ck_assert_ptr_nonnull(sink);
}

static void close_plain_sink(void)
{
	peat_sink__free(sink);
	close(fd);
}

/* The first sink fills the library's caches. */
static void setup(void)
{
	reader_stats = (struct peat_reader_stats){ .lost_is_exact = true };
	open_plain_sink(NULL);
	close_plain_sink();
	blocks = fail_alloc__blocks();
}

/* Each test frees its sink. */
static void teardown(void)
{
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}

/* Plain bytes are copied; each flush ends a round; late samples count for the times as well. */
START_TEST(test_flushes_end_rounds)
{
	static const uint64_t times[] = { 20, 10, 30 };
	unsigned samples = 0, rounds = 0;
	struct perf_entry entry;
	struct perf_file *file;
	const char *why;

	open_plain_sink(NULL);
	for (unsigned i = 0; i < 3; i++) {
		ck_assert_int_eq(put_plain(times[i]), 0);
		if (i)
			ck_assert_int_eq(peat_sink__flush(sink), 0);
	}
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	ck_assert_uint_eq(stats().cut, 0);
	ck_assert_int_eq(perf_file__open_fd(&file, fd, &why), 0);
	while (perf_file__next(file, &entry) > 0) {
		struct peat_record record = { .sz = sizeof(record) };

		rounds += entry.type == TOOL_FINISHED_ROUND;
		if (entry.type != PEAT_RECORD_SAMPLE)
			continue;
		ck_assert_int_eq(
			peat_record__decode(entry.layout, entry.bytes, entry.size, &record), 1);
		ck_assert_uint_eq(record.time_ns, times[samples++]);
		ck_assert_uint_eq(record.misc & PEAT_MISC_CPUMODE_MASK, PEAT_MISC_KERNEL);
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

/* ---- records --------------------------------------------------------------------------------- */

struct found {
	char order[64]; /* S, C, L: sample, name of the thread, loss */
	unsigned count, samples, rounds;
	unsigned rounds_before; /* the newest sample */
	uint64_t lost[64];
	unsigned losses;
};

static void note_record(struct found *found, char letter)
{
	if (found->count + 1 < sizeof(found->order))
		found->order[found->count++] = letter;
}

/* Names of the tasks that run have no time. */
static void count_entry(struct found *found, const struct perf_entry *entry)
{
	struct peat_record record = { .sz = sizeof(record) };

	found->rounds += entry->type == TOOL_FINISHED_ROUND;
	if (!entry->layout ||
	    peat_record__decode(entry->layout, entry->bytes, entry->size, &record) != 1)
		return;
	if (record.type == PEAT_RECORD_SAMPLE) {
		found->samples++;
		found->rounds_before = found->rounds;
		note_record(found, 'S');
	} else if (record.type == PEAT_RECORD_COMM && record.time_ns) {
		note_record(found, 'C');
	} else if (record.type == PEAT_RECORD_LOST_SAMPLES) {
		ck_assert_uint_lt(found->losses, 64);
		found->lost[found->losses++] = record.lost_samples.lost;
		note_record(found, 'L');
	}
}

static struct found read_recording(void)
{
	struct found found = { 0 };
	struct perf_entry entry;
	struct perf_file *file;
	const char *why;

	ck_assert_int_eq(perf_file__open_fd(&file, fd, &why), 0);
	while (perf_file__next(file, &entry) > 0)
		count_entry(&found, &entry);
	perf_file__close(file);
	return found;
}

/*
 * A round ends at a flush, and not at the end of each block in the queue.  A second mark lets
 * readers sort the events before it; a third would be of no use.
 */
START_TEST(test_rounds_end_at_flushes)
{
	struct found found;

	open_plain_sink(NULL);
	for (uint64_t i = 1; i <= 10000; i++)
		ck_assert_int_eq(put_plain(i), 0);
	ck_assert_int_eq(peat_sink__flush(sink), 0);
	ck_assert_int_eq(peat_sink__flush(sink), 0); /* nothing new, but unsorted */
	ck_assert_int_eq(peat_sink__flush(sink), 0); /* no round */
	for (uint64_t i = 1; i <= 10000; i++)
		ck_assert_int_eq(put_plain(10000 + i), 0);
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	found = read_recording();
	ck_assert_uint_eq(found.samples, 20000);
	ck_assert_uint_eq(found.rounds_before, 2);
	close_plain_sink();
}
END_TEST

/* The thread writes flushed events to the file, and counts its bytes. */
START_TEST(test_flushed_bytes)
{
	struct stat begun, status;

	open_plain_sink(NULL);
	ck_assert_int_eq(fstat(fd, &begun), 0);
	ck_assert_int_eq(put_plain(1), 0);
	ck_assert_int_eq(peat_sink__flush(sink), 0);
	while (stats().bytes <= (uint64_t)begun.st_size)
		usleep(1000);
	ck_assert_int_eq(fstat(fd, &status), 0);
	ck_assert_uint_eq(stats().bytes, (uint64_t)status.st_size);
	close_plain_sink();
}
END_TEST

/*
 * The reader counts losses before it reports them as events: the end of the recording has those
 * without an event, but not those before its beginning.
 */
START_TEST(test_losses_of_the_reader)
{
	struct peat_event loss = { .kind = PEAT_EVENT_LOST, .time_ns = 20, .lost = 7 };
	struct found found;

	reader_stats.lost = 5;
	open_plain_sink(NULL);
	ck_assert_int_eq(put_plain(10), 0);
	ck_assert_int_eq(peat_sink__write(sink, &loss), 0);
	ck_assert_int_eq(put_plain(30), 0);
	ck_assert_uint_eq(stats().skipped, 0);
	reader_stats.lost = 5 + 7 + 3;
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	found = read_recording();
	ck_assert_str_eq(found.order, "SLSL");
	ck_assert(found.lost[0] == 7 && found.lost[1] == 3);
	close_plain_sink();
}
END_TEST

/* ---- features -------------------------------------------------------------------------------- */

/* False: the file lacks the feature. */
static bool find_feature(unsigned bit, void *bytes, size_t count)
{
	struct perf_feature feature = { 0 };
	struct perf_file *file;
	const char *why;
	bool found = false;

	ck_assert_int_eq(perf_file__open_fd(&file, fd, &why), 0);
	while (!found && perf_file__next_feature(file, &feature) > 0)
		found = feature.bit == bit;
	if (found) {
		ck_assert_uint_eq(feature.bytes_count, count);
		memcpy(bytes, feature.bytes, count);
	}
	perf_file__close(file);
	return found;
}

/* Version 0, type 1: zstd, level, ratio, bytes of a buffer. */
START_TEST(test_compressed_feature_names_level)
{
	struct peat_perf_opts opts = PEAT_PERF_OPTS_INIT;
	uint32_t words[5];

	opts.level = 3;
	open_plain_sink(&opts);
	ck_assert_int_eq(put_plain(1), 0);
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	ck_assert(find_feature(FEATURE_COMPRESSED, words, sizeof(words)));
	ck_assert(words[0] == 0 && words[1] == 1 && words[2] == 3 && words[3] == 1);
	close_plain_sink();
}
END_TEST

START_TEST(test_no_samples)
{
	uint64_t times[2];

	open_plain_sink(NULL);
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	ck_assert(!find_feature(FEATURE_SAMPLE_TIME, times, sizeof(times)));
	ck_assert(!find_feature(FEATURE_COMPRESSED, times, sizeof(times)));
	ck_assert_uint_eq(read_recording().count, 0);
	close_plain_sink();
}
END_TEST

/* ---- missing memory -------------------------------------------------------------------------- */

/* Writes an event while the next allocation fails.  False: it needed none. */
static bool put_without_memory(uint64_t time_ns, const char *comm)
{
	int err;
	bool failed;

	fail_alloc__begin(1);
	err = put_named(time_ns, comm);
	failed = fail_alloc__end();
	ck_assert_int_eq(err, 0);
	return failed;
}

/* An event without memory for it is lost, and counted; later events are written. */
START_TEST(test_no_memory_for_events)
{
	bool failed = false;
	uint64_t times[2], lost = 0;
	struct found found;

	open_plain_sink(NULL);
	if (put_without_memory(1, NULL)) /* lost: not the first sample */
		ck_assert_uint_eq(stats().lost, 1);
	for (unsigned i = 0; i < 50; i++) {
		uint64_t lost_before = stats().lost;
		bool fails = put_without_memory(500, NULL);

		failed |= fails;
		ck_assert(fails || stats().lost == lost_before);
	}
	ck_assert(failed == (stats().lost > 0));
	ck_assert_int_eq(put_plain(600), 0);
	ck_assert_uint_eq(stats().events + stats().lost, 52);
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	found = read_recording();
	for (unsigned i = 0; i < found.losses; i++)
		lost += found.lost[i];
	ck_assert_uint_eq(lost, stats().lost);
	ck_assert_uint_eq(found.samples, stats().events);
	ck_assert(find_feature(FEATURE_SAMPLE_TIME, times, sizeof(times)));
	ck_assert(times[0] == (stats().lost ? 500 : 1) && times[1] == 600);
	close_plain_sink();
}
END_TEST

/* A name that could not be written is tried again. */
START_TEST(test_no_memory_for_a_name)
{
	bool failed;

	open_plain_sink(NULL);
	failed = put_without_memory(10, "name");
	ck_assert_int_eq(put_named(20, "name"), 0);
	ck_assert_int_eq(put_named(30, "name"), 0);
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	ck_assert_str_eq(read_recording().order, failed ? "SCSS" : "CSSS");
	close_plain_sink();
}
END_TEST

/* An EXIT that finds no memory to be delayed is written all the same. */
START_TEST(test_no_memory_for_an_exit)
{
	const struct peat_record exit = { .type = PEAT_RECORD_EXIT, .task = { 7, 1, 7, 1, 10 } };
	const struct peat_event event = { .kind = PEAT_EVENT_RECORD,
					  .time_ns = 10,
					  .record = &exit };

	open_plain_sink(NULL);
	fail_alloc__begin(1);
	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
	fail_alloc__end();
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	ck_assert_uint_eq(stats().records, 1);
	close_plain_sink();
}
END_TEST

/* Without /proc, which has any number of tasks, a sink needs few allocations. */
START_TEST(test_no_memory_to_open)
{
	int root = open("/", O_PATH | O_CLOEXEC);
	bool failed = !chroot("/proc/self/fdinfo"); /* needs root */

	fd = memfd_create("recording", MFD_CLOEXEC);
	for (unsigned nth = 1; failed && nth < 100; nth++) {
		long before = fail_alloc__blocks();
		int err;

		ck_assert_int_eq(ftruncate(fd, 0), 0);
		ck_assert_int_eq(lseek(fd, 0, SEEK_SET), 0);
		fail_alloc__begin(nth);
		sink = peat_sink__new_perf(&reader, fd, NULL);
		err = errno;
		failed = fail_alloc__end();
		ck_assert(sink || (failed && err == ENOMEM));
		peat_sink__free(sink);
		ck_assert_int_eq(fail_alloc__blocks(), before);
	}
	ck_assert(!fchdir(root) && (!chroot(".") || errno == EPERM));
	close(root);
	close(fd);
}
END_TEST

/* The end of a recording fails, or is whole. */
START_TEST(test_no_memory_to_finish)
{
	bool failed = true;

	for (unsigned nth = 1; failed && nth < 100; nth++) {
		uint64_t times[2];
		int err;

		open_plain_sink(NULL);
		ck_assert_int_eq(put_plain(1), 0);
		reader_stats.lost++;
		fail_alloc__begin(nth);
		err = peat_sink__finish(sink);
		failed = fail_alloc__end();
		ck_assert(!err || (failed && err == -ENOMEM));
		if (!err) {
			ck_assert(find_feature(FEATURE_SAMPLE_TIME, times, sizeof(times)));
			ck_assert_str_eq(read_recording().order, "SL");
		}
		close_plain_sink();
	}
}
END_TEST

/* A process without stdin gets 0 for its file. */
START_TEST(test_fd_zero)
{
	open_plain_sink(NULL);
	peat_sink__free(sink);
	ck_assert_int_eq(ftruncate(fd, 0), 0);
	ck_assert_int_eq(dup2(fd, 0), 0);
	sink = peat_sink__new_perf(&reader, 0, NULL);
	ck_assert_ptr_nonnull(sink);
	close_plain_sink();
}
END_TEST

SUITE(30)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_flushes_end_rounds);
	tcase_add_test(tests, test_rounds_end_at_flushes);
	tcase_add_test(tests, test_flushed_bytes);
	tcase_add_test(tests, test_losses_of_the_reader);
	tcase_add_test(tests, test_compressed_feature_names_level);
	tcase_add_test(tests, test_no_samples);
	tcase_add_test(tests, test_no_memory_for_events);
	tcase_add_test(tests, test_no_memory_for_a_name);
	tcase_add_test(tests, test_no_memory_for_an_exit);
	tcase_add_test(tests, test_no_memory_to_open);
	tcase_add_test(tests, test_no_memory_to_finish);
	tcase_add_test(tests, test_fd_zero);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_writer_edges.c: exact sizes, large and late events, full pipes, no memory. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/store.h"
#include "record/attr_encode.h"
#include "perf_data/features.h"
#include "perf_data/header.h"
#include "perf_data/write/tool_encode.h"
#include "unit/fail_alloc.h"
#include "unit/perf_data/read/perf_tally.h"
#include "unit/perf_data/write/image.h"
#include "unit/suite.h"
#include "support/recording/written.h"

static long blocks;

static void setup(void)
{
	blocks = fail_alloc__blocks();
}

/* Each test frees its writers. */
static void teardown(void)
{
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}

/* ---- exact sizes ----------------------------------------------------------------------------- */

#define WRITE_BYTES ((size_t)256 << 10)

static void put_rounds(struct perf_writer *writer, size_t bytes)
{
	for (; bytes; bytes -= 8)
		tool_encode__mark(perf_writer__out(writer), TOOL_FINISHED_ROUND);
}

/* A commit writes as soon as 256 KiB are there, all at once. */
START_TEST(test_commit_writes_full_buffers)
{
	struct perf_writer *writer = perf_writer__new(new_file());
	const struct perf_written *so = perf_writer__written(writer);
	uint64_t begun;

	ck_assert_int_eq(perf_writer__begin(writer), 0);
	begun = so->bytes;
	ck_assert_uint_eq(so->writes, 1);
	put_rounds(writer, WRITE_BYTES - 16);
	ck_assert_int_eq(perf_writer__commit(writer), 0);
	ck_assert_uint_eq(so->bytes, begun);
	ck_assert_int_eq(perf_writer__round(writer), 0);
	ck_assert_uint_eq(so->bytes, begun);
	ck_assert_int_eq(perf_writer__round(writer), 0);
	ck_assert_uint_eq(so->bytes, begun + WRITE_BYTES);
	ck_assert_uint_eq(so->writes, 2);
	ck_assert_uint_eq(perf_writer__out(writer)->count, 0);
	ck_assert_int_eq(perf_writer__flush(writer), 0);
	ck_assert_uint_eq(so->writes, 2);
	perf_writer__free(writer);
}
END_TEST

/* Only an empty file from its start can be closed. */
START_TEST(test_not_from_the_start)
{
	int fd = new_file(), ours = dup(fd);
	struct perf_writer *writer;
	uint8_t byte;

	ck_assert_int_eq(lseek(fd, 8, SEEK_SET), 8);
	writer = perf_writer__new(fd);
	ck_assert_int_eq(perf_writer__begin(writer), 0);
	ck_assert_int_eq(perf_writer__close(writer), 0);
	ck_assert_int_eq(fcntl(fd, F_GETFD), -1);
	ck_assert(!perf_writer__written(writer)->closed);
	perf_writer__free(writer);
	ck_assert_int_eq(pread(ours, &byte, 1, 8), 1);
	ck_assert_int_eq(byte, 'P');

	ck_assert_int_eq(lseek(ours, 0, SEEK_SET), 0);
	fd = dup(ours);
	writer = perf_writer__new(fd);
	ck_assert_int_eq(perf_writer__begin(writer), 0);
	perf_writer__free(writer);
	ck_assert_int_eq(fcntl(fd, F_GETFD), -1);
	ck_assert_int_eq(pread(ours, &byte, 1, 0), 1);
	ck_assert_int_eq(byte, 'P');
	ck_assert_int_gt(lseek(ours, 0, SEEK_CUR), 0);
	close(ours);
}
END_TEST

/* A process without stdin gets 0 for its file. */
START_TEST(test_fd_zero)
{
	for (int closes = 0; closes < 2; closes++) {
		int ours = new_file();
		struct perf_writer *writer = perf_writer__new(dup2(ours, 0));

		ck_assert_ptr_nonnull(writer);
		ck_assert_int_eq(perf_writer__begin(writer), 0);
		if (closes)
			ck_assert_int_eq(perf_writer__close(writer), 0);
		ck_assert_int_eq(perf_writer__written(writer)->closed, closes);
		perf_writer__free(writer);
		ck_assert_int_eq(fcntl(0, F_GETFD), -1);
		close(ours);
	}
}
END_TEST

/* An error of close(2) is returned, but not instead of an error before it. */
START_TEST(test_errors_of_close)
{
	int fd = new_file();
	struct perf_writer *writer = perf_writer__new(fd);

	ck_assert_int_eq(perf_writer__begin(writer), 0);
	close(fd);
	ck_assert_int_eq(perf_writer__close(writer), -EBADF);
	perf_writer__free(writer);
	fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
	writer = perf_writer__new(fd);
	ck_assert_int_eq(perf_writer__begin(writer), -ENOSPC);
	close(fd);
	ck_assert_int_eq(perf_writer__close(writer), -ENOSPC);
	perf_writer__free(writer);
}
END_TEST

#define MANY_IDS (TOOL_ENCODE_IDS_MOST + 100)

/* A growing file has the first ids, a closed one has all; a pipe needs all in its record. */
START_TEST(test_many_ids)
{
	uint64_t *ids = calloc(MANY_IDS, sizeof(*ids));
	struct perf_attr attr = attr_encode__bpf_output();
	int fd = new_file(), ours = dup(fd), ends[2];
	struct perf_writer *writer = perf_writer__new(fd);
	struct perf_file *file;
	struct image image;
	const char *why;

	for (uint32_t i = 0; i < MANY_IDS; i++)
		ids[i] = i + 1;
	attr.name = (char *)"a name";
	attr.ids = ids;
	attr.ids_count = MANY_IDS;
	ck_assert_int_eq(perf_writer__event(writer, &attr), 0);
	ck_assert_int_eq(perf_writer__begin(writer), 0);
	image = take_image(ours);
	ck_assert_int_eq(perf_file__open_memory(&file, image.bytes, image.count, true, &why), 0);
	ck_assert_int_eq(read_file(file).end.how, PERF_END_WHOLE);
	ck_assert_uint_eq(perf_file__attrs(file)->at[0]->ids_count, TOOL_ENCODE_IDS_MOST);
	ck_assert_str_eq(perf_file__attrs(file)->at[0]->name, "a name");
	perf_file__close(file);
	free(image.bytes);
	ck_assert_int_eq(perf_writer__close(writer), 0);
	perf_writer__free(writer);
	ck_assert_int_eq(perf_file__open_fd(&file, ours, &why), 0);
	ck_assert_uint_eq(perf_file__attrs(file)->at[0]->ids_count, MANY_IDS);
	perf_file__close(file);

	ck_assert_int_eq(pipe(ends), 0);
	writer = perf_writer__new(ends[1]);
	ck_assert_int_eq(perf_writer__event(writer, &attr), 0);
	ck_assert_int_eq(perf_writer__begin(writer), -E2BIG);
	ck_assert_int_eq(perf_writer__close(writer), -E2BIG);
	ck_assert_uint_eq(perf_writer__written(writer)->bytes, 0);
	perf_writer__free(writer);
	close(ends[0]);
	free(ids);
	close(ours);
}
END_TEST

/* Both records of an event, or none; the file stays as good as it was. */
START_TEST(test_late_event_too_large)
{
	struct perf_attr late = attr_encode__bpf_output();
	struct written written;
	char *name = malloc(70000);
	uint64_t id = 4711;
	size_t before;

	memset(name, 'n', 69999);
	name[69999] = '\0';
	ck_assert_int_eq(written__begin(&written, new_file(), false), 0);
	ck_assert_int_eq(written__samples(&written, 10), 0);
	before = perf_writer__out(written.writer)->count;
	late.name = name;
	late.ids = &id;
	late.ids_count = 1;
	ck_assert_int_eq(perf_writer__event(written.writer, &late), -E2BIG);
	ck_assert_uint_eq(perf_writer__out(written.writer)->count, before);
	ck_assert_int_eq(written__samples(&written, 10), 0);
	ck_assert_int_eq(perf_writer__flush(written.writer), 0);
	written__free(&written);
	free(name);
}
END_TEST

/* Several late events of both byte orders: those in the file are hidden, and in the header. */
static void check_late_events(bool swapped)
{
	struct perf_attr late = attr_encode__bpf_output();
	int fd = new_file(), ours = dup(fd);
	struct perf_writer *writer = perf_writer__new(fd);
	struct perf_file *file;
	struct tally tally;
	struct image image;
	const char *why;
	uint64_t id = 1;

	if (swapped)
		perf_writer__swap(writer);
	late.ids = &id;
	late.ids_count = 1;
	ck_assert_int_eq(perf_writer__event(writer, &late), 0);
	ck_assert_int_eq(perf_writer__begin(writer), 0);
	for (id = 2; id <= 5; id++) {
		late.name = id % 2 ? (char *)"odd" : NULL;
		ck_assert_int_eq(perf_writer__event(writer, &late), 0);
	}
	ck_assert_int_eq(perf_writer__close(writer), 0);
	perf_writer__free(writer);
	image = take_image(ours);
	ck_assert_int_eq(image.bytes[0] == 'P',
			 swapped == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__));
	tally = read_bytes(image.bytes, image.count, true);
	ck_assert_int_eq(tally.end.how, PERF_END_WHOLE);
	ck_assert_uint_eq(tally.types[TOOL_HEADER_ATTR], 0);
	ck_assert_uint_eq(tally.types[TOOL_EVENT_UPDATE], 2);
	ck_assert_uint_eq(tally.types[TOOL_EVENT_TYPE], 4);
	ck_assert_int_eq(perf_file__open_memory(&file, image.bytes, image.count, true, &why), 0);
	ck_assert_uint_eq(perf_file__attrs(file)->count, 5);
	for (uint32_t i = 0; i < 5; i++)
		ck_assert_uint_eq(perf_file__attrs(file)->at[i]->ids[0], i + 1);
	perf_file__close(file);
	free(image.bytes);
	close(ours);
}

START_TEST(test_late_events)
{
	check_late_events(false);
	check_late_events(true);
}
END_TEST

static void limit_file(uint64_t bytes)
{
	struct rlimit limit = { bytes, RLIM_INFINITY };

	signal(SIGXFSZ, SIG_IGN);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* There is room for 50 records of 8 bytes and a half; `kept` are kept, and the others are lost. */
static void check_full(int flags, unsigned kept)
{
	int fd = new_file();
	struct perf_writer *writer;
	const struct perf_written *so;
	uint64_t begun;

	ck_assert_int_eq(fcntl(fd, F_SETFL, flags), 0);
	writer = perf_writer__new(fd);
	so = perf_writer__written(writer);
	ck_assert_int_eq(perf_writer__begin(writer), 0);
	begun = so->bytes;
	put_rounds(writer, 800);
	limit_file(begun + 404);
	ck_assert_int_eq(perf_writer__flush(writer), -EFBIG);
	limit_file(RLIM_INFINITY);
	ck_assert_uint_eq(so->bytes, begun + kept * 8);
	ck_assert_uint_eq(so->lost_bytes, 800 - kept * 8);
	perf_writer__free(writer);
}

/* 384 bytes are left for the end of a file, but a stream has no end. */
START_TEST(test_full_disk_keeps_samples)
{
	check_full(0, 2);
	check_full(O_APPEND, 50);
}
END_TEST

/* A late event that is not in the file has no record to hide: the end of the file is there. */
START_TEST(test_late_event_lost)
{
	struct perf_attr late = attr_encode__bpf_output();
	int fd = new_file(), ours = dup(fd);
	struct perf_writer *writer = perf_writer__new(fd);
	struct perf_feature feature = { 0 };
	struct perf_file *file;
	const char *why;
	uint64_t id = 1;

	late.ids = &id;
	late.ids_count = 1;
	ck_assert_int_eq(perf_writer__event(writer, &late), 0);
	ck_assert_int_eq(perf_writer__begin(writer), 0);
	id = 2;
	ck_assert_int_eq(perf_writer__event(writer, &late), 0);
	limit_file(perf_writer__written(writer)->bytes);
	ck_assert_int_eq(perf_writer__flush(writer), -EFBIG);
	limit_file(RLIM_INFINITY);
	ck_assert_int_eq(perf_writer__feature(writer, FEATURE_HOSTNAME, "the host", 8), 0);
	ck_assert_int_eq(perf_writer__close(writer), -EFBIG);
	ck_assert(perf_writer__written(writer)->closed);
	perf_writer__free(writer);
	ck_assert_int_eq(perf_file__open_fd(&file, ours, &why), 0);
	ck_assert_uint_eq(perf_file__attrs(file)->count, 2);
	for (uint32_t i = 0; i < 2; i++) {
		ck_assert_uint_eq(perf_file__attrs(file)->at[i]->type, late.type);
		ck_assert_uint_eq(perf_file__attrs(file)->at[i]->ids[0], i + 1);
	}
	ck_assert_int_eq(perf_file__next_feature(file, &feature), 1);
	ck_assert_uint_eq(feature.bit, FEATURE_HOSTNAME);
	ck_assert_mem_eq(feature.bytes, "the host", 8);
	perf_file__close(file);
	close(ours);
}
END_TEST

/* ---- build ids ------------------------------------------------------------------------------- */

static void put_build_id(struct strbuf *out, uint16_t size)
{
	store_u32(out, 0);
	store_u16(out, 2);
	store_u16(out, size);
	strbuf__fill(out, 'b', size - 8u);
}

/* Build ids of `bytes`: in a pipe each whole one is a record; in a file they are a feature. */
static void check_build_ids(const struct strbuf *bytes, bool swapped, unsigned records)
{
	int fd = new_file(), ours = dup(fd);
	struct perf_feature feature = { 0 };
	struct perf_writer *writer = perf_writer__new(fd);
	struct perf_file *file;
	struct image image;
	struct tally tally;
	const char *why;

	ck_assert_int_eq(perf_writer__feature(writer, FEATURE_BUILD_ID, bytes->bytes, bytes->count),
			 0);
	ck_assert_int_eq(perf_writer__begin(writer), 0);
	ck_assert_int_eq(perf_writer__close(writer), 0);
	perf_writer__free(writer);
	image = take_image(ours);
	ck_assert_uint_eq(read_bytes(image.bytes, image.count, true).types[TOOL_BUILD_ID], 0);
	ck_assert_int_eq(perf_file__open_memory(&file, image.bytes, image.count, true, &why), 0);
	ck_assert_int_eq(perf_file__next_feature(file, &feature), 1);
	ck_assert_uint_eq(feature.bit, FEATURE_BUILD_ID);
	ck_assert_uint_eq(feature.bytes_count, bytes->count);
	perf_file__close(file);
	free(image.bytes);

	ck_assert_int_eq(ftruncate(ours, 0), 0);
	fd = dup(ours);
	ck_assert_int_eq(fcntl(fd, F_SETFL, O_APPEND), 0);
	writer = perf_writer__new(fd);
	if (swapped)
		perf_writer__swap(writer);
	ck_assert_int_eq(perf_writer__feature(writer, FEATURE_BUILD_ID, bytes->bytes, bytes->count),
			 0);
	ck_assert_int_eq(perf_writer__begin(writer), 0);
	perf_writer__free(writer);
	image = take_image(ours);
	tally = read_bytes(image.bytes, image.count, false);
	ck_assert_int_eq(tally.end.how, PERF_END_WHOLE);
	ck_assert_uint_eq(tally.types[TOOL_BUILD_ID], records);
	free(image.bytes);
	close(ours);
}

START_TEST(test_build_ids)
{
	for (unsigned swapped = 0; swapped < 2; swapped++) {
		struct strbuf ids = { .swapped = swapped };

		put_build_id(&ids, 40);
		put_build_id(&ids, 8);
		put_build_id(&ids, 48);
		check_build_ids(&ids, swapped, 3);
		put_build_id(&ids, 41);
		put_build_id(&ids, 40);
		check_build_ids(&ids, swapped, 3);
		ids.count = 40 + 8 + 47;
		check_build_ids(&ids, swapped, 2);
		ids.count = 40;
		store_u64(&ids, 0);
		check_build_ids(&ids, swapped, 1);
		strbuf__free(&ids);
	}
}
END_TEST

/* ---- features of a pipe -----------------------------------------------------------------------
 */

static void write_features(int fd)
{
	struct perf_attr attr = attr_encode__bpf_output();
	struct perf_writer *writer = perf_writer__new(fd);

	ck_assert_int_eq(perf_writer__event(writer, &attr), 0);
	ck_assert_int_eq(perf_writer__feature(writer, FEATURE_NRCPUS, "8 bytes!", 8), 0);
	ck_assert_int_eq(perf_writer__feature(writer, FEATURE_CPUDESC, "", 0), 0);
	ck_assert_int_eq(perf_writer__feature(writer, FEATURE_CPU_TOPOLOGY, "12 bytes....", 12), 0);
	ck_assert_int_eq(perf_writer__begin(writer), 0);
	ck_assert_int_eq(tool_encode__mark(perf_writer__out(writer), TOOL_FINISHED_INIT), 0);
	ck_assert_int_eq(perf_writer__close(writer), 0);
	perf_writer__free(writer);
}

/* The topology has no padding, the empty feature no record, and the records after them are aligned.
 */
START_TEST(test_features_of_pipe)
{
	static const struct {
		uint64_t id;
		size_t bytes; /* 0: any */
	} wanted[] = { { FEATURE_NRCPUS, 8 },
		       { FEATURE_CPU_TOPOLOGY, 12 },
		       { FEATURE_EVENT_DESC, 0 } };
	int fd = new_file(), ours = dup(fd);
	struct tool_feature feature;
	struct perf_entry entry;
	struct tool_record rec;
	struct perf_file *file;
	struct image image;
	const char *why;
	size_t seen = 0;

	ck_assert_int_eq(fcntl(fd, F_SETFL, O_APPEND), 0);
	write_features(fd);
	image = take_image(ours);
	ck_assert_int_eq(perf_file__open_memory(&file, image.bytes, image.count, false, &why), 0);
	while (perf_file__next(file, &entry) > 0) {
		if (entry.type == TOOL_FINISHED_INIT)
			ck_assert_uint_eq(entry.offset % 8, 0);
		if (entry.type != TOOL_FEATURE)
			continue;
		ck_assert_uint_lt(seen, sizeof(wanted) / sizeof(*wanted));
		ck_assert_int_eq(tool_record__parse(entry.bytes, entry.size, false, &rec), 0);
		ck_assert_int_eq(tool_record__feature(&rec, &feature), 0);
		ck_assert_uint_eq(feature.id, wanted[seen].id);
		ck_assert(!wanted[seen].bytes || feature.bytes == wanted[seen].bytes);
		seen++;
	}
	ck_assert_uint_eq(seen, sizeof(wanted) / sizeof(*wanted));
	ck_assert_int_eq(perf_file__end(file)->how, PERF_END_WHOLE);
	perf_file__close(file);
	free(image.bytes);
	close(ours);
}
END_TEST

/* perf gives a name without an id to the first event: no other event's name is written. */
START_TEST(test_names_without_ids)
{
	int fd = new_file(), ours = dup(fd);
	struct perf_attr attr = attr_encode__bpf_output();
	struct perf_writer *writer;
	struct perf_entry entry;
	struct perf_file *file;
	struct image image;
	struct tally tally;
	const char *why;
	uint64_t id;

	ck_assert_int_eq(fcntl(fd, F_SETFL, O_APPEND), 0);
	writer = perf_writer__new(fd);
	attr.name = (char *)"one";
	ck_assert_int_eq(perf_writer__event(writer, &attr), 0);
	attr.name = (char *)"two";
	ck_assert_int_eq(perf_writer__event(writer, &attr), 0);
	ck_assert_int_eq(perf_writer__begin(writer), 0);
	perf_writer__free(writer);
	image = take_image(ours);
	tally = read_bytes(image.bytes, image.count, false);
	ck_assert_uint_eq(tally.types[TOOL_HEADER_ATTR], 2);
	ck_assert_uint_eq(tally.types[TOOL_EVENT_UPDATE], 1);
	ck_assert_int_eq(perf_file__open_memory(&file, image.bytes, image.count, false, &why), 0);
	do
		ck_assert_int_eq(perf_file__next(file, &entry), 1);
	while (entry.type != TOOL_EVENT_UPDATE);
	memcpy(&id, entry.bytes + 16, sizeof(id));
	ck_assert_uint_eq(id, 0);
	perf_file__close(file);
	free(image.bytes);
	close(ours);
}
END_TEST

/* ---- pipes that are full, memory that is missing ----------------------------------------------
 */

/* Somebody made the pipe non-blocking: the writer waits until there is room. */
START_TEST(test_full_pipe)
{
	int copy = new_file(), ends[2];
	struct written written;
	struct image image;
	struct tally tally;
	pid_t child;

	ck_assert_int_eq(pipe(ends), 0);
	child = fork();
	ck_assert_int_ge(child, 0);
	if (!child) {
		char bytes[4096];
		ssize_t count;

		close(ends[1]);
		usleep(200000);
		while ((count = read(ends[0], bytes, sizeof(bytes))) > 0)
			if (write(copy, bytes, (size_t)count) != count)
				_exit(1);
		_exit(0);
	}
	close(ends[0]);
	ck_assert_int_eq(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
	ck_assert_int_eq(written__begin(&written, ends[1], false), 0);
	ck_assert_int_eq(written__samples(&written, 5000), 0);
	ck_assert_int_eq(perf_writer__flush(written.writer), 0);
	ck_assert_uint_lt(perf_writer__written(written.writer)->writes, 1000);
	ck_assert_int_eq(perf_writer__close(written.writer), 0);
	ck_assert_int_eq(waitpid(child, NULL, 0), child);
	image = take_image(copy);
	tally = read_bytes(image.bytes, image.count, false);
	ck_assert_int_eq(tally.end.how, PERF_END_WHOLE);
	ck_assert_uint_eq(tally.of[0], 5000);
	ck_assert_uint_eq(image.count, perf_writer__written(written.writer)->bytes);
	free(image.bytes);
	written__free(&written);
	close(copy);
}
END_TEST

/* The first error of two events, a feature, and records with a late event. */
static int write_all(int fd, const struct strbuf *records)
{
	struct perf_attr attr = attr_encode__bpf_output();
	struct perf_writer *writer = perf_writer__new(fd);
	uint64_t id = 1;
	int err;

	if (!writer)
		return -errno;
	attr.name = (char *)"a name";
	attr.ids = &id;
	attr.ids_count = 1;
	perf_writer__event(writer, &attr);
	perf_writer__feature(writer, FEATURE_HOSTNAME, "host", 4);
	err = perf_writer__begin(writer);
	id = 2;
	if (!err)
		err = perf_writer__event(writer, &attr);
	strbuf__bytes(perf_writer__out(writer), records->bytes, records->count);
	if (!err)
		err = perf_writer__flush(writer);
	if (!err)
		err = perf_writer__close(writer);
	else
		ck_assert(perf_writer__close(writer) == err || perf_writer__written(writer)->bytes);
	perf_writer__free(writer);
	return err;
}

/* Memory is missing anywhere: the writer fails, or the file is whole. */
START_TEST(test_no_memory)
{
	struct strbuf records = { 0 };
	unsigned failures = 0;
	bool failed;

	strbuf__fill(&records, 0, 5000);
	for (size_t at = 0; at < records.count; at += 8) {
		records.bytes[at] = TOOL_FINISHED_ROUND;
		records.bytes[at + 6] = 8;
	}
	for (unsigned nth = 1; nth; nth = failed ? nth + 1 : 0) {
		int fd = new_file(), ours = dup(fd), err;
		struct tally tally;
		struct image image;

		fail_alloc__begin(nth);
		err = write_all(fd, &records);
		failed = fail_alloc__end();
		image = take_image(ours);
		ck_assert(err == 0 || (failed && err == -ENOMEM));
		failures += err != 0;
		if (!err) {
			tally = read_bytes(image.bytes, image.count, true);
			ck_assert_int_eq(tally.end.how, PERF_END_WHOLE);
			ck_assert_uint_eq(tally.types[TOOL_EVENT_TYPE], 1);
			ck_assert_ptr_nonnull(memmem(image.bytes, image.count, "host", 4));
		}
		free(image.bytes);
		close(ours);
	}
	if (failures)
		ck_assert_uint_gt(failures, 10);
	strbuf__free(&records);
}
END_TEST

/* Without memory for a late event, neither of its records is written. */
START_TEST(test_no_memory_for_late_event)
{
	struct perf_attr late = attr_encode__bpf_output();
	bool failed = true;
	uint64_t id = 1;

	late.name = (char *)"late";
	late.ids = &id;
	late.ids_count = 1;
	for (unsigned nth = 1; failed; nth++) {
		struct perf_writer *writer = perf_writer__new(new_file());
		int err;

		ck_assert_int_eq(perf_writer__begin(writer), 0);
		fail_alloc__begin(nth);
		err = perf_writer__event(writer, &late);
		failed = fail_alloc__end();
		ck_assert_int_eq(err, failed ? -ENOMEM : 0);
		ck_assert_int_eq(perf_writer__out(writer)->count > 0, !err);
		perf_writer__free(writer);
	}
}
END_TEST

SUITE(60)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_commit_writes_full_buffers);
	tcase_add_test(tests, test_not_from_the_start);
	tcase_add_test(tests, test_fd_zero);
	tcase_add_test(tests, test_errors_of_close);
	tcase_add_test(tests, test_many_ids);
	tcase_add_test(tests, test_late_event_too_large);
	tcase_add_test(tests, test_late_events);
	tcase_add_test(tests, test_full_disk_keeps_samples);
	tcase_add_test(tests, test_late_event_lost);
	tcase_add_test(tests, test_build_ids);
	tcase_add_test(tests, test_features_of_pipe);
	tcase_add_test(tests, test_names_without_ids);
	tcase_add_test(tests, test_full_pipe);
	tcase_add_test(tests, test_no_memory);
	tcase_add_test(tests, test_no_memory_for_late_event);
}

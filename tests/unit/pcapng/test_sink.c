// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_sink.c: the files that the pcapng sink makes of events. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <net/if.h>
#include <sys/mman.h>

#include <peat/pcapng.h>
#include <peat/peat.h>

#include "replay/recorded.h"
#include "support/recording/pcapng_read.h"
#include "unit/fail_alloc.h"
#include "unit/print/sink_output.h"
#include "unit/suite.h"

#define BLOCKS_MAX 64
#define FILE_MOST  (1 << 20)
#define WALL	   1700000000000000000
#define COMMENT	   1
#define FLAGS	   2

struct packet {
	uint32_t direction, ifindex, bytes;
	uint8_t data[16];
};

static const struct peat_name directions[] = { { 0, "in" }, { 1, "out" } };

static struct peat_field fields[] = {
	FIELD(struct packet, direction, PEAT_FIELD_ENUM, .names = directions, .name_count = 2),
	FIELD(struct packet, ifindex, PEAT_FIELD_UNSIGNED),
	FIELD(struct packet, bytes, PEAT_FIELD_UNSIGNED),
	FIELD(struct packet, data, PEAT_FIELD_BYTES),
};
static const struct peat_schema schema = SCHEMA("packet", fields);
static const struct peat_schema other = { .name = "other", .fields = fields, .count = 2 };

static const struct peat_recorded recorded = { .arch = "s390x",
					       .release = "7.2",
					       .interfaces = "1 772 lo\n2 1 eth0\n",
					       .interfaces_bytes = 18 };

static struct peat_sink *sink;
static int fd;
static uint8_t *bytes; /* of the file */
static struct pcapng_block blocks[BLOCKS_MAX];
static size_t block_count;

static void open_sink(void)
{
	const struct peat_pcapng_opts opts = { .sz = sizeof(opts), .wall_clock_ns = WALL };

	fd = new_output();
	sink = peat_sink__new_pcapng(NULL, fd, &opts);
	ck_assert_ptr_nonnull(sink);
}

static void read_blocks(void)
{
	ssize_t count;
	size_t at = 0;

	if (!bytes)
		bytes = mmap(NULL, FILE_MOST, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			     -1, 0);
	ck_assert_ptr_ne(bytes, MAP_FAILED);
	count = pread(fd, bytes, FILE_MOST, 0);
	ck_assert_int_ge(count, 0);
	block_count = 0;
	while (block_count < BLOCKS_MAX &&
	       pcapng_read(bytes, (size_t)count, &at, &blocks[block_count]))
		block_count++;
	ck_assert_uint_eq(at, count);
}

static void close_sink(void)
{
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	peat_sink__free(sink);
	read_blocks();
	close(fd);
}

static struct peat_event event_of(const struct packet *packet, size_t captured)
{
	struct peat_event event =
		an_event(&schema, packet, offsetof(struct packet, data) + captured);

	event.recorded = &recorded;
	return event;
}

static void write_packet(const struct packet *packet, size_t captured)
{
	struct peat_event event = event_of(packet, captured);

	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
}

static void lose(uint64_t lost, enum peat_lost_cause cause)
{
	const struct peat_event event = { .kind = PEAT_EVENT_LOST, .lost = lost, .cause = cause };

	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
}

static void check_types(const char *wanted)
{
	char types[BLOCKS_MAX + 1] = "";

	for (size_t i = 0; i < block_count; i++)
		types[i] = blocks[i].type == SECTION	  ? 'S'
			   : blocks[i].type == INTERFACE  ? 'I'
			   : blocks[i].type == PACKET	  ? 'P'
			   : blocks[i].type == STATISTICS ? 'T'
							  : '?';
	ck_assert_str_eq(types, wanted);
}

/* The n-th option of the block is this text; NULL: there is none. */
static void check_text(size_t i, unsigned code, unsigned n, const char *wanted)
{
	size_t length;
	const uint8_t *value = pcapng_option(&blocks[i], code, n, &length);

	ck_assert_int_eq(!value, !wanted);
	if (!value)
		return;
	ck_assert_uint_eq(length, strlen(wanted));
	ck_assert_mem_eq(value, wanted, length);
}

static void check_number(size_t i, unsigned code, size_t size, uint64_t wanted)
{
	size_t length;
	const uint8_t *value = pcapng_option(&blocks[i], code, 0, &length);

	ck_assert_ptr_nonnull(value);
	ck_assert_uint_eq(length, size);
	ck_assert_uint_eq(little(value, size), wanted);
}

static uint64_t time_of(size_t i)
{
	return little(blocks[i].body + 4, 4) << 32 | little(blocks[i].body + 8, 4);
}

/* ---- packets --------------------------------------------------------------------------------- */

START_TEST(test_writes_packets)
{
	const struct packet in = { 0, 1, 100, "incoming" }, out = { 1, 1, 8, "outgoing" };

	open_sink();
	write_packet(&out, 8);
	write_packet(&in, 3);
	close_sink();
	check_types("SIPPT");
	check_text(0, 2, 0, "s390x");
	check_text(0, 3, 0, "Linux 7.2");
	check_text(1, 2, 0, "lo");
	ck_assert_uint_eq(little(blocks[1].body, 2), 1);
	ck_assert_uint_eq(little(blocks[1].body + 4, 4), 16);
	check_number(1, 9, 1, 9);
	ck_assert_uint_eq(little(blocks[2].body, 4), 0);
	ck_assert_uint_eq(time_of(2), WALL + 1000000007);
	ck_assert_uint_eq(little(blocks[2].body + 12, 4), 8);
	ck_assert_uint_eq(little(blocks[2].body + 16, 4), 8);
	ck_assert_mem_eq(blocks[2].body + 20, "outgoing", 8);
	check_number(2, FLAGS, 4, 2);
	check_text(2, COMMENT, 0, "pid 41 (bash)");
	check_text(2, COMMENT, 1, NULL);
	ck_assert_uint_eq(little(blocks[3].body + 12, 4), 3);
	ck_assert_uint_eq(little(blocks[3].body + 16, 4), 100);
	check_number(3, FLAGS, 4, 1);
	check_text(3, COMMENT, 0, NULL); /* that task was interrupted */
	check_number(4, 4, 8, 2);
	check_number(4, 5, 8, 0);
	ck_assert_uint_eq(time_of(4), WALL + 1000000007);
}
END_TEST

START_TEST(test_tasks_are_comments)
{
	const struct packet out = { 1, 1, 8, "outgoing" };
	struct peat_event event = event_of(&out, 8);

	open_sink();
	event.comm = NULL;
	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
	event.comm = "\x1b[31m\xff";
	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
	event.pid = PEAT_NO_TASK;
	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
	event.pid = 0;
	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
	close_sink();
	check_text(2, COMMENT, 0, "pid 41");
	check_text(3, COMMENT, 0, "pid 41 (\\x1b[31m\\xff)");
	check_text(4, COMMENT, 0, NULL);
	check_text(5, COMMENT, 0, NULL);
}
END_TEST

START_TEST(test_no_time)
{
	const struct packet out = { 1, 1, 8, "outgoing" };
	struct peat_event event = event_of(&out, 8);

	open_sink();
	event.time_ns = 0;
	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
	close_sink();
	ck_assert_uint_eq(time_of(2), 0);
}
END_TEST

START_TEST(test_interfaces_are_numbered)
{
	const struct packet first = { 1, 2, 8, "" }, second = { 1, 1, 8, "" };

	open_sink();
	write_packet(&first, 8);
	write_packet(&second, 8);
	write_packet(&first, 8);
	close_sink();
	check_types("SIPIPPTT");
	check_text(1, 2, 0, "eth0");
	check_text(3, 2, 0, "lo");
	ck_assert_uint_eq(little(blocks[4].body, 4), 1);
	ck_assert_uint_eq(little(blocks[5].body, 4), 0);
	check_number(6, 4, 8, 2);
	check_number(7, 4, 8, 1);
}
END_TEST

START_TEST(test_counts_packets)
{
	const struct packet packet = { 1, 1, 8, "" };
	struct peat_pcapng_stats stats = { .sz = sizeof(stats) };
	struct peat_event event = event_of(&packet, 8);

	open_sink();
	write_packet(&packet, 8);
	write_packet(&packet, 7);
	write_packet(&packet, 0);
	event.schema = &other;
	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
	event.schema = NULL;
	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
	event.kind = PEAT_EVENT_RECORD;
	ck_assert_int_eq(peat_sink__write(sink, &event), 0);
	ck_assert_int_eq(peat_sink__flush(sink), 0);
	ck_assert_int_eq(peat_pcapng__stats(sink, &stats), 0);
	ck_assert_uint_eq(stats.packets, 3);
	ck_assert_uint_eq(stats.cut, 2);
	ck_assert_uint_eq(stats.empty, 1);
	ck_assert_uint_eq(stats.skipped, 3);
	ck_assert_uint_eq(stats.interfaces, 1);
	ck_assert_int_eq(stats.bytes, lseek(fd, 0, SEEK_CUR));
	close_sink();
	check_types("SIPPPT");
}
END_TEST

START_TEST(test_no_packets)
{
	open_sink();
	close_sink();
	check_types("S");
	check_text(0, 4, 0, "peat " PEAT_VERSION);
}
END_TEST

/* ---- losses ---------------------------------------------------------------------------------- */

START_TEST(test_losses_are_comments)
{
	const struct packet packet = { 0, 1, 8, "" };

	open_sink();
	lose(2, PEAT_LOST_RING_FULL);
	lose(3, PEAT_LOST_NESTED);
	write_packet(&packet, 8);
	write_packet(&packet, 8);
	lose(1, PEAT_LOST_UNKNOWN);
	write_packet(&packet, 8);
	lose(4, PEAT_LOST_RING_FULL);
	close_sink();
	check_types("SIPPPT");
	check_text(2, COMMENT, 0, "5 events lost before this packet: ring_full, nested");
	check_text(3, COMMENT, 0, NULL);
	check_text(4, COMMENT, 0, "1 event lost before this packet");
	check_number(5, 4, 8, 13);
	check_number(5, 5, 8, 10);
}
END_TEST

/* Nobody knows which interface lost them. */
START_TEST(test_losses_of_several)
{
	const struct packet first = { 0, 2, 8, "" }, second = { 0, 1, 8, "" };
	size_t length;

	open_sink();
	write_packet(&first, 8);
	lose(2, PEAT_LOST_RING_FULL);
	write_packet(&second, 8);
	close_sink();
	check_types("SIPIPTT");
	for (size_t i = 5; i < 7; i++) {
		check_number(i, 4, 8, 1);
		ck_assert_ptr_null(pcapng_option(&blocks[i], 5, 0, &length));
		check_text(i, COMMENT, 0, "2 events lost on all interfaces together");
	}
}
END_TEST

/* ---- errors ---------------------------------------------------------------------------------- */

START_TEST(test_write_error)
{
	const struct packet packet = { 0, 1, 8, "" };
	struct peat_event event = event_of(&packet, 8);

	open_sink();
	redirect(fd, open("/dev/full", O_WRONLY));
	write_packet(&packet, 8);
	ck_assert_int_eq(peat_sink__flush(sink), -ENOSPC);
	ck_assert_int_eq(peat_sink__write(sink, &event), -ENOSPC);
	ck_assert_int_eq(peat_sink__finish(sink), -ENOSPC);
	peat_sink__free(sink);
	close(fd);
}
END_TEST

START_TEST(test_closed_pipe)
{
	const struct packet packet = { 0, 1, 8, "" };
	int ends[2];

	signal(SIGPIPE, SIG_IGN);
	open_sink();
	ck_assert_int_eq(pipe(ends), 0);
	close(ends[0]);
	redirect(fd, ends[1]);
	write_packet(&packet, 8);
	ck_assert_int_eq(peat_sink__flush(sink), -EPIPE);
	ck_assert_int_eq(peat_sink__finish(sink), -EPIPE);
	peat_sink__free(sink);
	close(fd);
}
END_TEST

static int collect(void *arg, const char *from, size_t count)
{
	return write(*(int *)arg, from, count) == (ssize_t)count ? 0 : -EIO;
}

START_TEST(test_writes_to_output)
{
	const struct packet packet = { 0, 1, 8, "" };
	struct peat_pcapng_opts opts = { .sz = sizeof(opts), .output = collect, .output_arg = &fd };

	fd = new_output();
	sink = peat_sink__new_pcapng(NULL, -1, &opts);
	ck_assert_ptr_nonnull(sink);
	write_packet(&packet, 8);
	close_sink();
	check_types("SIPT");
}
END_TEST

START_TEST(test_misuse_is_refused)
{
	struct peat_pcapng_opts opts = { .sz = sizeof(opts), .output = collect };
	struct peat_pcapng_stats stats = { .sz = sizeof(stats) };
	struct peat_event event = { .kind = PEAT_EVENT_DATA };
	struct peat_sink *json = peat_sink__new_json(1, NULL);

	ck_assert_ptr_null(peat_sink__new_pcapng(NULL, -1, NULL));
	ck_assert_int_eq(errno, EINVAL);
	ck_assert_ptr_null(peat_sink__new_pcapng(NULL, 1, &opts));
	opts.sz = 3;
	ck_assert_ptr_null(peat_sink__new_pcapng(NULL, -1, &opts));
	ck_assert_int_eq(peat_pcapng__stats(json, &stats), -EINVAL);
	peat_sink__free(json);
	open_sink();
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	ck_assert_int_eq(peat_sink__finish(sink), 0);
	ck_assert_int_eq(peat_sink__write(sink, &event), -EINVAL);
	close_sink();
	check_types("S");
}
END_TEST

/* If memory is short, a packet is missing, but no part of one is there. */
START_TEST(test_no_memory)
{
	const struct packet packet = { 1, 1, 8, "outgoing" };
	struct peat_event event = event_of(&packet, 8);

	for (unsigned nth = 1, failed = 1; failed; nth++) {
		long before = fail_alloc__blocks();
		int written, finished;

		open_sink();
		fail_alloc__begin(nth);
		written = peat_sink__write(sink, &event);
		failed = fail_alloc__end();
		finished = peat_sink__finish(sink);
		ck_assert(!written || written == -ENOMEM);
		ck_assert_int_eq(finished, written);
		peat_sink__free(sink);
		read_blocks();
		check_types(written ? "S" : "SIPT");
		close(fd);
		ck_assert_int_eq(fail_alloc__blocks(), before);
	}
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_writes_packets);
	tcase_add_test(tests, test_tasks_are_comments);
	tcase_add_test(tests, test_no_time);
	tcase_add_test(tests, test_interfaces_are_numbered);
	tcase_add_test(tests, test_counts_packets);
	tcase_add_test(tests, test_no_packets);
	tcase_add_test(tests, test_losses_are_comments);
	tcase_add_test(tests, test_losses_of_several);
	tcase_add_test(tests, test_write_error);
	tcase_add_test(tests, test_closed_pipe);
	tcase_add_test(tests, test_writes_to_output);
	tcase_add_test(tests, test_misuse_is_refused);
	tcase_add_test(tests, test_no_memory);
}

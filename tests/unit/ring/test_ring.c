// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_ring.c: one ring: wrapping, overflow of positions, corrupt records, release. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <peat/log.h>

#include "sys/event_fd.h"
#include "support/machine/fake_ring.h"
#include "support/machine/harness.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

#define RING_BYTES 4096u

static struct fake_ring fake;
static struct ring ring;

static void begin(uint64_t position)
{
	fake_ring__init(&fake, RING_BYTES, position);
	ring__init(&ring, fake.page, fake.data, RING_BYTES);
}

static void end(void)
{
	fake_ring__free(&fake);
}

/* Whether only `used` bytes of the slack were written. */
static bool slack_is_unused_from(uint64_t used)
{
	for (uint64_t i = used; i < 2 * RING_BYTES; i++)
		if (fake.data[RING_BYTES + i] != 0xee)
			return false;
	return true;
}

/* Records at every offset: whole, wrapped, and ending exactly at the ring's end. */
START_TEST(test_wraps_at_every_offset)
{
	static const uint32_t sizes[] = { 8, 16, 40, 1000, 2048, 4088, 4096 };

	for (uint64_t offset = 0; offset < RING_BYTES; offset += 8) {
		for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
			begin(offset);
			ck_assert(fake_ring__record(&fake, sizes[i], 5));
			ring__read_head(&ring);
			ck_assert(fake_ring__is(ring__next(&ring), sizes[i], 5));
			ck_assert_ptr_null(ring__next(&ring));
			ck_assert(slack_is_unused_from(offset + sizes[i] > RING_BYTES
							       ? offset + sizes[i] - RING_BYTES
							       : 0));
			end();
		}
	}
}
END_TEST

static void check_many_records(uint64_t position)
{
	unsigned written = 0, seen = 0;

	begin(position);
	for (int pass = 0; pass < 200; pass++) {
		const struct perf_event_header *record;

		while (fake_ring__record(&fake, 8 + 8 * (written % 40), written))
			written++;
		ring__read_head(&ring);
		while ((record = ring__next(&ring))) {
			ck_assert(fake_ring__is(record, 8 + 8 * (seen % 40), seen));
			seen++;
		}
		ring__release(&ring);
		ck_assert_uint_eq(fake.page->data_tail, fake.page->data_head);
	}
	ck_assert_uint_eq(seen, written);
	ck_assert_uint_gt(written, 200);
	ck_assert_uint_eq(ring.corrupt, 0);
	end();
}

START_TEST(test_positions_pass_2_32_and_2_64)
{
	check_many_records(0);
	check_many_records((1ULL << 32) - 3 * RING_BYTES / 2);
	check_many_records(0ULL - 3 * RING_BYTES / 2);
	check_many_records(0ULL - 8);
}
END_TEST

START_TEST(test_full_ring_is_read_whole)
{
	unsigned seen = 0;

	begin(64);
	for (unsigned i = 0; i < RING_BYTES / 32; i++)
		ck_assert(fake_ring__record(&fake, 32, i));
	ck_assert(!fake_ring__record(&fake, 8, 0));
	ring__read_head(&ring);
	while (fake_ring__is(ring__next(&ring), 32, seen))
		seen++;
	ck_assert_uint_eq(seen, RING_BYTES / 32);
	ck_assert_uint_eq(ring.corrupt, 0);
	end();
}
END_TEST

/* Two records, then an invalid `size` as that of a third: two arrive, the rest is skipped once. */
static void check_invalid_size(uint16_t size)
{
	struct perf_event_header header = { .type = PERF_RECORD_SAMPLE, .size = size };
	unsigned char rest[48] = { 0 };

	begin(RING_BYTES - 64);
	ck_assert(fake_ring__record(&fake, 24, 1));
	ck_assert(fake_ring__record(&fake, 24, 2));
	fake_ring__write(&fake, &header, sizeof(header));
	fake_ring__write(&fake, rest, sizeof(rest));
	ring__read_head(&ring);
	ck_assert(fake_ring__is(ring__next(&ring), 24, 1));
	ck_assert(fake_ring__is(ring__next(&ring), 24, 2));
	ck_assert_ptr_null(ring__next(&ring));
	ck_assert_ptr_null(ring__next(&ring));
	ck_assert_uint_eq(ring.corrupt, 1);
	ring__release(&ring);
	ck_assert_uint_eq(fake.page->data_tail, fake.page->data_head);
	ck_assert(fake_ring__record(&fake, 32, 3));
	ring__read_head(&ring);
	ck_assert(fake_ring__is(ring__next(&ring), 32, 3));
	end();
}

START_TEST(test_corrupt_records_are_counted_and_skipped)
{
	check_invalid_size(0);
	check_invalid_size(1);
	check_invalid_size(7);
	check_invalid_size(12);
	check_invalid_size(64);
	check_invalid_size(65535);
	check_invalid_size(65528);
}
END_TEST

START_TEST(test_invalid_head_ends_the_pass)
{
	begin(0);
	fake.page->data_head = RING_BYTES + 8;
	ring__read_head(&ring);
	ck_assert_ptr_null(ring__next(&ring));
	ck_assert_uint_eq(ring.corrupt, 1);
	fake.page->data_head -= 16; /* backwards: 2^64 - 16 bytes to read */
	ring__read_head(&ring);
	ck_assert_ptr_null(ring__next(&ring));
	ck_assert_uint_eq(ring.corrupt, 2);
	fake.page->data_head += 4; /* less than a header */
	ring__read_head(&ring);
	ck_assert_ptr_null(ring__next(&ring));
	ck_assert_uint_eq(ring.corrupt, 3);
	end();
}
END_TEST

/* The bytes are a valid record, but data_head is not valid. */
static void check_invalid_head(uint64_t data_head)
{
	begin(0);
	ck_assert(fake_ring__record(&fake, 48, 1));
	fake.page->data_head = data_head;
	ring__read_head(&ring);
	ck_assert_ptr_null(ring__next(&ring));
	ck_assert_uint_eq(ring.corrupt, 1);
	ck_assert_uint_eq(ring.tail, data_head);
	end();
}

START_TEST(test_valid_record_below_invalid_head)
{
	check_invalid_head(RING_BYTES + 1);
	check_invalid_head(RING_BYTES + 8);
	check_invalid_head(0ULL - 8);
	check_invalid_head(7);
	check_invalid_head(47);
}
END_TEST

/* The kernel writes records at multiples of 8 bytes. */
START_TEST(test_unaligned_record)
{
	const struct perf_event_header header = { .type = PERF_RECORD_SAMPLE, .size = 8 };

	begin(0);
	fake.page->data_head = 4;
	ring__read_head(&ring);
	ck_assert_ptr_null(ring__next(&ring));
	memcpy((unsigned char *)fake.data + 4, &header, sizeof(header));
	fake.page->data_head = 12;
	ring__read_head(&ring);
	ck_assert_ptr_null(ring__next(&ring));
	ck_assert_uint_eq(ring.corrupt, 2);
	end();
}
END_TEST

START_TEST(test_release_alone_moves_data_tail)
{
	begin(0);
	ck_assert(fake_ring__record(&fake, 48, 1));
	ck_assert(fake_ring__record(&fake, 64, 2));
	ring__read_head(&ring);
	ck_assert_ptr_nonnull(ring__next(&ring));
	ck_assert_uint_eq(fake.page->data_tail, 0);
	ck_assert_uint_eq(ring__unreleased(&ring), 48);
	ring__release(&ring);
	ck_assert_uint_eq(fake.page->data_tail, 48);
	ck_assert_ptr_nonnull(ring__next(&ring));
	ring__release(&ring);
	ck_assert_uint_eq(fake.page->data_tail, 112);
	end();
}
END_TEST

START_TEST(test_pass_ends_at_the_head_read)
{
	begin(0);
	ck_assert(fake_ring__record(&fake, 48, 1));
	ring__read_head(&ring);
	ck_assert(fake_ring__record(&fake, 48, 2));
	ck_assert_ptr_nonnull(ring__next(&ring));
	ck_assert_ptr_null(ring__next(&ring));
	ring__read_head(&ring);
	ck_assert(fake_ring__is(ring__next(&ring), 48, 2));
	end();
}
END_TEST

START_TEST(test_starts_where_the_last_reader_ended)
{
	begin(4000);
	ck_assert(fake_ring__record(&fake, 200, 1));
	ring__init(&ring, fake.page, fake.data, RING_BYTES);
	ring__read_head(&ring);
	ck_assert(fake_ring__is(ring__next(&ring), 200, 1));
	end();
}
END_TEST

/* ---- reading ahead --------------------------------------------------------------------------- */

/* Checks that the next record ahead is one that fake_ring__record() wrote, and skips it. */
static void expect_ahead(uint32_t size, unsigned seed)
{
	struct perf_event_header header;
	unsigned char copy[4096];

	ck_assert(ring__peek(&ring, &header));
	ck_assert_uint_eq(header.size, size);
	ck_assert(ring__peek(&ring, &header)); /* peeking changes nothing */
	ring__copy_ahead(&ring, &header, copy);
	ck_assert(fake_ring__is((void *)copy, size, seed));
	ring__skip_ahead(&ring, &header);
}

static void expect_none_ahead(void)
{
	struct perf_event_header header;

	ck_assert(!ring__peek(&ring, &header));
}

START_TEST(test_ahead_wraps_at_every_offset)
{
	static const uint32_t sizes[] = { 8, 16, 40, 2048, 4088, 4096 };

	for (uint64_t offset = 0; offset < RING_BYTES; offset += 8) {
		for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
			begin(0ULL - RING_BYTES + offset);
			ck_assert(fake_ring__record(&fake, sizes[i], 5));
			ring__look_ahead(&ring);
			expect_ahead(sizes[i], 5);
			expect_none_ahead();
			ring__read_head(&ring);
			ck_assert(fake_ring__is(ring__next(&ring), sizes[i], 5));
			ck_assert(ring__was_ahead(&ring));
			end();
		}
	}
}
END_TEST

/* Each record is read ahead once, whether ring__next() has returned it or not. */
START_TEST(test_ahead_continues_at_its_position)
{
	begin(RING_BYTES - 100 * 8);
	for (unsigned i = 0; i < 4; i++)
		ck_assert(fake_ring__record(&fake, 48, i));
	ring__look_ahead(&ring);
	expect_ahead(48, 0);
	expect_ahead(48, 1);
	ring__read_head(&ring);
	for (unsigned i = 0; i < 3; i++) {
		ck_assert(fake_ring__is(ring__next(&ring), 48, i));
		ck_assert_int_eq(ring__was_ahead(&ring), i < 2);
	}
	ring__look_ahead(&ring);
	expect_ahead(48, 2); /* returned by ring__next(), not released */
	ck_assert(ring__was_ahead(&ring));
	expect_ahead(48, 3);
	expect_none_ahead();
	ck_assert(fake_ring__record(&fake, 48, 4));
	expect_none_ahead(); /* before ring__look_ahead() */
	ring__look_ahead(&ring);
	expect_ahead(48, 4);
	end();
}
END_TEST

/* Released records may be overwritten: they are not read ahead any more. */
START_TEST(test_ahead_skips_released_records)
{
	begin(0);
	for (unsigned i = 0; i < 3; i++)
		ck_assert(fake_ring__record(&fake, 48, i));
	ring__look_ahead(&ring);
	expect_ahead(48, 0);
	ring__read_head(&ring);
	while (ring__next(&ring))
		;
	ring__release(&ring);
	while (fake_ring__record(&fake, 64, 7))
		;
	ring__look_ahead(&ring);
	for (unsigned i = 0; i < RING_BYTES / 64; i++)
		expect_ahead(64, 7);
	expect_none_ahead();
	end();
}
END_TEST

/* Reading ahead stops there, counts nothing, and continues once ring__next() has skipped it. */
START_TEST(test_ahead_stops_at_corrupt_records)
{
	static const uint16_t sizes[] = { 0, 7, 12, 96, 65528 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct perf_event_header header = { .type = 3, .size = sizes[i] };
		unsigned char rest[48] = { 0 };

		begin(RING_BYTES - 64);
		ck_assert(fake_ring__record(&fake, 24, 1));
		fake_ring__write(&fake, &header, sizeof(header));
		fake_ring__write(&fake, rest, sizeof(rest));
		ring__look_ahead(&ring);
		expect_ahead(24, 1);
		expect_none_ahead();
		ring__look_ahead(&ring);
		expect_none_ahead();
		ck_assert_uint_eq(ring.corrupt, 0);
		ring__read_head(&ring);
		ck_assert_ptr_nonnull(ring__next(&ring));
		ck_assert_ptr_null(ring__next(&ring));
		ck_assert_uint_eq(ring.corrupt, 1);
		ck_assert(fake_ring__record(&fake, 32, 3));
		ring__look_ahead(&ring);
		expect_ahead(32, 3);
		end();
	}
}
END_TEST

/* The size becomes valid once more bytes are written: the cursor ahead follows it wrongly. */
START_TEST(test_ahead_restarts_after_corrupt_records)
{
	struct perf_event_header header = { .type = 3, .size = 72 };

	begin(0);
	fake_ring__write(&fake, &header, sizeof(header));
	ring__read_head(&ring);
	ck_assert(fake_ring__record(&fake, 48, 1));
	ck_assert(fake_ring__record(&fake, 48, 2));
	ring__look_ahead(&ring);
	ck_assert(ring__peek(&ring, &header));
	ring__skip_ahead(&ring, &header); /* into the middle of the second one */
	ck_assert_ptr_null(ring__next(&ring));
	ring__look_ahead(&ring);
	expect_ahead(48, 1);
	expect_ahead(48, 2);
	expect_none_ahead();
	end();
}
END_TEST

START_TEST(test_ahead_with_invalid_head)
{
	begin(0);
	fake.page->data_head = RING_BYTES + 8;
	ring__look_ahead(&ring);
	expect_none_ahead();
	fake.page->data_head = 0ULL - 16;
	ring__look_ahead(&ring);
	expect_none_ahead();
	fake.page->data_head = 4;
	ring__look_ahead(&ring);
	expect_none_ahead();
	end();
}
END_TEST

/* ---- file descriptors ------------------------------------------------------------------------ */

/* A file that is like a perf event's ring: a page, then data. */
static int ring_file(uint64_t ring_bytes, int flags)
{
	char path[64];
	int fd = memfd_create("ring", MFD_CLOEXEC), opened;

	ck_assert_int_eq(ftruncate(fd, sysconf(_SC_PAGESIZE) + (off_t)ring_bytes), 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	opened = open(path, flags | O_CLOEXEC);
	ck_assert_int_ge(opened, 0);
	close(fd);
	return opened;
}

/* The slack behind the data is ordinary memory; ring__close() releases everything. */
START_TEST(test_maps_data_and_slack)
{
	const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	const size_t slack_bytes = (RING_SLACK_BYTES + page_bytes - 1) / page_bytes * page_bytes;
	int fd = ring_file(RING_BYTES, O_RDWR);
	unsigned char in_file, *data, present;
	void *page;

	ck_assert_int_eq(ring__map(&ring, 0, fd, 3, RING_BYTES), 0);
	ck_assert_uint_eq(ring.cpu, 3);
	ck_assert_int_eq(ring.fd, fd);
	ck_assert_int_eq(ring.events[0].fd, fd);
	ck_assert_uint_eq(ring.event_count, 1);
	ck_assert_uint_eq(ring.mapped_bytes, page_bytes + RING_BYTES + slack_bytes);
	page = ring.page;
	data = ring.data;
	ck_assert_ptr_eq(data, (unsigned char *)page + page_bytes);
	memset(data, 0x5a, RING_BYTES + slack_bytes);
	ck_assert_int_eq(pread(fd, &in_file, 1, (off_t)page_bytes + RING_BYTES - 1), 1);
	ck_assert_uint_eq(in_file, 0x5a);
	ck_assert_int_eq(pread(fd, &in_file, 1, (off_t)page_bytes + RING_BYTES), 0);
	ring__close(&ring);
	ck_assert_int_eq(fcntl(fd, F_GETFD), -1);
	ck_assert_int_eq(mincore(page, page_bytes, &present), -1);
	ck_assert_int_eq(
		mincore(data + RING_BYTES + slack_bytes - page_bytes, page_bytes, &present), -1);
	ck_assert_int_eq(ring.fd, -1);
}
END_TEST

static unsigned count_mappings(void)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	unsigned lines = 0;

	ck_assert_ptr_nonnull(maps);
	for (int c = getc(maps); c != EOF; c = getc(maps))
		lines += c == '\n';
	fclose(maps);
	return lines;
}

START_TEST(test_map_fails)
{
	int fd = ring_file(RING_BYTES, O_RDONLY);
	unsigned mappings = count_mappings();

	ring__clear(&ring);
	ck_assert_int_eq(ring__map(&ring, 0, fd, 0, RING_BYTES), -EACCES);
	ck_assert_int_eq(ring.fd, -1);
	close(fd);
	ck_assert_int_eq(ring__map(&ring, 0, fd, 0, RING_BYTES), -EBADF);
	ck_assert_uint_eq(count_mappings(), mappings);
}
END_TEST

/* Like a perf event, twice: a read has so many bytes of value, time and lost records. */
static int counts_fd(uint64_t lost, size_t bytes)
{
	const uint64_t counts[4] = { 1000, 2000, lost, 4000 };
	int ends[2];

	ck_assert_int_eq(pipe2(ends, O_DIRECT | O_CLOEXEC), 0); /* in packets */
	for (unsigned i = 0; i < 2; i++)
		ck_assert_int_eq(write(ends[1], counts, bytes), (ssize_t)bytes);
	close(ends[1]);
	return ends[0];
}

/* Losses of an event that is replaced stay; a kernel may not count them. */
START_TEST(test_lost_records)
{
	int first = counts_fd(5, 24), second = counts_fd(7, 24);
	uint64_t lost = 100;

	ring__clear(&ring);
	ck_assert_int_eq(ring__lost(&ring, 1, &lost), 0);
	ck_assert_uint_eq(lost, 0);
	ck_assert_int_eq(ring__set_event(&ring, 1, first), 0);
	ck_assert_int_eq(ring__lost(&ring, 1, &lost), 0);
	ck_assert_uint_eq(lost, 5);
	ck_assert_int_eq(ring__set_event(&ring, 1, second), 0);
	ck_assert_int_eq(fcntl(first, F_GETFD), -1);
	ck_assert_int_eq(ring__lost(&ring, 1, &lost), 0);
	ck_assert_uint_eq(lost, 5 + 7);
	ck_assert_int_eq(ring__set_event(&ring, 1, counts_fd(9, 16)), 0);
	ck_assert_int_eq(ring__lost(&ring, 1, &lost), 0);
	ck_assert_uint_eq(lost, 5 + 7);
	ck_assert_int_eq(ring__set_event(&ring, 1, counts_fd(9, 8)), 0);
	ck_assert_int_eq(ring__lost(&ring, 1, &lost), -EBADMSG);
	ring__close(&ring);
}
END_TEST

START_TEST(test_enabled_time)
{
	uint64_t enabled_ns = 1;

	ring__clear(&ring);
	ck_assert_int_eq(ring__set_event(&ring, 0, counts_fd(5, 24)), 0);
	ck_assert_int_eq(ring__enabled_ns(&ring, &enabled_ns), 0);
	ck_assert_uint_eq(enabled_ns, 2000);
	ck_assert_int_eq(ring__enabled_ns(&ring, &enabled_ns), 0);
	ck_assert_int_eq(ring__enabled_ns(&ring, &enabled_ns), -EBADMSG); /* read to the end */
	ck_assert_uint_eq(enabled_ns, 0);
	ring__close(&ring);
	ck_assert_int_eq(ring__enabled_ns(&ring, &enabled_ns), -EBADF);
}
END_TEST

static bool is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

#define MANY_EVENTS 100

/* The ring's own fd has its memory: it stays open if its event is replaced. */
START_TEST(test_close_closes_all_events)
{
	int fds[MANY_EVENTS + 1];

	ring__clear(&ring);
	for (uint32_t i = 0; i <= MANY_EVENTS; i++)
		fds[i] = counts_fd(i, 24);
	ck_assert_int_eq(ring__set_event(&ring, 0, fds[0]), 0);
	ring.fd = fds[0];
	for (uint32_t i = 1; i < MANY_EVENTS; i++)
		ck_assert_int_eq(ring__set_event(&ring, i, fds[i]), 0);
	ck_assert_int_eq(ring__set_event(&ring, 0, fds[MANY_EVENTS]), 0);
	for (uint32_t i = 0; i <= MANY_EVENTS; i++)
		ck_assert(is_open(fds[i]));
	ring__close(&ring);
	for (uint32_t i = 0; i <= MANY_EVENTS; i++)
		ck_assert(!is_open(fds[i]));
	ck_assert_int_eq(ring.fd, -1);
	ck_assert_ptr_null(ring.events);
}
END_TEST

/* Descriptor 0 is an event as any other. */
START_TEST(test_fd_zero)
{
	uint64_t lost;

	ring__clear(&ring);
	ck_assert_int_eq(dup2(counts_fd(5, 24), 0), 0);
	ck_assert_int_eq(ring__set_event(&ring, 1, 0), 0);
	ck_assert_int_eq(ring__lost(&ring, 1, &lost), 0);
	ck_assert_uint_eq(lost, 5);
	ck_assert_int_eq(ring__set_event(&ring, 1, counts_fd(7, 24)), 0);
	ck_assert(!is_open(0));
	ck_assert_int_eq(ring__lost(&ring, 1, &lost), 0);
	ck_assert_uint_eq(lost, 5 + 7);
	ck_assert_int_eq(dup2(counts_fd(9, 24), 0), 0);
	ck_assert_int_eq(ring__set_event(&ring, 2, 0), 0);
	ring__close(&ring);
	ck_assert(!is_open(0));
	ck_assert_int_eq(dup2(counts_fd(9, 24), 0), 0);
	ring.fd = 0;
	ring__close(&ring);
	ck_assert(!is_open(0));
}
END_TEST

/* An event that cannot be read is not replaced. */
START_TEST(test_unreadable_event)
{
	int fd = counts_fd(5, 8), other = counts_fd(1, 24);
	char byte;

	ring__clear(&ring);
	ck_assert_int_eq(ring__set_event(&ring, 0, fd), 0);
	while (read(fd, &byte, 1) > 0)
		;
	ck_assert_int_eq(ring__set_event(&ring, 0, other), -EBADMSG);
	ck_assert_int_eq(ring.events[0].fd, fd);
	close(fd);
	ck_assert_int_eq(ring__set_event(&ring, 0, other), -EBADF);
	ck_assert_int_eq(ring__add_event_id(&ring, 0), -EBADF);
	ck_assert_int_eq(ring__redirect(&ring, other), -ENOTTY);
	ck_assert_int_eq(ring__event_of_id(&ring, 0), -1);
	close(other);
	ring.events[0].fd = -1; /* closed above */
	ring__close(&ring);
}
END_TEST

/* ---- events of the kernel -------------------------------------------------------------------- */

static char warning[256];

static void note_warning(enum peat_log_level level, const char *text)
{
	if (level == PEAT_LOG_WARN)
		snprintf(warning, sizeof(warning), "%s", text);
}

static struct perf_event_attr dummy_attr(void)
{
	return (struct perf_event_attr){ .size = sizeof(struct perf_event_attr),
					 .type = PERF_TYPE_SOFTWARE,
					 .config = PERF_COUNT_SW_DUMMY,
					 .sample_type = PERF_SAMPLE_ID,
					 .sample_period = 1 };
}

/* The kernel names the size that it supports: bytes after it are cleared, and it is asked again. */
START_TEST(test_attr_of_a_newer_kernel)
{
	union {
		struct perf_event_attr attr;
		unsigned char bytes[2048];
	} newer = { .attr = dummy_attr() };
	int fd;

	peat_set_print(note_warning);
	memset(newer.bytes + 1000, 1, 48);
	newer.attr.size = 1024;
	fd = event_fd__open(&newer.attr, 0);
	ck_assert_int_ne(fd, -E2BIG);
	ck_assert_uint_lt(newer.attr.size, 1000);
	ck_assert_ptr_nonnull(strstr(warning, "of 1024 bytes: the rest is left out"));
	for (int i = 1000; i < 1024; i++)
		ck_assert_uint_eq(newer.bytes[i], 0);
	for (int i = 1024; i < 1048; i++)
		ck_assert_uint_eq(newer.bytes[i], 1);
	if (fd >= 0)
		close(fd);
	warning[0] = '\0';
	newer.attr = dummy_attr();
	newer.attr.size = 8; /* too small for any kernel */
	ck_assert_int_eq(event_fd__open(&newer.attr, 0), -E2BIG);
	newer.attr = dummy_attr();
	fd = event_fd__open(&newer.attr, 0);
	ck_assert_str_eq(warning, "");
	if (fd >= 0)
		close(fd);
}
END_TEST

/* Two events in one ring: samples have the id of theirs. */
START_TEST(test_events_of_a_ring)
{
	struct perf_event_attr attr = dummy_attr();
	int first = event_fd__open(&attr, 0), second = event_fd__open(&attr, 0);
	uint64_t ids[2];

	if (first == -EACCES || first == -EPERM)
		return; /* needs CAP_PERFMON */
	ck_assert_int_ge(first, 0);
	ck_assert_int_eq(ring__map(&ring, 0, first, 0, (uint64_t)sysconf(_SC_PAGESIZE)), 0);
	ck_assert_int_eq(ring__redirect(&ring, second), 0);
	ck_assert_int_eq(ring__set_event(&ring, 1, second), 0);
	ck_assert_int_eq(ring__add_event_id(&ring, 0), 0);
	ck_assert_int_eq(ring__add_event_id(&ring, 1), 0);
	ck_assert_int_eq(ioctl(first, PERF_EVENT_IOC_ID, &ids[0]), 0);
	ck_assert_int_eq(ioctl(second, PERF_EVENT_IOC_ID, &ids[1]), 0);
	ck_assert_int_eq(ring__event_of_id(&ring, ids[0]), 0);
	ck_assert_int_eq(ring__event_of_id(&ring, ids[1]), 1);
	ck_assert_int_eq(ring__event_of_id(&ring, ids[0] + ids[1]), -1);
	peat_set_print(note_warning);
	ring__pause(&ring);
	ck_assert_str_eq(warning, "");
	ring__close(&ring);
	ring__pause(&ring);
	ck_assert_ptr_nonnull(strstr(warning, "cannot pause the ring"));
	ck_assert_int_eq(fcntl(second, F_GETFD), -1);
}
END_TEST

/* An event is replaced many times. */
START_TEST(test_many_ids)
{
	struct perf_event_attr attr = dummy_attr();
	uint64_t ids[200];

	ring__clear(&ring);
	ck_assert_int_eq(ring__reserve(&ring, 3), 0);
	for (int i = 0; i < 200; i++) {
		int fd = event_fd__open(&attr, 0);

		if (fd < 0)
			return; /* needs CAP_PERFMON */
		ck_assert_int_eq(ioctl(fd, PERF_EVENT_IOC_ID, &ids[i]), 0);
		ring.events[i % 3].fd = fd;
		ck_assert_int_eq(ring__add_event_id(&ring, i % 3), 0);
		close(fd);
		ring.events[i % 3].fd = -1;
	}
	for (int i = 0; i < 200; i++)
		ck_assert_int_eq(ring__event_of_id(&ring, ids[i]), i % 3);
	ring__close(&ring);
}
END_TEST

START_TEST(test_no_memory_for_an_id)
{
	struct perf_event_attr attr = dummy_attr();
	int fd = event_fd__open(&attr, 0);
	bool failed;
	int err;

	if (fd < 0)
		return; /* needs CAP_PERFMON */
	ring__clear(&ring);
	ck_assert_int_eq(ring__set_event(&ring, 0, fd), 0);
	fail_alloc__begin(1);
	err = ring__add_event_id(&ring, 0);
	failed = fail_alloc__end();
	ck_assert_int_eq(err, failed ? -ENOMEM : 0);
	ck_assert_uint_eq(ring.id_count, !failed);
	ring__close(&ring);
}
END_TEST

/* No field after the events is theirs. */
START_TEST(test_clears_all_fields)
{
	memset(&ring, 0x5a, sizeof(ring));
	ring__clear(&ring);
	ck_assert_int_eq(ring.fd, -1);
	ck_assert_ptr_null(ring.events);
	ck_assert_ptr_null(ring.ids);
	ck_assert(!ring.event_count && !ring.id_count && !ring.cpu && !ring.mapped_bytes);
}
END_TEST

static long blocks;

static void setup(void)
{
	blocks = fail_alloc__blocks();
}

static void teardown(void)
{
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}

SUITE(60)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_wraps_at_every_offset);
	tcase_add_test(tests, test_positions_pass_2_32_and_2_64);
	tcase_add_test(tests, test_full_ring_is_read_whole);
	tcase_add_test(tests, test_corrupt_records_are_counted_and_skipped);
	tcase_add_test(tests, test_invalid_head_ends_the_pass);
	tcase_add_test(tests, test_valid_record_below_invalid_head);
	tcase_add_test(tests, test_unaligned_record);
	tcase_add_test(tests, test_release_alone_moves_data_tail);
	tcase_add_test(tests, test_pass_ends_at_the_head_read);
	tcase_add_test(tests, test_starts_where_the_last_reader_ended);
	tcase_add_test(tests, test_ahead_wraps_at_every_offset);
	tcase_add_test(tests, test_ahead_continues_at_its_position);
	tcase_add_test(tests, test_ahead_skips_released_records);
	tcase_add_test(tests, test_ahead_stops_at_corrupt_records);
	tcase_add_test(tests, test_ahead_restarts_after_corrupt_records);
	tcase_add_test(tests, test_ahead_with_invalid_head);
	tcase_add_test(tests, test_maps_data_and_slack);
	tcase_add_test(tests, test_map_fails);
	tcase_add_test(tests, test_lost_records);
	tcase_add_test(tests, test_enabled_time);
	tcase_add_test(tests, test_close_closes_all_events);
	tcase_add_test(tests, test_fd_zero);
	tcase_add_test(tests, test_unreadable_event);
	tcase_add_test(tests, test_attr_of_a_newer_kernel);
	tcase_add_test(tests, test_events_of_a_ring);
	tcase_add_test(tests, test_many_ids);
	tcase_add_test(tests, test_no_memory_for_an_id);
	tcase_add_test(tests, test_clears_all_fields);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_frame.c: decoding valid and corrupt frames.
 *
 * Frames are built from the drawing in wire.h, not from its structs, at the end of a malloc'd
 * buffer, where a sanitizer sees a read past them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <peat/frame.h>

#include "channel/frame.h"
#include "support/machine/harness.h"
#include "unit/suite.h"

#define HEAD_BYTES 20u
#define RAW_OFFSET 4u /* where the kernel puts a raw payload, mod 8 */
#define TIME_NS	   0x1122334455667788ULL
#define SEQ	   0x99aabbccddeeff01ULL
#define EVENTS_MAX 1024u
#define HAS_IDS	   0x8000u
#define HAS_OWNER  0x4000u
#define NO_UID	   0xffffffffu
#define NAME	   0x7fffu
#define COMM_BYTES 16u
#define ROOM_BYTES 200000u

/* libcheck's own assertions do I/O each time: too slow for a million of them. */
#define must(holds)                                                                                \
	do {                                                                                       \
		if (!(holds))                                                                      \
			ck_abort_msg("not so: %s", #holds);                                        \
	} while (0)

/* A frame under construction. */
static struct {
	uint8_t at[ROOM_BYTES];
	size_t len;
	uint16_t count;
} built;

static void put(const void *value, size_t bytes)
{
	must(built.len + bytes <= ROOM_BYTES);
	memcpy(built.at + built.len, value, bytes);
	built.len += bytes;
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

static void set_count(uint16_t count)
{
	memcpy(built.at + 2, &count, sizeof(count));
}

static void begin_at(uint64_t time_ns, uint64_t seq, uint8_t slot)
{
	const uint8_t start[2] = { 1, slot };

	built.len = 0;
	built.count = 0;
	put(start, sizeof(start));
	put_u16(0);
	put_u64(time_ns);
	put_u64(seq);
}

static void begin(void)
{
	begin_at(TIME_NS, SEQ, 2);
}

static uint8_t payload_byte(uint32_t event, uint32_t i)
{
	return (uint8_t)(event * 31 + i * 7 + (i >> 8) + 1);
}

/* Type and delta of event `i` of a frame: different from those of its neighbours. */
static uint32_t type_of(uint32_t i)
{
	return (0x3ffe - i * 3) & 0x3fff;
}

static uint32_t delta_of(uint32_t i)
{
	return i * 1000 + 5;
}

/* Without the padding. */
static void add_bare(uint32_t size, bool has_ids)
{
	uint32_t i = built.count++;

	put_u16((uint16_t)size);
	put_u16((uint16_t)(type_of(i) | (has_ids ? HAS_IDS : 0)));
	put_u32(delta_of(i));
	if (has_ids) {
		put_u32(0x80000000u + i);
		put_u32(0xf0000000u - i);
	}
	for (uint32_t k = 0; k < size; k++) {
		uint8_t byte = payload_byte(i, k);

		put(&byte, 1);
	}
	set_count(built.count);
}

/* The kernel's padding is stale memory, so it is not zero here. */
static void pad(void)
{
	while ((built.len - HEAD_BYTES) % 8)
		put("\xee", 1);
}

static void add(uint32_t size, bool has_ids)
{
	add_bare(size, has_ids);
	pad();
}

/* The name of the event before it.  `comm` has COMM_BYTES. */
static void add_name(const char *comm)
{
	put_u16(COMM_BYTES);
	put_u16(NAME);
	put_u32(0xf0000000u);
	put(comm, COMM_BYTES);
}

/* A copy of the first `len` bytes, at `offset` mod 8, that ends at the end of its allocation. */
struct placed {
	uint8_t *memory;
	const uint8_t *at;
	size_t len;
};

static struct placed place(size_t len, size_t offset)
{
	struct placed p = { malloc(offset + len + !(offset + len)), NULL, len };

	must(p.memory);
	must((uintptr_t)p.memory % 8 == 0);
	memcpy(p.memory + offset, built.at, len);
	p.at = p.memory + offset;
	return p;
}

/* Opens `len` bytes of what was built, at 4 mod 8. */
static struct placed open_built(struct peat_frame *frame, size_t len)
{
	struct placed p = place(len, RAW_OFFSET);

	must(peat_frame__open(frame, p.at, p.len) == 0);
	return p;
}

static void check_payload(const struct peat_frame_event *event, uint32_t i)
{
	const uint8_t *data = event->data;

	for (uint32_t k = 0; k < event->size; k++)
		if (data[k] != payload_byte(i, k))
			ck_abort_msg("event %u: byte %u is wrong", i, k);
}

static void check_event(const struct peat_frame_event *event, uint32_t i, uint32_t size,
			bool has_ids)
{
	must(event->size == size);
	must(event->type == type_of(i));
	must(event->time_ns == TIME_NS + delta_of(i));
	must(event->seq == SEQ + i);
	must(event->has_ids == has_ids);
	must(event->tgid == (has_ids ? 0x80000000u + i : 0));
	must(event->tid == (has_ids ? 0xf0000000u - i : 0));
	check_payload(event, i);
}

/* Checks that further calls return `result`, and change neither frame nor event. */
static void check_stays(struct peat_frame *frame, int result)
{
	struct peat_frame_event event, before;
	uint32_t taken = frame->taken;

	memset(&event, 0xa5, sizeof(event));
	event.sz = sizeof(event);
	before = event;
	for (int i = 0; i < 3; i++) {
		errno = 0;
		must(peat_frame__next(frame, &event) == result);
		must(errno == -result);
	}
	must(frame->taken == taken);
	must(memcmp(&event, &before, sizeof(event)) == 0);
}

static void check_refused(const uint8_t *at, size_t len)
{
	struct peat_frame frame = { .sz = sizeof(frame) };

	memset(&frame, 0xa5, sizeof(frame));
	frame.sz = sizeof(frame);
	errno = 0;
	must(peat_frame__open(&frame, at, len) == -EBADMSG);
	must(errno == EBADMSG);
	must(frame.count == 0);
	must(frame.taken == 0);
	check_stays(&frame, -EBADMSG);
}

/* The record at `at`, if it is a name and ends with a NUL. */
static bool is_name(const uint8_t *at, size_t left)
{
	static const uint16_t head[] = { COMM_BYTES, NAME };

	return left >= 8 + COMM_BYTES && !memcmp(at, head, sizeof(head)) && !at[8 + COMM_BYTES - 1];
}

/*
 * Decodes any bytes with a second, simple decoder, and compares each event, the position of its
 * payload, and the result at the end.  Returns the number of events.
 */
static uint32_t check_against_drawing(const uint8_t *at, size_t len)
{
	struct peat_frame_event event = { .sz = sizeof(event) };
	struct peat_frame frame = { .sz = sizeof(frame) };
	uint16_t count, size, type;
	uint64_t first_ns, first_seq;
	uint32_t delta, ids[2], uid, i;
	size_t offset = HEAD_BYTES;
	uint64_t cgroup;

	if (len < HEAD_BYTES || at[0] != 1 || (at[2] == 0 && at[3] == 0)) {
		check_refused(at, len);
		return 0;
	}
	memcpy(&count, at + 2, 2);
	memcpy(&first_ns, at + 4, 8);
	memcpy(&first_seq, at + 12, 8);
	must(peat_frame__open(&frame, at, len) == 0);
	must(frame.count == count);
	must(frame.time_ns == first_ns);
	must(frame.seq == first_seq);
	must(frame.slot == (at[1] & 3));
	for (i = 0; i < count; i++) {
		size_t data = offset + 8;

		if (data > len)
			break;
		memcpy(&size, at + offset, 2);
		memcpy(&type, at + offset + 2, 2);
		memcpy(&delta, at + offset + 4, 4);
		memset(ids, 0, sizeof(ids));
		uid = NO_UID;
		cgroup = 0;
		if (type & HAS_OWNER) {
			data += 16;
			if (data > len || !(type & HAS_IDS))
				break;
			memcpy(&uid, at + offset + 8, 4);
			memcpy(&cgroup, at + offset + 16, 8);
		}
		if (type & HAS_IDS) {
			data += 8;
			if (data > len)
				break;
			memcpy(ids, at + data - 8, 8);
		}
		if (data + size > len)
			break;
		must(frame.taken == i);
		must(peat_frame__next(&frame, &event) == 1);
		must(event.data == at + data);
		must(event.size == size);
		must(event.type == type % HAS_OWNER);
		must(event.has_ids == (type >= HAS_IDS));
		must(event.has_owner == (uid != NO_UID));
		must(event.uid == (uid != NO_UID ? uid : 0));
		must(event.cgroup == (uid != NO_UID ? cgroup : 0));
		must(event.tgid == ids[0]);
		must(event.tid == ids[1]);
		must(event.time_ns == first_ns + delta);
		must(event.seq == first_seq + i);
		offset = data + (size + 7u) / 8 * 8;
		if (offset <= len && is_name(at + offset, len - offset)) {
			must(event.comm == (const char *)at + offset + 8);
			offset += 8 + COMM_BYTES;
		} else {
			must(!event.comm);
		}
	}
	must(frame.taken == i);
	check_stays(&frame, i == count && len < offset + 8 ? 0 : -EBADMSG);
	return i;
}

static uint32_t check_built_against_drawing(size_t len)
{
	struct placed p = place(len, RAW_OFFSET);
	uint32_t events = check_against_drawing(p.at, p.len);

	free(p.memory);
	return events;
}

/* ---- frames that are right ---- */

static void check_round_trip(size_t len, const uint32_t *sizes, const bool *has_ids, uint32_t count)
{
	struct peat_frame_event event = { .sz = sizeof(event) };
	struct peat_frame frame = { .sz = sizeof(frame) };
	struct placed p = open_built(&frame, len);

	must(frame.time_ns == TIME_NS);
	must(frame.seq == SEQ);
	must(frame.slot == 2);
	must(frame.count == count);
	must(frame.taken == 0);
	for (uint32_t i = 0; i < count; i++) {
		must(peat_frame__next(&frame, &event) == 1);
		must(frame.taken == i + 1);
		must((uintptr_t)event.data % 8 == 0);
		check_event(&event, i, sizes[i], has_ids[i]);
	}
	check_stays(&frame, 0);
	free(p.memory);
}

/* ids: event i has ids if bit i % 3 is set. */
static void check_sizes(const uint32_t *sizes, uint32_t count, unsigned int ids)
{
	bool has_ids[EVENTS_MAX];

	ck_assert_uint_le(count, EVENTS_MAX);
	begin();
	for (uint32_t i = 0; i < count; i++) {
		has_ids[i] = ids >> i % 3 & 1;
		add(sizes[i], has_ids[i]);
	}
	check_round_trip(built.len, sizes, has_ids, count);
}

/* Some events have a name; one without its NUL is no name, but an event of too many. */
START_TEST(test_names_follow_events)
{
	static const char *const comms[] = { "cat", NULL, "fifteen letters", "" };
	struct peat_frame_event event = { .sz = sizeof(event) };
	struct peat_frame frame = { .sz = sizeof(frame) };
	struct placed p;

	begin();
	for (uint32_t i = 0; i < 16; i++) {
		char comm[COMM_BYTES] = { 0 };

		add(i, i % 2);
		if (!comms[i / 2 % 4])
			continue;
		memcpy(comm, comms[i / 2 % 4], strlen(comms[i / 2 % 4]));
		add_name(comm);
	}
	p = open_built(&frame, built.len);
	for (uint32_t i = 0; i < 16; i++) {
		const char *comm = comms[i / 2 % 4];

		must(peat_frame__next(&frame, &event) == 1);
		check_event(&event, i, i, i % 2);
		must(comm ? event.comm && !strcmp(event.comm, comm) : !event.comm);
	}
	check_stays(&frame, 0);
	free(p.memory);
	for (size_t len = 0; len <= built.len; len++)
		check_built_against_drawing(len);
	begin();
	add(8, true);
	add_name("sixteen letters!");
	check_built_against_drawing(built.len);
}
END_TEST

START_TEST(test_sizes_alone)
{
	for (uint32_t size = 0; size <= 300; size++) {
		check_sizes(&size, 1, 0);
		check_sizes(&size, 1, 1);
	}
}
END_TEST

START_TEST(test_sizes_in_one_frame_with_and_without_ids)
{
	uint32_t sizes[301];

	for (uint32_t i = 0; i < 301; i++)
		sizes[i] = i;
	for (unsigned int ids = 0; ids < 8; ids++)
		check_sizes(sizes, 301, ids);
	for (uint32_t i = 0; i < 301; i++)
		sizes[i] = 300 - i;
	for (unsigned int ids = 0; ids < 8; ids++)
		check_sizes(sizes, 301, ids);
}
END_TEST

START_TEST(test_large_events)
{
	static const uint32_t sizes[] = { 3, 65000, 65535, 0, 1 };

	for (unsigned int ids = 0; ids < 8; ids++) {
		check_sizes(sizes + 1, 1, ids);
		check_sizes(sizes, 5, ids);
	}
}
END_TEST

START_TEST(test_most_events_in_a_frame)
{
	struct peat_frame_event event = { .sz = sizeof(event) };
	uint16_t size_and_type[2] = { 0, 9 };
	struct peat_frame frame = { .sz = sizeof(frame) };
	struct placed p;

	/* More than ROOM_BYTES, so made in place. */
	p.len = HEAD_BYTES + 65535 * 8;
	p.memory = calloc(1, RAW_OFFSET + p.len);
	must(p.memory);
	begin();
	set_count(65535);
	memcpy(p.memory + RAW_OFFSET, built.at, HEAD_BYTES);
	for (uint32_t i = 0; i < 65535; i++)
		memcpy(p.memory + RAW_OFFSET + HEAD_BYTES + i * 8, size_and_type, 4);
	must(peat_frame__open(&frame, p.memory + RAW_OFFSET, p.len) == 0);
	for (uint32_t i = 0; i < 65535; i++) {
		must(peat_frame__next(&frame, &event) == 1);
		must(event.seq == SEQ + i);
		must(event.type == 9);
	}
	check_stays(&frame, 0);
	free(p.memory);
}
END_TEST

START_TEST(test_slot_is_two_bits_of_the_flags)
{
	struct peat_frame frame = { .sz = sizeof(frame) };

	for (unsigned int flags = 0; flags < 256; flags++) {
		begin_at(0, 0, (uint8_t)flags);
		add(8, false);
		free(open_built(&frame, built.len).memory);
		ck_assert_uint_eq(frame.slot, flags % 4);
	}
}
END_TEST

START_TEST(test_padding_missing_or_more)
{
	static const bool has_ids[] = { true, false };
	uint32_t sizes[2] = { 5, 0 };
	size_t bare;

	for (sizes[1] = 0; sizes[1] <= 16; sizes[1]++) {
		begin();
		add(sizes[0], has_ids[0]);
		add_bare(sizes[1], has_ids[1]);
		bare = built.len;
		pad();
		for (size_t len = bare; len < built.len; len++)
			check_round_trip(len, sizes, has_ids, 2);
		for (int more = 0; more < 8; more++) {
			check_round_trip(built.len, sizes, has_ids, 2);
			put("\xff", 1);
		}
	}
}
END_TEST

/* ---- rows ------------------------------------------------------------------------------------ */

/* Rows of one to seven events of the same type and size. */
static void build_rows(void)
{
	uint32_t random = 1;

	begin();
	while (built.count < 200) {
		uint32_t size = random >> 10 & 3, length = 1 + (random >> 20) % 7;
		bool has_ids = random >> 30;
		const uint16_t type = (uint16_t)((random >> 15 & 1) | (has_ids ? HAS_IDS : 0));

		while (length--) {
			size_t at = built.len;

			add(size * 5, has_ids);
			memcpy(built.at + at + 2, &type, sizeof(type));
		}
		random = random * 1664525 + 1013904223;
	}
}

/* Decodes with and without rows, and compares.  Returns the number of events decoded in rows. */
static uint32_t compare_rows(struct peat_frame frame)
{
	struct frame_row row = { .step = SIZE_MAX };
	struct peat_frame other = frame;
	struct peat_frame_event event = { .sz = sizeof(event) };
	const unsigned char *at, *begin;
	uint32_t in_rows = 0;
	int more;

	for (;;) {
		begin = other.at;
		more = frame__step(&other, &event);
		at = frame_row__next(&row, &frame);
		if (at) {
			must(more == 1 && at == begin);
			must(event.data == at + row.before);
			in_rows++;
		} else {
			must(frame__step(&frame, &event) == more);
			if (more <= 0)
				return in_rows;
			frame_row__begin(&row, begin);
		}
		must(frame.at == other.at && frame.taken == other.taken);
	}
}

START_TEST(test_rows_match_events)
{
	struct peat_frame frame = { .sz = sizeof(frame) };
	struct placed p;

	build_rows();
	for (size_t len = HEAD_BYTES; len <= built.len; len++) {
		p = open_built(&frame, len);
		compare_rows(frame);
		free(p.memory);
	}
	p = open_built(&frame, built.len);
	ck_assert_uint_gt(compare_rows(frame), 100);
	free(p.memory);
}
END_TEST

/* Time and number of a frame may be anything: sums wrap to 0. */
START_TEST(test_time_and_seq_pass_2_64)
{
	struct peat_frame_event event = { .sz = sizeof(event) };
	struct peat_frame frame = { .sz = sizeof(frame) };
	struct placed p;

	begin_at(UINT64_MAX - delta_of(2), UINT64_MAX - 1, 3);
	for (int i = 0; i < 5; i++)
		add(4, i & 1);
	p = open_built(&frame, built.len);
	for (uint32_t i = 0; i < 5; i++) {
		ck_assert_int_eq(peat_frame__next(&frame, &event), 1);
		ck_assert_uint_eq(event.seq, (uint64_t)i - 2);
		ck_assert_uint_eq(event.time_ns, (uint64_t)i * 1000 - 2001);
	}
	check_stays(&frame, 0);
	free(p.memory);
}
END_TEST

START_TEST(test_largest_delta)
{
	struct peat_frame_event event = { .sz = sizeof(event) };
	struct peat_frame frame = { .sz = sizeof(frame) };
	struct placed p;

	begin();
	add(0, false);
	memset(built.at + HEAD_BYTES + 4, 0xff, 4);
	p = open_built(&frame, built.len);
	ck_assert_int_eq(peat_frame__next(&frame, &event), 1);
	ck_assert_uint_eq(event.time_ns, TIME_NS + UINT32_MAX);
	free(p.memory);
}
END_TEST

START_TEST(test_unaligned_is_the_same)
{
	struct peat_frame_event event = { .sz = sizeof(event) };
	struct peat_frame frame = { .sz = sizeof(frame) };

	begin();
	for (uint32_t i = 0; i < 60; i++)
		add(i, i % 3 == 0);
	for (size_t offset = 0; offset < 8; offset++) {
		struct placed p = place(built.len, offset);

		ck_assert_uint_eq(check_against_drawing(p.at, p.len), 60);
		ck_assert_int_eq(peat_frame__open(&frame, p.at, p.len), 0);
		for (uint32_t i = 0; i < 60; i++) {
			ck_assert_int_eq(peat_frame__next(&frame, &event), 1);
			check_event(&event, i, i, i % 3 == 0);
			ck_assert_uint_eq((uintptr_t)event.data % 8, (offset + 4) % 8);
		}
		check_stays(&frame, 0);
		free(p.memory);
	}
}
END_TEST

/* ---- corrupt frames ---- */

/* Three events of 5, 0 and 19 bytes, the second with ids: 16 + 16 + 32 bytes. */
static void build_small(void)
{
	begin();
	add(5, false);
	add(0, true);
	add(19, false);
	must(built.len == HEAD_BYTES + 16 + 16 + 32);
}

START_TEST(test_every_truncation)
{
	/* Frame lengths at which each event is complete. */
	static const size_t whole[] = { HEAD_BYTES + 13, HEAD_BYTES + 32, HEAD_BYTES + 59 };
	struct peat_frame_event event = { .sz = sizeof(event) };
	struct peat_frame frame = { .sz = sizeof(frame) };

	build_small();
	for (size_t len = 0; len <= built.len; len++) {
		struct placed p = place(len, RAW_OFFSET);
		uint32_t events = 0;

		while (events < 3 && len >= whole[events])
			events++;
		ck_assert_uint_eq(check_against_drawing(p.at, len), events);
		if (len < HEAD_BYTES) {
			check_refused(p.at, len);
		} else {
			ck_assert_int_eq(peat_frame__open(&frame, p.at, len), 0);
			for (uint32_t i = 0; i < events; i++)
				ck_assert_int_eq(peat_frame__next(&frame, &event), 1);
			check_stays(&frame, events == 3 ? 0 : -EBADMSG);
			ck_assert_uint_eq(frame.count - frame.taken, 3 - events);
		}
		free(p.memory);
	}
}
END_TEST

START_TEST(test_every_corruption_of_a_byte)
{
	build_small();
	for (size_t i = 0; i < built.len; i++) {
		uint8_t was = built.at[i];

		for (unsigned int value = 0; value < 256; value++) {
			built.at[i] = (uint8_t)value;
			check_built_against_drawing(built.len);
		}
		built.at[i] = was;
	}
	ck_assert_uint_eq(check_built_against_drawing(built.len), 3);
}
END_TEST

/* Two corruptions at once, or one and a cut. */
START_TEST(test_corruptions_at_random)
{
	unsigned int seed = 20;

	build_small();
	for (int round = 0; round < 200000; round++) {
		size_t a = (size_t)rand_r(&seed) % built.len, b = (size_t)rand_r(&seed) % built.len;
		size_t cut = round & 1 ? (size_t)rand_r(&seed) % built.len : built.len;

		built.at[a] ^= (uint8_t)rand_r(&seed);
		built.at[b] ^= (uint8_t)(1u << rand_r(&seed) % 8);
		check_built_against_drawing(cut);
		build_small();
	}
}
END_TEST

START_TEST(test_invalid_version_or_count)
{
	build_small();
	check_refused(NULL, 0);
	for (unsigned int version = 0; version < 256; version++) {
		built.at[0] = (uint8_t)version;
		if (version != 1)
			check_refused(built.at, built.len);
	}
	build_small();
	set_count(0);
	check_refused(built.at, built.len);
	check_refused(built.at, HEAD_BYTES);
}
END_TEST

/* Only a whole head without events is a bell. */
START_TEST(test_bell_is_an_empty_frame)
{
	build_small();
	ck_assert(!frame__is_bell(built.at, built.len));
	ck_assert(!frame__is_bell(built.at, HEAD_BYTES));
	set_count(0);
	ck_assert(frame__is_bell(built.at, HEAD_BYTES));
	ck_assert(!frame__is_bell(built.at, built.len));
	ck_assert(!frame__is_bell(built.at, HEAD_BYTES - 8));
	ck_assert(!frame__is_bell(NULL, 0));
	built.at[0] = 2;
	ck_assert(!frame__is_bell(built.at, HEAD_BYTES));
}
END_TEST

static void check_count(uint16_t says, uint32_t events, int result)
{
	struct peat_frame_event event = { .sz = sizeof(event) };
	struct peat_frame frame = { .sz = sizeof(frame) };
	struct placed p;

	build_small();
	set_count(says);
	p = open_built(&frame, built.len);
	ck_assert_uint_eq(frame.count, says);
	for (uint32_t i = 0; i < events; i++)
		ck_assert_int_eq(peat_frame__next(&frame, &event), 1);
	check_stays(&frame, result);
	ck_assert_uint_eq(frame.count - frame.taken, says - events);
	free(p.memory);
}

START_TEST(test_wrong_count)
{
	check_count(1, 1, -EBADMSG);
	check_count(2, 2, -EBADMSG);
	check_count(3, 3, 0);
	check_count(4, 3, -EBADMSG);
	check_count(65535, 3, -EBADMSG);
}
END_TEST

/* The smallest hidden event has 8 bytes, more than any padding. */
START_TEST(test_hidden_event_is_not_padding)
{
	struct peat_frame_event event = { .sz = sizeof(event) };
	struct peat_frame frame = { .sz = sizeof(frame) };
	struct placed p;

	begin();
	add(8, false);
	add(0, false);
	set_count(1);
	for (size_t cut = 0; cut <= 8; cut++) {
		p = open_built(&frame, built.len - cut);
		ck_assert_int_eq(peat_frame__next(&frame, &event), 1);
		check_stays(&frame, cut == 0 ? -EBADMSG : 0);
		ck_assert_uint_eq(frame.count, frame.taken);
		free(p.memory);
	}
}
END_TEST

/* The size of the last event, with 24 bytes of payload, is set to `says`. */
static void check_last_size(uint16_t says, bool has_ids)
{
	struct peat_frame_event event = { .sz = sizeof(event) };
	struct peat_frame frame = { .sz = sizeof(frame) };
	uint16_t size = says;
	size_t head;
	struct placed p;

	begin();
	add(16, true);
	head = built.len;
	add(24, has_ids);
	memcpy(built.at + head, &size, sizeof(size));
	p = open_built(&frame, built.len);
	ck_assert_int_eq(peat_frame__next(&frame, &event), 1);
	check_event(&event, 0, 16, true);
	if (says > 24) {
		check_stays(&frame, -EBADMSG);
		ck_assert_uint_eq(frame.count - frame.taken, 1);
	} else {
		ck_assert_int_eq(peat_frame__next(&frame, &event), 1);
		check_event(&event, 1, says, has_ids);
		check_stays(&frame, says > 16 ? 0 : -EBADMSG);
	}
	free(p.memory);
}

START_TEST(test_wrong_size)
{
	for (uint32_t says = 0; says <= 65535; says += says < 64 ? 1 : 331) {
		check_last_size((uint16_t)says, false);
		check_last_size((uint16_t)says, true);
	}
	check_last_size(65535, true);
}
END_TEST

/* The head claims ids that would lie past the end: even size 0 is too large. */
START_TEST(test_missing_ids)
{
	struct peat_frame frame = { .sz = sizeof(frame) };
	uint16_t type = HAS_IDS;
	struct placed p;

	for (uint32_t size = 0; size < 8; size++) {
		begin();
		add_bare(size, false);
		memset(built.at + HEAD_BYTES, 0, 2);
		memcpy(built.at + HEAD_BYTES + 2, &type, sizeof(type));
		p = open_built(&frame, built.len);
		check_stays(&frame, -EBADMSG);
		ck_assert_uint_eq(frame.taken, 0);
		free(p.memory);
	}
}
END_TEST

START_TEST(test_wrong_sizes_are_refused)
{
	static const uint8_t bytes[64];
	struct peat_frame_event event = { .sz = 8 };
	struct peat_frame frame = { .sz = sizeof(frame) - 1 };

	errno = 0;
	ck_assert_int_eq(peat_frame__open(&frame, bytes, sizeof(bytes)), -EINVAL);
	ck_assert_int_eq(errno, EINVAL);
	frame.sz = sizeof(frame);
	ck_assert_int_eq(peat_frame__open(&frame, bytes, sizeof(bytes)), -EBADMSG);
	ck_assert_int_eq(peat_frame__next(&frame, &event), -EINVAL);
}
END_TEST

SUITE(30)
{
	tcase_add_test(tests, test_wrong_sizes_are_refused);
	tcase_add_test(tests, test_names_follow_events);
	tcase_add_test(tests, test_sizes_alone);
	tcase_add_test(tests, test_sizes_in_one_frame_with_and_without_ids);
	tcase_add_test(tests, test_large_events);
	tcase_add_test(tests, test_most_events_in_a_frame);
	tcase_add_test(tests, test_slot_is_two_bits_of_the_flags);
	tcase_add_test(tests, test_padding_missing_or_more);
	tcase_add_test(tests, test_rows_match_events);
	tcase_add_test(tests, test_time_and_seq_pass_2_64);
	tcase_add_test(tests, test_largest_delta);
	tcase_add_test(tests, test_unaligned_is_the_same);
	tcase_add_test(tests, test_every_truncation);
	tcase_add_test(tests, test_every_corruption_of_a_byte);
	tcase_add_test(tests, test_corruptions_at_random);
	tcase_add_test(tests, test_invalid_version_or_count);
	tcase_add_test(tests, test_bell_is_an_empty_frame);
	tcase_add_test(tests, test_wrong_count);
	tcase_add_test(tests, test_hidden_event_is_not_padding);
	tcase_add_test(tests, test_wrong_size);
	tcase_add_test(tests, test_missing_ids);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_frame_owner.c: frames whose events have the user and the cgroup of their task. */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include <peat/frame.h>
#include <peat/wire.h>

#include "unit/suite.h"

#define CGROUP 0x100000002ULL

struct owned_event {
	struct peat_event_head head;
	struct peat_event_owner owner;
	struct peat_event_ids ids;
	uint64_t payload;
};

/* In memory as the kernel puts it: events are aligned. */
static struct {
	uint32_t before;
	struct peat_frame_head head;
	struct owned_event events[2];
} __attribute__((packed, aligned(8))) built;

static void build(uint16_t flags)
{
	const struct owned_event event = {
		.head = { .size = sizeof(event.payload), .type = (uint16_t)(7 | flags) },
		.owner = { .uid = 1000, .cgroup = CGROUP },
		.ids = { 100, 101 },
		.payload = 42,
	};

	built.head = (struct peat_frame_head){ .version = PEAT_WIRE_VERSION, .count = 2 };
	built.events[0] = built.events[1] = event;
	built.events[1].owner = (struct peat_event_owner){ .uid = PEAT_NO_UID, .cgroup = 5 };
}

static int open_built(struct peat_frame *frame, size_t bytes)
{
	*frame = (struct peat_frame){ .sz = sizeof(*frame) };
	return peat_frame__open(frame, &built.head, bytes);
}

#define ALL_BYTES (sizeof(built) - offsetof(typeof(built), head))

/* They are in front of the ids; a user that is not known has no cgroup. */
START_TEST(test_owners_precede_ids)
{
	struct peat_frame_event event = { .sz = sizeof(event) };
	struct peat_frame frame;

	build(PEAT_EVENT_OWNER | PEAT_EVENT_IDS);
	ck_assert_int_eq(open_built(&frame, ALL_BYTES), 0);
	ck_assert_int_eq(peat_frame__next(&frame, &event), 1);
	ck_assert_uint_eq(event.type, 7);
	ck_assert_uint_eq(event.size, sizeof(uint64_t));
	ck_assert_ptr_eq(event.data, &built.events[0].payload);
	ck_assert(event.tgid == 100 && event.tid == 101);
	ck_assert(event.has_owner && event.uid == 1000 && event.cgroup == CGROUP);
	ck_assert_int_eq(peat_frame__next(&frame, &event), 1);
	ck_assert_ptr_eq(event.data, &built.events[1].payload);
	ck_assert_uint_eq(event.tid, 101);
	ck_assert(!event.has_owner && !event.uid && !event.cgroup);
	ck_assert_int_eq(peat_frame__next(&frame, &event), 0);
}
END_TEST

START_TEST(test_owner_without_ids_is_invalid)
{
	struct peat_frame_event event = { .sz = sizeof(event) };
	struct peat_frame frame;

	build(PEAT_EVENT_OWNER);
	ck_assert_int_eq(open_built(&frame, ALL_BYTES), 0);
	ck_assert_int_eq(peat_frame__next(&frame, &event), -EBADMSG);
}
END_TEST

/* An event ends with its payload, of which the last one is cut off here. */
START_TEST(test_cut_owners_are_invalid)
{
	struct peat_frame_event event = { .sz = sizeof(event) };
	struct peat_frame frame;

	build(PEAT_EVENT_OWNER | PEAT_EVENT_IDS);
	for (size_t cut = 1; cut < sizeof(struct owned_event); cut++) {
		ck_assert_int_eq(open_built(&frame, ALL_BYTES - cut), 0);
		ck_assert_int_eq(peat_frame__next(&frame, &event), 1);
		ck_assert_int_eq(peat_frame__next(&frame, &event), -EBADMSG);
	}
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_owners_precede_ids);
	tcase_add_test(tests, test_owner_without_ids_is_invalid);
	tcase_add_test(tests, test_cut_owners_are_invalid);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_event_names.c: names of events whose recording has none, as stock perf shows them. */
#include <stdio.h>

#include "perf_data/event_names.h"
#include "unit/perf_data/read/perf_maker.h"
#include "unit/replay/replay_maker.h"
#include "unit/suite.h"

#define FLAG(name) (1ULL << PERF_ATTR_EXCLUDE_##name)

static const struct {
	struct perf_attr attr;
	const char *name;
} cases[] = {
	{ { .type = 0, .config = 0 }, "cycles" },
	{ { .type = 0, .config = 0, .flags = FLAG(GUEST) }, "cycles" },
	{ { .type = 0, .config = 0, .precise_ip = 2, .flags = FLAG(GUEST) }, "cycles:ppH" },
	{ { .type = 0, .config = 0, .precise_ip = 3 }, "cycles:ppp" },
	{ { .type = 0, .config = 3, .flags = FLAG(KERNEL) | FLAG(HV) }, "cache-misses:u" },
	{ { .type = 0, .config = 3, .flags = FLAG(USER) }, "cache-misses:kh" },
	{ { .type = 0, .config = 3, .flags = FLAG(USER) | FLAG(GUEST) }, "cache-misses:khH" },
	{ { .type = 0, .config = 1, .flags = FLAG(HOST) }, "instructions:G" },
	{ { .type = 0, .config = 1, .flags = FLAG(HOST) | FLAG(KERNEL), .precise_ip = 1 },
	  "instructions:uhpG" },
	{ { .type = 0, .config = 99, .flags = FLAG(KERNEL) }, "0:0x63" },
	{ { .type = 1, .config = 0, .flags = FLAG(KERNEL) | FLAG(HV) }, "cpu-clock:u" },
	{ { .type = 2, .config = 314, .flags = FLAG(KERNEL) }, "tracepoint 314" },
	{ { .type = 3, .config = 0x10000 }, "L1-dcache-load-misses" },
	{ { .type = 3, .config = 0x00102, .flags = FLAG(KERNEL) | FLAG(HV) }, "LLC-stores:u" },
	{ { .type = 3, .config = 0x20000 }, "3:0x20000" },
	{ { .type = 3, .config = 0x00300 }, "3:0x300" },
	{ { .type = 3, .config = 0x00007 }, "3:0x7" },
	{ { .type = 4, .config = 0x1b1, .precise_ip = 1 }, "raw 0x1b1:p" },
	{ { .type = 5, .config1 = 0x1000 }, "mem:0x1000" },
	{ { .type = 0, .config = 0, .name = (char *)"mine" }, "mine" },
};

START_TEST(test_perfs_names)
{
	char room[EVENT_NAME_BYTES];

	ck_assert_str_eq(event_names__of(&cases[_i].attr, room), cases[_i].name);
}
END_TEST

/* ---- tracepoints ----------------------------------------------------------------------------- */

static void add_tracepoint(struct perf_attrs *attrs, uint64_t id, const char *name)
{
	struct perf_attr attr = { .type = 2, .config = id };

	ck_assert_int_eq(perf_attrs__add(attrs, &attr), 0);
	if (name)
		ck_assert_int_eq(perf_attrs__name(attrs->at[attrs->count - 1], name, strlen(name)),
				 0);
}

static void check_names(const struct perf_attrs *attrs, const char *const *names)
{
	char room[EVENT_NAME_BYTES];

	for (uint32_t i = 0; i < attrs->count; i++)
		ck_assert_str_eq(event_names__of(attrs->at[i], room), names[i]);
}

/* EVENT_DESC of an event without ids, whose name is "given". */
static void describe(struct perf_attrs *attrs)
{
	struct maker m = { 0 };

	make(&m, 1, 4);
	make(&m, 64, 4);
	make_zeroes(&m, 64);
	make(&m, 0, 4);
	make(&m, 8, 4);
	make_bytes(&m, "given\0\0", 8);
	ck_assert_int_eq(event_names__add_described(attrs, m.at, m.len, false), 0);
	free(m.at);
}

/* TRACING_DATA names made:first, 301, and made:second, 302. */
START_TEST(test_tracepoints_get_names)
{
	for (int swapped = 0; swapped < 2; swapped++) {
		struct perf_attrs attrs;
		struct bytes formats;

		put_made_formats(&formats, swapped);
		perf_attrs__init(&attrs, swapped);
		add_tracepoint(&attrs, 301, NULL);
		add_tracepoint(&attrs, 302, "mine");
		add_tracepoint(&attrs, 303, NULL);
		add_tracepoint(&attrs, 302, NULL);
		ck_assert_int_eq(event_names__add_tracepoints(&attrs, formats.at, formats.len), 0);
		check_names(&attrs, (const char *const[]){ "made:first", "mine", "tracepoint 303",
							   "made:second" });
		describe(&attrs);
		check_names(&attrs, (const char *const[]){ "given", "mine", "tracepoint 303",
							   "made:second" });
		describe(&attrs);
		perf_attrs__clear(&attrs);
	}
}
END_TEST

/* In damaged formats, events before the damage are found. */
START_TEST(test_damaged_formats)
{
	struct bytes formats;

	put_made_formats(&formats, false);
	for (size_t count = 0; count < formats.len; count++) {
		char room[EVENT_NAME_BYTES];
		struct perf_attrs attrs;
		const char *name;

		perf_attrs__init(&attrs, false);
		add_tracepoint(&attrs, 301, NULL);
		ck_assert_int_eq(event_names__add_tracepoints(&attrs, formats.at, count), 0);
		name = event_names__of(attrs.at[0], room);
		ck_assert(!strcmp(name, "tracepoint 301") || !strcmp(name, "made:first"));
		perf_attrs__clear(&attrs);
	}
}
END_TEST

SUITE(5)
{
	tcase_add_loop_test(tests, test_perfs_names, 0, sizeof(cases) / sizeof(*cases));
	tcase_add_test(tests, test_tracepoints_get_names);
	tcase_add_test(tests, test_damaged_formats);
}

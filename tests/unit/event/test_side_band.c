// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_side_band.c: kinds of records by name, by type, and as bits of an attr. */
#include <string.h>
#include <linux/perf_event.h>

#include "event/side_band.h"
#include "unit/suite.h"

START_TEST(test_names_find_their_kinds)
{
	for (uint32_t bit = 0; bit <= 10; bit++) {
		const char *name = peat_side_band__name((enum peat_side_band)(1u << bit));

		ck_assert_ptr_nonnull(name);
		ck_assert_uint_eq(peat_side_band__find(name), 1u << bit);
	}
	ck_assert_ptr_null(peat_side_band__name((enum peat_side_band)0));
	ck_assert_ptr_null(peat_side_band__name((enum peat_side_band)(1u << 11)));
	ck_assert_uint_eq(peat_side_band__find("nothing"), 0);
	ck_assert_uint_eq(peat_side_band__find(""), 0);
}
END_TEST

static struct perf_event_attr asked(uint32_t kinds)
{
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof(attr));
	side_band__request(kinds, &attr);
	return attr;
}

/* Each kind sets its bits, and no others. */
START_TEST(test_kinds_set_own_bits)
{
	struct perf_event_attr attrs[9], wanted[9], all, none;

	memset(wanted, 0, sizeof(wanted));
	wanted[0].task = 1;
	wanted[1].comm = wanted[1].comm_exec = 1;
	wanted[2].mmap = wanted[2].mmap2 = 1;
	wanted[3].context_switch = 1;
	wanted[4].namespaces = 1;
	wanted[5].cgroup = 1;
	wanted[6].ksymbol = 1;
	wanted[7].bpf_event = 1;
	wanted[8].text_poke = 1;
	for (uint32_t bit = 0; bit < 9; bit++) {
		attrs[bit] = asked(1u << bit);
		ck_assert_mem_eq(&attrs[bit], &wanted[bit], sizeof(all));
	}
	none = asked(0);
	memset(&all, 0, sizeof(all));
	ck_assert_mem_eq(&none, &all, sizeof(all));
	all = asked(SIDE_BAND_ALL);
	ck_assert(all.task && all.comm && all.mmap2 && all.context_switch && all.text_poke);
}
END_TEST

START_TEST(test_kind_of_each_record)
{
	static const struct {
		uint32_t type, kind;
	} cases[] = {
		{ PEAT_RECORD_FORK, PEAT_SIDE_BAND_TASK },
		{ PEAT_RECORD_EXIT, PEAT_SIDE_BAND_TASK },
		{ PEAT_RECORD_COMM, PEAT_SIDE_BAND_COMM },
		{ PEAT_RECORD_MMAP, PEAT_SIDE_BAND_MMAP },
		{ PEAT_RECORD_MMAP2, PEAT_SIDE_BAND_MMAP },
		{ PEAT_RECORD_SWITCH, PEAT_SIDE_BAND_SWITCH },
		{ PEAT_RECORD_SWITCH_CPU_WIDE, PEAT_SIDE_BAND_SWITCH },
		{ PEAT_RECORD_NAMESPACES, PEAT_SIDE_BAND_NAMESPACES },
		{ PEAT_RECORD_CGROUP, PEAT_SIDE_BAND_CGROUP },
		{ PEAT_RECORD_KSYMBOL, PEAT_SIDE_BAND_KSYMBOL },
		{ PEAT_RECORD_BPF_EVENT, PEAT_SIDE_BAND_BPF },
		{ PEAT_RECORD_TEXT_POKE, PEAT_SIDE_BAND_TEXTPOKE },
		{ PEAT_RECORD_THROTTLE, PEAT_SIDE_BAND_OTHER },
		{ PEAT_RECORD_AUX, PEAT_SIDE_BAND_OTHER },
		{ PEAT_RECORD_LOST, 0 },
		{ PEAT_RECORD_LOST_SAMPLES, 0 },
		{ PEAT_RECORD_SAMPLE, 0 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ck_assert_msg(side_band__of(cases[i].type) == cases[i].kind, "type %u",
			      cases[i].type);
}
END_TEST

SUITE(5)
{
	tcase_add_test(tests, test_names_find_their_kinds);
	tcase_add_test(tests, test_kinds_set_own_bits);
	tcase_add_test(tests, test_kind_of_each_record);
}

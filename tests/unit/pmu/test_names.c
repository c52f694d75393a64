// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_names.c: names of generic events. */
#include <stdio.h>
#include <string.h>
#include <linux/perf_event.h>

#include "pmu/names.h"
#include "unit/suite.h"

/* "TYPE:CONFIG", or "none". */
static const char *found(const char *name)
{
	struct pmu_generic event;
	static char text[64];

	if (!pmu_generic__find(&event, name, strlen(name)))
		return "none";
	snprintf(text, sizeof(text), "%u:%#llx", event.type, (unsigned long long)event.config);
	return text;
}

START_TEST(test_finds_symbols)
{
	ck_assert_str_eq(found("cycles"), "0:0");
	ck_assert_str_eq(found("cpu-cycles"), "0:0");
	ck_assert_str_eq(found("instructions"), "0:0x1");
	ck_assert_str_eq(found("branches"), "0:0x4");
	ck_assert_str_eq(found("branch-instructions"), "0:0x4");
	ck_assert_str_eq(found("branch-misses"), "0:0x5");
	ck_assert_str_eq(found("idle-cycles-frontend"), "0:0x7");
	ck_assert_str_eq(found("stalled-cycles-backend"), "0:0x8");
	ck_assert_str_eq(found("ref-cycles"), "0:0x9");
	ck_assert_str_eq(found("cpu-clock"), "1:0");
	ck_assert_str_eq(found("faults"), "1:0x2");
	ck_assert_str_eq(found("cs"), "1:0x3");
	ck_assert_str_eq(found("migrations"), "1:0x4");
	ck_assert_str_eq(found("bpf-output"), "1:0xa");
	ck_assert_str_eq(found("cgroup-switches"), "1:0xb");
}
END_TEST

START_TEST(test_finds_caches)
{
	ck_assert_str_eq(found("L1-dcache-loads"), "3:0");
	ck_assert_str_eq(found("L1-dcache-load-misses"), "3:0x10000");
	ck_assert_str_eq(found("l1d-misses-read"), "3:0x10000");
	ck_assert_str_eq(found("l1d"), "3:0");
	ck_assert_str_eq(found("L1-data-speculative-read-miss"), "3:0x10200");
	ck_assert_str_eq(found("L1-icache-prefetches"), "3:0x201");
	ck_assert_str_eq(found("LLC-store-misses"), "3:0x10102");
	ck_assert_str_eq(found("L2-write-ops"), "3:0x102");
	ck_assert_str_eq(found("Data-TLB-access"), "3:0x3");
	ck_assert_str_eq(found("iTLB-load-misses"), "3:0x10004");
	ck_assert_str_eq(found("bpc-miss"), "3:0x10005");
	ck_assert_str_eq(found("node-store"), "3:0x106");
}
END_TEST

START_TEST(test_other_names_are_unknown)
{
	static const char *const names[] = { "",
					     "cycle",
					     "Cycles",
					     "cyclesx",
					     "LLC-",
					     "LLC-load-",
					     "LLC--load",
					     "LLC-load-load",
					     "LLC-miss-misses",
					     "iTLB-stores",
					     "branch-stores",
					     "L1-icache-store-misses",
					     "LLC-loadmisses",
					     "LLCx",
					     "load-LLC" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		ck_assert_str_eq(found(names[i]), "none");
	ck_assert(!pmu_generic__find(&(struct pmu_generic){ 0 }, "cycles", 5));
}
END_TEST

START_TEST(test_lists_can_be_found)
{
	struct pmu_generic listed, event;
	const char *name, *also;
	char cache[32];
	uint32_t count = 0;

	for (uint32_t n = 0; (name = pmu_generic__name(n, &listed, &also)); n++) {
		ck_assert(pmu_generic__find(&event, name, strlen(name)));
		ck_assert(event.type == listed.type && event.config == listed.config);
		ck_assert(!also || pmu_generic__find(&event, also, strlen(also)));
		ck_assert(event.type == listed.type && event.config == listed.config);
	}
	for (; pmu_generic__cache_name(count, cache); count++) {
		ck_assert_msg(pmu_generic__find(&event, cache, strlen(cache)), "%s", cache);
		ck_assert_uint_eq(event.type, PERF_TYPE_HW_CACHE);
	}
	ck_assert_uint_eq(count, 32);
	ck_assert(pmu_generic__cache_name(1, cache));
	ck_assert_str_eq(cache, "L1-dcache-load-misses");
}
END_TEST

START_TEST(test_suggests_generic_names)
{
	struct suggestion suggestion = { .wanted = "L1-dcahce-loads" };

	pmu_generic__suggest(&suggestion);
	ck_assert_str_eq(suggestion.best, "L1-dcache-loads");
	suggestion = (struct suggestion){ .wanted = "fualts" };
	pmu_generic__suggest(&suggestion);
	ck_assert_str_eq(suggestion.best, "faults");
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_finds_symbols);
	tcase_add_test(tests, test_finds_caches);
	tcase_add_test(tests, test_other_names_are_unknown);
	tcase_add_test(tests, test_lists_can_be_found);
	tcase_add_test(tests, test_suggests_generic_names);
}

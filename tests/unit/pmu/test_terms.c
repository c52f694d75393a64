// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_terms.c: terms between slashes, into attrs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmu/terms.h"
#include "unit/pmu/pmu_tree.h"
#include "unit/suite.h"

static int tree;

static void make_tree(void)
{
	tree = pmu_tree__server();
}

static void free_tree(void)
{
	pmu_tree__free(tree);
}

/* The attr that the terms of one event make, or the error with its place. */
static const char *applied(const char *text)
{
	struct pmu_event event = { .scale = 1 };
	struct perf_event_attr *attr = &event.attr;
	struct pmu pmu = { .dir = -1 };
	static char shown[1024];
	struct pmu_list list;
	char name[64];
	int err;

	ck_assert_int_eq(pmu_list__parse(&list, text), 0);
	snprintf(name, sizeof(name), "%.*s", (int)list.items[0].name.bytes, text);
	err = pmu__read(&pmu, tree, name);
	ck_assert(!err || err == -ENOENT);
	err = pmu_terms__apply(&event, err ? NULL : &pmu, &list, text, &list.items[0]);
	if (err)
		snprintf(shown, sizeof(shown), "%d %u: %s", err, list.error_at, list.error);
	else
		snprintf(shown, sizeof(shown), "%#llx %#llx %#llx %s%llu%s%s%s%s%s %g",
			 (unsigned long long)attr->config, (unsigned long long)attr->config1,
			 (unsigned long long)attr->config2, attr->freq ? "freq " : "",
			 (unsigned long long)attr->sample_period, event.name ? " " : "",
			 event.name ? event.name : "", event.has_call_graph ? " graph" : "",
			 event.unit ? " " : "", event.unit ? event.unit : "", event.scale);
	free(event.name);
	free(event.unit);
	pmu_list__free(&list);
	pmu__free(&pmu);
	return shown;
}

START_TEST(test_of_perf)
{
	ck_assert_str_eq(applied("cycles/period=1000/"), "0 0 0 1000 1");
	ck_assert_str_eq(applied("cycles/freq=99,name=ab,call-graph=fp/"),
			 "0 0 0 freq 99 ab graph 1");
	ck_assert_str_eq(applied("cycles/call-graph=no/"), "0 0 0 0 1");
	ck_assert_str_eq(applied("cpu/config=0x53003c,config1=7,config2=8/"),
			 "0x53003c 0x7 0x8 0 1");
	ck_assert_str_eq(applied("cpu/r1a8/"), "0x1a8 0 0 0 1");
}
END_TEST

START_TEST(test_of_a_pmu)
{
	ck_assert_str_eq(applied("cpu/event=0x3c,umask=0x1,edge,cmask=0xff/"),
			 "0xff04013c 0 0 0 1");
	ck_assert_str_eq(applied("cpu/event=0xfff/"), "0xf000000ff 0 0 0 1");
	ck_assert_str_eq(applied("cpu/edge=0/"), "0 0 0 0 1");
	ck_assert_str_eq(applied("cpu/event=0xb7,offcore_rsp=0xffffffffffffffff/"),
			 "0xb7 0xffffffffffffffff 0 0 1");
	ck_assert_str_eq(applied("power/energy-pkg/"), "0x2 0 0 0 Joules 2.32831e-10");
	ck_assert_str_eq(applied("uncore_imc_0/cas_count_read,name=x/"),
			 "0x304 0 0 0 x MiB 6.10352e-05");
}
END_TEST

/* A term replaces the value of an alias, wherever it stands. */
START_TEST(test_terms_replace_alias_values)
{
	ck_assert_str_eq(applied("cpu/mem-loads/"), "0x1cd 0x3 0 0 1");
	ck_assert_str_eq(applied("cpu/mem-loads,ldlat=30/"), "0x1cd 0x1e 0 0 1");
	ck_assert_str_eq(applied("cpu/ldlat=30,mem-loads/"), "0x1cd 0x1e 0 0 1");
	ck_assert_str_eq(applied("cpu/offcore,offcore_rsp=0x10/"), "0x1b7 0x10 0 0 1");
	ck_assert_str_eq(applied("cpu/cycles/"), "0x3c 0 0 0 1");
	/* No alias of sysfs; the kernel has the type of this PMU in the upper half. */
	ck_assert_str_eq(applied("cpu/instructions/"), "0x400000001 0 0 0 1");
}
END_TEST

static void check_error(const char *text, int err, uint32_t at, const char *why)
{
	const char *error = applied(text);
	char start[32];

	snprintf(start, sizeof(start), "%d %u: ", err, at);
	ck_assert_msg(!strncmp(error, start, strlen(start)) && strstr(error, why), "%s: %s", text,
		      error);
}

START_TEST(test_errors_name_terms)
{
	check_error("cpu/umask=0x100/", -EINVAL, 4, "umask has 8 bits, 0 to 0xff");
	check_error("cpu/event=0x1000/", -EINVAL, 4, "event has 12 bits, 0 to 0xfff");
	check_error("cpu/edge=2/", -EINVAL, 4, "edge has 1 bits, 0 to 0x1");
	check_error("cpu/event=1,umsk=2/", -ENOENT, 12, "did you mean \"umask\"?");
	check_error("cpu/mem-load/", -ENOENT, 4, "did you mean \"mem-loads\"?");
	check_error("cpu/event=1,event=2/", -EINVAL, 12, "given twice");
	check_error("cpu/cpu-cycles,slots/", -EINVAL, 15, "slots is another event");
	check_error("cpu/event=cycles/", -EINVAL, 4, "needs a number");
	check_error("cpu/event=0x10000000000000000/", -EINVAL, 4, "more than 64 bits");
	check_error("cpu/offcore/", -EINVAL, 4, "add ,offcore_rsp=NUMBER");
	check_error("cpu/wrong/", -EINVAL, 4, "in sysfs, event=0x10000, are wrong: event=0x10000");
	check_error("cpu/newer=1/", -EINVAL, 4, "config7");
	check_error("power/page-faults/", -ENOENT, 6, "no event or term page-faults");
	check_error("cycles/umask=1/", -ENOENT, 7, "no term umask");
	check_error("cycles/period=0/", -EINVAL, 7, "a period is 1 to");
	check_error("cycles/period=1,freq=1/", -EINVAL, 16, "exclude each other");
	check_error("cycles/freq=1,period=1/", -EINVAL, 14, "exclude each other");
	check_error("cycles/freq=4294967296/", -EINVAL, 7, "a frequency is 1 to");
	check_error("cycles/period/", -EINVAL, 7, "needs a number");
	check_error("cycles/name/", -EINVAL, 7, "name=TEXT");
	check_error("cycles/call-graph=dwarf/", -EINVAL, 7, "call-graph is fp or no");
	check_error("cycles/percore/", -EINVAL, 7, "percore of perf is not supported");
	check_error("cycles/no-inherit/", -EINVAL, 7, "no-inherit of perf is not supported");
}
END_TEST

START_TEST(test_other_kinds_of_events)
{
	pmu_tree__add(tree, "cpu/events/slots.snapshot", "1\n");
	check_error("cpu/slots/", -EINVAL, 4, "slots is a value at one time");
	pmu_tree__add(tree, "cpu/events/slots.snapshot", "0\n");
	pmu_tree__add(tree, "cpu/events/slots.per-pkg", "1\n");
	check_error("cpu/slots/", -EINVAL, 4, "slots counts per package");
	pmu_tree__add(tree, "power/events/energy-pkg.per-pkg", "1\n");
	ck_assert_str_eq(applied("power/energy-pkg/"), "0x2 0 0 0 Joules 2.32831e-10");
}
END_TEST

START_TEST(test_alias_alone)
{
	struct pmu_event event = { .scale = 1 };
	struct pmu_list list = { 0 };
	struct pmu pmu;

	ck_assert_int_eq(pmu__read(&pmu, tree, "power"), 0);
	ck_assert_int_eq(pmu_terms__apply_alias(&event, &pmu, &list, 0, "energy-pkg"), 0);
	ck_assert_uint_eq(event.attr.config, 2);
	ck_assert_str_eq(event.unit, "Joules");
	ck_assert_int_eq(pmu_terms__apply_alias(&event, &pmu, &list, 0, "none"), -ENOENT);
	ck_assert_str_eq(list.error, "");
	free(event.unit);
	pmu__free(&pmu);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, make_tree, free_tree);
	tcase_add_test(tests, test_of_perf);
	tcase_add_test(tests, test_of_a_pmu);
	tcase_add_test(tests, test_terms_replace_alias_values);
	tcase_add_test(tests, test_errors_name_terms);
	tcase_add_test(tests, test_other_kinds_of_events);
	tcase_add_test(tests, test_alias_alone);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_perf_event_names.c: events by name, against the attrs that stock perf opens for the same
 * names.  perf -vv prints each attr before it is opened, so events that this machine does not have
 * are compared, too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pmu/events.h"
#include "support/machine/harness.h"
#include "support/perf/stock_perf.h"

/* ---- attrs that perf prints ------------------------------------------------------------------ */

/* The n-th attr in the output of perf -vv; ends at a line of dashes. */
static const char *find_attr(const char *text, unsigned n)
{
	static const char title[] = "perf_event_attr:\n";

	for (text = strstr(text, title); text && n; n--)
		text = strstr(text + 1, title);
	return text ? text + strlen(title) : NULL;
}

/* A member of an attr, "  config      0x10000"; perf leaves out those that are 0. */
static unsigned long long member(const char *attr, const char *name)
{
	const char *end = strstr(attr, "---");

	ck_assert_ptr_nonnull(end);
	for (const char *line = attr; line < end; line = strchr(line, '\n') + 1) {
		const char *value = line + strspn(line, " ") + strlen(name);

		if (!strncmp(line + strspn(line, " "), name, strlen(name)) &&
		    !strncmp(value, "  ", 2))
			return strtoull(value, NULL, 0);
	}
	return 0;
}

#define CHECK(list, attr, ours, name)                                                              \
	ck_assert_msg((ours)->name == member(attr, #name), "%s: " #name " is %llu, not %llu",      \
		      list, (unsigned long long)(ours)->name, member(attr, #name))

/* Before 6.13, perf excludes guests unless a modifier does not. */
static void check_attr(const char *list, const char *attr, const struct pmu_event *event)
{
	const struct perf_event_attr *ours = &event->attr;

	CHECK(list, attr, ours, type);
	CHECK(list, attr, ours, exclude_user);
	CHECK(list, attr, ours, exclude_kernel);
	CHECK(list, attr, ours, exclude_hv);
	CHECK(list, attr, ours, exclude_idle);
	CHECK(list, attr, ours, exclude_host);
	CHECK(list, attr, ours, precise_ip);
	CHECK(list, attr, ours, pinned);
	CHECK(list, attr, ours, exclusive);
	if (strpbrk(list, "GH"))
		CHECK(list, attr, ours, exclude_guest);
	if (ours->type == PERF_TYPE_BREAKPOINT) {
		CHECK(list, attr, ours, bp_type);
		ck_assert_uint_eq(ours->bp_addr, member(attr, "{ bp_addr, config1 }"));
		ck_assert_uint_eq(ours->bp_len, member(attr, "{ bp_len, config2 }"));
	} else {
		CHECK(list, attr, ours, config);
		ck_assert_uint_eq(ours->config1, member(attr, "{ bp_addr, config1 }"));
		ck_assert_uint_eq(ours->config2, member(attr, "{ bp_len, config2 }"));
	}
}

/* Without a term, perf record has a default. */
static void check_period(const char *list, const char *attr, const struct perf_event_attr *ours)
{
	CHECK(list, attr, ours, freq);
	ck_assert_msg(ours->sample_period == member(attr, "{ sample_period, sample_freq }"),
		      "%s: period %llu", list, (unsigned long long)ours->sample_period);
}

static char *run_perf(const char *verb, const char *list)
{
	return stock_perf__shellf("perf %s -e '%s' true 2>&1 || :", verb, list);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void check_list(const char *list)
{
	struct pmu_events events = { 0 };
	char *text = run_perf("stat -vv", list);
	const char *attr = find_attr(text, 0);

	ck_assert_msg(attr, "%s: perf does not print its attr: %.500s", list, text);
	ck_assert_int_eq(pmu_events__parse(&events, list), 0);
	check_attr(list, attr, &events.at[0]);
	pmu_events__free(&events);
	free(text);
}

START_TEST(test_generic_events_match_perf)
{
	static const char *const lists[] = {
		"cycles",
		"cpu-cycles:u",
		"instructions:k",
		"cache-references:uk",
		"cache-misses:h",
		"branches:G",
		"branch-instructions:H",
		"branch-misses:GH",
		"bus-cycles:uG",
		"stalled-cycles-frontend:p",
		"idle-cycles-backend:ppp",
		"ref-cycles:ppu",
		"cycles:D",
		"cycles:e",
		"cycles:Iu",
		"cycles/period=1000,name=abc/k",
		"page-faults",
		"faults:u",
		"minor-faults:k",
		"major-faults:uk",
		"cs:u",
		"context-switches",
		"migrations",
		"cpu-clock:u",
		"task-clock",
		"alignment-faults",
		"emulation-faults",
		"dummy:u",
		"bpf-output",
		"cgroup-switches",
		"page-faults/config1=5/u",
	};

	need_perf();
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		check_list(lists[i]);
}
END_TEST

START_TEST(test_caches_and_numbers)
{
	static const char *const lists[] = {
		"L1-dcache-loads",
		"L1-dcache-load-misses:u",
		"l1d-misses",
		"L1-icache-miss:k",
		"LLC-stores",
		"L2-write-misses",
		"dTLB-prefetch-ops",
		"iTLB-load-misses",
		"branch-loads",
		"bpu-misses",
		"node-prefetches",
		"l1-d-speculative-read-miss",
		"r1a8",
		"r1A8:u",
		"r20000038f:pp",
		"r1a8/name=x/k",
		"0:1",
		"1:2:u",
		"3:0x10002",
	};

	need_perf();
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		check_list(lists[i]);
}
END_TEST

START_TEST(test_breakpoints_and_tracepoints)
{
	static const char *const lists[] = {
		"mem:0x1000",		"mem:4096:r",	       "mem:0x1000:w", "mem:0x1000/8:w",
		"mem:0x1000/1:rw:u",	"mem:0x1000:x",	       "mem:0x1000:u", "sched:sched_switch",
		"sched:sched_switch:k", "sched:sched_swit*:u",
	};

	need_perf();
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		check_list(lists[i]);
}
END_TEST

START_TEST(test_events_of_pmus_match_perf)
{
	static const char *const lists[] = { "msr/tsc/", "msr/event=0x0/", "msr/tsc/u", "tsc",
					     "msr/config=0,name=abc/" };

	need_perf();
	if (access("/sys/bus/event_source/devices/msr/events/tsc", F_OK))
		skip("this machine has no PMU msr");
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		check_list(lists[i]);
}
END_TEST

START_TEST(test_periods_match_perf)
{
	static const char *const lists[] = { "cpu-clock/period=123456/", "cpu-clock/freq=97/u",
					     "page-faults/period=1/", "cycles/freq=500,name=x/",
					     "r1a8/period=7/" };

	need_perf();
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		char *text = run_perf("record --no-bpf-event -vv -o recording", lists[i]);
		struct pmu_events events = { 0 };
		const char *attr = find_attr(text, 0);

		ck_assert_msg(attr, "%s: %.500s", lists[i], text);
		ck_assert_int_eq(pmu_events__parse(&events, lists[i]), 0);
		check_attr(lists[i], attr, &events.at[0]);
		check_period(lists[i], attr, &events.at[0].attr);
		pmu_events__free(&events);
		free(text);
	}
}
END_TEST

START_TEST(test_groups_match_perf)
{
	static const char *const lists[] = { "{faults:u,cs,task-clock:k}:k", "{faults,cs}:uD",
					     "faults:u,{cs,dummy:k},migrations",
					     "{cs,sched:sched_switch}:u" };

	need_perf();
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		char *text = run_perf("stat -vv", lists[i]);
		struct pmu_events events = { 0 };

		ck_assert_int_eq(pmu_events__parse(&events, lists[i]), 0);
		for (uint32_t n = 0; n < events.count; n++) {
			const char *attr = find_attr(text, n);

			ck_assert_msg(attr, "%s: %.500s", lists[i], text);
			check_attr(lists[i], attr, &events.at[n]);
		}
		ck_assert_ptr_null(find_attr(text, events.count));
		pmu_events__free(&events);
		free(text);
	}
}
END_TEST

/*
 * The names in perf stat -x: "COUNT;UNIT;NAME;...".  One event of each list has to be countable.
 * Names of cache events have no modifiers in perf 6.1, so there are none here.
 */
START_TEST(test_names_match_perf)
{
	static const char *const lists[] = {
		"cycles:u,faults:k,cs",
		"LLC-loads,l1d-misses,r1A8:u,cs",
		"mem:0x1000:w,mem:0x1000:x:u",
		"sched:sched_switch:u,sched:sched_process_f*",
		"cycles/name=abc/u,cycles/period=5/k,1:2:u",
		"{faults,cs}:u",
	};

	need_perf();
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		char *text = run_perf("stat -x ';' -o counts", lists[i]);
		char *names = stock_perf__shell("grep -v '^#' counts | grep . | cut -d ';' -f 3");
		struct pmu_events events = { 0 };
		char *rest = names;

		ck_assert_int_eq(pmu_events__parse(&events, lists[i]), 0);
		for (uint32_t n = 0; n < events.count; n++) {
			const char *name = strsep(&rest, "\n");

			ck_assert_msg(name, "%s: %s", lists[i], text);
			ck_assert_str_eq(events.at[n].name, name);
		}
		ck_assert_str_eq(rest, "");
		pmu_events__free(&events);
		free(names);
		free(text);
	}
}
END_TEST

/* Both refuse the same. */
START_TEST(test_errors_match_perf)
{
	static const char *const lists[] = { "cyclse",
					     "cycles:uu",
					     "cycles:pppp",
					     "cycles:q",
					     "sched:no_such_event",
					     "no_such_pmu/event=1/",
					     "cycles/umask=1/",
					     "LLC-load-load-load",
					     "iTLB-store-misses",
					     "mem:zzz",
					     "" };

	need_perf();
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		char *text = stock_perf__shellf(
			"perf stat -e '%s' true > /dev/null 2>&1 && echo 0 || echo 1", lists[i]);
		struct pmu_events events = { 0 };

		ck_assert_msg(strcmp(text, "0\n"), "perf accepts '%s'", lists[i]);
		ck_assert_msg(pmu_events__parse(&events, lists[i]) < 0, "'%s' is accepted",
			      lists[i]);
		free(text);
	}
}
END_TEST

static Suite *names_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("perf_event_names", 120, &tests);

	tcase_add_checked_fixture(tests, stock_perf__setup, stock_perf__teardown);
	tcase_add_test(tests, test_generic_events_match_perf);
	tcase_add_test(tests, test_caches_and_numbers);
	tcase_add_test(tests, test_breakpoints_and_tracepoints);
	tcase_add_test(tests, test_events_of_pmus_match_perf);
	tcase_add_test(tests, test_periods_match_perf);
	tcase_add_test(tests, test_groups_match_perf);
	tcase_add_test(tests, test_names_match_perf);
	tcase_add_test(tests, test_errors_match_perf);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { names_suite };

	return harness__main(argc, argv, suites, 1);
}

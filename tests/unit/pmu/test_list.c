// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_list.c: the events of made-up machines, by kind. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "pmu/list.h"
#include "unit/pmu/pmu_tree.h"
#include "unit/suite.h"

static char listed[65536];
static int stop_at, count;

static int add(void *arg, const struct peat_event_name *event)
{
	size_t used = strlen(listed);

	ck_assert_ptr_null(arg);
	ck_assert_uint_eq(event->sz, sizeof(*event));
	snprintf(listed + used, sizeof(listed) - used, "%s %s%s%s\n", event->kind, event->name,
		 event->text ? ": " : "", event->text ? event->text : "");
	return ++count == stop_at ? 7 : 0;
}

static int list(struct pmu_dirs *dirs, const char *part)
{
	*listed = '\0';
	count = 0;
	return pmu_names__list(dirs, part, add, NULL);
}

static struct pmu_dirs make(int devices)
{
	struct pmu_dirs dirs = { devices, pmu_tree__tracepoints() };

	pmu_tree__catch();
	return dirs;
}

static void end(const struct pmu_dirs *dirs)
{
	pmu_tree__free(dirs->devices);
	pmu_tree__free(dirs->tracepoints);
}

START_TEST(test_lists_matching_events)
{
	struct pmu_dirs dirs = make(pmu_tree__server());

	ck_assert_int_eq(list(&dirs, "CYCLES"), 0);
	ck_assert_str_eq(listed, "hardware bus-cycles\n"
				 "hardware cpu-cycles: also cycles\n"
				 "hardware ref-cycles\n"
				 "hardware stalled-cycles-backend: also idle-cycles-backend\n"
				 "hardware stalled-cycles-frontend: also idle-cycles-frontend\n"
				 "pmu cpu/cpu-cycles/: event=0x3c\n");
	ck_assert_int_eq(list(&dirs, "power/"), 0);
	ck_assert_str_eq(listed, "pmu power/TERM=NUMBER,.../: terms: event\n"
				 "pmu power/energy-pkg/: event=0x02, in Joules\n");
	ck_assert_int_eq(list(&dirs, "LLC-load"), 0);
	ck_assert_str_eq(listed, "cache LLC-loads\ncache LLC-load-misses\n");
	ck_assert_int_eq(list(&dirs, "sched:"), 0);
	ck_assert_str_eq(listed, "tracepoint sched:sched_switch\ntracepoint sched:sched_wakeup\n"
				 "tracepoint sched:sched_waking\n");
	ck_assert_int_eq(list(&dirs, "mem:"), 0);
	ck_assert_str_eq(listed, "breakpoint mem:ADDRESS[/LENGTH][:rwx]: accesses of 1 to 8 bytes "
				 "at an address\n");
	/* Another name of an event. */
	ck_assert_int_eq(list(&dirs, "migrations"), 0);
	ck_assert_str_eq(listed, "software cpu-migrations: also migrations\n");
	ck_assert_int_eq(list(&dirs, "no such event"), 0);
	ck_assert_str_eq(listed, "");
	end(&dirs);
}
END_TEST

START_TEST(test_lists_all_kinds)
{
	struct pmu_dirs dirs = make(pmu_tree__server());
	static const char *const kinds[] = { "\nhardware ", "\ncache ",	     "\nsoftware ",
					     "\npmu ",	    "\ntracepoint ", "\nbreakpoint " };
	const char *last = listed;

	ck_assert_int_eq(list(&dirs, NULL), 0);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		const char *first = strstr(listed, kinds[i]);

		ck_assert_msg(first && first >= last, "%s", kinds[i]);
		last = first;
	}
	ck_assert_ptr_null(strstr(listed, ".unit"));
	end(&dirs);
}
END_TEST

/* A machine without hardware counters, as many virtual machines are. */
START_TEST(test_without_a_core_pmu)
{
	struct pmu_dirs dirs = make(pmu_tree__new());

	pmu_tree__add(dirs.devices, "software/type", "1\n");
	pmu_tree__add(dirs.devices, "broken/type", "?\n");
	ck_assert_int_eq(list(&dirs, "c"), 0);
	ck_assert(strstr(listed, "software cpu-clock\n"));
	ck_assert_ptr_null(strstr(listed, "hardware"));
	ck_assert_ptr_null(strstr(listed, "cache "));
	end(&dirs);
}
END_TEST

START_TEST(test_without_tracefs)
{
	struct pmu_dirs dirs = { .devices = -ENOENT, .tracepoints = -EACCES };

	ck_assert_int_eq(list(&dirs, "dummy"), 0);
	ck_assert_str_eq(listed, "software dummy\n");
}
END_TEST

START_TEST(test_broken_tracepoint)
{
	struct pmu_dirs dirs = make(pmu_tree__new());

	pmu_tree__add(dirs.tracepoints, "zone/event/id", "many\n");
	ck_assert_int_eq(list(&dirs, "e"), 0);
	ck_assert(strstr(listed, "tracepoint sched:sched_switch\n"));
	ck_assert(strstr(listed, "breakpoint "));
	end(&dirs);
}
END_TEST

START_TEST(test_stops_if_visitor_stops)
{
	struct pmu_dirs dirs = make(pmu_tree__server());

	for (stop_at = 1; stop_at < 20; stop_at++) {
		ck_assert_int_eq(list(&dirs, "e"), 7);
		ck_assert_int_eq(count, stop_at);
	}
	stop_at = 0;
	ck_assert_int_eq(list(&dirs, "e"), 0);
	stop_at = count;
	ck_assert_int_eq(list(&dirs, "e"), 7);
	end(&dirs);
}
END_TEST

START_TEST(test_this_machine)
{
	pmu_tree__catch();
	stop_at = 0;
	*listed = '\0';
	ck_assert_int_eq(peat_event_names__list("page-faults", add, NULL), 0);
	ck_assert_str_eq(listed, "software page-faults: also faults\n");
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_lists_matching_events);
	tcase_add_test(tests, test_lists_all_kinds);
	tcase_add_test(tests, test_without_a_core_pmu);
	tcase_add_test(tests, test_without_tracefs);
	tcase_add_test(tests, test_broken_tracepoint);
	tcase_add_test(tests, test_stops_if_visitor_stops);
	tcase_add_test(tests, test_this_machine);
}

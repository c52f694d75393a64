// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_events.c: lists of events into attrs, on made-up machines. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "pmu/events.h"
#include "support/machine/process.h"
#include "unit/fail_alloc.h"
#include "unit/pmu/pmu_tree.h"
#include "unit/suite.h"

static struct pmu_dirs dirs;

static void begin(int devices)
{
	pmu_tree__catch();
	dirs.devices = devices;
	dirs.tracepoints = pmu_tree__tracepoints();
}

static void end(void)
{
	pmu_tree__free(dirs.devices);
	pmu_tree__free(dirs.tracepoints);
}

static void show(char *shown, size_t room, const struct pmu_event *event)
{
	const struct perf_event_attr *attr = &event->attr;
	size_t used = strlen(shown);

	used += (size_t)snprintf(shown + used, room - used, "%s%s %u:%#llx", used ? "; " : "",
				 event->name, attr->type, (unsigned long long)attr->config);
	if (event->pmu)
		used += (size_t)snprintf(shown + used, room - used, " %s", event->pmu);
	if (event->filter)
		used += (size_t)snprintf(shown + used, room - used, " (%s)", event->filter);
	if (event->group != PMU_NO_GROUP)
		snprintf(shown + used, room - used, " %s%u", event->is_leader ? "leader" : "group",
			 event->group);
}

/* The events of a list, or the errno and the first line of the message. */
static const char *made(const char *list)
{
	struct pmu_events events = { 0 };
	static char shown[4096];
	int err = pmu_events__parse_in(&events, list, &dirs);

	*shown = '\0';
	for (uint32_t i = 0; i < events.count; i++)
		show(shown, sizeof(shown), &events.at[i]);
	if (err) {
		ck_assert_uint_eq(events.count, 0);
		snprintf(shown, sizeof(shown), "%d %s", err, pmu_tree__message());
		shown[strcspn(shown, "\n")] = '\0';
	}
	pmu_events__free(&events);
	return shown;
}

START_TEST(test_generic_events)
{
	begin(pmu_tree__server());
	ck_assert_str_eq(made("cycles:u"), "cycles:u 0:0");
	ck_assert_str_eq(made("cs,faults/period=3/k"), "cs 1:0x3; faults/period=3/k 1:0x2");
	ck_assert_str_eq(made("LLC-load-misses:u"), "LLC-load-misses:u 3:0x10002");
	ck_assert_str_eq(made("r1a8:k"), "r1a8:k 4:0x1a8");
	ck_assert_str_eq(made("1:9"), "1:9 1:0x9");
	ck_assert_str_eq(made("cycles/name='a b'/u"), "a b 0:0");
	end();
}
END_TEST

START_TEST(test_events_of_pmus)
{
	begin(pmu_tree__server());
	ck_assert_str_eq(made("cpu/event=0x3c/u"), "cpu/event=0x3c/u 4:0x3c cpu");
	ck_assert_str_eq(made("power/energy-pkg/"), "power/energy-pkg/ 24:0x2 power");
	ck_assert_str_eq(made("energy-pkg"), "energy-pkg 24:0x2 power");
	/* A generic name before an alias. */
	ck_assert_str_eq(made("cpu-cycles"), "cpu-cycles 0:0");
	ck_assert_str_eq(made("tsc"), "tsc 9:0 msr");
	end();
}
END_TEST

/* Instances without the event are left out, if another one has it. */
START_TEST(test_instances_with_event)
{
	begin(pmu_tree__server());
	ck_assert_str_eq(made("imc/cas_count_read/"), "imc/cas_count_read/ 14:0x304 uncore_imc_0; "
						      "imc/cas_count_read/ 15:0x304 uncore_imc_1");
	ck_assert_str_eq(made("cas_count_read"), "cas_count_read 14:0x304 uncore_imc_0; "
						 "cas_count_read 15:0x304 uncore_imc_1");
	ck_assert_str_eq(made("uncore_imc_free_running/event=1/"),
			 "uncore_imc_free_running/event=1/ 17:0x1 uncore_imc_free_running");
	ck_assert_str_eq(made("*imc_[01]/event=1/"), "*imc_[01]/event=1/ 14:0x1 uncore_imc_0; "
						     "*imc_[01]/event=1/ 15:0x1 uncore_imc_1");
	end();
}
END_TEST

START_TEST(test_units_and_cpus)
{
	struct pmu_events events = { 0 };

	begin(pmu_tree__server());
	ck_assert_int_eq(pmu_events__parse_in(&events, "energy-pkg,cpu/slots/,cs", &dirs), 0);
	ck_assert_str_eq(events.at[0].unit, "Joules");
	ck_assert(events.at[0].scale < 1e-9);
	ck_assert(cpus__has(&events.at[0].cpus, 40) && cpus__count(&events.at[0].cpus) == 2);
	ck_assert(events.at[0].is_system_wide);
	ck_assert(!events.at[1].is_system_wide && !events.at[1].cpus.limit);
	ck_assert(events.at[1].scale == 1 && !events.at[1].unit);
	ck_assert(!events.at[2].pmu && !events.at[2].attr.exclude_guest);
	ck_assert_uint_eq(events.at[2].attr.size, sizeof(struct perf_event_attr));
	pmu_events__free(&events);
	end();
}
END_TEST

START_TEST(test_tracepoints_with_filters)
{
	begin(pmu_tree__server());
	ck_assert_str_eq(made("sched:sched_switch:u"), "sched:sched_switch 2:0x136");
	ck_assert_str_eq(
		made("sched:sched_wak*/pid==1/"),
		"sched:sched_wakeup 2:0x137 (pid==1); sched:sched_waking 2:0x138 (pid==1)");
	ck_assert_str_eq(made("scsi:scsi_eh_wakeup/a~\"\\/*\"/"),
			 "scsi:scsi_eh_wakeup 2:0x1f4 (a~\"/*\")");
	ck_assert_str_eq(made("sched:sched_switch/a == \"b, {c}\" && d/:k,cs"),
			 "sched:sched_switch 2:0x136 (a == \"b, {c}\" && d); cs 1:0x3");
	ck_assert_str_eq(made("sched:sched_switch/name=x,period=2/"), "x 2:0x136");
	/* Its name could be modifiers. */
	ck_assert_str_eq(made("probe:hup"), "probe:hup 2:0x5dc");
	ck_assert_str_eq(made("probe:hup:u"), "probe:hup 2:0x5dc");
	end();
}
END_TEST

START_TEST(test_breakpoints_with_access)
{
	struct pmu_events events = { 0 };

	begin(pmu_tree__server());
	ck_assert_int_eq(pmu_events__parse_in(&events, "mem:0x1000/8:w:u,mem:4096:x,mem:1", &dirs),
			 0);
	ck_assert_uint_eq(events.at[0].attr.type, PERF_TYPE_BREAKPOINT);
	ck_assert_uint_eq(events.at[0].attr.bp_addr, 0x1000);
	ck_assert_uint_eq(events.at[0].attr.bp_len, 8);
	ck_assert_uint_eq(events.at[0].attr.bp_type, 2);
	ck_assert(events.at[0].attr.exclude_kernel);
	ck_assert_str_eq(events.at[0].name, "mem:0x1000/8:w:u");
	ck_assert_uint_eq(events.at[1].attr.bp_type, 4);
	ck_assert_uint_eq(events.at[1].attr.bp_len, sizeof(long));
	ck_assert_uint_eq(events.at[2].attr.bp_type, 3);
	ck_assert_uint_eq(events.at[2].attr.bp_len, 4);
	pmu_events__free(&events);
	end();
}
END_TEST

START_TEST(test_groups_have_leaders)
{
	struct pmu_events events = { 0 };

	begin(pmu_tree__server());
	ck_assert_str_eq(made("{cycles,cs}:u,faults,{msr/tsc/,cs}"),
			 "cycles 0:0 leader0; cs 1:0x3 group0; faults 1:0x2; "
			 "msr/tsc/ 9:0 msr leader1; cs 1:0x3 group1");
	ck_assert_str_eq(made("{imc/cas_count_read/,imc/event=1/}"),
			 "imc/cas_count_read/ 14:0x304 uncore_imc_0 leader0; "
			 "imc/cas_count_read/ 15:0x304 uncore_imc_1 leader1; "
			 "imc/event=1/ 14:0x1 uncore_imc_0 group0; "
			 "imc/event=1/ 15:0x1 uncore_imc_1 group1; "
			 "imc/event=1/ 17:0x1 uncore_imc_free_running leader2");
	ck_assert_int_eq(pmu_events__parse_in(&events, "{cycles:u,cs}:kD", &dirs), 0);
	ck_assert(!events.at[0].attr.exclude_user && !events.at[0].attr.exclude_kernel);
	ck_assert(events.at[1].attr.exclude_user && !events.at[1].attr.exclude_kernel);
	ck_assert(events.at[0].attr.pinned && !events.at[1].attr.pinned);
	/* A second list adds its own groups. */
	ck_assert_int_eq(pmu_events__parse_in(&events, "{cs,faults}", &dirs), 0);
	ck_assert_uint_eq(events.count, 4);
	ck_assert_uint_eq(events.at[3].group, 1);
	ck_assert(events.at[2].is_leader && !events.at[3].is_leader);
	/* A list that fails adds nothing. */
	ck_assert_int_eq(pmu_events__parse_in(&events, "cs,none", &dirs), -ENOENT);
	ck_assert_uint_eq(events.count, 4);
	pmu_events__free(&events);
	end();
}
END_TEST

START_TEST(test_hybrid_events_on_each_core)
{
	struct pmu_events events = { 0 };

	begin(pmu_tree__hybrid());
	ck_assert_str_eq(made("cycles:u"), "cpu_core/cycles/u 0:0x400000000 cpu_core; "
					   "cpu_atom/cycles/u 0:0xa00000000 cpu_atom");
	ck_assert_str_eq(made("{cycles,instructions}"),
			 "cpu_core/cycles/ 0:0x400000000 cpu_core leader0; "
			 "cpu_atom/cycles/ 0:0xa00000000 cpu_atom leader1; "
			 "cpu_core/instructions/ 0:0x400000001 cpu_core group0; "
			 "cpu_atom/instructions/ 0:0xa00000001 cpu_atom group1");
	ck_assert_str_eq(made("r1a8"),
			 "cpu_core/r1a8/ 4:0x1a8 cpu_core; cpu_atom/r1a8/ 10:0x1a8 cpu_atom");
	ck_assert_str_eq(made("cpu/cycles/"),
			 "cpu/cycles/ 10:0x3c cpu_atom; cpu/cycles/ 4:0x3c cpu_core");
	ck_assert_str_eq(made("cpu_atom/LLC-loads/"), "cpu_atom/LLC-loads/ 3:0xa00000002 cpu_atom");
	ck_assert_str_eq(made("cs"), "cs 1:0x3");
	ck_assert_int_eq(pmu_events__parse_in(&events, "cycles", &dirs), 0);
	ck_assert(cpus__has(&events.at[1].cpus, 40003) && !events.at[1].is_system_wide);
	pmu_events__free(&events);
	end();
}
END_TEST

START_TEST(test_events_of_arm)
{
	begin(pmu_tree__arm());
	ck_assert_str_eq(made("cycles,cpu_cycles"), "cycles 0:0; cpu_cycles 8:0x11 armv8_pmuv3");
	ck_assert_str_eq(made("armv8_pmuv3/event=0x8/u"),
			 "armv8_pmuv3/event=0x8/u 8:0x8 armv8_pmuv3");
	end();
}
END_TEST

static void check_error(const char *list, int err, const char *why)
{
	const char *error = made(list);
	char start[16];

	snprintf(start, sizeof(start), "%d ", err);
	ck_assert_msg(!strncmp(error, start, strlen(start)) && strstr(error, why), "%s: %s", list,
		      error);
}

START_TEST(test_errors_suggest_remedy)
{
	begin(pmu_tree__server());
	check_error("cyclse", -ENOENT, "did you mean \"cycles\"?");
	check_error("zzzzzzz", -ENOENT, "peat list --events");
	check_error("duration_time", -ENOENT, "measured by perf");
	check_error("cpu", -ENOENT, "cpu is a PMU, not an event: write cpu/EVENT/");
	check_error("powr/energy-pkg/", -ENOENT, "did you mean \"power\"?");
	check_error("power/energy-pkgs/", -ENOENT, "did you mean \"energy-pkg\"?");
	check_error("imc/none/", -ENOENT, "no event or term none");
	check_error("imc/event=0x100/", -EINVAL, "event has 8 bits, 0 to 0xff");
	check_error("sched:sched_swich", -ENOENT, "did you mean \"sched:sched_switch\"?");
	check_error("sched:x*", -ENOENT, "no tracepoint sched:x*");
	check_error("none:u", -ENOENT, "no event none");
	check_error("{cycles,cs:D}", -EINVAL, "first event of a group");
	check_error("{cycles:pp,cs}:pp", -EINVAL, ":ppp");
	check_error("cycles:u:k", -EINVAL, "comma");
	pmu_tree__add(dirs.tracepoints, "broken/event/id", "many\n");
	check_error("broken:event", -EBADMSG, "tracefs cannot be read");
	end();
}
END_TEST

START_TEST(test_message_has_the_place)
{
	struct pmu_events events = { 0 };

	begin(pmu_tree__server());
	ck_assert_int_eq(pmu_events__parse_in(&events, "cs,cpu/umask=256/", &dirs), -EINVAL);
	ck_assert_str_eq(pmu_tree__message(),
			 "events: umask=0x100 is too large: umask has 8 bits, 0 to 0xff\n"
			 "  cs,cpu/umask=256/\n"
			 "         ^");
	end();
}
END_TEST

/* A machine without sysfs and without tracefs still has generic events. */
START_TEST(test_without_directories)
{
	pmu_tree__catch();
	dirs = (struct pmu_dirs){ .devices = -ENOENT, .tracepoints = -ENODEV };
	ck_assert_str_eq(made("cs"), "cs 1:0x3");
	check_error("cpu/event=1/", -ENOENT, "no PMU cpu");
	check_error("sched:sched_switch", -EACCES, "mount -t tracefs");
	dirs.tracepoints = -EACCES;
	check_error("sched:sched_switch", -EACCES, "run as root");
}
END_TEST

/* Without memory for names that are alike, a PMU without the event is left out all the same. */
START_TEST(test_short_of_memory)
{
	static const char *const lists[] = {
		"{cycles,cs/name=x/}:u,r1a8/period=3/,mem:0x1000:w",
		"{imc/cas_count_read/,imc/event=1/},energy-pkg,cpu/mem-loads,ldlat=30/",
		"sched:*/pid==1/,probe:hup",
	};

	begin(pmu_tree__server());
	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		for (unsigned nth = 1;; nth++) {
			struct pmu_events events = { 0 };
			long blocks = fail_alloc__blocks();
			unsigned fds = process__count_fds();
			int err;

			fail_alloc__begin(nth);
			err = pmu_events__parse_in(&events, lists[i], &dirs);
			if (!fail_alloc__end()) {
				ck_assert_int_eq(err, 0);
				pmu_events__free(&events);
				break;
			}
			ck_assert_msg(err == -ENOMEM || !err, "%s, allocation %u: %d", lists[i],
				      nth, err);
			ck_assert_uint_eq(!err, events.count > 0);
			pmu_events__free(&events);
			ck_assert_int_eq(fail_alloc__blocks(), blocks);
			ck_assert_uint_eq(process__count_fds(), fds);
		}
	}
	end();
}
END_TEST

START_TEST(test_nothing_is_left_open)
{
	unsigned fds = process__count_fds();
	struct pmu_events events = { 0 };

	pmu_tree__catch();
	ck_assert_int_eq(pmu_events__parse(&events, "cs"), 0);
	pmu_events__free(&events);
	pmu_events__parse(&events, "sched:none");
	pmu_events__parse(&events, "none/x/");
	ck_assert_uint_eq(process__count_fds(), fds);
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_generic_events);
	tcase_add_test(tests, test_events_of_pmus);
	tcase_add_test(tests, test_instances_with_event);
	tcase_add_test(tests, test_units_and_cpus);
	tcase_add_test(tests, test_tracepoints_with_filters);
	tcase_add_test(tests, test_breakpoints_with_access);
	tcase_add_test(tests, test_groups_have_leaders);
	tcase_add_test(tests, test_hybrid_events_on_each_core);
	tcase_add_test(tests, test_events_of_arm);
	tcase_add_test(tests, test_errors_suggest_remedy);
	tcase_add_test(tests, test_message_has_the_place);
	tcase_add_test(tests, test_without_directories);
	tcase_add_test(tests, test_short_of_memory);
	tcase_add_test(tests, test_nothing_is_left_open);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* machine/namespaces.c: checks the namespaces of this process, and its clock. */
#include <stdio.h>
#include <string.h>

#include "machine/check.h"
#include "sys/namespaces.h"

/* Without the user namespace most sources fail; timestamps are right in any time namespace. */
static enum peat_check_state state_of(enum namespace_kind kind)
{
	return kind == NAMESPACE_USER	? PEAT_CHECK_MISSING
	       : kind == NAMESPACE_TIME ? PEAT_CHECK_OK
					: PEAT_CHECK_LIMITED;
}

static void check_namespace(struct check *check, int kind)
{
	const struct namespace *namespace = namespaces__get((enum namespace_kind)kind);

	switch (namespaces__state((enum namespace_kind)kind)) {
	case NAMESPACE_INITIAL:
		check__pass(check, "the initial one");
		return;
	case NAMESPACE_TRANSPARENT:
		check__pass(check, "not the initial one, but the root of all cgroups is mounted");
		return;
	case NAMESPACE_UNKNOWN:
		check__pass(check, "unknown: no /proc/self/ns/%s", namespace->name);
		return;
	case NAMESPACE_OTHER:
		check__fail(check, state_of((enum namespace_kind)kind), namespace->remedy,
			    "not the initial one: %s", namespace->lacks);
	}
}

#define CLOCK "/sys/devices/system/clocksource/clocksource0/current_clocksource"

static bool is_slow(const char *clock)
{
	return !strcmp(clock, "hpet") || !strcmp(clock, "acpi_pm") || !strcmp(clock, "jiffies") ||
	       !strcmp(clock, "refined-jiffies");
}

static void check_clock(struct check *check, int unused)
{
	char name[32] = "";
	FILE *file = fopen(CLOCK, "re");

	(void)unused;
	if (!file || fscanf(file, "%31s", name) != 1)
		check__pass(check, "unknown: no " CLOCK);
	else if (is_slow(name))
		check__fail(check, PEAT_CHECK_LIMITED, "echo tsc >" CLOCK ", if the TSC is stable",
			    "%s: each event takes about a microsecond more", name);
	else
		check__pass(check, "%s", name);
	if (file)
		fclose(file);
}

const struct check_row namespaces__rows[] = {
	{ "user namespace", check_namespace, NAMESPACE_USER },
	{ "pid namespace", check_namespace, NAMESPACE_PID },
	{ "cgroup namespace", check_namespace, NAMESPACE_CGROUP },
	{ "time namespace", check_namespace, NAMESPACE_TIME },
	{ "clock source", check_clock, 0 },
	{ 0 },
};

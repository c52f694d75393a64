// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* machine/events.c: checks the perf events of this machine. */
#include <dirent.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "machine/check.h"
#include "machine/own_event.h"
#include "sys/caps.h"

static void check_software(struct check *check, int unused)
{
	int fd = own_event__open(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);

	(void)unused;
	if (fd >= 0)
		check__pass(check, "yes");
	else
		check__fail(check, PEAT_CHECK_MISSING, caps__explain_counters(), "refused: %s",
			    strerror(-fd));
	if (fd >= 0)
		close(fd);
}

static void check_hardware(struct check *check, int unused)
{
	int fd = own_event__open(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES);

	(void)unused;
	if (fd >= 0)
		check__pass(check, "yes");
	else if (fd == -EPERM || fd == -EACCES || fd == -ENOSYS)
		check__fail(check, PEAT_CHECK_LIMITED, caps__explain_counters(), "refused: %s",
			    strerror(-fd));
	else
		check__fail(check, PEAT_CHECK_LIMITED,
			    "give the virtual machine a PMU; cpu-clock takes the place of cycles",
			    "no counters of cycles: %s", strerror(-fd));
	if (fd >= 0)
		close(fd);
}

#define DEVICES "/sys/bus/event_source/devices"

/* Lists as many as there is room for. */
static void check_pmus(struct check *check, int unused)
{
	char names[200] = "";
	DIR *devices = opendir(DEVICES);
	struct dirent *entry;
	unsigned count = 0;

	(void)unused;
	while (devices && (entry = readdir(devices))) {
		size_t used = strlen(names);

		if (*entry->d_name == '.')
			continue;
		if (used + strlen(entry->d_name) + 2 < sizeof(names)) {
			strcpy(names + used, used ? " " : "");
			strcat(names, entry->d_name);
		}
		count++;
	}
	if (devices)
		closedir(devices);
	if (count)
		check__pass(check, "%u: %s", count, names);
	else
		check__fail(check, PEAT_CHECK_LIMITED, "mount sysfs at /sys",
			    "none in " DEVICES ": events of PMUs have no names, and kprobes and "
			    "uprobes need tracefs");
}

const struct check_row events__rows[] = {
	{ "software events", check_software, 0 },
	{ "hardware counters", check_hardware, 0 },
	{ "PMUs", check_pmus, 0 },
	{ 0 },
};

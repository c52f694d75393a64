/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * event_names.h: the perf events of this machine: hardware and software events, events of its
 * PMUs, and tracepoints.
 *
 *	static int print(void *arg, const struct peat_event_name *event)
 *	{
 *		printf("%s %s\n", event->kind, event->name);
 *		return 0;
 *	}
 *
 *	peat_event_names__list("sched:", print, NULL);
 *
 * Reads sysfs and tracefs, and opens no event: an event that is listed may be one that the kernel
 * does not allow this user to open.
 */
#ifndef PEAT_EVENT_NAMES_H
#define PEAT_EVENT_NAMES_H

#include <peat/common.h>

PEAT_BEGIN_DECLS

struct peat_event_name {
	size_t sz;	  /* this struct's size in the library */
	const char *name; /* "page-faults", "power/energy-pkg/", "sched:sched_switch" */
	const char *kind; /* "hardware", "cache", "software", "pmu", "tracepoint" or "breakpoint" */
	/*
	 * NULL, or more about the event: another name, "also faults"; the terms and unit of a PMU's
	 * event, "event=0x02, in Joules".
	 */
	const char *text;
};

/*
 * Calls `visit` for each event whose name or text contains `part`, without regard to upper and
 * lower case; NULL: for all.  Sorted by kind, in the order above, then by name.  Stops when `visit`
 * returns non-zero, and returns that.  The event is valid during the call only.
 *
 * Hardware and cache events are listed if the machine has a CPU's PMU.  Names with capitals are
 * forms to fill in: mem:ADDRESS[/LENGTH][:rwx], rCONFIG, cpu/TERM=NUMBER,.../.
 *
 * Tracepoints are left out if tracefs cannot be read: the log has the reason.
 *
 *	0		done
 *	-ENOMEM		or another negative errno: sysfs cannot be read, explained by the log
 */
PEAT_API int peat_event_names__list(const char *part,
				    int (*visit)(void *arg, const struct peat_event_name *event),
				    void *arg);

PEAT_END_DECLS

#endif /* PEAT_EVENT_NAMES_H */

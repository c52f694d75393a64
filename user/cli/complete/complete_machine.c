// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* complete_machine.c: completes names that this machine has. */
#include <ctype.h>
#include <dirent.h>
#include <net/if.h>
#include <string.h>

#include <peat/peat.h>

#include "cli/base/users.h"
#include "cli/complete/complete_machine.h"

void complete_machine__pid(struct completions *completions)
{
	DIR *processes = opendir("/proc");
	const struct dirent *entry;

	while (processes && (entry = readdir(processes)))
		if (isdigit((unsigned char)*entry->d_name))
			completions__add(completions, entry->d_name, "");
	if (processes)
		closedir(processes);
}

static void add_user(void *completions, const char *name)
{
	completions__add(completions, name, "");
}

void complete_machine__user(struct completions *completions)
{
	users__list(add_user, completions);
}

void complete_machine__interface(struct completions *completions)
{
	struct if_nameindex *all = if_nameindex();

	completions__keep_to(completions, ",");
	for (struct if_nameindex *one = all; one && one->if_name; one++)
		completions__add(completions, one->if_name, "");
	if_freenameindex(all);
}

static int complete_event(void *arg, const struct peat_event_name *event)
{
	completions__add(arg, event->name, "");
	return 0;
}

void complete_machine__event(struct completions *completions)
{
	completions__keep_to(completions, ",{");
	peat_event_names__list(NULL, complete_event, completions);
}

static int complete_counted(void *arg, const struct peat_event_name *event)
{
	if (!strpbrk(event->name, ":/"))
		completions__add(arg, event->name, "");
	return 0;
}

void complete_machine__counted_event(struct completions *completions)
{
	peat_event_names__list(NULL, complete_counted, completions);
}

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_EVENT_FILTER_H
#define CLI_EVENT_FILTER_H

#include <peat/peat.h>

#include "cli/options/options.h"

/* event_filter.h: filters for events that no BPF program has filtered. */

/* -p, -t and --comm.  The kernel names the idle task of a CPU swapper/N: "swapper" is all of them.
 */
bool event_filter__wants_task(const struct options *options, const struct peat_event *event);

/* Whether an option selects tasks: then COMMAND only sets the time. */
bool event_filter__has_tasks(const struct options *options);

/* --container, --pod, --unit. */
bool event_filter__has_identity(const struct options *options);

/* --comm alone, for samples: the kernel has chosen their tasks. */
bool event_filter__wants_name(const struct options *options, const struct peat_event *event);

/* --time.  Events without a time match only if the option is not given. */
bool event_filter__wants_time(const struct options *options, const struct peat_event *event);

#endif /* CLI_EVENT_FILTER_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_COMPLETE_MACHINE_H
#define CLI_COMPLETE_MACHINE_H

#include "cli/complete/completions.h"

/* complete_machine.h: completes names that this machine has: processes, users, interfaces, events.
 */

void complete_machine__pid(struct completions *completions);
void complete_machine__user(struct completions *completions);

/* The last interface of a list that is separated by commas. */
void complete_machine__interface(struct completions *completions);

/* The last perf event of a list, which can be in a group. */
void complete_machine__event(struct completions *completions);

/* Events of --on EVENT>N.  Tracepoints and events of PMUs are too many for a list with sources. */
void complete_machine__counted_event(struct completions *completions);

#endif /* CLI_COMPLETE_MACHINE_H */

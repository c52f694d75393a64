/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* agent/former_pins.h: programs that a former agent has pinned, and no pipeline wants. */
#ifndef PEAT_AGENT_FORMER_PINS_H
#define PEAT_AGENT_FORMER_PINS_H

struct peat_agent;

/*
 * Counts their events as lost, and removes them.  0; -EBUSY: another agent reads them; or another
 * negative errno; all are logged.
 */
int former_pins__remove(struct peat_agent *agent);

#endif /* PEAT_AGENT_FORMER_PINS_H */

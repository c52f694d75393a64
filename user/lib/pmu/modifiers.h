/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * pmu/modifiers.h: the letters after an event or a group.  Pure.
 *
 *	u user   k kernel   h hypervisor   G guests   H the host   I not idle
 *	p precise, up to ppp   P as precise as possible   S the leader samples for its group
 *	D pinned   e exclusive   W a weak group
 */
#ifndef PEAT_PMU_MODIFIERS_H
#define PEAT_PMU_MODIFIERS_H

#include "pmu/events.h"

/* Whether all are letters of modifiers. */
bool pmu_modifiers__may_be(const char *letters, size_t bytes);

/* NULL; or why they are wrong, with the index of the wrong letter in `at`. */
const char *pmu_modifiers__check(const char *letters, size_t bytes, uint32_t *at);

/* Sets the modifiers of an event that has none. */
void pmu_modifiers__set(struct pmu_event *event, const char *letters, size_t bytes);

/*
 * Adds the modifiers of a group to those of an event in it: {cycles:u,faults}:k counts cycles of
 * both.  -EINVAL: more than ppp.
 */
int pmu_modifiers__add(struct pmu_event *event, const char *letters, size_t bytes);

#endif /* PEAT_PMU_MODIFIERS_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* fleet_audit.h: peat recv --audit.  A failure here fails the test. */
#ifndef TESTS_FLEET_FLEET_AUDIT_H
#define TESTS_FLEET_FLEET_AUDIT_H

#include "fleet_agent.h"

/* The events of `flood` that the audit finds in the stream. */
uint64_t fleet_audit__events(void);

/*
 * Waits until the stream has the agent's newest ledger, and checks that the audit agrees with it:
 * each event is in the stream once, or it is lost by a cause.
 */
void fleet_audit__check(const struct fleet_counts *counts);

#endif /* TESTS_FLEET_FLEET_AUDIT_H */

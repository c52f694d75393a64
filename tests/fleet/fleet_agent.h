/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * fleet_agent.h: the agent of the fleet, with a spool, pinned programs and a ledger that the next
 * agent continues.  A failure here fails the test.
 */
#ifndef TESTS_FLEET_FLEET_AGENT_H
#define TESTS_FLEET_FLEET_AGENT_H

#include <stdint.h>
#include <sys/types.h>

/* The ledger of the source `flood`, of all agents so far. */
struct fleet_counts {
	uint64_t emitted, in_rings, skipped;
	uint64_t lost; /* before an agent read them */
	uint64_t died; /* at most: agents had read them, and were killed */
	uint64_t acknowledged, dropped, refused, waiting, spooled;
	uint64_t agents;
};

/* The bytes of the spool as in its configuration. */
void fleet_agent__configure(pid_t producer, const char *spool_bytes);

/* Starts it, also again, in the namespace of the agent. */
void fleet_agent__start(void);

/* Its ledger, now; and after all events have reached the stream, or are lost. */
struct fleet_counts fleet_agent__counts(void);
struct fleet_counts fleet_agent__drain(void);

/*
 * Checks that the ledger agrees with the calls that were made, and with the events that are in the
 * stream: each other event is lost by a cause, or dropped.
 */
void fleet_agent__check(const struct fleet_counts *counts, uint64_t calls, uint64_t stored);

#endif /* TESTS_FLEET_FLEET_AGENT_H */

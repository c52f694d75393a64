// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* fleet_agent.c: configures the agent, and compares its ledger. */
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cluster.h"
#include "fleet_agent.h"
#include "fleet_load.h"
#include "support/agent/logged_agent.h"
#include "support/machine/harness.h"
#include "support/machine/json_event.h"
#include "support/machine/object.h"
#include "support/machine/scratch.h"

EMBED_TWINS(flood)

#define PIN	"/sys/fs/bpf/fleet"
#define DRAIN_S 600 /* a busy machine takes long */

void fleet_agent__configure(pid_t producer, const char *spool_bytes)
{
	const char *dir = scratch__dir();
	FILE *file = fopen(scratch__path(LOGGED_AGENT_CONFIG), "we");

	object__write(&flood_object, scratch__path("flood.bpf.o"));
	ck_assert_ptr_nonnull(file);
	fprintf(file,
		"agent: {socket: %s/" LOGGED_AGENT_SOCKET ", state: %s/state, drain: 1m}\n"
		"outputs:\n"
		"  stream: {jetstream: '" CLUSTER_FAR "', replicas: 3, timeout: 2s, "
		"spool: %s/spool, spool-size: %s, spool-full: drop-oldest}\n",
		dir, dir, dir, spool_bytes);
	fprintf(file,
		"pipelines:\n"
		"  flood:\n    source: %s/flood.bpf.o\n"
		"    set: ['flood_pid=%d', 'flood_syscall=%d', 'flood_per_call=%d']\n"
		"    no-prog: [flood_softirq, flood_timer, flood_waking, flood_switch, "
		"flood_clock]\n    memory: 16M\n    ordered: yes\n    pin: " PIN
		"\n    outputs: stream\n"
		"  ledger: {ledger: yes, interval: 1s, outputs: stream}\n",
		dir, (int)producer, (int)SYS_getpgid, FLEET_LOAD_EACH);
	ck_assert_int_eq(fclose(file), 0);
}

void fleet_agent__start(void)
{
	cluster__do_far(logged_agent__start);
}

/* ---- the ledger ------------------------------------------------------------------------------ */

static uint64_t of_source(const char *status, const char *number)
{
	return logged_agent__number(status, "sources", "flood", NULL, number);
}

static uint64_t of_flow(const char *status, const char *number)
{
	return logged_agent__number(status, "flows", "flood", "stream", number);
}

struct fleet_counts fleet_agent__counts(void)
{
	const char *status = logged_agent__status();
	uint64_t died = of_source(status, "causes.agent_died");

	return (struct fleet_counts){
		.emitted = of_source(status, "emitted"),
		.in_rings = of_source(status, "in_rings"),
		.skipped = of_source(status, "skipped"),
		.lost = of_source(status, "lost") - died,
		.died = died + of_flow(status, "agent_died"),
		.acknowledged = of_flow(status, "acknowledged"),
		.dropped = of_flow(status, "dropped"),
		.refused = of_flow(status, "refused"),
		.waiting = of_flow(status, "waiting"),
		.spooled = of_flow(status, "spooled"),
		.agents = json_event__number(status, "agents"),
	};
}

static bool is_drained(const struct fleet_counts *counts)
{
	return !counts->in_rings && !counts->waiting && !counts->spooled;
}

struct fleet_counts fleet_agent__drain(void)
{
	struct fleet_counts counts = fleet_agent__counts(), before;

	for (int i = 0; i < DRAIN_S * 5; i++) {
		usleep(200000);
		before = counts;
		counts = fleet_agent__counts();
		if (is_drained(&before) && is_drained(&counts) && counts.emitted == before.emitted)
			return counts;
	}
	ck_abort_msg("%llu events are in rings, %llu wait, %llu are in the spool: %s",
		     (unsigned long long)counts.in_rings, (unsigned long long)counts.waiting,
		     (unsigned long long)counts.spooled, logged_agent__log());
	return counts;
}

/*
 * Linux 7.2 skips runs of a program that preempt another run of it.  The ledger has no skips
 * between two agents.
 */
static void check_emitted(const struct fleet_counts *counts, uint64_t calls)
{
	const uint64_t made = calls * FLEET_LOAD_EACH, skipped = counts->skipped ? made / 10 : 0;

	ck_assert_uint_le(counts->emitted, made);
	ck_assert_uint_ge(counts->emitted + skipped, made);
}

/*
 * The counts of an agent that was killed are some moments old: some of the events that it had read
 * are in the stream although they count as lost with it.
 */
void fleet_agent__check(const struct fleet_counts *counts, uint64_t calls, uint64_t stored)
{
	const uint64_t ends = stored + counts->lost + counts->dropped + counts->refused;

	check_emitted(counts, calls);
	ck_assert_msg(ends <= counts->emitted && counts->emitted <= ends + counts->died,
		      "%llu events are in the stream: %s", (unsigned long long)stored,
		      logged_agent__status());
	ck_assert_uint_le(counts->acknowledged, stored);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fleet.c: an agent under load sends to three servers, of which the stream's leader is killed again
 * and again, while the network is cut for a while and the agent is killed twice.
 *
 * Every event that programs emitted is in the stream once, or it is lost or dropped, and the ledger
 * and `peat recv --audit` have it.  Events are in the order of each CPU: the pipeline has
 * `ordered: yes`.  npm's client reads the stream, and stored.c counts the numbers that the programs
 * gave the events.
 *
 *	FLEET_SECONDS	300: a leader is killed each tenth of it; a fifth of it has no network
 *	FLEET_RATE	200000 events a second
 *	FLEET_SPOOL	4G: the size of the spool, with room for the time without a network
 *	FLEET_SEED	of the moments of the troubles; otherwise another one each time
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/monotonic.h"
#include "cluster.h"
#include "fleet.h"
#include "fleet_agent.h"
#include "fleet_audit.h"
#include "fleet_load.h"
#include "stored.h"
#include "support/agent/logged_agent.h"
#include "support/machine/amount.h"
#include "support/machine/mounts.h"
#include "support/machine/scratch.h"

#define SECONDS	  300
#define NS_PER_S  UINT64_C(1000000000)
#define TICK_US	  50000
#define DIVISIONS 100 /* of the time */

/* ---- troubles -------------------------------------------------------------------------------- */

static int dead = -1; /* the server that does not run */
static unsigned leaders, agents;

/* False: not yet. */
static bool kill_leader(void)
{
	dead = cluster__find_leader();
	if (dead < 0)
		return false;
	cluster__kill_server((unsigned)dead);
	leaders++;
	return true;
}

static bool start_server(void)
{
	cluster__start_server((unsigned)dead);
	dead = -1;
	return true;
}

static bool cut_network(void)
{
	cluster__cut();
	return true;
}

static bool mend_network(void)
{
	cluster__mend();
	return true;
}

static bool kill_agent(void)
{
	logged_agent__kill();
	fleet_agent__start();
	agents++;
	return true;
}

/* A trouble begins at its time, or as soon after that as it can.  Times are in DIVISIONS. */
static struct trouble {
	bool (*begin)(void), (*end)(void);
	unsigned first, every, lasts, times;
	unsigned count; /* so far */
	bool is_on;
	uint64_t at_ns; /* its next beginning or end */
} troubles[] = {
	{ kill_leader, start_server, 10, 10, 2, 9, 0, false, 0 },
	{ cut_network, mend_network, 44, 0, 20, 1, 0, false, 0 },
	{ kill_agent, NULL, 33, 34, 0, 2, 0, false, 0 },
};
#define TROUBLES (sizeof(troubles) / sizeof(*troubles))

static uint64_t start_ns, division_ns;

/* At most one division late. */
static void plan(struct trouble *trouble)
{
	const uint64_t at = trouble->first + trouble->every * trouble->count +
			    (trouble->is_on ? trouble->lasts : 0);

	trouble->at_ns =
		start_ns + at * division_ns + (uint64_t)random() % 1000 * division_ns / 1000;
}

static void go_on(struct trouble *trouble)
{
	if (monotonic_ns() < trouble->at_ns)
		return;
	if (!(trouble->is_on ? trouble->end() : trouble->begin()))
		return;
	trouble->is_on = trouble->end && !trouble->is_on;
	if (!trouble->is_on)
		trouble->count++;
	plan(trouble);
}

/* False: all troubles are over. */
static bool go_on_with_all(void)
{
	bool any = false;

	for (size_t i = 0; i < TROUBLES; i++) {
		if (troubles[i].count < troubles[i].times)
			go_on(&troubles[i]);
		any |= troubles[i].count < troubles[i].times;
	}
	return any;
}

/* ---- the run --------------------------------------------------------------------------------- */

static void run(uint64_t seconds)
{
	bool goes_on = true;

	start_ns = monotonic_ns();
	division_ns = seconds * NS_PER_S / DIVISIONS;
	for (size_t i = 0; i < TROUBLES; i++)
		plan(&troubles[i]);
	fleet_load__resume();
	while (goes_on || monotonic_ns() < start_ns + seconds * NS_PER_S) {
		logged_agent__check_alive();
		goes_on = go_on_with_all();
		usleep(TICK_US);
	}
}

static void check_stream(const struct fleet_counts *counts, uint64_t calls)
{
	struct stored stored = { 0 };

	cluster__read(scratch__path("stored.perf"));
	stored__add_file(&stored, scratch__path("stored.perf"));
	printf("%llu events emitted by %llu agents: %llu in the stream, %llu lost before they were "
	       "read, %llu dropped by the spool, at most %llu lost with agents\n",
	       (unsigned long long)counts->emitted, (unsigned long long)counts->agents,
	       (unsigned long long)stored.events, (unsigned long long)counts->lost,
	       (unsigned long long)counts->dropped, (unsigned long long)counts->died);
	printf("%llu batches; %llu events twice, %llu out of order\n",
	       (unsigned long long)stored.pieces, (unsigned long long)stored.repeated,
	       (unsigned long long)stored.disordered);
	fflush(stdout);
	ck_assert_uint_eq(stored.repeated, 0);
	ck_assert_uint_eq(stored.disordered, 0);
	fleet_agent__check(counts, calls, stored.events);
	fleet_audit__check(counts);
	ck_assert_uint_eq(fleet_audit__events(), stored.events);
	stored__free(&stored);
}

void fleet__begin(void)
{
	const unsigned seed = (unsigned)amount__of("FLEET_SEED", (uint64_t)time(NULL));

	setenv("LSAN_OPTIONS", "detect_leaks=0", 1); /* the agent may not be traced */
	scratch__make();
	mounts__own_bpffs();
	srandom(seed);
	printf("FLEET_SEED=%u\n", seed);
	fflush(stdout);
}

START_TEST(test_stream_has_each_event_once)
{
	const uint64_t seconds = amount__of("FLEET_SECONDS", SECONDS);
	struct fleet_counts counts;
	uint64_t calls;

	if (fleet__lacks())
		skip("%s is missing", fleet__lacks());
	cluster__start();
	fleet_agent__configure(fleet_load__start(amount__of("FLEET_RATE", 200000)),
			       getenv("FLEET_SPOOL") ?: "4G");
	fleet_agent__start();
	run(seconds);
	calls = fleet_load__pause();
	printf("%u leaders and %u agents killed, %.0f events a second\n", leaders, agents,
	       (double)calls * FLEET_LOAD_EACH / ((double)(monotonic_ns() - start_ns) / 1e9));
	fflush(stdout);
	counts = fleet_agent__drain();
	check_stream(&counts, calls);
	logged_agent__stop();
	fleet_load__end();
	cluster__stop();
}
END_TEST

const char *fleet__lacks(void)
{
#ifndef HAVE_YAML
	return "libyaml";
#endif
	return cluster__lacks();
}

static Suite *fleet_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite(
		"fleet", 2 * (double)amount__of("FLEET_SECONDS", SECONDS) + 900, &tests);

	tcase_add_checked_fixture(tests, fleet__begin, scratch__remove);
	tcase_add_test(tests, test_stream_has_each_event_once);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { fleet_suite, kills_suite };

	return harness__main(argc, argv, suites, 2);
}

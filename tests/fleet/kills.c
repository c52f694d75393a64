// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * kills.c: the agent, the receiver or a server of three is killed at random, again and again, and
 * started again: `peat recv --audit` balances each time, and the receivers have written each event.
 *
 *	KILLS		200
 *	FLEET_SEED	of the victims and moments; otherwise another one each time
 */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cluster.h"
#include "fleet.h"
#include "fleet_agent.h"
#include "fleet_audit.h"
#include "fleet_load.h"
#include "stored.h"
#include "support/agent/logged_agent.h"
#include "support/machine/amount.h"
#include "support/machine/command.h"
#include "support/machine/process.h"
#include "support/machine/scratch.h"

#define KILLS	   200
#define RATE	   5000
#define CONSUMER   "archive"
#define RECEIVED_S 180 /* the server delivers again after a minute what nobody acknowledged */

/* ---- the receiver ---------------------------------------------------------------------------- */

static struct command receiver;

/* Each one writes a file of its own into the directory. */
static void start_receiver(void)
{
	command__start(&receiver, ALL_CAPS,
		       ARGV(command__peat(), "recv", "-q", "--consumer", CONSUMER, "-o",
			    scratch__path("received"), CLUSTER_NEAR));
}

static void end_receiver(int number, int status)
{
	kill(receiver.pid, number);
	command__finish(&receiver);
	ck_assert_msg(receiver.status == status, "status %d: %s", receiver.status,
		      receiver.err_text);
	command__free(&receiver);
}

/* All files together have each event of the stream, some of them twice. */
static void check_received(uint64_t events)
{
	const char *path = scratch__path("received");
	struct stored received = { 0 };
	struct dirent *entry;
	char name[512];
	DIR *directory;

	for (int i = 0; i < RECEIVED_S && cluster__pending(CONSUMER); i++)
		sleep(1);
	end_receiver(SIGTERM, 0);
	directory = opendir(path);
	ck_assert_ptr_nonnull(directory);
	while ((entry = readdir(directory))) {
		snprintf(name, sizeof(name), "received/%s", entry->d_name);
		if (*entry->d_name != '.')
			stored__add_cut_file(&received, scratch__path(name));
	}
	closedir(directory);
	printf("receivers wrote %llu events, %llu of them twice\n",
	       (unsigned long long)received.events, (unsigned long long)received.repeated);
	ck_assert_uint_eq(received.events, events);
	stored__free(&received);
}

/* ---- victims --------------------------------------------------------------------------------- */

static unsigned kills[3];

static void pause_at_random(unsigned most_ms)
{
	usleep((useconds_t)random() % (most_ms * 1000));
}

static void kill_agent(void)
{
	logged_agent__kill();
	pause_at_random(100);
	fleet_agent__start();
}

static void kill_receiver(void)
{
	end_receiver(SIGKILL, 128 + SIGKILL);
	pause_at_random(100);
	start_receiver();
}

static void kill_server(void)
{
	const unsigned number = (unsigned)random() % CLUSTER_SERVERS;

	cluster__kill_server(number);
	pause_at_random(500);
	cluster__start_server(number);
}

static void kill_any(void)
{
	static void (*const victims[])(void) = { kill_agent, kill_receiver, kill_server };
	const unsigned victim = (unsigned)random() % 3;

	victims[victim]();
	kills[victim]++;
}

/* ---- rounds ---------------------------------------------------------------------------------- */

static uint64_t run_round(void)
{
	struct fleet_counts counts;
	uint64_t calls;

	fleet_load__resume();
	pause_at_random(500);
	kill_any();
	pause_at_random(500);
	calls = fleet_load__pause();
	counts = fleet_agent__drain();
	fleet_audit__check(&counts);
	fleet_agent__check(&counts, calls, fleet_audit__events());
	return counts.emitted;
}

static void check_stream(uint64_t events)
{
	struct stored stored = { 0 };

	cluster__read(scratch__path("stored.perf"));
	stored__add_file(&stored, scratch__path("stored.perf"));
	ck_assert_uint_eq(stored.repeated, 0);
	ck_assert_uint_eq(stored.disordered, 0);
	ck_assert_uint_eq(stored.events, events);
	stored__free(&stored);
}

START_TEST(test_audit_balances_after_kills)
{
	const uint64_t rounds = amount__of("KILLS", KILLS);
	uint64_t emitted = 0, events;

	if (fleet__lacks())
		skip("%s is missing", fleet__lacks());
	cluster__start();
	ck_assert_int_eq(mkdir(scratch__path("received"), 0700), 0);
	start_receiver();
	fleet_agent__configure(fleet_load__start(RATE), "1G");
	fleet_agent__start();
	for (uint64_t i = 0; i < rounds; i++)
		emitted = run_round();
	events = fleet_audit__events();
	printf("%u agents, %u receivers and %u servers killed: %llu events emitted, %llu in the "
	       "stream\n",
	       kills[0], kills[1], kills[2], (unsigned long long)emitted,
	       (unsigned long long)events);
	logged_agent__stop();
	fleet_load__end();
	check_stream(events);
	check_received(events);
	cluster__stop();
}
END_TEST

Suite *kills_suite(void)
{
	TCase *tests;
	Suite *suite =
		harness__suite("kills", 60 * (double)amount__of("KILLS", KILLS) + 900, &tests);

	tcase_add_checked_fixture(tests, fleet__begin, scratch__remove);
	tcase_add_test(tests, test_audit_balances_after_kills);
	return suite;
}

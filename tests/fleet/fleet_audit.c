// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* fleet_audit.c: runs peat recv --audit, and checks its numbers. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cluster.h"
#include "fleet_audit.h"
#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/json_event.h"
#include "support/machine/process.h"

#define WAIT_S 120 /* for the newest ledger */

/* The sums of all runs of agents. */
static struct audit {
	uint64_t run; /* the newest one */
	uint64_t events, repeated, missing;
	uint64_t lost, dropped, refused, lost_in_stream, unexplained;
	uint64_t waiting; /* in the newest run: those of others have ended with their agents */
} audit;

static struct command command;

static void add_row(const char *row)
{
	const uint64_t run = json_event__number(row, "run");

	audit.events += json_event__number(row, "events");
	audit.repeated += json_event__number(row, "repeated");
	audit.missing += json_event__number(row, "missing");
	if (!json_event__is_true(row, "ledger"))
		return;
	audit.lost += json_event__number(row, "lost");
	audit.dropped += json_event__number(row, "dropped");
	audit.refused += json_event__number(row, "refused");
	audit.lost_in_stream += json_event__number(row, "lost_in_stream");
	audit.unexplained += json_event__number(row, "unexplained");
	if (run < audit.run)
		return;
	audit.run = run;
	audit.waiting = json_event__number(row, "waiting");
}

static void run_audit(void)
{
	char *line, *next;

	command__free(&command);
	command__run(&command, ALL_CAPS,
		     ARGV(command__peat(), "recv", "--audit", "-j", CLUSTER_NEAR));
	ck_assert_msg(command.status <= 1, "status %d: %s", command.status, command.err_text);
	audit = (struct audit){ 0 };
	next = strdup(command.out_text);
	for (char *lines = next; (line = strsep(&lines, "\n"));)
		if (*line && !strcmp(json_event__text(line, "source"), "flood"))
			add_row(line);
	free(next);
}

uint64_t fleet_audit__events(void)
{
	run_audit();
	return audit.events;
}

/* Its exit status tells whether any event is missing. */
static bool is_right(void)
{
	const bool lacks = audit.missing || audit.lost || audit.dropped || audit.refused;

	return !audit.repeated && !audit.waiting && !audit.lost_in_stream && !audit.unexplained &&
	       command.status == lacks;
}

static bool agrees(const struct fleet_counts *counts)
{
	const uint64_t ends = audit.events + counts->lost + audit.dropped + audit.refused;

	return audit.dropped == counts->dropped && audit.refused == counts->refused &&
	       ends <= counts->emitted && counts->emitted <= ends + counts->died;
}

void fleet_audit__check(const struct fleet_counts *counts)
{
	for (int i = 0; i < WAIT_S; i++) {
		run_audit();
		if (is_right() && agrees(counts))
			return;
		sleep(1);
	}
	ck_abort_msg("status %d, %llu events emitted, %llu lost, at most %llu with agents: %s",
		     command.status, (unsigned long long)counts->emitted,
		     (unsigned long long)counts->lost, (unsigned long long)counts->died,
		     command.out_text);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* logged_agent.c: starts, asks and ends an agent. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "logged_agent.h"
#include "support/machine/command.h"
#include "support/machine/harness.h"
#include "support/machine/json_event.h"
#include "support/machine/process.h"
#include "support/machine/scratch.h"

static struct command agent, asked;

pid_t logged_agent__pid(void)
{
	return agent.pid;
}

void logged_agent__check_alive(void)
{
	ck_assert_msg(command__is_running(&agent), "the agent has ended: %s", logged_agent__log());
}

static void ask(const char *option, const char *more)
{
	logged_agent__check_alive();
	command__free(&asked);
	command__run(&asked, ALL_CAPS,
		     ARGV(command__peat(), "agent", "-c", scratch__path(LOGGED_AGENT_CONFIG),
			  "--socket", scratch__path(LOGGED_AGENT_SOCKET), option, more));
}

/* The socket of an agent that was killed is still there. */
void logged_agent__start(void)
{
	command__start(&agent, ALL_CAPS,
		       ARGV("sh", "-c", "exec \"$0\" agent -c \"$1\" 2>> \"$2\"", command__peat(),
			    scratch__path(LOGGED_AGENT_CONFIG), scratch__path("log")));
	do {
		usleep(20000);
		ask("--status", "-j");
	} while (asked.status);
}

int logged_agent__reload(void)
{
	ask("--reload", NULL);
	return asked.status;
}

const char *logged_agent__log(void)
{
	static char text[4096];
	FILE *file = fopen(scratch__path("log"), "r");
	size_t count = 0;

	if (file && (!fseek(file, -(long)sizeof(text) + 1, SEEK_END) || !fseek(file, 0, SEEK_SET)))
		count = fread(text, 1, sizeof(text) - 1, file);
	if (file)
		fclose(file);
	text[count] = '\0';
	return text;
}

void logged_agent__stop(void)
{
	kill(agent.pid, SIGTERM);
	command__finish(&agent);
	ck_assert_msg(!agent.status, "exit status %d: %s", agent.status, logged_agent__log());
	command__free(&agent);
}

void logged_agent__kill(void)
{
	kill(agent.pid, SIGKILL);
	command__finish(&agent);
	ck_assert_msg(agent.status == 128 + SIGKILL, "exit status %d: %s", agent.status,
		      logged_agent__log());
	command__free(&agent);
}

/* ---- the ledger ------------------------------------------------------------------------------ */

const char *logged_agent__status(void)
{
	ask("--status", "-j");
	ck_assert_msg(!asked.status, "%.4000s%s", asked.err_text, logged_agent__log());
	return asked.out_text;
}

/* Whether the row has these names; false also after the last row. */
static bool is_row(const char *status, const char *row, const char *rows, const char *name,
		   const char *output)
{
	char path[96];

	snprintf(path, sizeof(path), "%s.%s", row, strcmp(rows, "outputs") ? "source" : "output");
	if (strcmp(json_event__text(status, path), name))
		return false;
	snprintf(path, sizeof(path), "%s.output", row);
	return !output || !strcmp(json_event__text(status, path), output);
}

uint64_t logged_agent__number(const char *status, const char *rows, const char *name,
			      const char *output, const char *number)
{
	char row[64], path[96];

	for (int i = 0;; i++) {
		snprintf(row, sizeof(row), "%s[%d]", rows, i);
		ck_assert_msg(json_event__has(status, row), "no %s in %s", name, status);
		if (is_row(status, row, rows, name, output))
			break;
	}
	snprintf(path, sizeof(path), "%s.%s", row, number);
	return json_event__number(status, path);
}

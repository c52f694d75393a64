// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stop.c: signals end a run in order. */
#include <signal.h>
#include <stddef.h>

#include <peat/peat.h>

#include "stop.h"

static volatile sig_atomic_t stop_asked;
static struct peat_reader *volatile reader_to_break;

static void on_signal(int number)
{
	(void)number;
	stop_asked = 1;
	if (reader_to_break)
		peat_reader__break(reader_to_break);
}

void stop__catch(void)
{
	struct sigaction stop = { .sa_handler = on_signal }, ignore = { .sa_handler = SIG_IGN };

	sigaction(SIGINT, &stop, NULL);
	sigaction(SIGTERM, &stop, NULL);
	sigaction(SIGPIPE, &ignore, NULL);
}

void stop__at_child(void)
{
	struct sigaction stop = { .sa_handler = on_signal, .sa_flags = SA_NOCLDSTOP };

	sigaction(SIGCHLD, &stop, NULL);
}

bool stop__is_asked(void)
{
	return stop_asked;
}

void stop__breaks(struct peat_reader *reader)
{
	reader_to_break = reader;
}

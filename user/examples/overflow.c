// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * overflow.c: work with a budget of page faults: a signal ends it.
 *
 *	cc overflow.c $(pkg-config --cflags --libs libpeat) -o overflow
 *
 * Then: ./overflow [FAULTS]
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <peat/peat.h>

#define BYTES (256 << 20)

static volatile sig_atomic_t is_spent;

/* The thread that caused the overflow runs it. */
static void end_work(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)context;
	is_spent = info->si_code == POLL_HUP;
}

static size_t work(char *memory)
{
	size_t at = 0;

	for (; !is_spent && at < BYTES; at += 1024)
		memory[at] = 1;
	return at;
}

int main(int argc, char **argv)
{
	struct peat_counters_opts opts = { .sz = sizeof(opts),
					   .events = "page-faults",
					   .self = true };
	struct sigaction action = { .sa_sigaction = end_work, .sa_flags = SA_SIGINFO | SA_RESTART };
	struct peat_counter_value value = { .sz = sizeof(value) };
	struct peat_counters *counters;
	char *memory = malloc(BYTES);
	size_t bytes;

	opts.period = argc > 1 ? strtoull(argv[1], NULL, 0) : 50;
	opts.overflow_signal = (uint8_t)SIGRTMIN;
	counters = peat_counters__new(&opts);
	if (!counters || !memory || sigaction(SIGRTMIN, &action, NULL) ||
	    peat_counters__refresh(counters, 0, 1))
		return 1;
	bytes = work(memory);
	if (peat_counters__read(counters) || peat_counters__value(counters, 0, &value))
		return 1;
	printf("%s after %zu KiB and %.0f %s\n", is_spent ? "ended" : "done", bytes / 1024,
	       value.amount, value.name);
	peat_counters__free(counters);
	free(memory);
	return 0;
}

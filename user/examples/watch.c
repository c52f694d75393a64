// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * watch.c: which thread writes to a variable?  A breakpoint of the CPU signals it.  For x86.
 *
 *	cc watch.c $(pkg-config --cflags --libs libpeat) -pthread -o watch
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <peat/peat.h>

#define MOST 16

static volatile int balance = 100, values[MOST];
static pthread_t writers[MOST];
static volatile sig_atomic_t writes;

/* The thread that wrote runs it, right after the write. */
static void note_write(int number, siginfo_t *info, void *context)
{
	uint64_t data;

	(void)number;
	(void)context;
	if (peat_counters__trap_data(info, &data) || writes == MOST)
		return;
	writers[writes] = pthread_self();
	values[writes++] = balance;
}

static void *work(void *unused)
{
	balance -= 70;
	return unused;
}

int main(void)
{
	struct peat_counters_opts opts = { .sz = sizeof(opts), .sigtrap = true };
	struct sigaction action = { .sa_sigaction = note_write, .sa_flags = SA_SIGINFO };
	struct peat_counters *counters;
	char event[64];
	pthread_t worker;

	snprintf(event, sizeof(event), "mem:%p/4:w", (void *)&balance);
	opts.events = event;
	opts.inherit_thread = opts.remove_on_exec = true;
	counters = peat_counters__new(&opts);
	if (!counters || sigaction(SIGTRAP, &action, NULL) || peat_counters__enable(counters) ||
	    pthread_create(&worker, NULL, work, NULL) || pthread_join(worker, NULL))
		return 1;
	balance += 5;
	peat_counters__free(counters);
	for (int i = 0; i < writes; i++)
		printf("%s wrote %d\n", writers[i] == worker ? "worker" : "main", values[i]);
	return 0;
}

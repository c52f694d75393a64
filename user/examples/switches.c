// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * switches.c: context switches of each CPU, each second, also while CPUs go and return.
 *
 *	cc switches.c $(pkg-config --cflags --libs libpeat) -o switches
 *
 * Then, as root: ./switches [SECONDS [EVENT]]
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <peat/peat.h>

static void print(struct peat_counters *counters)
{
	struct peat_counter_value value = { .sz = sizeof(value) };

	for (uint32_t i = 0; i < peat_counters__parts(counters, 0); i++)
		if (!peat_counters__part(counters, 0, i, &value))
			printf("CPU %d: %.0f  ", value.cpu, value.amount);
	if (!peat_counters__value(counters, 0, &value))
		printf("all: %.0f %s\n", value.amount, value.name);
}

/* Reads when CPUs have changed, so that one that returns is counted at once. */
static int wait_until(struct peat_counters *counters, time_t end)
{
	struct pollfd fd = { .fd = peat_counters__fd(counters), .events = POLLIN };
	int err = 0;

	for (time_t now; !err && (now = time(NULL)) < end;)
		if (poll(&fd, 1, (int)(end - now) * 1000) > 0)
			err = peat_counters__read(counters);
	return err ? err : peat_counters__read(counters);
}

int main(int argc, char **argv)
{
	struct peat_counters_opts opts = { .sz = sizeof(opts), .all_tasks = true };
	time_t seconds = argc > 1 ? atol(argv[1]) : 3, now = time(NULL);
	struct peat_counters *counters;
	int err;

	opts.events = argc > 2 ? argv[2] : "context-switches";
	counters = peat_counters__new(&opts);
	err = counters ? peat_counters__enable(counters) : -1;
	for (time_t i = 1; !err && i <= seconds; i++) {
		err = wait_until(counters, now + i);
		if (!err)
			print(counters);
		peat_counters__reset(counters);
	}
	if (err)
		perror("switches");
	peat_counters__free(counters);
	return err != 0;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* measure.c: rounds over several transports in turn; memory, measured in a process of its own. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "cli/cli.h"
#include "cli/base/messages.h"
#include "cli/base/progress.h"

/* ---- rounds ---------------------------------------------------------------------------------- */

int bench_measure__open_rigs(struct bench_rigs *rigs, const struct bench_transport *transports,
			     size_t count, const struct bench_events *events)
{
	int err = 0;

	rigs->count = 0;
	for (size_t i = 0; !err && i < count; i++)
		err = bench_rig__open(&rigs->all[rigs->count++], &transports[i], events);
	if (err)
		bench_measure__close_rigs(rigs);
	return err;
}

void bench_measure__close_rigs(struct bench_rigs *rigs)
{
	while (rigs->count)
		bench_rig__close(&rigs->all[--rigs->count]);
}

static int run_round(struct bench *bench, struct bench_rigs *rigs, const struct bench_load *load,
		     bool backwards)
{
	int err = 0;

	for (size_t n = 0; !err && n < rigs->count; n++) {
		size_t i = backwards ? rigs->count - 1 - n : n;

		err = bench_run__load(&rigs->all[i], &bench->cpus, load, &rigs->results[i]);
	}
	return err;
}

/* If nothing arrives, the programs did not recognise this process by its id. */
static int check_delivered(const struct bench_rigs *rigs)
{
	for (size_t i = 0; i < rigs->count; i++) {
		const struct bench_rig *rig = &rigs->all[i];

		if (!bench_rig__has_reader(rig) || !rigs->results[i].emitted ||
		    rigs->results[i].delivered)
			continue;
		messages__print("%s, %s: no event arrived: BPF programs see the process ids of the "
				"initial pid namespace: run peat bench there",
				bench_rig__transport_name(rig->transport), rig->transport->setting);
		return -ENODATA;
	}
	return 0;
}

int bench_measure__rounds(struct bench *bench, const char *workload, struct bench_rigs *rigs,
			  const struct bench_load *load, uint32_t rounds,
			  bench_add_rows_fn add_rows)
{
	struct bench_load warm_up = *load;
	int err;

	warm_up.run_ns /= 4;
	warm_up.linger_ns = 0;
	err = run_round(bench, rigs, &warm_up, false);
	for (uint32_t round = 0; !err && round < rounds; round++) {
		progress__report(&bench->progress);
		/* Alternate the direction, so that drift affects all transports equally. */
		err = run_round(bench, rigs, load, round % 2);
		if (!err)
			err = check_delivered(rigs);
		for (size_t i = 0; !err && i < rigs->count; i++) {
			const struct bench_transport *transport = rigs->all[i].transport;
			struct bench_place place = { workload, bench_rig__transport_name(transport),
						     transport->setting };

			add_rows(bench, &place, rigs, i);
		}
	}
	return err;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Anonymous memory of this process: neither files nor rings nor the stage. */
static uint64_t anonymous_bytes(void)
{
	unsigned long long kib = 0;
	char line[256];
	FILE *file = fopen("/proc/self/status", "re");

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "RssAnon: %llu", &kib) == 1)
			break;
	if (file)
		fclose(file);
	return kib * 1024;
}

static int measure_memory(const struct bench *bench, const struct bench_transport *transport,
			  struct bench_memory *memory)
{
	const struct bench_load load = { .producers = 1, .per_call = 10, .run_ns = 10000000 };
	const struct bench_events events = { .bytes = 16 };
	uint64_t before = anonymous_bytes(), after;
	struct bench_result result;
	struct bench_rig rig;
	int err = bench_rig__open(&rig, transport, &events);

	if (!err)
		err = bench_run__load(&rig, &bench->cpus, &load, &result);
	if (!err) {
		after = anonymous_bytes();
		memory->process = after > before ? after - before : 0;
		memory->rings = bench_rig__ring_bytes(&rig);
		memory->stage = bench_rig__stage_bytes(&rig);
	}
	bench_rig__close(&rig);
	return err;
}

static void send_memory(const struct bench *bench, const struct bench_transport *transport, int fd)
{
	struct bench_memory memory = { 0 };
	int err = measure_memory(bench, transport, &memory);

	if (!err && write(fd, &memory, sizeof(memory)) != sizeof(memory))
		err = -EIO;
	_exit(err ? EXIT_FAILED : 0);
}

int bench_measure__memory(const struct bench *bench, const struct bench_transport *transport,
			  struct bench_memory *memory)
{
	int fds[2], err = 0;
	pid_t pid;

	if (pipe(fds))
		return -errno;
	fflush(NULL);
	pid = fork();
	if (!pid)
		send_memory(bench, transport, fds[1]);
	close(fds[1]);
	if (pid < 0 || read(fds[0], memory, sizeof(*memory)) != sizeof(*memory))
		err = -ECHILD; /* the child has printed the reason */
	close(fds[0]);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	return err;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * flight.c: flight recorders: peat record --flight and perf record --overwrite
 * --switch-output=signal, of the same flood into rings of the same size.  At the end of each run
 * SIGUSR2 asks for a dump.
 */
#include <errno.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "output.h"
#include "process.h"
#include "peers.h"
#include "records.h"

struct flight {
	const char *argv[32]; /* the path after "-o" is filled in at the start */
	const char *dumped;   /* a message that ends a dump */
	bool lends;	      /* the benchmark's program writes to its ring */
};

struct flying {
	struct peer_process process;
	char path[PATH_MAX]; /* dumps have longer names */
	uint64_t cpu_ns, dump_ns;
};

/* ---- dumps ----------------------------------------------------------------------------------- */

static glob_t find_dumps(const struct flying *flying)
{
	glob_t found = { 0 };
	char pattern[PATH_MAX + 2];

	snprintf(pattern, sizeof(pattern), "%s*", flying->path);
	if (glob(pattern, 0, NULL, &found))
		found.gl_pathc = 0;
	return found;
}

static void remove_dumps(const struct flying *flying)
{
	glob_t found = find_dumps(flying);

	for (size_t i = 0; i < found.gl_pathc; i++)
		remove(found.gl_pathv[i]);
	globfree(&found);
}

/* The samples of the only dump. */
static int count_dumped(const struct flying *flying, uint64_t *samples)
{
	glob_t found = find_dumps(flying);
	uint64_t most = 0;
	int err = 0;

	for (size_t i = 0; !err && i < found.gl_pathc; i++) {
		if (peer_output__size(found.gl_pathv[i]))
			err = peer_records__count_samples(found.gl_pathv[i], samples);
		most = *samples > most ? *samples : most;
	}
	*samples = most;
	globfree(&found);
	return err;
}

/* ---- a flight recorder as a reader ----------------------------------------------------------- */

static int open_flight(struct bench_rig *rig)
{
	struct flying *flying = calloc(1, sizeof(*flying));

	if (!flying)
		return -ENOMEM;
	snprintf(flying->path, sizeof(flying->path), "%s/flight", peers.tmpfs);
	rig->peer = flying;
	return 0;
}

static int begin_flight(struct bench_rig *rig)
{
	const struct flight *flight = rig->transport->peer;
	struct flying *flying = rig->peer;
	struct flight complete = *flight;
	int err;

	for (const char **next = complete.argv; *next; next++)
		if (!strcmp(*next, "-o"))
			next[1] = flying->path;
	err = peer_process__start(&flying->process,
				  &(struct peer_start){ .argv = complete.argv,
							.output = "/dev/null",
							.errors = peers.errors,
							.kept_fd = -1,
							.cpu = peers.bench.cpus.reader });
	if (!err)
		err = peer_output__await(peers.errors, PEERS_READY, &flying->process, NULL);
	if (!err && flight->lends)
		err = peer_records__lend_ring(rig, flying->process.pid);
	flying->cpu_ns = err ? 0 : peer_process__cpu_ns(&flying->process);
	return err;
}

static int finish_flight(struct bench_rig *rig)
{
	const struct flight *flight = rig->transport->peer;
	struct flying *flying = rig->peer;
	uint64_t start_ns = bench_rig__now_ns();
	int err;

	rig->peer_end_ns = start_ns;
	rig->peer_ns = peer_process__cpu_ns(&flying->process) - flying->cpu_ns;
	kill(flying->process.pid, SIGUSR2);
	err = peer_output__await(peers.errors, flight->dumped, &flying->process, NULL);
	flying->dump_ns = bench_rig__now_ns() - start_ns;
	if (!err)
		err = count_dumped(flying, &rig->delivered);
	return err;
}

static void end_flight(struct bench_rig *rig)
{
	struct flying *flying = rig->peer;

	if (!flying)
		return;
	peer_process__end(&flying->process);
	remove_dumps(flying);
}

static void close_flight(struct bench_rig *rig)
{
	free(rig->peer);
}

static const struct bench_reader flight_reader = { open_flight,	 peers__wait,  finish_flight,
						   close_flight, begin_flight, end_flight };

/* ---- the workload ---------------------------------------------------------------------------- */

static void add_rows(struct bench *bench, const struct bench_place *place,
		     const struct bench_rigs *rigs, size_t i)
{
	const struct bench_result *result = &rigs->results[i];
	const struct flying *flying = rigs->all[i].peer;

	bench_table__add(&bench->table, place, "program", "ns/event", result->event_ns);
	bench_table__add(&bench->table, place, "tool CPU", "%",
			 100 * result->reader_ns / result->emit_ns);
	bench_table__add(&bench->table, place, "dump", "ms", (double)flying->dump_ns / 1e6);
	bench_table__add(&bench->table, place, "dumped", "k", (double)result->delivered / 1e3);
}

static void add_flight(struct bench_transports *transports, const char *name, const char *setting,
		       const struct flight *flight)
{
	peers__add(transports,
		   &(struct bench_transport){ .way = flight->lends ? BENCH_PERF_BUFFER : BENCH_TOOL,
					      .name = name,
					      .reader = &flight_reader,
					      .peer = flight,
					      .ring_bytes = peers.bench.sizes.cpu_bytes },
		   setting);
}

int peer_flight__measure(void)
{
	const struct peers_plan plan = { .workload = "flight recorder",
					 .load = { .producers = 1,
						   .per_call = BENCH_PER_CALL_MAX,
						   .whole_calls = true,
						   .run_ns = peers__run_ns(400) },
					 .rounds = peers__rounds(5),
					 .add_rows = add_rows };
	static const char event[] = "bpf-output/no-inherit=1,name=evt/";
	struct bench_transports all = { .count = 0 };
	char ring[24], peat_setting[48], perf_setting[64];
	struct peers_sets sets;
	const struct flight peat = { .argv = { peers.peat, "record", "--flight", ring,
					       peers.channel, PEERS_SETS(sets), "-o", "",
					       PEERS_SAY_READY },
				     .dumped = "written in" };
	const struct flight perf = { .argv = { "perf", "record", "-e", event, "-a", "-B", "-m",
					       ring, "--overwrite", "--switch-output=signal", "-o",
					       "", PEERS_SAY_READY },
				     .dumped = "Dump ",
				     .lends = true };

	peers__name_sets(&sets, BENCH_PER_CALL_MAX, 16);
	snprintf(ring, sizeof(ring), "%zuK", peers.bench.sizes.cpu_bytes / 1024);
	snprintf(peat_setting, sizeof(peat_setting), "--flight %s", ring);
	snprintf(perf_setting, sizeof(perf_setting), "--overwrite -B -m %s", ring);
	add_flight(&all, "peat record", peat_setting, &peat);
	add_flight(&all, "perf record", perf_setting, &perf);
	peers__keep_working(&plan, &all);
	return peers__measure(&plan, &all);
}

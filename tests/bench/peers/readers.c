// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * readers.c: readers of perf event arrays in other languages, beside peat: cilium/ebpf's (Go)
 * and bcc's (Python).
 *
 * Only the readers differ: the BPF program is the one of peat bench for libbpf's perf_buffer, and
 * the peer gets the map as an open fd.
 *
 * Protocol: the peer prints "ready" once it reads.  After each line on its standard input it prints
 * the total number of events it has read and the time of the last one (CLOCK_MONOTONIC, ns).
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "process.h"
#include "peers.h"

/* ---- another process as a reader ------------------------------------------------------------- */

struct program {
	const char *path, *argument; /* argument: a script */
	bool built;		     /* path is below the build directory */
};

struct running {
	struct peer_process process;
	uint64_t delivered, cpu_ns; /* before this run */
};

static int start_program(const struct bench_rig *rig, struct peer_process *process)
{
	const struct program *program = rig->transport->peer;
	uint64_t wake = rig->transport->wake_bytes + rig->transport->wake_events;
	char path[PATH_MAX], map[16], bytes[24], when[24];
	const char *argv[6] = { path }, **next = argv + 1;

	snprintf(path, sizeof(path), "%s%s%s", program->built ? peers.build : "",
		 program->built ? "/" : "", program->path);
	snprintf(map, sizeof(map), "%d", PEER_KEPT_FD);
	snprintf(bytes, sizeof(bytes), "%zu", rig->transport->ring_bytes);
	snprintf(when, sizeof(when), "%" PRIu64, wake);
	if (program->argument)
		*next++ = program->argument;
	*next++ = map;
	*next++ = bytes;
	*next++ = when;
	return peer_process__start(process,
				   &(struct peer_start){ .argv = argv,
							 .errors = peers.errors,
							 .kept_fd = bpf_object__find_map_fd_by_name(
								 rig->object, "bench_perf"),
							 .cpu = peers.bench.cpus.reader });
}

static int open_peer(struct bench_rig *rig)
{
	struct running *running = calloc(1, sizeof(*running));
	char line[64];
	int err;

	if (!running)
		return -ENOMEM;
	rig->peer = running;
	err = start_program(rig, &running->process);
	if (!err)
		err = peer_process__read_line(&running->process, line, sizeof(line));
	if (!err && strcmp(line, "ready") != 0)
		err = -EPROTO;
	/* Stopped, so that it uses no CPU time while others are measured. */
	if (!err && kill(running->process.pid, SIGSTOP))
		err = -errno;
	return err;
}

static int begin_peer(struct bench_rig *rig)
{
	struct running *running = rig->peer;

	/* A task loses its affinity for good if the CPU goes offline for a moment. */
	peer_process__pin_again(&running->process, peers.bench.cpus.reader);
	if (kill(running->process.pid, SIGCONT))
		return -errno;
	peer_process__sleep_ms(2); /* until it waits again */
	running->cpu_ns = peer_process__cpu_ns(&running->process);
	return 0;
}

static int finish_peer(struct bench_rig *rig)
{
	struct running *running = rig->peer;
	uint64_t delivered, end_ns;
	char line[64];
	int err;

	if (write(running->process.in, "\n", 1) != 1)
		return -errno;
	err = peer_process__read_line(&running->process, line, sizeof(line));
	if (err)
		return err;
	if (sscanf(line, "%" SCNu64 " %" SCNu64, &delivered, &end_ns) != 2)
		return -EPROTO;
	rig->delivered = delivered - running->delivered;
	running->delivered = delivered;
	rig->peer_end_ns = end_ns;
	rig->peer_ns = peer_process__cpu_ns(&running->process) - running->cpu_ns;
	return 0;
}

static void end_peer(struct bench_rig *rig)
{
	struct running *running = rig->peer;

	if (running && running->process.pid > 0)
		kill(running->process.pid, SIGSTOP);
}

static void close_peer(struct bench_rig *rig)
{
	struct running *running = rig->peer;

	if (running)
		peer_process__end(&running->process);
	free(running);
}

static const struct bench_reader peer_reader = { open_peer,  peers__wait, finish_peer,
						 close_peer, begin_peer,  end_peer };

/* ---- peers and their settings ---------------------------------------------------------------- */

static const struct program cilium = { .path = "bench-cilium", .built = true };
/* Debian's Python, since bcc is Debian's. */
static const struct program bcc = { .path = "/usr/bin/python3",
				    .argument = "tests/bench/peers/bcc_reader.py" };

static struct bench_transport transport_of(const char *name, const struct program *program)
{
	return (struct bench_transport){ .way = BENCH_PERF_BUFFER,
					 .name = name,
					 .reader = &peer_reader,
					 .peer = program,
					 .ring_bytes = peers.bench.sizes.cpu_bytes };
}

static void add_cilium(struct bench_transports *transports)
{
	static const uint32_t parts[] = { 16, 4, 2 };
	struct bench_transport transport = transport_of("cilium/ebpf", &cilium);
	char setting[48];

	peers__add(transports, &transport, "default");
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		transport.wake_bytes = transport.ring_bytes / parts[i];
		snprintf(setting, sizeof(setting), "wake at %" PRIu64 "K, ReadInto",
			 transport.wake_bytes / 1024);
		peers__add(transports, &transport, setting);
	}
}

static void add_bcc(struct bench_transports *transports)
{
	static const uint32_t events[] = { 100, 1000, 5000 };
	struct bench_transport transport = transport_of("bcc Python", &bcc);
	char setting[48];

	transport.wake_events = 1; /* its default */
	peers__add(transports, &transport, "default");
	for (size_t i = 0; i < sizeof(events) / sizeof(*events); i++) {
		transport.wake_events = events[i];
		snprintf(setting, sizeof(setting), "wake at %u events", events[i]);
		peers__add(transports, &transport, setting);
	}
}

/* ---- numbers --------------------------------------------------------------------------------- */

static void add_sweep_rows(struct bench *bench, const struct bench_place *place,
			   const struct bench_rigs *rigs, size_t i)
{
	const struct bench_result *result = &rigs->results[i];

	bench_table__add(&bench->table, place, "delivered", "M/s",
			 (double)result->delivered / result->elapsed_ns * 1e3);
	bench_table__add(&bench->table, place, "lost", "%", peers__lost_percent(rigs, i));
}

static void add_delivered_rows(struct bench *bench, const struct bench_place *place,
			       const struct bench_rigs *rigs, size_t i)
{
	const struct bench_result *result = &rigs->results[i];

	add_sweep_rows(bench, place, rigs, i);
	bench_table__add(&bench->table, place, "reader", "ns/event",
			 result->reader_ns / (double)result->delivered);
	bench_table__add(&bench->table, place, "reader CPU", "%",
			 100 * result->reader_ns / result->elapsed_ns);
}

/* The first rig is the same program without output. */
static void add_cost_rows(struct bench *bench, const struct bench_place *place,
			  const struct bench_rigs *rigs, size_t i)
{
	double event_ns = rigs->results[i].event_ns;

	if (!i) {
		bench_table__add(&bench->table, place, "share of a call", "ns/event", event_ns);
		return;
	}
	bench_table__add(&bench->table, place, "added", "ns/event",
			 event_ns - rigs->results[0].event_ns);
	bench_table__add(&bench->table, place, "lost", "%", peers__lost_percent(rigs, i));
}

/* ---- workloads ------------------------------------------------------------------------------- */

/* Adds the default and the setting that delivers most. */
static int add_best(struct bench_transports *all, void (*add)(struct bench_transports *transports))
{
	struct bench_transports candidates = { .count = 0 };
	const struct bench_transport *best;
	char workload[32];
	const struct peers_plan plan = { .workload = workload,
					 .load = { .producers = 1,
						   .per_call = BENCH_PER_CALL_MAX,
						   .run_ns = peers__run_ns(50) },
					 .rounds = peers__rounds(5),
					 .warm_up = true,
					 .add_rows = add_sweep_rows };
	int err;

	add(&candidates);
	snprintf(workload, sizeof(workload), "sweep %s", candidates.all[0].name);
	peers__keep_working(&plan, &candidates);
	if (!candidates.count)
		return 0;
	err = peers__measure(&plan, &candidates);
	if (err)
		return err;
	best = peers__most_delivered(workload, &candidates);
	peers__add(all, &candidates.all[0], candidates.all[0].setting);
	if (best != &candidates.all[0])
		peers__add(all, best, best->setting);
	return 0;
}

static int measure_cost(const struct bench_transports *all)
{
	const struct peers_plan plan = {
		.workload = "cost",
		.load = { .producers = 1, .per_call = 4, .run_ns = peers__run_ns(20) },
		.rounds = peers__rounds(21),
		.warm_up = true,
		.add_rows = add_cost_rows
	};
	struct bench_transports with_none = { .count = 0 };

	peers__add(&with_none, &(struct bench_transport){ .way = BENCH_NONE }, "no output");
	for (size_t i = 0; i < all->count; i++)
		peers__add(&with_none, &all->all[i], all->all[i].setting);
	return peers__measure(&plan, &with_none);
}

static int measure_saturated(const struct bench_transports *all)
{
	const struct peers_plan plan = { .workload = "saturated",
					 .load = { .producers = 1,
						   .per_call = BENCH_PER_CALL_MAX,
						   .run_ns = peers__run_ns(60) },
					 .rounds = peers__rounds(11),
					 .warm_up = true,
					 .add_rows = add_delivered_rows };

	return peers__measure(&plan, all);
}

int peer_readers__measure(void)
{
	struct bench_transports all;
	int err;

	peers__peat(&all);
	err = add_best(&all, add_cilium);
	if (!err)
		err = add_best(&all, add_bcc);
	if (!err)
		err = measure_cost(&all);
	if (!err)
		err = measure_saturated(&all);
	return err;
}

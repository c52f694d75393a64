// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * kernel_counts.c: tools that count and filter events in the kernel: peat count, hist and trace
 * --where beside bpftrace, on the same tracepoint.
 *
 * Each tool's programs are compared with its own program that does nothing: the difference is the
 * cost of counting.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "output.h"
#include "process.h"
#include "peers.h"

#define CALL_EVENTS 20 /* per call, as in peat bench select */
#define EMPTY	    "empty"

struct counter {
	const char *argv[24];
	bool says_ready; /* on standard error, by PEERS_SAY_READY; else on standard output */
};

/* ---- a tool as a reader ---------------------------------------------------------------------- */

struct running {
	struct peer_process process;
	char output[PATH_MAX];
	uint64_t cpu_ns;
};

static int open_counter(struct bench_rig *rig)
{
	struct running *running = calloc(1, sizeof(*running));

	if (!running)
		return -ENOMEM;
	snprintf(running->output, sizeof(running->output), "%s/counts", peers.tmpfs);
	rig->peer = running;
	return 0;
}

/* bpftrace may print before its last program is attached. */
#define ATTACH_MS 200

static int begin_counter(struct bench_rig *rig)
{
	const struct counter *counter = rig->transport->peer;
	struct running *running = rig->peer;
	const struct peer_start start = { .argv = counter->argv,
					  .output = running->output,
					  .errors = peers.errors,
					  .kept_fd = -1,
					  .cpu = peers.bench.cpus.reader };
	int err;

	remove(running->output);
	err = peer_process__start(&running->process, &start);
	if (!err)
		err = peer_output__await(counter->says_ready ? peers.errors : running->output,
					 PEERS_READY, &running->process, NULL);
	peer_process__sleep_ms(ATTACH_MS);
	running->cpu_ns = err ? 0 : peer_process__cpu_ns(&running->process);
	return err;
}

/* Its counts are not compared: "delivered" only states that it ran until the end. */
static int finish_counter(struct bench_rig *rig)
{
	struct running *running = rig->peer;

	rig->peer_end_ns = bench_rig__now_ns();
	rig->peer_ns = peer_process__cpu_ns(&running->process) - running->cpu_ns;
	rig->delivered = peer_process__is_running(&running->process);
	peer_process__end(&running->process);
	return 0;
}

static void end_counter(struct bench_rig *rig)
{
	struct running *running = rig->peer;

	if (!running)
		return;
	peer_process__end(&running->process);
	remove(running->output);
}

static void close_counter(struct bench_rig *rig)
{
	free(rig->peer);
}

static const struct bench_reader counter_reader = { open_counter,  peers__wait,	  finish_counter,
						    close_counter, begin_counter, end_counter };

/* ---- numbers --------------------------------------------------------------------------------- */

/* The tool's program that does nothing; -1: it cannot be measured here. */
static int find_empty(const struct bench_rigs *rigs, size_t i)
{
	const struct bench_transport *transport = rigs->all[i].transport;

	for (size_t j = 0; j < rigs->count; j++)
		if (!strcmp(rigs->all[j].transport->name, transport->name) &&
		    !strcmp(rigs->all[j].transport->setting, EMPTY))
			return (int)j;
	return -1;
}

/* The first rig has no tool. */
static void add_rows(struct bench *bench, const struct bench_place *place,
		     const struct bench_rigs *rigs, size_t i)
{
	double event_ns = rigs->results[i].event_ns;
	int empty = find_empty(rigs, i);

	if (!i) {
		bench_table__add(&bench->table, place, "untraced", "ns/event", event_ns);
		return;
	}
	bench_table__add(&bench->table, place, "added", "ns/event",
			 event_ns - rigs->results[0].event_ns);
	if (empty >= 0 && (size_t)empty != i)
		bench_table__add(&bench->table, place, "above empty", "ns/event",
				 event_ns - rigs->results[empty].event_ns);
	bench_table__add(&bench->table, place, "tool CPU", "%",
			 100 * rigs->results[i].reader_ns / rigs->results[i].emit_ns);
}

/* ---- tools ----------------------------------------------------------------------------------- */

static void add_counter(struct bench_transports *all, const char *name, const char *setting,
			const struct counter *counter)
{
	const struct bench_transport transport = { .way = BENCH_TOOL,
						   .name = name,
						   .reader = counter ? &counter_reader : NULL,
						   .peer = counter };

	peers__add(all, &transport, setting);
}

#define SETS(sets, bytes)                                                                          \
	"--set", (sets)->pid, "--set", (sets)->syscall, "--set", (sets)->per_call, "--set",        \
		"bench_setup.bytes=" bytes, PEERS_SAY_READY

static void add_peat(struct bench_transports *all, const char *object,
		     const struct peers_sets *sets)
{
	static struct counter none, count, comm, hist, where;

	none = (struct counter){ { peers.peat, "count", "-q", object, SETS(sets, "0") }, true };
	count = (struct counter){
		{ peers.peat, "count", "-q", "--by=pid", object, SETS(sets, "64") }, true
	};
	comm = (struct counter){
		{ peers.peat, "count", "-q", "--by=comm", object, SETS(sets, "64") }, true
	};
	hist = (struct counter){ { peers.peat, "hist", "-q", object, "delay", SETS(sets, "64") },
				 true };
	where = (struct counter){ { peers.peat, "trace", "-q", "--where=delay > 5000", object,
				    SETS(sets, "64") },
				  true };
	add_counter(all, "peat", EMPTY, &none);
	add_counter(all, "peat", "count by pid", &count);
	add_counter(all, "peat", "count by comm", &comm);
	add_counter(all, "peat", "histogram", &hist);
	add_counter(all, "peat", "filter, false", &where);
}

/* A script of bpftrace, which runs `body` for each call that `filter` lets pass. */
static void add_bpftrace(struct bench_transports *all, const char *setting, const char *filter,
			 const char *body)
{
	static char scripts[8][512];
	static struct counter counters[8];
	static size_t count;
	char *script = scripts[count];

	snprintf(script, sizeof(*scripts),
		 "tracepoint:raw_syscalls:sys_enter /args->id == %d && pid == %d%s/ { %s } "
		 "interval:ms:100 { printf(\"" PEERS_READY "\\n\"); }",
		 SYS_getpgid, (int)getpid(), filter, body);
	counters[count] = (struct counter){ { "bpftrace", "-B", "line", "-e", script }, false };
	add_counter(all, "bpftrace", setting, &counters[count++]);
}

#define EACH(statement) "unroll(20) { " statement " }"

int peer_kernel_counts__measure(void)
{
	const struct peers_plan plan = {
		.workload = "counts",
		.load = { .producers = 1, .per_call = CALL_EVENTS, .run_ns = peers__run_ns(200) },
		.rounds = peers__rounds(7),
		.add_rows = add_rows
	};
	struct bench_transports all = { .count = 0 };
	static struct peers_sets sets;
	static char object[PATH_MAX + 64];

	peers__name_sets(&sets, CALL_EVENTS, 16);
	snprintf(object, sizeof(object), "%s/user/bench/bpf/tracepoint.bpf.o", peers.build);
	add_counter(&all, "none", "no tool", NULL);
	add_peat(&all, object, &sets);
	add_bpftrace(&all, EMPTY, "", "");
	add_bpftrace(&all, "count by pid", "", EACH("@[pid] = count();"));
	add_bpftrace(&all, "count by comm", "", EACH("@[comm] = count();"));
	add_bpftrace(&all, "histogram", "", EACH("@ = hist(tid);"));
	add_bpftrace(&all, "filter, false, per call", " && args->args[0] > 5000",
		     EACH("@ = count();"));
	peers__keep_working(&plan, &all);
	return peers__measure(&plan, &all);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * tools.c: whole tools that print a line for each event, beside peat trace: bpftrace with the
 * benchmark's events; execsnoop and opensnoop of libbpf-tools with a flood of execs and opens.
 *
 * Tools are started for each run, so that only one runs at a time, and print to a file on a tmpfs.
 * The cost of tracing is the difference to a run without a tool.
 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/base/messages.h"
#include "output.h"
#include "process.h"
#include "peers.h"

#define LINE_CALLS 4 /* events per call, as in peat bench cost */

/* ---- traced events --------------------------------------------------------------------------- */

/* Paths in the events that are counted, and in those that show that a tool is ready. */
static char flood[PATH_MAX], prime[PATH_MAX];

static void start_program(char *path)
{
	char *argv[] = { path, NULL }, *environment[] = { NULL };
	pid_t pid;

	if (!posix_spawn(&pid, path, NULL, NULL, argv, environment))
		waitpid(pid, NULL, 0);
}

static void open_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd >= 0)
		close(fd);
}

static void exec_flood(void)
{
	start_program(flood);
}

static void open_flood(void)
{
	open_file(flood);
}

/* Several, since a tool may buffer its output until it has a page of it. */
#define PRIMES 10

static void exec_prime(void)
{
	for (int i = 0; i < PRIMES; i++)
		start_program(prime);
}

static void open_prime(void)
{
	for (int i = 0; i < PRIMES; i++)
		open_file(prime);
}

static void call_prime(void)
{
	for (int i = 0; i < PRIMES; i++)
		syscall(SYS_getpgid, 0);
}

/* Two names for a program that exits immediately. */
static int name_targets(void)
{
	char nothing[PATH_MAX], *target;

	snprintf(nothing, sizeof(nothing), "%s/tests/support/machine/nothing/nothing", peers.build);
	target = realpath(nothing, NULL);
	snprintf(flood, sizeof(flood), "%s/flood", peers.disk);
	snprintf(prime, sizeof(prime), "%s/prime", peers.disk);
	if (!target || symlink(target, flood) || symlink(target, prime)) {
		free(target);
		messages__print("cannot link %s to %s: %m", flood, nothing);
		return -errno;
	}
	free(target);
	return 0;
}

/* ---- a tool as a reader ---------------------------------------------------------------------- */

struct tool {
	const char *argv[24];
	const char *event; /* text in each line that is counted */
	/* Called until the tool prints `prodded`.  NULL: the tool runs PEERS_SAY_READY. */
	void (*prod)(void);
	const char *prodded;
};

struct running {
	struct peer_process process;
	char output[PATH_MAX];
	off_t printed; /* bytes before this run */
	uint64_t cpu_ns;
};

static int open_tool(struct bench_rig *rig)
{
	struct running *running = calloc(1, sizeof(*running));

	if (!running)
		return -ENOMEM;
	snprintf(running->output, sizeof(running->output), "%s/lines", peers.tmpfs);
	rig->peer = running;
	return 0;
}

/* Waits until the tool is ready and has printed the events of prod(). */
static int await_tool(const struct tool *tool, struct running *running)
{
	int err;

	if (!tool->prod)
		return peer_output__await(peers.errors, PEERS_READY, &running->process, NULL);
	err = peer_output__await(running->output, tool->prodded, &running->process, tool->prod);
	if (!err)
		peer_output__await_quiet(running->output);
	return err;
}

static int begin_tool(struct bench_rig *rig)
{
	const struct tool *tool = rig->transport->peer;
	struct running *running = rig->peer;
	int err = peer_process__start(&running->process,
				      &(struct peer_start){ .argv = tool->argv,
							    .output = running->output,
							    .errors = peers.errors,
							    .kept_fd = -1,
							    .cpu = peers.bench.cpus.reader });

	if (!err)
		err = await_tool(tool, running);
	running->printed = peer_output__size(running->output);
	running->cpu_ns = err ? 0 : peer_process__cpu_ns(&running->process);
	return err;
}

static int finish_tool(struct bench_rig *rig)
{
	const struct tool *tool = rig->transport->peer;
	struct running *running = rig->peer;

	rig->peer_end_ns = peer_output__await_quiet(running->output);
	rig->peer_ns = peer_process__cpu_ns(&running->process) - running->cpu_ns;
	peer_process__end(&running->process); /* prints its buffered output */
	rig->delivered = peer_output__count(running->output, running->printed, tool->event);
	return 0;
}

static void end_tool(struct bench_rig *rig)
{
	struct running *running = rig->peer;

	if (!running)
		return;
	peer_process__end(&running->process);
	remove(running->output);
}

static void close_tool(struct bench_rig *rig)
{
	free(rig->peer);
}

static const struct bench_reader tool_reader = { open_tool,  peers__wait, finish_tool,
						 close_tool, begin_tool,  end_tool };

/* ---- numbers --------------------------------------------------------------------------------- */

static void add_rate_rows(struct bench *bench, const struct bench_place *place,
			  const struct bench_rigs *rigs, size_t i)
{
	const struct bench_result *result = &rigs->results[i];

	if (!bench_rig__has_reader(&rigs->all[i]))
		return;
	bench_table__add(&bench->table, place, "lost", "%", peers__lost_percent(rigs, i));
	bench_table__add(&bench->table, place, "tool", "ns/event",
			 result->reader_ns / (double)result->delivered);
	bench_table__add(&bench->table, place, "tool CPU", "%",
			 100 * result->reader_ns / result->emit_ns);
}

/* The first rig has no tool. */
static void add_flood_rows(struct bench *bench, const struct bench_place *place,
			   const struct bench_rigs *rigs, size_t i)
{
	double event_ns = rigs->results[i].event_ns;

	if (!i) {
		bench_table__add(&bench->table, place, "untraced", "ns/event", event_ns);
		return;
	}
	bench_table__add(&bench->table, place, "added", "ns/event",
			 event_ns - rigs->results[0].event_ns);
	/* Per second of the flood, without the time after it, which is the tool's latency. */
	bench_table__add(&bench->table, place, "printed", "k/s",
			 (double)rigs->results[i].delivered / rigs->results[i].emit_ns * 1e6);
	add_rate_rows(bench, place, rigs, i);
}

/* ---- workloads ------------------------------------------------------------------------------- */

static void add_tool(struct bench_transports *transports, const char *name, const char *setting,
		     const struct tool *tool)
{
	peers__add(transports,
		   &(struct bench_transport){ .way = BENCH_TOOL,
					      .name = name,
					      .reader = tool ? &tool_reader : NULL,
					      .peer = tool },
		   setting);
}

static int measure_tools(const struct peers_plan *plan, const struct tool *peat, const char *name,
			 const struct tool *peer)
{
	struct bench_transports all = { .count = 0 };

	add_tool(&all, "none", "no tool", NULL);
	add_tool(&all, "peat trace", "default", peat);
	add_tool(&all, name, "default", peer);
	peers__keep_working(plan, &all);
	return peers__measure(plan, &all);
}

/* libbpf-tools; they need no options. */
static int measure_snoop(const char *workload, const char *probe, const char *snoop,
			 void (*one)(void), void (*prod)(void))
{
	const struct peers_plan plan = { .workload = workload,
					 .load = { .producers = 1,
						   .per_call = 1,
						   .call = one,
						   .run_ns = peers__run_ns(400) },
					 .rounds = peers__rounds(5),
					 .add_rows = add_flood_rows };
	const struct tool peat = { .argv = { peers.peat, "trace", "-q", probe, PEERS_SAY_READY },
				   .event = flood };
	const struct tool peer = {
		.argv = { snoop }, .event = flood, .prod = prod, .prodded = prime
	};

	return measure_tools(&plan, &peat, snoop, &peer);
}

/* The events of peat bench.  bpftrace needs 16 bytes of its ring for each line. */
static int measure_lines(void)
{
	struct peers_plan plan = {
		.workload = "lines",
		.load = { .producers = 1, .per_call = LINE_CALLS, .run_ns = peers__run_ns(400) },
		.rounds = peers__rounds(5),
		.add_rows = add_flood_rows
	};
	struct peers_sets sets;
	char script[256], pages[24];
	const struct tool peat = { .argv = { peers.peat, "trace", "-q", peers.channel,
					     PEERS_SETS(sets), PEERS_SAY_READY },
				   .event = "words=" };
	const struct tool peer = { .argv = { "bpftrace", "-e", script },
				   .event = "words=",
				   .prod = call_prime,
				   .prodded = "words=" };
	int err;

	peers__name_sets(&sets, LINE_CALLS, 16);
	snprintf(script, sizeof(script),
		 "tracepoint:raw_syscalls:sys_enter /pid == %d && args->id == %d/ "
		 "{ unroll(%d) { printf(\"words=%%d\\n\", pid); } }",
		 (int)getpid(), SYS_getpgid, LINE_CALLS);
	/* The same ring size as peat. */
	snprintf(pages, sizeof(pages), "%zu",
		 peers.bench.sizes.cpu_bytes / (size_t)sysconf(_SC_PAGESIZE));
	setenv("BPFTRACE_PERF_RB_PAGES", pages, 1);
	err = measure_tools(&plan, &peat, "bpftrace", &peer);
	if (err)
		return err;
	plan.workload = "lines, 50 k/s";
	plan.load.rate = 5e4;
	plan.load.whole_calls = true;
	plan.add_rows = add_rate_rows;
	return measure_tools(&plan, &peat, "bpftrace", &peer);
}

int peer_tools__measure(void)
{
	int err = name_targets(), lines, exec, opened;

	if (err)
		return err;
	lines = measure_lines();
	exec = measure_snoop("exec", "exec", "execsnoop", exec_flood, exec_prime);
	opened = measure_snoop("open", "open", "opensnoop", open_flood, open_prime);
	return lines ? lines : exec ? exec : opened;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fleet.c: usage: bench-fleet [-q] [-o TEXT] [-s SETTINGS] BUILD_DIR MODULES [AGENT...]
 *
 * Measures peat-agent's output to a stream of NATS JetStream, with one server, on all CPUs
 * together: events per second, bytes, CPU time of the agent and of the server, and the time from
 * an event to its storage.  Several agents take turns; without any, it is the one of BUILD_DIR.
 * After them, npm's client (MODULES: node_modules) publishes the lines of JSON that the agent
 * prints, a message for each.
 *
 * -q: one short round; -o: only loads with this text; -s: settings of the output, "window: 64".
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "bench/agent/agent_run.h"
#include "bench/table.h"
#include "stored.h"

#define ROUNDS 5
#define WAYS   5

struct load {
	const char *name;
	double rate; /* events per second; 0: all that the program can emit */
	unsigned bytes, per_call;
};

static const struct load loads[] = {
	{ "50,000/s of 64 bytes", 5e4, 64, 10 },
	{ "2,000,000/s of 64 bytes", 2e6, 64, 100 },
	{ "unlimited, 64 bytes", 0, 64, 100 },
	{ "unlimited, 1024 bytes", 0, 1024, 20 },
};

#define LOADS (sizeof(loads) / sizeof(*loads))

/* A way of events into the stream. */
struct way {
	const char *agent;
	bool by_lines; /* the agent prints JSON, and node publishes it */
};

struct bench {
	const char *build, *modules, *only, *settings;
	struct way ways[WAYS];
	size_t way_count, rounds;
	double seconds;
	char server[PATH_MAX], directory[32];
};

/* One run. */
struct result {
	double events;			    /* per second, in millions */
	double megabytes, stored_megabytes; /* of events, and in the stream, per second */
	double agent_cpus, server_cpus, lost_percent, p50_ms, p99_ms;
};

static int fail(const char *what)
{
	fprintf(stderr, "bench-fleet: cannot %s: %m\n", what);
	return -1;
}

/* ---- events ---------------------------------------------------------------------------------- */

/*
 * Each getpgid(2) emits events of bpf/flood.bpf.c.  This process sleeps between them, unless they
 * are unlimited: its CPUs are those of the agent and the server, too.
 */
static void flood(const struct load *load, double seconds)
{
	const struct timespec pause = { 0, 500000 };
	double start_s = agent_run__now_s(), events = 0, passed_s;

	while ((passed_s = agent_run__now_s() - start_s) < seconds) {
		if (load->rate && events >= passed_s * load->rate) {
			nanosleep(&pause, NULL);
			continue;
		}
		syscall(SYS_getpgid, 0);
		events += load->per_call;
	}
}

/* ---- the agent ------------------------------------------------------------------------------- */

static int configure(const struct bench *bench, const struct load *load, const struct way *way)
{
	char path[PATH_MAX];
	FILE *file = fopen(agent_run__path(bench->directory, "agent.yaml", path), "we");

	if (!file)
		return fail("write the configuration");
	fprintf(file, "agent: {socket: %s/socket}\n", bench->directory);
	if (way->by_lines)
		fputs("outputs: {o: {file: '-'}}\n", file);
	else
		fprintf(file, "outputs: {o: {jetstream: '%s'%s%s}}\n", STORED_URL,
			*bench->settings ? ", " : "", bench->settings);
	agent_run__add_pipeline(file, bench->build, load->per_call, load->bytes, NULL);
	return fclose(file) ? fail("write the configuration") : 0;
}

static int start_agent(const struct bench *bench, const struct way *way, const char *output,
		       struct peer_process *process)
{
	const char *failed;

	if (agent_run__start(bench->directory, way->agent, output, PEER_ANY_CPU, process, &failed))
		return fail(failed);
	return 0;
}

static int start_publisher(const struct bench *bench, struct peer_process *process)
{
	char errors[PATH_MAX];
	const char *const argv[] = { "node",	     "tests/bench/fleet/publish_lines.js",
				     bench->modules, STORED_URL,
				     "peat.host.p",  NULL };
	const struct peer_start how = { .argv = argv,
					.output = "/dev/null",
					.errors = agent_run__path(bench->directory, "node.log",
								  errors),
					.kept_fd = -1,
					.cpu = PEER_ANY_CPU };

	return peer_process__start(process, &how) ? fail("start node") : 0;
}

static int print_errors(const struct bench *bench)
{
	agent_run__print(bench->directory, "errors");
	agent_run__print(bench->directory, "node.log");
	agent_run__print(bench->directory, "server.log");
	return -1;
}

/* ---- a run ----------------------------------------------------------------------------------- */

/* The processes of a run, and the CPU time that they had used before the load. */
struct run {
	struct server server;
	struct peer_process agent, publisher;
	double agent_ns, server_ns;
};

static double cpu_ns(const struct peer_process *process)
{
	return process->pid > 0 ? (double)peer_process__cpu_ns(process) : 0;
}

static int start(const struct bench *bench, const struct load *load, const struct way *way,
		 struct run *run)
{
	char output[64] = "/dev/null";

	if (configure(bench, load, way) ||
	    server__start(&run->server, bench->server, bench->directory))
		return -1;
	if (way->by_lines) {
		if (start_publisher(bench, &run->publisher))
			return -1;
		snprintf(output, sizeof(output), "/proc/self/fd/%d", run->publisher.in);
	}
	if (start_agent(bench, way, output, &run->agent))
		return -1;
	peer_process__sleep_ms(300);
	run->agent_ns = cpu_ns(&run->agent) + cpu_ns(&run->publisher);
	run->server_ns = cpu_ns(&run->server.process);
	return 0;
}

static void end(struct run *run)
{
	peer_process__end(&run->agent);
	peer_process__end(&run->publisher); /* at the end of its input */
	server__end(&run->server);
}

static void remove_store(const struct bench *bench)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s/jetstream'", bench->directory);
	if (system(command))
		fail("remove the stream");
}

/* Rates are those of the stream. */
static int read_result(const struct bench *bench, const struct load *load, const struct way *way,
		       const struct stored *stored, struct run *run, struct result *result)
{
	double agent_ns = cpu_ns(&run->agent) + cpu_ns(&run->publisher) - run->agent_ns;
	double server_ns = cpu_ns(&run->server.process) - run->server_ns;
	double events, emitted;

	end(run);
	emitted = agent_run__counted(bench->directory, " emitted ");
	events = way->by_lines ? (double)stored->messages
			       : agent_run__counted(bench->directory, " acknowledged ");
	if (events <= 0 || emitted <= 0 || stored->seconds <= 0)
		return print_errors(bench);
	result->events = (events - (double)stored->other_events) / stored->seconds / 1e6;
	result->megabytes = result->events * load->bytes;
	result->stored_megabytes = (double)stored->bytes / events * result->events;
	result->agent_cpus = agent_ns / events * result->events / 1e3;
	result->server_cpus = server_ns / events * result->events / 1e3;
	result->lost_percent = emitted > events ? 100 * (1 - events / emitted) : 0;
	result->p50_ms = stored->p50_ms;
	result->p99_ms = stored->p99_ms;
	return 0;
}

static int measure_run(const struct bench *bench, const struct load *load, const struct way *way,
		       struct result *result)
{
	struct run run = { .server.process = PEER_NOT_STARTED,
			   .agent = PEER_NOT_STARTED,
			   .publisher = PEER_NOT_STARTED };
	struct stored stored;
	int err = start(bench, load, way, &run);

	if (!err) {
		flood(load, bench->seconds);
		server__wait_until_quiet(&run.server);
		err = server__read(&run.server, &stored);
	}
	err = err ? print_errors(bench) : read_result(bench, load, way, &stored, &run, result);
	end(&run);
	remove_store(bench);
	return err;
}

/* ---- the table ------------------------------------------------------------------------------- */

#define MEDIAN(results, rounds, member)                                                            \
	({                                                                                         \
		double values[ROUNDS];                                                             \
		for (size_t round = 0; round < (rounds); round++)                                  \
			values[round] = (results)[round].member;                                   \
		bench_table__spread(values, rounds).median;                                        \
	})

static void print_way(const struct bench *bench, const struct way *way, const struct result *of)
{
	size_t rounds = bench->rounds;

	printf("  %-22s %9.2f %6.1f %8.0f %8.1f %6.2f %7.2f %6.2f %7.0f %7.0f\n",
	       way->by_lines ? "lines, by node" : way->agent, MEDIAN(of, rounds, events),
	       MEDIAN(of, rounds, lost_percent), MEDIAN(of, rounds, megabytes),
	       MEDIAN(of, rounds, stored_megabytes), MEDIAN(of, rounds, agent_cpus),
	       MEDIAN(of, rounds, server_cpus),
	       MEDIAN(of, rounds, agent_cpus) + MEDIAN(of, rounds, server_cpus),
	       MEDIAN(of, rounds, p50_ms), MEDIAN(of, rounds, p99_ms));
}

static int measure_load(const struct bench *bench, const struct load *load)
{
	struct result results[WAYS][ROUNDS];

	for (size_t round = 0; round < bench->rounds; round++)
		for (size_t i = 0; i < bench->way_count; i++)
			if (measure_run(bench, load, &bench->ways[i], &results[i][round]))
				return -1;
	printf("%s\n", load->name);
	for (size_t i = 0; i < bench->way_count; i++)
		print_way(bench, &bench->ways[i], results[i]);
	fflush(stdout);
	return 0;
}

static int measure(struct bench *bench)
{
	int err = 0;

	strcpy(bench->directory, "/var/tmp/peat-fleet-XXXXXX");
	if (!mkdtemp(bench->directory))
		return fail("make a directory");
	printf("%-24s %9s %6s %8s %8s %6s %7s %6s %7s %7s\n", "", "M events", "lost", "MB/s",
	       "MB/s in", "CPUs,", "CPUs,", "CPUs,", "p50", "p99");
	printf("%-24s %9s %6s %8s %8s %6s %7s %6s %7s %7s\n", "", "/s", "%", "of them", "stream",
	       "agent", "server", "both", "ms", "ms");
	for (size_t i = 0; i < LOADS && !err; i++)
		if (strstr(loads[i].name, bench->only))
			err = measure_load(bench, &loads[i]);
	return err;
}

static void remove_files(const struct bench *bench)
{
	char path[PATH_MAX];

	unlink(agent_run__path(bench->directory, "node.log", path));
	unlink(agent_run__path(bench->directory, "server.log", path));
	agent_run__remove(bench->directory);
}

/* ---- options --------------------------------------------------------------------------------- */

static void add_way(struct bench *bench, const char *agent, bool by_lines)
{
	if (bench->way_count + !by_lines < WAYS)
		bench->ways[bench->way_count++] = (struct way){ agent, by_lines };
}

static void read_options(struct bench *bench, int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "qo:s:")) > 0) {
		if (option == 'o')
			bench->only = optarg;
		if (option == 's')
			bench->settings = optarg;
		if (option != 'q')
			continue;
		bench->rounds = 1;
		bench->seconds = 1;
	}
}

int main(int argc, char **argv)
{
	struct bench bench = { .rounds = ROUNDS, .seconds = 2, .only = "", .settings = "" };
	char build[PATH_MAX], agent[PATH_MAX + 16], nats[PATH_MAX];
	int err;

	read_options(&bench, argc, argv);
	argv += optind;
	if (argc - optind < 2 || !realpath(argv[0], build)) {
		fprintf(stderr, "usage: bench-fleet [-q] [-o TEXT] [-s SETTINGS] BUILD_DIR MODULES "
				"[AGENT...]\n");
		return 64;
	}
	bench.build = build;
	bench.modules = argv[1];
	snprintf(bench.server, sizeof(bench.server), "%.*s/tools/usr/sbin/nats-server",
		 PATH_MAX - 64, build);
	snprintf(agent, sizeof(agent), "%s/peat-agent", build);
	for (char **at = argv + 2; *at; at++)
		add_way(&bench, *at, false);
	if (!bench.way_count)
		add_way(&bench, agent, false);
	snprintf(nats, sizeof(nats), "%.*s/nats", PATH_MAX - 64, bench.modules);
	if (!access(nats, R_OK))
		add_way(&bench, bench.ways[0].agent, true);
	err = measure(&bench);
	remove_files(&bench);
	return err ? 1 : 0;
}

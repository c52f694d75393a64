// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * agent.c: usage: bench-agent [-q] [-o TEXT] [-p SETTING] BUILD_DIR [AGENT...]
 *
 * Measures the CPU time that peat-agent takes for each event of a file: events of 16 bytes with
 * time and ids, a million per second, on one CPU, and the agent on another.  Several agents take
 * turns, and are compared with the first one; without any, it is the one of BUILD_DIR.  -q: one
 * short round; -o: only outputs with this text; -p: each agent also runs with this setting of its
 * pipeline, such as "ordered: yes".
 */
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent_run.h"
#include "bench/table.h"

#define RATE	    1e6
#define PER_CALL    100
#define EVENT_BYTES 16
#define ROUNDS	    7
#define WAYS	    4
#define DRAIN_MS    600 /* a batch waits at most for 200 */

static const char *const outputs[] = {
	"format: json",
	"format: json, compress: zstd",
	"format: perf",
	"format: perf, compress: zstd",
};

#define OUTPUTS (sizeof(outputs) / sizeof(*outputs))

/* An agent, and a setting of its pipeline; NULL: none. */
struct way {
	const char *agent, *setting;
};

struct bench {
	const char *build, *only, *setting;
	struct way ways[WAYS];
	size_t way_count, rounds;
	double seconds;
	uint32_t flood_cpu, agent_cpu;
	char directory[32];
};

/* One run. */
struct result {
	double ns, bytes, lost_percent, megabytes;
};

static int fail(const char *what)
{
	fprintf(stderr, "bench-agent: cannot %s: %m\n", what);
	return -1;
}

/* ---- events ---------------------------------------------------------------------------------- */

/* Each getpgid(2) emits PER_CALL events of bpf/flood.bpf.c. */
static void flood(double seconds)
{
	double start_s = agent_run__now_s(), passed_s;

	for (double events = 0; (passed_s = agent_run__now_s() - start_s) < seconds;)
		if (events < passed_s * RATE) {
			syscall(SYS_getpgid, 0);
			events += PER_CALL;
		}
}

/* ---- the agent ------------------------------------------------------------------------------- */

static int configure(const struct bench *bench, const char *setting, const char *output)
{
	char path[PATH_MAX];
	FILE *file = fopen(agent_run__path(bench->directory, "agent.yaml", path), "we");

	if (!file)
		return fail("write the configuration");
	fprintf(file, "agent: {socket: %s/socket}\noutputs:\n  o: {file: %s/file, %s}\n",
		bench->directory, bench->directory, output);
	agent_run__add_pipeline(file, bench->build, PER_CALL, EVENT_BYTES, setting);
	return fclose(file) ? fail("write the configuration") : 0;
}

static double peak_megabytes(const struct peer_process *process)
{
	char path[64], line[256];
	double kilobytes = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)process->pid);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "VmHWM: %lf", &kilobytes) == 1)
			break;
	if (file)
		fclose(file);
	return kilobytes / 1024;
}

static int read_result(const struct bench *bench, double cpu_ns, struct result *result)
{
	double events = agent_run__counted(bench->directory, " acknowledged ");
	double emitted = agent_run__counted(bench->directory, " emitted ");
	char path[PATH_MAX];
	struct stat status;

	if (events <= 0 || emitted <= 0 ||
	    stat(agent_run__path(bench->directory, "file", path), &status)) {
		agent_run__print(bench->directory, "errors");
		return -1;
	}
	result->ns = cpu_ns / events;
	result->bytes = (double)status.st_size / events;
	result->lost_percent = 100 * (1 - events / emitted);
	return 0;
}

static int run(const struct bench *bench, const struct way *way, const char *output,
	       struct result *result)
{
	struct peer_process process;
	char path[PATH_MAX];
	const char *failed;
	uint64_t cpu_ns;

	unlink(agent_run__path(bench->directory, "file", path));
	if (configure(bench, way->setting, output))
		return -1;
	if (agent_run__start(bench->directory, way->agent, "/dev/null", bench->agent_cpu, &process,
			     &failed))
		return fail(failed);
	peer_process__sleep_ms(200);
	cpu_ns = peer_process__cpu_ns(&process);
	flood(bench->seconds);
	peer_process__sleep_ms(DRAIN_MS);
	cpu_ns = peer_process__cpu_ns(&process) - cpu_ns;
	result->megabytes = peak_megabytes(&process);
	peer_process__end(&process);
	return read_result(bench, (double)cpu_ns, result);
}

/* ---- comparison ------------------------------------------------------------------------------ */

#define MEDIAN(results, rounds, member)                                                            \
	({                                                                                         \
		double values[ROUNDS];                                                             \
		for (size_t round = 0; round < (rounds); round++)                                  \
			values[round] = (results)[round].member;                                   \
		bench_table__spread(values, rounds).median;                                        \
	})

static double ratio(const struct result *results, const struct result *first, size_t rounds)
{
	double values[ROUNDS];

	for (size_t i = 0; i < rounds; i++)
		values[i] = results[i].ns / first[i].ns;
	return bench_table__spread(values, rounds).median;
}

static const char *name_of(const struct bench *bench, const struct way *way)
{
	if (way->setting)
		return way->setting;
	return bench->way_count > 1 ? way->agent : "";
}

static int measure_output(const struct bench *bench, const char *output)
{
	struct result results[WAYS][ROUNDS];
	size_t rounds = bench->rounds;

	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < bench->way_count; i++)
			if (run(bench, &bench->ways[i], output, &results[i][round]))
				return -1;
	for (size_t i = 0; i < bench->way_count; i++) {
		const struct result *of = results[i];

		printf("%-30s %-24s %8.0f %6.2f %8.1f %6.1f %6.1f\n", output,
		       name_of(bench, &bench->ways[i]), MEDIAN(of, rounds, ns),
		       ratio(of, results[0], rounds), MEDIAN(of, rounds, bytes),
		       MEDIAN(of, rounds, lost_percent), MEDIAN(of, rounds, megabytes));
	}
	fflush(stdout);
	return 0;
}

static int measure(struct bench *bench)
{
	int err = 0;

	strcpy(bench->directory, "/dev/shm/peat-agent-XXXXXX");
	if (!mkdtemp(bench->directory) || peer_process__pin(bench->flood_cpu))
		return fail("prepare");
	printf("%-30s %-24s %8s %6s %8s %6s %6s\n", "file", "agent", "ns/event", "ratio", "bytes",
	       "lost %", "MB");
	for (size_t i = 0; i < OUTPUTS && !err; i++)
		if (strstr(outputs[i], bench->only))
			err = measure_output(bench, outputs[i]);
	return err;
}

static void remove_files(const struct bench *bench)
{
	char path[PATH_MAX];

	unlink(agent_run__path(bench->directory, "file", path));
	agent_run__remove(bench->directory);
}

/* The first and the last CPU that this process may use. */
static void choose_cpus(struct bench *bench)
{
	cpu_set_t allowed;

	sched_getaffinity(0, sizeof(allowed), &allowed);
	for (uint32_t cpu = CPU_SETSIZE; cpu--;)
		if (CPU_ISSET(cpu, &allowed))
			bench->flood_cpu = cpu;
	for (uint32_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &allowed))
			bench->agent_cpu = cpu;
}

static void add_way(struct bench *bench, const char *agent)
{
	const char *const settings[] = { NULL, bench->setting };

	for (size_t i = 0; i < (bench->setting ? 2 : 1) && bench->way_count < WAYS; i++)
		bench->ways[bench->way_count++] = (struct way){ agent, settings[i] };
}

static void read_options(struct bench *bench, int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "qo:p:")) > 0) {
		if (option == 'o')
			bench->only = optarg;
		if (option == 'p')
			bench->setting = optarg;
		if (option != 'q')
			continue;
		bench->rounds = 1;
		bench->seconds = 0.3;
	}
	for (int i = optind + 1; i < argc; i++)
		add_way(bench, argv[i]);
}

int main(int argc, char **argv)
{
	struct bench bench = { .rounds = ROUNDS, .seconds = 3, .only = "" };
	char build[PATH_MAX], agent[PATH_MAX + 16];
	int err;

	read_options(&bench, argc, argv);
	if (!argv[optind] || !realpath(argv[optind], build)) {
		fprintf(stderr, "usage: bench-agent [-q] [-o TEXT] [-p SETTING] BUILD_DIR "
				"[AGENT...]\n");
		return 64;
	}
	bench.build = build;
	snprintf(agent, sizeof(agent), "%s/peat-agent", build);
	if (!bench.way_count)
		add_way(&bench, agent);
	choose_cpus(&bench);
	err = measure(&bench);
	remove_files(&bench);
	return err ? 1 : 0;
}

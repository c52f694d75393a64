// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * agent.c: usage: bench-agent [-q] [-o TEXT] BUILD_DIR [AGENT...]
 *
 * Measures the CPU time that peat-agent takes for each event of a file: events of 16 bytes with
 * time and ids, a million per second, on one CPU, and the agent on another.  Several agents take
 * turns, and are compared with the first one; without any, it is the one of BUILD_DIR.  -q: one
 * short round.
 */
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "bench/peers/process.h"
#include "bench/table.h"

#define RATE	 1e6
#define PER_CALL 100
#define ROUNDS	 7
#define AGENTS	 4
#define START_MS 10000
#define DRAIN_MS 600 /* a batch waits at most for 200 */

static const char *const outputs[] = {
	"format: json",
	"format: json, compress: zstd",
	"format: perf",
	"format: perf, compress: zstd",
};

#define OUTPUTS (sizeof(outputs) / sizeof(*outputs))

struct bench {
	const char *build, *agents[AGENTS], *only;
	size_t agent_count, rounds;
	double seconds;
	uint32_t flood_cpu, agent_cpu;
	char directory[32];
};

/* One run. */
struct result {
	double ns, bytes, lost_percent, megabytes;
};

static char *path_in(const struct bench *bench, const char *name, char path[PATH_MAX])
{
	snprintf(path, PATH_MAX, "%s/%s", bench->directory, name);
	return path;
}

static int fail(const char *what)
{
	fprintf(stderr, "bench-agent: cannot %s: %m\n", what);
	return -1;
}

/* ---- events ---------------------------------------------------------------------------------- */

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Each getpgid(2) emits PER_CALL events of bpf/flood.bpf.c. */
static void flood(double seconds)
{
	double start_s = now_s(), passed_s;

	for (double events = 0; (passed_s = now_s() - start_s) < seconds;)
		if (events < passed_s * RATE) {
			syscall(SYS_getpgid, 0);
			events += PER_CALL;
		}
}

/* ---- the agent ------------------------------------------------------------------------------- */

static int configure(const struct bench *bench, const char *output)
{
	char path[PATH_MAX];
	FILE *file = fopen(path_in(bench, "agent.yaml", path), "we");

	if (!file)
		return fail("write the configuration");
	fprintf(file,
		"agent: {socket: %s/socket}\n"
		"outputs:\n  o: {file: %s/file, %s}\n"
		"pipelines:\n  p:\n    source: %s/bpf/flood.bpf.o\n    outputs: o\n"
		"    set: [flood_pid=%d, flood_syscall=%d, flood_per_call=%d]\n"
		"    no-prog: [flood_softirq, flood_timer, flood_waking, flood_switch, "
		"flood_clock]\n",
		bench->directory, bench->directory, output, bench->build, (int)getpid(),
		(int)SYS_getpgid, PER_CALL);
	return fclose(file) ? fail("write the configuration") : 0;
}

/* It listens as soon as it is ready. */
static int start(const struct bench *bench, const char *agent, struct peer_process *process)
{
	char config[PATH_MAX], errors[PATH_MAX], socket_path[PATH_MAX];
	const char *const argv[] = { agent, "-c", path_in(bench, "agent.yaml", config), NULL };
	const struct peer_start how = { .argv = argv,
					.output = "/dev/null",
					.errors = path_in(bench, "errors", errors),
					.kept_fd = -1,
					.cpu = bench->agent_cpu };

	if (peer_process__start(process, &how))
		return fail("start the agent");
	path_in(bench, "socket", socket_path);
	for (int ms = 0; ms < START_MS && access(socket_path, F_OK); ms++)
		peer_process__sleep_ms(1);
	return access(socket_path, F_OK) ? fail("wait for the agent") : 0;
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

/* The number after a word of the ledger that the agent prints at its end. */
static double counted(const struct bench *bench, const char *word)
{
	char path[PATH_MAX], line[512];
	FILE *file = fopen(path_in(bench, "errors", path), "re");
	double number = 0;

	while (file && fgets(line, sizeof(line), file)) {
		const char *at = strstr(line, word);

		if (at && sscanf(at + strlen(word), "%lf", &number) == 1)
			break;
	}
	if (file)
		fclose(file);
	return number;
}

static int print_errors(const struct bench *bench)
{
	char path[PATH_MAX], line[512];
	FILE *file = fopen(path_in(bench, "errors", path), "re");

	while (file && fgets(line, sizeof(line), file))
		fputs(line, stderr);
	if (file)
		fclose(file);
	return -1;
}

static int read_result(const struct bench *bench, double cpu_ns, struct result *result)
{
	double events = counted(bench, " acknowledged "), emitted = counted(bench, " emitted ");
	char path[PATH_MAX];
	struct stat status;

	if (events <= 0 || emitted <= 0 || stat(path_in(bench, "file", path), &status))
		return print_errors(bench);
	result->ns = cpu_ns / events;
	result->bytes = (double)status.st_size / events;
	result->lost_percent = 100 * (1 - events / emitted);
	return 0;
}

static int run(const struct bench *bench, const char *agent, const char *output,
	       struct result *result)
{
	struct peer_process process;
	char path[PATH_MAX];
	uint64_t cpu_ns;

	unlink(path_in(bench, "file", path));
	if (configure(bench, output) || start(bench, agent, &process))
		return -1;
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

static int measure_output(const struct bench *bench, const char *output)
{
	struct result results[AGENTS][ROUNDS];
	size_t rounds = bench->rounds;

	for (size_t round = 0; round < rounds; round++)
		for (size_t i = 0; i < bench->agent_count; i++)
			if (run(bench, bench->agents[i], output, &results[i][round]))
				return -1;
	for (size_t i = 0; i < bench->agent_count; i++) {
		const struct result *of = results[i];

		printf("%-30s %-24s %8.0f %6.2f %8.1f %6.1f %6.1f\n", output,
		       bench->agent_count > 1 ? bench->agents[i] : "", MEDIAN(of, rounds, ns),
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
	static const char *const names[] = { "agent.yaml", "errors", "socket", "file" };
	char path[PATH_MAX];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		unlink(path_in(bench, names[i], path));
	rmdir(bench->directory);
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

static void read_options(struct bench *bench, int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "qo:")) > 0) {
		if (option == 'o')
			bench->only = optarg;
		if (option != 'q')
			continue;
		bench->rounds = 1;
		bench->seconds = 0.3;
	}
	for (int i = optind + 1; i < argc && bench->agent_count < AGENTS; i++)
		bench->agents[bench->agent_count++] = argv[i];
}

int main(int argc, char **argv)
{
	struct bench bench = { .rounds = ROUNDS, .seconds = 3, .only = "" };
	char build[PATH_MAX], agent[PATH_MAX + 16];
	int err;

	read_options(&bench, argc, argv);
	if (!argv[optind] || !realpath(argv[optind], build)) {
		fprintf(stderr, "usage: bench-agent [-q] [-o TEXT] BUILD_DIR [AGENT...]\n");
		return 64;
	}
	bench.build = build;
	snprintf(agent, sizeof(agent), "%s/peat-agent", build);
	if (!bench.agent_count)
		bench.agents[bench.agent_count++] = agent;
	choose_cpus(&bench);
	err = measure(&bench);
	remove_files(&bench);
	return err ? 1 : 0;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * symbols.c: stacks of a recording named by perf script, by peat replay and by the library; and
 * live stacks, named and printed at a constant rate.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <peat/reader.h>
#include <peat/symbols.h>

#include "faults.h"
#include "parts.h"

#define STACKS	      100000
#define LIVE_RATE     10000 /* stacks per second */
#define LIVE_WARM_S   1
#define LIVE_SECONDS  2
#define LIVE_ROUNDS   5
#define TEXT(number)  #number
#define QUOTE(number) TEXT(number)

struct namer {
	const char *command; /* NULL: the library */
	const char *path;    /* of the recording */
	uint64_t frames;     /* of the recording */
	long rss_kb;	     /* the largest one of all runs */
};

/* ---- processes ------------------------------------------------------------------------------- */

static pid_t start(const char *command)
{
	pid_t pid = fork();

	if (pid < 0)
		parts__fail("cannot fork: %m");
	if (!pid) {
		execl("/bin/sh", "sh", "-c", command, NULL);
		_exit(127);
	}
	return pid;
}

static long finish(pid_t pid, const char *what)
{
	struct rusage usage;
	int status;

	while (wait4(pid, &status, 0, &usage) < 0)
		if (errno != EINTR)
			parts__fail("cannot wait: %m");
	if (status)
		parts__fail("%s: status %#x", what, (unsigned)status);
	return usage.ru_maxrss;
}

/* ---- naming ---------------------------------------------------------------------------------- */

static uint64_t name_stacks(struct peat_reader *reader, struct peat_symbols *symbols)
{
	const struct peat_stack_frame *frames;
	const struct peat_event *event;
	uint64_t named = 0;

	while (peat_reader__wait(reader, -1) >= 0)
		while (peat_reader__next(reader, &event) > 0) {
			int count;

			peat_symbols__follow(symbols, event);
			count = peat_symbols__stack(symbols, event, &frames);
			for (int i = 0; i < count; i++)
				named += frames[i].symbol != NULL;
		}
	return named;
}

/* Returns the number of frames that have a name. */
static uint64_t by_library(const char *path)
{
	struct peat_symbols_opts opts = PEAT_SYMBOLS_OPTS_INIT;
	struct peat_replay_opts replay = PEAT_REPLAY_OPTS_INIT;
	struct peat_symbols *symbols;
	struct peat_reader *reader;
	uint64_t named;

	opts.recorded = true;
	replay.side_band = PEAT_SIDE_BAND_MMAP | PEAT_SIDE_BAND_TASK | PEAT_SIDE_BAND_COMM;
	replay.ordered = true;
	symbols = peat_symbols__new(&opts);
	reader = peat_reader__open(path, &replay);
	if (!symbols || !reader)
		parts__fail("cannot read the recording: %m");
	named = name_stacks(reader, symbols);
	peat_reader__free(reader);
	peat_symbols__free(symbols);
	return named;
}

/* In a process of its own, for its memory. */
static pid_t start_library(const struct namer *namer)
{
	pid_t pid = fork();

	if (pid < 0)
		parts__fail("cannot fork: %m");
	if (!pid)
		_exit(by_library(namer->path) != namer->frames);
	return pid;
}

static uint64_t name(void *context)
{
	struct namer *namer = context;
	long rss_kb = namer->command ? finish(start(namer->command), namer->command)
				     : finish(start_library(namer), "not all frames were named");

	if (rss_kb > namer->rss_kb)
		namer->rss_kb = rss_kb;
	return namer->frames;
}

/* ---- a recording ----------------------------------------------------------------------------- */

static void run_here(const char *line)
{
	if (system(line))
		parts__fail("%s: failed", line);
}

static void measure_recording(struct bench_table *table, const char *path)
{
	const uint64_t frames = by_library(path);
	const bool has_perf = !system("perf --version > /dev/null 2>&1");
	struct namer namers[] = {
		{ .command = "exec perf script -i \"$RECORDING\" > /dev/null 2>&1" },
		{ .command = "exec perf script --no-inline -i \"$RECORDING\" > /dev/null 2>&1" },
		{ .command = "exec \"$PEAT\" replay -q \"$RECORDING\" > /dev/null 2>&1" },
		{ .command = "exec \"$PEAT\" replay -q -j \"$RECORDING\" > /dev/null 2>&1" },
		{ .command = NULL },
	};
	struct part parts[] = {
		{ "perf", "script", "frames", "M/s", NULL, name, &namers[0] },
		{ "perf", "script --no-inline", "frames", "M/s", NULL, name, &namers[1] },
		{ "peat", "replay", "frames", "M/s", NULL, name, &namers[2] },
		{ "peat", "replay -j", "frames", "M/s", NULL, name, &namers[3] },
		{ "peat", "the library", "frames", "M/s", NULL, name, &namers[4] },
	};
	const size_t first = has_perf ? 0 : 2, count = sizeof(parts) / sizeof(*parts);

	for (size_t i = 0; i < count; i++) {
		namers[i].path = path;
		namers[i].frames = frames;
	}
	printf("\nThe recording: %u stacks, %.1f frames each.\n", STACKS, (double)frames / STACKS);
	parts__measure(table, "symbols", parts + first, count - first);
	for (size_t i = first; i < count; i++)
		bench_table__add(
			table, &(struct bench_place){ "symbols", parts[i].name, parts[i].setting },
			"max. memory", "MB", (double)namers[i].rss_kb / 1e3);
	if (!has_perf)
		puts("perf script: skipped: perf is not installed.");
}

/* ---- live ------------------------------------------------------------------------------------ */

static double cpu_seconds(pid_t pid)
{
	struct timespec used = { 0 };
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) || clock_gettime(clock, &used))
		parts__fail("no CPU time of peat: it ended");
	return (double)used.tv_sec + (double)used.tv_nsec / 1e9;
}

/* CPU time of the command, without the load that it runs, as a percentage. */
static double measure_live(const char *command)
{
	const struct timespec warm = { .tv_sec = LIVE_WARM_S }, measured = { LIVE_SECONDS, 0 };
	pid_t pid = start(command);
	double before, after;

	nanosleep(&warm, NULL);
	before = cpu_seconds(pid);
	nanosleep(&measured, NULL);
	after = cpu_seconds(pid);
	finish(pid, command);
	return (after - before) / LIVE_SECONDS * 100;
}

#define LIVE(options)                                                                              \
	"exec \"$PEAT\" trace -q " options " -e page-faults -c 1 -g -- \"$SELF\" --faults "        \
	"4 " QUOTE(LIVE_RATE) " > /dev/null 2>&1"

static void measure_live_rate(struct bench_table *table)
{
	static const struct {
		const char *setting, *command;
	} lives[] = {
		{ "trace --no-symbols, " QUOTE(LIVE_RATE) " stacks/s", LIVE("--no-symbols") },
		{ "trace, " QUOTE(LIVE_RATE) " stacks/s", LIVE("") },
		{ "trace -j, " QUOTE(LIVE_RATE) " stacks/s", LIVE("-j") },
	};

	for (unsigned round = 0; round < LIVE_ROUNDS; round++)
		for (size_t i = 0; i < sizeof(lives) / sizeof(*lives); i++)
			bench_table__add(table,
					 &(struct bench_place){ "live", "peat", lives[i].setting },
					 "CPU", "%", measure_live(lives[i].command));
}

/* ---------------------------------------------------------------------------------------------- */

int parts_symbols__load(int argc, char **argv)
{
	uint64_t seconds = argc > 0 ? strtoull(argv[0], NULL, 10) : 0;
	uint64_t rate = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;

	return parts_faults__run(rate ? seconds * rate : STACKS, rate) ? 1 : 0;
}

void parts_symbols__measure(struct bench_table *table)
{
	char self[64], path[] = "/tmp/peat-bench-XXXXXX";
	int fd = mkstemp(path);

	if (fd < 0)
		parts__fail("cannot make a file in /tmp: %m");
	close(fd);
	snprintf(self, sizeof(self), "/proc/%d/exe", (int)getpid());
	setenv("SELF", self, 1);
	setenv("RECORDING", path, 1);
	setenv("PEAT", "build/peat", 0);
	run_here("\"$PEAT\" record -q -e page-faults:u -c 1 -g -o \"$RECORDING\" -- \"$SELF\" "
		 "--faults");
	measure_recording(table, path);
	unlink(path);
	measure_live_rate(table);
}

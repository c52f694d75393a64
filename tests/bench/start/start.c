// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * start.c: usage: bench-start [-q] BUILD_DIR
 *
 * Measures how long the shared and the static peat and bpftrace take to start, and how large their
 * files are.  The three take turns.  -q: one round.
 */
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/table.h"

#define ROUNDS	   9
#define TIMEOUT_MS 20000
#define EXEC_EACH  5 /* ms */
#define MB	   1e6

enum tool { SHARED, STATIC, BPFTRACE, TOOLS };

static char paths[TOOLS][PATH_MAX], compressed[PATH_MAX];

static const char *const titles[TOOLS] = { "shared", "static", "bpftrace" };

/* The first line of the output ends a command whose output has this text. */
static const struct question {
	const char *title;
	const char *peat[5], *bpftrace[5]; /* without the path */
	const char *until;		   /* NULL: the command ends by itself */
} questions[] = {
	{ "--version", { "--version" }, { "--version" }, NULL },
	{ "list", { "list" }, { "-l", "tracepoint:sched:*" }, NULL },
	{ "first event of exec",
	  { "trace", "exec" },
	  { "-e", "tracepoint:sched:sched_process_exec { printf(\"started %s\\n\", comm); }" },
	  "true" },
};
#define QUESTIONS (sizeof(questions) / sizeof(*questions))

static void die(const char *what)
{
	perror(what);
	exit(1);
}

/* ---- one run --------------------------------------------------------------------------------- */

struct run {
	pid_t pid;
	int out; /* its standard output */
};

struct times {
	double wall_ms, cpu_ms;
};

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void become(const char *path, const char *const *words, int out)
{
	const char *argv[8] = { path };
	int nothing = open("/dev/null", O_RDWR);

	for (size_t i = 0; words[i]; i++)
		argv[i + 1] = words[i];
	if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(nothing, 2) < 0 || dup2(out, 1) < 0)
		_exit(126);
	execv(path, (char *const *)argv);
	_exit(127);
}

static struct run start(const char *path, const char *const *words)
{
	struct run run;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		die("pipe");
	run.pid = fork();
	if (run.pid < 0)
		die("fork");
	if (!run.pid)
		become(path, words, ends[1]);
	if (close(ends[1]))
		die("close");
	run.out = ends[0];
	return run;
}

static void run_true(void)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (!pid) {
		execlp("true", "true", NULL);
		_exit(127);
	}
	waitpid(pid, NULL, 0);
}

/* Reads to the end, or until the text comes; programs start meanwhile.  False: it has not come. */
static bool read_until(int out, const char *text)
{
	double end = now_ms() + TIMEOUT_MS;
	static char output[1 << 20];
	size_t count = 0;

	while (now_ms() < end && count < sizeof(output) - 1) {
		struct pollfd ready = { .fd = out, .events = POLLIN };
		ssize_t bytes;

		if (text)
			run_true();
		if (poll(&ready, 1, text ? EXEC_EACH : TIMEOUT_MS) <= 0)
			continue;
		bytes = read(out, output + count, sizeof(output) - 1 - count);
		if (bytes <= 0)
			return !text;
		count += (size_t)bytes;
		output[count] = '\0';
		if (text && strstr(output, text))
			return true;
	}
	return false;
}

/* The time until its end, or until the text.  False: it failed. */
static bool measure(const char *path, const struct question *question, enum tool tool,
		    struct times *times)
{
	double begin = now_ms();
	struct run run = start(path, tool == BPFTRACE ? question->bpftrace : question->peat);
	bool is_right = read_until(run.out, question->until);
	struct rusage usage;
	int status;

	times->wall_ms = now_ms() - begin;
	if (question->until || !is_right)
		kill(run.pid, is_right ? SIGINT : SIGKILL);
	if (close(run.out) || wait4(run.pid, &status, 0, &usage) != run.pid)
		die("wait");
	times->cpu_ms = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 +
			(double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
	return is_right && (question->until || !status);
}

/* ---- the table of times ---------------------------------------------------------------------- */

struct column {
	double wall[ROUNDS], cpu[ROUNDS];
	size_t count;
};

static void print_cell(const struct column *column)
{
	if (!column->count)
		printf(" %21s", "-");
	else
		printf(" %10.1f %10.1f", bench_table__spread(column->wall, column->count).median,
		       bench_table__spread(column->cpu, column->count).median);
}

static void print_question(const struct question *question, size_t rounds)
{
	struct column columns[TOOLS] = { { .count = 0 } };
	struct times times;

	for (size_t round = 0; round < rounds; round++)
		for (enum tool tool = 0; tool < TOOLS; tool++) {
			struct column *column = &columns[tool];

			if (!*paths[tool] || !measure(paths[tool], question, tool, &times))
				continue;
			column->wall[column->count] = times.wall_ms;
			column->cpu[column->count++] = times.cpu_ms;
		}
	printf("%-22s", question->title);
	for (enum tool tool = 0; tool < TOOLS; tool++)
		print_cell(&columns[tool]);
	putchar('\n');
	fflush(stdout);
}

static void print_times(size_t rounds)
{
	printf("\nms until the end or the first event, and ms of CPU until the end: medians of "
	       "%zu\n"
	       "%-22s",
	       rounds, "");
	for (enum tool tool = 0; tool < TOOLS; tool++)
		printf(" %10s %10s", titles[tool], "CPU");
	putchar('\n');
	for (size_t i = 0; i < QUESTIONS; i++)
		print_question(&questions[i], rounds);
}

/* ---- sizes ----------------------------------------------------------------------------------- */

/* 0: there is no such file. */
static double file_mb(const char *path)
{
	struct stat state;

	return *path && !stat(path, &state) ? (double)state.st_size / MB : 0;
}

/* The libraries that ldd prints: NAME => PATH (ADDRESS). */
static double libraries_mb(const char *path)
{
	char command[PATH_MAX + 64], line[PATH_MAX + 256], library[PATH_MAX];
	double sum = 0;
	FILE *ldd;

	snprintf(command, sizeof(command), "ldd '%s' 2> /dev/null", path);
	ldd = *path ? popen(command, "re") : NULL;
	while (ldd && fgets(line, sizeof(line), ldd))
		if (sscanf(line, " %*s => %4095s", library) == 1 && *library == '/')
			sum += file_mb(library);
	if (ldd && pclose(ldd) < 0)
		die("ldd");
	return sum;
}

static void print_sizes(void)
{
	printf("MB%-20s %10s %10s %10s\n%-22s", "", titles[SHARED], titles[STATIC],
	       titles[BPFTRACE], "file, stripped");
	for (enum tool tool = 0; tool < TOOLS; tool++)
		printf(" %10.1f", file_mb(paths[tool]));
	printf("\n%-22s %10s %10.1f %10s\n%-22s", "compressed", "", file_mb(compressed), "",
	       "its shared libraries");
	for (enum tool tool = 0; tool < TOOLS; tool++)
		printf(" %10.1f", libraries_mb(paths[tool]));
	putchar('\n');
}

/* ---- main ------------------------------------------------------------------------------------ */

static void find_bpftrace(void)
{
	static const char *const places[] = { "/usr/bin/bpftrace", "/usr/local/bin/bpftrace" };

	for (size_t i = 0; i < sizeof(places) / sizeof(*places) && !*paths[BPFTRACE]; i++)
		if (!access(places[i], X_OK))
			snprintf(paths[BPFTRACE], PATH_MAX, "%s", places[i]);
	if (!*paths[BPFTRACE])
		fputs("no bpftrace on this machine: make deps-peers installs it\n", stderr);
}

int main(int argc, char **argv)
{
	bool is_quick = argc == 3 && !strcmp(argv[1], "-q");

	if (argc != 2 + is_quick) {
		fputs("usage: bench-start [-q] BUILD_DIR\n", stderr);
		return 64;
	}
	snprintf(paths[SHARED], PATH_MAX, "%s/bench-start-peat", argv[argc - 1]);
	snprintf(paths[STATIC], PATH_MAX, "%s/static/peat", argv[argc - 1]);
	snprintf(compressed, PATH_MAX, "%s/static/peat.zst", argv[argc - 1]);
	find_bpftrace();
	print_sizes();
	print_times(is_quick ? 1 : ROUNDS);
	return 0;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * damaged_objects.c: usage: damaged_objects RUNS SEED OBJECT...
 *
 * Runs peat RUNS times on damaged copies of BPF objects, on each CPU.  Each run is a child with the
 * command's main(): starting the command would take longer than most runs.  The command lists the
 * object, or loads its programs into the kernel.  It cannot attach them (no_attaching.h).  It has
 * to end by itself, without a signal, in time, within limits of memory, and with a message if its
 * exit status is not 0.
 *
 * "FAILED" lines have the seed of the run: `damaged_objects 1 SEED OBJECT...` repeats it, and
 * leaves the damaged object in ./damaged-0.bpf.o.  With PEAT_OBJECTS_SHOW, all messages are
 * printed.  The last line is "N passed, N failed, N skipped".
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "objects/damage.h"
#include "objects/no_attaching.h"

#define SECONDS	   60
#define MEMORY_KIB (400 << 10)
#define MESSAGES   4096
#define MOST_SHOWN 50 /* failures of one process */

/* main() of the command */
int peat_main(int argc, char **argv);

struct object {
	const char *path;
	uint8_t *bytes;
	size_t count;
};

struct counts {
	uint64_t passed, failed;
	uint64_t listed;   /* exit status 0 */
	uint64_t crashed;  /* libbpf did, in a child of the command, which reported it */
	uint64_t unopened; /* refused as no BPF object */
	long most_kib;
	double most_seconds;
	uint64_t slowest; /* seed of that run */
};

static struct object *objects;
static size_t object_count;
static uint64_t first_seed, run_count;
static char path[64]; /* of the damaged object */

static _Noreturn void die(const char *what)
{
	perror(what);
	exit(2);
}

/* ---- objects --------------------------------------------------------------------------------- */

static void read_object(struct object *object, const char *name)
{
	FILE *file = fopen(name, "re");
	struct stat status;

	if (!file || fstat(fileno(file), &status))
		die(name);
	object->path = name;
	object->count = (size_t)status.st_size;
	object->bytes = malloc(object->count);
	if (!object->bytes || fread(object->bytes, 1, object->count, file) != object->count)
		die(name);
	fclose(file);
}

static const struct object *write_damaged(uint64_t seed)
{
	const struct object *object = &objects[seed % object_count];
	uint8_t *copy = malloc(object->count);
	FILE *file = fopen(path, "we");
	size_t count;

	if (!file || !copy)
		die(path);
	memcpy(copy, object->bytes, object->count);
	count = damage__make(seed, copy, object->count);
	if (fwrite(copy, 1, count, file) != count || fclose(file))
		die(path);
	free(copy);
	return object;
}

/* ---- one run --------------------------------------------------------------------------------- */

/* Words of the command, of which the last is the path. */
static int choose_command(uint64_t seed, const char *argv[8])
{
	static const char *const commands[][4] = {
		{ "list", "-v" },
		{ "trace", "-q" },
		{ "list", "-v" },
		{ "trace", "-q", "--best-effort" },
	};
	const char *const *words = commands[seed / object_count % 4];
	int argc = 0;

	argv[argc++] = "peat";
	for (int i = 0; i < 4 && words[i]; i++)
		argv[argc++] = words[i];
	argv[argc++] = path;
	argv[argc] = NULL;
	return argc;
}

static _Noreturn void run_command(uint64_t seed, int err_fd)
{
	const struct rlimit no_core = { 0, 0 };
	int null = open("/dev/null", O_RDWR | O_CLOEXEC), argc;
	const char *argv[8];

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setrlimit(RLIMIT_CORE, &no_core);
	if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(err_fd, 2) < 0 ||
	    !no_attaching__begin())
		_exit(126);
	argc = choose_command(seed, argv);
	exit(peat_main(argc, (char **)argv));
}

/* Returns why the run has failed; NULL: it has not. */
static const char *find_fault(int status, const struct rusage *usage, const char *messages)
{
	static char text[64];

	if (WIFSIGNALED(status)) {
		snprintf(text, sizeof(text), "signal %d", WTERMSIG(status));
		return text;
	}
	if (WEXITSTATUS(status) > 2 && WEXITSTATUS(status) != 64) {
		snprintf(text, sizeof(text), "exit status %d", WEXITSTATUS(status));
		return text;
	}
	if (WEXITSTATUS(status) && !*messages)
		return "no message";
	return usage->ru_maxrss > MEMORY_KIB ? "too much memory" : NULL;
}

static void count_run(struct counts *counts, int status, const struct rusage *usage,
		      const char *messages)
{
	counts->listed += WIFEXITED(status) && !WEXITSTATUS(status);
	if (strstr(messages, "libbpf crashed"))
		counts->crashed++;
	else if (strstr(messages, "cannot be used as a BPF object"))
		counts->unopened++;
	if (usage->ru_maxrss > counts->most_kib)
		counts->most_kib = usage->ru_maxrss;
}

static void count_time(struct counts *counts, uint64_t seed, double seconds)
{
	if (seconds <= counts->most_seconds)
		return;
	counts->most_seconds = seconds;
	counts->slowest = seed;
}

static void judge(struct counts *counts, uint64_t seed, const struct object *object,
		  const char *fault, const char *messages)
{
	bool is_shown = getenv("PEAT_OBJECTS_SHOW");

	counts->passed += !fault;
	counts->failed += !!fault;
	if (fault && counts->failed <= MOST_SHOWN)
		printf("FAILED seed %" PRIu64 ", %s: %s\n", seed, object->path, fault);
	if (is_shown || (fault && counts->failed <= MOST_SHOWN))
		printf("%s", messages);
	fflush(stdout);
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* The command uses SIGALRM itself.  A negative status: it was ended, being too late. */
static int await(pid_t child, struct rusage *usage)
{
	struct pollfd ended = { .fd = (int)syscall(SYS_pidfd_open, child, 0), .events = POLLIN };
	bool is_late = ended.fd < 0 || poll(&ended, 1, SECONDS * 1000) != 1;
	int status;

	kill(-child, SIGKILL); /* also its children, which should have ended */
	if (ended.fd < 0 || wait4(child, &status, 0, usage) != child)
		die("a run");
	close(ended.fd);
	return is_late ? -1 : status;
}

static void run(struct counts *counts, uint64_t seed)
{
	const struct object *object = write_damaged(seed);
	int err_fd = memfd_create("messages", MFD_CLOEXEC), status;
	char messages[MESSAGES] = "";
	double start = now();
	struct rusage usage = { 0 };
	ssize_t bytes;
	pid_t child;

	child = err_fd < 0 ? -1 : fork();
	if (!child)
		run_command(seed, err_fd);
	if (child < 0)
		die("a run");
	status = await(child, &usage);
	count_time(counts, seed, now() - start);
	bytes = pread(err_fd, messages, sizeof(messages) - 1, 0);
	messages[bytes < 0 ? 0 : bytes] = '\0';
	close(err_fd);
	count_run(counts, status, &usage, messages);
	judge(counts, seed, object,
	      status < 0 ? "takes too long" : find_fault(status, &usage, messages), messages);
}

/* ---- all runs -------------------------------------------------------------------------------- */

static _Noreturn void work(struct counts *counts, uint64_t i, uint64_t step)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	snprintf(path, sizeof(path), "./damaged-%" PRIu64 ".bpf.o", i);
	for (; i < run_count; i += step)
		run(counts, first_seed + i);
	if (run_count > 1)
		unlink(path);
	_exit(0);
}

static void add(struct counts *sum, const struct counts *counts)
{
	sum->passed += counts->passed;
	sum->failed += counts->failed;
	sum->listed += counts->listed;
	sum->crashed += counts->crashed;
	sum->unopened += counts->unopened;
	if (counts->most_kib > sum->most_kib)
		sum->most_kib = counts->most_kib;
	count_time(sum, counts->slowest, counts->most_seconds);
}

static bool await_all(size_t workers)
{
	bool all = true;
	int status;

	for (; workers; workers--)
		if (wait(&status) < 0 || status)
			all = false;
	return all;
}

static int report(const struct counts *counts, size_t workers, bool all_ended)
{
	struct counts sum = { 0 };

	for (size_t i = 0; i < workers; i++)
		add(&sum, &counts[i]);
	printf("%" PRIu64 " objects of %" PRIu64 ": %" PRIu64 " listed, %" PRIu64
	       " refused, libbpf crashed on %" PRIu64 "; at most %ld MiB and %.1f s (seed %" PRIu64
	       ")\n",
	       sum.passed + sum.failed, run_count, sum.listed, sum.unopened, sum.crashed,
	       sum.most_kib >> 10, sum.most_seconds, sum.slowest);
	sum.failed += !all_ended;
	printf("%" PRIu64 " passed, %" PRIu64 " failed, 0 skipped\n", sum.passed, sum.failed);
	return sum.failed != 0;
}

int main(int argc, char **argv)
{
	size_t workers = (size_t)sysconf(_SC_NPROCESSORS_ONLN);
	struct counts *counts;

	if (argc < 4) {
		fprintf(stderr, "usage: damaged_objects RUNS SEED OBJECT...\n");
		return 2;
	}
	run_count = strtoull(argv[1], NULL, 10);
	first_seed = strtoull(argv[2], NULL, 10);
	object_count = (size_t)argc - 3;
	objects = calloc(object_count, sizeof(*objects));
	counts = mmap(NULL, workers * sizeof(*counts), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (!objects || counts == MAP_FAILED)
		die("memory");
	for (size_t i = 0; i < object_count; i++)
		read_object(&objects[i], argv[i + 3]);
	for (size_t i = 0; i < workers; i++)
		if (!fork())
			work(&counts[i], i, workers);
	return report(counts, workers, await_all(workers));
}

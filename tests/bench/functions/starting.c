// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* starting.c: measures the time from the start of a tool to its first event. */
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/peers/process.h"
#include "functions.h"

#define LINE_BYTES 256
#define TIMEOUT_MS 20000

static double now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1000 + (double)now.tv_nsec / 1000000;
}

/* A process that does the operation each millisecond, until it is killed. */
static pid_t start_operations(const struct operation *operation)
{
	pid_t pid = fork();

	if (!pid)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (!pid) {
		operation->run();
		peer_process__sleep_ms(1);
	}
	return pid;
}

static void end_operations(pid_t pid)
{
	if (pid < 0)
		return;
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static double read_first_event(const struct peer_process *process, double start_ms)
{
	char line[LINE_BYTES];

	while (now_ms() - start_ms < TIMEOUT_MS &&
	       !peer_process__read_line(process, line, sizeof(line)))
		if (strstr(line, OPERATION_NUMBER))
			return now_ms() - start_ms;
	return -1;
}

double starting__measure(const struct operation *operation, const struct words *words, uint32_t cpu)
{
	const struct peer_start start = {
		.argv = words->argv, .errors = "/dev/null", .kept_fd = -1, .cpu = cpu
	};
	pid_t operations = start_operations(operation);
	double start_ms = now_ms(), ms = -1;
	struct peer_process process;

	if (!peer_process__start(&process, &start)) {
		ms = read_first_event(&process, start_ms);
		peer_process__end(&process);
	}
	end_operations(operations);
	return ms;
}

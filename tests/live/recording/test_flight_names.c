// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_flight_names.c: names of tasks while a flight recorder writes slowly, or is stopped. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "flood.h"
#include "support/load/flood_run.h"
#include "support/machine/harness.h"
#include "support/machine/process.h"
#include "support/perf/stock_perf.h"
#include "support/recording/recorded_run.h"

EMBED_TWINS(flood)

/* Each has three records, and the ring of a CPU has room for some thousand. */
#define TASKS 4000

static void start(struct command *peat, const char *const *argv)
{
	command__start(peat, ALL_CAPS, argv);
	command__expect(peat->err, "keeping the last");
}

static void make_tasks(void)
{
	ck_assert_int_eq(process__pin_to(0), 0);
	for (int i = 0; i < TASKS; i++) {
		pid_t pid = fork();

		if (!pid) {
			prctl(PR_SET_NAME, "short_lived");
			_exit(0);
		}
		ck_assert_int_gt(pid, 0);
		ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	}
}

/* ---- a slow disk ----------------------------------------------------------------------------- */

#define THREADS_MOST 8

/* Stops all threads but the first, as a disk that does not answer.  Returns their number. */
static int stop_writers(pid_t pid, pid_t tids[THREADS_MOST])
{
	char path[64];
	struct dirent *entry;
	int count = 0;
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	tasks = opendir(path);
	ck_assert_ptr_nonnull(tasks);
	while ((entry = readdir(tasks)) && count < THREADS_MOST) {
		pid_t tid = atoi(entry->d_name);

		if (tid > 0 && tid != pid && !ptrace(PTRACE_SEIZE, tid, NULL, NULL) &&
		    !ptrace(PTRACE_INTERRUPT, tid, NULL, NULL) && waitpid(tid, NULL, __WALL) == tid)
			tids[count++] = tid;
	}
	closedir(tasks);
	return count;
}

START_TEST(test_slow_disk)
{
	pid_t tids[THREADS_MOST];
	struct flood_run flood;
	struct command peat;
	int count = 0;

	recorded_run__put(&flood_object);
	flood_run__make(&flood, 20000, 0, 10);
	start(&peat, RECORD("--flight", "16M", "-o", "f", FLOOD(&flood)));
	flood_run__start(&flood);
	flood_run__wait(&flood);
	kill(peat.pid, SIGUSR2);
	while (!count)
		count = stop_writers(peat.pid, tids);
	make_tasks();
	while (count)
		ck_assert_int_eq(ptrace(PTRACE_DETACH, tids[--count], NULL, NULL), 0);
	command__expect(peat.err, "f.1: 200000 events");
	recorded_run__stop(&peat, 0);
	ck_assert_msg(!strstr(peat.err_text, "kernel records lost"), "%s", peat.err_text);
	command__free(&peat);
}
END_TEST

/* ---- a stopped recorder ---------------------------------------------------------------------- */

/* A process that gets its name now, and opens a file when told. */
static pid_t start_named(int *go)
{
	int ends[2], ready[2];
	char byte = 0;
	pid_t pid;

	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(pipe(ready), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (!pid) {
		prctl(PR_SET_NAME, "named_late");
		if (write(ready[1], &byte, 1) == 1 && read(ends[0], &byte, 1) == 1)
			open("/no/such/late_file", O_RDONLY | O_CLOEXEC);
		pause();
		_exit(0);
	}
	ck_assert_int_eq(read(ready[0], &byte, 1), 1);
	*go = ends[1];
	return pid;
}

/* The loss is reported, and a task that still runs has its name. */
START_TEST(test_stopped_recorder)
{
	struct command peat;
	char *text, *line;
	pid_t late;
	int go;

	start(&peat, RECORD("--flight", "1M", "-o", "f", "open"));
	kill(peat.pid, SIGSTOP);
	make_tasks();
	late = start_named(&go);
	kill(peat.pid, SIGCONT);
	ck_assert_int_eq(write(go, "", 1), 1);
	usleep(300000); /* until the event is there */
	kill(peat.pid, SIGUSR2);
	command__expect(peat.err, "f.1: ");
	kill(late, SIGKILL);
	ck_assert_int_eq(waitpid(late, NULL, 0), late);
	recorded_run__stop(&peat, 0);
	recorded_run__check_has(peat.err_text, "kernel records lost: names of tasks");
	text = recorded_run__replay("f.1");
	line = strstr(text, "/no/such/late_file");
	ck_assert_ptr_nonnull(line);
	while (line > text && line[-1] != '\n')
		line--;
	*strchrnul(line, '\n') = '\0';
	ck_assert_msg(strstr(line, "\"comm\":\"named_late\""), "%s", line);
	free(text);
	command__free(&peat);
}
END_TEST

static Suite *flight_names_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("flight_names", 120, &tests);

	tcase_add_checked_fixture(tests, recorded_run__setup, stock_perf__teardown);
	tcase_add_test(tests, test_slow_disk);
	tcase_add_test(tests, test_stopped_recorder);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { flight_names_suite };

	return harness__main(argc, argv, suites, 1);
}

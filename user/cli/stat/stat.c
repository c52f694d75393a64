// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stat.c: peat stat: counts perf events of a command, of tasks, or of CPUs. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <peat/peat.h>

#include "cli/cli.h"
#include "cli/run/command.h"
#include "cli/base/messages.h"
#include "cli/options/options.h"
#include "cli/base/new_file.h"
#include "cli/run/run.h"
#include "cli/base/signals.h"
#include "cli/stat/stat_choice.h"
#include "cli/stat/stat_print.h"
#include "cli/stat/stat_runs.h"
#include "cli/stat/thread_names.h"

/* The thread is polled if the kernel has no fd for it. */
#define POLL_MS 100

struct stat_run {
	const struct options *options;
	struct command command;
	struct peat_counters *counters;
	struct cpu_topology topology; /* of --per-core and --per-socket */
	struct thread_names names;    /* of --per-thread */
	struct stat_print print;
	struct stat_runs runs; /* of -r, those that are complete */
	bool is_repeated;      /* this is not the first run of -r */
	char *title;
	int task_fd;			/* readable when the task of -p or -t has ended; -1: none */
	int64_t started_ns, printed_ns; /* printed_ns: end of the last interval */
	struct rusage usage;		/* of commands before this run */
	sigset_t unblocked;		/* signals of ppoll() */
};

/* ---- counters -------------------------------------------------------------------------------- */

static struct peat_counters *open_counters(const struct stat_run *stat, const char *events)
{
	const struct options *options = stat->options;
	bool is_command = stat_choice__is_command(options);
	uint32_t pid = is_command ? (uint32_t)stat->command.pid : options->filter.pid;
	struct peat_counters_opts opts = {
		.sz = sizeof(opts),
		.events = events,
		.pids = &pid,
		.pid_count = is_command || options->filter.by_pid,
		.tids = &options->filter.tid,
		.tid_count = options->filter.by_tid,
		.cgroup = options->filter.cgroup,
		.cpus = options->filter.cpus,
		.all_tasks = stat_choice__is_system_wide(options),
		.enable_on_exec = is_command,
		.no_inherit = options->stat.no_inherit,
		.optional = true,
	};

	return peat_counters__new(&opts);
}

static void warn_if_none(const struct peat_counters *counters)
{
	struct peat_counter_value value = { .sz = sizeof(value) };

	for (uint32_t i = 0; i < peat_counters__count(counters); i++)
		if (!peat_counters__value(counters, i, &value) &&
		    value.status != PEAT_COUNTER_NOT_SUPPORTED)
			return;
	messages__print("this machine can count none of the events: peat list --events lists those "
			"that it has");
}

/* Names of threads, and cores of CPUs, are read early: they may be gone later. */
static int read_places(struct stat_run *stat)
{
	enum stat_by by = stat->options->stat.by;
	struct stat_rows rows;
	int err = 0;

	if (by == STAT_BY_CORE || by == STAT_BY_SOCKET)
		return cpu_topology__read(&stat->topology, stat->counters,
					  options_stat__by_name(by));
	if (by == STAT_BY_THREAD)
		err = stat_rows__read(&rows, stat->counters, by, NULL);
	if (by == STAT_BY_THREAD && !err) {
		err = thread_names__set(&stat->names, &rows);
		stat_rows__free(&rows);
	}
	return err;
}

static int open_all(struct stat_run *stat)
{
	char *events = stat_choice__events(stat->options);

	stat->counters = events ? open_counters(stat, events) : NULL;
	free(events);
	if (!stat->counters || read_places(stat))
		return EXIT_FAILED;
	if (!stat->is_repeated)
		warn_if_none(stat->counters);
	return 0;
}

/* ---- the task of -p or -t -------------------------------------------------------------------- */

/* Linux 6.9; before, a pidfd is of a process. */
#ifndef PIDFD_THREAD
#define PIDFD_THREAD O_EXCL
#endif

static void open_task(struct stat_run *stat)
{
	const struct options *options = stat->options;

	stat->task_fd = -1;
	if (options->filter.by_pid)
		stat->task_fd = (int)syscall(SYS_pidfd_open, options->filter.pid, 0);
	else if (options->filter.by_tid)
		stat->task_fd = (int)syscall(SYS_pidfd_open, options->filter.tid, PIDFD_THREAD);
}

static bool is_task_polled(const struct stat_run *stat)
{
	return stat_choice__has_task(stat->options) && stat->task_fd < 0;
}

static bool has_task_ended(const struct stat_run *stat)
{
	struct pollfd poll_fd = { .fd = stat->task_fd, .events = POLLIN };
	const struct options *options = stat->options;

	if (!stat_choice__has_task(options))
		return false;
	if (stat->task_fd >= 0)
		return poll(&poll_fd, 1, 0) > 0;
	return kill((pid_t)(options->filter.by_pid ? options->filter.pid : options->filter.tid),
		    0) &&
	       errno == ESRCH;
}

/* ---- printing -------------------------------------------------------------------------------- */

static double seconds_since(const struct timeval *now, const struct timeval *before)
{
	return (double)(now->tv_sec - before->tv_sec) +
	       (double)(now->tv_usec - before->tv_usec) / 1e6;
}

static struct stat_times times_until(const struct stat_run *stat, int64_t now_ns)
{
	struct stat_times times = {
		.elapsed_ns = (uint64_t)(now_ns - stat->printed_ns),
		.since_ns = (uint64_t)(now_ns - stat->started_ns),
		.now_ns = (uint64_t)now_ns,
	};
	struct rusage usage;

	times.has_command = stat->command.has_ended && !getrusage(RUSAGE_CHILDREN, &usage);
	if (times.has_command) {
		times.user_s = seconds_since(&usage.ru_utime, &stat->usage.ru_utime);
		times.sys_s = seconds_since(&usage.ru_stime, &stat->usage.ru_stime);
	}
	return times;
}

/* Reads what was counted since the last call. */
static int read_rows(struct stat_run *stat, struct stat_rows *rows)
{
	int err = peat_counters__read(stat->counters);

	if (!err)
		err = stat_rows__read(rows, stat->counters, stat->options->stat.by,
				      &stat->topology);
	if (err)
		messages__print("cannot read the counters: %s", strerror(-err));
	else
		peat_counters__reset(stat->counters);
	return err;
}

static int complete_rows(struct stat_run *stat, struct stat_rows *rows, uint64_t elapsed_ns)
{
	int err = stat_rows__compute(rows, elapsed_ns);

	if (!err && stat->options->stat.by == STAT_BY_THREAD)
		err = thread_names__set(&stat->names, rows);
	if (err)
		messages__print("cannot print the counts: %s", strerror(-err));
	return err;
}

/* 0, -EPIPE: the output is closed, or another -errno. */
static int print_rows(struct stat_run *stat, struct stat_rows *rows, const struct stat_times *times)
{
	int err = complete_rows(stat, rows, times->elapsed_ns);

	if (err)
		return err;
	errno = 0;
	stat_print__rows(&stat->print, rows, times);
	err = ferror(stat->print.out) ? -(errno ?: EIO) : 0;
	if (err && err != -EPIPE)
		messages__print("cannot write to %s: %s",
				stat->options->output.path ?: "the output", strerror(-err));
	return err;
}

/* Prints what was counted since the last call.  0, -EPIPE or another -errno, as print_rows(). */
static int print_counts(struct stat_run *stat, int64_t now_ns)
{
	struct stat_times times = times_until(stat, now_ns);
	struct stat_rows rows;
	int err = read_rows(stat, &rows);

	if (err)
		return err;
	err = print_rows(stat, &rows, &times);
	stat_rows__free(&rows);
	stat->printed_ns = now_ns;
	return err;
}

static void choose_output(struct stat_run *stat, bool has_command)
{
	const struct options *options = stat->options;
	bool is_text = !options->output.json && !options->stat.separator;

	stat->print = (struct stat_print){
		.out = has_command && is_text ? stderr : stdout,
		.separator = options->stat.separator,
		.json = options->output.json,
		.intervals = options->output.interval_ms,
		.by = options->stat.by,
		.wanted_runs = options->stat.runs,
		.title = stat->title,
	};
	if (options->output.path)
		stat->print.out = NULL;
}

/* The file is emptied when the events are known to exist. */
static int open_output(struct stat_run *stat)
{
	const struct options *options = stat->options;
	int fd;

	if (stat->print.out)
		return 0;
	fd = new_file__create(options->output.path, NULL);
	if (fd < 0)
		return EXIT_FAILED;
	stat->print.out = fdopen(fd, "w");
	if (stat->print.out)
		return 0;
	messages__print("cannot write to %s: %m", options->output.path);
	close(fd);
	return EXIT_FAILED;
}

static int close_output(struct stat_run *stat)
{
	if (!stat->options->output.path || !stat->print.out || !fclose(stat->print.out))
		return 0;
	messages__print("cannot write to %s: %m", stat->options->output.path);
	return EXIT_FAILED;
}

/* ---- the run --------------------------------------------------------------------------------- */

static int64_t end_ns(const struct stat_run *stat)
{
	uint64_t run_ms = stat->options->limits.run_ms;

	return run_ms < INT64_MAX / 2000000 ? stat->started_ns + (int64_t)run_ms * 1000000
					    : INT64_MAX;
}

/* The end of the current interval, a multiple of -i since the start. */
static int64_t interval_end_ns(const struct stat_run *stat)
{
	int64_t length_ns = (int64_t)stat->options->output.interval_ms * 1000000;

	if (!length_ns)
		return INT64_MAX;
	return stat->started_ns +
	       ((stat->printed_ns - stat->started_ns) / length_ns + 1) * length_ns;
}

/* Signals arrive during the wait only, so none is missed between a test and the wait. */
static void wait_until(const struct stat_run *stat, int64_t until_ns)
{
	struct pollfd fds[] = {
		{ .fd = peat_counters__fd(stat->counters), .events = POLLIN },
		{ .fd = stat->task_fd, .events = POLLIN },
	};
	int64_t left_ns = until_ns == INT64_MAX ? INT64_MAX : until_ns - run__now_ns();
	struct timespec timeout;

	if (is_task_polled(stat) && left_ns > POLL_MS * 1000000LL)
		left_ns = POLL_MS * 1000000LL;
	if (left_ns < 0)
		left_ns = 0;
	timeout = (struct timespec){ left_ns / 1000000000, left_ns % 1000000000 };
	ppoll(fds, 2, left_ns == INT64_MAX ? NULL : &timeout, &stat->unblocked);
}

static bool is_stat_over(struct stat_run *stat)
{
	return command__follow(&stat->command) || signals__stop_requested() ||
	       has_task_ended(stat) || run__now_ns() >= end_ns(stat);
}

/* Reading reopens the counters of CPUs that return. */
static int follow_cpus(struct stat_run *stat)
{
	struct pollfd fd = { .fd = peat_counters__fd(stat->counters), .events = POLLIN };

	return fd.fd >= 0 && poll(&fd, 1, 0) > 0 ? peat_counters__read(stat->counters) : 0;
}

/* A stop ends peat even if its output blocks, so signals are not held. */
static int print_interval(struct stat_run *stat)
{
	int err;

	signals__begin_print(fileno(stat->print.out));
	signals__release();
	err = print_counts(stat, run__now_ns());
	signals__hold();
	signals__end_print();
	return err;
}

/* The end of the run ends its last interval. */
static int follow(struct stat_run *stat)
{
	int err = 0;

	while (!err && !is_stat_over(stat)) {
		int64_t until_ns = interval_end_ns(stat);

		wait_until(stat, until_ns < end_ns(stat) ? until_ns : end_ns(stat));
		err = follow_cpus(stat);
		if (!err && run__now_ns() >= until_ns && !is_stat_over(stat))
			err = print_interval(stat);
	}
	return err;
}

static int start(struct stat_run *stat)
{
	int err =
		stat_choice__is_command(stat->options) ? 0 : peat_counters__enable(stat->counters);

	if (err)
		return err;
	sigprocmask(SIG_SETMASK, NULL, &stat->unblocked);
	getrusage(RUSAGE_CHILDREN, &stat->usage);
	stat->started_ns = stat->printed_ns = run__now_ns();
	command__start(&stat->command);
	signals__hold();
	return 0;
}

/* Whether the run ended before its time: by a signal, or with the task of -p or -t. */
static bool is_cut_short(const struct stat_run *stat)
{
	return signals__stop_requested() || has_task_ended(stat);
}

/* A run that was cut short is no measure of the others: it is kept only if it is the first. */
static int keep_run(struct stat_run *stat, int64_t ended_ns)
{
	const struct stat_times times = times_until(stat, ended_ns);
	struct stat_rows rows;
	int err = read_rows(stat, &rows);

	if (err)
		return err;
	if (!is_cut_short(stat) || !stat->is_repeated)
		err = stat_runs__add(&stat->runs, &rows, &times);
	stat_rows__free(&rows);
	return err;
}

/* The counts of COMMAND are complete when it has been waited for. */
static int count(struct stat_run *stat, int *status)
{
	int err = start(stat), failed;
	int64_t ended_ns;

	if (!err)
		err = follow(stat);
	ended_ns = run__now_ns();
	if (!err && !stat_choice__is_command(stat->options))
		err = peat_counters__disable(stat->counters);
	signals__release();
	*status = command__end(&stat->command);
	if (err == -EPIPE)
		return 0;
	if (!err && stat->options->stat.runs)
		return keep_run(stat, ended_ns);
	failed = err ?: print_counts(stat, ended_ns);
	return failed == -EPIPE ? 0 : failed;
}

static void close_run(struct stat_run *stat)
{
	peat_counters__free(stat->counters);
	stat->counters = NULL;
	if (stat->task_fd >= 0)
		close(stat->task_fd);
	stat->task_fd = -1;
}

/* *commands: the exit status of COMMAND.  0 or EXIT_FAILED. */
static int run_once(struct stat_run *stat, char **command, int *commands)
{
	bool prints_to_stdout = stat->print.out == stdout;
	int err = command__prepare(&stat->command, command, prints_to_stdout), status;

	if (err) {
		messages__print("cannot create a process: %s", strerror(-err));
		return EXIT_FAILED;
	}
	status = open_all(stat) ?: open_output(stat);
	if (status)
		messages__report_no_memory(-errno);
	open_task(stat);
	if (!status) {
		err = count(stat, commands);
		messages__report_no_memory(err);
		status = err ? EXIT_FAILED : 0;
	}
	if (status)
		command__end(&stat->command);
	return status;
}

static int print_means(struct stat_run *stat)
{
	struct stat_times times = { .now_ns = (uint64_t)run__now_ns() };
	struct stat_rows rows;
	int err = stat_runs__means(&stat->runs, &rows, &times);

	if (err) {
		messages__report_no_memory(err);
		return EXIT_FAILED;
	}
	err = print_rows(stat, &rows, &times);
	stat_rows__free(&rows);
	return err && err != -EPIPE ? EXIT_FAILED : 0;
}

static int run_repeatedly(struct stat_run *stat, char **command, int *commands)
{
	int status = 0;

	for (uint64_t run = 0; !status && run < stat->options->stat.runs; run++) {
		close_run(stat);
		stat->is_repeated = run;
		status = run_once(stat, command, commands);
		if (is_cut_short(stat) || *commands == COMMAND_CANNOT_RUN)
			break;
	}
	if (stat->runs.elapsed_ns.count && print_means(stat))
		return EXIT_FAILED;
	return status;
}

static int run(struct stat_run *stat, char **command)
{
	int status, commands = 0;

	choose_output(stat, command);
	signals__catch();
	if (stat->options->stat.runs)
		status = run_repeatedly(stat, command, &commands);
	else
		status = run_once(stat, command, &commands);
	return status ?: close_output(stat) ?: commands;
}

static const char doc[] =
	"Counts perf events of COMMAND, of tasks, of a cgroup, or of all tasks, without BPF, and "
	"prints the counts at the end.\v"
	"Events are named as for perf: page-faults, cycles:u, sched:sched_switch, {cycles,"
	"instructions} for a group; peat-stat(1) has the rest.\n"
	"Ends when COMMAND or the task ends, at SIGINT (Ctrl-C), SIGTERM or SIGHUP, or by -d.  The "
	"exit status is that of COMMAND.  With COMMAND, text goes to standard error, as standard "
	"output is COMMAND's; -j and -x print to standard output, and COMMAND to standard error.";

int stat_main(int argc, char **argv)
{
	struct options options;
	struct stat_run stat = { .options = &options, .task_fd = -1 };
	char **command = options__cut_command(&argc, argv);
	const char *mistake;
	int status;

	options__parse(&options, VERB_STAT,
		       "-- COMMAND...\n-p PID [-- COMMAND...]\n-a [-- COMMAND...]", doc, argc,
		       argv);
	messages__set_verbosity(options.output.verbose);
	mistake = stat_choice__find_mistake(&options, command);
	if (mistake) {
		messages__print("%s", mistake);
		return EXIT_USAGE;
	}
	stat.title = stat_choice__title(&options, command);
	status = stat.title ? run(&stat, command) : EXIT_FAILED;
	close_run(&stat);
	stat_runs__free(&stat.runs);
	thread_names__free(&stat.names);
	cpu_topology__free(&stat.topology);
	free(stat.title);
	return status;
}

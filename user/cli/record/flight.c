// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* flight.c: the flight recorder of peat record, its triggers and its dumps. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <peat/peat.h>

#include "cli/cli.h"
#include "cli/record/dump_request.h"
#include "cli/run/event_filter.h"
#include "cli/record/flight.h"
#include "cli/base/messages.h"
#include "cli/base/new_file.h"
#include "cli/base/size_text.h"
#include "cli/run/run.h"
#include "cli/base/signals.h"
#include "cli/run/summary.h"
#include "cli/record/trigger.h"
#include "cli/base/whole_file.h"

/* How often --on-lost reads the counts of losses: programs do not report them. */
#define LOST_INTERVAL_MS 100

/* Of --on and --on-lost: any user can cause their events, and each dump takes a file. */
#define INTERVAL_MS 10000
#define DUMPS_MAX   100

struct flight {
	struct run run; /* the first member */
	const char *const *args;
	const char *path; /* of -o */
	struct trigger trigger;
	struct dump_requests requests;
	uint64_t lost;	      /* when they triggered last */
	uint64_t dumps;	      /* that were written */
	uint64_t next_number; /* in the name of a dump */
	bool has_failed;      /* a dump */
	uint64_t event_dumps; /* attempts that --on and --on-lost triggered */
	int64_t event_ns;     /* time of the last of them; 0: none */
	uint64_t suppressed;  /* events of --on, and losses, that made no dump */
};

static struct flight *flight_of(struct run *run)
{
	return (struct flight *)run;
}

/* ---- dumps ----------------------------------------------------------------------------------- */

/* The maps of other programs have the events of all tasks. */
static bool is_of_wanted_task(const struct options *options, const struct peat_event *event)
{
	return event->kind == PEAT_EVENT_LOST || !options->sources.map_count ||
	       event_filter__wants_task(options, event);
}

/* Writes all events.  Their number, or a negative errno. */
static int64_t write_events(const struct flight *flight, struct peat_reader *snapshot,
			    struct peat_sink *sink)
{
	const struct peat_event *event;
	int64_t events = 0;
	int err = 0, more = 1, finished;

	while (!err && (more = peat_reader__next(snapshot, &event)) > 0) {
		if (!is_of_wanted_task(flight->run.options, event))
			continue;
		err = peat_sink__write(sink, event);
		events += event->kind == PEAT_EVENT_DATA;
	}
	finished = peat_sink__finish(sink);
	return err ? err : more < 0 ? more : finished ? finished : events;
}

static int64_t write_file(const struct flight *flight, struct peat_reader *snapshot, int fd,
			  struct peat_perf_stats *stats)
{
	struct peat_perf_opts opts = PEAT_PERF_OPTS_INIT;
	struct peat_sink *sink;
	int64_t events;

	opts.level = flight->run.options->recording.level;
	opts.args = flight->args;
	sink = peat_sink__new_perf(snapshot, fd, &opts);
	if (!sink)
		return -errno;
	events = write_events(flight, snapshot, sink);
	if (peat_sink__perf_stats(sink, stats))
		memset(stats, 0, sizeof(*stats));
	peat_sink__free(sink);
	return events;
}

/* ---- the thread that writes ------------------------------------------------------------------ */

struct writing {
	const struct flight *flight;
	struct peat_reader *snapshot;
	struct peat_perf_stats *stats;
	int fd;
	int done_fd;	/* readable when the thread ends */
	int64_t events; /* the result of write_file() */
};

static void *write_in_thread(void *arg)
{
	struct writing *writing = arg;

	writing->events =
		write_file(writing->flight, writing->snapshot, writing->fd, writing->stats);
	eventfd_write(writing->done_fd, 1);
	return NULL;
}

/* Blocks all signals in the thread: they belong to this one. */
static int start_thread(pthread_t *thread, struct writing *writing)
{
	sigset_t all, before;
	int err;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(thread, NULL, write_in_thread, writing);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return -err;
}

/* The rings of task records do not overwrite: they have to be read while a dump is written. */
static void follow_names(struct peat_reader *reader, int done_fd)
{
	struct pollfd fds[] = {
		{ .fd = done_fd, .events = POLLIN },
		{ .fd = peat_reader__fd(reader), .events = POLLIN },
	};
	const struct peat_event *event;

	while (!(fds[0].revents & POLLIN)) {
		if (poll(fds, sizeof(fds) / sizeof(*fds), -1) < 0)
			fds[0].revents = 0;
		peat_reader__wait(reader, 0);
		while (peat_reader__next(reader, &event) > 0)
			; /* a reader that overwrites returns none */
	}
}

/* As write_file(), in another thread if possible. */
static int64_t write_beside(const struct flight *flight, struct peat_reader *snapshot, int fd,
			    struct peat_perf_stats *stats)
{
	struct writing writing = {
		.flight = flight,
		.snapshot = snapshot,
		.stats = stats,
		.fd = fd,
		.done_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
	};
	pthread_t thread;

	if (writing.done_fd < 0)
		return write_file(flight, snapshot, fd, stats);
	if (!start_thread(&thread, &writing)) {
		follow_names(flight->run.reader, writing.done_fd);
		pthread_join(thread, NULL);
	} else {
		writing.events = write_file(flight, snapshot, fd, stats);
	}
	close(writing.done_fd);
	return writing.events;
}

/* ---- a dump ---------------------------------------------------------------------------------- */

/* "perf.data.1: 65129 events of 8.306 ms, 5.2 MiB; rings exchanged in ..." */
static void print_dump(const struct peat_reader *snapshot, const char *name, int64_t events,
		       uint64_t bytes, uint64_t taken_ns)
{
	struct peat_snapshot_info info = { .sz = sizeof(info) };
	struct peat_reader_stats stats = { .sz = sizeof(stats) };
	char size[32];

	if (peat_snapshot__info(snapshot, &info) || peat_reader__stats(snapshot, &stats))
		return;
	size_text__format(size, sizeof(size), bytes);
	messages__print(
		"%s: %lld event%s of %.3f ms, %s%s: rings exchanged in %.0f us without a pause, "
		"copied in %.1f ms, written in %.1f ms",
		name, (long long)events, events == 1 ? "" : "s",
		(double)(info.last_ns - info.first_ns) / 1e6, size, summary__skipped(&stats),
		(double)info.swap_ns / 1e3, (double)info.copy_ns / 1e6,
		(double)(taken_ns - info.copy_ns) / 1e6);
}

/* Removes a file without events.  The next dump can have its name. */
static void discard(struct flight *flight, const char *name, int fd)
{
	int err = whole_file__remove(name, fd);

	if (!err)
		flight->next_number--;
	else if (err == -EBUSY)
		messages__print("the unfinished dump %s was moved, removed or replaced meanwhile",
				name);
	else
		messages__print("cannot remove the unfinished dump %s: %s: it has no events", name,
				strerror(-err));
}

/*
 * The ledger counts events as delivered only if they are in the file.  Without any, it is no dump,
 * and its name can be used again.
 */
static void keep_written(struct flight *flight, struct peat_reader *snapshot, const char *name,
			 int fd, const struct peat_perf_stats *stats)
{
	uint64_t written = stats->events - stats->unwritten;

	if (peat_snapshot__keep(snapshot, flight->run.reader, written))
		messages__print("cannot count the events that were not written: %m");
	flight->run.printed += written;
	if (written)
		messages__print("%s has only its first %llu events", name,
				(unsigned long long)written);
	else
		discard(flight, name, fd);
}

/* 0 or a negative errno. */
static int write_snapshot(struct flight *flight, struct peat_reader *snapshot, const char *name,
			  int fd, int64_t started_ns)
{
	struct peat_perf_stats stats = { .sz = sizeof(stats) };
	int64_t events = write_beside(flight, snapshot, fd, &stats);
	int file = fcntl(fd, F_DUPFD_CLOEXEC, 0); /* by which it is removed */

	if (close(fd) && events >= 0) {
		events = -errno;
		stats.unwritten = stats.events; /* nobody knows which are in the file */
	}
	if (events < 0) {
		messages__print("cannot write to %s: %s", name, strerror((int)-events));
		keep_written(flight, snapshot, name, file, &stats);
	} else {
		flight->run.printed += (uint64_t)events;
		if (!flight->run.options->output.quiet)
			print_dump(snapshot, name, events, stats.bytes,
				   (uint64_t)(run__now_ns() - started_ns));
	}
	close(file);
	return events < 0 ? (int)events : 0;
}

static int copy_and_write(struct flight *flight, const char *name, int fd)
{
	struct peat_snapshot_opts opts = PEAT_SNAPSHOT_OPTS_INIT;
	int64_t started_ns = run__now_ns();
	struct peat_reader *snapshot;
	int err;

	opts.last_ns = flight->run.options->flight.last_ns;
	snapshot = peat_reader__snapshot(flight->run.reader, &opts);
	if (!snapshot) {
		err = -errno;
		messages__print("cannot copy the events: %m");
		discard(flight, name, fd);
		close(fd);
		return err;
	}
	err = write_snapshot(flight, snapshot, name, fd, started_ns);
	peat_reader__free(snapshot);
	return err;
}

/* Opens the file first: if that fails, the rings keep the events for the next dump. */
static int take_dump(struct flight *flight, char **name)
{
	int fd = new_file__open_dump(flight->path, &flight->next_number, name), err;

	if (fd < 0)
		return fd;
	trigger__restart(&flight->trigger);
	err = copy_and_write(flight, *name, fd);
	flight->dumps += !err;
	return err;
}

/* A dump that fails does not end the recorder: the cause may pass. */
static void dump(struct flight *flight)
{
	char *name = NULL;
	int err = take_dump(flight, &name);

	flight->has_failed |= err != 0;
	dump_requests__answer(&flight->requests, err ? NULL : name);
	free(name);
	if (flight->dumps >= flight->run.options->flight.max_dumps)
		flight->run.is_full = true;
}

/* ---- triggers -------------------------------------------------------------------------------- */

static bool has_new_losses(struct flight *flight)
{
	struct peat_reader_stats stats = { .sz = sizeof(stats) };
	uint64_t before = flight->lost;

	if (!flight->run.options->flight.on_lost || peat_reader__stats(flight->run.reader, &stats))
		return false;
	flight->lost = stats.lost;
	return stats.lost > before;
}

/* Whether --on and --on-lost may make a dump now. */
static bool may_dump(const struct flight *flight, int64_t now_ns)
{
	const struct options *options = flight->run.options;
	uint64_t interval_ms = options->flight.interval_ms != UINT64_MAX
				       ? options->flight.interval_ms
				       : INTERVAL_MS;

	if (options->flight.max_dumps == UINT64_MAX && flight->event_dumps >= DUMPS_MAX)
		return false;
	return !flight->event_dumps ||
	       (uint64_t)(now_ns - flight->event_ns) >= interval_ms * 1000000;
}

/* Reads the events of --on, and the losses of --on-lost.  Whether they make a dump. */
static bool is_triggered_by_event(struct flight *flight)
{
	uint64_t count = trigger__count(&flight->trigger) + has_new_losses(flight);
	int64_t now_ns = run__now_ns();

	if (!count)
		return false;
	if (!may_dump(flight, now_ns)) {
		flight->suppressed += count;
		return false;
	}
	flight->event_dumps++;
	flight->event_ns = now_ns;
	return true;
}

/* Asks all: a dump is for everything that triggered it. */
static bool is_triggered(struct flight *flight)
{
	bool is_triggered = signals__take_dump_request();

	is_triggered |= dump_requests__receive(&flight->requests);
	is_triggered |= is_triggered_by_event(flight);
	return is_triggered;
}

/* The longest wait between two readings of counts; -1: there are none. */
static int interval_of(const struct flight *flight)
{
	if (flight->trigger.counter.counters)
		return COUNTER_TRIGGER_MS;
	return flight->run.options->flight.on_lost ? LOST_INTERVAL_MS : -1;
}

/* While --dump-interval allows no dump, overflows of a frequent event would only wake peat. */
static int trigger_fd(const struct flight *flight)
{
	return flight->trigger.counter.counters && !may_dump(flight, run__now_ns())
		       ? -1
		       : trigger__fd(&flight->trigger);
}

static int wait(struct run *run, int timeout_ms)
{
	struct flight *flight = flight_of(run);
	int interval_ms = interval_of(flight);
	struct pollfd fds[] = {
		{ .fd = peat_reader__fd(run->reader), .events = POLLIN },
		{ .fd = trigger_fd(flight), .events = POLLIN },
		{ .fd = flight->requests.fd, .events = POLLIN },
	};

	if (interval_ms >= 0 && (timeout_ms < 0 || timeout_ms > interval_ms))
		timeout_ms = interval_ms;
	poll(fds, sizeof(fds) / sizeof(*fds), timeout_ms);
	peat_reader__wait(run->reader,
			  0); /* an interrupted wait is not an error: see pause_run() */
	return 0;
}

static int pause_run(struct run *run)
{
	struct flight *flight = flight_of(run);

	if (!run->is_ending && !run->is_full && is_triggered(flight))
		dump(flight);
	return 0;
}

/*
 * The end of COMMAND is a trigger.  Any other end is one only if nothing else was to trigger a
 * dump, so that a run is not in vain.
 */
static bool ends_with_dump(struct flight *flight)
{
	const struct options *options = flight->run.options;

	if (flight->dumps >= options->flight.max_dumps)
		return false;
	return is_triggered(flight) || flight->run.command.has_ended ||
	       (!flight->dumps && !options->flight.on && !options->flight.on_lost);
}

static int end_run(struct run *run)
{
	if (ends_with_dump(flight_of(run)))
		dump(flight_of(run));
	return 0;
}

/* ---- the run --------------------------------------------------------------------------------- */

static void print_start(const struct flight *flight)
{
	struct peat_reader_stats stats = { .sz = sizeof(stats) };
	char size[32];

	if (flight->run.options->output.quiet || peat_reader__stats(flight->run.reader, &stats))
		return;
	size_text__format(size, sizeof(size), stats.ring_bytes);
	messages__print("keeping the last %s of each CPU; peat record --dump %d writes them", size,
			(int)getpid());
}

static int open_flight(struct run *run, uint32_t kinds)
{
	struct flight *flight = flight_of(run);

	(void)kinds;
	if (trigger__start(&flight->trigger, run))
		return -ECANCELED;
	dump_requests__open(&flight->requests);
	print_start(flight);
	return 0;
}

static void report_suppressed(const struct flight *flight)
{
	if (flight->suppressed && !flight->run.options->output.quiet)
		messages__print("%llu more triggers made no dump: --dump-interval and --max-dumps "
				"limit the dumps of --on and --on-lost",
				(unsigned long long)flight->suppressed);
}

static int finish_flight(struct run *run)
{
	const struct flight *flight = flight_of(run);

	report_suppressed(flight);
	if (!flight->dumps && !run->options->output.quiet)
		messages__print("no dump: nothing triggered one");
	return flight->has_failed ? -EIO : 0;
}

static const struct run_ops ops = {
	.open_sink = open_flight,
	.pause = pause_run,
	.detached = end_run,
	.finish = finish_flight,
	.wait = wait,
};

int flight__run(struct options *options, const char *const *args, char **command)
{
	struct flight flight = {
		.run.ops = &ops,
		.args = args,
		.next_number = 1,
		.requests.fd = -1,
	};
	int status;

	flight.path = options->output.path ? options->output.path : NEW_FILE_DEFAULT;
	options->output.path = NULL;
	signals__catch_dump();
	status = trigger__open(&flight.trigger, options);
	if (!status)
		status = run__session(&flight.run, options, command);
	dump_requests__close(&flight.requests);
	trigger__close(&flight.trigger);
	return status;
}

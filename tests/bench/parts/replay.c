// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * replay.c: a recording written by peat's sink, read by the library, by peat replay, and by stock
 * perf if it is installed.  The recording is in memory.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <peat/reader.h>
#include <peat/sink.h>

#include "parts.h"
#include "perf_data/write/writer.h"
#include "support/recording/written.h"

#define EVENTS	    1250000u
#define FLUSH_EACH  100000u /* events; a recorder flushes about every second */
#define QUEUE_BYTES (256u << 20)
#define CPUS	    4
#define ROW	    50 /* consecutive events of a CPU */

struct recording {
	int fd;
	char path[32];
	bool ordered;
	const char *command;
};

/* ---- writing it ------------------------------------------------------------------------------ */

/* Opens a small recording, whose event is written repeatedly. */
static struct peat_reader *open_source(void)
{
	struct written written;
	int fd = memfd_create("source", MFD_CLOEXEC);
	struct peat_reader *reader;
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (fd < 0 || written__begin(&written, dup(fd), false) || written__samples(&written, 10) ||
	    perf_writer__close(written.writer))
		parts__fail("cannot write the source recording: %m");
	written__free(&written);
	reader = peat_reader__open(path, NULL);
	if (!reader)
		parts__fail("cannot read the source recording: %m");
	close(fd);
	return reader;
}

/* The first event that has fields. */
static const struct peat_event *typed_event(struct peat_reader *reader)
{
	const struct peat_event *event;

	while (peat_reader__next(reader, &event) > 0)
		if (event->kind == PEAT_EVENT_DATA && event->schema)
			return event;
	parts__fail("the source recording has no typed event");
}

static void write_events(struct peat_sink *sink, const struct peat_event *source)
{
	for (uint32_t i = 0; i < EVENTS; i++) {
		struct peat_event event = *source;

		event.cpu = i / ROW % CPUS;
		event.time_ns += i * 1000ULL;
		if (peat_sink__write(sink, &event) ||
		    ((i + 1) % FLUSH_EACH == 0 && peat_sink__flush(sink)))
			parts__fail("cannot write the recording: %m");
	}
	if (peat_sink__finish(sink))
		parts__fail("cannot finish the recording: %m");
}

static void check_whole(struct peat_sink *sink)
{
	struct peat_perf_stats stats = { .sz = sizeof(stats) };

	peat_sink__perf_stats(sink, &stats);
	if (stats.events != EVENTS)
		parts__fail("the recording has %llu of %u events", (unsigned long long)stats.events,
			    EVENTS);
}

static void make(struct recording *recording)
{
	struct peat_perf_opts opts = PEAT_PERF_OPTS_INIT;
	struct peat_reader *source = open_source();
	struct peat_sink *sink;

	recording->fd = memfd_create("recording", 0);
	snprintf(recording->path, sizeof(recording->path), "/proc/self/fd/%d", recording->fd);
	opts.queue_bytes = QUEUE_BYTES;
	sink = peat_sink__new_perf(source, recording->fd, &opts);
	if (!sink)
		parts__fail("cannot make a recording: %m");
	write_events(sink, typed_event(source));
	check_whole(sink);
	peat_sink__free(sink);
	peat_reader__free(source);
}

/* ---- reading it ------------------------------------------------------------------------------ */

static uint64_t count_events(struct peat_reader *reader)
{
	const struct peat_event *event;
	uint64_t count = 0;

	while (peat_reader__wait(reader, -1) >= 0)
		while (peat_reader__next(reader, &event) > 0)
			count += event->kind == PEAT_EVENT_DATA;
	return count;
}

static uint64_t by_library(void *context)
{
	const struct recording *recording = context;
	struct peat_replay_opts opts = PEAT_REPLAY_OPTS_INIT;
	struct peat_reader *reader;
	uint64_t count;

	opts.ordered = recording->ordered;
	reader = peat_reader__open(recording->path, &opts);
	if (!reader)
		parts__fail("cannot read the recording: %m");
	count = count_events(reader);
	peat_reader__free(reader);
	if (count != EVENTS)
		parts__fail("read %llu of %u events", (unsigned long long)count, EVENTS);
	return count;
}

/* The command reads $RECORDING, a file descriptor that the shell inherits. */
static uint64_t by_command(void *context)
{
	const struct recording *recording = context;

	if (system(recording->command))
		parts__fail("%s: failed", recording->command);
	return EVENTS;
}

/* ---------------------------------------------------------------------------------------------- */

static void print_size(const struct recording *recording)
{
	struct stat stat;

	if (!fstat(recording->fd, &stat))
		printf("\nThe recording: %u events of 20 bytes, %.1f MB.\n", EVENTS,
		       (double)stat.st_size / 1e6);
}

void parts_replay__measure(struct bench_table *table)
{
	struct recording unordered = { .fd = -1 }, ordered, replayed, scripted;
	struct part parts[] = {
		{ "peat", "the library, unordered", "events", "M/s", NULL, by_library, &unordered },
		{ "peat", "the library, ordered", "events", "M/s", NULL, by_library, &ordered },
		{ "peat", "replay -j", "events", "M/s", NULL, by_command, &replayed },
		{ "perf", "script", "events", "M/s", NULL, by_command, &scripted },
	};
	char text[32];
	bool has_perf = !system("perf --version > /dev/null 2>&1");

	make(&unordered);
	print_size(&unordered);
	ordered = replayed = scripted = unordered;
	ordered.ordered = true;
	snprintf(text, sizeof(text), "/dev/fd/%d", unordered.fd);
	setenv("RECORDING", text, 1);
	setenv("PEAT", "build/peat", 0);
	replayed.command = "\"$PEAT\" replay -q -j \"$RECORDING\" > /dev/null";
	scripted.command = "perf script -i \"$RECORDING\" > /dev/null";
	parts__measure(table, "replay", parts, has_perf ? 4 : 3);
	if (!has_perf)
		puts("perf script: skipped: perf is not installed.");
	close(unordered.fd);
}

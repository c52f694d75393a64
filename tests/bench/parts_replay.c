// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * parts_replay.c: a recording that peat's sink wrote, read again: by the library, by peat replay,
 * and by stock perf where there is one.  It lies in memory.
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

#include "parts_all.h"
#include "perf_data/write/writer.h"
#include "written.h"

#define EVENTS	    1250000u
#define FLUSH_EACH  100000u /* as a recorder does it every second or so */
#define QUEUE_BYTES (256u << 20)
#define CPUS	    4
#define ROW	    50 /* events of a CPU in a row */

struct recording {
	int fd;
	char path[32];
	bool ordered;
	const char *command;
};

/* ---- writing it ------------------------------------------------------------------------------ */

/* A small recording, whose events are written again and again. */
static struct peat_reader *open_source(void)
{
	struct written written;
	int fd = memfd_create("source", MFD_CLOEXEC);
	struct peat_reader *reader;
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (fd < 0 || written__begin(&written, dup(fd), false) || written__samples(&written, 10) ||
	    perf_writer__close(written.writer))
		parts__give_up("no source for a recording: %m");
	written__free(&written);
	reader = peat_reader__open(path, NULL);
	if (!reader)
		parts__give_up("the source cannot be read: %m");
	close(fd);
	return reader;
}

/* The one event that has fields. */
static const struct peat_event *typed_event(struct peat_reader *reader)
{
	const struct peat_event *event;

	while (peat_reader__next(reader, &event) > 0)
		if (event->kind == PEAT_EVENT_DATA && event->schema)
			return event;
	parts__give_up("the source has no event");
}

static void write_events(struct peat_sink *sink, const struct peat_event *source)
{
	for (uint32_t i = 0; i < EVENTS; i++) {
		struct peat_event event = *source;

		event.cpu = i / ROW % CPUS;
		event.time_ns += i * 1000ULL;
		if (peat_sink__write(sink, &event) ||
		    ((i + 1) % FLUSH_EACH == 0 && peat_sink__flush(sink)))
			parts__give_up("the recording cannot be written: %m");
	}
	if (peat_sink__finish(sink))
		parts__give_up("the recording cannot be finished: %m");
}

static void check_whole(struct peat_sink *sink)
{
	struct peat_perf_stats stats = { .sz = sizeof(stats) };

	peat_perf__stats(sink, &stats);
	if (stats.events != EVENTS)
		parts__give_up("the recording has %llu of %u events",
			       (unsigned long long)stats.events, EVENTS);
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
		parts__give_up("no recording: %m");
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

static uint64_t by_library(void *of)
{
	const struct recording *recording = of;
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;
	struct peat_reader *reader;
	uint64_t count;

	opts.ordered = recording->ordered;
	reader = peat_reader__open(recording->path, &opts);
	if (!reader)
		parts__give_up("the recording cannot be read: %m");
	count = count_events(reader);
	peat_reader__free(reader);
	if (count != EVENTS)
		parts__give_up("%llu of %u events came", (unsigned long long)count, EVENTS);
	return count;
}

/* In $RECORDING, which is a descriptor that the shell inherits. */
static uint64_t by_command(void *of)
{
	const struct recording *recording = of;

	if (system(recording->command))
		parts__give_up("%s: failed", recording->command);
	return EVENTS;
}

/* ---------------------------------------------------------------------------------------------- */

static void tell(const struct recording *recording)
{
	struct stat stat;

	if (!fstat(recording->fd, &stat))
		printf("\nThe recording: %u events of 20 bytes, %.1f MB.\n", EVENTS,
		       (double)stat.st_size / 1e6);
}

void parts__replay(struct bench_table *table)
{
	struct recording unordered = { .fd = -1 }, ordered, replayed, scripted;
	struct part parts[] = {
		{ "peat", "the library, as it lies there", "events", "M/s", NULL, by_library,
		  &unordered },
		{ "peat", "the library, ordered", "events", "M/s", NULL, by_library, &ordered },
		{ "peat", "replay -j", "events", "M/s", NULL, by_command, &replayed },
		{ "perf", "script", "events", "M/s", NULL, by_command, &scripted },
	};
	char text[32];
	bool has_perf = !system("perf --version > /dev/null 2>&1");

	make(&unordered);
	tell(&unordered);
	ordered = replayed = scripted = unordered;
	ordered.ordered = true;
	snprintf(text, sizeof(text), "/dev/fd/%d", unordered.fd);
	setenv("RECORDING", text, 1);
	setenv("PEAT", "build/peat", 0);
	replayed.command = "\"$PEAT\" replay -q -j \"$RECORDING\" > /dev/null";
	scripted.command = "perf script -i \"$RECORDING\" > /dev/null";
	parts__measure(table, "replay", parts, has_perf ? 4 : 3);
	if (!has_perf)
		puts("perf is not there: left out.");
	close(unordered.fd);
}

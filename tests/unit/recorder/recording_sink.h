/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* recording_sink.h: a sink of recordings, its source, and events for it. */
#ifndef TESTS_UNIT_RECORDER_RECORDING_SINK_H
#define TESTS_UNIT_RECORDER_RECORDING_SINK_H

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <peat/sink.h>

#include "support/machine/harness.h"
#include "support/recording/written.h"

#define SAMPLES 1000
#define EXECS	(SAMPLES / WRITTEN_EACH)

/* The types of the events: those of a recording. */
#define RAW  0
#define EXEC 1

static struct peat_reader *source;
static struct peat_sink *sink;
static int fd;

static inline struct peat_reader *open_reader(int of)
{
	struct peat_replay_opts opts = PEAT_REPLAY_OPTS_INIT;
	struct peat_reader *reader;
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", of);
	opts.names = true;
	opts.ordered = true;
	opts.side_band = PEAT_SIDE_BAND_TASK;
	reader = peat_reader__open(path, &opts);
	ck_assert_ptr_nonnull(reader);
	return reader;
}

static inline int new_file(void)
{
	int file = memfd_create("recording", MFD_CLOEXEC);

	ck_assert_int_ge(file, 0);
	return file;
}

static inline void open_source(void)
{
	struct written written;
	int file = new_file();

	ck_assert_int_eq(written__begin(&written, dup(file), false), 0);
	ck_assert_int_eq(written__samples(&written, SAMPLES), 0);
	ck_assert_int_eq(perf_writer__close(written.writer), 0);
	written__free(&written);
	source = open_reader(file);
	close(file);
}

static inline void open_sink(int to, int level, uint64_t queue_bytes)
{
	struct peat_perf_opts opts = PEAT_PERF_OPTS_INIT;

	opts.level = level;
	opts.queue_bytes = queue_bytes;
	open_source();
	fd = to;
	sink = peat_sink__new_perf(source, fd, &opts);
	ck_assert_ptr_nonnull(sink);
}

static inline void close_sink(void)
{
	peat_sink__free(sink);
	peat_reader__free(source);
	close(fd);
}

static inline struct peat_perf_stats stats(void)
{
	struct peat_perf_stats stats = { .sz = sizeof(stats) };

	ck_assert_int_eq(peat_sink__perf_stats(sink, &stats), 0);
	return stats;
}

static inline const struct peat_event *next(struct peat_reader *reader)
{
	const struct peat_event *event;

	while (peat_reader__wait(reader, -1) >= 0)
		if (peat_reader__next(reader, &event) > 0)
			return event;
	return NULL;
}

static const char payload[100] = "a hundred bytes";

/* An event of the source "raw". */
static inline int put_raw(uint64_t time_ns)
{
	struct peat_event event = { .kind = PEAT_EVENT_DATA,
				    .time_ns = time_ns,
				    .pid = 100,
				    .tid = 100,
				    .type = RAW,
				    .data = payload,
				    .size = sizeof(payload) };

	return peat_sink__write(sink, &event);
}

static inline int put_record(const struct peat_record *record, uint64_t time_ns)
{
	struct peat_event event = { .kind = PEAT_EVENT_RECORD,
				    .time_ns = time_ns,
				    .pid = 5,
				    .tid = 6,
				    .cpu = 1,
				    .record = record };

	return peat_sink__write(sink, &event);
}

static inline int put_task(uint32_t type, uint32_t tid, uint64_t time_ns)
{
	const struct peat_record record = { .type = type, .task = { tid, 1, tid, 1, time_ns } };

	return put_record(&record, time_ns);
}

#endif /* TESTS_UNIT_RECORDER_RECORDING_SINK_H */

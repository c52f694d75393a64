// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* reader.c: records become events. */
#include <stdlib.h>
#include <string.h>

#include <peat/reader.h>

#include "live.h"
#include "internal.h"

#define LATENCY_MS_MAX (60 * 60 * 1000u)

struct peat_reader {
	struct live live;
	struct peat_record record;
	struct peat_event event;
	struct peat_reader_stats stats;
	uint64_t payload[65536 / 8]; /* of the event that is lent: a record is shorter than that */
};

struct peat_reader *peat_reader__new_raw(int map_fd, const struct peat_reader_opts *callers_opts)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;
	struct peat_reader *reader;
	int err = opts__read(&opts, sizeof(opts), callers_opts, "peat_reader_opts");

	if (!err && (opts.reserved || opts.latency_ms > LATENCY_MS_MAX)) {
		log__error("peat_reader_opts: latency_ms is at most %u, reserved is 0",
			   LATENCY_MS_MAX);
		err = -EINVAL;
	}
	if (err)
		return fail_null(err);
	reader = calloc(1, sizeof(*reader));
	if (!reader)
		return fail_null(-ENOMEM);
	err = live__open(&reader->live, map_fd, &opts);
	if (err) {
		free(reader);
		return fail_null(err);
	}
	return reader;
}

void peat_reader__free(struct peat_reader *reader)
{
	if (!reader)
		return;
	live__close(&reader->live);
	free(reader);
}

int peat_reader__fd(const struct peat_reader *reader)
{
	return reader->live.epoll_fd;
}

int peat_reader__wait(struct peat_reader *reader, int timeout_ms)
{
	int ready = live__wait(&reader->live, timeout_ms);

	return ready < 0 ? fail(ready) : ready;
}

void peat_reader__break(const struct peat_reader *reader)
{
	live__break(&reader->live);
}

/* The ring has a payload at 4 mod 8; programs read 64-bit fields from it. */
static void take_payload(struct peat_reader *reader, const struct peat_sample *sample)
{
	memcpy(reader->payload, sample->raw, sample->raw_bytes);
	reader->event.kind = PEAT_EVENT_DATA;
	reader->event.data = reader->payload;
	reader->event.size = sample->raw_bytes;
	reader->stats.events++;
	reader->stats.event_bytes += sample->raw_bytes;
}

static void take_loss(struct peat_reader *reader, uint64_t lost, uint64_t *total)
{
	reader->event.kind = PEAT_EVENT_LOST;
	reader->event.lost = lost;
	*total += lost;
}

static void fill_event(struct peat_reader *reader, uint32_t cpu)
{
	const struct peat_record *record = &reader->record;
	bool has_task = record->has & PEAT_SAMPLE_TID;

	reader->event = (struct peat_event){
		.kind = PEAT_EVENT_RECORD,
		.cpu = cpu,
		.time_ns = record->has & PEAT_SAMPLE_TIME ? record->time_ns : 0,
		.pid = has_task ? record->pid : 0,
		.tid = has_task ? record->tid : 0,
		.record = record,
	};
	if (record->type == PEAT_RECORD_SAMPLE)
		take_payload(reader, &record->sample);
	else if (record->type == PEAT_RECORD_LOST)
		take_loss(reader, record->lost.lost, &reader->stats.lost_records);
	else if (record->type == PEAT_RECORD_LOST_SAMPLES)
		take_loss(reader, record->lost_samples.lost, &reader->stats.lost_samples);
}

int peat_reader__next(struct peat_reader *reader, const struct peat_event **event)
{
	const struct perf_event_header *header;
	uint32_t cpu;

	while ((header = live__next(&reader->live, &cpu))) {
		int known = peat_record__decode(&reader->live.layout, header, header->size,
						&reader->record);

		reader->stats.records++;
		if (known > 0) {
			fill_event(reader, cpu);
			*event = &reader->event;
			return 1;
		}
		if (known < 0)
			reader->stats.corrupt++;
		else
			reader->stats.unknown++;
	}
	*event = NULL;
	return 0;
}

/*
 * LOST and LOST_SAMPLES tell of overlapping losses, and PERF_FORMAT_LOST has all of both: the best
 * one is taken, they are never added.
 */
static int best_loss(const struct peat_reader *reader, struct peat_reader_stats *stats)
{
	stats->lost_is_exact = reader->live.counts_lost;
	if (reader->live.counts_lost)
		return live__lost(&reader->live, &stats->lost);
	stats->lost = stats->lost_records > stats->lost_samples ? stats->lost_records
								: stats->lost_samples;
	return 0;
}

int peat_reader__stats(const struct peat_reader *reader, struct peat_reader_stats *callers_stats)
{
	struct peat_reader_stats stats = reader->stats;
	int err;

	stats.rounds = reader->live.rounds;
	stats.rings = reader->live.ring_count;
	stats.ring_bytes = reader->live.ring_bytes;
	stats.watermark_bytes = reader->live.watermark_bytes;
	stats.corrupt += live__corrupt(&reader->live);
	err = best_loss(reader, &stats);
	if (!err)
		err = opts__write(callers_stats, &stats, sizeof(stats), "peat_reader_stats");
	return err ? fail(err) : 0;
}

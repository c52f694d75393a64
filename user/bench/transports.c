// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* transports.c: the transports that are compared, and the candidate settings of the peers. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "transports.h"

#define MIB	    (1UL << 20)
#define BATCH_BYTES 4096
#define LATENCY_MS  100

/* ---- sizes ----------------------------------------------------------------------------------- */

static size_t power_of_two(size_t at_least)
{
	size_t bytes = (size_t)sysconf(_SC_PAGESIZE);

	while (bytes < at_least)
		bytes *= 2;
	return bytes;
}

/*
 * All transports are open at the same time, so each gets at most 1 % of the RAM.  The BPF ring
 * buffer has the size of all perf rings together, rounded up to a power of two.
 */
struct bench_sizes bench_transports__sizes(void)
{
	size_t cpus = (size_t)sysconf(_SC_NPROCESSORS_ONLN);
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	size_t ram_bytes = (size_t)sysconf(_SC_PHYS_PAGES) * page_bytes;
	struct bench_sizes sizes = { .cpu_bytes = MIB };

	while (sizes.cpu_bytes > 64 * 1024 && sizes.cpu_bytes > ram_bytes / 100 / cpus)
		sizes.cpu_bytes /= 2;
	sizes.cpu_bytes = power_of_two(sizes.cpu_bytes);
	if (sizes.cpu_bytes < 4 * page_bytes) /* a quarter is a candidate too */
		sizes.cpu_bytes = 4 * page_bytes;
	sizes.all_bytes = power_of_two(sizes.cpu_bytes * cpus);
	return sizes;
}

/* ---- one transport --------------------------------------------------------------------------- */

static size_t ring_bytes(enum bench_way way, const struct bench_sizes *sizes)
{
	return way == BENCH_PEAT || way == BENCH_PERF_BUFFER ? sizes->cpu_bytes : sizes->all_bytes;
}

static struct bench_transport *add_transport(struct bench_transports *transports,
					     enum bench_way way, const char *setting,
					     const struct bench_sizes *sizes)
{
	struct bench_transport *transport = &transports->all[transports->count++];

	*transport = (struct bench_transport){
		.way = way,
		.batch_bytes = BATCH_BYTES,
		.ring_bytes = ring_bytes(way, sizes),
		.latency_ms = LATENCY_MS,
	};
	snprintf(transport->setting, sizeof(transport->setting), "%s", setting);
	return transport;
}

static struct bench_transport *add_as(struct bench_transports *transports,
				      const struct bench_transport *as, const char *prefix)
{
	struct bench_transport *transport = &transports->all[transports->count++];

	*transport = *as;
	snprintf(transport->setting, sizeof(transport->setting), "%s%.30s", prefix, as->setting);
	return transport;
}

/* ---- candidate settings ---------------------------------------------------------------------- */

static void name_bytes(char *text, size_t room, size_t bytes)
{
	if (bytes >= MIB)
		snprintf(text, room, "%zuM", bytes / MIB);
	else
		snprintf(text, room, "%zuK", bytes / 1024);
}

static void add_watermark(struct bench_transports *transports, enum bench_way way,
			  const struct bench_sizes *sizes, size_t bytes, size_t wake_bytes)
{
	char ring[16], wake[16], setting[48];
	struct bench_transport *transport;

	name_bytes(ring, sizeof(ring), bytes);
	name_bytes(wake, sizeof(wake), wake_bytes);
	snprintf(setting, sizeof(setting), "%s, wake at %s", ring, wake);
	transport = add_transport(transports, way, setting, sizes);
	transport->ring_bytes = bytes;
	transport->wake_bytes = wake_bytes;
}

static void add_wake_events(struct bench_transports *transports, const struct bench_sizes *sizes,
			    uint32_t events)
{
	char ring[16], setting[48];

	name_bytes(ring, sizeof(ring), sizes->cpu_bytes);
	snprintf(setting, sizeof(setting), "%s, wake at %u events", ring, events);
	add_transport(transports, BENCH_PERF_BUFFER, setting, sizes)->wake_events = events;
}

/* Smaller rings fit the caches; larger ones tolerate a late reader. */
void bench_transports__candidates(struct bench_transports *transports, enum bench_way way,
				  const struct bench_sizes *sizes)
{
	size_t bytes = ring_bytes(way, sizes);

	transports->count = 0;
	if (way == BENCH_PERF_BUFFER) {
		add_wake_events(transports, sizes, 100);
		add_wake_events(transports, sizes, 1000);
	} else {
		add_watermark(transports, way, sizes, bytes, bytes / 32);
	}
	add_watermark(transports, way, sizes, bytes, bytes / 16);
	add_watermark(transports, way, sizes, bytes, bytes / 4);
	add_watermark(transports, way, sizes, bytes, bytes / 2);
	add_watermark(transports, way, sizes, bytes / 4, bytes / 16);
}

/* ---- all transports -------------------------------------------------------------------------- */

static void add_peat(struct bench_transports *transports, const struct bench_sizes *sizes)
{
	struct bench_transport *transport;

	add_transport(transports, BENCH_PEAT, "time, ids", sizes);
	add_transport(transports, BENCH_PEAT, "time", sizes)->no_ids = true;
	transport = add_transport(transports, BENCH_PEAT, "neither", sizes);
	transport->no_time = transport->no_ids = true;
	add_transport(transports, BENCH_PEAT, "unstaged, time, ids", sizes)->batch_bytes = 0;
}

void bench_transports__all(struct bench_transports *transports, const struct bench_sizes *sizes,
			   const struct bench_transport best[BENCH_WAYS])
{
	struct bench_transport *transport;

	transports->count = 0;
	add_peat(transports, sizes);
	add_transport(transports, BENCH_PERF_BUFFER, "default", sizes);
	add_as(transports, &best[BENCH_PERF_BUFFER], "best: ");
	add_transport(transports, BENCH_RING_BUFFER, "default", sizes);
	add_as(transports, &best[BENCH_RING_BUFFER], "best: ");
	add_transport(transports, BENCH_RING_BUFFER, "busy polling", sizes)->polls = true;
	add_as(transports, &best[BENCH_STAGE_RINGBUF], "time, ids, ");
	transport = add_as(transports, &best[BENCH_STAGE_RINGBUF], "neither, ");
	transport->no_time = transport->no_ids = true;
}

/* 0: no match. */
enum match { MATCH_PART = 1, MATCH_WHOLE };

static int match(const struct bench_transport *transport, const char *part)
{
	char called[128];

	snprintf(called, sizeof(called), "%s %s", bench_rig__transport_name(transport),
		 transport->setting);
	if (!strcmp(called, part))
		return MATCH_WHOLE;
	return strstr(called, part) ? MATCH_PART : 0;
}

void bench_transports__keep(struct bench_transports *transports, const char *part)
{
	size_t kept = 0;
	int best = MATCH_PART;

	for (size_t i = 0; part && i < transports->count; i++)
		if (match(&transports->all[i], part) > best)
			best = MATCH_WHOLE;
	for (size_t i = 0; part && i < transports->count; i++)
		if (match(&transports->all[i], part) >= best)
			transports->all[kept++] = transports->all[i];
	if (part)
		transports->count = kept;
}

void bench_transports__for_latency(struct bench_transports *transports,
				   const struct bench_sizes *sizes,
				   const struct bench_transport best[BENCH_WAYS],
				   uint32_t latency_ms)
{
	static const enum bench_way peers[] = { BENCH_PERF_BUFFER, BENCH_RING_BUFFER,
						BENCH_STAGE_RINGBUF };
	struct bench_transport *transport;

	transports->count = 0;
	if (latency_ms)
		transport = add_transport(transports, BENCH_PEAT, "time, ids", sizes);
	else
		transport = add_transport(transports, BENCH_PEAT, "unstaged, time, ids", sizes);
	transport->latency_ms = latency_ms;
	transport->batch_bytes = latency_ms ? BATCH_BYTES : 0;
	for (size_t i = 0; i < sizeof(peers) / sizeof(*peers); i++) {
		if (latency_ms)
			transport = add_as(transports, &best[peers[i]], "best: ");
		else
			transport = add_transport(
				transports, peers[i],
				peers[i] == BENCH_STAGE_RINGBUF ? "unstaged, time, ids" : "default",
				sizes);
		transport->latency_ms = latency_ms;
		transport->batch_bytes = latency_ms ? BATCH_BYTES : 0;
	}
	if (!latency_ms)
		add_transport(transports, BENCH_RING_BUFFER, "busy polling", sizes)->polls = true;
}

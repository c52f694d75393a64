// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * bench_reader.c: how each transport is read: peat's reader, and libbpf's own.  Whatever brought
 * it, an event is counted and its first word looked at.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <linux/perf_event.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <peat/peat.h>
#include <peat/wire.h>

#include "bench_reader.h"

/* How long a reader of libbpf's waits when it is woken for each event anyway. */
#define DEFAULT_WAIT_MS 100

uint64_t bench_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* The payload may lie at any multiple of 4. */
static inline void take_event(struct bench_rig *rig, const void *data)
{
	uint64_t first, now_ns;

	memcpy(&first, data, sizeof(first));
	rig->delivered++;
	rig->checksum += first;
	if (!rig->events.stamped || rig->latency_count == rig->latency_max)
		return;
	now_ns = bench_now_ns();
	rig->latencies[rig->latency_count++] = now_ns > first ? now_ns - first : 0;
}

/* ---- looking at all, woken or not ------------------------------------------------------------ */

/* Less than the latency, as an event may come just after a look; peat's reader does the same. */
static int look_ms(const struct bench_rig *rig)
{
	uint32_t latency_ms = rig->transport->latency_ms;

	if (!rig->transport->wake_bytes && !rig->transport->wake_events)
		return DEFAULT_WAIT_MS;
	return latency_ms < 2 ? 1 : (int)(latency_ms * 3 / 4);
}

/* Those that are busy all the time would never come to the end of a wait. */
static bool is_time_to_look(struct bench_rig *rig)
{
	uint64_t now_ns = bench_now_ns();

	if (now_ns - rig->look_ns < (uint64_t)look_ms(rig) * 1000000)
		return false;
	rig->look_ns = now_ns;
	return true;
}

/* ---- peat ------------------------------------------------------------------------------------ */

static int open_peat(struct bench_rig *rig)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;
	struct peat_reader_stats stats = { .sz = sizeof(stats) };

	opts.latency_ms = rig->transport->latency_ms;
	opts.memory_bytes = rig->transport->ring_bytes * (uint64_t)sysconf(_SC_NPROCESSORS_ONLN) +
			    rig->stage_bytes;
	rig->reader = peat_reader__new(rig->channel, &opts);
	if (!rig->reader)
		return -errno;
	peat_reader__stats(rig->reader, &stats);
	/* Halved, as limits refused more: then it is no comparison. */
	return stats.ring_bytes == rig->transport->ring_bytes ? 0 : -ENOMEM;
}

static void take_round(struct bench_rig *rig)
{
	const struct peat_event *event;

	while (peat_reader__next(rig->reader, &event) > 0)
		if (event->kind == PEAT_EVENT_DATA)
			take_event(rig, event->data);
}

static int take_peat(struct bench_rig *rig)
{
	int ready = peat_reader__wait(rig->reader, -1);

	if (ready > 0)
		take_round(rig);
	return ready < 0 && ready != -EINTR ? ready : 0;
}

/* What is staged waits for a grace period, which says nothing of throughput. */
static int finish_peat(struct bench_rig *rig)
{
	take_round(rig); /* what is left of one that had begun */
	take_round(rig);
	rig->drained_ns = bench_now_ns();
	peat_reader__flush(rig->reader);
	take_round(rig);
	return 0;
}

static void close_peat(struct bench_rig *rig)
{
	peat_reader__free(rig->reader);
}

/* ---- libbpf's perf_buffer -------------------------------------------------------------------- */

static void on_sample(void *rig, int cpu, void *data, __u32 bytes)
{
	(void)cpu;
	(void)bytes;
	take_event(rig, data);
}

static enum bpf_perf_event_ret on_record(void *rig, int cpu, struct perf_event_header *record)
{
	(void)cpu;
	if (record->type == PERF_RECORD_SAMPLE)
		take_event(rig, (unsigned char *)(record + 1) + sizeof(uint32_t));
	return LIBBPF_PERF_EVENT_CONT;
}

static int open_perf_buffer(struct bench_rig *rig)
{
	const struct bench_transport *transport = rig->transport;
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_BPF_OUTPUT,
		.sample_type = PERF_SAMPLE_RAW,
		.sample_period = 1,
		.watermark = transport->wake_bytes > 0,
	};
	int map_fd = bpf_object__find_map_fd_by_name(rig->object, "bench_perf");
	size_t pages = transport->ring_bytes / (size_t)sysconf(_SC_PAGESIZE);

	if (attr.watermark)
		attr.wakeup_watermark = (uint32_t)transport->wake_bytes;
	else
		attr.wakeup_events = transport->wake_events;
	if (!transport->wake_bytes && !transport->wake_events)
		rig->perf = perf_buffer__new(map_fd, pages, on_sample, NULL, rig, NULL);
	else
		rig->perf = perf_buffer__new_raw(map_fd, pages, &attr, on_record, rig, NULL);
	return rig->perf ? 0 : -errno;
}

static int take_perf_buffer(struct bench_rig *rig)
{
	int err = perf_buffer__poll(rig->perf, look_ms(rig));

	if (err >= 0 && is_time_to_look(rig))
		err = perf_buffer__consume(rig->perf);
	return err < 0 && err != -EINTR ? err : 0;
}

static int finish_perf_buffer(struct bench_rig *rig)
{
	int err = perf_buffer__consume(rig->perf);

	rig->drained_ns = bench_now_ns();
	return err < 0 ? err : 0;
}

static void close_perf_buffer(struct bench_rig *rig)
{
	perf_buffer__free(rig->perf);
}

/* ---- libbpf's ring_buffer -------------------------------------------------------------------- */

static int on_ring_sample(void *rig, void *data, size_t bytes)
{
	(void)bytes;
	take_event(rig, data);
	return 0;
}

static int open_ring(struct bench_rig *rig, ring_buffer_sample_fn on_one)
{
	rig->ring = ring_buffer__new(bpf_object__find_map_fd_by_name(rig->object, "bench_ring"),
				     on_one, rig, NULL);
	return rig->ring ? 0 : -errno;
}

static int open_ring_buffer(struct bench_rig *rig)
{
	return open_ring(rig, on_ring_sample);
}

static int take_ring_buffer(struct bench_rig *rig)
{
	int err;

	if (rig->transport->polls)
		err = ring_buffer__consume(rig->ring);
	else
		err = ring_buffer__poll(rig->ring, look_ms(rig));
	if (err >= 0 && !rig->transport->polls && is_time_to_look(rig))
		err = ring_buffer__consume(rig->ring);
	return err < 0 && err != -EINTR ? err : 0;
}

static int finish_ring_buffer(struct bench_rig *rig)
{
	int err = ring_buffer__consume(rig->ring);

	rig->drained_ns = bench_now_ns();
	return err < 0 ? err : 0;
}

static void close_ring_buffer(struct bench_rig *rig)
{
	ring_buffer__free(rig->ring);
}

/* ---- peat's stage in front of it ------------------------------------------------------------- */

static int on_frame(void *rig, void *data, size_t bytes)
{
	struct peat_frame frame;
	struct peat_frame_event event;

	if (peat_frame__open(&frame, data, bytes))
		return -EBADMSG;
	while (peat_frame__next(&frame, &event) > 0)
		take_event(rig, event.data);
	return 0;
}

static int open_rival(struct bench_rig *rig)
{
	int stage_fd = bpf_object__find_map_fd_by_name(rig->object, "peat_stage");

	rig->collect_fd =
		bpf_program__fd(bpf_object__find_program_by_name(rig->object, "bench_collect"));
	rig->stage = mmap(NULL, rig->stage_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, stage_fd, 0);
	if (rig->stage == MAP_FAILED) {
		rig->stage = NULL;
		return -errno;
	}
	return open_ring(rig, on_frame);
}

static bool has_staged(const struct bench_rig *rig, size_t cpu)
{
	const struct peat_slot *slot;
	size_t at = cpu * PEAT_SLOTS * rig->slot_bytes;

	for (size_t i = 0; i < PEAT_SLOTS; i++, at += rig->slot_bytes) {
		slot = (const void *)(rig->stage + at);
		if (__atomic_load_n(&slot->len, __ATOMIC_RELAXED))
			return true;
	}
	return false;
}

static int collect_cpu(const struct bench_rig *rig, size_t cpu)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts, .flags = BPF_F_TEST_RUN_ON_CPU, .cpu = (__u32)cpu);
	int err = bpf_prog_test_run_opts(rig->collect_fd, &opts);

	return err == -ENXIO ? 0 : err; /* it is offline */
}

static int collect(struct bench_rig *rig)
{
	size_t cpus = rig->stage_bytes / (PEAT_SLOTS * rig->slot_bytes);
	int err = 0;

	for (size_t cpu = 0; !err && cpu < cpus; cpu++)
		if (has_staged(rig, cpu))
			err = collect_cpu(rig, cpu);
	return err;
}

static int finish_rival(struct bench_rig *rig)
{
	int err = finish_ring_buffer(rig);

	if (!err)
		err = collect(rig);
	if (!err)
		err = ring_buffer__consume(rig->ring);
	return err < 0 ? err : 0;
}

static int take_rival(struct bench_rig *rig)
{
	int err = ring_buffer__poll(rig->ring, look_ms(rig));

	if (err >= 0 && is_time_to_look(rig)) {
		err = collect(rig);
		if (err >= 0)
			err = ring_buffer__consume(rig->ring);
	}
	return err < 0 && err != -EINTR ? err : 0;
}

static void close_rival(struct bench_rig *rig)
{
	ring_buffer__free(rig->ring);
	if (rig->stage)
		munmap(rig->stage, rig->stage_bytes);
}

const struct bench_reader *bench_reader__of(const struct bench_transport *transport)
{
	static const struct bench_reader readers[BENCH_WAYS] = {
		[BENCH_PEAT] = { open_peat, take_peat, finish_peat, close_peat, NULL, NULL },
		[BENCH_PERF_BUFFER] = { open_perf_buffer, take_perf_buffer, finish_perf_buffer,
					close_perf_buffer, NULL, NULL },
		[BENCH_RING_BUFFER] = { open_ring_buffer, take_ring_buffer, finish_ring_buffer,
					close_ring_buffer, NULL, NULL },
		[BENCH_RIVAL] = { open_rival, take_rival, finish_rival, close_rival, NULL, NULL },
	};

	if (transport->reader || !readers[transport->way].open)
		return transport->reader;
	return &readers[transport->way];
}

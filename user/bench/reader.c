// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * reader.c: the readers of the transports: peat's, and those of libbpf.  All of them count each
 * event and read its first word.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <linux/perf_event.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include <peat/peat.h>
#include <peat/wire.h>

#include "reader.h"

/* Poll timeout of libbpf's readers if they are woken for each event. */
#define DEFAULT_WAIT_MS 100

/* The payload is aligned to 4 bytes only. */
static inline void count_event(struct bench_rig *rig, const void *data)
{
	uint64_t first, now_ns;

	memcpy(&first, data, sizeof(first));
	rig->delivered++;
	rig->checksum += first;
	if (!rig->events.stamped || rig->latency_count == rig->latency_max)
		return;
	now_ns = bench_rig__now_ns();
	rig->latencies[rig->latency_count++] = now_ns > first ? now_ns - first : 0;
}

/* ---- polling below the watermark ------------------------------------------------------------- */

/* 3/4 of the latency, since an event may arrive just after a poll.  peat's reader does the same. */
static int poll_ms(const struct bench_rig *rig)
{
	uint32_t latency_ms = rig->transport->latency_ms;

	if (!rig->transport->wake_bytes && !rig->transport->wake_events)
		return DEFAULT_WAIT_MS;
	return latency_ms < 2 ? 1 : (int)(latency_ms * 3 / 4);
}

/* A busy reader's wait never times out, so the time of the last poll is checked instead. */
static bool is_time_to_poll(struct bench_rig *rig)
{
	uint64_t now_ns = bench_rig__now_ns();

	if (now_ns - rig->last_poll_ns < (uint64_t)poll_ms(rig) * 1000000)
		return false;
	rig->last_poll_ns = now_ns;
	return true;
}

/* ---- peat ------------------------------------------------------------------------------------ */

static int open_peat(struct bench_rig *rig)
{
	struct peat_reader_opts opts = PEAT_READER_OPTS_INIT;
	struct peat_reader_stats stats = { .sz = sizeof(stats) };

	opts.latency_ms = rig->transport->latency_ms;
	opts.immediate = !opts.latency_ms;
	opts.memory_bytes = rig->transport->ring_bytes * (uint64_t)sysconf(_SC_NPROCESSORS_ONLN) +
			    rig->stage_bytes;
	rig->reader = peat_reader__new(rig->channel, &opts);
	if (!rig->reader)
		return -errno;
	peat_reader__stats(rig->reader, &stats);
	/* Smaller rings, because of limits, would make the comparison invalid. */
	return stats.ring_bytes == rig->transport->ring_bytes ? 0 : -ENOMEM;
}

static void drain_peat(struct bench_rig *rig)
{
	const struct peat_event *event;

	while (peat_reader__next(rig->reader, &event) > 0)
		if (event->kind == PEAT_EVENT_DATA)
			count_event(rig, event->data);
}

static int read_peat(struct bench_rig *rig)
{
	int ready = peat_reader__wait(rig->reader, -1);

	if (ready > 0)
		drain_peat(rig);
	return ready < 0 && ready != -EINTR ? ready : 0;
}

/* Collecting staged events waits for a grace period, so it does not count as throughput. */
static int finish_peat(struct bench_rig *rig)
{
	drain_peat(rig); /* the rest of a round that had begun */
	drain_peat(rig);
	rig->drained_ns = bench_rig__now_ns();
	peat_reader__flush(rig->reader);
	drain_peat(rig);
	return 0;
}

static void close_peat(struct bench_rig *rig)
{
	peat_reader__free(rig->reader);
}

/* ---- peat, whose programs test and count ----------------------------------------------------- */

/* Events that were returned, rejected or counted, by programs or the reader, in all runs. */
static uint64_t settled(const struct bench_rig *rig)
{
	struct peat_ledger ledger = { .sz = sizeof(ledger) };

	if (peat_reader__ledger(rig->reader, PEAT_ALL_CPUS, &ledger))
		return 0;
	return ledger.delivered + ledger.filtered + ledger.counted;
}

/* Rows of earlier runs would grow the table, if all keys are new. */
static int begin_select(struct bench_rig *rig)
{
	rig->settled = settled(rig);
	return rig->table ? peat_table__clear(rig->table) : 0;
}

static int finish_select(struct bench_rig *rig)
{
	int err = finish_peat(rig), rows = 0;

	if (!err && rig->table)
		rows = peat_table__read(rig->table);
	rig->delivered = settled(rig) - rig->settled;
	return err ? err : rows < 0 ? rows : 0;
}

/* ---- libbpf's perf_buffer -------------------------------------------------------------------- */

static void on_sample(void *rig, int cpu, void *data, __u32 bytes)
{
	(void)cpu;
	(void)bytes;
	count_event(rig, data);
}

static enum bpf_perf_event_ret on_record(void *rig, int cpu, struct perf_event_header *record)
{
	(void)cpu;
	if (record->type == PERF_RECORD_SAMPLE)
		count_event(rig, (unsigned char *)(record + 1) + sizeof(uint32_t));
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

static int read_perf_buffer(struct bench_rig *rig)
{
	int err = perf_buffer__poll(rig->perf, poll_ms(rig));

	if (err >= 0 && is_time_to_poll(rig))
		err = perf_buffer__consume(rig->perf);
	return err < 0 && err != -EINTR ? err : 0;
}

static int finish_perf_buffer(struct bench_rig *rig)
{
	int err = perf_buffer__consume(rig->perf);

	rig->drained_ns = bench_rig__now_ns();
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
	count_event(rig, data);
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

static int read_ring_buffer(struct bench_rig *rig)
{
	int err;

	if (rig->transport->polls)
		err = ring_buffer__consume(rig->ring);
	else
		err = ring_buffer__poll(rig->ring, poll_ms(rig));
	if (err >= 0 && !rig->transport->polls && is_time_to_poll(rig))
		err = ring_buffer__consume(rig->ring);
	return err < 0 && err != -EINTR ? err : 0;
}

static int finish_ring_buffer(struct bench_rig *rig)
{
	int err = ring_buffer__consume(rig->ring);

	rig->drained_ns = bench_rig__now_ns();
	return err < 0 ? err : 0;
}

static void close_ring_buffer(struct bench_rig *rig)
{
	ring_buffer__free(rig->ring);
}

/* ---- peat's stage in front of a BPF ring buffer ---------------------------------------------- */

static int on_frame(void *rig, void *data, size_t bytes)
{
	struct peat_frame frame = { .sz = sizeof(frame) };
	struct peat_frame_event event = { .sz = sizeof(event) };

	if (peat_frame__open(&frame, data, bytes))
		return -EBADMSG;
	while (peat_frame__next(&frame, &event) > 0)
		count_event(rig, event.data);
	return 0;
}

static int open_stage_ringbuf(struct bench_rig *rig)
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

	return err == -ENXIO ? 0 : err; /* the CPU is offline */
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

static int finish_stage_ringbuf(struct bench_rig *rig)
{
	int err = finish_ring_buffer(rig);

	if (!err)
		err = collect(rig);
	if (!err)
		err = ring_buffer__consume(rig->ring);
	return err < 0 ? err : 0;
}

static int read_stage_ringbuf(struct bench_rig *rig)
{
	int err = ring_buffer__poll(rig->ring, poll_ms(rig));

	if (err >= 0 && is_time_to_poll(rig)) {
		err = collect(rig);
		if (err >= 0)
			err = ring_buffer__consume(rig->ring);
	}
	return err < 0 && err != -EINTR ? err : 0;
}

static void close_stage_ringbuf(struct bench_rig *rig)
{
	ring_buffer__free(rig->ring);
	if (rig->stage)
		munmap(rig->stage, rig->stage_bytes);
}

const struct bench_reader *bench_reader__find(const struct bench_transport *transport)
{
	static const struct bench_reader readers[BENCH_WAYS] = {
		[BENCH_PEAT] = { open_peat, read_peat, finish_peat, close_peat, NULL, NULL },
		[BENCH_SELECT] = { open_peat, read_peat, finish_select, close_peat, begin_select,
				   NULL },
		[BENCH_PERF_BUFFER] = { open_perf_buffer, read_perf_buffer, finish_perf_buffer,
					close_perf_buffer, NULL, NULL },
		[BENCH_RING_BUFFER] = { open_ring_buffer, read_ring_buffer, finish_ring_buffer,
					close_ring_buffer, NULL, NULL },
		[BENCH_STAGE_RINGBUF] = { open_stage_ringbuf, read_stage_ringbuf,
					  finish_stage_ringbuf, close_stage_ringbuf, NULL, NULL },
	};

	if (transport->reader || !readers[transport->way].open)
		return transport->reader;
	return &readers[transport->way];
}

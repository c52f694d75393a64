/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * bench_rig.h: a transport, set up: its BPF program, loaded, and its reader in user space.
 */
#ifndef BENCH_RIG_H
#define BENCH_RIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench.bpf.h"

struct bench_reader;
struct bpf_link;
struct bpf_object;
struct bpf_program;
struct peat_channel;
struct peat_reader;
struct perf_buffer;
struct ring_buffer;

enum bench_way {
	BENCH_NONE,  /* the program without output */
	BENCH_CLOCK, /* likewise, but for each event it reads the clock */
	BENCH_PEAT,
	BENCH_PERF_BUFFER, /* libbpf's */
	BENCH_RING_BUFFER, /* libbpf's */
	BENCH_RIVAL,	   /* peat's stage, in front of a ring buffer */
	BENCH_TOOL,	   /* whatever the reader starts, or nothing at all: no program of ours */
	BENCH_WAYS
};

/* A transport and how it is set. */
struct bench_transport {
	enum bench_way way;
	char setting[48]; /* in words */
	/* Of the stage: as in peat_channel_opts. */
	uint32_t batch_bytes;
	bool no_time, no_ids, local_locks;
	/* Of a ring; a BPF ring buffer has that of all CPUs together. */
	size_t ring_bytes;
	/*
	 * When the reader is woken: at so many bytes, or (perf_buffer) events; by default as libbpf
	 * does it.  What stays below that is taken every now and then, so that latency_ms holds.
	 */
	uint64_t wake_bytes;
	uint32_t wake_events;
	bool polls; /* the reader never sleeps, and is never woken */
	uint32_t latency_ms;
	/* Of those who are no part of peat bench: what they are called, their reader, what it
	 * needs. */
	const char *name;
	const struct bench_reader *reader;
	const void *peer;
};

/* Of the events. */
struct bench_events {
	uint32_t bytes;
	bool stamped;
};

/* A program that emits, and the object that it is of. */
struct bench_program {
	struct bpf_object *object;
	struct bpf_program *program;
	struct bpf_link *link; /* while it is attached */
};

#define BENCH_PROGRAMS_MAX 16

struct bench_rig {
	const struct bench_transport *transport;
	struct bench_events events;
	struct bpf_object *object; /* of the first program: it has the maps */
	struct bench_program programs[BENCH_PROGRAMS_MAX];
	uint32_t program_count;
	volatile struct bench_control *control;

	/* Of these there is what the transport needs. */
	struct peat_channel *channel;
	struct peat_reader *reader;
	struct perf_buffer *perf;
	struct ring_buffer *ring;
	unsigned char *stage;
	size_t stage_bytes, slot_bytes;
	int collect_fd;	  /* of the program that sends what is staged */
	uint64_t look_ns; /* when all was looked at */
	void *peer;	  /* of transport->reader */

	/* What the reader got; a latency for each event, up to latencies_max of them. */
	uint64_t delivered, checksum;
	uint64_t drained_ns; /* when the rings were empty, once nothing more is emitted */
	uint64_t *latencies;
	size_t latency_count, latency_max;
	/* If the reader is another process: its CPU time in this run, and when it had got all. */
	uint64_t peer_ns, peer_end_ns;
	struct bench_control own_control; /* where there is no program */
};

/* "peat", "perf_buffer" and so on. */
const char *bench_way__name(enum bench_way way);
const char *bench_transport__name(const struct bench_transport *transport);

/* 0 or a negative errno, which was complained about; the rig can be closed either way. */
int bench_rig__open(struct bench_rig *rig, const struct bench_transport *transport,
		    const struct bench_events *events);
void bench_rig__close(struct bench_rig *rig);

/*
 * One more program, in an object of its own, that emits the same into the same rings at the same
 * events.  0 or a negative errno, which was complained about.
 */
int bench_rig__add_program(struct bench_rig *rig);

int bench_rig__attach(struct bench_rig *rig);
void bench_rig__detach(struct bench_rig *rig);

/* False: nothing is carried, and there is nothing to take. */
bool bench_rig__reads(const struct bench_rig *rig);

/* Waits for events, but not for long, and takes those that there are.  0 or a negative errno. */
int bench_rig__take(struct bench_rig *rig);

/* Takes all that is left, once nothing more is emitted. */
int bench_rig__finish(struct bench_rig *rig);

/* Bytes of the kernel's for its rings and its stage, as the kernel counts them. */
uint64_t bench_rig__ring_bytes(const struct bench_rig *rig);
uint64_t bench_rig__stage_bytes(const struct bench_rig *rig);

uint64_t bench_now_ns(void);

#endif /* BENCH_RIG_H */

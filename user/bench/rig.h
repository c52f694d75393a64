/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* rig.h: a transport that is set up: its loaded BPF program and its reader in user space. */
#ifndef BENCH_RIG_H
#define BENCH_RIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bench/bpf/bench.bpf.h"

struct bench_reader;
struct bpf_link;
struct bpf_object;
struct bpf_program;
struct peat_channel;
struct peat_reader;
struct peat_table;
struct peat_where;
struct perf_buffer;
struct ring_buffer;

enum bench_way {
	BENCH_NONE,  /* a program without output */
	BENCH_CLOCK, /* likewise, but it reads the clock for each event */
	BENCH_PEAT,
	BENCH_PERF_BUFFER,   /* libbpf's */
	BENCH_RING_BUFFER,   /* libbpf's */
	BENCH_STAGE_RINGBUF, /* peat's stage in front of a BPF ring buffer */
	BENCH_LOAD,	     /* the load of workload select, without events */
	BENCH_SELECT,	     /* its events over a peat channel, which may test and count them */
	BENCH_DISCARD,	     /* likewise, but the program tests and discards them */
	BENCH_HAND_TEST,     /* likewise without peat, like the next */
	BENCH_HAND_COUNT,
	BENCH_HAND_COMM,
	BENCH_HAND_LOG2,
	BENCH_TOOL, /* no program of the benchmark: the reader may start one */
	BENCH_WAYS
};

/* A transport and its settings. */
struct bench_transport {
	enum bench_way way;
	char setting[48]; /* printed */
	/* Stage: as in peat_channel_opts. */
	uint32_t batch_bytes;
	bool no_time, no_ids;
	/* Only of BENCH_SELECT: an expression, and a table (as in peat_table_opts); or NULL. */
	const char *where, *by, *field;
	uint32_t values; /* PEAT_TABLE_*; 0: no table */
	/* Per perf ring; a BPF ring buffer has the bytes of all CPUs. */
	size_t ring_bytes;
	/*
	 * The reader is woken after this many bytes or (perf_buffer) events; 0: libbpf's default.
	 * It also polls, so that events below the watermark are read within latency_ms.
	 */
	uint64_t wake_bytes;
	uint32_t wake_events;
	bool polls; /* the reader busy-polls: it never sleeps and is never woken */
	uint32_t latency_ms;
	/* Only for peers outside of peat bench: their name, their reader and its data. */
	const char *name;
	const struct bench_reader *reader;
	const void *peer;
};

struct bench_events {
	uint32_t bytes;
	bool stamped; /* the first 8 bytes are the time */
};

/* A program that emits, and its object. */
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

	/* NULL or 0 if the transport does not need it. */
	struct peat_channel *channel;
	struct peat_reader *reader;
	struct peat_where *where;
	struct peat_table *table;
	uint64_t settled; /* events of earlier runs, if they are selected */
	struct perf_buffer *perf;
	struct ring_buffer *ring;
	unsigned char *stage;
	size_t stage_bytes, slot_bytes;
	int collect_fd;	       /* of the program that sends staged events */
	uint64_t last_poll_ns; /* last poll of all rings */
	void *peer;	       /* state of transport->reader */

	/* Read so far; a latency for each event, up to latency_max of them. */
	uint64_t delivered, checksum;
	uint64_t drained_ns; /* when the rings were empty after the last event */
	uint64_t *latencies;
	size_t latency_count, latency_max;
	/* If the reader is another process: its CPU time in this run, and the time of its last
	 * event. */
	uint64_t peer_ns, peer_end_ns;
	struct bench_control own_control; /* if there is no program */
};

/* "peat", "perf_buffer" and so on. */
const char *bench_rig__way_name(enum bench_way way);
const char *bench_rig__transport_name(const struct bench_transport *transport);

/* 0 or a negative errno, which has been printed.  The rig can be closed either way. */
int bench_rig__open(struct bench_rig *rig, const struct bench_transport *transport,
		    const struct bench_events *events);
void bench_rig__close(struct bench_rig *rig);

/*
 * Adds a program, in an object of its own, that emits the same events into the same rings on the
 * same tracepoint.  0 or a negative errno, which has been printed.
 */
int bench_rig__add_program(struct bench_rig *rig);

int bench_rig__attach(struct bench_rig *rig);
void bench_rig__detach(struct bench_rig *rig);

/* False: the program has no output. */
bool bench_rig__has_reader(const struct bench_rig *rig);

/* Waits a short time for events and reads those available.  0 or a negative errno. */
int bench_rig__read(struct bench_rig *rig);

/* Drains the rings after the last event. */
int bench_rig__finish(struct bench_rig *rig);

/* Kernel memory of the rings and of the stage in bytes, as the kernel accounts it. */
uint64_t bench_rig__ring_bytes(const struct bench_rig *rig);
uint64_t bench_rig__stage_bytes(const struct bench_rig *rig);

/* peat_clock__now_ns(). */
uint64_t bench_rig__now_ns(void);

#endif /* BENCH_RIG_H */

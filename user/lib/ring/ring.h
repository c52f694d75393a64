/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef RING_H
#define RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/perf_event.h>

/* A perf event that writes into a ring; fd -1: there is none. */
struct ring_event {
	int fd;
	uint64_t lost; /* what those had counted that it replaced */
};

#define RING_EVENTS 33

struct ring_id;

/*
 * One CPU's perf ring: its events, its memory, and how far it has been read.
 *
 *     data_tail ──▶ released      the kernel may overwrite up to here
 *                   lent          where the record begins that is in use: the one handed out last
 *                   tail          what has been handed out
 *                   limit         what was there when the look began
 *     data_head ──▶ ...           where the kernel writes
 *
 * `ahead` and `ahead_limit` are those of a second reader, which looks ahead and takes nothing.
 *
 * Positions only grow, modulo 2^64; `& mask` makes an offset of one.  `data` is followed by
 * RING_SLACK_BYTES of ordinary memory: a record that wraps gets its second part copied there, so
 * that every record is contiguous.
 */
struct ring {
	int fd; /* the perf event that owns the memory, -1 if there is no ring */
	struct ring_event events[RING_EVENTS];
	struct ring_id *ids; /* of all that wrote here: see ring__identify() */
	uint32_t id_count;
	uint32_t cpu;
	struct perf_event_mmap_page *page;
	unsigned char *data;
	uint64_t mask;
	uint64_t released, lent, tail, limit;
	uint64_t ahead, ahead_limit;
	uint64_t corrupt; /* times the ring's bytes made no sense, the rest of a look skipped */
	size_t mapped_bytes;
};

/* The longest record is 65,535 bytes: its size is 16 bits. */
#define RING_SLACK_BYTES 65536u

/*
 * Opens `attr` for every task on `cpu` and returns the fd, or a negative errno.  `attr->size` says
 * how long the struct is.  A kernel that knows less of it says how much (E2BIG): the rest is cut
 * off and the log tells.
 */
int ring__open_event(struct perf_event_attr *attr, uint32_t cpu);

/* Maps `ring_bytes` (pages times a power of two) over `fd`, which the ring owns on success. */
int ring__map(struct ring *ring, int fd, uint32_t cpu, uint64_t ring_bytes);

/* No ring: fd and those of the events are -1. */
void ring__clear(struct ring *ring);

/* Makes the event `fd` write into this ring as well. */
int ring__join(const struct ring *ring, int fd);

/*
 * From now on `fd`, which has joined, is event `index`; the ring owns it on success.  Event 0 is
 * the one that ring__map() had, until another takes its place: when a CPU goes offline its events
 * die, and stay dead when it returns; the memory, and what is unread in it, belongs to the first
 * one and stays.  What the former one lost goes on counting, so it should not be written to any
 * more.
 */
int ring__set_event(struct ring *ring, uint32_t index, int fd);

/* From now on ring__find() knows the event by the id that is in its samples. */
int ring__identify(struct ring *ring, uint32_t index);

/* Which event wrote a sample of this id, also when it was replaced since; -1: none is known. */
int ring__find(const struct ring *ring, uint64_t id);

/*
 * How long event 0 has been enabled.  Of one that lives it grows, from one read(2) to the next.  0
 * or a negative errno.
 */
int ring__enabled_ns(const struct ring *ring, uint64_t *enabled_ns);

/* The ring over memory that is there already: data and slack behind it, ring_bytes a power of 2. */
void ring__init(struct ring *ring, struct perf_event_mmap_page *page, void *data,
		uint64_t ring_bytes);

/* Refuses what the kernel would write, from now on. */
void ring__pause(const struct ring *ring);

void ring__close(struct ring *ring);

/* Starts a look: what the kernel has written by now is what ring__next() will hand out. */
void ring__look(struct ring *ring);

/*
 * The next whole record of this look, NULL when there is none.  It may be read until its bytes are
 * given back by ring__release().  Bytes that cannot be records end the look: they are counted and
 * skipped, as there is no telling where the next record begins.
 */
const struct perf_event_header *ring__next(struct ring *ring);

/* Gives everything handed out back to the kernel. */
void ring__release(struct ring *ring);

static inline uint64_t ring__unreleased(const struct ring *ring)
{
	return ring->tail - ring->released;
}

/* Records of event `index` that found no room; 0 if the kernel does not count them.  0 or a
 * negative errno. */
int ring__lost(const struct ring *ring, uint32_t index, uint64_t *lost);

/* ---- ahead of what is handed out ------------------------------------------------------------- */

/* Begins to look ahead, or goes on: up to what the kernel has written by now. */
void ring__look_ahead(struct ring *ring);

/*
 * The header of the next record ahead; false when there is none, or when its bytes cannot be one:
 * that stays so until ring__next() has passed them.
 */
bool ring__peek(const struct ring *ring, struct perf_event_header *header);

/* Copies the record that ring__peek() found, header->size bytes. */
void ring__copy_ahead(const struct ring *ring, const struct perf_event_header *header, void *copy);

/* Goes on behind it. */
static inline void ring__skip_ahead(struct ring *ring, const struct perf_event_header *header)
{
	ring->ahead += header->size;
}

/* Whether ring__skip_ahead() has passed the record that ring__next() handed out last. */
static inline bool ring__was_ahead(const struct ring *ring)
{
	return (int64_t)(ring->ahead - ring->lent) > 0;
}

#endif /* RING_H */

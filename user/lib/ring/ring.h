/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_RING_RING_H
#define PEAT_RING_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/perf_event.h>

/* A perf event that writes into a ring. */
struct ring_event {
	int fd;	       /* -1: no event */
	uint64_t lost; /* records lost by the events that it replaced */
};

/* The id in an event's samples. */
struct ring_id {
	uint64_t id;
	uint32_t index; /* of the event */
};

/*
 * The perf ring of one CPU: its events, its memory and the read positions.
 *
 *     data_tail ──▶ released      the kernel may overwrite everything before this
 *                   lent          start of the record that ring__next() returned last
 *                   tail          end of that record
 *                   limit         data_head as of the last ring__read_head()
 *     data_head ──▶ ...           the kernel writes here
 *
 * `ahead` and `ahead_limit` are the `tail` and `limit` of a second cursor, which reads ahead and
 * consumes nothing.
 *
 * Positions only grow, modulo 2^64; position & mask is an offset into `data`.  RING_SLACK_BYTES of
 * ordinary memory follow `data`: the second part of a record that wraps is copied there, so that
 * every record is contiguous.
 */
struct ring {
	int fd; /* the perf event that owns the memory; -1: no ring */
	struct ring_event *events;
	uint32_t event_count;
	uint32_t watched;    /* index of the event that reports new data to epoll */
	struct ring_id *ids; /* of all events, past ones included: see ring__add_event_id() */
	uint32_t id_count;
	uint32_t cpu;
	struct perf_event_mmap_page *page;
	unsigned char *data;
	uint64_t mask;
	uint64_t released, lent, tail, limit;
	uint64_t ahead, ahead_limit;
	uint64_t corrupt; /* times that invalid bytes were skipped, up to `limit` */
	size_t mapped_bytes;
};

/* The longest record is 65,535 bytes: its size is 16 bits. */
#define RING_SLACK_BYTES 65536u

/*
 * Maps `ring_bytes` (pages times a power of two) of `fd`, which is event `index` and which the ring
 * owns on success.  -ENOBUFS: this process has no memory for the events; -ENOMEM, -EPERM: the ring
 * is too large.
 */
int ring__map(struct ring *ring, uint32_t index, int fd, uint32_t cpu, uint64_t ring_bytes);

/*
 * The same for an event with write_backward.  The mapping is read-only, so records overwrite the
 * oldest ones: see ring/backward.h.
 */
int ring__map_backward(struct ring *ring, int fd, uint32_t cpu, uint64_t ring_bytes);

/* Makes it no ring: all fds are -1. */
void ring__clear(struct ring *ring);

/* Makes room for events with an index below `count`: without an event, their fd is -1.  -ENOMEM. */
int ring__reserve(struct ring *ring, uint32_t count);

/* Makes the event `fd` write into this ring (PERF_EVENT_IOC_SET_OUTPUT). */
int ring__redirect(const struct ring *ring, int fd);

/*
 * Makes `fd`, which was redirected into this ring, event `index`; the ring owns it on success.
 * ring__map() sets the first event.  Events are replaced because they die with their CPU and stay
 * dead when it returns; the memory and its unread records belong to ring->fd and stay.  The losses
 * of the replaced event are kept in the sum, so nothing may write to it any more.
 */
int ring__set_event(struct ring *ring, uint32_t index, int fd);

/* Makes ring__event_of_id() find event `index` by the id in its samples.  0 or a negative errno. */
int ring__add_event_id(struct ring *ring, uint32_t index);

/* The index of the event with this id, replaced ones included; -1: unknown id. */
int ring__event_of_id(const struct ring *ring, uint64_t id);

/*
 * The time that the watched event has been enabled.  If the event is alive, it grows from one
 * read(2) to the next.  0 or a negative errno.
 */
int ring__enabled_ns(const struct ring *ring, uint64_t *enabled_ns);

/* Uses existing memory: `data` is ring_bytes (a power of 2), followed by the slack. */
void ring__init(struct ring *ring, struct perf_event_mmap_page *page, void *data,
		uint64_t ring_bytes);

/* Makes the kernel discard all further records, which it counts as lost. */
void ring__pause(const struct ring *ring);

void ring__close(struct ring *ring);

/* Reads data_head: ring__next() returns the records that the kernel has written before. */
void ring__read_head(struct ring *ring);

/*
 * Returns the next record before `limit`, or NULL.  It is valid until ring__release().  Invalid
 * bytes are counted, and skipped up to `limit`: where the next record begins is unknown.
 */
const struct perf_event_header *ring__next(struct ring *ring);

/* Returns the memory of all records returned so far to the kernel. */
void ring__release(struct ring *ring);

static inline uint64_t ring__unreleased(const struct ring *ring)
{
	return ring->tail - ring->released;
}

/*
 * Counts the records of event `index` that found the ring full: 0 records if the kernel does not
 * count them.  0 or a negative errno.
 */
int ring__lost(const struct ring *ring, uint32_t index, uint64_t *lost);

/* ---- reading ahead --------------------------------------------------------------------------- */

/* Starts or continues to read ahead, up to the present data_head. */
void ring__look_ahead(struct ring *ring);

/*
 * Copies the header of the next record ahead.  False: there is no further record, or its bytes are
 * invalid, which stays so until ring__next() has skipped them.
 */
bool ring__peek(const struct ring *ring, struct perf_event_header *header);

/* Copies the record that ring__peek() found, header->size bytes. */
void ring__copy_ahead(const struct ring *ring, const struct perf_event_header *header, void *copy);

/* Continues after that record. */
static inline void ring__skip_ahead(struct ring *ring, const struct perf_event_header *header)
{
	ring->ahead += header->size;
}

/* Whether ring__skip_ahead() has passed the record that ring__next() returned last. */
static inline bool ring__was_ahead(const struct ring *ring)
{
	return (int64_t)(ring->ahead - ring->lent) > 0;
}

#endif /* PEAT_RING_RING_H */

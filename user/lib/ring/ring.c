// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * ring/ring.c: the memory shared with the kernel, and the memory ordering on it.  No other file of
 * libpeat maps or synchronises a perf ring.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/array.h"
#include "base/log.h"
#include "ring/ring.h"

/*
 * The protocol of kernel/events/ring_buffer.c:
 *
 *     kernel                                   user
 *
 *     if (LOAD ->data_tail) {                  LOAD ->data_head
 *                       (A)                    smp_rmb()          (C)
 *         STORE $data                          LOAD $data
 *         smp_wmb()     (B)                    smp_mb()           (D)
 *         STORE ->data_head                    STORE ->data_tail
 *     }
 *
 * An acquire load is at least (C), a release store at least (D).
 */
static uint64_t load_head(const struct ring *ring)
{
	return __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE); /* C, matches B */
}

static void store_tail(struct ring *ring)
{
	__atomic_store_n(&ring->page->data_tail, ring->tail, __ATOMIC_RELEASE); /* D, matches A */
}

/*
 * Maps a larger area of ordinary memory first, then the ring over its start; the remainder is the
 * slack.  (Mapping the ring twice in a row instead fails: EINVAL, Linux 6.1, 6.18.)
 */
static void *map_with_slack(int fd, size_t ring_bytes, size_t slack_bytes)
{
	void *area, *ring;
	int err;

	area = mmap(NULL, ring_bytes + slack_bytes, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (area == MAP_FAILED)
		return area;
	ring = mmap(area, ring_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0);
	if (ring == MAP_FAILED) {
		err = errno;
		munmap(area, ring_bytes + slack_bytes);
		errno = err;
	}
	return ring;
}

/* The ring owns the fd, unless there is no memory. */
static int own_event(struct ring *ring, uint32_t index, int fd, uint32_t cpu)
{
	if (ring__reserve(ring, index + 1)) {
		ring__close(ring);
		return -ENOBUFS; /* ENOMEM is the kernel's: the ring is too large */
	}
	ring->fd = ring->events[index].fd = fd;
	ring->watched = index;
	ring->cpu = cpu;
	return 0;
}

int ring__map(struct ring *ring, uint32_t index, int fd, uint32_t cpu, uint64_t ring_bytes)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	size_t slack_bytes = (RING_SLACK_BYTES + page_bytes - 1) & ~(page_bytes - 1);
	void *area = map_with_slack(fd, page_bytes + ring_bytes, slack_bytes);

	if (area == MAP_FAILED)
		return -errno;
	ring__init(ring, area, (unsigned char *)area + page_bytes, ring_bytes);
	ring->mapped_bytes = page_bytes + ring_bytes + slack_bytes;
	return own_event(ring, index, fd, cpu);
}

int ring__map_backward(struct ring *ring, int fd, uint32_t cpu, uint64_t ring_bytes)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	size_t bytes = page_bytes + ring_bytes;
	void *area = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);

	if (area == MAP_FAILED)
		return -errno;
	ring__init(ring, area, (unsigned char *)area + page_bytes, ring_bytes);
	ring->mapped_bytes = bytes;
	return own_event(ring, 0, fd, cpu);
}

void ring__init(struct ring *ring, struct perf_event_mmap_page *page, void *data,
		uint64_t ring_bytes)
{
	uint64_t tail = page->data_tail; /* only user space writes it: a plain load is enough */

	ring__clear(ring);
	ring->page = page;
	ring->data = data;
	ring->mask = ring_bytes - 1;
	ring->released = ring->lent = ring->tail = ring->limit = tail;
	ring->ahead = ring->ahead_limit = tail;
}

void ring__clear(struct ring *ring)
{
	*ring = (struct ring){ .fd = -1 };
}

void ring__pause(const struct ring *ring)
{
	if (ioctl(ring->fd, PERF_EVENT_IOC_PAUSE_OUTPUT, 1))
		log__warn("cannot pause the ring of CPU %u: %s", ring->cpu, strerror(errno));
}

void ring__close(struct ring *ring)
{
	if (ring->mapped_bytes)
		munmap(ring->page, ring->mapped_bytes);
	for (uint32_t i = 0; i < ring->event_count; i++)
		if (ring->events[i].fd >= 0 && ring->events[i].fd != ring->fd)
			close(ring->events[i].fd);
	if (ring->fd >= 0)
		close(ring->fd);
	free(ring->ids);
	free(ring->events);
	ring__clear(ring);
}

/* ---- events ---------------------------------------------------------------------------------- */

/* read_format TOTAL_TIME_ENABLED and, if the kernel supports it, LOST: `lost` stays 0 otherwise. */
struct counts {
	uint64_t value, enabled_ns, lost;
};

static int read_counts(int fd, struct counts *counts)
{
	ssize_t bytes;

	*counts = (struct counts){ 0 };
	bytes = read(fd, counts, sizeof(*counts));
	if (bytes < 0)
		return -errno;
	return bytes == sizeof(*counts) || bytes == offsetof(struct counts, lost) ? 0 : -EBADMSG;
}

static int add_lost_records(int fd, uint64_t *lost)
{
	struct counts counts;
	int err = read_counts(fd, &counts);

	*lost += err ? 0 : counts.lost;
	return err;
}

int ring__reserve(struct ring *ring, uint32_t count)
{
	struct ring_event *events;

	if (count <= ring->event_count)
		return 0;
	events = reallocarray(ring->events, count, sizeof(*events));
	if (!events)
		return -ENOMEM;
	ring->events = events;
	while (ring->event_count < count)
		events[ring->event_count++] = (struct ring_event){ .fd = -1 };
	return 0;
}

int ring__redirect(const struct ring *ring, int fd)
{
	return ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring->fd) ? -errno : 0;
}

int ring__set_event(struct ring *ring, uint32_t index, int fd)
{
	struct ring_event *event;
	int err = ring__reserve(ring, index + 1);

	if (err)
		return err;
	event = &ring->events[index];
	if (event->fd >= 0)
		err = add_lost_records(event->fd, &event->lost);
	if (err)
		return err;
	if (event->fd >= 0 && event->fd != ring->fd)
		close(event->fd);
	event->fd = fd;
	return 0;
}

/* The kernel gives later events greater ids, but the ids need not come here in that order. */
int ring__add_event_id(struct ring *ring, uint32_t index)
{
	struct ring_id id = { .index = index };
	uint32_t at = ring->id_count;

	if (ioctl(ring->events[index].fd, PERF_EVENT_IOC_ID, &id.id))
		return -errno;
	if (!ARRAY_RESERVE_NEXT(ring->ids, ring->id_count))
		return -ENOMEM;
	for (; at && ring->ids[at - 1].id > id.id; at--)
		ring->ids[at] = ring->ids[at - 1];
	ring->ids[at] = id;
	ring->id_count++;
	return 0;
}

int ring__event_of_id(const struct ring *ring, uint64_t id)
{
	uint32_t low = 0, high = ring->id_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (ring->ids[middle].id <= id)
			low = middle + 1;
		else
			high = middle;
	}
	return low && ring->ids[low - 1].id == id ? (int)ring->ids[low - 1].index : -1;
}

int ring__enabled_ns(const struct ring *ring, uint64_t *enabled_ns)
{
	struct counts counts;
	int err = ring->event_count ? read_counts(ring->events[ring->watched].fd, &counts) : -EBADF;

	*enabled_ns = err ? 0 : counts.enabled_ns;
	return err;
}

int ring__lost(const struct ring *ring, uint32_t index, uint64_t *lost)
{
	const struct ring_event *event;

	*lost = 0;
	if (index >= ring->event_count)
		return 0;
	event = &ring->events[index];
	*lost = event->lost;
	return event->fd < 0 ? 0 : add_lost_records(event->fd, lost);
}

/* ---- reading --------------------------------------------------------------------------------- */

void ring__read_head(struct ring *ring)
{
	ring->limit = load_head(ring);
}

/* The cursor that reads ahead may have followed the invalid bytes: it restarts at `limit` too. */
static const struct perf_event_header *skip_corrupt(struct ring *ring)
{
	ring->corrupt++;
	ring->lent = ring->tail = ring->ahead = ring->limit;
	return NULL;
}

/* Size of the record at position `at`, with `left` bytes up to the limit; 0: no valid record. */
static uint32_t record_size_at(const struct ring *ring, uint64_t at, uint64_t left)
{
	const struct perf_event_header *record = (const void *)(ring->data + (at & ring->mask));
	uint32_t size;

	if (left > ring->mask + 1 || left < sizeof(*record) || at % 8)
		return 0;
	size = record->size;
	return size < sizeof(*record) || size % 8 || size > left ? 0 : size;
}

const struct perf_event_header *ring__next(struct ring *ring)
{
	uint64_t left = ring->limit - ring->tail, ring_bytes = ring->mask + 1;
	uint64_t offset = ring->tail & ring->mask;
	uint32_t size;

	if (!left)
		return NULL;
	size = record_size_at(ring, ring->tail, left);
	if (!size)
		return skip_corrupt(ring);
	if (offset + size > ring_bytes)
		memcpy(ring->data + ring_bytes, ring->data, offset + size - ring_bytes);
	ring->lent = ring->tail;
	ring->tail += size;
	return (const void *)(ring->data + offset);
}

void ring__release(struct ring *ring)
{
	if (!ring__unreleased(ring))
		return;
	store_tail(ring);
	ring->released = ring->lent = ring->tail;
}

/* ---- reading ahead --------------------------------------------------------------------------- */

/*
 * The cursor is never before `lent`, as the kernel may overwrite released records; the record that
 * ring__next() returned last stays until the next call.
 */
void ring__look_ahead(struct ring *ring)
{
	if (!ring__was_ahead(ring))
		ring->ahead = ring->lent;
	ring->ahead_limit = load_head(ring);
}

bool ring__peek(const struct ring *ring, struct perf_event_header *header)
{
	uint64_t left = ring->ahead_limit - ring->ahead;

	if (!left || !record_size_at(ring, ring->ahead, left))
		return false;
	memcpy(header, ring->data + (ring->ahead & ring->mask), sizeof(*header));
	return true;
}

void ring__copy_ahead(const struct ring *ring, const struct perf_event_header *header, void *copy)
{
	uint64_t ring_bytes = ring->mask + 1, offset = ring->ahead & ring->mask;
	uint64_t first = ring_bytes - offset < header->size ? ring_bytes - offset : header->size;

	memcpy(copy, ring->data + offset, first);
	memcpy((unsigned char *)copy + first, ring->data, header->size - first);
}

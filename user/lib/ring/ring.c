// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * ring/ring.c: perf_event_open(2), the memory shared with the kernel, and the memory ordering on
 * it.  No other file of libpeat opens, maps or synchronises a perf ring.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/internal.h"
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

static int perf_event_open(struct perf_event_attr *attr, uint32_t cpu)
{
	long fd = syscall(SYS_perf_event_open, attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

int ring__open_event(struct perf_event_attr *attr, uint32_t cpu)
{
	uint32_t stated = attr->size;
	int fd = perf_event_open(attr, cpu);

	/* perf_copy_attr() sets attr->size to the size it supports if the tail is not zero. */
	if (fd != -E2BIG || attr->size < PERF_ATTR_SIZE_VER0 || attr->size >= stated)
		return fd;
	log__warn("perf_event_attr: this kernel supports only %u of %u bytes: the rest is left out",
		  attr->size, stated);
	memset((unsigned char *)attr + attr->size, 0, stated - attr->size);
	return perf_event_open(attr, cpu);
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

int ring__map(struct ring *ring, int fd, uint32_t cpu, uint64_t ring_bytes)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	size_t slack_bytes = (RING_SLACK_BYTES + page_bytes - 1) & ~(page_bytes - 1);
	void *area = map_with_slack(fd, page_bytes + ring_bytes, slack_bytes);

	if (area == MAP_FAILED)
		return -errno;
	ring__init(ring, area, (unsigned char *)area + page_bytes, ring_bytes);
	ring->fd = ring->events[0].fd = fd;
	ring->cpu = cpu;
	ring->mapped_bytes = page_bytes + ring_bytes + slack_bytes;
	return 0;
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
	for (uint32_t i = 0; i < RING_EVENTS; i++)
		ring->events[i].fd = -1;
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
	for (uint32_t i = 0; i < RING_EVENTS; i++)
		if (ring->events[i].fd >= 0 && ring->events[i].fd != ring->fd)
			close(ring->events[i].fd);
	if (ring->fd >= 0)
		close(ring->fd);
	free(ring->ids);
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

int ring__redirect(const struct ring *ring, int fd)
{
	return ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring->fd) ? -errno : 0;
}

int ring__set_event(struct ring *ring, uint32_t index, int fd)
{
	struct ring_event *event = &ring->events[index];
	int err = 0;

	if (event->fd >= 0)
		err = add_lost_records(event->fd, &event->lost);
	if (err)
		return err;
	if (event->fd >= 0 && event->fd != ring->fd)
		close(event->fd);
	event->fd = fd;
	return 0;
}

/* An id in samples, and the index of its event. */
struct ring_id {
	uint64_t id;
	uint32_t index;
};

int ring__add_event_id(struct ring *ring, uint32_t index)
{
	struct ring_id *ids, id = { .index = index };

	if (ioctl(ring->events[index].fd, PERF_EVENT_IOC_ID, &id.id))
		return -errno;
	ids = reallocarray(ring->ids, ring->id_count + 1, sizeof(*ids));
	if (!ids)
		return -ENOMEM;
	ids[ring->id_count++] = id;
	ring->ids = ids;
	return 0;
}

int ring__event_of_id(const struct ring *ring, uint64_t id)
{
	for (uint32_t i = ring->id_count; i--;)
		if (ring->ids[i].id == id)
			return (int)ring->ids[i].index;
	return -1;
}

int ring__enabled_ns(const struct ring *ring, uint64_t *enabled_ns)
{
	struct counts counts;
	int err = read_counts(ring->events[0].fd, &counts);

	*enabled_ns = counts.enabled_ns;
	return err;
}

int ring__lost(const struct ring *ring, uint32_t index, uint64_t *lost)
{
	const struct ring_event *event = &ring->events[index];

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

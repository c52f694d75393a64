// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* rings.c: the rings of all CPUs: opened to fit the memory, put into the map. */
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include "budget.h"
#include "internal.h"
#include "rings.h"

/* ---- memory ---------------------------------------------------------------------------------- */

int rings__init(struct rings *rings, uint32_t limit)
{
	rings->of = calloc(limit, sizeof(*rings->of));
	if (!rings->of)
		return -ENOMEM;
	rings->limit = limit;
	rings->epoll_fd = -1;
	for (uint32_t cpu = 0; cpu < limit; cpu++)
		ring__clear(&rings->of[cpu]);
	return 0;
}

static int explain_memory(int err, uint64_t ring_bytes)
{
	if (err == -EPERM)
		log__error("no memory for even %llu bytes a ring: EPERM: raise RLIMIT_MEMLOCK "
			   "(ulimit -l) or kernel.perf_event_mlock_kb, or give the "
			   "program CAP_IPC_LOCK",
			   (unsigned long long)ring_bytes);
	else
		log__error("cannot map a ring of %llu bytes: %s", (unsigned long long)ring_bytes,
			   strerror(-err));
	return err;
}

static void close_rings(struct rings *rings)
{
	for (uint32_t cpu = 0; cpu < rings->limit; cpu++)
		ring__close(&rings->of[cpu]);
	rings->count = 0;
}

/* The events of a CPU: the one that the ring is mapped over, and the side event beside it or -1. */
struct pair {
	int fd, side_fd;
};

static void close_pair(const struct pair *pair)
{
	if (pair->fd >= 0)
		close(pair->fd);
	if (pair->side_fd >= 0)
		close(pair->side_fd);
}

static int open_pair(struct events *events, uint32_t cpu, struct pair *pair)
{
	pair->side_fd = -1;
	pair->fd = events->has_output ? events__open_output(events, cpu)
				      : events__open_side(events, cpu);
	if (pair->fd < 0 || !events->has_output || !events->side_kinds)
		return pair->fd < 0 ? pair->fd : 0;
	pair->side_fd = events__open_side(events, cpu);
	if (pair->side_fd >= 0)
		return 0;
	close(pair->fd);
	return pair->side_fd;
}

static int share(struct ring *ring, uint32_t cpu, int side_fd)
{
	int err = side_fd < 0 ? 0 : ring__share(ring, side_fd);

	if (err)
		log__error("cannot have the kernel's records in the ring of CPU %u: %s", cpu,
			   strerror(-err));
	return err;
}

static int map_ring(struct rings *rings, uint32_t cpu, const struct pair *pair)
{
	struct ring *ring = &rings->of[cpu];
	int err = ring__map(ring, pair->fd, cpu, rings->ring_bytes);

	if (err) {
		close_pair(pair);
		if (err == -EPERM || err == -ENOMEM)
			return -EAGAIN; /* too much: rings__open() tries half of it */
		return explain_memory(err, rings->ring_bytes);
	}
	err = share(ring, cpu, pair->side_fd);
	if (err) {
		close(pair->side_fd);
		ring__close(ring);
		return err;
	}
	rings->count++;
	return 0;
}

/* -ENODEV: the CPU is offline. */
static int open_ring(struct rings *rings, uint32_t cpu)
{
	struct pair pair;
	int err = open_pair(&rings->events, cpu, &pair);

	return err ? err : map_ring(rings, cpu, &pair);
}

static int open_rings_of(struct rings *rings, const struct cpus *cpus, uint32_t latency_ms)
{
	rings->events.watermark_bytes = budget__watermark_bytes(rings->ring_bytes, latency_ms);
	for_each_cpu (cpu, cpus) {
		int err = open_ring(rings, cpu);

		if (err && err != -ENODEV) { /* offline: rings__open() tells, once */
			close_rings(rings);
			return err;
		}
	}
	return rings->count ? 0 : -ENODEV;
}

static void tell_shortfalls(const struct rings *rings, const struct cpus *cpus, uint64_t wanted)
{
	for_each_cpu (cpu, cpus) {
		if (rings->of[cpu].fd < 0)
			log__warn("CPU %u is offline: its events are not read until it is back",
				  cpu);
	}
	if (rings->ring_bytes != wanted)
		log__warn("rings have %llu bytes instead of %llu: more locked memory was refused; "
			  "raise RLIMIT_MEMLOCK (ulimit -l) or kernel.perf_event_mlock_kb, or give "
			  "the program CAP_IPC_LOCK",
			  (unsigned long long)rings->ring_bytes, (unsigned long long)wanted);
}

/*
 * A watermark is set when an event is opened and goes with the ring's size, and all rings have one
 * size: when the memory for one is refused, all are opened anew.
 */
int rings__open(struct rings *rings, const struct cpus *cpus, uint64_t least_bytes,
		uint32_t latency_ms)
{
	uint64_t wanted = rings->ring_bytes;
	int err;

	while ((err = open_rings_of(rings, cpus, latency_ms)) == -EAGAIN) {
		if (rings->ring_bytes <= least_bytes)
			return explain_memory(-EPERM, least_bytes);
		rings->ring_bytes /= 2;
	}
	if (err == -ENODEV)
		log__error("none of the CPUs asked for is online");
	if (!err)
		tell_shortfalls(rings, cpus, wanted);
	return err;
}

/* ---- the map --------------------------------------------------------------------------------- */

int rings__check_map(const struct rings *rings, uint32_t limit)
{
	struct bpf_map_info info = { 0 };
	uint32_t info_bytes = sizeof(info);

	if (bpf_obj_get_info_by_fd(rings->map_fd, &info, &info_bytes)) {
		int err = -errno;

		log__error("fd %d is not a BPF map that can be asked about: %s", rings->map_fd,
			   strerror(-err));
		return err;
	}
	if (info.type != BPF_MAP_TYPE_PERF_EVENT_ARRAY) {
		log__error("map '%s' is not a perf event array (its type is %u, not %u)", info.name,
			   info.type, BPF_MAP_TYPE_PERF_EVENT_ARRAY);
		return -EINVAL;
	}
	if (info.max_entries < limit) {
		log__error("map '%s' has %u slots, but the highest CPU is %u: give it at least %u "
			   "(libbpf does so itself when max_entries is 0)",
			   info.name, info.max_entries, limit - 1, limit);
		return -EINVAL;
	}
	return 0;
}

static int fill_slot(const struct rings *rings, uint32_t cpu)
{
	int err, fd = rings->of[cpu].live_fd;

	if (!rings->events.has_output || !bpf_map_update_elem(rings->map_fd, &cpu, &fd, BPF_ANY))
		return 0;
	err = -errno;
	log__error("cannot set slot %u of the perf event array: %s%s", cpu, strerror(-err),
		   err == -EPERM ? ": is the map frozen, or the fd read-only?" : "");
	return err;
}

int rings__fill_map(const struct rings *rings)
{
	int err = 0;

	for (uint32_t cpu = 0; !err && cpu < rings->limit; cpu++)
		if (rings->of[cpu].fd >= 0)
			err = fill_slot(rings, cpu);
	return err;
}

static void empty_map(const struct rings *rings)
{
	if (!rings->events.has_output)
		return;
	for (uint32_t cpu = 0; cpu < rings->limit; cpu++)
		if (rings->of[cpu].fd >= 0)
			bpf_map_delete_elem(rings->map_fd, &cpu);
}

/* ---- waiting --------------------------------------------------------------------------------- */

static int watch(const struct rings *rings, int fd)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };

	return epoll_ctl(rings->epoll_fd, EPOLL_CTL_ADD, fd, &event) ? -errno : 0;
}

int rings__watch(struct rings *rings, int epoll_fd)
{
	int err = 0;

	rings->epoll_fd = epoll_fd;
	for (uint32_t cpu = 0; !err && cpu < rings->limit; cpu++)
		if (rings->of[cpu].fd >= 0)
			err = watch(rings, rings->of[cpu].live_fd);
	return err;
}

/* ---- CPUs that come -------------------------------------------------------------------------- */

static int explain_new(int err, uint32_t cpu)
{
	if (err && err != -ENODEV)
		log__warn("CPU %u is online now, but its events are not read: %s", cpu,
			  strerror(-err));
	return err;
}

static int add_ring(struct rings *rings, uint32_t cpu)
{
	struct ring *ring = &rings->of[cpu];
	int err = open_ring(rings, cpu);

	if (err)
		return err == -EAGAIN ? explain_memory(-EPERM, rings->ring_bytes) : err;
	err = watch(rings, ring->live_fd);
	if (!err)
		err = fill_slot(rings, cpu);
	if (err) {
		ring__close(ring);
		rings->count--;
	}
	return err;
}

/*
 * The map may hold the old event for a while after its fd was closed, and epoll as long: it has to
 * be told.
 */
static int replace(struct rings *rings, uint32_t cpu, const struct pair *pair)
{
	struct ring *ring = &rings->of[cpu];
	int old_fd = ring->live_fd, err = watch(rings, pair->fd);

	if (!err)
		epoll_ctl(rings->epoll_fd, EPOLL_CTL_DEL, old_fd, NULL);
	if (!err)
		err = ring__replace(ring, pair->fd);
	if (err) {
		close_pair(pair);
		return err;
	}
	if (share(ring, cpu, pair->side_fd))
		close(pair->side_fd);
	return fill_slot(rings, cpu);
}

static int revive(struct rings *rings, uint32_t cpu)
{
	struct pair pair;
	int err = open_pair(&rings->events, cpu, &pair);

	return err ? err : replace(rings, cpu, &pair);
}

int rings__renew(struct rings *rings, uint32_t cpu)
{
	bool is_new = rings->of[cpu].fd < 0;

	if (!is_new && !ring__is_dead(&rings->of[cpu]))
		return 0;
	return explain_new(is_new ? add_ring(rings, cpu) : revive(rings, cpu), cpu) ?: 1;
}

/* ---------------------------------------------------------------------------------------------- */

void rings__free(struct rings *rings)
{
	empty_map(rings);
	close_rings(rings);
	free(rings->of);
	rings->of = NULL;
	rings->limit = 0;
}

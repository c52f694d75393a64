// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* rings.c: the rings of all CPUs: opened to fit the memory, put into the map. */
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include "ring/sizing.h"
#include "sys/caps.h"
#include "base/internal.h"
#include "ring/rings.h"

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

/* New events of a CPU, which no ring has taken over yet: -1 else. */
struct fresh {
	int fds[RING_EVENTS];
	uint32_t count;
};

static void close_fresh(const struct fresh *fresh)
{
	for (uint32_t i = 0; i < fresh->count; i++)
		if (fresh->fds[i] >= 0)
			close(fresh->fds[i]);
}

static int open_fresh(struct events *events, uint32_t cpu, struct fresh *fresh)
{
	for (fresh->count = 0; fresh->count < events__count(events); fresh->count++) {
		int fd = events__open(events, fresh->count, cpu);

		if (fd < 0) {
			close_fresh(fresh);
			return fd;
		}
		fresh->fds[fresh->count] = fd;
	}
	return 0;
}

/* Samples say which of several outputs they are of. */
static int identify(const struct rings *rings, struct ring *ring)
{
	int err = 0;

	for (uint32_t i = 0; !err && rings->events.outputs > 1 && i < rings->events.outputs; i++)
		err = ring__identify(ring, i);
	return err;
}

static int explain_events(int err, uint32_t cpu)
{
	if (err)
		log__error("cannot have all events of CPU %u in one ring: %s", cpu, strerror(-err));
	return err;
}

/* Has the ring take over all but the first, which it is mapped over. */
static int share(const struct rings *rings, struct ring *ring, struct fresh *fresh)
{
	int err = 0;

	for (uint32_t i = 1; !err && i < fresh->count; i++) {
		err = ring__join(ring, fresh->fds[i]);
		if (!err)
			err = ring__set_event(ring, i, fresh->fds[i]);
		if (!err)
			fresh->fds[i] = -1;
	}
	if (!err)
		err = identify(rings, ring);
	return explain_events(err, ring->cpu);
}

static int map_ring(struct rings *rings, uint32_t cpu, struct fresh *fresh)
{
	struct ring *ring = &rings->of[cpu];
	int err = ring__map(ring, fresh->fds[0], cpu, rings->ring_bytes);

	if (err) {
		if (err == -EPERM || err == -ENOMEM)
			return -EAGAIN; /* too much: rings__open() tries half of it */
		return explain_memory(err, rings->ring_bytes);
	}
	fresh->fds[0] = -1;
	err = share(rings, ring, fresh);
	if (err)
		ring__close(ring);
	else
		rings->count++;
	return err;
}

/* -ENODEV: the CPU is offline. */
static int open_ring(struct rings *rings, uint32_t cpu)
{
	struct fresh fresh;
	int err = open_fresh(&rings->events, cpu, &fresh);

	if (err)
		return err;
	err = map_ring(rings, cpu, &fresh);
	if (err)
		close_fresh(&fresh);
	return err;
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

static int check_map(int map_fd, uint32_t limit, char *name)
{
	struct bpf_map_info info = { 0 };
	uint32_t info_bytes = sizeof(info);

	if (bpf_obj_get_info_by_fd(map_fd, &info, &info_bytes)) {
		int err = -errno;

		log__error("fd %d is not a BPF map that can be asked about: %s%s%s", map_fd,
			   strerror(-err), err == -EPERM ? ": " : "",
			   err == -EPERM ? caps__explain() : "");
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
	memcpy(name, info.name, sizeof(info.name));
	return 0;
}

int rings__check_maps(struct rings *rings, uint32_t limit)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < rings->events.outputs; i++)
		err = check_map(rings->map_fds[i], limit, rings->map_names[i]);
	return err;
}

static int fill_slot(int map_fd, uint32_t cpu, int fd)
{
	int err;

	if (!bpf_map_update_elem(map_fd, &cpu, &fd, BPF_ANY))
		return 0;
	err = -errno;
	log__error("cannot set slot %u of the perf event array: %s%s", cpu, strerror(-err),
		   err == -EPERM ? ": is the map frozen, or the fd read-only (BPF_F_RDONLY)?" : "");
	return err;
}

static int fill_slots(const struct rings *rings, uint32_t cpu)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < rings->events.outputs; i++)
		err = fill_slot(rings->map_fds[i], cpu, rings->of[cpu].events[i].fd);
	return err;
}

int rings__fill_maps(const struct rings *rings)
{
	int err = 0;

	for (uint32_t cpu = 0; !err && cpu < rings->limit; cpu++)
		if (rings->of[cpu].fd >= 0)
			err = fill_slots(rings, cpu);
	return err;
}

static void empty_maps(const struct rings *rings)
{
	for (uint32_t cpu = 0; cpu < rings->limit; cpu++)
		for (uint32_t i = 0; rings->of[cpu].fd >= 0 && i < rings->events.outputs; i++)
			bpf_map_delete_elem(rings->map_fds[i], &cpu);
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
			err = watch(rings, rings->of[cpu].events[0].fd);
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
	err = watch(rings, ring->events[0].fd);
	if (!err)
		err = fill_slots(rings, cpu);
	if (err) {
		ring__close(ring);
		rings->count--;
	}
	return err;
}

/*
 * Event `i` is replaced by one that is in the map already: what the old one lost is complete then,
 * also should it have been alive.
 */
static int replace_one(struct rings *rings, struct ring *ring, struct fresh *fresh, uint32_t i)
{
	int err = ring__join(ring, fresh->fds[i]);

	if (!err && i < rings->events.outputs)
		err = fill_slot(rings->map_fds[i], ring->cpu, fresh->fds[i]);
	if (!err)
		err = ring__set_event(ring, i, fresh->fds[i]);
	if (!err)
		fresh->fds[i] = -1;
	return err;
}

/*
 * The map may hold the old event for a while after its fd was closed, and epoll as long: it has to
 * be told.
 */
static int replace(struct rings *rings, struct ring *ring, struct fresh *fresh)
{
	int err = watch(rings, fresh->fds[0]);

	if (!err)
		epoll_ctl(rings->epoll_fd, EPOLL_CTL_DEL, ring->events[0].fd, NULL);
	for (uint32_t i = 0; !err && i < fresh->count; i++)
		err = replace_one(rings, ring, fresh, i);
	if (!err)
		err = identify(rings, ring);
	return explain_events(err, ring->cpu);
}

static int revive(struct rings *rings, uint32_t cpu)
{
	struct fresh fresh;
	int err = open_fresh(&rings->events, cpu, &fresh);

	if (err)
		return err;
	err = replace(rings, &rings->of[cpu], &fresh);
	if (err)
		close_fresh(&fresh);
	return err;
}

static void rest_a_millisecond(void)
{
	struct timespec millisecond = { 0, 1000000 };

	nanosleep(&millisecond, NULL);
}

/*
 * The time that a living event was enabled grows from one read(2) to the next; nothing else tells,
 * read and poll succeed, and so does ENABLE (Linux 5.10 to 7.3).  But a CPU whose clock tick is
 * late has a clock that stands still, as under emulation: so one that nobody named gets some time.
 */
#define LOOKS_ENOUGH 5

static bool is_dead(const struct ring *ring, bool is_named)
{
	uint64_t first_ns, now_ns;

	if (ring__enabled_ns(ring, &first_ns))
		return false;
	for (int looks = 0; looks < (is_named ? 1 : LOOKS_ENOUGH); looks++) {
		if (looks)
			rest_a_millisecond();
		if (ring__enabled_ns(ring, &now_ns) || now_ns != first_ns)
			return false;
	}
	return true;
}

int rings__renew(struct rings *rings, uint32_t cpu, bool is_named)
{
	bool is_new = rings->of[cpu].fd < 0;

	if (!is_new && !is_dead(&rings->of[cpu], is_named))
		return 0;
	return explain_new(is_new ? add_ring(rings, cpu) : revive(rings, cpu), cpu) ?: 1;
}

/* ---------------------------------------------------------------------------------------------- */

void rings__pause(const struct rings *rings)
{
	for (uint32_t cpu = 0; cpu < rings->limit; cpu++)
		if (rings->of[cpu].fd >= 0)
			ring__pause(&rings->of[cpu]);
}

void rings__free(struct rings *rings)
{
	if (!rings->keep_slots)
		empty_maps(rings);
	close_rings(rings);
	free(rings->of);
	rings->of = NULL;
	rings->limit = 0;
}

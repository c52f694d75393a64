// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* rings.c: the rings of all CPUs: opened to fit the memory, put into the map. */
#include <stdlib.h>
#include <string.h>
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
	for (uint32_t cpu = 0; cpu < limit; cpu++)
		rings->of[cpu].fd = rings->of[cpu].side_fd = -1;
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

static int open_side(struct rings *rings, struct ring *ring)
{
	int err, fd = events__open_side(&rings->events, ring->cpu);

	if (fd < 0)
		return fd;
	err = ring__share(ring, fd);
	if (err) {
		log__error("cannot have the kernel's records in the ring of CPU %u: %s", ring->cpu,
			   strerror(-err));
		close(fd);
	}
	return err;
}

static int open_ring(struct rings *rings, uint32_t cpu)
{
	struct events *events = &rings->events;
	struct ring *ring = &rings->of[cpu];
	int err, fd = events->has_output ? events__open_output(events, cpu)
					 : events__open_side(events, cpu);

	if (fd == -ENODEV) /* offline: rings__open() tells, once */
		return 0;
	if (fd < 0)
		return fd;
	err = ring__map(ring, fd, cpu, rings->ring_bytes);
	if (err) {
		close(fd);
		if (err == -EPERM || err == -ENOMEM)
			return -EAGAIN; /* too much: rings__open() tries half of it */
		return explain_memory(err, rings->ring_bytes);
	}
	if (events->has_output && events->side_kinds)
		err = open_side(rings, ring);
	if (err) {
		ring__close(ring);
		return err == -ENODEV ? 0 : err;
	}
	rings->count++;
	return 0;
}

static int open_rings_of(struct rings *rings, const struct cpus *cpus, uint32_t latency_ms)
{
	rings->events.watermark_bytes = budget__watermark_bytes(rings->ring_bytes, latency_ms);
	for_each_cpu (cpu, cpus) {
		int err = open_ring(rings, cpu);

		if (err) {
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
			log__warn("CPU %u is offline: its events are not read", cpu);
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

int rings__fill_map(const struct rings *rings)
{
	if (!rings->events.has_output)
		return 0;
	for (uint32_t cpu = 0; cpu < rings->limit; cpu++) {
		int err, fd = rings->of[cpu].fd;

		if (fd < 0 || !bpf_map_update_elem(rings->map_fd, &cpu, &fd, BPF_ANY))
			continue;
		err = -errno;
		log__error("cannot set slot %u of the perf event array: %s%s", cpu, strerror(-err),
			   err == -EPERM ? ": is the map frozen, or the fd read-only?" : "");
		return err;
	}
	return 0;
}

static void empty_map(const struct rings *rings)
{
	if (!rings->events.has_output)
		return;
	for (uint32_t cpu = 0; cpu < rings->limit; cpu++)
		if (rings->of[cpu].fd >= 0)
			bpf_map_delete_elem(rings->map_fd, &cpu);
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

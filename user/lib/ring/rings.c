// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* ring/rings.c: opening the rings of all CPUs to fit the memory, and storing them in the maps. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include "ring/sizing.h"
#include "sys/caps.h"
#include "base/log.h"
#include "ring/rings.h"
#include "ring/samplers.h"

/* ---- memory ---------------------------------------------------------------------------------- */

int rings__init(struct rings *rings, uint32_t limit)
{
	rings->by_cpu = calloc(limit, sizeof(*rings->by_cpu));
	if (!rings->by_cpu)
		return -ENOMEM;
	rings->limit = limit;
	rings->epoll_fd = -1;
	for (uint32_t cpu = 0; cpu < limit; cpu++)
		ring__clear(&rings->by_cpu[cpu]);
	return 0;
}

static int log_map_error(int err, uint64_t ring_bytes)
{
	if (err == -EPERM)
		log__error("cannot map rings of even %llu bytes: EPERM: %s",
			   (unsigned long long)ring_bytes, caps__explain_memlock());
	else
		log__error("cannot map a ring of %llu bytes: %s", (unsigned long long)ring_bytes,
			   strerror(-err));
	return err;
}

static void close_rings(struct rings *rings)
{
	for (uint32_t cpu = 0; cpu < rings->limit; cpu++)
		ring__close(&rings->by_cpu[cpu]);
	rings->count = 0;
}

/* New events of a CPU; an fd is -1 once a ring owns it. */
struct new_events {
	int *fds; /* negative: the CPU does not have the event */
	uint32_t count;
	uint32_t first; /* index of the event that owns a new ring, and is watched */
};

static void close_new_events(struct new_events *new_events)
{
	for (uint32_t i = 0; i < new_events->count; i++)
		if (new_events->fds[i] >= 0)
			close(new_events->fds[i]);
	free(new_events->fds);
}

/* With samplers, the first side event.  -ESRCH: all tasks have ended. */
static int find_first(const struct perf_events *events, struct new_events *new_events)
{
	uint32_t first = events->samplers ? events->outputs : 0;

	while (first < new_events->count && new_events->fds[first] < 0)
		first++;
	new_events->first = first;
	if (first < new_events->count)
		return 0;
	log__error("cannot sample these tasks: they have ended");
	return -ESRCH;
}

static int open_each(struct perf_events *events, uint32_t cpu, struct new_events *new_events)
{
	uint32_t count = perf_events__count(events);

	for (; new_events->count < count; new_events->count++) {
		int fd = perf_events__open(events, new_events->count, cpu, new_events->fds);

		if (fd < 0 && fd != SAMPLERS_NO_EVENT)
			return fd;
		new_events->fds[new_events->count] = fd;
	}
	return find_first(events, new_events);
}

static int open_new_events(struct perf_events *events, uint32_t cpu, struct new_events *new_events)
{
	int err;

	*new_events = (struct new_events){
		.fds = calloc(perf_events__count(events) + 1, sizeof(int)),
	};
	if (!new_events->fds)
		return -ENOMEM;
	err = open_each(events, cpu, new_events);
	if (err)
		close_new_events(new_events);
	return err;
}

/* With several outputs, and of samplers, samples have the id of theirs. */
static int add_output_ids(const struct rings *rings, struct ring *ring)
{
	int err = 0;

	if (rings->events.outputs < 2 && !rings->events.samplers)
		return 0;
	for (uint32_t i = 0; !err && i < rings->events.outputs && i < ring->event_count; i++)
		if (ring->events[i].fd >= 0)
			err = ring__add_event_id(ring, i);
	return err;
}

static int log_redirect_error(int err, uint32_t cpu)
{
	if (err)
		log__error("cannot redirect all events of CPU %u into one ring: %s", cpu,
			   strerror(-err));
	return err;
}

/* Redirects all events but the first, whose fd is mapped, into the ring. */
static int redirect_events(const struct rings *rings, struct ring *ring,
			   struct new_events *new_events)
{
	int err = ring__reserve(ring, new_events->count);

	for (uint32_t i = 0; !err && i < new_events->count; i++) {
		if (new_events->fds[i] < 0)
			continue;
		err = ring__redirect(ring, new_events->fds[i]);
		if (!err)
			err = ring__set_event(ring, i, new_events->fds[i]);
		if (!err)
			new_events->fds[i] = -1;
	}
	if (!err)
		err = add_output_ids(rings, ring);
	return log_redirect_error(err, ring->cpu);
}

static int map_ring(struct rings *rings, uint32_t cpu, struct new_events *new_events)
{
	struct ring *ring = &rings->by_cpu[cpu];
	int *first = &new_events->fds[new_events->first];
	int err = rings->events.overwrites
			  ? ring__map_backward(ring, *first, cpu, rings->ring_bytes)
			  : ring__map(ring, new_events->first, *first, cpu, rings->ring_bytes);

	if (err) {
		if (err == -EPERM || err == -ENOMEM)
			return -EAGAIN; /* too large: rings__open() tries half the size */
		if (err == -ENOBUFS)
			return -ENOMEM;
		return log_map_error(err, rings->ring_bytes);
	}
	*first = -1;
	err = redirect_events(rings, ring, new_events);
	if (err)
		ring__close(ring);
	else
		rings->count++;
	return err;
}

/* -ENODEV: the CPU is offline. */
static int open_ring(struct rings *rings, uint32_t cpu)
{
	struct new_events new_events;
	int err = open_new_events(&rings->events, cpu, &new_events);

	if (err)
		return err;
	err = map_ring(rings, cpu, &new_events);
	close_new_events(&new_events);
	return err;
}

static int open_all_rings(struct rings *rings, const struct cpus *cpus, uint32_t latency_ms)
{
	rings->events.watermark_bytes =
		rings->events.overwrites ? UINT32_MAX
					 : sizing__watermark_bytes(rings->ring_bytes, latency_ms);
	for_each_cpu (cpu, cpus) {
		int err = open_ring(rings, cpu);

		if (err && err != -ENODEV) { /* offline: rings__open() warns, once */
			close_rings(rings);
			return err;
		}
	}
	return rings->count ? 0 : -ENODEV;
}

static void warn_offline(const struct rings *rings, const struct cpus *cpus)
{
	for_each_cpu (cpu, cpus) {
		if (rings->by_cpu[cpu].fd < 0)
			log__warn("CPU %u is offline: its events are not read until it is back",
				  cpu);
	}
}

static void warn_smaller(const struct rings *rings, uint64_t wanted_bytes)
{
	if (rings->ring_bytes != wanted_bytes)
		log__warn("rings have %llu bytes instead of %llu: more locked memory was refused: "
			  "%s",
			  (unsigned long long)rings->ring_bytes, (unsigned long long)wanted_bytes,
			  caps__explain_memlock());
}

/* Both rings of a CPU have the same size: they are exchanged. */
static int open_with_spare(struct rings *rings, struct rings *spare, const struct cpus *cpus,
			   uint32_t latency_ms)
{
	int err = open_all_rings(rings, cpus, latency_ms);

	if (err || !spare)
		return err;
	spare->ring_bytes = rings->ring_bytes;
	err = open_all_rings(spare, cpus, latency_ms);
	if (err)
		close_rings(rings);
	return err;
}

/*
 * The watermark is set when an event is opened and depends on the ring's size, and all rings have
 * the same size: if the memory for one ring is refused, all are reopened smaller.
 */
int rings__open(struct rings *rings, struct rings *spare, const struct cpus *cpus,
		uint64_t least_bytes, uint32_t latency_ms)
{
	uint64_t wanted_bytes = rings->ring_bytes;
	int err;

	while ((err = open_with_spare(rings, spare, cpus, latency_ms)) == -EAGAIN) {
		if (rings->ring_bytes <= least_bytes)
			return log_map_error(-EPERM, least_bytes);
		rings->ring_bytes /= 2;
	}
	if (err == -ENODEV)
		log__error("none of the CPUs chosen is online");
	if (err)
		return err;
	warn_offline(rings, cpus);
	warn_smaller(rings, wanted_bytes);
	return 0;
}

/* ---- slots of the maps ----------------------------------------------------------------------- */

static int check_map(int map_fd, uint32_t limit, char *name)
{
	struct bpf_map_info info = { 0 };
	uint32_t info_bytes = sizeof(info);

	if (bpf_obj_get_info_by_fd(map_fd, &info, &info_bytes)) {
		int err = -errno;

		log__error("fd %d is not a BPF map that can be queried: %s%s%s", map_fd,
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

	for (uint32_t i = 0; !err && !rings->events.samplers && i < rings->events.outputs; i++)
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

/* On a CPU that comes later, exec() may have been called. */
static bool waits_for_exec(const struct rings *rings)
{
	return rings->events.samplers->on_exec && !rings->has_started;
}

/* Side events first, so that no sample is older than the records of its task. */
static int start_samplers(const struct rings *rings, const struct ring *ring)
{
	int err = 0;

	for (uint32_t i = ring->event_count; !err && i--;)
		if (ring->events[i].fd >= 0)
			err = samplers__start(rings->events.samplers, i, ring->events[i].fd,
					      waits_for_exec(rings));
	return err;
}

static int fill_slots(const struct rings *rings, uint32_t cpu)
{
	int err = 0;

	if (rings->events.samplers)
		return start_samplers(rings, &rings->by_cpu[cpu]);
	for (uint32_t i = 0; !err && !rings->is_spare && i < rings->events.outputs; i++)
		err = fill_slot(rings->map_fds[i], cpu, rings->by_cpu[cpu].events[i].fd);
	return err;
}

/* The map keeps the event alive: its fd is not needed, and machines have many CPUs. */
static int store_bell(const struct rings *rings, const struct ring *ring)
{
	uint32_t element = rings->bells + ring->cpu;
	int fd = perf_events__open_bell(&rings->events, ring->cpu), err;

	if (fd < 0)
		return fd;
	err = ring__redirect(ring, fd);
	if (!err && bpf_map_update_elem(rings->map_fds[0], &element, &fd, BPF_ANY))
		err = -errno;
	close(fd);
	return err;
}

/* -ENODEV: the CPU is offline again, and is reopened when it returns. */
static void add_bell(struct rings *rings, uint32_t cpu)
{
	int err = rings->bells ? store_bell(rings, &rings->by_cpu[cpu]) : 0;

	if (!err || err == -ENODEV)
		return;
	log__info("CPU %u cannot wake the reader: %s: the reader does not sleep without a tick",
		  cpu, strerror(-err));
	rings->lacks_a_bell = true;
}

int rings__start(struct rings *rings)
{
	int err = 0;

	for (uint32_t cpu = 0; !err && cpu < rings->limit; cpu++) {
		if (rings->by_cpu[cpu].fd < 0)
			continue;
		add_bell(rings, cpu);
		err = fill_slots(rings, cpu);
	}
	rings->has_started = true;
	return err;
}

static void empty_slots(const struct rings *rings, uint32_t cpu)
{
	uint32_t bell = rings->bells + cpu;

	for (uint32_t i = 0; !rings->events.samplers && i < rings->events.outputs; i++)
		bpf_map_delete_elem(rings->map_fds[i], &cpu);
	if (rings->bells)
		bpf_map_delete_elem(rings->map_fds[0], &bell);
}

static void empty_maps(const struct rings *rings)
{
	for (uint32_t cpu = 0; cpu < rings->limit; cpu++)
		if (rings->by_cpu[cpu].fd >= 0)
			empty_slots(rings, cpu);
}

/* ---- epoll ----------------------------------------------------------------------------------- */

static int watch_event(const struct rings *rings, int fd)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };

	if (rings->events.overwrites)
		return 0;
	return epoll_ctl(rings->epoll_fd, EPOLL_CTL_ADD, fd, &event) ? -errno : 0;
}

static int watched_fd(const struct ring *ring)
{
	return ring->events[ring->watched].fd;
}

int rings__watch(struct rings *rings, int epoll_fd)
{
	int err = 0;

	rings->epoll_fd = epoll_fd;
	for (uint32_t cpu = 0; !err && cpu < rings->limit; cpu++)
		if (rings->by_cpu[cpu].fd >= 0)
			err = watch_event(rings, watched_fd(&rings->by_cpu[cpu]));
	return err;
}

/* Side events of the other tasks: the output of a task lives as long as its side event. */
static int watch_next(const struct rings *rings, struct ring *ring)
{
	epoll_ctl(rings->epoll_fd, EPOLL_CTL_DEL, watched_fd(ring), NULL);
	while (++ring->watched < ring->event_count) {
		int fd = ring->events[ring->watched].fd;

		if (fd >= 0)
			return watch_event(rings, fd);
	}
	return -ENOENT;
}

static bool is_watched(const struct ring *ring)
{
	return ring->fd >= 0 && ring->watched < ring->event_count;
}

bool rings__hang_up(struct rings *rings, int fd)
{
	bool any = false;

	for (uint32_t cpu = 0; cpu < rings->limit; cpu++) {
		struct ring *ring = &rings->by_cpu[cpu];

		if (is_watched(ring) && watched_fd(ring) == fd && watch_next(rings, ring))
			ring->watched = ring->event_count;
		any |= is_watched(ring);
	}
	return any;
}

/* ---- CPUs that come online ------------------------------------------------------------------- */

static int warn_not_reopened(const struct rings *rings, int err, uint32_t cpu)
{
	if (err && err != -ENODEV)
		log__warn(rings->is_spare ? "CPU %u has no second ring for snapshots: %s"
					  : "CPU %u is online now, but its events are not read: %s",
			  cpu, strerror(-err));
	return err;
}

static int add_ring(struct rings *rings, uint32_t cpu)
{
	struct ring *ring = &rings->by_cpu[cpu];
	int err = open_ring(rings, cpu);

	if (err)
		return err == -EAGAIN ? log_map_error(-EPERM, rings->ring_bytes) : err;
	err = watch_event(rings, watched_fd(ring));
	if (!err)
		err = fill_slots(rings, cpu);
	if (err) {
		ring__close(ring);
		rings->count--;
	} else {
		add_bell(rings, cpu);
	}
	return err;
}

/*
 * Stores the new event in the map before it replaces event `i`: the loss count of the old event is
 * final then, even if that event was alive.
 */
static int replace_event(struct rings *rings, struct ring *ring, struct new_events *new_events,
			 uint32_t i)
{
	int err = ring__redirect(ring, new_events->fds[i]);

	if (!err && rings->events.samplers)
		err = samplers__start(rings->events.samplers, i, new_events->fds[i],
				      waits_for_exec(rings));
	else if (!err && i < rings->events.outputs && !rings->is_spare)
		err = fill_slot(rings->map_fds[i], ring->cpu, new_events->fds[i]);
	if (!err)
		err = ring__set_event(ring, i, new_events->fds[i]);
	if (!err)
		new_events->fds[i] = -1;
	return err;
}

/*
 * The map may hold a reference to the old event for a while after its fd was closed, and epoll
 * watches the event as long: it has to be removed from epoll.
 */
static int replace_events(struct rings *rings, struct ring *ring, struct new_events *new_events)
{
	int err = watch_event(rings, new_events->fds[new_events->first]);

	if (!err && !rings->events.overwrites)
		epoll_ctl(rings->epoll_fd, EPOLL_CTL_DEL, watched_fd(ring), NULL);
	ring->watched = new_events->first;
	for (uint32_t i = 0; !err && i < new_events->count; i++)
		if (new_events->fds[i] >= 0)
			err = replace_event(rings, ring, new_events, i);
	if (!err)
		err = add_output_ids(rings, ring);
	return log_redirect_error(err, ring->cpu);
}

/* The ring keeps its memory and its unread records. */
static int reopen_events(struct rings *rings, uint32_t cpu)
{
	struct new_events new_events;
	int err = open_new_events(&rings->events, cpu, &new_events);

	if (err)
		return err;
	err = replace_events(rings, &rings->by_cpu[cpu], &new_events);
	close_new_events(&new_events);
	if (!err)
		add_bell(rings, cpu);
	return err;
}

static void sleep_a_millisecond(void)
{
	struct timespec millisecond = { 0, 1000000 };

	nanosleep(&millisecond, NULL);
}

/*
 * The enabled time of a live event grows from one read(2) to the next.  Nothing else differs: on a
 * dead event read, poll and ENABLE succeed as well (Linux 5.10 to 7.3).  But if the clock tick of a
 * CPU is late, as under emulation, its clock stands still for a while: so unless a uevent named the
 * CPU, the time is read repeatedly.
 */
#define READS_UNLESS_NAMED 5

static bool is_event_dead(const struct ring *ring, bool is_named)
{
	uint64_t first_ns, now_ns;

	if (ring__enabled_ns(ring, &first_ns))
		return false;
	for (int reads = 0; reads < (is_named ? 1 : READS_UNLESS_NAMED); reads++) {
		if (reads)
			sleep_a_millisecond();
		if (ring__enabled_ns(ring, &now_ns) || now_ns != first_ns)
			return false;
	}
	return true;
}

int rings__reopen(struct rings *rings, uint32_t cpu, bool is_named)
{
	bool is_new = rings->by_cpu[cpu].fd < 0;
	int err;

	/* Events of tasks survive their CPU; new ones would not have the children. */
	if (!is_new && rings->events.samplers && rings->events.samplers->task_count)
		return 0;
	if (!is_new && !is_event_dead(&rings->by_cpu[cpu], is_named))
		return 0;
	err = warn_not_reopened(rings, is_new ? add_ring(rings, cpu) : reopen_events(rings, cpu),
				cpu);
	rings->lacks_a_bell |= err && err != -ENODEV;
	return err ?: 1;
}

/* ---- swapping -------------------------------------------------------------------------------- */

int rings__swap(struct rings *rings, struct rings *spare, uint32_t cpu)
{
	struct ring ring = rings->by_cpu[cpu];
	int err = 0;

	for (uint32_t i = 0; !err && i < rings->events.outputs; i++)
		err = fill_slot(rings->map_fds[i], cpu, spare->by_cpu[cpu].events[i].fd);
	if (err) {
		fill_slots(rings, cpu);
		return err;
	}
	rings->by_cpu[cpu] = spare->by_cpu[cpu];
	spare->by_cpu[cpu] = ring;
	return 0;
}

/* ---------------------------------------------------------------------------------------------- */

void rings__pause(const struct rings *rings)
{
	for (uint32_t cpu = 0; cpu < rings->limit; cpu++)
		if (rings->by_cpu[cpu].fd >= 0)
			ring__pause(&rings->by_cpu[cpu]);
}

void rings__disable(const struct rings *rings)
{
	for (uint32_t cpu = 0; cpu < rings->limit; cpu++) {
		const struct ring *ring = &rings->by_cpu[cpu];

		for (uint32_t i = 0; i < ring->event_count; i++)
			if (ring->events[i].fd >= 0 &&
			    ioctl(ring->events[i].fd, PERF_EVENT_IOC_DISABLE, 0))
				log__debug("cannot disable an event: %s", strerror(errno));
	}
}

void rings__disown(struct rings *rings)
{
	rings->keep_slots = true;
	for (uint32_t cpu = 0; cpu < rings->limit; cpu++)
		rings->by_cpu[cpu].mapped_bytes = 0;
}

void rings__free(struct rings *rings)
{
	if (!rings->keep_slots)
		empty_maps(rings);
	close_rings(rings);
	free(rings->by_cpu);
	rings->by_cpu = NULL;
	rings->limit = 0;
}

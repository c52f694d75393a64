// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* live/inputs.c: opens, waits for and drains the rings of all CPUs together with the stage. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "ring/samplers.h"
#include "ring/sizing.h"
#include "sys/cpus.h"
#include "sys/file_room.h"
#include "live/cgroup_identities.h"
#include "live/input.h"
#include "ring/reopen.h"
#include "live/reclaim.h"
#include "live/ring_memory.h"
#include "live/spare_rings.h"
#include "base/log.h"
#include "base/monotonic.h"

/* Names of ended tasks, and replaced names, are kept because unread events may still need them. */
#define PAST_NAMES 65536

/* ---- reading --------------------------------------------------------------------------------- */

/* Whether the timer has ticked since the last call. */
static bool read_tick(const struct inputs *inputs)
{
	uint64_t ticks;

	if (read(inputs->timer_fd, &ticks, sizeof(ticks)) > 0)
		return true;
	if (errno != EAGAIN) /* EAGAIN: no tick */
		log__debug("reading the timer: %s", strerror(errno));
	return false;
}

/* Checks in a row after which a slot counts as stuck: they take at least a second. */
static uint32_t checks_until_stuck(const struct inputs *inputs)
{
	return 2 + 1000 / inputs->tick_ms;
}

void inputs__scan_tasks(struct inputs *inputs)
{
	int err = tasks__scan(inputs->tasks, monotonic_ns());

	if (err)
		log__warn("cannot read /proc: names of tasks that run already are not known: %s",
			  strerror(-err));
}

/* Scans /proc too: there are no task records from the time before a CPU's events were reopened. */
static void reopen_returned_cpus(struct inputs *inputs)
{
	uint32_t reopened;

	if (inputs->counters)
		inputs->counter_functions->reopen(inputs->counters, &inputs->hotplug.named,
						  inputs->hotplug.any);
	if (inputs->program_events)
		inputs->program_event_functions->reopen(
			inputs->program_events, &inputs->hotplug.named, inputs->hotplug.any);
	pthread_mutex_lock(&inputs->reopen_lock);
	reopened = hotplug__reopen_rings(&inputs->hotplug, &inputs->rings, &inputs->cpus);
	spare_rings__reopen(&inputs->spare, &inputs->rings);
	pthread_mutex_unlock(&inputs->reopen_lock);
	if (!reopened || !inputs->tasks)
		return;
	drain__apply_tasks(&inputs->drain, UINT64_MAX);
	inputs__scan_tasks(inputs);
}

/* See inputs__collect_soon(). */
#define COLLECT_SOON_MIN_AGE_NS 1000000

/*
 * The time before which events must have been staged to be collected now; 0: collect nothing.  A
 * busy program soon sends the newest events itself: collecting those costs both sides more than it
 * gains.
 */
static uint64_t find_staged_before(struct inputs *inputs, bool all)
{
	bool ticked = read_tick(inputs);

	inputs->has_ticked |= ticked;
	if (all)
		return UINT64_MAX;
	if (inputs->collect_soon)
		return monotonic_ns() - COLLECT_SOON_MIN_AGE_NS;
	return ticked ? monotonic_ns() - inputs->min_age_ns : 0;
}

static int set_timer(const struct inputs *inputs, uint32_t tick_ms)
{
	struct timespec tick = { tick_ms / 1000, (long)(tick_ms % 1000) * 1000000 };
	struct itimerspec spec = { .it_interval = tick, .it_value = tick };

	return timerfd_settime(inputs->timer_fd, 0, &spec, NULL) ? -errno : 0;
}

/*
 * The event that woke the reader is staged, and collected at a tick like any other.  Other slots
 * are disarmed: one wakeup is enough.  But if the timer cannot be started, they stay armed, so that
 * further programs wake the reader.
 */
static void wake_up(struct inputs *inputs)
{
	int err = set_timer(inputs, inputs->tick_ms);

	if (err) {
		log__error("cannot start the timer: %s: staged events may be late", strerror(-err));
		return;
	}
	inputs->is_asleep = false;
	inputs->idle_ticks = 0;
	stage__disarm(&inputs->stage);
}

/* Records of kinds and of other programs' maps do not wake the reader below the watermark. */
static bool may_sleep(const struct inputs *inputs)
{
	return inputs->rings.bells && !inputs->rings.lacks_a_bell && !inputs->never_sleeps &&
	       !inputs->channel->has_silent;
}

/* Whether a program rang, or an object was bound that cannot. */
static bool should_wake_up(const struct inputs *inputs)
{
	return inputs->is_asleep &&
	       (!may_sleep(inputs) || !stage__is_armed(&inputs->stage, inputs->drain.cpus));
}

/* A drain of the rings takes longer than this if they fill up fast. */
#define FLUSH_POLL_MS 10

/*
 * Whether all programs that ran when the flush began have ended, so that all slots can be
 * collected.  Until then, only the rings are drained, in rounds within the caller's round: a
 * program that is preempted must not keep the others' rings from being read.
 */
static bool is_flush_due(struct inputs *inputs)
{
	if (reclaim__poll(inputs, FLUSH_POLL_MS) == -EAGAIN)
		return false;
	if (!inputs->is_flushing)
		reclaim__begin(inputs, 1);
	inputs->is_flushing = !inputs->is_flushing;
	return !inputs->is_flushing;
}

/* Collects the staged events of an offline CPU before it can return without a ring. */
static void begin_drain(struct inputs *inputs)
{
	bool cpus_changed = hotplug__poll(&inputs->hotplug);
	uint64_t staged_before_ns = find_staged_before(
		inputs, cpus_changed || inputs->collect_all || inputs->drain_now);

	inputs->only_rings = inputs->stage.slots && inputs->collect_all && !is_flush_due(inputs);
	if (inputs->stage.slots && staged_before_ns && !inputs->collect_all)
		reclaim__tick(inputs, checks_until_stuck(inputs));
	if (cpus_changed)
		reopen_returned_cpus(inputs);
	if (should_wake_up(inputs) || (cpus_changed && inputs->is_asleep))
		wake_up(inputs);
	if (!inputs->only_rings) {
		inputs->drain_now = inputs->is_urgent = false;
		inputs->collect_all = inputs->collect_soon = false;
	}
	drain__begin(&inputs->drain, inputs->only_rings && !cpus_changed ? 0 : staged_before_ns);
}

/*
 * A drain takes long if there are many events and the caller is slow, and a CPU that comes online
 * meanwhile has no ring.  Polling this rarely costs nothing.
 */
#define HOTPLUG_POLL_INTERVAL 256

static void poll_hotplug_in_drain(struct inputs *inputs)
{
	if (++inputs->pieces % HOTPLUG_POLL_INTERVAL || !hotplug__poll(&inputs->hotplug))
		return;
	reopen_returned_cpus(inputs);
	inputs->drain_now = true;
}

/*
 * A flush within a round makes the round longer: its drain does not see events that are newer than
 * its beginning, so another drain follows.
 */
bool inputs__next(struct inputs *inputs, struct piece *piece)
{
	do {
		if (!inputs->drain.open)
			begin_drain(inputs);
		else
			poll_hotplug_in_drain(inputs);
		if (drain__next(&inputs->drain, piece))
			return true;
	} while (inputs->only_rings || inputs->collect_all);
	return false;
}

/* ---- without drains -------------------------------------------------------------------------- */

bool inputs__follow_cpus(struct inputs *inputs)
{
	bool changed = hotplug__poll(&inputs->hotplug);

	inputs->drain_now = false;
	read_tick(inputs);
	if (changed)
		reopen_returned_cpus(inputs);
	return changed;
}

/* ---- sleeping -------------------------------------------------------------------------------- */

/*
 * A sleeping reader costs a program a wakeup at its first event, and the reader a pass over all
 * slots.  The tick that collects the last event is the first idle one.  With 2, an event after a
 * pause costs 3 wakeups, and events at the worst intervals half more wakeups than the tick.
 */
#define IDLE_TICKS 2

static void fall_asleep(struct inputs *inputs)
{
	if (!stage__arm(&inputs->stage, inputs->drain.cpus))
		return;
	inputs->is_asleep = true;
	if (set_timer(inputs, 0))
		log__debug("cannot stop the timer, the reader ticks on: %s", strerror(errno));
}

void inputs__end_round(struct inputs *inputs, bool holds_events)
{
	if (!inputs->has_ticked || inputs->is_asleep)
		return;
	inputs->has_ticked = false;
	if (holds_events || !may_sleep(inputs) ||
	    !stage__is_idle(&inputs->stage, inputs->drain.cpus))
		inputs->idle_ticks = 0;
	else if (++inputs->idle_ticks >= IDLE_TICKS)
		fall_asleep(inputs);
}

void inputs__stay_awake(struct inputs *inputs)
{
	inputs->never_sleeps = true;
	if (inputs->is_asleep)
		wake_up(inputs);
}

/* ---- waiting --------------------------------------------------------------------------------- */

static bool was_interrupted(const struct inputs *inputs, int ready)
{
	uint64_t count;

	for (int i = 0; i < ready; i++)
		if (inputs->ready[i].data.fd == inputs->interrupt_fd)
			return read(inputs->interrupt_fd, &count, sizeof(count)) > 0;
	return false;
}

/*
 * A perf event of a task hangs up when the task and all its children have ended.  Epoll reports
 * that again and again, so the event is not watched any more.
 */
static void follow_hang_ups(struct inputs *inputs, int ready)
{
	for (int i = 0; i < ready; i++) {
		const struct epoll_event *event = &inputs->ready[i];

		if (!(event->events & EPOLLHUP) || rings__hang_up(&inputs->rings, event->data.fd))
			continue;
		inputs->drain_now |= !inputs->has_ended;
		inputs->has_ended = true;
	}
}

/* Not 0: a drain of all rings and slots should find enough events to be worth its cost. */
#define URGENT_WAIT_MS 1

/*
 * A perf fd reports new data only once.  If any was left unread, or if the caller's poll(2) has
 * consumed a bell, do not block.
 */
static bool has_work(const struct inputs *inputs)
{
	return inputs->drain_now || inputs->drain.open || should_wake_up(inputs);
}

int inputs__wait(struct inputs *inputs, int timeout_ms)
{
	bool pending = has_work(inputs);
	int ready;

	if (inputs->is_urgent && (timeout_ms < 0 || timeout_ms > URGENT_WAIT_MS))
		timeout_ms = URGENT_WAIT_MS;
	ready = epoll_wait(inputs->epoll_fd, inputs->ready, inputs->ready_limit,
			   pending || inputs->has_ended ? 0 : timeout_ms);

	if (ready < 0)
		return -errno;
	if (inputs->rings.events.samplers)
		follow_hang_ups(inputs, ready);
	if (inputs->has_ended && !pending && !inputs->drain_now)
		return -ENODATA;
	if (was_interrupted(inputs, ready)) {
		inputs->drain_now = true;
		return -ECANCELED;
	}
	return pending || inputs->is_urgent || ready;
}

void inputs__collect_all(struct inputs *inputs)
{
	inputs->drain_now = inputs->collect_all = true;
}

void inputs__collect_soon(struct inputs *inputs, bool is_urgent)
{
	inputs->collect_soon = true;
	inputs->is_urgent = is_urgent;
}

void inputs__interrupt(const struct inputs *inputs)
{
	uint64_t one = 1;
	int saved_errno = errno;

	/* Fails only if the count would exceed 2^64 - 2: the fd is readable then anyway. */
	if (write(inputs->interrupt_fd, &one, sizeof(one)) < 0)
		errno = saved_errno;
}

static int watch(const struct inputs *inputs, int fd)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };

	return epoll_ctl(inputs->epoll_fd, EPOLL_CTL_ADD, fd, &event) ? -errno : 0;
}

int inputs__watch(const struct inputs *inputs, int fd)
{
	return watch(inputs, fd);
}

static int open_waiting(struct inputs *inputs)
{
	int err;

	inputs->ready_limit = (int)inputs->rings.limit + 4;
	inputs->ready = calloc((size_t)inputs->ready_limit, sizeof(*inputs->ready));
	if (!inputs->ready)
		return -ENOMEM;
	inputs->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (inputs->epoll_fd >= 0)
		inputs->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (inputs->timer_fd >= 0)
		inputs->interrupt_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (inputs->interrupt_fd < 0)
		return -errno;
	err = watch(inputs, inputs->timer_fd);
	if (!err)
		err = watch(inputs, inputs->interrupt_fd);
	if (!err)
		err = watch(inputs, inputs->hotplug.fd);
	if (!err)
		err = rings__watch(&inputs->rings, inputs->epoll_fd);
	return err ? err : set_timer(inputs, inputs->tick_ms);
}

/* ---- opening --------------------------------------------------------------------------------- */

/* Parses `list`; NULL: reads the kernel's list `which`. */
static int read_cpus(struct cpus *cpus, const char *list, const char *which)
{
	int err = list ? cpus__choose(cpus, list) : cpus__read(cpus, which);

	if (err && !list)
		log__error("cannot read /sys/devices/system/cpu/%s: %s%s", which, strerror(-err),
			   file_room__remedy(err));
	return err;
}

static int init_rings(struct inputs *inputs, const struct cpus *first,
		      const struct peat_reader_opts *opts)
{
	uint32_t limit = first->limit > inputs->cpus.limit ? first->limit : inputs->cpus.limit;
	uint32_t count = cpus__count(first);
	int err;

	inputs->rings.ring_bytes = ring_memory__bytes(inputs, count, opts);
	err = rings__init(&inputs->rings, limit);
	if (err)
		return err;
	return drain__init(&inputs->drain, inputs->rings.by_cpu, inputs->rings.limit,
			   &inputs->stage);
}

static int open_stage(struct inputs *inputs)
{
	const struct peat_channel *channel = inputs->channel;
	uint32_t recovered;
	int err;

	if (channel->stage_fd < 0) {
		log__error("the channel has no object yet: bind one first");
		return -EINVAL;
	}
	err = stage__map(&inputs->stage, channel->stage_fd, channel->cpus * PEAT_SLOTS,
			 channel->slot_bytes);
	if (err) {
		log__error("cannot map the channel's stage: %s", strerror(-err));
		return err;
	}
	inputs->stage.collector = channel->collector;
	recovered = stage__recover(&inputs->stage);
	if (recovered)
		log__warn("%u slots were locked by a reader that died: recovered", recovered);
	stage__start(&inputs->stage);
	return 0;
}

static int open_tasks(struct inputs *inputs, const struct peat_reader_opts *opts)
{
	int err;

	inputs->tasks = tasks__new(PAST_NAMES);
	err = inputs->tasks ? 0 : -ENOMEM;
	if (!err && opts->identity && inputs->channel)
		err = inputs->channel_functions->follow_ids(&inputs->own_ids, inputs->tasks);
	if (err)
		return err;
	inputs__scan_tasks(inputs);
	return 0;
}

/*
 * Call after the rings are open: a task that is not in /proc yet has its records in a ring, and a
 * cgroup likewise.
 */
static int follow_records(struct inputs *inputs, const struct peat_reader_opts *opts)
{
	int err = opts->names ? open_tasks(inputs, opts) : 0;
	bool has_records = !err && opts->identity &&
			   cgroup_identities__open(&inputs->identities, inputs, opts);

	inputs->has_identities = !err && opts->identity;
	if (err || !(inputs->tasks || has_records))
		return err;
	return drain__follow(&inputs->drain, inputs->tasks,
			     has_records ? &inputs->identities : NULL, &inputs->rings.events.side);
}

/* `first`: the CPUs to begin with.  inputs->hotplug is open, so later changes are noticed. */
static int open_rings(struct inputs *inputs, const struct cpus *first,
		      const struct peat_reader_opts *opts)
{
	uint64_t least_bytes = ring_memory__least_bytes(inputs, opts);
	int err = rings__check_maps(&inputs->rings, first->limit);

	if (!err)
		err = init_rings(inputs, first, opts);
	if (!err && opts->overwrite)
		err = spare_rings__init(&inputs->spare, &inputs->rings);
	if (err)
		return err;
	return rings__open(&inputs->rings, opts->overwrite ? &inputs->spare : NULL, first,
			   least_bytes, opts->latency_ms);
}

static int open_first(struct inputs *inputs, const struct peat_reader_opts *opts)
{
	struct cpus first;
	int err = hotplug__open(&inputs->hotplug);

	if (err) {
		log__error("cannot set up a timer: %s%s", strerror(-err), file_room__remedy(err));
		return err;
	}
	err = read_cpus(&first, opts->cpus, "online");
	if (err)
		return err;
	err = open_rings(inputs, &first, opts);
	cpus__free(&first);
	return err;
}

/*
 * Ordered events wait for two ticks, each half the latency: the first collects them, and after the
 * second no older event can follow.
 */
static int open_inputs(struct inputs *inputs, const struct peat_reader_opts *opts)
{
	uint32_t latency_ms = opts->ordered ? (opts->latency_ms + 1) / 2 : opts->latency_ms;
	int err = inputs->channel ? open_stage(inputs) : 0;

	if (!err)
		err = open_first(inputs, opts);
	if (!err)
		err = follow_records(inputs, opts);
	if (err)
		return err;
	inputs->drain.quantum = inputs->rings.ring_bytes / 8;
	inputs->drain.cpus = opts->cpus ? &inputs->cpus : NULL;
	inputs->tick_ms = sizing__tick_ms(latency_ms);
	inputs->min_age_ns = sizing__min_age_ns(latency_ms);
	err = open_waiting(inputs);
	if (err)
		log__error("cannot set up epoll, timer and eventfd: %s%s", strerror(-err),
			   file_room__remedy(err));
	return err;
}

static void init_inputs(struct inputs *inputs, const struct inputs_config *source,
			const struct peat_reader_opts *opts)
{
	*inputs = (struct inputs){
		.channel = source->channel,
		.channel_functions = source->input->channel_functions,
		.drain_now = true,
		.epoll_fd = -1,
		.timer_fd = -1,
		.interrupt_fd = -1,
		.never_sleeps = opts->side_band,
		.hotplug.fd = -1,
		.skipped.is_unknown = source->maps != 0,
	};
	source->input->lay_out(&inputs->rings, source, opts);
	inputs->rings.keep_slots = opts->keep_slots;
	inputs->is_since_load = opts->since_load;
	inputs->rings.events.data_maps = opts->data_maps;
	inputs->rings.events.overwrites = opts->overwrite;
}

static int open_live(struct inputs *inputs, const struct peat_reader_opts *opts)
{
	int err = read_cpus(&inputs->cpus, opts->cpus, "possible");

	if (err)
		return err;
	err = open_inputs(inputs, opts);
	if (err)
		inputs__close(inputs);
	else
		log__info("%u rings of %llu bytes, watermark %u bytes, tick %u ms",
			  inputs->rings.count, (unsigned long long)inputs->rings.ring_bytes,
			  inputs->rings.events.watermark_bytes, inputs->tick_ms);
	return err;
}

int inputs__open(struct inputs *inputs, const struct inputs_config *source,
		 const struct peat_reader_opts *opts)
{
	init_inputs(inputs, source, opts);
	pthread_mutex_init(&inputs->reopen_lock, NULL);
	return open_live(inputs, opts);
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void inputs__disown(struct inputs *inputs)
{
	rings__disown(&inputs->rings);
	rings__disown(&inputs->spare);
	grace_thread__disown(&inputs->grace);
}

void inputs__close(struct inputs *inputs)
{
	grace_thread__close(&inputs->grace);
	rings__free(&inputs->rings);
	rings__free(&inputs->spare);
	close_fd(&inputs->epoll_fd);
	close_fd(&inputs->timer_fd);
	close_fd(&inputs->interrupt_fd);
	pthread_mutex_destroy(&inputs->reopen_lock);
	drain__free(&inputs->drain);
	stage__unmap(&inputs->stage);
	hotplug__close(&inputs->hotplug);
	cpus__free(&inputs->cpus);
	tasks__free(inputs->tasks);
	if (inputs->own_ids)
		inputs->channel_functions->close_ids(inputs->own_ids);
	if (inputs->has_identities)
		identities__free(&inputs->identities);
	inputs->has_identities = false;
	skipped__free(&inputs->skipped);
	free(inputs->ready);
	inputs->tasks = NULL;
	inputs->own_ids = NULL;
	inputs->ready = NULL;
}

/* ---- counts and names ------------------------------------------------------------------------ */

/* Adds the losses of one event of a CPU's ring. */
static int add_lost(const struct inputs *inputs, uint32_t cpu, uint32_t index, uint64_t *lost)
{
	uint64_t event_lost;
	int err = ring__lost(&inputs->rings.by_cpu[cpu], index, &event_lost);

	*lost += err ? 0 : event_lost;
	return err;
}

int inputs__lost(const struct inputs *inputs, uint32_t cpu, uint64_t *lost)
{
	int err = 0;

	*lost = 0;
	for (uint32_t i = 0; !err && cpu < inputs->rings.limit && i < inputs->rings.events.outputs;
	     i++)
		err = add_lost(inputs, cpu, i, lost);
	return err;
}

static int lost_of_all(const struct inputs *inputs, uint32_t index, uint64_t *lost)
{
	int err = 0;

	*lost = 0;
	for (uint32_t cpu = 0; !err && cpu < inputs->rings.limit; cpu++)
		err = add_lost(inputs, cpu, index, lost);
	return err;
}

int inputs__map_lost(const struct inputs *inputs, uint32_t map, uint64_t *lost)
{
	return lost_of_all(inputs, map, lost);
}

/* Adds up the events `first`, `first` + step, ... below `end`. */
static int lost_of_some(const struct inputs *inputs, uint32_t first, uint32_t end, uint32_t step,
			uint64_t *lost)
{
	int err = 0;

	*lost = 0;
	for (uint32_t index = first; !err && index < end; index += step) {
		uint64_t event_lost;

		err = lost_of_all(inputs, index, &event_lost);
		*lost += err ? 0 : event_lost;
	}
	return err;
}

int inputs__sampler_lost(const struct inputs *inputs, uint32_t sampler, uint64_t *lost)
{
	return lost_of_some(inputs, sampler, inputs->rings.events.outputs,
			    inputs->rings.events.samplers->count, lost);
}

int inputs__side_lost(const struct inputs *inputs, uint64_t *lost)
{
	const struct perf_events *events = &inputs->rings.events;

	return lost_of_some(inputs, events->outputs, perf_events__count(events), 1, lost);
}

void inputs__apply_tasks(struct inputs *inputs, uint64_t time_ns)
{
	drain__apply_tasks(&inputs->drain, time_ns);
}

const struct peat_identity *inputs__identity(struct inputs *inputs, uint64_t cgroup)
{
	const struct peat_identity *identity = identities__find(&inputs->identities, cgroup);

	if (identity)
		return identity;
	drain__apply_tasks(&inputs->drain, UINT64_MAX);
	identity = identities__find(&inputs->identities, cgroup);
	return identity ? identity : cgroup_identities__look_up(&inputs->identities, cgroup);
}

uint64_t inputs__corrupt(const struct inputs *inputs)
{
	uint64_t corrupt = 0;

	for (uint32_t cpu = 0; cpu < inputs->rings.limit; cpu++)
		corrupt += inputs->rings.by_cpu[cpu].corrupt;
	return corrupt;
}

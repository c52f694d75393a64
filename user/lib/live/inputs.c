// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * live.c: the rings of all CPUs, and the stage in front of them, as one source: waited for
 * together.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "ring/sizing.h"
#include "sys/cpus.h"
#include "sys/grace_period.h"
#include "live/inputs.h"
#include "base/internal.h"

/* Names of tasks that ended, or were replaced, are kept as long as events may come that need them.
 */
#define PAST_NAMES 65536

/* ---- reading --------------------------------------------------------------------------------- */

/* Whether the timer has ticked since the last time. */
static bool take_tick(const struct live *live)
{
	uint64_t ticks;

	if (read(live->timer_fd, &ticks, sizeof(ticks)) > 0)
		return true;
	if (errno != EAGAIN) /* which means: it was a ring that began this round */
		log__debug("reading the timer: %s", strerror(errno));
	return false;
}

static void reclaim(struct live *live, uint32_t index)
{
	const char *name;
	uint32_t type;

	if (!stage__reclaim(&live->stage, index, &type))
		return;
	name = peat_channel__type_name(live->channel, type);
	log__warn("a program on CPU %u reserved an event '%s' and neither submitted nor discarded "
		  "it: its slot was reclaimed",
		  index / PEAT_SLOTS, name ? name : "of an unknown type");
}

/* Whether slots were found held without progress, or not next in order, for so many looks. */
static bool is_suspect(struct stage *stage, uint32_t looks_enough)
{
	bool suspect = false;

	for (uint32_t index = 0; index < stage->slots; index++)
		suspect |= stage__is_stuck(stage, index) >= looks_enough ||
			   stage->holds[index].refused >= looks_enough;
	return suspect;
}

/*
 * A program that leaves without giving its slot back blocks it for ever.  It shows as a slot that
 * is held and makes no progress; that it is not just a slow program is certain after a grace
 * period, as every program that ran before has ended then.  (Sleepable ones, which would not be
 * waited for, cannot use a channel.)  Likewise what was being written to a ring is there then, or
 * never comes.
 */
static void settle(struct live *live, uint32_t looks_enough)
{
	struct stage *stage = &live->stage;
	int err;

	stage__settle(stage);
	err = grace__wait();
	if (err) {
		log__warn("waiting for running programs failed, slots may stay unused: %s",
			  strerror(-err));
		return;
	}
	for (uint32_t index = 0; index < stage->slots; index++) {
		uint32_t looks = stage->holds[index].looks;

		if (looks >= looks_enough && stage__is_stuck(stage, index) > looks)
			reclaim(live, index);
	}
}

/* So often a slot has to be found without progress, for a second at least, to be looked into. */
static uint32_t looks_of_a_second(const struct live *live)
{
	return 2 + 1000 / live->tick_ms;
}

static void scan_tasks(struct live *live)
{
	int err = tasks__scan(live->tasks, monotonic_ns());

	if (err)
		log__warn("cannot read /proc: names of tasks that run already are not known: %s",
			  strerror(-err));
}

/* What tasks did on a CPU before its events were there again, nobody was told. */
static void follow_cpus(struct live *live)
{
	if (!hotplug__look(&live->hotplug, &live->rings, &live->cpus) || !live->tasks)
		return;
	round__know(&live->round, UINT64_MAX);
	scan_tasks(live);
}

/*
 * At a tick, what a busy program will send by itself in no time is left to it: to take it away
 * costs both sides more than it gains.
 */
#define HURRY_NS 1000000

static uint64_t collect_before(const struct live *live, bool all)
{
	bool ticked = take_tick(live);

	if (all)
		return UINT64_MAX;
	if (live->collect)
		return monotonic_ns() - HURRY_NS;
	return ticked ? monotonic_ns() - live->young_ns : 0;
}

/* Of a CPU that went, what is staged is collected before it can come back and has no ring. */
static void begin_round(struct live *live)
{
	bool heard = hotplug__heard(&live->hotplug);
	uint64_t staged_before_ns = collect_before(live, heard || live->flush || live->look_first);
	uint32_t looks_enough = live->flush ? 1 : looks_of_a_second(live);

	if (live->channel && staged_before_ns &&
	    (is_suspect(&live->stage, looks_enough) || live->flush))
		settle(live, looks_enough);
	if (heard)
		follow_cpus(live);
	live->look_first = live->flush = live->collect = live->hurry = false;
	round__begin(&live->round, staged_before_ns);
}

/*
 * A round takes long when there is much and the caller is slow, and a CPU that comes meanwhile has
 * no ring.  So seldom asking costs nothing.
 */
#define PIECES_BETWEEN 256

static void listen_in_round(struct live *live)
{
	if (++live->pieces % PIECES_BETWEEN || !hotplug__heard(&live->hotplug))
		return;
	follow_cpus(live);
	live->look_first = true; /* and collects: see begin_round() */
}

bool live__next(struct live *live, struct piece *piece)
{
	if (!live->round.open)
		begin_round(live);
	else
		listen_in_round(live);
	return round__next(&live->round, piece);
}

/* ---- waiting --------------------------------------------------------------------------------- */

static bool was_broken(const struct live *live, int ready)
{
	uint64_t count;

	for (int i = 0; i < ready; i++)
		if (live->ready[i].data.fd == live->break_fd)
			return read(live->break_fd, &count, sizeof(count)) > 0;
	return false;
}

/* In a hurry, too, a look at all rings and slots should find more than it costs. */
#define HURRY_MS 1

int live__wait(struct live *live, int timeout_ms)
{
	/* What announced itself before, or was left unread, does not do so again: do not sleep. */
	bool pending = live->look_first || live->round.open;
	int ready;

	if (live->hurry && (timeout_ms < 0 || timeout_ms > HURRY_MS))
		timeout_ms = HURRY_MS;
	ready = epoll_wait(live->epoll_fd, live->ready, live->ready_limit,
			   pending ? 0 : timeout_ms);

	if (ready < 0)
		return -errno;
	if (was_broken(live, ready)) {
		live->look_first = true;
		return -ECANCELED;
	}
	return pending || live->hurry || ready;
}

void live__flush(struct live *live)
{
	live->look_first = live->flush = true;
}

void live__hurry(struct live *live, bool now)
{
	live->collect = true;
	live->hurry = now;
}

void live__break(const struct live *live)
{
	uint64_t one = 1;
	int saved_errno = errno;

	/* It fails only when the count would pass 2^64 - 2, and then it is set already. */
	if (write(live->break_fd, &one, sizeof(one)) < 0)
		errno = saved_errno;
}

static int watch(const struct live *live, int fd)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = fd };

	return epoll_ctl(live->epoll_fd, EPOLL_CTL_ADD, fd, &event) ? -errno : 0;
}

static int start_timer(const struct live *live)
{
	struct timespec tick = { live->tick_ms / 1000, (long)(live->tick_ms % 1000) * 1000000 };
	struct itimerspec spec = { .it_interval = tick, .it_value = tick };

	return timerfd_settime(live->timer_fd, 0, &spec, NULL) ? -errno : 0;
}

static int open_waiting(struct live *live)
{
	int err;

	live->ready_limit = (int)live->rings.limit + 3;
	live->ready = calloc((size_t)live->ready_limit, sizeof(*live->ready));
	if (!live->ready)
		return -ENOMEM;
	live->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (live->epoll_fd >= 0)
		live->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (live->timer_fd >= 0)
		live->break_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (live->break_fd < 0)
		return -errno;
	err = watch(live, live->timer_fd);
	if (!err)
		err = watch(live, live->break_fd);
	if (!err)
		err = watch(live, live->hotplug.fd);
	if (!err)
		err = rings__watch(&live->rings, live->epoll_fd);
	return err ? err : start_timer(live);
}

/* ---- opening --------------------------------------------------------------------------------- */

/* A page, or what has room for a frame of the channel: a larger one would never get through. */
static uint64_t least_ring_bytes(const struct live *live)
{
	uint64_t bytes = (uint64_t)sysconf(_SC_PAGESIZE);

	while (bytes < live->stage.slot_bytes)
		bytes *= 2;
	return bytes;
}

static const char *remedy(int err)
{
	return err == -EMFILE ? ": raise RLIMIT_NOFILE (ulimit -n)" : "";
}

/* `list`, or without one the kernel's list `which`. */
static int read_cpus(struct cpus *cpus, const char *list, const char *which)
{
	int err = list ? cpus__parse(cpus, list) : cpus__read(cpus, which);

	if (err && list)
		log__error("'%s' is not a list of CPUs such as 0-3,8: %s", list, strerror(-err));
	else if (err)
		log__error("cannot read /sys/devices/system/cpu/%s: %s%s", which, strerror(-err),
			   remedy(err));
	return err;
}

/*
 * What is left for the rings: memory_bytes are for them and the stage together.  When none are
 * stated the stage comes on top: of what it leaves the next lower power of two would be half.
 */
static uint64_t bytes_for_rings(const struct live *live, uint32_t cpus, uint64_t memory_bytes)
{
	uint64_t ram_bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t stage_bytes = live->stage.slots * live->stage.slot_bytes;

	if (!memory_bytes)
		return budget__default_bytes(cpus, ram_bytes);
	return memory_bytes > stage_bytes ? memory_bytes - stage_bytes : 0;
}

static int make_room(struct live *live, const struct cpus *first, uint64_t memory_bytes)
{
	uint32_t limit = first->limit > live->cpus.limit ? first->limit : live->cpus.limit;
	uint32_t count = cpus__count(first);
	int err;

	live->rings.ring_bytes = budget__ring_bytes(bytes_for_rings(live, count, memory_bytes),
						    count, least_ring_bytes(live));
	err = rings__init(&live->rings, limit);
	if (err)
		return err;
	return round__init(&live->round, live->rings.of, live->rings.limit,
			   live->channel ? &live->stage : NULL);
}

static int open_stage(struct live *live)
{
	const struct peat_channel *channel = live->channel;
	uint32_t recovered;
	int err;

	if (channel->stage_fd < 0) {
		log__error("the channel has no object yet: bind one first");
		return -EINVAL;
	}
	err = stage__map(&live->stage, channel->stage_fd, channel->cpus * PEAT_SLOTS,
			 channel->slot_bytes);
	if (err) {
		log__error("cannot map the channel's stage: %s", strerror(-err));
		return err;
	}
	live->stage.collector = channel->collector;
	recovered = stage__recover(&live->stage);
	if (recovered)
		log__warn("%u slots were held by a reader that is gone: recovered", recovered);
	stage__start(&live->stage);
	return 0;
}

/* After the rings: who is not in /proc yet announces itself there. */
static int open_tasks(struct live *live)
{
	live->tasks = tasks__new(PAST_NAMES);
	if (!live->tasks)
		return -ENOMEM;
	scan_tasks(live);
	return round__follow(&live->round, live->tasks, &live->rings.events.side);
}

/* `first`: those to begin with.  What happens to CPUs after that is heard. */
static int open_rings(struct live *live, const struct cpus *first,
		      const struct peat_reader_opts *opts)
{
	int err = rings__check_maps(&live->rings, first->limit);

	if (!err)
		err = make_room(live, first, opts->memory_bytes);
	if (!err)
		err = rings__open(&live->rings, first, least_ring_bytes(live), opts->latency_ms);
	return err;
}

static int open_first(struct live *live, const struct peat_reader_opts *opts)
{
	struct cpus first;
	int err = hotplug__open(&live->hotplug);

	if (err) {
		log__error("cannot set up a timer: %s%s", strerror(-err), remedy(err));
		return err;
	}
	err = read_cpus(&first, opts->cpus, "online");
	if (err)
		return err;
	err = open_rings(live, &first, opts);
	cpus__free(&first);
	return err;
}

/*
 * What is ordered waits for two ticks: one that collects it, and one after which nothing older is
 * on its way.
 */
static int open_all(struct live *live, const struct peat_reader_opts *opts)
{
	uint32_t latency_ms = opts->ordered ? (opts->latency_ms + 1) / 2 : opts->latency_ms;
	int err = live->channel ? open_stage(live) : 0;

	if (!err)
		err = open_first(live, opts);
	if (!err && opts->names)
		err = open_tasks(live);
	if (err)
		return err;
	live->round.quantum = live->rings.ring_bytes / 8;
	live->round.cpus = opts->cpus ? &live->cpus : NULL;
	live->tick_ms = budget__tick_ms(latency_ms);
	live->young_ns = budget__young_ns(latency_ms);
	err = open_waiting(live);
	if (err)
		log__error("cannot set up epoll, timer and eventfd: %s%s", strerror(-err),
			   remedy(err));
	return err;
}

/* Events of a channel know their time and task themselves, one by one. */
static void init(struct live *live, const struct live_source *source,
		 const struct peat_reader_opts *opts)
{
	struct rings *rings = &live->rings;

	*live = (struct live){
		.channel = source->channel,
		.look_first = true,
		.epoll_fd = -1,
		.timer_fd = -1,
		.break_fd = -1,
		.hotplug.fd = -1,
	};
	if (source->channel)
		rings->map_fds[0] = source->channel->ring_fd;
	else if (source->maps)
		memcpy(rings->map_fds, source->map_fds, source->maps * sizeof(int));
	rings->keep_slots = opts->keep_slots;
	events__init(&rings->events, source->channel ? 1 : source->maps, !source->channel,
		     opts->kinds);
	events__sample(&rings->events, opts->sample);
	if (opts->names)
		rings->events.side_kinds |= PEAT_KIND_TASK | PEAT_KIND_COMM;
}

static int open_live(struct live *live, const struct peat_reader_opts *opts)
{
	int err = read_cpus(&live->cpus, opts->cpus, "possible");

	if (err)
		return err;
	err = open_all(live, opts);
	if (err)
		live__close(live);
	else
		log__info("%u rings of %llu bytes, watermark %u bytes, tick %u ms",
			  live->rings.count, (unsigned long long)live->rings.ring_bytes,
			  live->rings.events.watermark_bytes, live->tick_ms);
	return err;
}

int live__open(struct live *live, const struct live_source *source,
	       const struct peat_reader_opts *opts)
{
	init(live, source, opts);
	return open_live(live, opts);
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void live__close(struct live *live)
{
	rings__free(&live->rings);
	close_fd(&live->epoll_fd);
	close_fd(&live->timer_fd);
	close_fd(&live->break_fd);
	round__free(&live->round);
	stage__unmap(&live->stage);
	hotplug__close(&live->hotplug);
	cpus__free(&live->cpus);
	tasks__free(live->tasks);
	free(live->ready);
	live->tasks = NULL;
	live->ready = NULL;
}

/* ---- asking ---------------------------------------------------------------------------------- */

/* Adds what one event of a CPU's ring lost. */
static int add_lost(const struct live *live, uint32_t cpu, uint32_t index, uint64_t *lost)
{
	uint64_t event_lost;
	int err = ring__lost(&live->rings.of[cpu], index, &event_lost);

	*lost += err ? 0 : event_lost;
	return err;
}

int live__lost(const struct live *live, uint32_t cpu, uint64_t *lost)
{
	int err = 0;

	*lost = 0;
	for (uint32_t i = 0; !err && cpu < live->rings.limit && i < live->rings.events.outputs; i++)
		err = add_lost(live, cpu, i, lost);
	return err;
}

static int lost_of_all(const struct live *live, uint32_t index, uint64_t *lost)
{
	int err = 0;

	*lost = 0;
	for (uint32_t cpu = 0; !err && cpu < live->rings.limit; cpu++)
		err = add_lost(live, cpu, index, lost);
	return err;
}

int live__map_lost(const struct live *live, uint32_t map, uint64_t *lost)
{
	return lost_of_all(live, map, lost);
}

int live__side_lost(const struct live *live, uint64_t *lost)
{
	return lost_of_all(live, live->rings.events.outputs, lost);
}

void live__know(struct live *live, uint64_t time_ns)
{
	round__know(&live->round, time_ns);
}

const char *live__name(const struct live *live, uint32_t tid, uint64_t time_ns)
{
	return tasks__name(live->tasks, tid, time_ns);
}

uint64_t live__corrupt(const struct live *live)
{
	uint64_t corrupt = 0;

	for (uint32_t cpu = 0; cpu < live->rings.limit; cpu++)
		corrupt += live->rings.of[cpu].corrupt;
	return corrupt;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* channel/stage.c: collecting events from the slots in which BPF programs stage them. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/log.h"
#include "channel/collector.h"
#include "channel/reader_lock.h"
#include "channel/slot_lock.h"
#include "channel/stage.h"
#include "sys/cpus.h"

static struct peat_slot *slot_at(const struct stage *stage, uint32_t index)
{
	return (void *)(stage->memory + index * stage->slot_bytes);
}

int stage__init(struct stage *stage, void *memory, uint32_t slots, size_t slot_bytes)
{
	*stage = (struct stage){
		.memory = memory,
		.slot_bytes = slot_bytes,
		.slots = slots,
		.lock_word = PEAT_LOCK_READER | (uint32_t)getpid(),
		.lock_fd = -1,
		.states = calloc(slots, sizeof(struct stage_slot_state)),
	};
	return stage->states ? 0 : -ENOMEM;
}

int stage__map(struct stage *stage, int map_fd, uint32_t slots, size_t slot_bytes)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	size_t bytes = (slots * slot_bytes + page_bytes - 1) & ~(page_bytes - 1);
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, map_fd, 0);
	int err;

	if (memory == MAP_FAILED)
		return -errno;
	err = stage__init(stage, memory, slots, slot_bytes);
	stage->mapped_bytes = bytes;
	stage->lock_fd = reader_lock__open(map_fd);
	if (err)
		stage__unmap(stage);
	return err;
}

void stage__unmap(struct stage *stage)
{
	if (stage->mapped_bytes) {
		munmap(stage->memory, stage->mapped_bytes);
		if (stage->lock_fd >= 0)
			close(stage->lock_fd);
	}
	free(stage->states);
	*stage = (struct stage){ 0 };
}

bool stage__has_events(const struct stage *stage, uint32_t index, uint64_t before_ns)
{
	const struct peat_slot *slot = slot_at(stage, index);

	/* A hint only: relaxed loads without the lock. */
	return __atomic_load_n(&slot->len, __ATOMIC_RELAXED) &&
	       __atomic_load_n(&slot->time_ns, __ATOMIC_RELAXED) < before_ns;
}

/* Programs hold the lock for some hundred nanoseconds, unless they are interrupted. */
#define LOCK_TRIES 1000

bool stage__lock(struct stage *stage, uint32_t index)
{
	for (int i = 0; i < LOCK_TRIES; i++)
		if (slot_lock__swap(slot_at(stage, index), 0, stage->lock_word))
			return true;
	return false;
}

/* Under the slot's lock.  Other threads read it without: peat_reader__counts(). */
#define STORE(member, value) __atomic_store_n(&slot->member, value, __ATOMIC_RELAXED)

size_t stage__copy_out(struct stage *stage, uint32_t index, void *frame)
{
	struct peat_slot *slot = slot_at(stage, index);
	struct peat_frame_head head = {
		.version = PEAT_WIRE_VERSION,
		.flags = (unsigned char)(index % PEAT_SLOTS),
		.count = (unsigned short)slot->count,
		.time_ns = slot->time_ns,
		.seq = slot->seq - slot->count,
	};
	size_t bytes = slot->len;

	if (bytes > stage__data_bytes(stage)) /* invalid: peat_frame__next() reports it */
		bytes = stage__data_bytes(stage);
	memcpy(frame, &head, sizeof(head));
	memcpy((unsigned char *)frame + sizeof(head), slot->data, bytes);
	STORE(len, 0);
	STORE(count, 0);
	stage->states[index].not_next = 0;
	return sizeof(head) + bytes;
}

void stage__unlock(struct stage *stage, uint32_t index)
{
	slot_lock__release(slot_at(stage, index));
}

bool stage__lock_any(struct stage *stage, uint32_t index, bool *was_armed)
{
	struct peat_slot *slot = slot_at(stage, index);

	*was_armed = false;
	for (int i = 0; i < LOCK_TRIES && !stage->collector; i++) {
		*was_armed = slot_lock__swap(slot, PEAT_LOCK_ARMED, stage->lock_word);
		if (*was_armed || slot_lock__swap(slot, 0, stage->lock_word))
			return true;
	}
	return false;
}

void stage__unlock_any(struct stage *stage, uint32_t index, bool was_armed)
{
	if (was_armed)
		slot_lock__arm(slot_at(stage, index));
	else
		stage__unlock(stage, index);
}

#define COPY(member) copy->member = __atomic_load_n(&slot->member, __ATOMIC_RELAXED)

/*
 * Reads in the order in which programs write: counts of losses before the count that they are part
 * of.  While a program is between two of its stores, the sums may be off by its present events in
 * either direction; once it is done they are exact.  An armed slot is free: `lock` is 0.
 */
void stage__read(const struct stage *stage, uint32_t index, struct peat_slot *copy)
{
	const struct peat_slot *slot = slot_at(stage, index);

	COPY(lost_nested);
	COPY(lost_throttled);
	COPY(lost_too_big);
	COPY(lost_ring_full);
	COPY(lost_no_ring);
	COPY(lost_other);
	COPY(reported_ring_full);
	COPY(reported_no_ring);
	COPY(reported_other);
	COPY(lost_abandoned);
	COPY(dropped);
	COPY(discarded);
	COPY(ended);
	COPY(misuse);
	COPY(frames);
	COPY(frames_ring_full);
	COPY(lock);
	copy->lock = copy->lock == PEAT_LOCK_ARMED ? 0 : copy->lock;
	COPY(len);
	COPY(count);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	COPY(seq);
}

void stage__mark_reported(struct stage *stage, uint32_t index, const struct peat_slot *copy)
{
	struct peat_slot *slot = slot_at(stage, index);

	__atomic_store_n(&slot->reported_ring_full, copy->lost_ring_full, __ATOMIC_RELAXED);
	__atomic_store_n(&slot->reported_no_ring, copy->lost_no_ring, __ATOMIC_RELAXED);
	__atomic_store_n(&slot->reported_other, copy->lost_other, __ATOMIC_RELAXED);
}

/*
 * Reads twice without the lock: the copy is consistent if the slot was free both times and nothing
 * changed.  If a program's store to the lock is not visible yet, none of its later stores is.
 */
static bool read_unlocked(const struct stage *stage, uint32_t index, struct peat_slot *copy)
{
	struct peat_slot again;

	for (int i = 0; i < LOCK_TRIES; i++) {
		stage__read(stage, index, copy);
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		stage__read(stage, index, &again);
		if (!copy->lock && !again.lock && copy->seq == again.seq &&
		    copy->count == again.count && copy->discarded == again.discarded &&
		    copy->ended == again.ended)
			return true;
	}
	return false;
}

bool stage__read_consistent(struct stage *stage, uint32_t index, struct peat_slot *copy)
{
	bool locked, was_armed;

	if (stage->collector)
		return read_unlocked(stage, index, copy);
	locked = stage__lock_any(stage, index, &was_armed);
	stage__read(stage, index, copy);
	if (locked)
		stage__unlock_any(stage, index, was_armed);
	return locked;
}

/* ---- order ----------------------------------------------------------------------------------- */

/* Events that left the slot: in frames written to the ring, or collected by a reader. */
static uint64_t events_sent(const struct peat_slot *slot)
{
	return slot->seq - slot->count - stage__lost_output(slot);
}

static uint64_t read_events_sent(const struct stage *stage, uint32_t index)
{
	struct peat_slot slot;

	stage__read(stage, index, &slot);
	return events_sent(&slot);
}

void stage__start(struct stage *stage)
{
	struct peat_slot slot;

	for (uint32_t index = 0; index < stage->slots; index++) {
		stage__read_consistent(stage, index, &slot);
		stage->states[index].consumed = events_sent(&slot);
		stage->states[index].end_seq = slot.seq - slot.count;
	}
}

void stage__add_consumed(struct stage *stage, uint32_t index, uint64_t seq, uint32_t count)
{
	stage->states[index].consumed += count;
	stage->states[index].end_seq = seq + count;
}

bool stage__is_next(const struct stage *stage, uint32_t index)
{
	return stage->states[index].consumed == read_events_sent(stage, index);
}

/* The number of the first event that is staged, if any. */
static uint64_t read_first_staged(const struct stage *stage, uint32_t index)
{
	struct peat_slot slot;

	stage__read(stage, index, &slot);
	return slot.seq - slot.count;
}

bool stage__skip_missing(struct stage *stage, uint32_t index)
{
	struct stage_slot_state *state = &stage->states[index];

	state->not_next = stage__count_refused(stage, index) + 1;
	state->refused_seq = read_first_staged(stage, index);
	if (!stage->is_past || !state->has_saved_sent ||
	    state->saved_sent != read_events_sent(stage, index))
		return false;
	state->consumed = state->saved_sent;
	return true;
}

uint32_t stage__count_refused(const struct stage *stage, uint32_t index)
{
	const struct stage_slot_state *state = &stage->states[index];

	return state->refused_seq == read_first_staged(stage, index) ? state->not_next : 0;
}

void stage__save_sent(struct stage *stage)
{
	struct peat_slot slot;

	stage->is_past = false;
	for (uint32_t index = 0; index < stage->slots; index++) {
		stage->states[index].has_saved_sent = stage__read_consistent(stage, index, &slot);
		stage->states[index].saved_sent = events_sent(&slot);
	}
}

void stage__end_grace_period(struct stage *stage)
{
	stage->is_past = true;
}

/* ---- sleeping -------------------------------------------------------------------------------- */

static bool is_slot_of_cpus(const struct cpus *cpus, uint32_t index)
{
	return !cpus || cpus__has(cpus, index / PEAT_SLOTS);
}

bool stage__is_idle(const struct stage *stage, const struct cpus *cpus)
{
	for (uint32_t index = 0; index < stage->slots; index++) {
		uint32_t lock = slot_lock__read(slot_at(stage, index));

		if (!is_slot_of_cpus(cpus, index))
			continue;
		if ((lock && lock != PEAT_LOCK_ARMED) ||
		    stage__has_events(stage, index, UINT64_MAX) || !stage__is_next(stage, index))
			return false;
	}
	return true;
}

/*
 * Under the lock, so that no program is between its lock and its event.  A program that ended an
 * event after the reader woke up has left its slot armed.
 */
static bool arm_slot(struct stage *stage, uint32_t index)
{
	struct peat_slot *slot = slot_at(stage, index);

	if (!slot_lock__swap(slot, 0, stage->lock_word) &&
	    !slot_lock__swap(slot, PEAT_LOCK_ARMED, stage->lock_word))
		return false;
	if (slot->len || !stage__is_next(stage, index)) {
		slot_lock__release(slot);
		return false;
	}
	slot_lock__arm(slot);
	return true;
}

/*
 * The caller reports losses afterwards.  The fence orders its loads of their counters after the
 * stores of the locks; it matches the atomic increment of a program that counts a loss without a
 * lock, and then looks whether its slot is armed (peat_wake_for_loss()).
 */
bool stage__arm(struct stage *stage, const struct cpus *cpus)
{
	for (uint32_t index = 0; index < stage->slots; index++) {
		if (!is_slot_of_cpus(cpus, index) || arm_slot(stage, index))
			continue;
		stage__disarm(stage);
		return false;
	}
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	return true;
}

bool stage__is_armed(const struct stage *stage, const struct cpus *cpus)
{
	for (uint32_t index = 0; index < stage->slots; index++)
		if (is_slot_of_cpus(cpus, index) &&
		    slot_lock__read(slot_at(stage, index)) != PEAT_LOCK_ARMED)
			return false;
	return true;
}

void stage__disarm(struct stage *stage)
{
	for (uint32_t index = 0; index < stage->slots; index++)
		if (slot_lock__read(slot_at(stage, index)) == PEAT_LOCK_ARMED)
			slot_lock__swap(slot_at(stage, index), PEAT_LOCK_ARMED, 0);
}

/* ---- collecting ------------------------------------------------------------------------------ */

/* Releases the lock. */
static bool collect_locked(struct stage *stage, uint32_t index, bool is_last_pass, void *room,
			   struct stage_frame *frame)
{
	bool is_ready = stage__has_events(stage, index, UINT64_MAX) &&
			(stage__is_next(stage, index) ||
			 (is_last_pass && stage__skip_missing(stage, index)));

	if (is_ready)
		*frame = (struct stage_frame){ room, stage__copy_out(stage, index, room) };
	stage__unlock(stage, index);
	return is_ready;
}

static int run_collector(struct stage *stage, uint32_t index)
{
	return collector__run(stage->collector, index, stage->states[index].consumed);
}

/*
 * The CPU was offline just now.  If it is online again, a program may have read the lock before it
 * was set, and then owns the slot; programs that start later find it locked.
 */
static bool collect_offline(struct stage *stage, uint32_t index, bool is_last_pass, void *room,
			    struct stage_frame *frame)
{
	if (!stage__lock(stage, index))
		return false;
	if (collector__is_offline(stage->collector, index))
		return collect_locked(stage, index, is_last_pass, room, frame);
	slot_lock__swap(slot_at(stage, index), stage->lock_word, 0);
	return false;
}

static void log_collect_error(struct stage *stage, uint32_t index, int result)
{
	if (result >= 0 && result != COLLECT_REFUSED)
		return;
	if (!stage->has_failed)
		log__error("cannot collect the events staged on CPU %u: %s: they are delivered "
			   "once there is a batch of them",
			   index / PEAT_SLOTS,
			   result < 0 ? strerror(-result) : "the kernel is locked down");
	stage->has_failed = true;
}

static bool collect_on_cpu(struct stage *stage, uint32_t index, bool is_last_pass, void *room,
			   struct stage_frame *frame)
{
	int result = run_collector(stage, index);

	if (result == -ENXIO)
		return collect_offline(stage, index, is_last_pass, room, frame);
	if (result == COLLECT_NOT_NEXT && is_last_pass && stage__skip_missing(stage, index))
		result = run_collector(stage, index);
	log_collect_error(stage, index, result);
	if (result != COLLECT_DONE)
		return false;
	frame->bytes = collector__frame(stage->collector, &frame->count);
	stage->states[index].not_next = 0;
	return true;
}

bool stage__collect(struct stage *stage, uint32_t index, bool is_last_pass, void *room,
		    struct stage_frame *frame)
{
	if (stage->collector)
		return collect_on_cpu(stage, index, is_last_pass, room, frame);
	return stage__lock(stage, index) && collect_locked(stage, index, is_last_pass, room, frame);
}

/* A program may send a frame between the look and the lock. */
#define TAKE_TRIES 8

bool stage__take(struct stage *stage, uint32_t index, void *room, struct stage_frame *frame)
{
	for (int i = 0; i < TAKE_TRIES && stage__has_events(stage, index, UINT64_MAX); i++) {
		stage->states[index].consumed = read_events_sent(stage, index);
		if (stage__collect(stage, index, false, room, frame))
			return true;
	}
	return false;
}

/* ---- slots that are not released ------------------------------------------------------------- */

static uint64_t read_progress(const struct stage *stage, uint32_t index)
{
	struct peat_slot slot;

	stage__read(stage, index, &slot);
	return stage__progress(&slot);
}

static void clear_stuck(struct stage_slot_state *state)
{
	state->stuck_checks = 0;
	state->is_suspect = false;
}

uint32_t stage__count_stuck(struct stage *stage, uint32_t index)
{
	struct stage_slot_state *state = &stage->states[index];
	uint64_t progress;

	if (slot_lock__read(slot_at(stage, index)) != index + 1) { /* no program's */
		clear_stuck(state);
		return 0;
	}
	progress = read_progress(stage, index);
	if (progress != state->progress)
		clear_stuck(state);
	state->progress = progress;
	return ++state->stuck_checks;
}

void stage__mark_stuck(struct stage *stage, uint32_t min_checks)
{
	for (uint32_t index = 0; index < stage->slots; index++)
		stage->states[index].is_suspect = stage->states[index].stuck_checks >= min_checks;
}

bool stage__is_still_stuck(struct stage *stage, uint32_t index)
{
	stage__count_stuck(stage, index);
	return stage->states[index].is_suspect;
}

/* The head of the reserved event follows the submitted events. */
static uint32_t reserved_type(const struct stage *stage, const struct peat_slot *slot)
{
	struct peat_event_head head = { 0 };

	if (slot->len <= stage__data_bytes(stage) - sizeof(head))
		memcpy(&head, slot->data + slot->len, sizeof(head));
	return head.type & PEAT_EVENT_TYPE;
}

bool stage__reclaim(struct stage *stage, uint32_t index, uint32_t *type)
{
	struct peat_slot *slot = slot_at(stage, index);

	clear_stuck(&stage->states[index]);
	if (!slot_lock__swap(slot, index + 1, stage->lock_word))
		return false;
	*type = reserved_type(stage, slot);
	STORE(lost_abandoned, slot->lost_abandoned + 1);
	slot_lock__release(slot);
	return true;
}

/*
 * While another reader is open, a lock may be its own, whatever pid it has: that may be a pid of
 * another namespace.  Otherwise the reader that set it has died, unless it is of a version that
 * does not show that it is open: its pid tells.
 */
static bool is_stale_lock(const struct stage *stage, uint32_t lock)
{
	pid_t pid = (pid_t)(lock & ~PEAT_LOCK_READER);

	if (!(lock & PEAT_LOCK_READER))
		return false;
	if (stage->lock_fd == -EAGAIN) {
		log__warn("a slot is locked by a reader, maybe by another one that is open now, "
			  "maybe in a container: unless that unlocks it, the slot stays unused");
		return false;
	}
	if (lock == stage->lock_word || (kill(pid, 0) && errno == ESRCH))
		return true;
	log__warn("a slot is locked by process %d: if that process is not a reader of this "
		  "channel, but reuses the id of one that died, the slot stays unused",
		  pid);
	return false;
}

/* A reader that died in stage__copy_out() had copied the events if either number is 0. */
static void finish_emptying(struct peat_slot *slot)
{
	if (!slot->len || !slot->count)
		slot->len = slot->count = 0;
}

uint32_t stage__recover(struct stage *stage)
{
	uint32_t recovered = 0;

	stage__disarm(stage);
	for (uint32_t index = 0; index < stage->slots; index++) {
		struct peat_slot *slot = slot_at(stage, index);
		uint32_t lock = slot_lock__read(slot);

		if (is_stale_lock(stage, lock) && slot_lock__swap(slot, lock, stage->lock_word)) {
			finish_emptying(slot);
			slot_lock__release(slot);
			recovered++;
		}
	}
	return recovered;
}

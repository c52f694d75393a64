// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stage.c: taking events out of the slots that BPF programs fill. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "channel/collector.h"
#include "base/internal.h"
#include "channel/stage.h"

/*
 * The protocol:
 *
 *     BPF program                          reader
 *
 *     CAS lock 0 -> index + 1   (A)        CAS lock 0 -> READER | pid   (C)
 *     STORE events, len, count             LOAD events, len, count
 *     XCHG or STORE lock 0      (B)        STORE len 0, count 0
 *                                          STORE-RELEASE lock 0         (D)
 *
 * (B) is an exchange, or a plain store where the machine keeps stores in order; it matches the
 * acquire in (C).  (D) matches (A), which is fully ordered, as BPF atomics that return a value are.
 */
static struct peat_slot *slot_at(const struct stage *stage, uint32_t index)
{
	return (void *)(stage->memory + index * stage->slot_bytes);
}

static bool swap_lock(struct peat_slot *slot, uint32_t from, uint32_t to)
{
	return __atomic_compare_exchange_n(&slot->lock, &from, to, false, __ATOMIC_ACQUIRE,
					   __ATOMIC_RELAXED); /* C, matches B */
}

static void free_lock(struct peat_slot *slot)
{
	__atomic_store_n(&slot->lock, 0, __ATOMIC_RELEASE); /* D, matches A */
}

int stage__init(struct stage *stage, void *memory, uint32_t slots, size_t slot_bytes)
{
	*stage = (struct stage){
		.memory = memory,
		.slot_bytes = slot_bytes,
		.slots = slots,
		.lock_word = PEAT_LOCK_READER | (uint32_t)getpid(),
		.holds = calloc(slots, sizeof(struct stage_hold)),
	};
	return stage->holds ? 0 : -ENOMEM;
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
	if (err)
		stage__unmap(stage);
	return err;
}

void stage__unmap(struct stage *stage)
{
	if (stage->mapped_bytes)
		munmap(stage->memory, stage->mapped_bytes);
	free(stage->holds);
	*stage = (struct stage){ 0 };
}

bool stage__has_events(const struct stage *stage, uint32_t index, uint64_t before_ns)
{
	const struct peat_slot *slot = slot_at(stage, index);

	/* A hint only: what is there is known once the slot is locked. */
	return __atomic_load_n(&slot->len, __ATOMIC_RELAXED) &&
	       __atomic_load_n(&slot->time_ns, __ATOMIC_RELAXED) < before_ns;
}

/* Programs hold a slot for some hundred nanoseconds, unless something interrupts them. */
#define LOCK_TRIES 1000

bool stage__lock(struct stage *stage, uint32_t index)
{
	for (int i = 0; i < LOCK_TRIES; i++)
		if (swap_lock(slot_at(stage, index), 0, stage->lock_word))
			return true;
	return false;
}

size_t stage__take(struct stage *stage, uint32_t index, void *frame)
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

	if (bytes > stage__data_bytes(stage)) /* then peat_frame__next() finds the fault */
		bytes = stage__data_bytes(stage);
	memcpy(frame, &head, sizeof(head));
	memcpy((unsigned char *)frame + sizeof(head), slot->data, bytes);
	slot->len = 0;
	slot->count = 0;
	stage->holds[index].refused = 0;
	return sizeof(head) + bytes;
}

void stage__unlock(struct stage *stage, uint32_t index)
{
	free_lock(slot_at(stage, index));
}

#define COPY(member) copy->member = __atomic_load_n(&slot->member, __ATOMIC_RELAXED)

/*
 * Read in the order in which programs write: a count of losses before what it is lost from.  While
 * a program is between two of its stores the sums can be off by what it is about, either way; once
 * it is done they are exact.
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
	COPY(told_ring_full);
	COPY(told_no_ring);
	COPY(told_other);
	COPY(lost_abandoned);
	COPY(discarded);
	COPY(misuse);
	COPY(frames);
	COPY(frames_ring_full);
	COPY(lock);
	COPY(len);
	COPY(count);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	COPY(seq);
}

void stage__tell(struct stage *stage, uint32_t index, const struct peat_slot *copy)
{
	struct peat_slot *slot = slot_at(stage, index);

	__atomic_store_n(&slot->told_ring_full, copy->lost_ring_full, __ATOMIC_RELAXED);
	__atomic_store_n(&slot->told_no_ring, copy->lost_no_ring, __ATOMIC_RELAXED);
	__atomic_store_n(&slot->told_other, copy->lost_other, __ATOMIC_RELAXED);
}

/*
 * Without the lock: nobody had the slot before and after, and nothing has moved.  A store of the
 * lock that is not visible yet is in front of all others of the same program.
 */
static bool read_unlocked(const struct stage *stage, uint32_t index, struct peat_slot *copy)
{
	struct peat_slot again;

	for (int i = 0; i < LOCK_TRIES; i++) {
		stage__read(stage, index, copy);
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		stage__read(stage, index, &again);
		if (!copy->lock && !again.lock && copy->seq == again.seq &&
		    copy->count == again.count && copy->discarded == again.discarded)
			return true;
	}
	return false;
}

bool stage__read_still(struct stage *stage, uint32_t index, struct peat_slot *copy)
{
	bool locked;

	if (stage->collector)
		return read_unlocked(stage, index, copy);
	locked = stage__lock(stage, index);
	stage__read(stage, index, copy);
	if (locked)
		stage__unlock(stage, index);
	return locked;
}

/* ---- order ----------------------------------------------------------------------------------- */

/* Events that left the slot in frames that the kernel took, or were collected from it. */
static uint64_t sent_by(const struct peat_slot *slot)
{
	return slot->seq - slot->count - stage__lost_behind(slot);
}

static uint64_t sent(const struct stage *stage, uint32_t index)
{
	struct peat_slot slot;

	stage__read(stage, index, &slot);
	return sent_by(&slot);
}

void stage__start(struct stage *stage)
{
	struct peat_slot slot;

	for (uint32_t index = 0; index < stage->slots; index++) {
		stage__read_still(stage, index, &slot);
		stage->holds[index].handed = sent_by(&slot);
	}
}

void stage__hand_out(struct stage *stage, uint32_t index, uint32_t count)
{
	stage->holds[index].handed += count;
}

bool stage__is_next(const struct stage *stage, uint32_t index)
{
	return stage->holds[index].handed == sent(stage, index);
}

bool stage__give_up(struct stage *stage, uint32_t index)
{
	struct stage_hold *hold = &stage->holds[index];

	hold->refused++;
	if (!hold->is_settled || hold->settled != sent(stage, index))
		return false;
	hold->handed = hold->settled;
	return true;
}

void stage__settle(struct stage *stage)
{
	struct peat_slot slot;

	for (uint32_t index = 0; index < stage->slots; index++) {
		stage->holds[index].is_settled = stage__read_still(stage, index, &slot);
		stage->holds[index].settled = sent_by(&slot);
	}
}

/* ---- collecting ------------------------------------------------------------------------------ */

static bool is_its_turn(struct stage *stage, uint32_t index, bool is_last_look)
{
	return stage__is_next(stage, index) || (is_last_look && stage__give_up(stage, index));
}

/* The slot is locked, and given back. */
static bool collect_locked(struct stage *stage, uint32_t index, bool is_last_look, void *room,
			   struct stage_frame *frame)
{
	bool taken = stage__has_events(stage, index, UINT64_MAX) &&
		     is_its_turn(stage, index, is_last_look);

	if (taken)
		*frame = (struct stage_frame){ room, stage__take(stage, index, room) };
	stage__unlock(stage, index);
	return taken;
}

static int ask(struct stage *stage, uint32_t index)
{
	return collector__take(stage->collector, index, stage->holds[index].handed);
}

/*
 * Of a CPU that was offline just now.  Should it have come back, one of its programs may have
 * looked at the lock before it was set, and then the slot is that program's; what begins later
 * finds it locked.
 */
static bool collect_offline(struct stage *stage, uint32_t index, bool is_last_look, void *room,
			    struct stage_frame *frame)
{
	if (!stage__lock(stage, index))
		return false;
	if (collector__is_offline(stage->collector, index))
		return collect_locked(stage, index, is_last_look, room, frame);
	swap_lock(slot_at(stage, index), stage->lock_word, 0);
	return false;
}

static void tell_trouble(struct stage *stage, uint32_t index, int answer)
{
	if (answer >= 0 && answer != COLLECT_REFUSED)
		return;
	if (!stage->is_refused)
		log__error("what is staged on CPU %u cannot be collected, and waits until there is "
			   "a batch of it: %s",
			   index / PEAT_SLOTS,
			   answer < 0 ? strerror(-answer) : "the kernel is locked down");
	stage->is_refused = true;
}

static bool collect_there(struct stage *stage, uint32_t index, bool is_last_look, void *room,
			  struct stage_frame *frame)
{
	int answer = ask(stage, index);

	if (answer == -ENXIO)
		return collect_offline(stage, index, is_last_look, room, frame);
	if (answer == COLLECT_NOT_NEXT && is_last_look && stage__give_up(stage, index))
		answer = ask(stage, index);
	tell_trouble(stage, index, answer);
	if (answer != COLLECT_TAKEN)
		return false;
	frame->bytes = collector__frame(stage->collector, &frame->count);
	stage->holds[index].refused = 0;
	return true;
}

bool stage__collect(struct stage *stage, uint32_t index, bool is_last_look, void *room,
		    struct stage_frame *frame)
{
	if (stage->collector)
		return collect_there(stage, index, is_last_look, room, frame);
	return stage__lock(stage, index) && collect_locked(stage, index, is_last_look, room, frame);
}

/* ---- slots that nobody gives back ------------------------------------------------------------ */

/* Everything that moves when a slot is taken and given back. */
static uint64_t progress_of(const struct stage *stage, uint32_t index)
{
	struct peat_slot slot;

	stage__read(stage, index, &slot);
	return slot.seq + slot.discarded + slot.lost_too_big + slot.lost_abandoned;
}

static bool is_held_by_program(const struct stage *stage, uint32_t index)
{
	return __atomic_load_n(&slot_at(stage, index)->lock, __ATOMIC_RELAXED) == index + 1;
}

uint32_t stage__is_stuck(struct stage *stage, uint32_t index)
{
	struct stage_hold *hold = &stage->holds[index];
	uint64_t progress;

	if (!is_held_by_program(stage, index)) {
		hold->looks = 0;
		return 0;
	}
	progress = progress_of(stage, index);
	if (progress != hold->progress)
		hold->looks = 0;
	hold->progress = progress;
	return ++hold->looks;
}

/* The head of the event that was reserved stands behind those that were submitted. */
static uint32_t type_lent(const struct stage *stage, const struct peat_slot *slot)
{
	struct peat_event_head head = { 0 };

	if (slot->len <= stage__data_bytes(stage) - sizeof(head))
		memcpy(&head, slot->data + slot->len, sizeof(head));
	return head.type & PEAT_EVENT_TYPE;
}

bool stage__reclaim(struct stage *stage, uint32_t index, uint32_t *type)
{
	struct peat_slot *slot = slot_at(stage, index);

	stage->holds[index].looks = 0;
	if (!swap_lock(slot, index + 1, stage->lock_word))
		return false;
	*type = type_lent(stage, slot);
	slot->lost_abandoned++;
	free_lock(slot);
	return true;
}

static bool is_left_over(const struct stage *stage, uint32_t lock)
{
	pid_t pid = (pid_t)(lock & ~PEAT_LOCK_READER);

	if (!(lock & PEAT_LOCK_READER))
		return false;
	if (lock == stage->lock_word || (kill(pid, 0) && errno == ESRCH))
		return true;
	log__warn("a slot is held by process %d: if that is no reader of this channel, but got "
		  "the id of one that died, the slot stays unused",
		  pid);
	return false;
}

/* A reader that died in stage__take() had the events already, if either number is 0. */
static void settle(struct peat_slot *slot)
{
	if (!slot->len || !slot->count)
		slot->len = slot->count = 0;
}

uint32_t stage__recover(struct stage *stage)
{
	uint32_t recovered = 0;

	for (uint32_t index = 0; index < stage->slots; index++) {
		struct peat_slot *slot = slot_at(stage, index);
		uint32_t lock = __atomic_load_n(&slot->lock, __ATOMIC_RELAXED);

		if (is_left_over(stage, lock) && swap_lock(slot, lock, stage->lock_word)) {
			settle(slot);
			free_lock(slot);
			recovered++;
		}
	}
	return recovered;
}

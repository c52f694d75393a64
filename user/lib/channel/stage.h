/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_CHANNEL_STAGE_H
#define PEAT_CHANNEL_STAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <peat/wire.h>

struct collector;
struct cpus;

/*
 * The reader's side of the stage: the mapped memory in which BPF programs stage events (wire.h).
 * Slot `index` is slot index % PEAT_SLOTS of CPU index / PEAT_SLOTS.
 */
struct stage {
	unsigned char *memory;
	size_t mapped_bytes; /* 0: the caller owns the memory */
	size_t slot_bytes;
	uint32_t slots;
	uint32_t lock_word; /* value with which this reader locks slots */
	int lock_fd;	    /* of reader_lock__open(), or its negative errno */
	struct stage_slot_state *states;
	/*
	 * Set by the owner.  Not NULL: collects slots on their CPUs.  NULL: the reader locks slots
	 * itself, from any CPU.
	 */
	struct collector *collector;
	bool has_failed; /* collecting failed; logged once */
	bool is_past;	 /* a grace period has ended since stage__save_sent() */
};

/* A frame of the events collected from a slot; valid until the next stage__collect(). */
struct stage_frame {
	const void *bytes;
	size_t count;
};

/* The reader's state for a slot. */
struct stage_slot_state {
	uint64_t progress;     /* as of the last check: see stage__count_stuck() */
	uint32_t stuck_checks; /* in a row that found the slot locked and without progress */
	bool is_suspect;       /* stuck since stage__mark_stuck() */

	uint64_t consumed;    /* events of its frames that the reader consumed: stage__is_next() */
	uint64_t end_seq;     /* the event that follows the last of those frames */
	uint64_t saved_sent;  /* events sent as of stage__save_sent() */
	bool has_saved_sent;  /* false: saved_sent could not be read */
	uint32_t not_next;    /* collects in a row that failed as the slot was not next */
	uint64_t refused_seq; /* first event staged at the last of them */
};

/* Maps the array.  0 or a negative errno. */
int stage__map(struct stage *stage, int map_fd, uint32_t slots, size_t slot_bytes);

/* Uses existing memory.  0 or -ENOMEM. */
int stage__init(struct stage *stage, void *memory, uint32_t slots, size_t slot_bytes);

void stage__unmap(struct stage *stage);

/* Room for the events of one slot. */
static inline size_t stage__data_bytes(const struct stage *stage)
{
	return stage->slot_bytes - PEAT_SLOT_HEAD_BYTES;
}

/* Whether the slot has events, the first of which is older than before_ns; UINT64_MAX: any age. */
bool stage__has_events(const struct stage *stage, uint32_t index, uint64_t before_ns);

/*
 * Moves the events of the slot into `frame` and empties the slot, if stage__is_next(); on the last
 * pass also if stage__skip_missing().  `room` is memory for the frame, at 4 mod 8, of
 * PEAT_FRAME_HEAD_BYTES + stage__data_bytes().
 */
bool stage__collect(struct stage *stage, uint32_t index, bool is_last_pass, void *room,
		    struct stage_frame *frame);

/*
 * As stage__collect(), whatever the slot sent before: for readers that sort the frames of a slot by
 * `seq` themselves.
 */
bool stage__take(struct stage *stage, uint32_t index, void *room, struct stage_frame *frame);

/* ---- sleeping -------------------------------------------------------------------------------- */

/*
 * A reader sleeps without a tick while the slots are armed (wire.h).  `cpus`: only their slots;
 * NULL: all.  Not for a stage with a collector.
 */

/* Whether all slots are free and empty, and all frames that they sent have been consumed. */
bool stage__is_idle(const struct stage *stage, const struct cpus *cpus);

/* Arms all slots.  False: a slot is not idle any more; no slot is armed. */
bool stage__arm(struct stage *stage, const struct cpus *cpus);

/* Whether all slots are still armed: no program has locked a slot since. */
bool stage__is_armed(const struct stage *stage, const struct cpus *cpus);

/* Frees the slots that are armed: programs stage their events without waking the reader. */
void stage__disarm(struct stage *stage);

/* ---- under the slot lock --------------------------------------------------------------------- */

/*
 * Locks the slot, so that programs use the CPU's other slots meanwhile: keep it short.  Retries for
 * some microseconds while a program holds the lock.  If there is a collector, only slots of offline
 * CPUs may be locked.
 */
bool stage__lock(struct stage *stage, uint32_t index);

/*
 * Moves the events of a locked slot into `frame`, with a frame head, and empties the slot.  `frame`
 * has room for PEAT_FRAME_HEAD_BYTES + stage__data_bytes().  Returns the length of the frame.
 */
size_t stage__copy_out(struct stage *stage, uint32_t index, void *frame);

void stage__unlock(struct stage *stage, uint32_t index);

/*
 * As stage__lock(), also for an armed slot, which is armed again by the unlock.  False also if
 * there is a collector.
 */
bool stage__lock_any(struct stage *stage, uint32_t index, bool *was_armed);
void stage__unlock_any(struct stage *stage, uint32_t index, bool was_armed);

/* Copies the head of the slot; each member may be read at another moment of the call. */
void stage__read(const struct stage *stage, uint32_t index, struct peat_slot *copy);

/* As stage__read(), but all members at one moment; false: a program holds the lock for too long. */
bool stage__read_consistent(struct stage *stage, uint32_t index, struct peat_slot *copy);

/* Marks the losses in `copy` as reported, for the next reader. */
void stage__mark_reported(struct stage *stage, uint32_t index, const struct peat_slot *copy);

/* The sum of all counts that change when a program locks and releases the slot. */
static inline uint64_t stage__progress(const struct peat_slot *slot)
{
	return slot->seq + slot->discarded + slot->ended + slot->lost_too_big +
	       slot->lost_abandoned + slot->dropped;
}

/* Events lost because the output of their frame failed: the gap in `seq` before the next frame. */
static inline uint64_t stage__lost_output(const struct peat_slot *slot)
{
	return slot->lost_ring_full + slot->lost_no_ring + slot->lost_other;
}

/* ---- order ----------------------------------------------------------------------------------- */

/*
 * Staged events come after the frames that their slot sent before.  But a frame that was written
 * may not be visible in the ring yet: the kernel publishes the record of a nested writer together
 * with that of the interrupted writer, when the latter is done (perf_output_put_handle(), 5.10 to
 * 7.2).  So the reader compares the events that a slot sent with those consumed from the ring.
 */

/* Counts all events sent so far as consumed: they were for an earlier reader. */
void stage__start(struct stage *stage);

/* Counts a frame of the slot as consumed: `count` events from sequence number `seq` on. */
void stage__add_consumed(struct stage *stage, uint32_t index, uint64_t seq, uint32_t count);

/* Whether all events that the slot (locked) sent have been consumed. */
bool stage__is_next(const struct stage *stage, uint32_t index);

/*
 * For a slot (locked) that is not next although its ring has been read to the end.  True if the
 * missing events were sent before the last grace period, so never arrive: the slot is next now.
 */
bool stage__skip_missing(struct stage *stage, uint32_t index);

/*
 * How many collects in a row failed because the slot was not next.  0 once its program has sent the
 * staged events itself: they wait for no frame any more.
 */
uint32_t stage__count_refused(const struct stage *stage, uint32_t index);

/*
 * Call these when a grace period begins, and when it is over: programs that wrote at its beginning
 * have finished then.  stage__skip_missing() returns true only after the second call.
 */
void stage__save_sent(struct stage *stage);
void stage__end_grace_period(struct stage *stage);

/* ---- slots that are not released ------------------------------------------------------------- */

/*
 * Call at intervals: returns how many calls in a row, this one included, found the slot locked by a
 * program and without progress.
 */
uint32_t stage__count_stuck(struct stage *stage, uint32_t index);

/* Marks the slots that so many calls have found stuck, when a grace period begins. */
void stage__mark_stuck(struct stage *stage, uint32_t min_checks);

/* Whether a marked slot has been stuck ever since: after the grace period, its program has ended.
 */
bool stage__is_still_stuck(struct stage *stage, uint32_t index);

/*
 * Unlocks the slot of a program that has ended: its reserved event is counted as abandoned, events
 * staged before it stay.  Sets `type` to the type number of the reserved event.  False: the slot
 * was released in the meantime.
 */
bool stage__reclaim(struct stage *stage, uint32_t index, uint32_t *type);

/*
 * Unlocks all slots that a reader held when it died, or that this process left locked, and returns
 * their number.  Disarms slots that a reader armed.  Unlocks no slot while another reader of the
 * channel is open.
 */
uint32_t stage__recover(struct stage *stage);

#endif /* PEAT_CHANNEL_STAGE_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef STAGE_H
#define STAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <peat/wire.h>

struct collector;

/*
 * The reader's side of the stage: the memory in which BPF programs collect events (wire.h), mapped.
 * Slot `index` is slot index % PEAT_SLOTS of CPU index / PEAT_SLOTS.
 */
struct stage {
	unsigned char *memory;
	size_t mapped_bytes; /* 0: the memory is somebody else's */
	size_t slot_bytes;
	uint32_t slots;
	uint32_t lock_word;	  /* what this reader locks with */
	struct stage_hold *holds; /* of each slot */
	/* Set by whoever has one: takes slots on their CPUs.  NULL: by their locks, from anywhere.
	 */
	struct collector *collector;
	bool is_refused; /* its copies were, which is said once */
};

/* A frame made of what was staged; lent until the next one. */
struct stage_frame {
	const void *bytes;
	size_t count;
};

/* What the reader knows of a slot. */
struct stage_hold {
	uint64_t progress; /* as of the last look: see stage__is_stuck() */
	uint32_t looks;	   /* how many have found it held, without progress between them */

	uint64_t handed;  /* events of its frames that were handed out: see stage__is_next() */
	uint64_t settled; /* as many had been sent before the last grace period, ... */
	bool is_settled;  /* ... if that could be read */
	uint32_t refused; /* how often in a row it was not the slot's turn */
};

/* Maps the array. 0 or a negative errno. */
int stage__map(struct stage *stage, int map_fd, uint32_t slots, size_t slot_bytes);

/* The stage over memory that is there already. 0 or -ENOMEM. */
int stage__init(struct stage *stage, void *memory, uint32_t slots, size_t slot_bytes);

void stage__unmap(struct stage *stage);

/* Room for the events of one slot. */
static inline size_t stage__data_bytes(const struct stage *stage)
{
	return stage->slot_bytes - PEAT_SLOT_HEAD_BYTES;
}

/* Whether events lie in the slot, the first of which is older than that; UINT64_MAX: any. */
bool stage__has_events(const struct stage *stage, uint32_t index, uint64_t before_ns);

/*
 * Takes what is staged in the slot, if it is its turn: see stage__is_next(); with `is_last_look`
 * also when what is missing never comes: see stage__give_up().  `room` is for a frame, at 4 mod 8,
 * of PEAT_FRAME_HEAD_BYTES + stage__data_bytes().
 */
bool stage__collect(struct stage *stage, uint32_t index, bool is_last_look, void *room,
		    struct stage_frame *frame);

/* ---- by its lock ----------------------------------------------------------------------------- */

/*
 * Takes the slot, so that programs use the CPU's other slots instead; tries for some microseconds
 * while a program holds it.  Keep it short.  Not while there is a collector, unless the CPU is
 * offline.
 */
bool stage__lock(struct stage *stage, uint32_t index);

/*
 * Moves the events of a slot that is locked to `frame`, in the form of a frame, and empties the
 * slot. `frame` has room for PEAT_FRAME_HEAD_BYTES + stage__data_bytes().  Returns the frame's
 * length.
 */
size_t stage__take(struct stage *stage, uint32_t index, void *frame);

void stage__unlock(struct stage *stage, uint32_t index);

/* A copy of the slot's head, each member as of some moment during the call. */
void stage__read(const struct stage *stage, uint32_t index, struct peat_slot *copy);

/* The same as of one moment, except when a program holds the slot for long: false then. */
bool stage__read_still(struct stage *stage, uint32_t index, struct peat_slot *copy);

/* Notes for the next reader that the losses in `copy` were told of. */
void stage__tell(struct stage *stage, uint32_t index, const struct peat_slot *copy);

/* Events that the slot could not write: they are missing before its next frame. */
static inline uint64_t stage__lost_behind(const struct peat_slot *slot)
{
	return slot->lost_ring_full + slot->lost_no_ring + slot->lost_other;
}

/* ---- order ----------------------------------------------------------------------------------- */

/*
 * Events wait in a slot behind the frames that it sent before.  But a frame that was written need
 * not be visible in the ring yet: what a nested writer wrote, the kernel publishes together with
 * what the interrupted one writes, when that one is done (perf_output_put_handle(), 5.10 to 7.2).
 * So the reader compares what a slot sent with what came out of the ring.
 */

/* What slots sent until now was for somebody else. */
void stage__start(struct stage *stage);

/* Tells that a frame of the slot, with `count` events, has been handed out. */
void stage__hand_out(struct stage *stage, uint32_t index, uint32_t count);

/* Whether all that the slot, which is locked, sent before has been handed out. */
bool stage__is_next(const struct stage *stage, uint32_t index);

/*
 * The slot, which is locked, is not next although its ring has been read to the end.  True when
 * what is missing never comes, as it was written before the last grace period: the slot is next
 * from now on.
 */
bool stage__give_up(struct stage *stage, uint32_t index);

/* To be called before a grace period: whoever is writing now has done so behind it. */
void stage__settle(struct stage *stage);

/* ---- slots that nobody gives back ------------------------------------------------------------ */

/*
 * To be asked at intervals: how many times in a row, this time included, the slot was found held by
 * a program that got no further.
 */
uint32_t stage__is_stuck(struct stage *stage, uint32_t index);

/*
 * Takes the slot from a program that is known to have ended: the event that it reserved is counted
 * abandoned, those staged before it stay.  False when it was given back in the meantime.  `type` is
 * set to the type number of the event.  The slot is not locked afterwards.
 */
bool stage__reclaim(struct stage *stage, uint32_t index, uint32_t *type);

/* Frees every slot that a reader died with, or this process left locked before. How many. */
uint32_t stage__recover(struct stage *stage);

#endif /* STAGE_H */

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* live/drain.c: all rings and the stage, drained in turns. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <time.h>

#include "base/monotonic.h"
#include "live/drain.h"

int drain__init(struct drain *drain, struct ring *rings, uint32_t limit, struct stage *stage)
{
	*drain = (struct drain){ .rings = rings, .limit = limit, .stage = stage };
	drain->turns = calloc(limit, sizeof(struct ring *));
	if (!drain->turns)
		return -ENOMEM;
	if (!stage->slots)
		return 0;
	/* A frame begins at 4 mod 8, as in a ring. */
	drain->collected = malloc(4 + PEAT_FRAME_HEAD_BYTES + stage__data_bytes(stage));
	return drain->collected ? 0 : -ENOMEM;
}

void drain__free(struct drain *drain)
{
	free(drain->turns);
	free(drain->collected);
	free(drain->task_records);
	*drain = (struct drain){ 0 };
}

/*
 * Waking up is expensive, so every wakeup drains all rings, whichever caused it.  This is also
 * necessary: a perf event reports new data only once, to one poller (Linux 5.10 to 6.18).
 */
void drain__begin(struct drain *drain, uint64_t staged_before_ns)
{
	if (drain->open)
		return;
	drain->open = true;
	drain->begun_ns = monotonic_ns();
	drain->count++;
	drain->at = 0;
	drain->staged_before_ns = staged_before_ns;
	drain->slot = staged_before_ns ? 0 : UINT32_MAX;
	drain->passes = 0;
	for (uint32_t cpu = 0; cpu < drain->limit; cpu++) {
		struct ring *ring = &drain->rings[cpu];

		if (!ring->page)
			continue;
		ring__read_head(ring);
		if (ring->limit != ring->tail)
			drain->turns[drain->turns_left++] = ring;
	}
}

/*
 * Ends a ring's turn.  Its memory is released immediately, not at the end of the drain: the kernel
 * drops records for which the ring has no room.
 */
static void end_turn(struct drain *drain, bool drained)
{
	ring__release(drain->turns[drain->at]);
	if (drained)
		drain->turns[drain->at] = drain->turns[--drain->turns_left];
	else
		drain->at++;
	if (drain->at >= drain->turns_left)
		drain->at = 0;
}

static bool next_of_rings(struct drain *drain, struct piece *piece)
{
	while (drain->turns_left) {
		struct ring *ring = drain->turns[drain->at];
		bool quantum_used = ring__unreleased(ring) >= drain->quantum;

		piece->record = quantum_used ? NULL : ring__next(ring);
		piece->cpu = ring->cpu;
		if (piece->record)
			return true;
		end_turn(drain, !quantum_used);
	}
	drain->drained_ns = drain->begun_ns;
	return false;
}

static struct ring *ring_of(struct drain *drain, uint32_t cpu)
{
	return cpu < drain->limit && drain->rings[cpu].page ? &drain->rings[cpu] : NULL;
}

static bool is_slot_due(const struct drain *drain, uint32_t index)
{
	return (!drain->cpus || cpus__has(drain->cpus, index / PEAT_SLOTS)) &&
	       stage__has_events(drain->stage, index, drain->staged_before_ns);
}

/* The next record of the slot's ring: frames that the slot sent before have to be returned first.
 */
static bool next_of_slot_ring(struct drain *drain, struct piece *piece)
{
	struct ring *ring = drain->slot_ring;

	if (!ring)
		return false;
	if (ring__unreleased(ring) >= drain->quantum)
		ring__release(ring);
	piece->record = ring__next(ring);
	piece->cpu = ring->cpu;
	if (piece->record)
		return true;
	ring__release(ring);
	drain->slot_ring = NULL;
	return false;
}

static void begin_pass(struct drain *drain)
{
	drain->passes++;
	drain->slot_ring = ring_of(drain, drain->slot / PEAT_SLOTS);
	if (drain->slot_ring)
		ring__read_head(drain->slot_ring);
}

static void next_slot(struct drain *drain)
{
	drain->slot++;
	drain->passes = 0;
}

/* An interrupted writer usually continues at once; if not, the slot is collected at the next tick.
 */
#define PASSES_MAX 4

/* Collects the slot if all frames that it sent before have been returned. */
static bool collect_slot(struct drain *drain, struct piece *piece)
{
	struct stage_frame frame;

	if (!stage__collect(drain->stage, drain->slot, drain->passes == PASSES_MAX,
			    drain->collected + 4, &frame))
		return false;
	*piece = (struct piece){ .frame = frame.bytes,
				 .frame_bytes = frame.count,
				 .cpu = drain->slot / PEAT_SLOTS };
	next_slot(drain);
	return true;
}

static bool next_of_stage(struct drain *drain, struct piece *piece)
{
	while (drain->slot < drain->stage->slots) {
		if (next_of_slot_ring(drain, piece))
			return true;
		if (!is_slot_due(drain, drain->slot) || drain->passes > PASSES_MAX)
			next_slot(drain);
		else if (collect_slot(drain, piece))
			return true;
		else
			begin_pass(drain);
	}
	return false;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* A ring's next task record (FORK, COMM or EXIT), or that of a new cgroup, read ahead. */
struct task_record {
	struct ring *ring;
	struct perf_event_header header;
	uint64_t time_ns;
	uint32_t tid, parent_tid;
	char comm[TASKS_COMM_BYTES];
};

/* Task records have 56 bytes today; newer kernels may append fields. */
#define TASK_RECORD_BYTES_MAX	256
#define CGROUP_RECORD_BYTES_MAX (PATH_MAX + TASK_RECORD_BYTES_MAX)

int drain__follow(struct drain *drain, struct tasks *tasks, struct identities *identities,
		  const struct peat_layout *side)
{
	drain->task_records = calloc(drain->limit, sizeof(*drain->task_records));
	if (!drain->task_records)
		return -ENOMEM;
	drain->tasks = tasks;
	drain->identities = identities;
	drain->side = side;
	return 0;
}

static bool is_task_record(const struct drain *drain, const struct perf_event_header *header)
{
	if (header->type == PEAT_RECORD_CGROUP)
		return drain->identities;
	return drain->tasks &&
	       (header->type == PEAT_RECORD_FORK || header->type == PEAT_RECORD_COMM ||
		header->type == PEAT_RECORD_EXIT);
}

/* Decodes a copy, which `record` points to. */
static bool decode_ahead(const struct drain *drain, const struct task_record *next,
			 unsigned char bytes[CGROUP_RECORD_BYTES_MAX], struct peat_record *record)
{
	bool is_cgroup = next->header.type == PEAT_RECORD_CGROUP;

	record->sz = sizeof(*record);
	if (next->header.size > (is_cgroup ? CGROUP_RECORD_BYTES_MAX : TASK_RECORD_BYTES_MAX))
		return false;
	ring__copy_ahead(next->ring, &next->header, bytes);
	return peat_record__decode(drain->side, bytes, next->header.size, record) == 1;
}

static bool decode_task_record(const struct drain *drain, struct task_record *next)
{
	_Alignas(8) unsigned char bytes[CGROUP_RECORD_BYTES_MAX];
	struct peat_record record;

	if (!decode_ahead(drain, next, bytes, &record))
		return false;
	next->time_ns = record.time_ns;
	if (record.type == PEAT_RECORD_CGROUP)
		return true;
	if (record.type == PEAT_RECORD_COMM) {
		next->tid = record.comm.tid;
		for (size_t i = 0; i + 1 < sizeof(next->comm); i++)
			if (!(next->comm[i] = record.comm.comm[i]))
				break;
		next->comm[sizeof(next->comm) - 1] = '\0';
		return true;
	}
	next->tid = record.task.tid;
	next->parent_tid = record.task.ptid;
	return true;
}

/* Reads ahead to the ring's next task record.  False: there is none until now_ns. */
static bool next_task_record(const struct drain *drain, struct task_record *next, uint64_t now_ns)
{
	while (ring__peek(next->ring, &next->header)) {
		if (is_task_record(drain, &next->header) && decode_task_record(drain, next))
			return next->time_ns <= now_ns;
		ring__skip_ahead(next->ring, &next->header);
	}
	return false;
}

static struct task_record *oldest_task_record(struct task_record *records, uint32_t count)
{
	struct task_record *oldest = records;

	for (uint32_t i = 1; i < count; i++)
		if (records[i].time_ns < oldest->time_ns)
			oldest = &records[i];
	return oldest;
}

/* Without memory, the cgroup is looked for by its id. */
static void apply_cgroup_record(const struct drain *drain, const struct task_record *record)
{
	_Alignas(8) unsigned char bytes[CGROUP_RECORD_BYTES_MAX];
	struct peat_record decoded;

	if (decode_ahead(drain, record, bytes, &decoded))
		identities__add(drain->identities, decoded.cgroup.id, decoded.cgroup.path);
}

static void apply_task_record(const struct drain *drain, const struct task_record *record)
{
	struct tasks *tasks = drain->tasks;

	if (record->header.type == PEAT_RECORD_CGROUP)
		apply_cgroup_record(drain, record);
	else if (record->header.type == PEAT_RECORD_COMM)
		tasks__comm(tasks, record->tid, record->time_ns, record->comm);
	else if (record->header.type == PEAT_RECORD_FORK)
		tasks__fork(tasks, record->tid, record->parent_tid, record->time_ns);
	else
		tasks__exit(tasks, record->tid, record->time_ns);
}

/* Reads ahead in all rings, without consuming anything.  Returns how many have a task record. */
static uint32_t find_task_records(struct drain *drain, uint64_t now_ns)
{
	uint32_t count = 0;

	for (uint32_t cpu = 0; cpu < drain->limit; cpu++) {
		struct ring *ring = &drain->rings[cpu];

		if (!ring->page)
			continue;
		ring__look_ahead(ring);
		drain->task_records[count].ring = ring;
		count += next_task_record(drain, &drain->task_records[count], now_ns);
	}
	return count;
}

/*
 * Applies the task records of all rings, each once, in the order of time: a child has the name that
 * its parent had at the fork, on whatever CPU the parent got it.
 *
 * This is necessary when an event is newer than all applied records.  Rings are read in turns, and
 * a task moves from CPU to CPU: the record with its name may be in a ring whose turn comes long
 * after the event.
 *
 * Records newer than the start of the call stay for the next call: an older one may have been
 * written to a ring that had been read by then.
 */
static void apply_task_records(struct drain *drain)
{
	uint64_t now_ns = monotonic_ns();
	uint32_t count = find_task_records(drain, now_ns);

	while (count) {
		struct task_record *oldest = oldest_task_record(drain->task_records, count);

		apply_task_record(drain, oldest);
		ring__skip_ahead(oldest->ring, &oldest->header);
		if (!next_task_record(drain, oldest, now_ns))
			*oldest = drain->task_records[--count];
	}
	drain->tasks_applied_ns = now_ns;
}

void drain__apply_tasks(struct drain *drain, uint64_t time_ns)
{
	if (drain->task_records && time_ns > drain->tasks_applied_ns)
		apply_task_records(drain);
}

/* Applies a task record before it is consumed, even if no event has needed it yet. */
static void apply_before_consumed(struct drain *drain, const struct piece *piece)
{
	if (piece->record && is_task_record(drain, piece->record) &&
	    !ring__was_ahead(&drain->rings[piece->cpu]))
		apply_task_records(drain);
}

/* ---------------------------------------------------------------------------------------------- */

bool drain__next(struct drain *drain, struct piece *piece)
{
	if (next_of_rings(drain, piece) || next_of_stage(drain, piece)) {
		if (drain->task_records)
			apply_before_consumed(drain, piece);
		return true;
	}
	drain->open = false;
	return false;
}

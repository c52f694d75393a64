// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stacks/counted_frames.c: the different frames and tasks of counted stacks, by number. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "stacks/counted_frames.h"

#define ROOM_LEAST   256
#define BUILD_ID_MAX 20

/* ---- texts ----------------------------------------------------------------------------------- */

/* Returns the table's copy of a text in `copy`; NULL stays NULL.  False: no memory. */
static bool copy_text(struct counted_frames *frames, const char *text, const char **copy)
{
	const struct string_count *entry;

	*copy = NULL;
	if (!text)
		return true;
	entry = string_counts__add(&frames->texts, text, strlen(text));
	if (!entry)
		return false;
	*copy = entry->text;
	return true;
}

static void print_build_id(const struct peat_stack_frame *frame, char text[2 * BUILD_ID_MAX + 1])
{
	static const char digits[] = "0123456789abcdef";
	uint8_t bytes = frame->build_id_bytes < BUILD_ID_MAX ? frame->build_id_bytes : BUILD_ID_MAX;

	for (uint8_t i = 0; i < bytes; i++) {
		text[2 * i] = digits[frame->build_id[i] >> 4];
		text[2 * i + 1] = digits[frame->build_id[i] & 15];
	}
	text[2 * bytes] = 0;
}

/* ---- frames ---------------------------------------------------------------------------------- */

static uint32_t hash_of(const struct counted_frame *frame)
{
	uint64_t hash = frame->address ^ (uint64_t)frame->line << 44 ^
			(uint64_t)frame->space << 42 ^ (uint64_t)frame->inlined << 40;

	hash *= 0xff51afd7ed558ccdULL; /* the last steps of MurmurHash3 */
	hash = (hash ^ hash >> 33) * 0xc4ceb9fe1a85ec53ULL;
	return (uint32_t)(hash >> 33);
}

static bool is_same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool is_same_frame(const struct counted_frame *a, const struct counted_frame *b)
{
	return a->address == b->address && a->line == b->line && a->space == b->space &&
	       a->inlined == b->inlined && a->in_file == b->in_file &&
	       is_same_text(a->symbol, b->symbol) && is_same_text(a->raw_symbol, b->raw_symbol) &&
	       is_same_text(a->module, b->module) && is_same_text(a->build_id, b->build_id) &&
	       is_same_text(a->file, b->file);
}

/* The slot of the frame, or the free slot for it. */
static uint32_t *frame_slot(const struct counted_frames *frames, const struct counted_frame *frame)
{
	uint32_t mask = frames->slots_count - 1, at = hash_of(frame) & mask;

	while (frames->slots[at] && !is_same_frame(&frames->frames[frames->slots[at] - 1], frame))
		at = (at + 1) & mask;
	return &frames->slots[at];
}

static int grow_frames(struct counted_frames *frames)
{
	uint32_t room = frames->room ? 2 * frames->room : ROOM_LEAST;
	uint32_t *slots = room <= UINT32_MAX / 4 ? calloc(2 * (size_t)room, sizeof(*slots)) : NULL;
	struct counted_frame *grown =
		slots ? reallocarray(frames->frames, room, sizeof(*grown)) : NULL;

	if (!grown) {
		free(slots);
		return -ENOMEM;
	}
	free(frames->slots);
	frames->slots = slots;
	frames->slots_count = 2 * room;
	frames->frames = grown;
	frames->room = room;
	for (uint32_t i = 0; i < frames->count; i++)
		*frame_slot(frames, &grown[i]) = i + 1;
	return 0;
}

/* Copies the texts, which are the caller's, into the table. */
static uint32_t add_frame(struct counted_frames *frames, uint32_t *slot,
			  const struct counted_frame *frame)
{
	struct counted_frame *added = &frames->frames[frames->count];

	*added = *frame;
	if (!copy_text(frames, frame->symbol, &added->symbol) ||
	    !copy_text(frames, frame->raw_symbol, &added->raw_symbol) ||
	    !copy_text(frames, frame->module, &added->module) ||
	    !copy_text(frames, frame->file, &added->file) ||
	    !copy_text(frames, frame->build_id, &added->build_id))
		return COUNTED_NONE;
	*slot = ++frames->count;
	return frames->count - 1;
}

/* Addresses of a file are the same in all processes, addresses of other memory are not. */
static bool is_in_file(const struct peat_stack_frame *frame)
{
	return frame->space == PEAT_SPACE_USER && frame->module && strcmp(frame->module, "[anon]");
}

uint32_t counted_frames__add(struct counted_frames *frames, const struct peat_stack_frame *frame,
			     bool name_it)
{
	char build_id[2 * BUILD_ID_MAX + 1];
	struct counted_frame wanted = {
		.in_file = is_in_file(frame),
		.module = frame->module,
		.space = (uint8_t)frame->space,
	};
	uint32_t *slot;

	wanted.address = wanted.in_file ? frame->module_offset : frame->address;
	if (frame->build_id_bytes) {
		print_build_id(frame, build_id);
		wanted.build_id = build_id;
	}
	if (name_it) {
		wanted.symbol = frame->symbol;
		wanted.raw_symbol = frame->raw_symbol;
		wanted.file = frame->file;
		wanted.line = frame->line;
		wanted.inlined = frame->inlined;
	}
	if (frames->count == frames->room && grow_frames(frames))
		return COUNTED_NONE;
	slot = frame_slot(frames, &wanted);
	return *slot ? *slot - 1 : add_frame(frames, slot, &wanted);
}

/* ---- tasks ----------------------------------------------------------------------------------- */

static bool is_task(const struct counted_task *task, const char *comm, uint32_t pid, uint32_t tid)
{
	return task->tid == tid && task->pid == pid && is_same_text(task->comm, comm);
}

static uint32_t find_or_add_task(struct counted_frames *frames, const struct counted_task *task)
{
	struct string_count *number =
		string_counts__add(&frames->task_numbers, (const char *)task, sizeof(*task));

	if (!number || !ARRAY_RESERVE(frames->tasks, frames->task_count, frames->task_room))
		return COUNTED_NONE;
	if (!number->count) {
		frames->tasks[frames->task_count] = *task;
		number->count = ++frames->task_count;
	}
	return (uint32_t)number->count - 1;
}

uint32_t counted_frames__add_task(struct counted_frames *frames, const char *comm, uint32_t pid,
				  uint32_t tid)
{
	struct counted_task task = { .pid = pid, .tid = tid };
	uint32_t number;

	/* Successive samples are often of one task. */
	if (frames->task_count && is_task(&frames->tasks[frames->last_task], comm, pid, tid))
		return frames->last_task;
	if (!copy_text(frames, comm, &task.comm))
		return COUNTED_NONE;
	number = find_or_add_task(frames, &task);
	if (number != COUNTED_NONE)
		frames->last_task = number;
	return number;
}

void counted_frames__free(struct counted_frames *frames)
{
	free(frames->frames);
	free(frames->slots);
	free(frames->tasks);
	string_counts__free(&frames->task_numbers);
	string_counts__free(&frames->texts);
	*frames = (struct counted_frames){ 0 };
}

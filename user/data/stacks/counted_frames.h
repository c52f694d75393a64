/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* stacks/counted_frames.h: the different frames and tasks of counted stacks, by number.  Pure. */
#ifndef PEAT_STACKS_COUNTED_FRAMES_H
#define PEAT_STACKS_COUNTED_FRAMES_H

#include <peat/symbols.h>

#include "base/string_counts.h"

#define COUNTED_NONE UINT32_MAX

/* Texts are equal if their pointers are; NULL: unknown. */
struct counted_frame {
	uint64_t address; /* in_file: offset in the module's file */
	const char *symbol, *raw_symbol, *module, *file;
	const char *build_id; /* hexadecimal */
	uint32_t line;
	uint8_t space; /* enum peat_space */
	bool inlined, in_file;
};

struct counted_task {
	const char *comm; /* NULL: unknown */
	uint32_t pid, tid;
};

/* All zero: empty. */
struct counted_frames {
	struct counted_frame *frames;
	uint32_t count, room;
	uint32_t *slots; /* hash table: number + 1; 0: free */
	uint32_t slots_count;
	struct counted_task *tasks;
	uint32_t task_count, task_room;
	uint32_t last_task;
	struct string_counts task_numbers; /* by the bytes of a task; count: number + 1 */
	struct string_counts texts;
};

/* The number of a frame; `name_it` false: without its symbol.  COUNTED_NONE: no memory. */
uint32_t counted_frames__add(struct counted_frames *frames, const struct peat_stack_frame *frame,
			     bool name_it);

/* The number of a task.  COUNTED_NONE: no memory. */
uint32_t counted_frames__add_task(struct counted_frames *frames, const char *comm, uint32_t pid,
				  uint32_t tid);

void counted_frames__free(struct counted_frames *frames);

#endif /* PEAT_STACKS_COUNTED_FRAMES_H */

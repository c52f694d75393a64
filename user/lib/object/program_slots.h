/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * object/program_slots.h: programs that an object itself puts into its program arrays, for tail
 * calls: __array(values, int (void *)) } calls SEC(".maps") = { .values = { [1] = &program } }.
 */
#ifndef PEAT_OBJECT_PROGRAM_SLOTS_H
#define PEAT_OBJECT_PROGRAM_SLOTS_H

#include <stddef.h>
#include <stdint.h>

struct bpf_map;
struct bpf_object;
struct bpf_program;

struct program_slot {
	struct bpf_map *map; /* a program array */
	uint32_t index;
	struct bpf_program *program;
};

/* All zero: empty. */
struct program_slots {
	struct program_slot *at;
	size_t count;
};

/*
 * Reads the slots of an object that was opened from the ELF file of `count` bytes at `elf`.  The
 * object has to outlive the slots.  0; -EBADMSG: invalid object; -ENOMEM.
 */
int program_slots__read(struct program_slots *slots, const struct bpf_object *object,
			const void *elf, size_t count);

void program_slots__free(struct program_slots *slots);

#endif /* PEAT_OBJECT_PROGRAM_SLOTS_H */

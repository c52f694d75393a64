// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/dwarf/unwind_table.c: call frame information of a file, with a cache of rows. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/dwarf/unwind_table.h"

/* The cache replaces rows with the same hash, so that its size and its time are limited. */
#define SLOTS_MIN 64
#define SLOTS_MAX 16384

struct slot {
	uint64_t vaddr; /* 0: free */
	const struct cfi_section *section;
	struct cfi_row *row; /* NULL: there is none */
};

struct unwind_table {
	struct call_frames frames;
	struct call_frames debug; /* of a separate debug file: its .debug_frame replaces that */
	struct slot *slots;
	size_t slot_count, used; /* a power of two */
};

int unwind_table__new(struct unwind_table **made, struct call_frames *frames)
{
	struct unwind_table *table = calloc(1, sizeof(*table));

	if (!table) {
		call_frames__free(frames);
		return -ENOMEM;
	}
	table->frames = *frames;
	*made = table;
	return 0;
}

static void free_slots(struct unwind_table *table)
{
	for (size_t i = 0; i < table->slot_count; i++)
		free(table->slots[i].row);
	free(table->slots);
}

static const struct cfi_section *debug_frame_of(const struct unwind_table *table)
{
	return table->debug.debug_frame.bytes ? &table->debug.debug_frame
					      : &table->frames.debug_frame;
}

bool unwind_table__has_debug(const struct unwind_table *table)
{
	return debug_frame_of(table)->bytes;
}

void unwind_table__add_debug(struct unwind_table *table, const struct call_frames *debug)
{
	call_frames__free(&table->debug);
	table->debug = *debug;
	free_slots(table); /* rows that were missing may be there now */
	table->slots = NULL;
	table->slot_count = table->used = 0;
}

void unwind_table__free(struct unwind_table *table)
{
	if (!table)
		return;
	call_frames__free(&table->frames);
	call_frames__free(&table->debug);
	free_slots(table);
	free(table);
}

uint16_t unwind_table__machine(const struct unwind_table *table)
{
	return table->frames.machine;
}

const struct trampolines *unwind_table__trampolines(const struct unwind_table *table)
{
	return &table->frames.trampolines;
}

size_t unwind_table__bytes(const struct unwind_table *table)
{
	return sizeof(*table) + call_frames__bytes(&table->frames) +
	       call_frames__bytes(&table->debug);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static struct slot *row_slot(struct slot *slots, size_t count, uint64_t vaddr)
{
	return &slots[vaddr * UINT64_C(0x9e3779b97f4a7c15) >> 32 & (count - 1)];
}

static void replace(struct unwind_table *table, struct slot *slot, struct slot by)
{
	table->used += !slot->vaddr;
	free(slot->row);
	*slot = by;
}

/* Doubles the cache when it is half full.  Without memory it stays as it is.  False: no slots. */
static bool grow_row_cache(struct unwind_table *table)
{
	const size_t more = table->slot_count ? table->slot_count * 2 : SLOTS_MIN;
	struct slot *slots, *old = table->slots;

	if (more > SLOTS_MAX || table->used < table->slot_count / 2)
		return table->slot_count;
	slots = calloc(more, sizeof(*slots));
	if (!slots)
		return table->slot_count;
	table->used = 0;
	for (size_t i = 0; i < table->slot_count; i++)
		if (old[i].vaddr)
			replace(table, row_slot(slots, more, old[i].vaddr), old[i]);
	free(old);
	table->slots = slots;
	table->slot_count = more;
	return true;
}

/* A copy of the row; NULL: there is none, or no memory. */
static struct cfi_row *compute(const struct cfi_section *section, uint64_t vaddr,
			       uint32_t *instructions)
{
	struct cfi_entry entry;
	struct cfi_row row, *copy;

	if (!cfi_section__find(section, vaddr, &entry) ||
	    !cfi_row__find(section, &entry, vaddr, instructions, &row))
		return NULL;
	copy = malloc(cfi_row__bytes(&row));
	return copy ? memcpy(copy, &row, cfi_row__bytes(&row)) : NULL;
}

/* Rows that were not found are cached, too, unless another stack may find them. */
const struct cfi_row *unwind_table__find(struct unwind_table *table, uint64_t vaddr,
					 uint32_t *instructions, const struct cfi_section **section)
{
	struct slot found = { vaddr, &table->frames.eh_frame, NULL }, *slot;

	if (!vaddr || !grow_row_cache(table))
		return NULL;
	slot = row_slot(table->slots, table->slot_count, vaddr);
	if (slot->vaddr != vaddr) {
		found.row = compute(found.section, vaddr, instructions);
		if (!found.row) {
			found.section = debug_frame_of(table);
			found.row = compute(found.section, vaddr, instructions);
		}
		if (!found.row && !*instructions)
			return NULL;
		replace(table, slot, found);
	}
	*section = slot->section;
	return slot->row;
}

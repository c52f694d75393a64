/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_SCHEMA_EVENT_TYPES_H
#define PEAT_SCHEMA_EVENT_TYPES_H

#include <stdbool.h>
#include <stdint.h>

struct btf;

/*
 * Sets `bytes` to the size of the largest event that programs reserve (0: none), from the notes
 * that peat_reserve() leaves: variables peat_note_N in .rodata.  Stacks add `stack_bytes` bytes to
 * the events that have them.  0, or -EBADMSG: an invalid note.
 */
int event_types__largest(const struct btf *btf, uint32_t stack_bytes, uint32_t *bytes);

/* Whether a type of an event has stacks (PEAT_STACKS), as its last member. */
bool event_types__has_stacks(const struct btf *btf, uint32_t btf_id);

/*
 * Reads note `i`.  A type that is reserved in several places has several notes.
 *
 *     1          btf_id is set
 *     0          there are fewer notes
 *     -EBADMSG   an invalid note
 */
int event_types__at(const struct btf *btf, uint32_t i, uint32_t *btf_id);

/* Whether note `i` is the first of its type. */
bool event_types__is_first(const struct btf *btf, uint32_t i);

#endif /* PEAT_SCHEMA_EVENT_TYPES_H */

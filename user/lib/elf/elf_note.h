/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* elf/elf_note.h: the build-id in the notes of an ELF file.  Pure. */
#ifndef PEAT_ELF_ELF_NOTE_H
#define PEAT_ELF_ELF_NOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kernel and perf store that many bytes of a build-id; longer ones are cut. */
#define BUILD_ID_BYTES 20

struct build_id {
	uint8_t bytes; /* 0: unknown */
	uint8_t id[BUILD_ID_BYTES];
};

/*
 * Finds the build-id in `bytes` bytes of notes.  `align` is the alignment of the segment or
 * section: 8, anything else is 4.  False: there is none, or the notes are cut before it.
 */
bool elf_note__build_id(const void *notes, size_t bytes, uint64_t align, bool swapped,
			struct build_id *id);

/*
 * Whether two build-ids are the same; unknown ones never are.  Build-ids from perf have zeroes at
 * the end if they are shorter than 20 bytes: trailing zeroes do not count.
 */
bool build_id__equal(const struct build_id *a, const struct build_id *b);

/* Copies `bytes` bytes of a build-id, at most BUILD_ID_BYTES. */
void build_id__set(struct build_id *id, const void *from, size_t bytes);

#define BUILD_ID_TEXT (2 * BUILD_ID_BYTES + 1)

/* In hexadecimal. */
const char *build_id__text(const struct build_id *id, char text[BUILD_ID_TEXT]);

#endif /* PEAT_ELF_ELF_NOTE_H */

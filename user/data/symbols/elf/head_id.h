/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/elf/head_id.h: the build-id of a file, from its first bytes, without libelf: for the
 * thread that empties the rings, which a file may neither block nor keep busy.
 */
#ifndef PEAT_SYMBOLS_ELF_HEAD_ID_H
#define PEAT_SYMBOLS_ELF_HEAD_ID_H

#include "elf/elf_note.h"

/* The first bytes of a file have its headers, and of most files the notes. */
#define HEAD_BYTES  4096
#define HEAD_NOTES  4	 /* segments */
#define NOTES_BYTES 4096 /* more of a segment is not read */

/* A segment of notes. */
struct head_notes {
	uint64_t offset, bytes, align;
};

/*
 * Finds the segments of notes in the first bytes of a file.  Pure.  Returns their number, at most
 * HEAD_NOTES; 0: there are none, or this is no ELF file.
 */
unsigned head_id__find_notes(const void *head, size_t bytes, struct head_notes notes[HEAD_NOTES],
			     bool *swapped);

/*
 * Reads the build-id of a regular file: 20 KiB at most.  Memory of the page cache is read, or that
 * of a local disk; a server is not waited for.  False: it has none, or the bytes are not at hand.
 */
bool head_id__read(int fd, struct build_id *id);

/* Likewise the machine, EM_*, of an ELF file.  False: it is none, or the bytes are not at hand. */
bool head_id__machine(int fd, uint16_t *machine);

#endif /* PEAT_SYMBOLS_ELF_HEAD_ID_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * damaged_elf.h: changes a program so that it costs a reader much time or memory.
 *
 * A program of made_elf.h, 64-bit, which is open for reading and writing; those with names have a
 * table of symbols.  The programs need few blocks of the disk: most bytes are holes.
 */
#ifndef TESTS_SUPPORT_SYMBOLS_DAMAGED_ELF_H
#define TESTS_SUPPORT_SYMBOLS_DAMAGED_ELF_H

#include <stdint.h>

/* 60 tables of symbols of 1 GiB, over the same hole. */
void damaged_elf__symbols_of_holes(int fd);

/* 4,095 segments of notes and of code of 2 GiB, after the first one. */
void damaged_elf__segments_of_holes(int fd);

/* The symbol gets a name of 50 MB. */
void damaged_elf__long_name(int fd);

/* 20,000 functions at the address of the symbol, whose names have 32 KiB in the source. */
void damaged_elf__long_aliases(int fd);

/* An .eh_frame of 200 MiB for code at an address: instructions that do nothing. */
void damaged_elf__call_frames(int fd, uint64_t vaddr, uint64_t bytes);

#endif /* TESTS_SUPPORT_SYMBOLS_DAMAGED_ELF_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/dwarf/cfi_section.h: call frame information, the sections .eh_frame and .debug_frame:
 * finds the entry of an address.  Pure: the bytes may be anything.
 *
 * libdw reads them, too, 5 MB of a library of 110 MB, but without limits: of 400 damaged files,
 * 3 took 5 to 9 s and 2 GiB of memory.
 */
#ifndef PEAT_SYMBOLS_DWARF_CFI_SECTION_H
#define PEAT_SYMBOLS_DWARF_CFI_SECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/dwarf/dwarf_cursor.h"

/* The entry of a function: an FDE. */
struct cfi_index {
	uint64_t start;
	uint32_t bytes; /* of code */
	uint32_t at;	/* offset in the section */
};

struct cfi_section {
	uint8_t *bytes;
	size_t count;
	uint64_t vaddr;			 /* of the section */
	uint64_t text_vaddr, data_vaddr; /* bases of encoded pointers */
	bool is_eh;			 /* .eh_frame */
	bool is_64;			 /* addresses have 8 bytes, else 4 */
	bool swapped;
	bool has_signal;	 /* there are entries of signal frames */
	struct cfi_index *index; /* by start */
	size_t index_count;
	bool is_borrowed; /* bytes and index are not the section's; else they are from malloc() */
};

/* The common part of several entries: a CIE. */
struct cfi_common {
	uint64_t code_factor;
	int64_t data_factor;
	uint64_t return_register;
	uint8_t pointer_encoding; /* DW_EH_PE_* */
	bool has_augmentation;	  /* entries have augmentation data */
	bool is_signal;		  /* a frame that the kernel made for a signal handler */
	uint8_t address_bytes;
	struct cursor program;
};

struct cfi_entry {
	struct cfi_common common;
	uint64_t start, bytes; /* the code */
	struct cursor program;
};

/* Makes the index.  Entries that are invalid are left out.  0 or -ENOMEM. */
int cfi_section__index(struct cfi_section *section);

/* Finds the entry with an address.  False: there is none, or it is invalid. */
bool cfi_section__find(const struct cfi_section *section, uint64_t vaddr, struct cfi_entry *entry);

void cfi_section__free(struct cfi_section *section); /* its memory, not the struct */

#endif /* PEAT_SYMBOLS_DWARF_CFI_SECTION_H */

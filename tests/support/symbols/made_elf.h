/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * made_elf.h: small ELF files of any class, byte order and machine, made for a test.
 *
 * A file has one segment: `bytes` bytes from offset 0x1000 on, at address vaddr + 0x1000, with the
 * section .text.
 */
#ifndef TESTS_SUPPORT_SYMBOLS_MADE_ELF_H
#define TESTS_SUPPORT_SYMBOLS_MADE_ELF_H

#include <gelf.h>
#include <stdint.h>

#define MADE_TEXT_OFFSET 0x1000

struct made_symbol {
	const char *name;
	uint64_t value, bytes;
	unsigned char binding, type; /* STB_*, STT_* */
	unsigned char visibility;    /* STV_* */
	uint16_t section;	     /* 0: .text */
};

struct made_elf {
	int class, encoding;   /* ELFCLASS*, ELFDATA* */
	uint16_t machine;      /* EM_* */
	uint64_t vaddr;	       /* of offset 0 */
	uint64_t bytes;	       /* of .text; 0: 0x1000 */
	uint64_t memory_bytes; /* of the segment; 0: `bytes` */
	const void *text;      /* `bytes` bytes; NULL: zeroes */
	const char *build_id;  /* 20 bytes; NULL: none */
	const char *link;      /* a name for .gnu_debuglink, with a checksum of 0; NULL: none */
	uint32_t table;	       /* of the symbols: 0: SHT_SYMTAB; SHT_DYNSYM */
	const struct made_symbol *symbols;
	size_t symbols_count;
	const struct made_symbol *dynamic; /* of a second table, SHT_DYNSYM; NULL: none */
	size_t dynamic_count;
};

/* An empty file for the programs of this machine: class, encoding and machine. */
struct made_elf made_elf__own(void);

/* Writes the file into `fd`, from its start. */
void made_elf__write(const struct made_elf *made, int fd);

/* A new file in memory. */
int made_elf__fd(const struct made_elf *made);

#endif /* TESTS_SUPPORT_SYMBOLS_MADE_ELF_H */

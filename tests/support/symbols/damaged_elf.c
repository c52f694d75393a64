// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* damaged_elf.c: changes a program so that it costs a reader much time or memory. */
#include <elf.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "support/symbols/damaged_elf.h"

#define HOLE_BYTES   (1ULL << 30)
#define HOLE_AT	     (1 << 20)
#define SECTIONS     62
#define SEGMENTS     4096
#define NAME_BYTES   (50 << 20)
#define FRAMES_BYTES (200U << 20)
#define ALIASES	     20000
#define ALIAS_BYTES  256
#define ALIAS_DEPTH  9

#define SECTIONS_MAX 16 /* of a program before the change */

static void put(int fd, const void *bytes, size_t count, uint64_t at)
{
	ck_assert_int_eq(pwrite(fd, bytes, count, (off_t)at), (ssize_t)count);
}

static void get(int fd, void *bytes, size_t count, uint64_t at)
{
	ck_assert_int_eq(pread(fd, bytes, count, (off_t)at), (ssize_t)count);
}

/* The headers of a file, which put_headers() writes at its end. */
struct headers {
	Elf64_Ehdr head;
	Elf64_Shdr sections[SECTIONS_MAX];
};

static void get_headers(int fd, struct headers *headers)
{
	Elf64_Ehdr *head = &headers->head;

	get(fd, head, sizeof(*head), 0);
	ck_assert_uint_lt(head->e_shnum, SECTIONS_MAX);
	get(fd, headers->sections, head->e_shnum * sizeof(Elf64_Shdr), head->e_shoff);
}

static void put_headers(int fd, struct headers *headers)
{
	headers->head.e_shoff = ((uint64_t)lseek(fd, 0, SEEK_END) + 7) & ~7ULL;
	put(fd, headers->sections, headers->head.e_shnum * sizeof(Elf64_Shdr),
	    headers->head.e_shoff);
	put(fd, &headers->head, sizeof(headers->head), 0);
}

static Elf64_Shdr *section_of(struct headers *headers, uint32_t type)
{
	for (unsigned i = 0; i < headers->head.e_shnum; i++)
		if (headers->sections[i].sh_type == type)
			return &headers->sections[i];
	ck_abort_msg("no section of type %u", type);
}

/* Moves a section to the end of the file, where it has these bytes. */
static void replace(int fd, Elf64_Shdr *section, const void *bytes, size_t count)
{
	section->sh_offset = ((uint64_t)lseek(fd, 0, SEEK_END) + 7) & ~7ULL;
	section->sh_size = count;
	put(fd, bytes, count, section->sh_offset);
}

/* ---- tables ---------------------------------------------------------------------------------- */

void damaged_elf__symbols_of_holes(int fd)
{
	Elf64_Shdr sections[SECTIONS] = { { 0 } };
	Elf64_Ehdr head;

	get(fd, &head, sizeof(head), 0);
	for (unsigned i = 1; i < SECTIONS; i++)
		sections[i] = (Elf64_Shdr){ .sh_type = i == 1 ? SHT_STRTAB : SHT_SYMTAB,
					    .sh_offset = HOLE_AT,
					    .sh_size = HOLE_BYTES / 24 * 24,
					    .sh_link = 1,
					    .sh_entsize = sizeof(Elf64_Sym) };
	head.e_shoff = HOLE_AT + HOLE_BYTES;
	head.e_shnum = SECTIONS;
	head.e_shstrndx = 0;
	put(fd, sections, sizeof(sections), head.e_shoff);
	put(fd, &head, sizeof(head), 0);
}

void damaged_elf__segments_of_holes(int fd)
{
	Elf64_Phdr segments[SEGMENTS] = { { 0 } };
	Elf64_Ehdr head;

	get(fd, &head, sizeof(head), 0);
	get(fd, &segments[0], sizeof(segments[0]), head.e_phoff);
	for (unsigned i = 1; i < SEGMENTS; i++)
		segments[i] = (Elf64_Phdr){ .p_type = i % 2 ? PT_NOTE : PT_LOAD,
					    .p_flags = PF_R | PF_X,
					    .p_offset = HOLE_AT,
					    .p_vaddr = HOLE_AT,
					    .p_filesz = 2 * HOLE_BYTES,
					    .p_memsz = 2 * HOLE_BYTES };
	head.e_phoff = HOLE_AT + 2 * HOLE_BYTES;
	head.e_phnum = SEGMENTS;
	put(fd, segments, sizeof(segments), head.e_phoff);
	put(fd, &head, sizeof(head), 0);
}

void damaged_elf__long_name(int fd)
{
	char *names = malloc(NAME_BYTES);
	struct headers headers;

	ck_assert_ptr_nonnull(names);
	memset(names, 'n', NAME_BYTES);
	names[0] = names[NAME_BYTES - 1] = '\0';
	get_headers(fd, &headers);
	replace(fd, &headers.sections[section_of(&headers, SHT_SYMTAB)->sh_link], names,
		NAME_BYTES);
	put_headers(fd, &headers);
	free(names);
}

/*
 * A function template whose parameters are pairs of the pairs before: a name of 150 bytes, which
 * has 32 KiB in the source.
 */
static size_t append_name(char *to, unsigned number)
{
	char *at = to + sprintf(to, "_Z6f%05uISt4pairIiiE", number);

	for (int i = 1; i <= ALIAS_DEPTH; i++)
		at += sprintf(at, "S0_IS%d_S%d_E", i, i);
	at += sprintf(at, "EvT_");
	return (size_t)(at - to) + 1;
}

void damaged_elf__long_aliases(int fd)
{
	Elf64_Sym *symbols = calloc(ALIASES, sizeof(*symbols));
	char *names = malloc((ALIASES + 1) * (size_t)ALIAS_BYTES);
	struct headers headers;
	Elf64_Shdr *section;
	size_t used = 1;

	ck_assert(symbols && names);
	get_headers(fd, &headers);
	section = section_of(&headers, SHT_SYMTAB);
	names[0] = '\0';
	for (unsigned i = 1; i < ALIASES; i++) {
		get(fd, &symbols[i], sizeof(*symbols), section->sh_offset + sizeof(*symbols));
		symbols[i].st_name = (uint32_t)used;
		used += append_name(names + used, i);
	}
	replace(fd, section, symbols, ALIASES * sizeof(*symbols));
	replace(fd, &headers.sections[section->sh_link], names, used);
	put_headers(fd, &headers);
	free(symbols);
	free(names);
}

/* ---- call frames ----------------------------------------------------------------------------- */

/* A common entry without augmentation, and an entry whose instructions are all DW_CFA_nop. */
struct endless_entry {
	uint32_t common_bytes, common_id;
	uint8_t common[8]; /* version, augmentation, factors, register of the return address */
	uint32_t bytes, id;
	uint64_t begin, code_bytes;
};

void damaged_elf__call_frames(int fd, uint64_t vaddr, uint64_t bytes)
{
	const struct endless_entry frames = {
		.common_bytes = 12,
		.common = { 1, 0, 1, 0x78, 16 },
		.bytes = FRAMES_BYTES - 24, /* a length of 0 ends the section */
		.id = offsetof(struct endless_entry, id),
		.begin = vaddr,
		.code_bytes = bytes,
	};
	char names[256] = "";
	struct headers headers;
	Elf64_Shdr *section, *of_names;

	get_headers(fd, &headers);
	of_names = &headers.sections[headers.head.e_shstrndx];
	ck_assert_uint_lt(of_names->sh_size + sizeof(".eh_frame"), sizeof(names));
	get(fd, names, of_names->sh_size, of_names->sh_offset);
	section = &headers.sections[headers.head.e_shnum++];
	*section = (Elf64_Shdr){ .sh_name = (uint32_t)of_names->sh_size,
				 .sh_type = SHT_PROGBITS,
				 .sh_flags = SHF_ALLOC };
	strcpy(names + of_names->sh_size, ".eh_frame");
	replace(fd, of_names, names, of_names->sh_size + sizeof(".eh_frame"));
	replace(fd, section, &frames, sizeof(frames));
	section->sh_size = FRAMES_BYTES;
	ck_assert_int_eq(ftruncate(fd, (off_t)(section->sh_offset + FRAMES_BYTES)), 0);
	put_headers(fd, &headers);
}

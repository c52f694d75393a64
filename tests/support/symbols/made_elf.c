// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* made_elf.c: small ELF files of any class, byte order and machine, made for a test. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "support/symbols/made_elf.h"

#define SECTION_NAMES "\0.text\0.symtab\0.strtab\0.note\0.shstrtab\0.gnu_debuglink\0.dynsym"
#define TEXT_NAME     1
#define SYMBOLS_NAME  7
#define STRINGS_NAME  15
#define NOTE_NAME     23
#define NAMES_NAME    29
#define LINK_NAME     39
#define DYNAMIC_NAME  54

/* Offsets of sections from the start of the names. */
#define NOTE_AT 64
#define LINK_AT 128

#define LINK_ROOM    260
#define STRINGS_ROOM 65536

#define TEXT_SECTION 1

static Elf_Scn *add_section(Elf *elf, uint32_t name, uint32_t type, uint64_t flags, void *bytes,
			    size_t count)
{
	Elf_Scn *section = elf_newscn(elf);
	Elf_Data *data = elf_newdata(section);
	GElf_Shdr header;

	gelf_getshdr(section, &header);
	header.sh_name = name;
	header.sh_type = type;
	header.sh_flags = flags;
	ck_assert(gelf_update_shdr(section, &header));
	data->d_buf = bytes;
	data->d_size = count;
	data->d_align = 1;
	data->d_version = EV_CURRENT;
	return section;
}

/* Offsets are chosen here, since the segment has to have the text. */
static void place(Elf_Scn *section, uint64_t offset, uint64_t vaddr, uint64_t bytes, uint64_t align)
{
	GElf_Shdr header;

	gelf_getshdr(section, &header);
	header.sh_offset = offset;
	header.sh_addr = vaddr;
	header.sh_size = bytes;
	header.sh_addralign = align;
	ck_assert(gelf_update_shdr(section, &header));
}

static void write_headers(Elf *elf, const struct made_elf *made, uint64_t bytes)
{
	GElf_Ehdr header;
	GElf_Phdr segment = {
		.p_type = PT_LOAD,
		.p_flags = PF_R | PF_X,
		.p_offset = MADE_TEXT_OFFSET,
		.p_vaddr = made->vaddr + MADE_TEXT_OFFSET,
		.p_filesz = bytes,
		.p_memsz = made->memory_bytes ? made->memory_bytes : bytes,
		.p_align = 0x1000,
	};

	ck_assert(gelf_newehdr(elf, made->class));
	ck_assert(gelf_newphdr(elf, 1));
	ck_assert(gelf_getehdr(elf, &header));
	header.e_ident[EI_DATA] = (unsigned char)made->encoding;
	header.e_machine = made->machine;
	header.e_type = ET_DYN;
	header.e_version = EV_CURRENT;
	header.e_phoff = gelf_fsize(elf, ELF_T_EHDR, 1, EV_CURRENT);
	header.e_shoff = 0x100;
	ck_assert(gelf_update_ehdr(elf, &header));
	ck_assert(gelf_update_phdr(elf, 0, &segment));
}

/* Names of symbols. */
struct strings {
	char *bytes;
	size_t count;
};

/* The table in the host's byte order; libelf converts it. */
static void fill_symbols(Elf_Data *data, const struct made_symbol *symbols, size_t count,
			 struct strings *strings)
{
	data->d_type = ELF_T_SYM;
	for (size_t i = 0; i < count; i++) {
		const struct made_symbol *symbol = &symbols[i];
		GElf_Sym written = {
			.st_name = (GElf_Word)strings->count,
			.st_value = symbol->value,
			.st_size = symbol->bytes,
			.st_info = GELF_ST_INFO(symbol->binding, symbol->type),
			.st_other = symbol->visibility,
			.st_shndx = symbol->section ? symbol->section : TEXT_SECTION,
		};

		strcpy(strings->bytes + strings->count, symbol->name);
		strings->count += strlen(symbol->name) + 1;
		ck_assert(gelf_update_sym(data, (int)i + 1, &written));
	}
}

/* Strings are in the section after the tables.  Returns the table's bytes. */
static size_t write_table(Elf *elf, Elf_Scn *section, uint64_t offset, uint32_t strings)
{
	size_t bytes = elf_getdata(section, NULL)->d_size;
	GElf_Shdr header;

	gelf_getshdr(section, &header);
	header.sh_link = strings;
	header.sh_entsize = gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT);
	ck_assert(gelf_update_shdr(section, &header));
	place(section, offset, 0, bytes, 8);
	return bytes;
}

/* Returns the bytes of the tables. */
static size_t write_tables(Elf *elf, const struct made_elf *made, uint64_t offset,
			   struct strings *strings)
{
	size_t entry = gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT);
	size_t bytes = (made->symbols_count + 1) * entry, link = made->dynamic ? 4 : 3;
	char *table = strings->bytes + STRINGS_ROOM;
	Elf_Scn *section;

	section = add_section(elf, SYMBOLS_NAME, made->table ? made->table : SHT_SYMTAB,
			      made->table == SHT_DYNSYM ? SHF_ALLOC : 0, table, bytes);
	fill_symbols(elf_getdata(section, NULL), made->symbols, made->symbols_count, strings);
	write_table(elf, section, offset, link);
	if (!made->dynamic)
		return bytes;
	section = add_section(elf, DYNAMIC_NAME, SHT_DYNSYM, SHF_ALLOC, table + bytes,
			      (made->dynamic_count + 1) * entry);
	fill_symbols(elf_getdata(section, NULL), made->dynamic, made->dynamic_count, strings);
	return bytes + write_table(elf, section, offset + bytes, link);
}

static void write_note(Elf *elf, const struct made_elf *made, uint32_t *note, uint64_t offset)
{
	Elf_Scn *section;

	if (!made->build_id)
		return;
	note[0] = 4;
	note[1] = 20;
	note[2] = NT_GNU_BUILD_ID;
	memcpy(&note[3], "GNU", 4);
	memcpy(&note[4], made->build_id, 20);
	if ((made->encoding == ELFDATA2LSB) != (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__))
		for (int i = 0; i < 3; i++)
			note[i] = __builtin_bswap32(note[i]);
	section = add_section(elf, NOTE_NAME, SHT_NOTE, SHF_ALLOC, note, 36);
	place(section, offset, 0, 36, 4);
}

/* The checksum is after the name, at a multiple of 4. */
static void write_link(Elf *elf, const struct made_elf *made, char link[LINK_ROOM], uint64_t offset)
{
	size_t bytes = made->link ? ((strlen(made->link) + 4) & ~(size_t)3) + 4 : 0;

	if (!made->link)
		return;
	ck_assert_uint_le(bytes, LINK_ROOM);
	memset(link, 0, LINK_ROOM);
	strcpy(link, made->link);
	place(add_section(elf, LINK_NAME, SHT_PROGBITS, 0, link, bytes), offset, 0, bytes, 4);
}

/* Buffers of sections, until they are written. */
struct contents {
	uint32_t note[9];
	char link[LINK_ROOM];
};

static void write_sections(Elf *elf, const struct made_elf *made, uint64_t bytes, char *memory,
			   struct contents *contents)
{
	struct strings strings = { memory + bytes, 1 };
	uint64_t at = MADE_TEXT_OFFSET + bytes;
	Elf_Scn *section;
	GElf_Ehdr ehdr;

	section =
		add_section(elf, TEXT_NAME, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, memory, bytes);
	place(section, MADE_TEXT_OFFSET, made->vaddr + MADE_TEXT_OFFSET, bytes, 16);
	at += write_tables(elf, made, at, &strings);
	section = add_section(elf, STRINGS_NAME, SHT_STRTAB, 0, strings.bytes, strings.count);
	place(section, at, 0, strings.count, 1);
	at += (strings.count + 7) & ~7ULL;
	section = add_section(elf, NAMES_NAME, SHT_STRTAB, 0, (void *)SECTION_NAMES,
			      sizeof(SECTION_NAMES));
	place(section, at, 0, sizeof(SECTION_NAMES), 1);
	write_note(elf, made, contents->note, at + NOTE_AT);
	write_link(elf, made, contents->link, at + LINK_AT);
	gelf_getehdr(elf, &ehdr);
	ehdr.e_shstrndx = (GElf_Half)(made->dynamic ? 5 : 4);
	ck_assert(gelf_update_ehdr(elf, &ehdr));
}

struct made_elf made_elf__own(void)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct made_elf made = { 0 };
	Elf64_Ehdr header; /* the first fields have the same places in ELF32 */

	ck_assert_int_eq(read(fd, &header, sizeof(header)), sizeof(header));
	close(fd);
	made.class = header.e_ident[EI_CLASS];
	made.encoding = header.e_ident[EI_DATA];
	made.machine = header.e_machine;
	return made;
}

void made_elf__write(const struct made_elf *made, int fd)
{
	uint64_t bytes = made->bytes ? made->bytes : 0x1000;
	size_t symbols = made->symbols_count + 1 + made->dynamic_count + 1;
	char *memory = calloc(1, bytes + STRINGS_ROOM + symbols * sizeof(GElf_Sym));
	struct contents contents;
	Elf *elf;

	ck_assert(memory && elf_version(EV_CURRENT) != EV_NONE);
	if (made->text)
		memcpy(memory, made->text, bytes);
	elf = elf_begin(fd, ELF_C_WRITE, NULL);
	ck_assert_ptr_nonnull(elf);
	elf_flagelf(elf, ELF_C_SET, ELF_F_LAYOUT);
	write_headers(elf, made, bytes);
	write_sections(elf, made, bytes, memory, &contents);
	ck_assert_msg(elf_update(elf, ELF_C_WRITE) > 0, "%s", elf_errmsg(-1));
	elf_end(elf);
	free(memory);
}

int made_elf__fd(const struct made_elf *made)
{
	int fd = memfd_create("made", MFD_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	made_elf__write(made, fd);
	return fd;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/unwind_table.c: call frame information of a file, with a cache of rows. */
#include <stdlib.h>

#include "base/internal.h"
#include "symbols/unwind_table.h"

/* The cache replaces rows with the same hash, so that its size and its time are limited. */
#define SLOTS_MIN 64
#define SLOTS_MAX 16384

/* A row of 1 GiB of call frame information is of no real file. */
#define SECTION_BYTES_MAX (UINT64_C(1) << 30)

struct slot {
	uint64_t vaddr; /* 0: free */
	const struct cfi_section *section;
	struct cfi_row *row; /* NULL: there is none */
};

/* Code of larger files is not searched for trampolines: those of libc and of the vdso are smaller.
 */
#define CODE_BYTES_MAX (UINT64_C(2) << 20)

struct unwind_table {
	struct cfi_section eh_frame, debug_frame;
	struct trampolines trampolines;
	uint16_t machine;
	struct slot *slots;
	size_t slot_count, used; /* a power of two */
};

/* ---- reading --------------------------------------------------------------------------------- */

static uint64_t address_of(const struct elf_file *file, const char *name)
{
	GElf_Shdr header;

	return elf_file__find_section(file, name, &header) ? header.sh_addr : 0;
}

/* Copies the bytes to a section and makes its index.  No bytes are no error. */
static int fill(struct cfi_section *section, const struct elf_file *file, struct elf_content from)
{
	if (!from.at || !from.bytes || from.bytes > SECTION_BYTES_MAX)
		return 0;
	section->bytes = malloc(from.bytes);
	if (!section->bytes)
		return -ENOMEM;
	memcpy(section->bytes, from.at, from.bytes);
	section->count = from.bytes;
	section->is_64 = file->is_64;
	section->swapped = file->swapped;
	section->text_vaddr = address_of(file, ".text");
	section->data_vaddr = address_of(file, ".got");
	return cfi_section__index(section);
}

/* Finds the segment of a type.  False: there is none. */
static bool find_segment(const struct elf_file *file, uint32_t type, GElf_Phdr *segment)
{
	size_t count;

	if (elf_getphdrnum(file->elf, &count))
		return false;
	for (int i = 0; i < (int)count && gelf_getphdr(file->elf, i, segment); i++)
		if (segment->p_type == type)
			return true;
	return false;
}

/*
 * Finds .eh_frame by the header that the dynamic linker uses, in a file without sections: from the
 * pointer in that header to the end of the segment.  The pointer is relative to itself, in all
 * files that linkers make.
 */
static struct elf_content find_by_segment(const struct elf_file *file, uint64_t *vaddr)
{
	struct elf_content none = { 0 };
	const struct elf_load *load;
	const uint8_t *head;
	GElf_Phdr segment;
	Elf_Data *data;
	uint64_t skipped;

	if (!find_segment(file, PT_GNU_EH_FRAME, &segment))
		return none;
	data = elf_getdata_rawchunk(file->elf, (int64_t)segment.p_offset, 8, ELF_T_BYTE);
	head = data ? data->d_buf : NULL;
	if (!head || head[0] != 1 || head[1] != 0x1b) /* version; pcrel, 4 bytes with sign */
		return none;
	*vaddr = segment.p_vaddr + 4 + (uint64_t)(int32_t)load_u32(head + 4, file->swapped);
	load = elf_file__find_load(file, *vaddr);
	skipped = load ? *vaddr - load->vaddr : 0;
	if (!load || skipped >= load->bytes || load->bytes - skipped > SECTION_BYTES_MAX)
		return none;
	data = elf_getdata_rawchunk(file->elf, (int64_t)(load->offset + skipped),
				    load->bytes - skipped, ELF_T_BYTE);
	return data && data->d_buf ? (struct elf_content){ data->d_buf, data->d_size } : none;
}

static int read_eh_frame(struct cfi_section *section, const struct elf_file *file)
{
	GElf_Shdr header;
	Elf_Scn *found = elf_file__find_section(file, ".eh_frame", &header);

	section->is_eh = true;
	if (found) {
		section->vaddr = header.sh_addr;
		return fill(section, file, elf_file__content(found));
	}
	return fill(section, file, find_by_segment(file, &section->vaddr));
}

static int read_debug_frame(struct cfi_section *section, const struct elf_file *file)
{
	GElf_Shdr header;
	Elf_Scn *found = file ? elf_file__find_section(file, ".debug_frame", &header) : NULL;
	const Elf_Data *data;

	if (!found || section->bytes || header.sh_type == SHT_NOBITS)
		return 0;
	if (header.sh_flags & SHF_COMPRESSED && elf_compress(found, 0, 0) < 0)
		return 0;
	data = elf_getdata(found, NULL);
	if (!data || !data->d_buf)
		return 0;
	return fill(section, file, (struct elf_content){ data->d_buf, data->d_size });
}

static void find_trampolines(struct unwind_table *table, const struct elf_file *file)
{
	for (size_t i = 0; i < file->loads_count; i++) {
		const struct elf_load *load = &file->loads[i];
		const Elf_Data *data;

		if (!load->is_executable || load->bytes > CODE_BYTES_MAX)
			continue;
		data = elf_getdata_rawchunk(file->elf, (int64_t)load->offset, load->bytes,
					    ELF_T_BYTE);
		if (data && data->d_buf)
			trampolines__add(&table->trampolines, file->machine, data->d_buf,
					 data->d_size, load->vaddr);
	}
}

int unwind_table__new(struct unwind_table **made, const struct elf_file *file,
		      const struct elf_file *debug_file)
{
	struct unwind_table *table = calloc(1, sizeof(*table));
	int err;

	if (!table)
		return -ENOMEM;
	table->machine = file->machine;
	err = read_eh_frame(&table->eh_frame, file);
	if (!err)
		err = read_debug_frame(&table->debug_frame, file);
	if (!err)
		err = read_debug_frame(&table->debug_frame, debug_file);
	if (!err && !table->eh_frame.has_signal)
		find_trampolines(table, file);
	if (!err && !table->eh_frame.index_count && !table->debug_frame.index_count &&
	    !table->trampolines.count)
		err = -ENODATA;
	if (err) {
		unwind_table__free(table);
		return err;
	}
	*made = table;
	return 0;
}

static void free_slots(struct unwind_table *table)
{
	for (size_t i = 0; i < table->slot_count; i++)
		free(table->slots[i].row);
	free(table->slots);
}

int unwind_table__add_debug(struct unwind_table *table, const struct elf_file *debug_file)
{
	int err = table->debug_frame.bytes ? -ENODATA
					   : read_debug_frame(&table->debug_frame, debug_file);

	if (err)
		return err;
	free_slots(table); /* rows that were missing may be there now */
	table->slots = NULL;
	table->slot_count = table->used = 0;
	return table->debug_frame.index_count ? 0 : -ENODATA;
}

void unwind_table__free(struct unwind_table *table)
{
	if (!table)
		return;
	cfi_section__free(&table->eh_frame);
	cfi_section__free(&table->debug_frame);
	free_slots(table);
	free(table);
}

uint16_t unwind_table__machine(const struct unwind_table *table)
{
	return table->machine;
}

const struct trampolines *unwind_table__trampolines(const struct unwind_table *table)
{
	return &table->trampolines;
}

static size_t section_bytes(const struct cfi_section *section)
{
	return section->count + section->index_count * sizeof(*section->index);
}

size_t unwind_table__bytes(const struct unwind_table *table)
{
	return sizeof(*table) + section_bytes(&table->eh_frame) +
	       section_bytes(&table->debug_frame);
}

/* ---- rows ------------------------------------------------------------------------------------ */

static struct slot *slot_of(struct slot *slots, size_t count, uint64_t vaddr)
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
static bool grow(struct unwind_table *table)
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
			replace(table, slot_of(slots, more, old[i].vaddr), old[i]);
	free(old);
	table->slots = slots;
	table->slot_count = more;
	return true;
}

/* A copy of the row; NULL: there is none, or no memory. */
static struct cfi_row *compute(const struct cfi_section *section, uint64_t vaddr)
{
	struct cfi_entry entry;
	struct cfi_row row, *copy;

	if (!cfi_section__find(section, vaddr, &entry) ||
	    !cfi_row__find(section, &entry, vaddr, &row))
		return NULL;
	copy = malloc(cfi_row__bytes(&row));
	return copy ? memcpy(copy, &row, cfi_row__bytes(&row)) : NULL;
}

const struct cfi_row *unwind_table__find(struct unwind_table *table, uint64_t vaddr,
					 const struct cfi_section **section)
{
	struct slot found = { vaddr, &table->eh_frame, NULL }, *slot;

	if (!vaddr || !grow(table))
		return NULL;
	slot = slot_of(table->slots, table->slot_count, vaddr);
	if (slot->vaddr != vaddr) {
		found.row = compute(found.section, vaddr);
		if (!found.row) {
			found.section = &table->debug_frame;
			found.row = compute(found.section, vaddr);
		}
		replace(table, slot, found);
	}
	*section = slot->section;
	return slot->row;
}

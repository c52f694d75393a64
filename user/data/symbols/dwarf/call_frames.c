// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/dwarf/call_frames.c: reads the call frame information of a file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/elf/budget.h"
#include "symbols/dwarf/call_frames.h"

/* More code is not searched for trampolines: libc and the vdso have less. */
#define CODE_BYTES_MAX (UINT64_C(2) << 20)

/* ---- reading --------------------------------------------------------------------------------- */

static uint64_t address_of(const struct elf_file *file, const char *name)
{
	GElf_Shdr header;

	return elf_file__find_section(file, name, &header) ? header.sh_addr : 0;
}

/* Copies the bytes to a section and makes its index.  No bytes are no error. */
static int fill(struct cfi_section *section, const struct elf_file *file, struct elf_content from)
{
	if (!from.at || !from.bytes || from.bytes > BUDGET_FRAMES_BYTES)
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
	if (!load || skipped >= load->bytes || load->bytes - skipped > BUDGET_FRAMES_BYTES)
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
		return header.sh_size <= BUDGET_FRAMES_BYTES
			       ? fill(section, file, elf_file__content(found))
			       : 0;
	}
	return fill(section, file, find_by_segment(file, &section->vaddr));
}

static bool decompress(Elf_Scn *section)
{
	GElf_Chdr header;

	return gelf_getchdr(section, &header) && header.ch_size <= BUDGET_FRAMES_BYTES &&
	       elf_compress(section, 0, 0) >= 0;
}

static int fill_debug_frame(struct cfi_section *section, const struct elf_file *file)
{
	GElf_Shdr header;
	Elf_Scn *found = elf_file__find_section(file, ".debug_frame", &header);
	const Elf_Data *data;

	if (!found || header.sh_type == SHT_NOBITS || header.sh_size > BUDGET_FRAMES_BYTES)
		return 0;
	if (header.sh_flags & SHF_COMPRESSED && !decompress(found))
		return 0;
	data = elf_getdata(found, NULL);
	if (!data || !data->d_buf)
		return 0;
	return fill(section, file, (struct elf_content){ data->d_buf, data->d_size });
}

static void find_trampolines(struct trampolines *trampolines, const struct elf_file *file)
{
	uint64_t left = CODE_BYTES_MAX;

	for (size_t i = 0; i < file->loads_count; i++) {
		const struct elf_load *load = &file->loads[i];
		const Elf_Data *data;

		if (!load->is_executable || load->bytes > left)
			continue;
		left -= load->bytes;
		data = elf_getdata_rawchunk(file->elf, (int64_t)load->offset, load->bytes,
					    ELF_T_BYTE);
		if (data && data->d_buf)
			trampolines__add(trampolines, file->machine, data->d_buf, data->d_size,
					 load->vaddr);
	}
}

int call_frames__read(struct call_frames *frames, const struct elf_file *file)
{
	int err;

	*frames = (struct call_frames){ .machine = file->machine };
	err = read_eh_frame(&frames->eh_frame, file);
	if (!err)
		err = fill_debug_frame(&frames->debug_frame, file);
	if (!err && !frames->eh_frame.has_signal)
		find_trampolines(&frames->trampolines, file);
	if (!err && !frames->eh_frame.index_count && !frames->debug_frame.index_count &&
	    !frames->trampolines.count)
		err = -ENODATA;
	if (err)
		call_frames__free(frames);
	return err;
}

int call_frames__read_debug(struct call_frames *frames, const struct elf_file *file,
			    const struct debug_finder *finder)
{
	struct elf_file *debug;
	int err = finder->open(finder, file, &debug);

	*frames = (struct call_frames){ .machine = file->machine };
	if (err)
		return err;
	err = fill_debug_frame(&frames->debug_frame, debug);
	elf_file__free(debug);
	if (!err && !frames->debug_frame.index_count)
		err = -ENODATA;
	if (err)
		call_frames__free(frames);
	return err;
}

static size_t section_bytes(const struct cfi_section *section)
{
	return section->is_borrowed
		       ? 0
		       : section->count + section->index_count * sizeof(*section->index);
}

size_t call_frames__bytes(const struct call_frames *frames)
{
	return section_bytes(&frames->eh_frame) + section_bytes(&frames->debug_frame) +
	       frames->memory.bytes;
}

void call_frames__free(struct call_frames *frames)
{
	cfi_section__free(&frames->eh_frame);
	cfi_section__free(&frames->debug_frame);
	namer_memory__free(&frames->memory);
	*frames = (struct call_frames){ 0 };
}

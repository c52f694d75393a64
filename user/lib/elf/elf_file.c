// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* elf/elf_file.c: the segments, sections and build-id of an ELF file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf/elf_file.h"

/* How much is read of a file that any user may have written. */
#define BUDGET_SEGMENTS	   4096 /* more than any linker makes */
#define BUDGET_NOTES_BYTES (16u << 20)

/* ELF_E_NOMEM of libelf, which has no name for it in its header. */
#define OUT_OF_MEMORY 8

/* Whether `bytes` bytes fit after `at` in 64 bits. */
static bool fits(uint64_t at, uint64_t bytes)
{
	return bytes <= UINT64_MAX - at;
}

static void add_load(struct elf_file *file, const GElf_Phdr *segment)
{
	if (!fits(segment->p_offset, segment->p_filesz) ||
	    !fits(segment->p_vaddr, segment->p_memsz))
		return;
	file->loads[file->loads_count++] = (struct elf_load){
		.offset = segment->p_offset,
		.bytes = segment->p_filesz,
		.vaddr = segment->p_vaddr,
		.memory_bytes = segment->p_memsz,
		.is_executable = segment->p_flags & PF_X,
	};
}

/* Whether so many bytes of notes may still be read for the build-id. */
static bool may_read_notes(struct elf_file *file, uint64_t bytes)
{
	if (file->build_id.bytes || bytes > file->notes_left)
		return false;
	file->notes_left -= (uint32_t)bytes;
	return true;
}

static void read_note(struct elf_file *file, const Elf_Data *notes, uint64_t align)
{
	if (notes && notes->d_buf)
		elf_note__build_id(notes->d_buf, notes->d_size, align, file->swapped,
				   &file->build_id);
}

static int read_segments(struct elf_file *file)
{
	size_t count;

	if (elf_getphdrnum(file->elf, &count))
		return -ENOEXEC;
	if (count > BUDGET_SEGMENTS)
		count = BUDGET_SEGMENTS;
	file->loads = calloc(count + !count, sizeof(*file->loads));
	if (!file->loads)
		return -ENOMEM;
	for (int i = 0; i < (int)count; i++) {
		GElf_Phdr segment;

		if (!gelf_getphdr(file->elf, i, &segment))
			return -ENOEXEC;
		if (segment.p_type == PT_LOAD)
			add_load(file, &segment);
		if (segment.p_type == PT_NOTE && may_read_notes(file, segment.p_filesz))
			read_note(file,
				  elf_getdata_rawchunk(file->elf, (int64_t)segment.p_offset,
						       segment.p_filesz, ELF_T_BYTE),
				  segment.p_align);
	}
	return 0;
}

/* Relocatable files have no segments, and those of separate debug files have no content. */
static void read_note_sections(struct elf_file *file)
{
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	while (!file->build_id.bytes && (section = elf_nextscn(file->elf, section)))
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_NOTE &&
		    may_read_notes(file, header.sh_size))
			read_note(file, elf_rawdata(section, NULL), header.sh_addralign);
}

static int read_headers(struct elf_file *file)
{
	GElf_Ehdr header;
	int err;

	if (!file->elf || elf_kind(file->elf) != ELF_K_ELF || !gelf_getehdr(file->elf, &header))
		return -ENOEXEC;
	file->machine = header.e_machine;
	file->type = header.e_type;
	file->is_64 = header.e_ident[EI_CLASS] == ELFCLASS64;
	file->swapped = (header.e_ident[EI_DATA] == ELFDATA2MSB) !=
			(__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	err = read_segments(file);
	if (!err)
		read_note_sections(file);
	return err;
}

static int open_elf(struct elf_file **opened, struct elf_file made, const char *path)
{
	struct elf_file *file = malloc(sizeof(*file));
	int err = -ENOMEM;

	if (!file) {
		elf_end(made.elf);
		free(made.image);
		if (made.fd >= 0)
			close(made.fd);
		return err;
	}
	*file = made;
	file->notes_left = BUDGET_NOTES_BYTES;
	file->path = strdup(path);
	if (file->path)
		err = read_headers(file);
	if (err) {
		elf_file__free(file);
		return err;
	}
	*opened = file;
	return 0;
}

static Elf_Cmd command = ELF_C_READ;

void elf_file__map_files(void)
{
	command = ELF_C_READ_MMAP;
}

bool elf_file__are_mapped(void)
{
	return command == ELF_C_READ_MMAP;
}

int elf_file__open(struct elf_file **file, int fd, const char *path)
{
	elf_version(EV_CURRENT);
	return open_elf(file, (struct elf_file){ .elf = elf_begin(fd, command, NULL), .fd = fd },
			path);
}

int elf_file__open_image(struct elf_file **file, void *image, size_t bytes, const char *path)
{
	elf_version(EV_CURRENT);
	return open_elf(
		file,
		(struct elf_file){ .elf = elf_memory(image, bytes), .fd = -1, .image = image },
		path);
}

void elf_file__free(struct elf_file *file)
{
	if (!file)
		return;
	elf_end(file->elf);
	if (file->fd >= 0)
		close(file->fd);
	free(file->image);
	free(file->loads);
	free(file->path);
	free(file);
}

void elf_file__close_fd(struct elf_file *file)
{
	if (file->fd < 0)
		return;
	elf_cntl(file->elf, ELF_C_FDDONE);
	close(file->fd);
	file->fd = -1;
}

bool elf_file__find_vaddr(const struct elf_file *file, uint64_t offset, uint64_t *vaddr)
{
	for (size_t i = 0; i < file->loads_count; i++) {
		const struct elf_load *load = &file->loads[i];

		if (offset - load->offset < load->bytes && offset >= load->offset &&
		    fits(load->vaddr, offset - load->offset)) {
			*vaddr = load->vaddr + (offset - load->offset);
			return true;
		}
	}
	return false;
}

const struct elf_load *elf_file__find_load(const struct elf_file *file, uint64_t vaddr)
{
	for (size_t i = 0; i < file->loads_count; i++) {
		const struct elf_load *load = &file->loads[i];

		if (vaddr >= load->vaddr && vaddr - load->vaddr < load->memory_bytes)
			return load;
	}
	return NULL;
}

Elf_Scn *elf_file__find_section(const struct elf_file *file, const char *name, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;
	GElf_Shdr found;
	size_t names;

	if (elf_getshdrstrndx(file->elf, &names))
		return NULL;
	while ((section = elf_nextscn(file->elf, section))) {
		const char *is = gelf_getshdr(section, &found)
					 ? elf_strptr(file->elf, names, found.sh_name)
					 : NULL;

		if (!is || strcmp(is, name) != 0)
			continue;
		if (header)
			*header = found;
		return section;
	}
	return NULL;
}

bool elf_file__is_out_of_memory(void)
{
	return elf_errno() == OUT_OF_MEMORY;
}

struct elf_content elf_file__content(Elf_Scn *section)
{
	const Elf_Data *data = section ? elf_rawdata(section, NULL) : NULL;

	if (!data || !data->d_buf)
		return (struct elf_content){ 0 };
	return (struct elf_content){ data->d_buf, data->d_size };
}

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * elf/elf_file.h: an ELF file of any class and byte order: its segments, sections and
 * build-id.
 *
 * The file may be hostile, and may change while it is read: libelf checks every offset against the
 * file and reads it, without mapping it, unless elf_file__map_files() was called.  Offsets and
 * addresses in headers may still be anything.
 */
#ifndef PEAT_ELF_ELF_FILE_H
#define PEAT_ELF_ELF_FILE_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/elf_note.h"

/* A segment PT_LOAD. */
struct elf_load {
	uint64_t offset, bytes;	      /* in the file; never beyond UINT64_MAX */
	uint64_t vaddr, memory_bytes; /* likewise */
	bool is_executable;
};

struct elf_file {
	Elf *elf;
	int fd;			/* -1: in memory, or closed */
	char *path;		/* for messages */
	void *image;		/* elf_file__open_image(); else NULL */
	uint16_t machine, type; /* EM_*, ET_* */
	bool is_64;
	bool swapped; /* of the other byte order */
	struct build_id build_id;
	struct elf_load *loads;
	size_t loads_count;
	uint32_t notes_left; /* bytes of notes that may still be read for the build-id */
};

/*
 * From now on this process maps files, which takes no memory of its own.  A file that is cut while
 * it is read ends the process by SIGBUS.
 */
void elf_file__map_files(void);
bool elf_file__are_mapped(void);

/*
 * Reads the headers of a file.  `fd` belongs to the file, and is closed on failure, too.  `path` is
 * copied.  0, -ENOEXEC: no ELF file, or an invalid one; -ENOMEM.
 */
int elf_file__open(struct elf_file **file, int fd, const char *path);

/*
 * Likewise for a file in memory, such as the vdso.  `image` comes from malloc() and belongs to the
 * file, and is freed on failure, too.
 */
int elf_file__open_image(struct elf_file **file, void *image, size_t bytes, const char *path);

void elf_file__free(struct elf_file *file); /* accepts NULL */

/*
 * Closes the file descriptor, for files that are kept.  Only sections whose data was read before
 * can be used afterwards.
 */
void elf_file__close_fd(struct elf_file *file);

/* The address that the file has for an offset of it.  False: no segment has that offset. */
bool elf_file__find_vaddr(const struct elf_file *file, uint64_t offset, uint64_t *vaddr);

/* The segment with the address, NULL: there is none. */
const struct elf_load *elf_file__find_load(const struct elf_file *file, uint64_t vaddr);

/* The first section of that name; NULL: there is none.  `header` may be NULL. */
Elf_Scn *elf_file__find_section(const struct elf_file *file, const char *name, GElf_Shdr *header);

/*
 * Whether the last call of libelf that returned nothing did so for lack of memory: libelf does not
 * tell such a section from one that is empty.
 */
bool elf_file__is_out_of_memory(void);

struct elf_content {
	const uint8_t *at; /* NULL: there is none */
	size_t bytes;
};

/* The bytes of a section as they are in the file; NULL is allowed.  Valid as long as `file`. */
struct elf_content elf_file__content(Elf_Scn *section);

#endif /* PEAT_ELF_ELF_FILE_H */

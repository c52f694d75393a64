// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/elf/head_id.c: the build-id of a file, from its first bytes. */
#include <elf.h>
#include <errno.h>
#include <stddef.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/cursor.h"
#include "symbols/elf/head_id.h"
#include "sys/foreign_file.h"

/* ---- headers --------------------------------------------------------------------------------- */

static bool is_other_order(uint8_t encoding)
{
	return (encoding == ELFDATA2MSB) != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
}

struct segments {
	uint64_t at;
	unsigned count, each;
	bool is_64, swapped;
};

/* The address of a member of a struct that need not be aligned. */
#define MEMBER(at, type, member) ((const uint8_t *)(at) + offsetof(type, member))

/* False: no ELF file. */
static bool read_header(const uint8_t *head, size_t bytes, struct segments *segments)
{
	bool swapped;

	if (bytes < sizeof(Elf64_Ehdr) || memcmp(head, ELFMAG, SELFMAG) != 0)
		return false;
	swapped = is_other_order(head[EI_DATA]);
	*segments = (struct segments){ .swapped = swapped };
	segments->is_64 = head[EI_CLASS] == ELFCLASS64;
	if (segments->is_64) {
		segments->at = load_u64(MEMBER(head, Elf64_Ehdr, e_phoff), swapped);
		segments->each = load_u16(MEMBER(head, Elf64_Ehdr, e_phentsize), swapped);
		segments->count = load_u16(MEMBER(head, Elf64_Ehdr, e_phnum), swapped);
	} else {
		segments->at = load_u32(MEMBER(head, Elf32_Ehdr, e_phoff), swapped);
		segments->each = load_u16(MEMBER(head, Elf32_Ehdr, e_phentsize), swapped);
		segments->count = load_u16(MEMBER(head, Elf32_Ehdr, e_phnum), swapped);
	}
	return segments->each >= (segments->is_64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr));
}

static struct head_notes read_notes64(const uint8_t *at, bool swapped)
{
	return (struct head_notes){ load_u64(MEMBER(at, Elf64_Phdr, p_offset), swapped),
				    load_u64(MEMBER(at, Elf64_Phdr, p_filesz), swapped),
				    load_u64(MEMBER(at, Elf64_Phdr, p_align), swapped) };
}

static struct head_notes read_notes32(const uint8_t *at, bool swapped)
{
	return (struct head_notes){ load_u32(MEMBER(at, Elf32_Phdr, p_offset), swapped),
				    load_u32(MEMBER(at, Elf32_Phdr, p_filesz), swapped),
				    load_u32(MEMBER(at, Elf32_Phdr, p_align), swapped) };
}

unsigned head_id__find_notes(const void *head, size_t bytes, struct head_notes notes[HEAD_NOTES],
			     bool *swapped)
{
	struct segments segments;
	unsigned found = 0;

	if (!read_header(head, bytes, &segments))
		return 0;
	*swapped = segments.swapped;
	for (unsigned i = 0; i < segments.count && found < HEAD_NOTES; i++) {
		const uint64_t offset = segments.at + (uint64_t)i * segments.each;
		const uint8_t *at;

		if (offset > bytes || bytes - offset < segments.each)
			break;
		at = (const uint8_t *)head + offset;
		if (load_u32(at, segments.swapped) == PT_NOTE) /* p_type of both classes */
			notes[found++] = segments.is_64 ? read_notes64(at, segments.swapped)
							: read_notes32(at, segments.swapped);
	}
	return found;
}

/* ---- reading --------------------------------------------------------------------------------- */

/*
 * Some file systems, such as overlayfs, do not tell whether a page is in memory.  Since the file is
 * mapped as code, it likely is.
 */
static ssize_t read_at(int fd, void *to, size_t bytes, uint64_t offset)
{
	struct iovec part = { to, bytes };
	ssize_t got;

	if (offset > INT64_MAX)
		return -1;
	got = preadv2(fd, &part, 1, (off_t)offset, RWF_NOWAIT);
	if (got >= 0 || (errno != EAGAIN && errno != EOPNOTSUPP && errno != ENOSYS) ||
	    !foreign_file__is_local(fd))
		return got;
	return pread(fd, to, bytes, (off_t)offset);
}

static bool read_notes(int fd, const struct head_notes *notes, bool swapped, struct build_id *id)
{
	uint8_t content[NOTES_BYTES];
	const size_t bytes = notes->bytes < sizeof(content) ? notes->bytes : sizeof(content);
	const ssize_t got = read_at(fd, content, bytes, notes->offset);

	return got > 0 && elf_note__build_id(content, (size_t)got, notes->align, swapped, id);
}

bool head_id__read(int fd, struct build_id *id)
{
	uint8_t head[HEAD_BYTES];
	const ssize_t got = read_at(fd, head, sizeof(head), 0);
	struct head_notes notes[HEAD_NOTES];
	unsigned count;
	bool swapped;

	count = got > 0 ? head_id__find_notes(head, (size_t)got, notes, &swapped) : 0;
	for (unsigned i = 0; i < count; i++)
		if (read_notes(fd, &notes[i], swapped, id))
			return true;
	return false;
}

bool head_id__machine(int fd, uint16_t *machine)
{
	uint8_t head[sizeof(Elf64_Ehdr)];
	const ssize_t got = read_at(fd, head, sizeof(head), 0);

	if (got != sizeof(head) || memcmp(head, ELFMAG, SELFMAG) != 0)
		return false;
	/* Headers of both classes have it at the same place. */
	*machine = load_u16(MEMBER(head, Elf64_Ehdr, e_machine), is_other_order(head[EI_DATA]));
	return true;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* damage.c: damages the ELF file of a BPF object, always in the same way for a seed. */
#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "objects/damage.h"

struct file {
	uint8_t *bytes;
	size_t count;
	uint64_t state; /* of the random numbers */
};

/* splitmix64 */
static uint64_t random_number(struct file *file)
{
	uint64_t z = file->state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static size_t below(struct file *file, size_t limit)
{
	return limit ? random_number(file) % limit : 0;
}

/* ---- values ---------------------------------------------------------------------------------- */

static uint64_t damaged_value(struct file *file, uint64_t old)
{
	const uint64_t values[] = {
		0,
		1,
		UINT64_MAX,
		INT32_MAX,
		(uint64_t)INT32_MAX + 1,
		old + 1,
		old - 1,
		old * 2,
		old ^ UINT64_C(1) << below(file, 32),
		file->count,
		below(file, 64),
		below(file, file->count),
		random_number(file),
	};

	return values[below(file, sizeof(values) / sizeof(*values))];
}

/* Replaces a number of `bytes` bytes, eight at most. */
static void replace(struct file *file, size_t at, size_t bytes)
{
	uint64_t value = 0;

	if (at > file->count || bytes > file->count - at)
		return;
	memcpy(&value, file->bytes + at, bytes);
	value = damaged_value(file, value);
	memcpy(file->bytes + at, &value, bytes);
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Damage before this one may have reached the headers. */
static bool find_section(struct file *file, Elf64_Shdr *section, size_t *at)
{
	Elf64_Ehdr header;

	if (file->count < sizeof(header))
		return false;
	memcpy(&header, file->bytes, sizeof(header));
	if (!header.e_shnum || header.e_shoff > file->count)
		return false;
	*at = header.e_shoff + below(file, header.e_shnum) * sizeof(*section);
	if (*at > file->count || file->count - *at < sizeof(*section))
		return false;
	memcpy(section, file->bytes + *at, sizeof(*section));
	return true;
}

static void damage_section_header(struct file *file)
{
	static const struct {
		size_t at, bytes;
	} members[] = {
#define MEMBER(name) { offsetof(Elf64_Shdr, name), sizeof(((Elf64_Shdr *)0)->name) }
		MEMBER(sh_name),      MEMBER(sh_type),	  MEMBER(sh_flags), MEMBER(sh_addr),
		MEMBER(sh_offset),    MEMBER(sh_size),	  MEMBER(sh_link),  MEMBER(sh_info),
		MEMBER(sh_addralign), MEMBER(sh_entsize),
#undef MEMBER
	};
	size_t i = below(file, sizeof(members) / sizeof(*members)), at;
	Elf64_Shdr section;

	if (find_section(file, &section, &at))
		replace(file, at + members[i].at, members[i].bytes);
}

/* Sections are equally likely: tables are small beside code and types. */
static void damage_section(struct file *file)
{
	size_t bytes = (size_t)1 << below(file, 4), times = 1 + below(file, 4), at;
	Elf64_Shdr section;

	if (!find_section(file, &section, &at) || section.sh_type == SHT_NOBITS)
		return;
	while (times--)
		replace(file, section.sh_offset + below(file, section.sh_size) / bytes * bytes,
			bytes);
}

static void damage_header(struct file *file)
{
	replace(file, below(file, sizeof(Elf64_Ehdr)) / 2 * 2, 2);
}

static void flip_bytes(struct file *file)
{
	for (size_t times = 1 + below(file, 20); file->count && times; times--)
		file->bytes[below(file, file->count)] = (uint8_t)random_number(file);
}

static void copy_range(struct file *file)
{
	size_t from = below(file, file->count), to = below(file, file->count);
	size_t room = file->count - (from > to ? from : to), bytes = 1 + below(file, 256);

	memmove(file->bytes + to, file->bytes + from, bytes < room ? bytes : room);
}

static void cut(struct file *file)
{
	file->count = below(file, file->count);
}

/* ---------------------------------------------------------------------------------------------- */

size_t damage__make(uint64_t seed, uint8_t *bytes, size_t count)
{
	static void (*const ways[])(struct file * file) = {
		damage_section,
		damage_section,
		damage_section,
		damage_section,
		damage_section_header,
		damage_section_header,
		damage_header,
		flip_bytes,
		copy_range,
		cut,
	};
	struct file file = { bytes, count, seed };

	for (size_t times = 1 + below(&file, 3); times; times--)
		ways[below(&file, sizeof(ways) / sizeof(*ways))](&file);
	return file.count;
}

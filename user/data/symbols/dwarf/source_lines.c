// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/dwarf/source_lines.c: source files, lines and inlined functions, by libdw. */
#include <errno.h>

#include "base/array.h"
#include "base/text.h"
#include "symbols/dwarf/source_lines.h"

#ifdef HAVE_LIBDW

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "symbols/elf/demangle.h"
#include "tables/hash.h"

/* The addresses of a compilation unit. */
struct unit_range {
	uint64_t start, end;
	uint32_t unit;
};

/* They differ for a unit whose scopes are in a file .dwo. */
struct unit {
	Dwarf_Die lines, scopes;
};

struct found_frames {
	const struct source_frame *frames;
	uint64_t count;
};

struct source_lines {
	struct elf_file *file;
	Dwarf *dwarf;
	struct unit *units;
	struct unit_range *ranges; /* by start */
	size_t unit_count, range_count, range_room;
	struct table_hash found; /* by address: struct found_frames */
	struct arena arena;
	struct strbuf name; /* being demangled */
	size_t bytes;
	bool no_demangle;
	bool has_split; /* units whose scopes are in files .dwo */
};

bool source_lines__are_available(void)
{
	return true;
}

bool source_lines__are_in(const struct elf_file *file)
{
	GElf_Shdr header;

	return (elf_file__find_section(file, ".debug_info", &header) ||
		elf_file__find_section(file, ".zdebug_info", &header)) &&
	       header.sh_type != SHT_NOBITS;
}

/* ---- units ----------------------------------------------------------------------------------- */

static int add_range(struct source_lines *lines, uint64_t start, uint64_t end)
{
	if (start >= end || !start) /* of functions that the linker removed */
		return 0;
	if (!ARRAY_RESERVE(lines->ranges, lines->range_count, lines->range_room))
		return -ENOMEM;
	lines->ranges[lines->range_count++] =
		(struct unit_range){ start, end, (uint32_t)(lines->unit_count - 1) };
	return 0;
}

static int add_ranges(struct source_lines *lines, Dwarf_Die *die)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;
	int err = 0;

	while (!err && (at = dwarf_ranges(die, at, &base, &start, &end)) > 0)
		err = add_range(lines, start, end);
	return err;
}

static int add_unit(struct source_lines *lines, Dwarf_Die *die, Dwarf_Die *split)
{
	if (!ARRAY_RESERVE_NEXT(lines->units, lines->unit_count))
		return -ENOMEM;
	lines->units[lines->unit_count++] = (struct unit){ *die, split->addr ? *split : *die };
	return add_ranges(lines, die);
}

static int compare_ranges(const void *a, const void *b)
{
	const struct unit_range *one = a, *other = b;

	return one->start < other->start ? -1 : one->start > other->start;
}

/* With opens_split, libdw opens the files .dwo that units name. */
static int read_units(struct source_lines *lines, bool opens_split)
{
	Dwarf_Die die, split = { 0 }, *const or_split = opens_split ? &split : NULL;
	Dwarf_CU *unit = NULL;
	uint8_t type;
	int err = 0;

	while (!err && !dwarf_get_units(lines->dwarf, unit, &unit, NULL, &type, &die, or_split)) {
		lines->has_split |= type == DW_UT_skeleton;
		if (type == DW_UT_compile || type == DW_UT_skeleton)
			err = add_unit(lines, &die, &split);
	}
	if (lines->range_count)
		qsort(lines->ranges, lines->range_count, sizeof(*lines->ranges), compare_ranges);
	lines->bytes += lines->unit_count * sizeof(*lines->units) +
			lines->range_room * sizeof(*lines->ranges);
	return err;
}

/* NULL: no unit has the address. */
static struct unit *find_unit(const struct source_lines *lines, uint64_t vaddr)
{
	size_t low = 0, high = lines->range_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (lines->ranges[middle].start <= vaddr)
			low = middle + 1;
		else
			high = middle;
	}
	return low && vaddr < lines->ranges[low - 1].end
		       ? &lines->units[lines->ranges[low - 1].unit]
		       : NULL;
}

/* ---- opening --------------------------------------------------------------------------------- */

/*
 * libdw opens the files that DWARF names, wherever they lead: a device, a FIFO.  So only a file of
 * root or of this user may name others.
 */
static bool may_name_files(const struct elf_file *file)
{
	struct stat found;

	return file->fd >= 0 && !fstat(file->fd, &found) &&
	       (!found.st_uid || found.st_uid == geteuid());
}

/* 0, -ENODATA, -EXDEV, -ENOMEM. */
static int read_dwarf(struct source_lines *lines, enum source_files files)
{
	const bool opens = files == SOURCE_FILES_OF_TRUSTED && may_name_files(lines->file);
	int err;

	if (!opens && elf_file__find_section(lines->file, ".gnu_debugaltlink", NULL))
		return files == SOURCE_FILES_REPORTED ? -EXDEV : -ENODATA;
	lines->dwarf = dwarf_begin_elf(lines->file->elf, DWARF_C_READ, NULL);
	if (!lines->dwarf)
		return elf_file__is_out_of_memory() ? -ENOMEM : -ENODATA;
	err = read_units(lines, opens);
	return !err && lines->has_split && files == SOURCE_FILES_REPORTED ? -EXDEV : err;
}

/* libdw copies each section of debug information to memory. */
static size_t debug_bytes(const struct elf_file *file)
{
	Elf_Scn *section = NULL;
	size_t names, bytes = 0;
	GElf_Shdr header;

	if (elf_getshdrstrndx(file->elf, &names))
		return 0;
	while ((section = elf_nextscn(file->elf, section))) {
		const char *name = gelf_getshdr(section, &header)
					   ? elf_strptr(file->elf, names, header.sh_name)
					   : NULL;

		if (name && begins_with(name, ".debug_") && header.sh_type != SHT_NOBITS)
			bytes += header.sh_size;
	}
	return bytes;
}

int source_lines__new(struct source_lines **made, struct elf_file *file, bool no_demangle,
		      enum source_files files)
{
	struct source_lines *lines = calloc(1, sizeof(*lines));
	int err;

	if (!lines) {
		elf_file__free(file);
		return -ENOMEM;
	}
	table_hash__init(&lines->found, sizeof(struct found_frames));
	lines->file = file;
	lines->no_demangle = no_demangle;
	lines->bytes = sizeof(*lines) + debug_bytes(file);
	err = read_dwarf(lines, files);
	if (!err && !lines->range_count)
		err = -ENODATA;
	if (err) {
		source_lines__free(lines);
		return err;
	}
	*made = lines;
	return 0;
}

void source_lines__free(struct source_lines *lines)
{
	if (!lines)
		return;
	table_hash__clear(&lines->found);
	arena__free(&lines->arena);
	strbuf__free(&lines->name);
	free(lines->units);
	free(lines->ranges);
	dwarf_end(lines->dwarf);
	elf_file__free(lines->file);
	free(lines);
}

size_t source_lines__bytes(const struct source_lines *lines)
{
	return lines->bytes;
}

/* ---- frames ---------------------------------------------------------------------------------- */

static void *allocate(struct source_lines *lines, size_t bytes)
{
	lines->bytes += bytes;
	return arena__take(&lines->arena, bytes);
}

/* The name for the linker, if there is one: as addr2line prefers it. */
static const char *raw_name_of(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *name;

	name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attr));
	if (!name)
		name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attr));
	return name ? name : dwarf_diename(die);
}

/* Demangles; without memory for that, the name stays as it is. */
static const char *function_name(struct source_lines *lines, const char *raw_name)
{
	char *copy;

	lines->name.count = 0;
	if (lines->no_demangle || !demangle__append(&lines->name, raw_name) || lines->name.failed)
		return raw_name;
	copy = allocate(lines, lines->name.count + 1);
	if (!copy)
		return raw_name;
	memcpy(copy, lines->name.bytes, lines->name.count);
	copy[lines->name.count] = '\0';
	return copy;
}

static void set_line(struct source_frame *frame, Dwarf_Line *line)
{
	int number;

	if (!line)
		return;
	frame->file = dwarf_linesrc(line, NULL, NULL);
	if (!dwarf_lineno(line, &number) && number > 0)
		frame->line = (uint32_t)number;
}

/* The place where an inlined function is called. */
static void set_call(struct source_frame *frame, struct unit *unit, Dwarf_Die *inlined)
{
	Dwarf_Attribute attr;
	Dwarf_Files *files;
	Dwarf_Word number;
	size_t count;

	if (!dwarf_formudata(dwarf_attr(inlined, DW_AT_call_line, &attr), &number) &&
	    number <= UINT32_MAX)
		frame->line = (uint32_t)number;
	if (!dwarf_formudata(dwarf_attr(inlined, DW_AT_call_file, &attr), &number) &&
	    !dwarf_getsrcfiles(&unit->lines, &files, &count) && number < count)
		frame->file = dwarf_filesrc(files, number, NULL, NULL);
}

/* Adds the inlined functions of the scopes, and stores the caller of the last in list[count]. */
static size_t add_inlined(struct source_lines *lines, struct unit *unit, Dwarf_Die *scopes,
			  int scope_count, struct source_frame *list)
{
	size_t count = 0;

	for (int i = 0; i < scope_count && count < SOURCE_FRAMES_MAX - 1; i++) {
		const char *name;

		if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram)
			break;
		if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine)
			continue;
		name = raw_name_of(&scopes[i]);
		list[count].raw_name = name ? name : "";
		list[count].name = function_name(lines, list[count].raw_name);
		list[++count] = (struct source_frame){ 0 };
		set_call(&list[count], unit, &scopes[i]);
	}
	return count;
}

/* Scopes around the innermost one are those of the code, and not of the source. */
static int find_scopes(struct unit *unit, uint64_t vaddr, Dwarf_Die **scopes)
{
	Dwarf_Die *innermost;
	int count = dwarf_getscopes(&unit->scopes, vaddr, &innermost);

	*scopes = NULL;
	if (count <= 0)
		return 0;
	count = dwarf_getscopes_die(&innermost[0], scopes);
	free(innermost);
	return count;
}

static size_t make_list(struct source_lines *lines, uint64_t vaddr,
			struct source_frame list[SOURCE_FRAMES_MAX])
{
	struct unit *unit = find_unit(lines, vaddr);
	Dwarf_Die *scopes;
	size_t count;
	int scope_count;

	if (!unit)
		return 0;
	list[0] = (struct source_frame){ 0 };
	set_line(&list[0], dwarf_getsrc_die(&unit->lines, vaddr));
	scope_count = find_scopes(unit, vaddr, &scopes);
	count = 1 + add_inlined(lines, unit, scopes, scope_count, list);
	free(scopes);
	return count > 1 || list[0].file ? count : 0;
}

int source_lines__find(struct source_lines *lines, uint64_t vaddr,
		       const struct source_frame **frames)
{
	struct source_frame list[SOURCE_FRAMES_MAX], *copy;
	struct found_frames *found;
	bool is_new;

	found = table_hash__add(&lines->found, &vaddr, sizeof(vaddr), &is_new);
	if (!found)
		return -ENOMEM;
	if (is_new) {
		lines->bytes += sizeof(struct hash_entry) + sizeof(*found) + sizeof(vaddr);
		found->count = make_list(lines, vaddr, list);
		copy = allocate(lines, found->count * sizeof(*list));
		if (!copy) {
			found->count = 0;
			return -ENOMEM;
		}
		found->frames = memcpy(copy, list, found->count * sizeof(*list));
	}
	*frames = found->frames;
	return (int)found->count;
}

#else

bool source_lines__are_available(void)
{
	return false;
}

bool source_lines__are_in(const struct elf_file *file)
{
	(void)file;
	return false;
}

int source_lines__new(struct source_lines **lines, struct elf_file *file, bool no_demangle,
		      enum source_files files)
{
	(void)lines;
	(void)no_demangle;
	(void)files;
	elf_file__free(file);
	return -ENOTSUP;
}

void source_lines__free(struct source_lines *lines)
{
	(void)lines;
}

size_t source_lines__bytes(const struct source_lines *lines)
{
	(void)lines;
	return 0;
}

int source_lines__find(struct source_lines *lines, uint64_t vaddr,
		       const struct source_frame **frames)
{
	(void)lines;
	(void)vaddr;
	(void)frames;
	return 0;
}

#endif /* HAVE_LIBDW */

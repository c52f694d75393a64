// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/dwarf/cfi_section.c: entries of .eh_frame and .debug_frame. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "symbols/dwarf/cfi_section.h"

/* Encodings of pointers in .eh_frame: the format, what it is relative to, and an indirection. */
#define PE_ABSOLUTE   0x00
#define PE_ULEB	      0x01
#define PE_UDATA2     0x02
#define PE_UDATA4     0x03
#define PE_UDATA8     0x04
#define PE_SLEB	      0x09
#define PE_SDATA2     0x0a
#define PE_SDATA4     0x0b
#define PE_SDATA8     0x0c
#define PE_FORMAT     0x0f
#define PE_PCREL      0x10
#define PE_TEXTREL    0x20
#define PE_DATAREL    0x30
#define PE_RELATIVITY 0x70
#define PE_INDIRECT   0x80
#define PE_OMIT	      0xff

static uint64_t read_format(struct cursor *cur, uint8_t encoding, unsigned address_bytes)
{
	switch (encoding & PE_FORMAT) {
	case PE_ABSOLUTE:
		return dwarf_cursor__uint(cur, address_bytes);
	case PE_ULEB:
		return dwarf_cursor__uleb(cur);
	case PE_UDATA2:
		return cursor__u16(cur);
	case PE_UDATA4:
		return cursor__u32(cur);
	case PE_UDATA8:
	case PE_SDATA8:
		return cursor__u64(cur);
	case PE_SLEB:
		return (uint64_t)dwarf_cursor__sleb(cur);
	case PE_SDATA2:
		return (uint64_t)dwarf__sign_extend(cursor__u16(cur), 16);
	case PE_SDATA4:
		return (uint64_t)dwarf__sign_extend(cursor__u32(cur), 32);
	default:
		cur->bad = true;
		return 0;
	}
}

/* An indirect pointer is in memory, which a file does not have: only its bytes are skipped. */
static uint64_t read_pointer(const struct cfi_section *section, struct cursor *cur,
			     uint8_t encoding, unsigned address_bytes)
{
	uint64_t base = section->vaddr + (uint64_t)(cur->at - section->bytes), value;

	if (encoding == PE_OMIT)
		return 0;
	value = read_format(cur, encoding, address_bytes);
	switch (encoding & PE_RELATIVITY) {
	case PE_ABSOLUTE:
		break;
	case PE_PCREL:
		value += base;
		break;
	case PE_TEXTREL:
		value += section->text_vaddr;
		break;
	case PE_DATAREL:
		value += section->data_vaddr;
		break;
	default:
		cur->bad = true;
	}
	return address_bytes == 4 ? (uint32_t)value : value;
}

/* Reads the length before an entry and returns a cursor of the entry. */
static struct cursor read_length(struct cursor *cur, bool *is_64)
{
	struct cursor entry = { .swapped = cur->swapped };
	uint64_t bytes = cursor__u32(cur);

	*is_64 = bytes == UINT32_MAX;
	if (*is_64)
		bytes = cursor__u64(cur);
	entry.at = cursor__bytes(cur, bytes);
	entry.end = entry.at ? entry.at + bytes : NULL;
	entry.bad = !entry.at;
	return entry;
}

static void read_augmentation(const struct cfi_section *section, struct cursor *cur,
			      const char *letters, struct cfi_common *common)
{
	uint64_t bytes = dwarf_cursor__uleb(cur);
	const uint8_t *at = cursor__bytes(cur, bytes);
	struct cursor data = dwarf_cursor(at, at ? at + bytes : NULL, cur->swapped);

	common->has_augmentation = true;
	for (; *letters; letters++)
		switch (*letters) {
		case 'R':
			common->pointer_encoding = dwarf_cursor__u8(&data);
			break;
		case 'P':
			read_pointer(section, &data, dwarf_cursor__u8(&data),
				     common->address_bytes);
			break;
		case 'L':
			dwarf_cursor__u8(&data);
			break;
		case 'S':
			common->is_signal = true;
			break;
		case 'B': /* arm64: return addresses are signed with key B */
		case 'G': /* arm64: the frame's memory is tagged */
			break;
		default: /* unknown letters may have data: the rest of it cannot be parsed */
			return;
		}
	cur->bad |= data.bad;
}

static const char *read_letters(struct cursor *cur)
{
	const uint8_t *at = cur->at;
	const uint8_t *end = memchr(at, '\0', cursor__left(cur));

	if (!end) {
		cur->bad = true;
		return "";
	}
	cur->at = end + 1;
	return (const char *)at;
}

/* The rest of a CIE, after its id. */
static bool parse_common(const struct cfi_section *section, struct cursor cur,
			 struct cfi_common *common)
{
	uint8_t version = dwarf_cursor__u8(&cur);
	const char *letters = read_letters(&cur);

	*common = (struct cfi_common){ .address_bytes = section->is_64 ? 8 : 4 };
	if (version != 1 && version != 3 && version != 4)
		return false;
	if (version == 4) {
		common->address_bytes = dwarf_cursor__u8(&cur);
		if (dwarf_cursor__u8(&cur)) /* segment selectors */
			return false;
	}
	common->code_factor = dwarf_cursor__uleb(&cur);
	common->data_factor = dwarf_cursor__sleb(&cur);
	common->return_register = version == 1 ? dwarf_cursor__u8(&cur) : dwarf_cursor__uleb(&cur);
	if (*letters == 'z')
		read_augmentation(section, &cur, letters + 1, common);
	else if (*letters)
		return false;
	common->program = cur;
	return !cur.bad && (common->address_bytes == 4 || common->address_bytes == 8);
}

static bool is_common(const struct cfi_section *section, uint64_t id, bool is_64)
{
	if (section->is_eh)
		return id == 0;
	return id == (is_64 ? UINT64_MAX : UINT32_MAX);
}

static bool find_common(const struct cfi_section *section, uint64_t at, struct cfi_common *common)
{
	struct cursor cur = { .swapped = section->swapped }, entry;
	uint64_t id;
	bool is_64;

	if (at >= section->count)
		return false;
	cur.at = section->bytes + at;
	cur.end = section->bytes + section->count;
	entry = read_length(&cur, &is_64);
	if (entry.bad)
		return false;
	id = dwarf_cursor__uint(&entry, is_64 && !section->is_eh ? 8 : 4);
	return is_common(section, id, is_64) && parse_common(section, entry, common);
}

/* The common entry used last: neighbours share it. */
struct last_common {
	uint64_t at;
	bool is_valid;
	struct cfi_common common;
};

static bool use_common(const struct cfi_section *section, uint64_t at, struct last_common *last)
{
	if (last->at == at)
		return last->is_valid;
	last->at = at;
	last->is_valid = find_common(section, at, &last->common);
	return last->is_valid;
}

/*
 * Parses an entry after its length.  In .eh_frame the common entry is given by its distance from
 * the id, in .debug_frame by its offset.
 */
static bool parse_entry(const struct cfi_section *section, struct cursor cur, bool is_64,
			struct last_common *last, struct cfi_entry *entry)
{
	const uint64_t id_at = (uint64_t)(cur.at - section->bytes);
	uint64_t id = dwarf_cursor__uint(&cur, is_64 && !section->is_eh ? 8 : 4);
	const struct cfi_common *common = &last->common;

	if (cur.bad || is_common(section, id, is_64) ||
	    !use_common(section, section->is_eh ? id_at - id : id, last))
		return false;
	entry->start = read_pointer(section, &cur, common->pointer_encoding, common->address_bytes);
	entry->bytes = read_format(&cur, common->pointer_encoding, common->address_bytes);
	if (common->has_augmentation)
		cursor__bytes(&cur, dwarf_cursor__uleb(&cur));
	entry->common = *common;
	entry->program = cur;
	return !cur.bad && !(common->pointer_encoding & PE_INDIRECT);
}

/* Removed functions have the address 0, or 1 by some linkers. */
static bool is_code(const struct cfi_entry *entry)
{
	return entry->start > 1 && entry->bytes && entry->bytes <= UINT32_MAX &&
	       entry->bytes <= UINT64_MAX - entry->start;
}

static int add_cfi_entry(struct cfi_section *section, size_t *room, const struct cfi_entry *entry,
			 size_t at)
{
	if (!ARRAY_RESERVE(section->index, section->index_count, *room))
		return -ENOMEM;
	section->has_signal |= entry->common.is_signal;
	section->index[section->index_count++] =
		(struct cfi_index){ entry->start, (uint32_t)entry->bytes, (uint32_t)at };
	return 0;
}

static int compare_cfi_entries(const void *a, const void *b)
{
	const struct cfi_index *one = a, *other = b;

	return one->start < other->start ? -1 : one->start > other->start;
}

static bool is_sorted(const struct cfi_section *section)
{
	for (size_t i = 1; i < section->index_count; i++)
		if (section->index[i].start < section->index[i - 1].start)
			return false;
	return true;
}

int cfi_section__index(struct cfi_section *section)
{
	struct cursor cur =
		dwarf_cursor(section->bytes, section->bytes + section->count, section->swapped);
	struct last_common last = { .at = UINT64_MAX };
	struct cfi_entry entry;
	size_t room = 0;
	int err = 0;

	while (!err && cursor__left(&cur) >= sizeof(uint32_t)) {
		const size_t at = (size_t)(cur.at - section->bytes);
		bool is_64;
		struct cursor body = read_length(&cur, &is_64);

		if (body.bad || at > UINT32_MAX)
			break;
		if (body.at != body.end && parse_entry(section, body, is_64, &last, &entry) &&
		    is_code(&entry))
			err = add_cfi_entry(section, &room, &entry, at);
	}
	if (!is_sorted(section))
		qsort(section->index, section->index_count, sizeof(*section->index),
		      compare_cfi_entries);
	return err;
}

/* The last entry that begins at or before the address; NULL: there is none. */
static const struct cfi_index *search(const struct cfi_section *section, uint64_t vaddr)
{
	size_t low = 0, high = section->index_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (section->index[middle].start <= vaddr)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &section->index[low - 1] : NULL;
}

bool cfi_section__find(const struct cfi_section *section, uint64_t vaddr, struct cfi_entry *entry)
{
	const struct cfi_index *found = search(section, vaddr);
	struct last_common last = { .at = UINT64_MAX };
	struct cursor cur, body;
	bool is_64;

	if (!found || vaddr - found->start >= found->bytes)
		return false;
	cur = dwarf_cursor(section->bytes + found->at, section->bytes + section->count,
			   section->swapped);
	body = read_length(&cur, &is_64);
	return parse_entry(section, body, is_64, &last, entry);
}

void cfi_section__free(struct cfi_section *section)
{
	if (!section->is_borrowed) {
		free(section->bytes);
		free(section->index);
	}
	*section = (struct cfi_section){ 0 };
}

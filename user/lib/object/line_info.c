// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* object/line_info.c: parses the line information in a section .BTF.ext. */
#include <linux/bpf.h>

#include "object/btf_ext.h"
#include "object/line_info.h"

#define LINE_SHIFT 10 /* line_col has the column below */

/* A string of the section .BTF; NULL: invalid. */
static const char *find_string(const struct line_info *info, uint32_t offset)
{
	size_t strings_at, count;
	const char *strings;

	if (!btf_ext__find_strings(info->btf, info->btf_bytes, &strings_at, &count) ||
	    offset >= count)
		return NULL;
	strings = (const char *)info->btf + strings_at;
	return memchr(strings + offset, '\0', count - offset) ? strings + offset : NULL;
}

/*
 * Finds the last record at or before `offset`: the compiler orders them.  Line 0 is that of an
 * instruction that it merged out of several places; then the line before is near.
 */
static bool find_record(struct cursor *lines, uint32_t count, uint32_t record_bytes,
			uint64_t offset, struct bpf_line_info *found)
{
	bool is_found = false;

	for (uint32_t i = 0; i < count && !lines->bad; i++) {
		const void *at = cursor__bytes(lines, record_bytes);
		struct bpf_line_info record;

		if (!at)
			break;
		memcpy(&record, at, sizeof(record));
		if (record.insn_off > offset || !(record.line_col >> LINE_SHIFT))
			continue;
		*found = record;
		is_found = true;
	}
	return is_found;
}

bool line_info__find(const struct line_info *info, const char *section, uint64_t offset,
		     struct source_line *line)
{
	struct bpf_line_info found = { 0 };
	struct cursor lines;
	uint32_t record_bytes;

	if (!btf_ext__find(info->ext, info->ext_bytes, BTF_EXT_LINES, &lines))
		return false;
	record_bytes = cursor__u32(&lines);
	if (record_bytes < sizeof(found))
		return false;
	while (cursor__left(&lines)) {
		const char *name = find_string(info, cursor__u32(&lines));
		uint32_t count = cursor__u32(&lines);

		if (!find_record(&lines, count, record_bytes, offset, &found) || !name ||
		    strcmp(name, section) != 0)
			continue;
		line->file = find_string(info, found.file_name_off);
		line->line = found.line_col >> LINE_SHIFT;
		return line->file;
	}
	return false;
}

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* object/line_info.h: the source line of an instruction, from the sections .BTF.ext and .BTF. */
#ifndef PEAT_OBJECT_LINE_INFO_H
#define PEAT_OBJECT_LINE_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The two sections; NULL and 0: the object has none. */
struct line_info {
	const void *ext, *btf;
	size_t ext_bytes, btf_bytes;
};

struct source_line {
	const char *file; /* as the compiler was called with it; in the section .BTF */
	uint32_t line;
};

/*
 * Finds the source line of the instruction at `offset`, in bytes, of the section `section`: in the
 * function that was inlined there, if any.  False: not known.
 */
bool line_info__find(const struct line_info *info, const char *section, uint64_t offset,
		     struct source_line *line);

#endif /* PEAT_OBJECT_LINE_INFO_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/namer/flat_lines.h: source lines of addresses as bytes, which a process without rights
 * makes and another one takes over.  Pure.
 *
 * The number of addresses, 4 bytes; then for each address: 8 bytes, the number of its frames, 4
 * bytes, and for each frame: the line, and the bytes of the file and of the function's raw name,
 * 4 bytes each, and these texts.  The bytes of a text count its NUL; 0: there is no text.
 */
#ifndef PEAT_SYMBOLS_NAMER_FLAT_LINES_H
#define PEAT_SYMBOLS_NAMER_FLAT_LINES_H

#include "base/strbuf.h"
#include "symbols/elf/budget.h"
#include "symbols/dwarf/line_cache.h"

/* Addresses of a request, and of its answer. */
#define LINE_ADDRESSES_MAX 64

/* Writes the head of an answer, and an address of it.  An answer with out->failed is none. */
void flat_lines__begin(struct strbuf *out, uint32_t addresses_count);
void flat_lines__append(struct strbuf *out, uint64_t vaddr, const struct source_frame *frames,
			uint32_t count);

/*
 * Adds the lines of an answer, which may be any bytes but do not change meanwhile, to a cache.  0,
 * -EBADMSG: they are invalid, -ENOMEM.  Addresses before the failure are in the cache.
 */
int flat_lines__take_over(struct line_cache *cache, const void *from, size_t bytes);

#endif /* PEAT_SYMBOLS_NAMER_FLAT_LINES_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * page/blocks.h: writes blocks of bytes into a page: compressed (RFC 1951), in base64, an element
 * of the document each.
 *
 *	struct page_blocks blocks;
 *	int err = page_blocks__begin(&blocks, fd);
 *
 *	for each block, unless err:
 *		err = page_blocks__write(&blocks, "rows", 0, rows, &bytes);
 *	page_blocks__end(&blocks);
 */
#ifndef PEAT_PAGE_BLOCKS_H
#define PEAT_PAGE_BLOCKS_H

#include <zlib.h>

#include "base/strbuf.h"

struct page_blocks {
	z_stream stream;
	struct strbuf packed, text;
	int fd;
	bool is_begun;
};

/* 0 or -ENOMEM; call page_blocks__end() in any case. */
int page_blocks__begin(struct page_blocks *blocks, int fd);

/*
 * Writes `bytes` as block of the kind `name`, of the type number `type`, and empties it.  0 or a
 * negative errno.
 */
int page_blocks__write(struct page_blocks *blocks, const char *name, uint32_t type, uint32_t rows,
		       struct strbuf *bytes);

void page_blocks__end(struct page_blocks *blocks);

/* Appends bytes in base64 (RFC 4648). */
void page_blocks__base64(struct strbuf *out, const void *bytes, size_t count);

#endif /* PEAT_PAGE_BLOCKS_H */

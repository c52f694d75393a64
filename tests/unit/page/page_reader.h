/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* page_reader.h: reads the blocks of a page. */
#ifndef TESTS_UNIT_PAGE_READER_H
#define TESTS_UNIT_PAGE_READER_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "support/machine/harness.h"

#define PAGE_BLOCK_MAX (4u << 20)

struct page_block {
	uint8_t *bytes;
	size_t count, at;
	unsigned int rows;
};

/* All that was written to `fd`; the caller frees it. */
static inline char *page_reader__text(int fd)
{
	off_t bytes = lseek(fd, 0, SEEK_END);
	char *text = calloc(1, (size_t)bytes + 1);

	ck_assert_int_eq(pread(fd, text, (size_t)bytes, 0), bytes);
	return text;
}

static inline uint32_t page_reader__digit(char c)
{
	const char *digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = strchr(digits, c);

	return c != '=' && at ? (uint32_t)(at - digits) : 0;
}

/* Decodes base64, in place. */
static inline size_t page_reader__decode(char *text, size_t count)
{
	size_t bytes = count / 4 * 3;

	ck_assert_uint_eq(count % 4, 0);
	for (size_t i = 0; i < count / 4; i++) {
		uint32_t word = page_reader__digit(text[4 * i]) << 18 |
				page_reader__digit(text[4 * i + 1]) << 12 |
				page_reader__digit(text[4 * i + 2]) << 6 |
				page_reader__digit(text[4 * i + 3]);

		bytes -= text[4 * i + 3] == '=';
		bytes -= text[4 * i + 2] == '=';
		text[3 * i] = (char)(word >> 16);
		text[3 * i + 1] = (char)(word >> 8);
		text[3 * i + 2] = (char)word;
	}
	return bytes;
}

static inline void page_reader__inflate(struct page_block *block, char *packed, size_t count)
{
	z_stream stream = { 0 };

	block->bytes = malloc(PAGE_BLOCK_MAX);
	ck_assert_int_eq(inflateInit2(&stream, -15), Z_OK);
	stream.next_in = (Bytef *)packed;
	stream.avail_in = (uInt)count;
	stream.next_out = block->bytes;
	stream.avail_out = PAGE_BLOCK_MAX - 1;
	ck_assert_int_eq(inflate(&stream, Z_FINISH), Z_STREAM_END);
	block->count = stream.total_out;
	block->bytes[block->count] = '\0';
	inflateEnd(&stream);
}

/* The first block of a name and a type at or after `from`; NULL bytes: none.  Free its bytes. */
static inline struct page_block page_reader__block(const char *from, const char *name,
						   unsigned int type)
{
	struct page_block block = { 0 };
	char head[128], *packed;
	const char *at;
	size_t count;

	snprintf(head, sizeof(head), "data-block=\"%s\" data-type=\"%u\" data-rows=\"", name, type);
	at = strstr(from, head);
	if (!at)
		return block;
	at += strlen(head);
	ck_assert_int_eq(sscanf(at, "%u\">", &block.rows), 1);
	at = strchr(at, '>') + 1;
	count = strcspn(at, "<");
	packed = strndup(at, count);
	page_reader__inflate(&block, packed, page_reader__decode(packed, count));
	free(packed);
	return block;
}

static inline uint64_t page_reader__number(struct page_block *block)
{
	uint64_t value = 0;
	int shift = 0;
	uint8_t byte;

	do {
		ck_assert_uint_lt(block->at, block->count);
		byte = block->bytes[block->at++];
		value |= (uint64_t)(byte & 127) << shift;
		shift += 7;
	} while (byte & 128);
	return value;
}

static inline int64_t page_reader__signed(struct page_block *block)
{
	uint64_t value = page_reader__number(block);

	return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

/* The next text of a block is this one. */
static inline void page_reader__check_text(struct page_block *block, const char *wanted)
{
	uint64_t bytes = page_reader__number(block);

	ck_assert_uint_eq(bytes, strlen(wanted));
	ck_assert_uint_le(block->at + bytes, block->count);
	ck_assert(!memcmp(block->bytes + block->at, wanted, bytes));
	block->at += bytes;
}

#endif /* TESTS_UNIT_PAGE_READER_H */

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_data/header.c: parses the header of a perf.data: version, byte order, sections. */
#include <errno.h>

#include "base/cursor.h"
#include "perf_data/header.h"

#define MAGIC_BYTES	 8
#define BYTES_NO_FEATURE 72 /* the oldest header, without features */
#define BYTES_MOST	 65536
#define HOST_BIG_ENDIAN	 (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

struct perf_section perf_section__parse(const uint8_t *at, bool swapped)
{
	return (struct perf_section){ load_u64(at, swapped), load_u64(at + 8, swapped) };
}

static int refuse(const char **why, const char *reason)
{
	*why = reason;
	return -EBADMSG;
}

/* The magic of version 2 is a number, and shows the byte order; that of version 1 is a text. */
static bool parse_magic(struct perf_header *header, const uint8_t *bytes)
{
	header->version = 2;
	if (!memcmp(bytes, "PERFILE2", MAGIC_BYTES))
		header->swapped = HOST_BIG_ENDIAN;
	else if (!memcmp(bytes, "2ELIFREP", MAGIC_BYTES))
		header->swapped = !HOST_BIG_ENDIAN;
	else if (!memcmp(bytes, "PERFFILE", MAGIC_BYTES))
		header->version = 1;
	else
		return false;
	return true;
}

static bool is_size(uint64_t bytes)
{
	return bytes == PERF_HEADER_PIPE_BYTES ||
	       (bytes >= BYTES_NO_FEATURE && bytes <= BYTES_MOST);
}

/* Only one byte order gives a possible size of the header. */
static void guess_order(struct perf_header *header, const uint8_t *size)
{
	header->swapped = !is_size(load_u64(size, false)) && is_size(load_u64(size, true));
}

/*
 * The bits are an array of the writer's longs: on a 32-bit big-endian machine the halves of each 64
 * bits are exchanged.  Every writer sets some of the first 32 bits, and none of the next 32.
 */
static void parse_features(struct perf_header *header, const uint8_t *at)
{
	bool big_endian = header->swapped != HOST_BIG_ENDIAN;
	bool halves;

	for (int i = 0; i < 4; i++)
		header->features[i] = load_u64(at + 8 * i, header->swapped);
	halves = big_endian && !(uint32_t)header->features[0] && header->features[0];
	for (int i = 0; i < 4 && halves; i++)
		header->features[i] = header->features[i] << 32 | header->features[i] >> 32;
}

static void parse_parts(struct perf_header *header, const uint8_t *bytes, size_t count)
{
	header->attr_size = load_u64(bytes + 16, header->swapped);
	header->attrs = perf_section__parse(bytes + 24, header->swapped);
	header->data = perf_section__parse(bytes + 40, header->swapped);
	header->event_types = perf_section__parse(bytes + 56, header->swapped);
	if (count >= PERF_HEADER_BYTES)
		parse_features(header, bytes + 72);
}

/* The reason to refuse a file without the magic of perf.data. */
static const char *describe_other(const uint8_t *bytes, size_t count)
{
	static const struct {
		const char *magic;
		size_t bytes;
		const char *why;
	} files[] = {
		{ "\x28\xb5\x2f\xfd", 4,
		  "it is compressed by zstd: use zstd -dc FILE | peat replay -" },
		{ "\x1f\x8b", 2, "it is compressed by gzip: use gzip -dc FILE | peat replay -" },
		{ "\xfd"
		  "7zXZ",
		  5, "it is compressed by xz: use xz -dc FILE | peat replay -" },
		{ "BZh", 3, "it is compressed by bzip2: use bzip2 -dc FILE | peat replay -" },
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		if (count >= files[i].bytes && !memcmp(bytes, files[i].magic, files[i].bytes))
			return files[i].why;
	return "it is no perf.data";
}

int perf_header__parse(struct perf_header *header, const uint8_t *bytes, size_t count,
		       const char **why)
{
	size_t wanted;

	*header = (struct perf_header){ 0 };
	*why = NULL;
	if (!count)
		return refuse(why, "it is empty");
	if (count < MAGIC_BYTES || !parse_magic(header, bytes))
		return refuse(why, describe_other(bytes, count));
	if (count < PERF_HEADER_PIPE_BYTES)
		return PERF_HEADER_PIPE_BYTES;
	if (header->version == 1)
		guess_order(header, bytes + 8);
	header->bytes = load_u64(bytes + 8, header->swapped);
	if (!is_size(header->bytes))
		return refuse(why, "its header has no possible size");
	header->is_pipe = header->bytes == PERF_HEADER_PIPE_BYTES;
	if (header->is_pipe)
		return PERF_HEADER_PIPE_BYTES;
	wanted = header->bytes < PERF_HEADER_BYTES ? BYTES_NO_FEATURE : PERF_HEADER_BYTES;
	if (count >= wanted)
		parse_parts(header, bytes, wanted);
	return (int)wanted;
}

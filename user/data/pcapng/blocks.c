// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pcapng/blocks.c: encodes the blocks of a pcapng file. */
#include "base/store.h"
#include "pcapng/blocks.h"

enum { BLOCK_SECTION = 0x0a0d0d0a, BLOCK_INTERFACE = 1, BLOCK_STATISTICS = 5, BLOCK_PACKET = 6 };

enum {
	OPTION_END = 0,
	OPTION_COMMENT = 1,
	SECTION_HARDWARE = 2,
	SECTION_OS = 3,
	SECTION_APPLICATION = 4,
	INTERFACE_NAME = 2,
	INTERFACE_RESOLUTION = 9,
	PACKET_FLAGS = 2,
	STATISTICS_RECEIVED = 4,
	STATISTICS_DROPPED = 5
};

#define BYTE_ORDER_MAGIC 0x1a2b3c4du
#define NANOSECONDS	 9	    /* the time unit: 10^-9 s */
#define SECTION_UNKNOWN	 UINT64_MAX /* its length */
#define OPTION_MOST	 65535u

void blocks__begin(struct strbuf *out)
{
	out->swapped = __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__;
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* Returns the place of the block. */
static size_t begin_block(struct strbuf *out, uint32_t type)
{
	size_t start = out->count;

	store_u32(out, type);
	store_u32(out, 0);
	return start;
}

/* The length is at both ends of the block, so that it can be read backward. */
static void end_block(struct strbuf *out, size_t start)
{
	uint32_t bytes;

	store_u32(out, (uint32_t)(out->count - start) + 4);
	if (out->failed)
		return;
	memcpy(&bytes, out->bytes + out->count - 4, sizeof(bytes));
	memcpy(out->bytes + start + 4, &bytes, sizeof(bytes));
}

static void store_option(struct strbuf *out, uint16_t code, const void *value, size_t bytes)
{
	size_t start = out->count;

	store_u16(out, code);
	store_u16(out, (uint16_t)bytes);
	strbuf__bytes(out, value, bytes);
	store_padding(out, start, 4);
}

static void store_text(struct strbuf *out, uint16_t code, const char *text)
{
	if (text && *text)
		store_option(out, code, text, strnlen(text, OPTION_MOST));
}

static void store_option_u64(struct strbuf *out, uint16_t code, uint64_t value)
{
	store_u16(out, code);
	store_u16(out, sizeof(value));
	store_u64(out, value);
}

static void end_options(struct strbuf *out)
{
	store_u16(out, OPTION_END);
	store_u16(out, 0);
}

static void store_time(struct strbuf *out, uint64_t time_ns)
{
	store_u32(out, (uint32_t)(time_ns >> 32));
	store_u32(out, (uint32_t)time_ns);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

void blocks__section(struct strbuf *out, const struct block_section *section)
{
	size_t start = begin_block(out, BLOCK_SECTION);

	store_u32(out, BYTE_ORDER_MAGIC);
	store_u16(out, 1); /* version 1.0 */
	store_u16(out, 0);
	store_u64(out, SECTION_UNKNOWN);
	store_text(out, SECTION_HARDWARE, section->hardware);
	store_text(out, SECTION_OS, section->os);
	store_text(out, SECTION_APPLICATION, section->application);
	end_options(out);
	end_block(out, start);
}

void blocks__interface(struct strbuf *out, const struct block_interface *interface)
{
	size_t start = begin_block(out, BLOCK_INTERFACE);
	uint8_t resolution = NANOSECONDS;

	store_u16(out, interface->link);
	store_u16(out, 0);
	store_u32(out, interface->snap);
	store_text(out, INTERFACE_NAME, interface->name);
	store_option(out, INTERFACE_RESOLUTION, &resolution, sizeof(resolution));
	end_options(out);
	end_block(out, start);
}

/* The directions have the numbers of the first two bits of the flags. */
static void store_packet_options(struct strbuf *out, const struct block_packet *packet)
{
	for (size_t i = 0; i < BLOCK_COMMENTS; i++)
		store_text(out, OPTION_COMMENT, packet->comments[i]);
	if (packet->direction != BLOCK_UNKNOWN) {
		store_u16(out, PACKET_FLAGS);
		store_u16(out, sizeof(uint32_t));
		store_u32(out, (uint32_t)packet->direction);
	}
	end_options(out);
}

void blocks__packet(struct strbuf *out, const struct block_packet *packet)
{
	size_t start = begin_block(out, BLOCK_PACKET);

	store_u32(out, packet->interface);
	store_time(out, packet->time_ns);
	store_u32(out, packet->captured);
	store_u32(out, packet->bytes);
	if (packet->captured)
		strbuf__bytes(out, packet->data, packet->captured);
	store_padding(out, start, 4);
	store_packet_options(out, packet);
	end_block(out, start);
}

void blocks__statistics(struct strbuf *out, const struct block_statistics *statistics)
{
	size_t start = begin_block(out, BLOCK_STATISTICS);

	store_u32(out, statistics->interface);
	store_time(out, statistics->time_ns);
	store_text(out, OPTION_COMMENT, statistics->comment);
	store_option_u64(out, STATISTICS_RECEIVED, statistics->received);
	if (statistics->is_exact)
		store_option_u64(out, STATISTICS_DROPPED, statistics->dropped);
	end_options(out);
	end_block(out, start);
}

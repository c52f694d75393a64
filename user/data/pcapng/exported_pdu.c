// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pcapng/exported_pdu.c: writes the tags of packets that Wireshark calls exported PDUs. */
#include <string.h>

#include "pcapng/exported_pdu.h"

#define TABLE "tls.port" /* a multiple of 4 bytes: it needs no padding */

enum { TAG_END = 0, TAG_TABLE = 14, TAG_TABLE_NUMBER = 32, TAG_DIRECTION = 35 };

enum { SENT = 0, RECEIVED = 1 };

_Static_assert((sizeof(TABLE) - 1) % 4 == 0, "values are padded to 4 bytes");
_Static_assert(EXPORTED_PDU_TAGS == 4 + sizeof(TABLE) - 1 + 2 * 8 + 4, "the size of all tags");

/* Numbers are big-endian. */
static void store_u16(struct strbuf *out, unsigned value)
{
	strbuf__char(out, (char)(value >> 8));
	strbuf__char(out, (char)value);
}

static void store_tag(struct strbuf *out, unsigned tag, unsigned bytes)
{
	store_u16(out, tag);
	store_u16(out, bytes);
}

static void store_number(struct strbuf *out, unsigned tag, unsigned value)
{
	store_tag(out, tag, 4);
	store_u16(out, value >> 16);
	store_u16(out, value & UINT16_MAX);
}

void exported_pdu__tags(struct strbuf *out, enum block_direction direction)
{
	store_tag(out, TAG_TABLE, sizeof(TABLE) - 1);
	strbuf__bytes(out, TABLE, sizeof(TABLE) - 1);
	store_number(out, TAG_TABLE_NUMBER, 0);
	store_number(out, TAG_DIRECTION, direction == BLOCK_INBOUND ? RECEIVED : SENT);
	store_tag(out, TAG_END, 0);
}

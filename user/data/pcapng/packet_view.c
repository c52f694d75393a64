// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* pcapng/packet_view.c: finds packets in events by the names of members. */
#include <string.h>

#include <peat/pcapng.h>

#include "field/fields.h"
#include "pcapng/exported_pdu.h"
#include "pcapng/link_type.h"
#include "pcapng/packet_view.h"

static const struct peat_field *find_number(const struct peat_schema *schema, const char *name)
{
	const struct peat_field *field = fields__find(schema, name);

	return field && fields__is_number(field) ? field : NULL;
}

static bool find_value(const struct peat_field *field, const char *name, uint64_t *value)
{
	for (uint32_t i = 0; i < field->name_count; i++)
		if (!strcmp(field->names[i].name, name)) {
			*value = field->names[i].value;
			return true;
		}
	return false;
}

static void find_direction(struct packet_members *members, const struct peat_schema *schema)
{
	const struct peat_field *field = find_number(schema, "direction");

	if (field && find_value(field, "in", &members->inbound) &&
	    find_value(field, "out", &members->outbound))
		members->direction = field;
}

/* Recordings have bytes as text: see LEAF_HEX of tracing_data/flatten.h. */
static bool is_hex(const struct peat_field *field)
{
	return field->kind == PEAT_FIELD_STRING && field->place != PEAT_PLACE_OFFSET;
}

bool packet_members__find(struct packet_members *members, const struct peat_schema *schema)
{
	*members = (struct packet_members){
		.schema = schema,
		.data = fields__find(schema, "data"),
		.bytes = find_number(schema, "bytes"),
		.ifindex = find_number(schema, "ifindex"),
		.link = find_number(schema, "link"),
	};
	find_direction(members, schema);
	if (!members->data || !members->bytes)
		return false;
	if (!members->ifindex)
		return members->data->kind == PEAT_FIELD_CHARS && members->direction;
	return members->data->kind == PEAT_FIELD_BYTES || is_hex(members->data);
}

bool peat_schema__has_packets(const struct peat_schema *schema)
{
	struct packet_members members;

	return packet_members__find(&members, schema);
}

/* ---- events ---------------------------------------------------------------------------------- */

static bool read_u32(const struct peat_field *field, const void *data, uint32_t bytes,
		     uint32_t *number)
{
	uint64_t value;

	if (!peat_field__number(field, data, bytes, &value))
		return false;
	*number = value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
	return true;
}

static enum block_direction read_direction(const struct packet_members *members, const void *data,
					   uint32_t bytes)
{
	uint64_t value;

	if (!members->direction || !peat_field__number(members->direction, data, bytes, &value))
		return BLOCK_UNKNOWN;
	return value == members->inbound    ? BLOCK_INBOUND
	       : value == members->outbound ? BLOCK_OUTBOUND
					    : BLOCK_UNKNOWN;
}

static uint16_t read_link(const struct packet_members *members, const void *data, uint32_t bytes)
{
	uint32_t link;

	if (!members->link || !read_u32(members->link, data, bytes, &link) || link > LINK_UNKNOWN)
		return LINK_UNKNOWN;
	return (uint16_t)link;
}

/* -1: not a digit. */
static int digit_value(char digit)
{
	if (digit >= '0' && digit <= '9')
		return digit - '0';
	return digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
}

/* Decodes pairs of digits, up to the first other character. */
static void decode_hex(struct packet_view *packet, struct strbuf *scratch)
{
	const char *text = packet->data;

	strbuf__cut(scratch, 0);
	for (uint32_t i = 0; i + 1 < packet->captured; i += 2) {
		int high = digit_value(text[i]), low = digit_value(text[i + 1]);

		if (high < 0 || low < 0)
			break;
		strbuf__char(scratch, (char)(high << 4 | low));
	}
	packet->data = scratch->bytes;
	packet->captured = (uint32_t)scratch->count;
}

static void cut_to_length(struct packet_view *packet)
{
	if (packet->captured > packet->bytes) /* padding of a raw event */
		packet->captured = packet->bytes;
}

static uint32_t add_saturated(uint32_t a, uint32_t b)
{
	return a < UINT32_MAX - b ? a + b : UINT32_MAX;
}

/* Puts tags before the plaintext. */
static void export_plaintext(struct packet_view *packet, struct strbuf *scratch)
{
	strbuf__cut(scratch, 0);
	exported_pdu__tags(scratch, packet->direction);
	if (packet->captured)
		strbuf__bytes(scratch, packet->data, packet->captured);
	packet->data = scratch->bytes;
	packet->captured = (uint32_t)scratch->count;
	packet->bytes = add_saturated(packet->bytes, EXPORTED_PDU_TAGS);
	packet->link = LINK_UPPER_PDU;
}

bool packet_view__read(struct packet_view *packet, const struct packet_members *members,
		       const void *data, uint32_t bytes, struct strbuf *scratch)
{
	packet->ifindex = 0;
	if (!read_u32(members->bytes, data, bytes, &packet->bytes) ||
	    (members->ifindex && !read_u32(members->ifindex, data, bytes, &packet->ifindex)))
		return false;
	packet->direction = read_direction(members, data, bytes);
	packet->link = read_link(members, data, bytes);
	packet->captured = 0;
	packet->data = fields__bytes(members->data, data, bytes, &packet->captured);
	if (!packet->data)
		packet->captured = 0;
	if (packet->captured && is_hex(members->data))
		decode_hex(packet, scratch);
	cut_to_length(packet);
	if (!members->ifindex)
		export_plaintext(packet, scratch);
	return true;
}

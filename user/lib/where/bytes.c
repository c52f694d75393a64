// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* where/bytes.c: tests of addresses and arrays of bytes. */
#include <arpa/inet.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/internal.h"
#include "field/fields.h"
#include "where/resolve.h"

/* A value; `mask` has the bits of an address's prefix. */
struct bytes {
	uint8_t bytes[WHERE_BYTES_MAX], mask[WHERE_BYTES_MAX];
	uint32_t count;
};

/* ---- values ---------------------------------------------------------------------------------- */

/* "deadbeef" or "0xdeadbeef".  False: other characters, half a byte, or too many. */
static bool parse_hex(const char *text, struct bytes *value)
{
	text += begins_with(text, "0x") || begins_with(text, "0X") ? 2 : 0;
	for (value->count = 0; *text; text += 2) {
		char two[3] = { text[0], text[1] };

		if (!isxdigit((unsigned char)two[0]) || !isxdigit((unsigned char)two[1]) ||
		    value->count == WHERE_BYTES_MAX)
			return false;
		value->bytes[value->count++] = (uint8_t)strtoul(two, NULL, 16);
	}
	return value->count;
}

static bool parse_mac(const char *text, struct bytes *value)
{
	for (value->count = 0; value->count < 6; text += 3) {
		char two[3] = { text[0], text[0] ? text[1] : 0 };

		if (!isxdigit((unsigned char)two[0]) || !isxdigit((unsigned char)two[1]))
			return false;
		value->bytes[value->count++] = (uint8_t)strtoul(two, NULL, 16);
		if (text[2] != (value->count == 6 ? 0 : ':'))
			return false;
	}
	return true;
}

/* The first bits of the mask. */
static void set_prefix(struct bytes *value, uint32_t bits)
{
	for (uint32_t i = 0; i < value->count; i++, bits -= bits < 8 ? bits : 8)
		value->mask[i] = (uint8_t)(bits < 8 ? 0xff00 >> bits : 0xff);
}

static bool parse_prefix(const char *text, struct bytes *value)
{
	size_t digits = strspn(text, "0123456789");
	unsigned long bits;

	if (!digits || digits > 3 || text[digits])
		return false;
	bits = strtoul(text, NULL, 10);
	if (bits > value->count * 8)
		return false;
	set_prefix(value, (uint32_t)bits);
	return true;
}

/* "192.0.2.0", "192.0.2.0/24" */
static bool parse_address(const char *text, int family, struct bytes *value)
{
	char address[INET6_ADDRSTRLEN];
	size_t bytes = strcspn(text, "/");

	if (bytes >= sizeof(address))
		return false;
	memcpy(address, text, bytes);
	address[bytes] = 0;
	value->count = family == AF_INET ? 4 : 16;
	if (inet_pton(family, address, value->bytes) != 1)
		return false;
	return !text[bytes] || parse_prefix(text + bytes + 1, value);
}

/* An IPv4 address in a field for IPv6: ::ffff:192.0.2.1, all of its first 96 bits. */
static bool parse_mapped(const char *text, struct bytes *value)
{
	struct bytes ipv4;

	memset(ipv4.mask, 0xff, sizeof(ipv4.mask));
	if (!parse_address(text, AF_INET, &ipv4))
		return false;
	memset(value->bytes, 0, 10);
	memset(value->bytes + 10, 0xff, 2);
	memcpy(value->bytes + 12, ipv4.bytes, 4);
	memcpy(value->mask + 12, ipv4.mask, 4);
	value->count = 16;
	return true;
}

/* "443", a port in network order. */
static bool parse_port(const char *text, uint8_t port[2])
{
	size_t digits = strspn(text, "0123456789");
	unsigned long number;

	if (!digits || digits > 5 || text[digits])
		return false;
	number = strtoul(text, NULL, 10);
	port[0] = (uint8_t)(number >> 8);
	port[1] = (uint8_t)number;
	return number <= UINT16_MAX;
}

/* "192.0.2.1:443", "[2001:db8::1]:443", "[::ffff:192.0.2.1]:443" */
static bool parse_endpoint(const char *text, struct bytes *value)
{
	char address[INET6_ADDRSTRLEN];
	const char *end = strrchr(text, ':');
	bool has_brackets = *text == '[';
	size_t bytes;

	if (!end || !parse_port(end + 1, value->bytes + ENDPOINT_PORT_AT))
		return false;
	if (has_brackets && *--end != ']')
		return false;
	text += has_brackets;
	bytes = (size_t)(end - text);
	if (end < text || bytes >= sizeof(address) || memchr(text, '/', bytes))
		return false;
	memcpy(address, text, bytes);
	address[bytes] = 0;
	if (!(has_brackets ? parse_address(address, AF_INET6, value)
			   : parse_mapped(address, value)))
		return false;
	value->count = ENDPOINT_BYTES;
	return true;
}

static bool parse_kind(enum peat_field_kind kind, const char *text, struct bytes *value)
{
	switch (kind) {
	case PEAT_FIELD_IPV4:
		return parse_address(text, AF_INET, value);
	case PEAT_FIELD_IPV6:
		return parse_mapped(text, value) || parse_address(text, AF_INET6, value);
	case PEAT_FIELD_MAC:
		return parse_mac(text, value);
	case PEAT_FIELD_ENDPOINT:
		return parse_endpoint(text, value);
	default:
		return false;
	}
}

/* Also hexadecimal digits after 0x for addresses, as masks may be written. */
static bool parse(struct where_resolver *resolver, const struct where_value *value,
		  struct bytes *bytes)
{
	const struct peat_field *field = resolver->place.field;
	bool is_hex = field->kind == PEAT_FIELD_BYTES || begins_with(value->text, "0x");

	memset(bytes->mask, 0xff, sizeof(bytes->mask));
	memset(bytes->bytes, 0, sizeof(bytes->bytes));
	if (!(is_hex ? parse_hex(value->text, bytes)
		     : parse_kind(field->kind, value->text, bytes))) {
		where_resolver__bad_value(resolver, value);
		return false;
	}
	if (where_place__varies(field) || bytes->count == field->bytes)
		return true;
	where_resolver__fail(resolver, value->begin, "%s has %u bytes, the value has %u",
			     resolver->node->path, field->bytes, bytes->count);
	return false;
}

/* ---- tests ----------------------------------------------------------------------------------- */

static struct where_test *bytes_test(struct where_resolver *resolver, const struct bytes *value)
{
	struct where_test *test = where_resolver__test(resolver, WHERE_BYTES_EQUAL);

	if (!test)
		return NULL;
	test->byte_count = value->count;
	for (uint32_t i = 0; i < value->count; i++) {
		test->byte_mask[i] = value->mask[i];
		test->bytes[i] = value->bytes[i] & value->mask[i];
	}
	return test;
}

/* The mask of the test becomes the mask of the value.  False: it has bits outside of the mask. */
static bool apply_mask(const struct bytes *mask, struct bytes *value)
{
	bool is_inside = mask->count == value->count;

	for (uint32_t i = 0; i < value->count; i++) {
		uint8_t bits = mask->bytes[i] & mask->mask[i];

		is_inside &= !(value->bytes[i] & value->mask[i] & ~bits);
		value->mask[i] &= bits;
	}
	return is_inside;
}

static struct where_test *is_set(struct where_resolver *resolver)
{
	const struct where_node *node = resolver->node;
	const struct peat_field *field = resolver->place.field;
	struct bytes value = { .count = field->bytes };

	if (where_place__varies(field) || field->bytes > WHERE_BYTES_MAX)
		return where_resolver__fail(resolver, node->begin,
					    "%s has more than %d bytes, or any number: compare it "
					    "with bytes in hexadecimal",
					    node->path, WHERE_BYTES_MAX);
	memset(value.mask, 0xff, sizeof(value.mask));
	if (node->mask) {
		if (!parse(resolver, node->mask, &value))
			return NULL;
		for (uint32_t i = 0; i < value.count; i++)
			value.mask[i] &= value.bytes[i];
		memset(value.bytes, 0, sizeof(value.bytes));
	}
	return where_resolver__not(resolver, bytes_test(resolver, &value));
}

static struct where_test *equal(struct where_resolver *resolver, const struct where_value *literal)
{
	struct bytes value, mask;

	if (!parse(resolver, literal, &value))
		return NULL;
	if (!resolver->node->mask)
		return bytes_test(resolver, &value);
	if (!parse(resolver, resolver->node->mask, &mask))
		return NULL;
	if (!apply_mask(&mask, &value))
		return where_resolver__constant(resolver, false);
	return bytes_test(resolver, &value);
}

const struct where_class where_bytes = { .is_set = is_set, .equal = equal, .has_masks = true };

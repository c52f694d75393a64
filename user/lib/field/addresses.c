// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* field/addresses.c: addresses of networks. */
#include <arpa/inet.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "field/field_text.h"
#include "field/field_value.h"
#include "field/fields.h"

/* ---- text ------------------------------------------------------------------------------------ */

static void append_ipv4(struct strbuf *out, const void *bytes, uint32_t count,
			struct field_style style)
{
	const unsigned char *at = bytes;

	(void)count;
	(void)style;
	for (uint32_t i = 0; i < 4; i++) {
		if (i)
			strbuf__char(out, '.');
		strbuf__unsigned(out, at[i]);
	}
}

/* An IPv4 address that is mapped, ::ffff:192.0.2.1, is printed as IPv4. */
static bool is_mapped(const void *at)
{
	static const unsigned char prefix[12] = { [10] = 0xff, [11] = 0xff };

	return !memcmp(at, prefix, sizeof(prefix));
}

static void append_ipv6(struct strbuf *out, const void *at, uint32_t count,
			struct field_style style)
{
	struct in6_addr address;
	char text[INET6_ADDRSTRLEN];

	if (is_mapped(at)) {
		append_ipv4(out, (const char *)at + 12, count, style);
		return;
	}
	memcpy(&address, at, sizeof(address));
	if (inet_ntop(AF_INET6, &address, text, sizeof(text)))
		strbuf__text(out, text);
}

static void append_endpoint(struct strbuf *out, const void *bytes, uint32_t count,
			    struct field_style style)
{
	const unsigned char *at = bytes;
	bool has_brackets = !is_mapped(at);

	if (has_brackets)
		strbuf__char(out, '[');
	append_ipv6(out, at, count, style);
	strbuf__text(out, has_brackets ? "]:" : ":");
	strbuf__unsigned(out, (uint64_t)at[ENDPOINT_PORT_AT] << 8 | at[ENDPOINT_PORT_AT + 1]);
}

static void append_mac(struct strbuf *out, const void *bytes, uint32_t count,
		       struct field_style style)
{
	const unsigned char *at = bytes;

	(void)count;
	(void)style;
	for (uint32_t i = 0; i < 6; i++) {
		if (i)
			strbuf__char(out, ':');
		strbuf__hex_bytes(out, at + i, 1);
	}
}

/* ---- parsing --------------------------------------------------------------------------------- */

static bool parse_mac(const char *text, struct field_bytes *value)
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
static void set_prefix(struct field_bytes *value, uint32_t bits)
{
	for (uint32_t i = 0; i < value->count; i++, bits -= bits < 8 ? bits : 8)
		value->mask[i] = (uint8_t)(bits < 8 ? 0xff00 >> bits : 0xff);
}

static bool parse_prefix(const char *text, struct field_bytes *value)
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
static bool parse_address(const char *text, int family, struct field_bytes *value)
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
static bool parse_mapped(const char *text, struct field_bytes *value)
{
	struct field_bytes ipv4;

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
static bool parse_endpoint(const char *text, struct field_bytes *value)
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

static bool parse_ipv4(const char *text, struct field_bytes *value)
{
	return parse_address(text, AF_INET, value);
}

static bool parse_ipv6(const char *text, struct field_bytes *value)
{
	return parse_mapped(text, value) || parse_address(text, AF_INET6, value);
}

/* ---- rows ------------------------------------------------------------------------------------ */

const struct field_type field_type__ipv4 = {
	.kind = PEAT_FIELD_IPV4,
	.tag = "ipv4",
	.word = "IPv4 address",
	.form = "an IPv4 address",
	.class = PEAT_CLASS_ADDRESS,
	.bytes = 4,
	.fits = 4,
	.is_big_endian = true,
	.width = 15,
	.text = append_ipv4,
	.parse_bytes = parse_ipv4,
	.conversion = "%pI4",
};

const struct field_type field_type__ipv6 = {
	.kind = PEAT_FIELD_IPV6,
	.tag = "ipv6",
	.word = "IPv6 address",
	.form = "an IPv6 address",
	.class = PEAT_CLASS_ADDRESS,
	.bytes = 16,
	.width = 15,
	.text = append_ipv6,
	.parse_bytes = parse_ipv6,
	.conversion = "%pI6c",
};

const struct field_type field_type__mac = {
	.kind = PEAT_FIELD_MAC,
	.tag = "mac",
	.word = "MAC address",
	.form = "an Ethernet address",
	.class = PEAT_CLASS_ADDRESS,
	.bytes = 6,
	.width = 17,
	.text = append_mac,
	.parse_bytes = parse_mac,
	.conversion = "%pM",
};

const struct field_type field_type__endpoint = {
	.kind = PEAT_FIELD_ENDPOINT,
	.word = "address:port",
	.form = "an address with its port, such as 192.0.2.1:443 or [2001:db8::1]:443",
	.class = PEAT_CLASS_ADDRESS,
	.bytes = ENDPOINT_BYTES,
	.has_members = true,
	.width = 15, /* most addresses have more */
	.least = 18, /* 192.168.1.100:443, and one more digit */
	.text = append_endpoint,
	.parse_bytes = parse_endpoint,
};

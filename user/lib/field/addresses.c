// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* field/addresses.c: addresses of networks. */
#include <arpa/inet.h>
#include <string.h>

#include "field/field_text.h"
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

/* ---- rows ------------------------------------------------------------------------------------ */

const struct field_type field_type__ipv4 = {
	.tag = "ipv4",
	.word = "IPv4 address",
	.form = "an IPv4 address",
	.class = PEAT_CLASS_ADDRESS,
	.bytes = 4,
	.fits = 4,
	.is_big_endian = true,
	.width = 15,
	.text = append_ipv4,
	.conversion = "%pI4",
};

const struct field_type field_type__ipv6 = {
	.tag = "ipv6",
	.word = "IPv6 address",
	.form = "an IPv6 address",
	.class = PEAT_CLASS_ADDRESS,
	.bytes = 16,
	.width = 15,
	.text = append_ipv6,
	.conversion = "%pI6c",
};

const struct field_type field_type__mac = {
	.tag = "mac",
	.word = "MAC address",
	.form = "an Ethernet address",
	.class = PEAT_CLASS_ADDRESS,
	.bytes = 6,
	.width = 17,
	.text = append_mac,
	.conversion = "%pM",
};

const struct field_type field_type__endpoint = {
	.word = "address:port",
	.form = "an address with its port, such as 192.0.2.1:443 or [2001:db8::1]:443",
	.class = PEAT_CLASS_ADDRESS,
	.bytes = ENDPOINT_BYTES,
	.has_members = true,
	.width = 15, /* most addresses have more */
	.least = 18, /* 192.168.1.100:443, and one more digit */
	.text = append_endpoint,
};

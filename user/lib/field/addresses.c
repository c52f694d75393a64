// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* field/addresses.c: addresses of networks. */
#include "field/fields.h"

const struct field_type field_type__ipv4 = {
	.tag = "ipv4",
	.word = "IPv4 address",
	.form = "an IPv4 address",
	.class = PEAT_CLASS_ADDRESS,
	.bytes = 4,
	.fits = 4,
	.is_big_endian = true,
	.width = 15,
	.conversion = "%pI4",
};

const struct field_type field_type__ipv6 = {
	.tag = "ipv6",
	.word = "IPv6 address",
	.form = "an IPv6 address",
	.class = PEAT_CLASS_ADDRESS,
	.bytes = 16,
	.width = 15,
	.conversion = "%pI6c",
};

const struct field_type field_type__mac = {
	.tag = "mac",
	.word = "MAC address",
	.form = "an Ethernet address",
	.class = PEAT_CLASS_ADDRESS,
	.bytes = 6,
	.width = 17,
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
};

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* field/field_value.h: parses a value by the kind of its field: the opposite of field_text.h. */
#ifndef PEAT_FIELD_FIELD_VALUE_H
#define PEAT_FIELD_FIELD_VALUE_H

#include <peat/schema.h>

#define FIELD_VALUE_BYTES_MAX 32

struct field_number {
	uint64_t magnitude;
	bool negative;
};

/* `mask` has the bits of an address's prefix. */
struct field_bytes {
	uint8_t bytes[FIELD_VALUE_BYTES_MAX], mask[FIELD_VALUE_BYTES_MAX];
	uint32_t count;
};

/*
 * Parses a number:
 *
 *	BOOL		0 1 false true no yes off on
 *	ENUM, FLAGS	a name or a number; FLAGS: names joined by |
 *	DURATION	a decimal fraction with a unit, ns us ms s m h; 0
 *	SIZE		a decimal fraction, with or without K M G, KB, KiB: multiples of 1024
 *	ERRNO		a number; ENOENT or -ENOENT: -2
 *	SIGNAL		a number; SIGKILL, SIGRTMIN+1
 *	other numbers	decimal, or hexadecimal after 0x
 *
 *	0
 *	-EINVAL		the text is no such value
 *	-ERANGE		it has more than 64 bits
 *	-EOPNOTSUPP	fields of this kind are no numbers
 */
int field_value__parse(const struct peat_field *field, const char *text,
		       struct field_number *number);

/* Parses a number in decimal, or hexadecimal after 0x, without a unit: for rows. */
int field_value__parse_number(const struct peat_field *field, const char *text,
			      struct field_number *number);

/*
 * Parses an address, with a prefix such as /24, or bytes in hexadecimal: also of addresses after
 * 0x, as masks may be written.  False: the text is no such value.
 */
bool field_value__parse_bytes(const struct peat_field *field, const char *text,
			      struct field_bytes *value);

/* Whether a number of so many bits, 1 to 64, can have this value. */
bool field_value__fits(const struct field_number *number, uint32_t bits, bool is_signed);

/* The values of a kind, for messages: "a number", "an IPv4 address". */
const char *field_value__form(enum peat_field_kind kind);

#endif /* PEAT_FIELD_FIELD_VALUE_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* field/field_value.h: parses a value by the kind of its field: the opposite of field_text.h. */
#ifndef PEAT_FIELD_FIELD_VALUE_H
#define PEAT_FIELD_FIELD_VALUE_H

#include <peat/schema.h>

struct field_number {
	uint64_t magnitude;
	bool negative;
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

/* Whether a number of so many bits, 1 to 64, can have this value. */
bool field_value__fits(const struct field_number *number, uint32_t bits, bool is_signed);

/* The values of a kind, for messages: "a number", "an IPv4 address". */
const char *field_value__form(enum peat_field_kind kind);

#endif /* PEAT_FIELD_FIELD_VALUE_H */

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* field/field_value.c: parses values by the kind of their field. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "field/field_type.h"
#include "field/field_value.h"

/* ---- numbers --------------------------------------------------------------------------------- */

int field_value__parse_number(const struct peat_field *field, const char *text,
			      struct field_number *number)
{
	char *end;
	int base;

	(void)field;
	number->negative = *text == '-';
	text += *text == '-' || *text == '+';
	base = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 16 : 10;
	if (!isdigit((unsigned char)*text))
		return -EINVAL;
	errno = 0;
	number->magnitude = strtoull(text, &end, base);
	if (*end)
		return -EINVAL;
	return errno ? -ERANGE : 0;
}

int field_value__parse(const struct peat_field *field, const char *text,
		       struct field_number *number)
{
	const struct field_type *type = field_type__of(field);

	if (!*text)
		return -EINVAL;
	return type->parse ? type->parse(field, text, number) : -EOPNOTSUPP;
}

bool field_value__fits(const struct field_number *number, uint32_t bits, bool is_signed)
{
	uint64_t largest = UINT64_MAX >> (64 - bits) >> is_signed;

	if (!number->negative)
		return number->magnitude <= largest;
	return is_signed ? number->magnitude <= largest + 1 : !number->magnitude;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

/* "deadbeef" or "0xdeadbeef".  False: other characters, half a byte, or too many. */
static bool parse_hex(const char *text, struct field_bytes *value)
{
	text += begins_with(text, "0x") || begins_with(text, "0X") ? 2 : 0;
	for (value->count = 0; *text; text += 2) {
		char two[3] = { text[0], text[1] };

		if (!isxdigit((unsigned char)two[0]) || !isxdigit((unsigned char)two[1]) ||
		    value->count == FIELD_VALUE_BYTES_MAX)
			return false;
		value->bytes[value->count++] = (uint8_t)strtoul(two, NULL, 16);
	}
	return value->count;
}

bool field_value__parse_bytes(const struct peat_field *field, const char *text,
			      struct field_bytes *value)
{
	const struct field_type *type = field_type__of(field);

	memset(value->mask, 0xff, sizeof(value->mask));
	memset(value->bytes, 0, sizeof(value->bytes));
	if (!type->parse_bytes || begins_with(text, "0x"))
		return parse_hex(text, value);
	return type->parse_bytes(text, value);
}

/* ---- messages -------------------------------------------------------------------------------- */

const char *field_value__form(enum peat_field_kind kind)
{
	const char *form = field_type__of_kind(kind)->form;

	return form ? form : "a number";
}

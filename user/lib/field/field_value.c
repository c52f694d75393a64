// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* field/field_value.c: parses numbers by the kind of their field. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "field/field_text.h"
#include "field/field_value.h"

#define ERRNO_LAST  4095
#define SIGNAL_LAST 64

/* ---- numbers --------------------------------------------------------------------------------- */

/* Decimal, or hexadecimal after 0x, without a unit. */
static int parse_number(const char *text, struct field_number *number)
{
	char *end;
	int base;

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

/* ---- units ----------------------------------------------------------------------------------- */

struct unit {
	const char *name;
	uint64_t factor;
};

static const struct unit times[] = {
	{ "ns", 1 },	      { "us", 1000 },	      { "ms", 1000000 }, { "s", 1000000000 },
	{ "m", 60000000000 }, { "h", 3600000000000 }, { NULL, 0 },
};

static const struct unit sizes[] = {
	{ "", 1 },
	{ "b", 1 },
	{ "k", 1ULL << 10 },
	{ "kb", 1ULL << 10 },
	{ "kib", 1ULL << 10 },
	{ "m", 1ULL << 20 },
	{ "mb", 1ULL << 20 },
	{ "mib", 1ULL << 20 },
	{ "g", 1ULL << 30 },
	{ "gb", 1ULL << 30 },
	{ "gib", 1ULL << 30 },
	{ NULL, 0 },
};

/* The digits after the point as a part of `factor`: exact as far as the factor has digits. */
static uint64_t fraction(const char *digits, size_t count, uint64_t factor)
{
	uint64_t value = 0, rest = factor;

	for (size_t i = 0; i < count && rest; i++) {
		value += (uint64_t)(digits[i] - '0') * rest / 10;
		rest /= 10;
	}
	return value;
}

static int parse_scaled(const char *text, const struct unit *unit, struct field_number *number)
{
	char *end;
	uint64_t whole, part;
	size_t digits;

	*number = (struct field_number){ 0 };
	if (!strcmp(text, "0"))
		return 0;
	if (!isdigit((unsigned char)*text))
		return -EINVAL;
	errno = 0;
	whole = strtoull(text, &end, 10);
	text = end + (*end == '.');
	digits = *end == '.' ? strspn(text, "0123456789") : 0;
	while (unit->name && strcasecmp(text + digits, unit->name))
		unit++;
	if (!unit->name || (*end == '.' && !digits))
		return -EINVAL;
	part = fraction(text, digits, unit->factor);
	if (errno || __builtin_mul_overflow(whole, unit->factor, &whole) ||
	    __builtin_add_overflow(whole, part, &number->magnitude))
		return -ERANGE;
	return 0;
}

/* ---- names ----------------------------------------------------------------------------------- */

static int parse_bool(const char *text, struct field_number *number)
{
	static const char *const words[] = { "0", "1", "false", "true", "no", "yes", "off", "on" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		*number = (struct field_number){ .magnitude = i % 2 };
		if (!strcmp(text, words[i]))
			return 0;
	}
	return -EINVAL;
}

static int find_name(const struct peat_field *field, const char *name, size_t bytes,
		     uint64_t *value)
{
	for (uint32_t i = 0; i < field->name_count; i++)
		if (!strncmp(field->names[i].name, name, bytes) && !field->names[i].name[bytes]) {
			*value = field->names[i].value;
			return 0;
		}
	return -EINVAL;
}

/* A name, flags joined by |, or a number. */
static int parse_names(const struct peat_field *field, const char *text,
		       struct field_number *number)
{
	uint64_t value, all = 0;
	int err = 0;

	if (parse_number(text, number) != -EINVAL)
		return parse_number(text, number);
	for (size_t bytes; !err && *text; text += bytes + (text[bytes] == '|')) {
		bytes = strcspn(text, field->kind == PEAT_FIELD_FLAGS ? "|" : "");
		err = find_name(field, text, bytes, &value);
		all |= err ? 0 : value;
		if (!err && text[bytes] && !text[bytes + 1])
			err = -EINVAL;
	}
	number->negative = field->is_signed && (int64_t)all < 0;
	number->magnitude = number->negative ? -all : all;
	return err;
}

static int64_t errno_by_name(const char *name)
{
	static const struct {
		const char *name;
		int number;
	} others[] = { { "EWOULDBLOCK", EWOULDBLOCK },
		       { "EDEADLOCK", EDEADLOCK },
		       { "ENOTSUP", ENOTSUP },
		       { "EOPNOTSUPP", EOPNOTSUPP } };

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (!strcmp(name, others[i].name))
			return others[i].number;
	for (int number = 1; number <= ERRNO_LAST; number++) {
		const char *known = field_text__errno_name(-number);

		if (known && !strcmp(name, known))
			return number;
	}
	return 0;
}

static int parse_errno(const char *text, struct field_number *number)
{
	int err = parse_number(text, number);

	if (err != -EINVAL)
		return err;
	number->negative = true;
	number->magnitude = (uint64_t)errno_by_name(text + (*text == '-'));
	return number->magnitude ? 0 : -EINVAL;
}

/* The names are those that field_text.h prints. */
static int parse_signal(const struct peat_field *field, const char *text,
			struct field_number *number)
{
	int err = parse_number(text, number);

	number->negative &= err != -EINVAL;
	for (uint64_t i = 1; err == -EINVAL && i <= SIGNAL_LAST; i++) {
		struct strbuf name = { 0 };

		if (field_text__append_name(&name, field, i) && name.count == strlen(text) &&
		    !memcmp(name.bytes, text, name.count)) {
			number->magnitude = i;
			err = 0;
		}
		strbuf__free(&name);
	}
	return err;
}

/* ---- all kinds ------------------------------------------------------------------------------- */

int field_value__parse(const struct peat_field *field, const char *text,
		       struct field_number *number)
{
	if (!*text)
		return -EINVAL;
	switch (field->kind) {
	case PEAT_FIELD_BOOL:
		return parse_bool(text, number);
	case PEAT_FIELD_ENUM:
	case PEAT_FIELD_FLAGS:
		return parse_names(field, text, number);
	case PEAT_FIELD_DURATION:
		return parse_scaled(text, times, number);
	case PEAT_FIELD_SIZE:
		return parse_scaled(text, sizes, number);
	case PEAT_FIELD_ERRNO:
		return parse_errno(text, number);
	case PEAT_FIELD_SIGNAL:
		return parse_signal(field, text, number);
	case PEAT_FIELD_UNSIGNED:
	case PEAT_FIELD_SIGNED:
	case PEAT_FIELD_HEX:
	case PEAT_FIELD_PORT:
	case PEAT_FIELD_KADDR:
	case PEAT_FIELD_KSTACK:
	case PEAT_FIELD_USTACK:
		return parse_number(text, number);
	default:
		return -EOPNOTSUPP;
	}
}

bool field_value__fits(const struct field_number *number, uint32_t bits, bool is_signed)
{
	uint64_t largest = UINT64_MAX >> (64 - bits) >> is_signed;

	if (!number->negative)
		return number->magnitude <= largest;
	return is_signed ? number->magnitude <= largest + 1 : !number->magnitude;
}

const char *field_value__form(enum peat_field_kind kind)
{
	static const char *const forms[] = {
		[PEAT_FIELD_BOOL] = "true or false",
		[PEAT_FIELD_DURATION] = "a time with its unit, such as 5ms or 20us",
		[PEAT_FIELD_SIZE] = "an amount such as 4096 or 64K",
		[PEAT_FIELD_IPV4] = "an IPv4 address",
		[PEAT_FIELD_IPV6] = "an IPv6 address",
		[PEAT_FIELD_MAC] = "an Ethernet address",
		[PEAT_FIELD_ENDPOINT] = "an address with its port, such as 192.0.2.1:443 or "
					"[2001:db8::1]:443",
		[PEAT_FIELD_BYTES] = "bytes in hexadecimal",
		[PEAT_FIELD_ERRNO] = "a number or the name of an errno",
		[PEAT_FIELD_SIGNAL] = "a number or the name of a signal",
	};
	const char *form = kind < sizeof(forms) / sizeof(*forms) ? forms[kind] : NULL;

	return form ? form : "a number";
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* field/numbers.c: numbers without names. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "field/field_text.h"
#include "field/field_value.h"
#include "field/fields.h"

/* ---- text ------------------------------------------------------------------------------------ */

bool field_text__float(const struct peat_field *field, const void *data, uint32_t bytes,
		       double *value)
{
	struct peat_field bits = *field;
	uint64_t number;
	uint32_t half;
	float single;

	bits.kind = PEAT_FIELD_UNSIGNED;
	bits.is_signed = false;
	if ((field->bytes != 4 && field->bytes != 8) || field->bits ||
	    !peat_field__number(&bits, data, bytes, &number))
		return false;
	if (field->bytes == 4) {
		half = (uint32_t)number;
		memcpy(&single, &half, sizeof(single));
		*value = (double)single;
	} else {
		memcpy(value, &number, sizeof(*value));
	}
	return true;
}

/* The locale's decimal point may be a comma, or several bytes. */
void field_text__append_float(struct strbuf *out, const char *format, double value)
{
	char text[64];
	bool in_point = false;

	snprintf(text, sizeof(text), format, value);
	for (const char *p = text; *p; p++) {
		bool point = !isdigit((unsigned char)*p) && !strchr("+-einfa", *p);

		if (!point || !in_point)
			strbuf__char(out, point ? '.' : *p);
		in_point = point;
	}
}

static void append_hex(struct strbuf *out, const struct peat_field *field, uint64_t number,
		       struct field_style style)
{
	(void)field;
	(void)style;
	strbuf__hex(out, number);
}

/* At most four digits, except for 10,000 seconds and more. */
static void append_time(struct strbuf *out, uint64_t ns)
{
	uint64_t unit = ns < 1000000 ? 1000 : ns < 1000000000 ? 1000000 : 1000000000;
	uint64_t scale = ns / unit < 10 ? 1000 : ns / unit < 100 ? 100 : ns / unit < 1000 ? 10 : 1;
	uint64_t step = unit / scale, rounded = ns / step + (ns % step >= step - ns % step);

	if (ns < 1000) {
		strbuf__unsigned(out, ns);
		strbuf__text(out, "ns");
		return;
	}
	if (rounded == 1000 * scale && unit < 1000000000) {
		append_time(out, 1000 * unit);
		return;
	}
	strbuf__unsigned(out, rounded / scale);
	rounded %= scale;
	if (rounded)
		strbuf__char(out, '.');
	while (rounded) {
		scale /= 10;
		strbuf__char(out, (char)('0' + rounded / scale));
		rounded %= scale;
	}
	strbuf__text(out, unit == 1000 ? "us" : unit == 1000000 ? "ms" : "s");
}

static void append_duration(struct strbuf *out, const struct peat_field *field, uint64_t number,
			    struct field_style style)
{
	(void)field;
	(void)style;
	append_time(out, number);
}

/* "4.0K", "512K" */
static void append_size(struct strbuf *out, const struct peat_field *field, uint64_t value,
			struct field_style style)
{
	uint64_t whole, part;
	uint32_t units = value ? (63 - (uint32_t)__builtin_clzll(value)) / 10 : 0;

	(void)field;
	(void)style;
	if (!units) {
		strbuf__unsigned(out, value);
		return;
	}
	whole = value >> 10 * units;
	part = value >> 10 * (units - 1) & 1023;
	part = whole < 100 ? (part * 10 + 512) / 1024 : part >= 512 ? 10 : 0;
	if (part == 10) {
		whole++;
		part = 0;
	}
	if (whole == 1024) {
		whole = 1;
		units++;
	}
	strbuf__unsigned(out, whole);
	if (whole < 100) {
		strbuf__char(out, '.');
		strbuf__unsigned(out, part);
	}
	strbuf__char(out, "KMGTPE"[units - 1]);
}

/* ---- parsing --------------------------------------------------------------------------------- */

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

static int parse_duration(const struct peat_field *field, const char *text,
			  struct field_number *number)
{
	(void)field;
	return parse_scaled(text, times, number);
}

static int parse_size(const struct peat_field *field, const char *text, struct field_number *number)
{
	(void)field;
	return parse_scaled(text, sizes, number);
}

/* ---- widths ---------------------------------------------------------------------------------- */

static uint32_t measure_decimal(const struct peat_field *field)
{
	return field->bits ? 1 : field_type__min_width(2 * field->bytes + 1, 7);
}

static uint32_t measure_hex(const struct peat_field *field)
{
	return field_type__min_width(2 * field->bytes + 2, 12);
}

/* ---- rows ------------------------------------------------------------------------------------ */

const struct field_type field_type__unsigned = {
	.kind = PEAT_FIELD_UNSIGNED,
	.tag = "number",
	.word = "number",
	.class = PEAT_CLASS_NUMBER,
	.fits = FIELD_ANY_INTEGER,
	.fits_bits = true,
	.sign = FIELD_SIGN_KEPT,
	.takes_characters = true,
	.sum = FIELD_SUM_ALWAYS,
	.is_right = true,
	.measure = measure_decimal,
	.parse = field_value__parse_number,
};

const struct field_type field_type__signed = {
	.kind = PEAT_FIELD_SIGNED,
	.word = "number",
	.class = PEAT_CLASS_NUMBER,
	.takes_characters = true,
	.sum = FIELD_SUM_ALWAYS,
	.is_right = true,
	.measure = measure_decimal,
	.parse = field_value__parse_number,
};

const struct field_type field_type__hex = {
	.kind = PEAT_FIELD_HEX,
	.tag = "hex",
	.word = "hex number",
	.class = PEAT_CLASS_NUMBER,
	.fits = FIELD_ANY_INTEGER,
	.fits_bits = true,
	.takes_characters = true,
	.sum = FIELD_SUM_WEIGHT,
	.is_right = true,
	.measure = measure_hex,
	.number = append_hex,
	.parse = field_value__parse_number,
	.format = FIELD_FORMAT_HEX,
};

const struct field_type field_type__port = {
	.kind = PEAT_FIELD_PORT,
	.tag = "port",
	.word = "port",
	.class = PEAT_CLASS_NUMBER,
	.fits = 2,
	.is_big_endian = true,
	.is_right = true,
	.width = 5,
	.parse = field_value__parse_number,
};

const struct field_type field_type__duration = {
	.kind = PEAT_FIELD_DURATION,
	.tag = "duration",
	.word = "duration, ns",
	.form = "a time with its unit, such as 5ms or 20us",
	.class = PEAT_CLASS_NUMBER,
	.fits = FIELD_ANY_INTEGER,
	.fits_bits = true,
	.sign = FIELD_SIGN_KEPT,
	.unit = FIELD_NANOSECONDS,
	.sum = FIELD_SUM_ALWAYS,
	.is_right = true,
	.width = 7,
	.number = append_duration,
	.parse = parse_duration,
	.format = FIELD_FORMAT_TIME,
};

const struct field_type field_type__size = {
	.kind = PEAT_FIELD_SIZE,
	.tag = "size",
	.word = "size, bytes",
	.form = "an amount such as 4096 or 64K",
	.class = PEAT_CLASS_NUMBER,
	.fits = FIELD_ANY_INTEGER,
	.fits_bits = true,
	.sign = FIELD_SIGN_KEPT,
	.unit = FIELD_UNIT_BYTES,
	.sum = FIELD_SUM_ALWAYS,
	.is_right = true,
	.width = 5,
	.number = append_size,
	.parse = parse_size,
};

const struct field_type field_type__float = {
	.kind = PEAT_FIELD_FLOAT,
	.word = "number",
	.class = PEAT_CLASS_FLOAT,
	.sum = FIELD_SUM_ALWAYS,
	.is_right = true,
	.width = 7,
	.format = FIELD_FORMAT_HEX,
};

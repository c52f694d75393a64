// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tables/compare.c: the order of two values of a field. */
#include <math.h>
#include <string.h>

#include "field/field_text.h"
#include "field/fields.h"
#include "tables/compare.h"

/* The bytes of a value, or of a struct that has it. */
struct value {
	const void *data;
	uint32_t bytes;
};

static int compare_values(const struct peat_field *field, struct value a, struct value b);

static int compare_numbers(bool is_signed, uint64_t a, uint64_t b)
{
	if (is_signed)
		return ((int64_t)a > (int64_t)b) - ((int64_t)a < (int64_t)b);
	return (a > b) - (a < b);
}

static int compare_floats(double a, double b)
{
	if (isnan(a) || isnan(b))
		return (isnan(a) != 0) - (isnan(b) != 0);
	return (a > b) - (a < b);
}

static int compare_bytes(struct value a, struct value b)
{
	uint32_t bytes = a.bytes < b.bytes ? a.bytes : b.bytes;
	int result = bytes ? memcmp(a.data, b.data, bytes) : 0;

	return result ? result : (a.bytes > b.bytes) - (a.bytes < b.bytes);
}

static int compare_texts(struct value a, struct value b)
{
	a.bytes = (uint32_t)strnlen(a.data, a.bytes);
	b.bytes = (uint32_t)strnlen(b.data, b.bytes);
	return compare_bytes(a, b);
}

static int compare_members(const struct peat_field *field, struct value a, struct value b)
{
	const struct peat_field *end = field + field->span;
	int result = 0;

	for (field++; !result && field < end; field += field->span)
		result = compare_values(field, a, b);
	return result;
}

static struct value skip(struct value value, uint32_t bytes)
{
	return (struct value){ (const char *)value.data + bytes, value.bytes - bytes };
}

static int compare_elements(const struct peat_field *field, struct value a, struct value b)
{
	uint32_t a_count = fields__elements(field, a.bytes);
	uint32_t b_count = fields__elements(field, b.bytes);
	uint32_t count = a_count < b_count ? a_count : b_count;
	int result = 0;

	for (uint32_t i = 0; !result && i < count; i++)
		result = compare_values(field + 1, skip(a, i * field[1].bytes),
					skip(b, i * field[1].bytes));
	return result ? result : (a_count > b_count) - (a_count < b_count);
}

static int compare_inner(const struct peat_field *field, struct value a, struct value b)
{
	const struct field_type *type = field_type__of(field);

	if (type->strings == FIELD_ONE_STRING)
		return compare_texts(a, b);
	if (type->class == PEAT_CLASS_MEMBERS && !type->overlaps)
		return compare_members(field, a, b);
	if (type->class == PEAT_CLASS_ELEMENTS)
		return compare_elements(field, a, b);
	return compare_bytes(a, b);
}

static int compare_values(const struct peat_field *field, struct value a, struct value b)
{
	struct value a_field, b_field;
	uint64_t one, other;
	double x, y;

	if (peat_field__number(field, a.data, a.bytes, &one) &&
	    peat_field__number(field, b.data, b.bytes, &other))
		return compare_numbers(field->is_signed, one, other);
	if (field_type__of(field)->class == PEAT_CLASS_FLOAT &&
	    field_text__float(field, a.data, a.bytes, &x) &&
	    field_text__float(field, b.data, b.bytes, &y))
		return compare_floats(x, y);
	a_field.data = fields__bytes(field, a.data, a.bytes, &a_field.bytes);
	b_field.data = fields__bytes(field, b.data, b.bytes, &b_field.bytes);
	if (!a_field.data || !b_field.data)
		return (a_field.data != NULL) - (b_field.data != NULL);
	return compare_inner(field, a_field, b_field);
}

/* The first bytes of a text, the first one in the highest bits. */
static uint64_t text_rank(const struct peat_field *field, const void *data, uint32_t bytes)
{
	uint32_t count;
	const unsigned char *at = fields__bytes(field, data, bytes, &count);
	uint64_t rank = 0;

	count = at ? (uint32_t)strnlen((const char *)at, count < 8 ? count : 8) : 0;
	for (uint32_t i = 0; i < 8; i++)
		rank = rank << 8 | (i < count ? at[i] : 0);
	return rank;
}

uint64_t table_compare__rank(const struct peat_field *field, const void *data, uint32_t bytes)
{
	uint64_t number;

	if (peat_field__number(field, data, bytes, &number))
		return field->is_signed ? number ^ 1ULL << 63 : number;
	return field_type__of(field)->strings == FIELD_ONE_STRING ? text_rank(field, data, bytes)
								  : 0;
}

int table_compare(const struct peat_field *field, const void *a, uint32_t a_bytes, const void *b,
		  uint32_t b_bytes)
{
	return compare_values(field, (struct value){ a, a_bytes }, (struct value){ b, b_bytes });
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* where/numbers.c: tests of numbers, with all that have names or units. */
#include <errno.h>

#include "field/field_value.h"
#include "field/sampled.h"
#include "where/resolve.h"

static uint32_t bits_of(const struct peat_field *field)
{
	return field->bits ? field->bits : field->bytes * 8;
}

static uint64_t mask_of(const struct peat_field *field)
{
	return UINT64_MAX >> (64 - bits_of(field));
}

/* ---- values ---------------------------------------------------------------------------------- */

static bool is_character(const struct peat_field *field, const struct where_value *value)
{
	return value->quoted && value->bytes == 1 && field_type__of(field)->takes_characters;
}

/* False: resolver->err is set. */
static bool parse_number(struct where_resolver *resolver, const struct where_value *value,
			 struct field_number *number)
{
	int err;

	*number = (struct field_number){ 0 };
	if (is_character(resolver->place.field, value)) {
		number->magnitude = (unsigned char)value->text[0];
		return true;
	}
	err = sampled__parse(resolver->place.sampled, value->text, &number->magnitude);
	if (err < 0)
		return where_resolver__fail(resolver, value->begin, "\"%.60s\" is no cgroup",
					    value->text);
	if (err)
		return true;
	err = field_value__parse(resolver->place.field, value->text, number);
	if (err == -ERANGE)
		where_resolver__fail(resolver, value->begin, "\"%.60s\" has more than 64 bits",
				     value->text);
	else if (err)
		where_resolver__bad_value(resolver, value);
	return !err;
}

static uint64_t as_64_bits(const struct field_number *number)
{
	return number->negative ? -number->magnitude : number->magnitude;
}

/* The bits of the field that the test has a mask for. */
static bool parse_mask(struct where_resolver *resolver, uint64_t *mask)
{
	struct field_number number;

	*mask = mask_of(resolver->place.field);
	if (!resolver->node->mask)
		return true;
	if (!parse_number(resolver, resolver->node->mask, &number))
		return false;
	*mask &= as_64_bits(&number);
	return true;
}

/* ---- tests ----------------------------------------------------------------------------------- */

static bool is_plain(const struct where_place *place)
{
	const struct peat_field *field = place->field;

	return place->operand == WHERE_FIELD && !place->array && !field->length && !field->bits &&
	       field->place == PEAT_PLACE_OFFSET && !field->big_endian;
}

static struct where_test *number_test(struct where_resolver *resolver, enum where_op op,
				      uint64_t mask, uint64_t value)
{
	struct where_test *test = where_resolver__test(resolver, op);

	if (!test)
		return NULL;
	test->mask = mask;
	test->value = value;
	if (is_plain(&resolver->place))
		test->plain_bytes = (uint8_t)resolver->place.field->bytes;
	return test;
}

static struct where_test *is_set(struct where_resolver *resolver)
{
	uint64_t mask;

	if (!parse_mask(resolver, &mask))
		return NULL;
	if (!mask)
		return where_resolver__constant(resolver, false);
	return number_test(resolver, WHERE_ANY_BIT, mask, 0);
}

/* Any number but 0 is true. */
static struct where_test *equal_bool(struct where_resolver *resolver, bool value)
{
	struct where_test *test =
		number_test(resolver, WHERE_EQUAL, mask_of(resolver->place.field), 0);

	return value ? where_resolver__not(resolver, test) : test;
}

/* Under a mask, the sign is a bit as others. */
static bool can_equal(const struct where_resolver *resolver, const struct field_number *number)
{
	const struct peat_field *field = resolver->place.field;
	uint32_t bits = bits_of(field);

	return field_value__fits(number, bits, field->is_signed) ||
	       (resolver->node->mask && field_value__fits(number, bits, !field->is_signed));
}

static struct where_test *equal(struct where_resolver *resolver, const struct where_value *value)
{
	const struct peat_field *field = resolver->place.field;
	struct field_number number;
	uint64_t mask, bits;

	if (!parse_mask(resolver, &mask) || !parse_number(resolver, value, &number))
		return NULL;
	if (field_type__of(field)->is_truth && !resolver->node->mask)
		return equal_bool(resolver, number.magnitude);
	bits = as_64_bits(&number) & mask_of(field);
	if (!can_equal(resolver, &number) || bits & ~mask)
		return where_resolver__constant(resolver, false);
	if (!mask)
		return where_resolver__constant(resolver, true);
	return number_test(resolver, WHERE_EQUAL, mask, bits);
}

static uint64_t largest(const struct peat_field *field)
{
	return mask_of(field) >> field->is_signed;
}

static struct where_test *less(struct where_resolver *resolver, const struct where_value *value,
			       bool or_equal)
{
	const struct peat_field *field = resolver->place.field;
	struct field_number number;

	if (field_type__of(field)->is_truth)
		return where_resolver__fail(
			resolver, resolver->node->begin,
			"%s has no order: compare it by == or !=", resolver->node->path);
	if (!parse_number(resolver, value, &number))
		return NULL;
	if (!field_value__fits(&number, bits_of(field), field->is_signed))
		return where_resolver__constant(resolver, !number.negative);
	if (or_equal && !number.negative && number.magnitude == largest(field))
		return where_resolver__constant(resolver, true);
	return number_test(resolver, WHERE_LESS, mask_of(field), as_64_bits(&number) + or_equal);
}

const struct where_class where_numbers = {
	.is_set = is_set, .equal = equal, .less = less, .has_masks = true
};

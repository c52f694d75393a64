// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* where/bytes.c: tests of addresses and arrays of bytes. */
#include <string.h>

#include "field/field_value.h"
#include "field/fields.h"
#include "where/resolve.h"

_Static_assert(WHERE_BYTES_MAX == FIELD_VALUE_BYTES_MAX, "a test has all bytes of a value");

/* ---- values ---------------------------------------------------------------------------------- */

static bool parse_bytes(struct where_resolver *resolver, const struct where_value *value,
			struct field_bytes *bytes)
{
	const struct peat_field *field = resolver->place.field;

	if (!field_value__parse_bytes(field, value->text, bytes)) {
		where_resolver__bad_value(resolver, value);
		return false;
	}
	if (where_place__varies(field) || bytes->count == field->bytes)
		return true;
	where_resolver__fail(resolver, value->begin, "%s has %u bytes, the value has %u",
			     resolver->node->path, field->bytes, bytes->count);
	return false;
}

/* ---- tests ----------------------------------------------------------------------------------- */

static struct where_test *bytes_test(struct where_resolver *resolver,
				     const struct field_bytes *value)
{
	struct where_test *test = where_resolver__test(resolver, WHERE_BYTES_EQUAL);

	if (!test)
		return NULL;
	test->byte_count = value->count;
	for (uint32_t i = 0; i < value->count; i++) {
		test->byte_mask[i] = value->mask[i];
		test->bytes[i] = value->bytes[i] & value->mask[i];
	}
	return test;
}

/* The mask of the test becomes the mask of the value.  False: it has bits outside of the mask. */
static bool apply_mask(const struct field_bytes *mask, struct field_bytes *value)
{
	bool is_inside = mask->count == value->count;

	for (uint32_t i = 0; i < value->count; i++) {
		uint8_t bits = mask->bytes[i] & mask->mask[i];

		is_inside &= !(value->bytes[i] & value->mask[i] & ~bits);
		value->mask[i] &= bits;
	}
	return is_inside;
}

static struct where_test *is_set(struct where_resolver *resolver)
{
	const struct where_node *node = resolver->node;
	const struct peat_field *field = resolver->place.field;
	struct field_bytes value = { .count = field->bytes };

	if (where_place__varies(field) || field->bytes > WHERE_BYTES_MAX)
		return where_resolver__fail(resolver, node->begin,
					    "%s has more than %d bytes, or any number: compare it "
					    "with bytes in hexadecimal",
					    node->path, WHERE_BYTES_MAX);
	memset(value.mask, 0xff, sizeof(value.mask));
	if (node->mask) {
		if (!parse_bytes(resolver, node->mask, &value))
			return NULL;
		for (uint32_t i = 0; i < value.count; i++)
			value.mask[i] &= value.bytes[i];
		memset(value.bytes, 0, sizeof(value.bytes));
	}
	return where_resolver__not(resolver, bytes_test(resolver, &value));
}

static struct where_test *equal(struct where_resolver *resolver, const struct where_value *literal)
{
	struct field_bytes value, mask;

	if (!parse_bytes(resolver, literal, &value))
		return NULL;
	if (!resolver->node->mask)
		return bytes_test(resolver, &value);
	if (!parse_bytes(resolver, resolver->node->mask, &mask))
		return NULL;
	if (!apply_mask(&mask, &value))
		return where_resolver__constant(resolver, false);
	return bytes_test(resolver, &value);
}

const struct where_class where_bytes = { .is_set = is_set, .equal = equal, .has_masks = true };

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* where/texts.c: tests of text. */
#include "field/several_strings.h"
#include "where/resolve.h"

/* See field/several_strings.h for those that do not. */
static bool ends_at_nul(const struct where_place *place)
{
	const struct peat_field *field = place->field;

	return place->operand == WHERE_FIELD &&
	       field_type__of(field)->strings == FIELD_ONE_STRING && !place->array &&
	       field->place == PEAT_PLACE_OFFSET && !several_strings__has_length(field);
}

static struct where_test *text_test(struct where_resolver *resolver, enum where_op op,
				    const char *text, uint32_t bytes)
{
	struct where_test *test = where_resolver__test(resolver, op);

	if (!test)
		return NULL;
	test->text = text;
	test->text_bytes = bytes;
	test->ends_at_nul = ends_at_nul(&resolver->place);
	return test;
}

/* Two fields are not compared, so a word that names a field is probably a mistake. */
static bool is_field(const struct where_resolver *resolver, const struct where_value *value)
{
	struct where_place place;

	return !value->quoted &&
	       where_path__find(resolver->schema, value->text, &place) == WHERE_FOUND;
}

static struct where_test *from_value(struct where_resolver *resolver, enum where_op op,
				     const struct where_value *value)
{
	if (is_field(resolver, value))
		return where_resolver__fail(resolver, value->begin,
					    "fields cannot be compared with each other: write "
					    "\"%.60s\" for the text",
					    value->text);
	return text_test(resolver, op, value->text, value->bytes);
}

static struct where_test *is_set(struct where_resolver *resolver)
{
	return where_resolver__not(resolver, text_test(resolver, WHERE_TEXT_EQUAL, "", 0));
}

static struct where_test *equal(struct where_resolver *resolver, const struct where_value *value)
{
	return from_value(resolver, WHERE_TEXT_EQUAL, value);
}

static struct where_test *glob(struct where_resolver *resolver, const struct where_value *value)
{
	return from_value(resolver, value->glob, value);
}

const struct where_class where_texts = { .is_set = is_set, .equal = equal, .glob = glob };

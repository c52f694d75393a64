// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* where/floats.c: tests of floating-point numbers. */
#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "where/resolve.h"

/* In the C locale.  -EINVAL: not a decimal number. */
static int parse_decimal(const char *text, double *number)
{
	const char *digits = text + (*text == '-' || *text == '+');
	locale_t locale;
	char *end;

	if (!isdigit((unsigned char)*digits) || text[strspn(text, "+-0123456789.eE")])
		return -EINVAL;
	locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	if (!locale)
		return -ENOMEM;
	*number = strtod_l(text, &end, locale);
	freelocale(locale);
	return *end ? -EINVAL : 0;
}

/* A field of 4 bytes has the nearest number of 4 bytes. */
static bool parse_float(struct where_resolver *resolver, const struct where_value *value,
			double *number)
{
	int err = parse_decimal(value->text, number);

	if (err == -EINVAL)
		where_resolver__bad_value(resolver, value);
	resolver->err = err;
	if (resolver->place.field->bytes == sizeof(float))
		*number = (double)(float)*number;
	return !err;
}

static struct where_test *float_test(struct where_resolver *resolver, enum where_op op,
				     double number)
{
	struct where_test *test = where_resolver__test(resolver, op);

	if (test)
		memcpy(&test->value, &number, sizeof(number));
	return test;
}

static struct where_test *is_set(struct where_resolver *resolver)
{
	return where_resolver__not(resolver, float_test(resolver, WHERE_FLOAT_EQUAL, 0));
}

static struct where_test *equal(struct where_resolver *resolver, const struct where_value *value)
{
	double number;

	if (!parse_float(resolver, value, &number))
		return NULL;
	return float_test(resolver, WHERE_FLOAT_EQUAL, number);
}

static struct where_test *less(struct where_resolver *resolver, const struct where_value *value,
			       bool or_equal)
{
	struct where_test *test;
	double number;

	if (!parse_float(resolver, value, &number))
		return NULL;
	test = float_test(resolver, WHERE_FLOAT_LESS, number);
	if (!or_equal)
		return test;
	return where_resolver__or(resolver, test, float_test(resolver, WHERE_FLOAT_EQUAL, number));
}

const struct where_class where_floats = { .is_set = is_set, .equal = equal, .less = less };

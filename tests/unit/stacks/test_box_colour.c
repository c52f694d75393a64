// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_box_colour.c: colours that differ, and on which black text can be read. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "stacks/box_colour.h"
#include "unit/suite.h"

/* The contrast of black text on the colour, as in WCAG 2: at least 7 for small text. */
static double contrast(struct box_colour colour)
{
	static const double shares[] = { 0.2126, 0.7152, 0.0722 };
	double light = 0;

	for (int i = 0; i < 3; i++) {
		double part = colour.rgb[i] / 255.0;

		light += shares[i] *
			 (part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4));
	}
	return (light + 0.05) / 0.05;
}

START_TEST(test_text_contrasts_with_boxes)
{
	char name[20];

	for (int kind = MERGED_TASK; kind <= MERGED_OTHER; kind++)
		for (int i = 0; i < 1000; i++) {
			snprintf(name, sizeof(name), "f%d", i);
			ck_assert(contrast(box_colour__of((enum merged_kind)kind, name)) > 7);
		}
}
END_TEST

START_TEST(test_shades_depend_on_names)
{
	struct box_colour one = box_colour__of(MERGED_USER, "read");
	struct box_colour two = box_colour__of(MERGED_USER, "write");
	struct box_colour same = box_colour__of(MERGED_USER, "read");

	ck_assert_mem_eq(&one, &same, sizeof(one));
	ck_assert_mem_ne(&one, &two, sizeof(one));
	ck_assert_uint_gt(one.rgb[0], one.rgb[2]); /* programs are red to yellow, */
	one = box_colour__of(MERGED_KERNEL, "read");
	ck_assert_uint_lt(one.rgb[0], one.rgb[2]); /* the kernel is blue */
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_text_contrasts_with_boxes);
	tcase_add_test(tests, test_shades_depend_on_names);
}

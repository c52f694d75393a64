// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_field_value.c: values parsed by the kind of their field. */
#include <errno.h>
#include <stdio.h>

#include "field/field_value.h"
#include "unit/suite.h"

static const struct peat_name colors[] = { { 1, "RED" }, { 2, "GREEN" }, { (uint64_t)-7, "BLUE" } };
static const struct peat_name modes[] = { { 0, "O_RDONLY" }, { 64, "O_CREAT" }, { 128, "O_EXCL" } };

static int parse(enum peat_field_kind kind, const char *text, struct field_number *number)
{
	struct peat_field field = { .name = "x", .kind = kind, .span = 1, .bytes = 8 };

	field.is_signed = kind == PEAT_FIELD_ENUM;
	field.names = kind == PEAT_FIELD_ENUM ? colors : modes;
	field.name_count = kind == PEAT_FIELD_ENUM || kind == PEAT_FIELD_FLAGS ? 3 : 0;
	*number = (struct field_number){ 0 };
	return field_value__parse(&field, text, number);
}

static void check(enum peat_field_kind kind, const char *text, int64_t value)
{
	struct field_number number;
	int err = parse(kind, text, &number);

	ck_assert_msg(!err, "%s: %d", text, err);
	ck_assert_msg((int64_t)(number.negative ? -number.magnitude : number.magnitude) == value,
		      "%s: %llu", text, (unsigned long long)number.magnitude);
	ck_assert_msg(number.negative == (value < 0), "%s", text);
}

static void refuse(enum peat_field_kind kind, const char *text, int expected)
{
	struct field_number number;
	int err = parse(kind, text, &number);

	ck_assert_msg(err == expected, "%s: %d", text, err);
}

START_TEST(test_reads_numbers)
{
	check(PEAT_FIELD_UNSIGNED, "5", 5);
	check(PEAT_FIELD_SIGNED, "-5", -5);
	check(PEAT_FIELD_SIGNED, "+5", 5);
	check(PEAT_FIELD_HEX, "0x1f", 31);
	check(PEAT_FIELD_UNSIGNED, "010", 10);
	check(PEAT_FIELD_KADDR, "0XFF", 255);
	refuse(PEAT_FIELD_UNSIGNED, "", -EINVAL);
	refuse(PEAT_FIELD_UNSIGNED, "-", -EINVAL);
	refuse(PEAT_FIELD_UNSIGNED, "5x", -EINVAL);
	refuse(PEAT_FIELD_UNSIGNED, "0x", -EINVAL);
	refuse(PEAT_FIELD_UNSIGNED, " 5", -EINVAL);
	refuse(PEAT_FIELD_UNSIGNED, "18446744073709551616", -ERANGE);
	refuse(PEAT_FIELD_FLOAT, "1", -EOPNOTSUPP);
	refuse(PEAT_FIELD_STRING, "1", -EOPNOTSUPP);
}
END_TEST

START_TEST(test_reads_units)
{
	check(PEAT_FIELD_DURATION, "0", 0);
	check(PEAT_FIELD_DURATION, "7ns", 7);
	check(PEAT_FIELD_DURATION, "1.5us", 1500);
	check(PEAT_FIELD_DURATION, "5MS", 5000000);
	check(PEAT_FIELD_DURATION, "3202.964349001s", 3202964349001);
	check(PEAT_FIELD_DURATION, "2m", 120000000000);
	check(PEAT_FIELD_DURATION, "1h", 3600000000000);
	check(PEAT_FIELD_SIZE, "4096", 4096);
	check(PEAT_FIELD_SIZE, "64K", 65536);
	check(PEAT_FIELD_SIZE, "1.5MiB", 1572864);
	check(PEAT_FIELD_SIZE, "2gb", 2147483648);
	refuse(PEAT_FIELD_DURATION, "5", -EINVAL);
	refuse(PEAT_FIELD_DURATION, "5.s", -EINVAL);
	refuse(PEAT_FIELD_DURATION, "-5s", -EINVAL);
	refuse(PEAT_FIELD_DURATION, "5124096h", -ERANGE);
	refuse(PEAT_FIELD_SIZE, "4T", -EINVAL);
}
END_TEST

START_TEST(test_reads_names)
{
	check(PEAT_FIELD_BOOL, "true", 1);
	check(PEAT_FIELD_BOOL, "off", 0);
	check(PEAT_FIELD_ENUM, "GREEN", 2);
	check(PEAT_FIELD_ENUM, "BLUE", -7);
	check(PEAT_FIELD_ENUM, "5", 5);
	check(PEAT_FIELD_FLAGS, "O_CREAT|O_EXCL", 192);
	check(PEAT_FIELD_FLAGS, "O_RDONLY", 0);
	check(PEAT_FIELD_FLAGS, "0x40", 64);
	refuse(PEAT_FIELD_BOOL, "2", -EINVAL);
	refuse(PEAT_FIELD_ENUM, "GREE", -EINVAL);
	refuse(PEAT_FIELD_ENUM, "RED|GREEN", -EINVAL);
	refuse(PEAT_FIELD_FLAGS, "O_CREAT|", -EINVAL);
	refuse(PEAT_FIELD_FLAGS, "|O_CREAT", -EINVAL);
}
END_TEST

/* The names that are printed, and other names of the same numbers. */
START_TEST(test_errnos_and_signals)
{
	check(PEAT_FIELD_ERRNO, "ENOENT", -2);
	check(PEAT_FIELD_ERRNO, "-ENOENT", -2);
	check(PEAT_FIELD_ERRNO, "-2", -2);
	check(PEAT_FIELD_ERRNO, "3", 3);
	check(PEAT_FIELD_ERRNO, "EWOULDBLOCK", -EAGAIN);
	check(PEAT_FIELD_ERRNO, "ENOTSUP", -EOPNOTSUPP);
	check(PEAT_FIELD_ERRNO, "EOPNOTSUPP", -EOPNOTSUPP);
	check(PEAT_FIELD_ERRNO, "ERESTARTSYS", -512);
	check(PEAT_FIELD_SIGNAL, "SIGKILL", 9);
	check(PEAT_FIELD_SIGNAL, "9", 9);
	check(PEAT_FIELD_SIGNAL, "SIGRTMIN", 34);
	check(PEAT_FIELD_SIGNAL, "SIGRTMIN+2", 36);
	refuse(PEAT_FIELD_ERRNO, "ENOWHERE", -EINVAL);
	refuse(PEAT_FIELD_ERRNO, "-", -EINVAL);
	refuse(PEAT_FIELD_SIGNAL, "SIGNOT", -EINVAL);
	refuse(PEAT_FIELD_SIGNAL, "SIGRTMIN+31", -EINVAL);
	refuse(PEAT_FIELD_SIGNAL, "-SIGKILL", -EINVAL);
}
END_TEST

START_TEST(test_ranges_of_bits)
{
	static const struct {
		struct field_number number;
		uint32_t bits;
		bool is_signed, fits;
	} cases[] = {
		{ { 255, false }, 8, false, true },
		{ { 256, false }, 8, false, false },
		{ { 127, false }, 8, true, true },
		{ { 128, false }, 8, true, false },
		{ { 128, true }, 8, true, true },
		{ { 129, true }, 8, true, false },
		{ { 1, true }, 8, false, false },
		{ { 0, true }, 8, false, true },
		{ { 0, false }, 1, true, true },
		{ { 1, false }, 1, true, false },
		{ { 1, true }, 1, true, true },
		{ { UINT64_MAX, false }, 64, false, true },
		{ { INT64_MAX, false }, 64, true, true },
		{ { 1ULL << 63, true }, 64, true, true },
		{ { 1ULL << 63, false }, 64, true, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ck_assert_msg(field_value__fits(&cases[i].number, cases[i].bits,
						cases[i].is_signed) == cases[i].fits,
			      "case %zu", i);
}
END_TEST

START_TEST(test_forms_of_values)
{
	ck_assert_str_eq(field_value__form(PEAT_FIELD_UNSIGNED), "a number");
	ck_assert_str_eq(field_value__form(PEAT_FIELD_SIZE), "an amount such as 4096 or 64K");
	ck_assert_str_eq(field_value__form(PEAT_FIELD_ARRAY), "a number");
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_reads_numbers);
	tcase_add_test(tests, test_reads_units);
	tcase_add_test(tests, test_reads_names);
	tcase_add_test(tests, test_errnos_and_signals);
	tcase_add_test(tests, test_ranges_of_bits);
	tcase_add_test(tests, test_forms_of_values);
}

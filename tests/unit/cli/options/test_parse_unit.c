// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_parse_unit.c: times, sizes and counts as people type them. */
#include "support/machine/harness.h"
#include "unit/suite.h"
#include "cli/options/parse_unit.h"

static uint64_t ms(const char *text)
{
	uint64_t value;

	return parse_unit__time_ms(text, 1000, &value) ? value : UINT64_MAX;
}

static uint64_t bytes(const char *text)
{
	uint64_t value;

	return parse_unit__bytes(text, &value) ? value : UINT64_MAX;
}

START_TEST(test_parses_times)
{
	ck_assert_uint_eq(ms("6"), 6000);
	ck_assert_uint_eq(ms("0"), 0);
	ck_assert_uint_eq(ms("1.5s"), 1500);
	ck_assert_uint_eq(ms("250ms"), 250);
	ck_assert_uint_eq(ms("2m"), 120000);
	ck_assert_uint_eq(ms("1h"), 3600000);
	ck_assert_uint_eq(ms("0.0005"), 1);
	ck_assert_uint_eq(ms(".5"), 500);
}
END_TEST

START_TEST(test_parses_sizes)
{
	ck_assert_uint_eq(bytes("4096"), 4096);
	ck_assert_uint_eq(bytes("64K"), 65536);
	ck_assert_uint_eq(bytes("64kb"), 65536);
	ck_assert_uint_eq(bytes("1.5M"), 3 << 19);
	ck_assert_uint_eq(bytes("2GiB"), 2ULL << 30);
}
END_TEST

START_TEST(test_what_is_neither)
{
	static const char *const bad[] = {
		"",	".",	 ".s", "s",   "-1",  "+1",  " 1",  "1 s",  "1e3",
		"0x10", "1.2.3", "1q", "nan", "inf", "1ss", "1s ", "1e99", "99999999999999999999"
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		ck_assert_msg(ms(bad[i]) == UINT64_MAX, "time '%s' gave %llu", bad[i],
			      (unsigned long long)ms(bad[i]));
		ck_assert_msg(bytes(bad[i]) == UINT64_MAX, "size '%s' gave %llu", bad[i],
			      (unsigned long long)bytes(bad[i]));
	}
}
END_TEST

START_TEST(test_parses_exact_seconds)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} good[] = {
		{ "0", 0 },
		{ "3", 3000000000 },
		{ "3.", 3000000000 },
		{ "3202.964349", 3202964349000 },
		{ "18446744072.709551615", 18446744072709551615u },
	};
	static const char *const bad[] = { "",	 ".",	  ".5",		  "-1",
					   "1s", "1.2.3", "1.0123456789", "1e3",
					   "1 ", "0x10",  "18446744073" };
	uint64_t ns;

	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		ck_assert_msg(parse_unit__seconds_ns(good[i].text, &ns), "%s", good[i].text);
		ck_assert_uint_eq(ns, good[i].ns);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		ck_assert_msg(!parse_unit__seconds_ns(bad[i], &ns), "%s", bad[i]);
}
END_TEST

START_TEST(test_parses_values)
{
	static const struct {
		const char *text;
		int64_t value;
	} good[] = {
		{ "0", 0 },	    { "10", 10 },      { "-5", -5 },
		{ "1ms", 1000000 }, { "1.5us", 1500 }, { "2s", 2000000000 },
		{ "-1ns", -1 },	    { "4K", 4096 },    { "1m", 1 << 20 },
	};
	static const char *const bad[] = { "", "-", "x", "s", "--1", "1x", "1e3", "0x10" };
	int64_t value;

	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		ck_assert_msg(parse_unit__value(good[i].text, &value), "%s", good[i].text);
		ck_assert_int_eq(value, good[i].value);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		ck_assert_msg(!parse_unit__value(bad[i], &value), "%s", bad[i]);
}
END_TEST

START_TEST(test_parses_bounded_counts)
{
	uint64_t count;

	ck_assert(parse_unit__count("18446744073709551615", UINT64_MAX, &count) &&
		  count == UINT64_MAX);
	ck_assert(!parse_unit__count("18446744073709551616", UINT64_MAX, &count));
	ck_assert(parse_unit__count("10", 10, &count) && count == 10);
	ck_assert(!parse_unit__count("11", 10, &count));
	ck_assert(!parse_unit__count("", 10, &count));
	ck_assert(!parse_unit__count("-1", 10, &count));
	ck_assert(!parse_unit__count("1x", 10, &count));
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_parses_times);
	tcase_add_test(tests, test_parses_sizes);
	tcase_add_test(tests, test_what_is_neither);
	tcase_add_test(tests, test_parses_exact_seconds);
	tcase_add_test(tests, test_parses_values);
	tcase_add_test(tests, test_parses_bounded_counts);
}

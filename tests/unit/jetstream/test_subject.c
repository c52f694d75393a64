// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_subject.c: subjects of hosts and sources. */
#include "jetstream/subject.h"
#include "unit/suite.h"

static void check_subject(const char *pattern, const char *host, const char *source,
			  const char *wanted)
{
	struct strbuf out = { 0 };

	ck_assert_ptr_null(subject__find_fault(pattern));
	subject__append(&out, pattern, host, source);
	ck_assert_str_eq(out.bytes, wanted);
	strbuf__free(&out);
}

static void check_wildcards(const char *pattern, const char *wanted)
{
	struct strbuf out = { 0 };

	subject__append_wildcards(&out, pattern);
	ck_assert_str_eq(out.bytes, wanted);
	ck_assert(subject__covers(wanted, wanted));
	strbuf__free(&out);
}

START_TEST(test_names_become_parts)
{
	check_subject("peat.%h.%s", "n1", "exec", "peat.n1.exec");
	check_subject("peat.%h.%s", "n1.example.net", "a b>*", "peat.n1_example_net.a_b__");
	check_subject("%s-%h", "n1", "exec", "exec-n1");
	check_subject("peat", "n1", "exec", "peat");
	check_subject("%h", "m\xc3\xb6", "exec", "m\xc3\xb6");
}
END_TEST

START_TEST(test_wrong_patterns)
{
	static const char *const patterns[] = { "",	".peat",  "peat.", "a..b", "a b",
						"a.*",	">",	  "a.>",   "%",	   "%x",
						"100%", "$JS.%h", "a\n" };

	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++)
		ck_assert_msg(subject__find_fault(patterns[i]), "%s", patterns[i]);
}
END_TEST

START_TEST(test_wildcards_are_parts)
{
	check_wildcards("peat.%h.%s", "peat.*.*");
	check_wildcards("peat.x-%h.all", "peat.*.all");
	check_wildcards("%s", "*");
	check_wildcards("peat", "peat");
}
END_TEST

START_TEST(test_stream_covers_subject)
{
	ck_assert(subject__covers("peat.*.*", "peat.*.*"));
	ck_assert(subject__covers("peat.>", "peat.*.*"));
	ck_assert(subject__covers(">", "peat.*.*"));
	ck_assert(subject__covers("peat.*.*", "peat.*.exec"));
	ck_assert(!subject__covers("peat.*", "peat.*.*"));
	ck_assert(!subject__covers("peat.*.*", "peat.*"));
	ck_assert(!subject__covers("peat.n1.*", "peat.*.*"));
	ck_assert(!subject__covers("peat.>", "peat"));
	ck_assert(!subject__covers("peat.*", "peat.>"));
	ck_assert(!subject__covers("peat", "peats"));
	ck_assert(!subject__covers("", "peat"));
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_names_become_parts);
	tcase_add_test(tests, test_wrong_patterns);
	tcase_add_test(tests, test_wildcards_are_parts);
	tcase_add_test(tests, test_stream_covers_subject);
}

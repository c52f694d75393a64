// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_doctor_checks.c: checks that explain why a source does not start. */
#include "cli/doctor/doctor_checks.h"
#include "support/machine/harness.h"
#include "sys/caps.h"
#include "unit/suite.h"

static const struct doctor_checks checks = {
	.at = { { .name = "CAP_BPF", .state = PEAT_CHECK_OK },
		{ .name = "perf_event_paranoid", .state = PEAT_CHECK_LIMITED },
		{ .name = "seccomp", .state = PEAT_CHECK_MISSING },
		{ .name = "tracefs", .state = PEAT_CHECK_LIMITED } },
	.count = 4,
};

/* `numbers`: a bit for each check. */
static void check(const char *messages, unsigned numbers)
{
	for (size_t i = 0; i < checks.count; i++)
		ck_assert_msg(doctor_checks__explains(&checks, i, messages) == (numbers >> i & 1),
			      "%s: %s", checks.at[i].name, messages);
}

START_TEST(test_messages_name_checks)
{
	check(caps__reason(true, true, 3), 1 << 1);
	check(caps__reason(true, true, 2), 1 << 2);
	check("CAP_BPF or tracefs", 1 << 3);
	check("seccomp, tracefs", 1 << 2 | 1 << 3);
}
END_TEST

START_TEST(test_other_messages_have_missing_checks)
{
	check("", 1 << 2);
	check("unknown probe, CAP_BPF", 1 << 2);
}
END_TEST

START_TEST(test_limited_checks_are_not_missing)
{
	struct doctor_checks limited = checks;

	ck_assert(doctor_checks__any_missing(&limited));
	limited.at[2].state = PEAT_CHECK_LIMITED;
	ck_assert(!doctor_checks__any_missing(&limited));
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_messages_name_checks);
	tcase_add_test(tests, test_other_messages_have_missing_checks);
	tcase_add_test(tests, test_limited_checks_are_not_missing);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_caps.c: messages about the causes of an EPERM. */
#include <string.h>
#include <linux/capability.h>

#include "sys/caps.h"
#include "support/machine/harness.h"
#include "unit/suite.h"

static void check(bool bpf, bool perfmon, int paranoid, const char *said, const char *not_said)
{
	const char *reason = caps__reason(bpf, perfmon, paranoid);

	ck_assert_msg(strstr(reason, said), "'%s' does not say '%s'", reason, said);
	ck_assert_msg(!strstr(reason, not_said), "'%s' says '%s'", reason, not_said);
}

START_TEST(test_missing_capabilities_are_named)
{
	check(false, false, 2, "CAP_BPF and CAP_PERFMON are missing", "paranoid");
	check(false, true, 2, "CAP_BPF is missing", "CAP_PERFMON");
	check(true, false, 2, "CAP_PERFMON is missing", "CAP_BPF ");
	check(true, true, 3, "perf_event_paranoid=2", "missing");
	check(true, true, 2, "lockdown", "paranoid");
	check(true, true, -1, "seccomp", "paranoid");
}
END_TEST

START_TEST(test_admin_implies_two)
{
	if (caps__has_admin()) {
		ck_assert(caps__has(CAP_BPF));
		ck_assert(caps__has(CAP_PERFMON));
	}
	ck_assert_int_eq(caps__any_missing(), !caps__has(CAP_BPF) || !caps__has(CAP_PERFMON));
	ck_assert_int_eq(caps__has(CAP_SYS_ADMIN), caps__has_admin());
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_admin_implies_two);
	tcase_add_test(tests, test_missing_capabilities_are_named);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_cpu_messages.c: which of the kernel's messages are of a CPU. */
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "ring/hotplug.h"
#include "suites.h"

/* In memory of just that size, for the sanitizer. */
static int cpu_of(const char *bytes, size_t count)
{
	char *copy = malloc(count ? count : 1);
	int cpu;

	memcpy(copy, bytes, count);
	cpu = hotplug__cpu_of(copy, count);
	free(copy);
	return cpu;
}

static int text_is_of(const char *text)
{
	return cpu_of(text, strlen(text) + 1);
}

START_TEST(test_messages_of_cpus)
{
	static const char whole[] = "offline@/devices/system/cpu/cpu3\0ACTION=offline\0"
				    "DEVPATH=/devices/system/cpu/cpu3\0SUBSYSTEM=cpu";

	ck_assert_int_eq(cpu_of(whole, sizeof(whole)), 3);
	ck_assert_int_eq(text_is_of("online@/devices/system/cpu/cpu0"), 0);
	ck_assert_int_eq(text_is_of("online@/devices/system/cpu/cpu8191"), 8191);
	ck_assert_int_eq(text_is_of("add@/devices/system/cpu/cpu12"), 12);
}
END_TEST

START_TEST(test_messages_of_others)
{
	ck_assert_int_eq(text_is_of("online@/devices/system/memory/memory3"), -1);
	ck_assert_int_eq(text_is_of("add@/devices/system/cpu/cpufreq"), -1);
	ck_assert_int_eq(text_is_of("add@/devices/system/cpu/cpu"), -1);
	ck_assert_int_eq(text_is_of("add@/devices/virtual/net/x/devices/system/cpu/cpu3"), -1);
	ck_assert_int_eq(text_is_of("/devices/system/cpu/cpu3"), -1);
	ck_assert_int_eq(text_is_of("libudev"), -1);
	ck_assert_int_eq(text_is_of(""), -1);
	ck_assert_int_eq(cpu_of("", 0), -1);
	ck_assert_int_eq(cpu_of("@", 1), -1);
	ck_assert_int_eq(text_is_of("online@/devices/system/cpu/cpu99999999999999999999"), -1);
}
END_TEST

/* Cut anywhere, it is one from the first digit on; with any byte changed, nothing breaks. */
START_TEST(test_cut_and_changed_messages)
{
	char message[] = "offline@/devices/system/cpu/cpu31";
	size_t digit = strlen(message) - 2;

	for (size_t bytes = 0; bytes <= strlen(message); bytes++)
		ck_assert_int_eq(cpu_of(message, bytes) >= 0, bytes > digit);
	for (size_t i = 0; i < digit; i++)
		for (int byte = 0; byte < 256; byte++) {
			char whole = message[i];

			message[i] = (char)byte;
			if (i >= strlen("offline") && message[i] != whole)
				ck_assert_int_eq(cpu_of(message, strlen("offline@") + 25), -1);
			message[i] = whole;
		}
}
END_TEST

Suite *cpu_messages_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("cpu_messages", 10, &tests);

	tcase_add_test(tests, test_messages_of_cpus);
	tcase_add_test(tests, test_messages_of_others);
	tcase_add_test(tests, test_cut_and_changed_messages);
	return suite;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_modifiers.c: the letters after events and groups. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "pmu/modifiers.h"
#include "unit/suite.h"

/* The bits of an event, as letters: excluded user, kernel, hypervisor, guest, host and idle. */
static const char *bits(const struct pmu_event *event)
{
	const struct perf_event_attr *attr = &event->attr;
	static char text[64];

	snprintf(text, sizeof(text), "%s%s%s%s%s%s%s%s%s%s%s%d", attr->exclude_user ? "u" : "",
		 attr->exclude_kernel ? "k" : "", attr->exclude_hv ? "h" : "",
		 attr->exclude_guest ? "G" : "", attr->exclude_host ? "H" : "",
		 attr->exclude_idle ? "I" : "", attr->pinned ? "D" : "", attr->exclusive ? "e" : "",
		 event->is_precise_max ? "P" : "", event->is_read_by_leader ? "S" : "",
		 event->is_weak ? "W" : "", attr->precise_ip);
	return text;
}

static const char *set(const char *letters)
{
	struct pmu_event event = { 0 };

	pmu_modifiers__set(&event, letters, strlen(letters));
	return bits(&event);
}

/* As stock perf sets them. */
START_TEST(test_sets_bits)
{
	ck_assert_str_eq(set("u"), "kh0");
	ck_assert_str_eq(set("k"), "uh0");
	ck_assert_str_eq(set("h"), "uk0");
	ck_assert_str_eq(set("uk"), "h0");
	ck_assert_str_eq(set("ukh"), "0");
	ck_assert_str_eq(set("G"), "H0");
	ck_assert_str_eq(set("H"), "G0");
	ck_assert_str_eq(set("GH"), "0");
	ck_assert_str_eq(set("uG"), "khH0");
	ck_assert_str_eq(set("pp"), "2");
	ck_assert_str_eq(set("ppp"), "3");
	ck_assert_str_eq(set("IDe"), "IDe0");
	ck_assert_str_eq(set("PSW"), "PSW0");
}
END_TEST

START_TEST(test_adds_to_bits)
{
	struct pmu_event event = { .is_leader = true };

	pmu_modifiers__set(&event, "u", 1);
	ck_assert_int_eq(pmu_modifiers__add(&event, "kpD", 3), 0);
	ck_assert_str_eq(bits(&event), "hD1");
	ck_assert_int_eq(pmu_modifiers__add(&event, "pp", 2), 0);
	ck_assert_int_eq(pmu_modifiers__add(&event, "p", 1), -EINVAL);
	event = (struct pmu_event){ .is_leader = false };
	ck_assert_int_eq(pmu_modifiers__add(&event, "De", 2), 0);
	ck_assert_str_eq(bits(&event), "0");
	ck_assert_int_eq(pmu_modifiers__add(&event, "H", 1), 0);
	ck_assert_str_eq(bits(&event), "G0");
	ck_assert_int_eq(pmu_modifiers__add(&event, "G", 1), 0);
	ck_assert_str_eq(bits(&event), "0");
}
END_TEST

static const char *check(const char *letters, uint32_t *at)
{
	const char *why = pmu_modifiers__check(letters, strlen(letters), at);

	return why ? why : "fine";
}

START_TEST(test_checks_modifiers)
{
	uint32_t at;

	ck_assert_str_eq(check("ukhGHIpppPSDeW", &at), "fine");
	ck_assert(strstr(check("ux", &at), "no such modifier"));
	ck_assert_uint_eq(at, 1);
	ck_assert(strstr(check("uku", &at), "given twice"));
	ck_assert_uint_eq(at, 2);
	ck_assert(strstr(check("pppp", &at), ":ppp"));
	ck_assert_uint_eq(at, 3);
	ck_assert(strstr(check("b", &at), "BPF"));
	ck_assert(strstr(check("", &at), "missing"));
}
END_TEST

START_TEST(test_may_be)
{
	ck_assert(pmu_modifiers__may_be("hup", 3));
	ck_assert(!pmu_modifiers__may_be("sched_switch", 12));
	ck_assert(!pmu_modifiers__may_be("hub", 3));
	ck_assert(!pmu_modifiers__may_be("", 0));
	ck_assert(!pmu_modifiers__may_be("u\0k", 3));
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_sets_bits);
	tcase_add_test(tests, test_adds_to_bits);
	tcase_add_test(tests, test_checks_modifiers);
	tcase_add_test(tests, test_may_be);
}

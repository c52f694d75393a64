// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_sysfs.c: PMUs as sysfs describes them. */
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "pmu/sysfs.h"
#include "support/machine/process.h"
#include "unit/pmu/pmu_tree.h"
#include "unit/suite.h"

START_TEST(test_formats_spread_bits)
{
	struct pmu_format format = { 0 };
	uint64_t word = 0xff00;

	ck_assert_int_eq(pmu_format__parse(&format, "config:0-7,32-35"), 0);
	ck_assert_uint_eq(format.word, 0);
	ck_assert_uint_eq(format.bits, 0xf000000ffULL);
	ck_assert_uint_eq(pmu_format__max(&format), 0xfff);
	pmu_format__store(&format, 0x53c, &word);
	ck_assert_uint_eq(word, 0x50000ff3cULL);
	pmu_format__store(&format, 0x1, &word);
	ck_assert_uint_eq(word, 0xff01);
	ck_assert_int_eq(pmu_format__parse(&format, "config1:0-63"), 0);
	ck_assert_uint_eq(format.word, 1);
	ck_assert_uint_eq(pmu_format__max(&format), UINT64_MAX);
	ck_assert_int_eq(pmu_format__parse(&format, "config:63"), 0);
	ck_assert_uint_eq(format.bits, 1ULL << 63);
	ck_assert_uint_eq(pmu_format__max(&format), 1);
}
END_TEST

START_TEST(test_wrong_formats)
{
	static const char *const wrong[] = {
		"",	     "config",	  "config:",  "config:64", "config:3-1",
		"config:1-", "config:1,", "config:x", "config:1 ", "config10:1",
		"confi:1",   "config0:1", "bits:1",   "config:-1", "config:0-99999999999"
	};
	struct pmu_format format;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		ck_assert_msg(pmu_format__parse(&format, wrong[i]) == -EINVAL, "%s", wrong[i]);
}
END_TEST

START_TEST(test_reads_core_and_uncore)
{
	int tree = pmu_tree__server();
	struct pmu pmu;

	ck_assert_int_eq(pmu__read(&pmu, tree, "cpu"), 0);
	ck_assert_uint_eq(pmu.type, 4);
	ck_assert(pmu.is_core && !pmu.is_system_wide && !pmu.cpus.limit);
	ck_assert_ptr_nonnull(pmu__find_format(&pmu, "umask", 5));
	ck_assert_ptr_null(pmu__find_format(&pmu, "umas", 4));
	ck_assert_ptr_nonnull(pmu__find_format(&pmu, "newer", 5));
	/* A format that this version does not know is no reason to refuse the PMU. */
	ck_assert_ptr_null(pmu__find_format(&pmu, "strange", 7));
	pmu__free(&pmu);
	ck_assert_int_eq(pmu__read(&pmu, tree, "uncore_imc_1"), 0);
	ck_assert(!pmu.is_core && pmu.is_system_wide);
	ck_assert(cpus__has(&pmu.cpus, 1) && cpus__count(&pmu.cpus) == 1);
	pmu__free(&pmu);
	pmu_tree__free(tree);
}
END_TEST

START_TEST(test_some_cpus)
{
	int tree = pmu_tree__hybrid();
	struct pmu pmu;

	ck_assert_int_eq(pmu__read(&pmu, tree, "cpu_atom"), 0);
	ck_assert(pmu.is_core && !pmu.is_system_wide);
	ck_assert(cpus__has(&pmu.cpus, 40002) && cpus__count(&pmu.cpus) == 2);
	pmu__free(&pmu);
	/* All CPUs of the machine, and more. */
	pmu_tree__add(tree, "cpu_atom/cpus", "0-8191\n");
	ck_assert_int_eq(pmu__read(&pmu, tree, "cpu_atom"), 0);
	ck_assert(pmu.is_core && !pmu.cpus.limit);
	pmu__free(&pmu);
	pmu_tree__free(tree);
}
END_TEST

START_TEST(test_reads_aliases)
{
	int tree = pmu_tree__server();
	struct pmu_alias alias;
	struct pmu pmu;

	ck_assert_int_eq(pmu__read(&pmu, tree, "power"), 0);
	ck_assert_int_eq(pmu__read_alias(&pmu, &alias, "energy-pkg"), 0);
	ck_assert_str_eq(alias.terms, "event=0x02");
	ck_assert_str_eq(alias.unit, "Joules");
	ck_assert(alias.scale == 2.3283064365386962890625e-10);
	pmu_alias__free(&alias);
	ck_assert_int_eq(pmu__read_alias(&pmu, &alias, "energy-pkg.unit"), -ENOENT);
	ck_assert_int_eq(pmu__read_alias(&pmu, &alias, "../type"), -ENOENT);
	ck_assert_int_eq(pmu__read_alias(&pmu, &alias, ""), -ENOENT);
	ck_assert_int_eq(pmu__read_alias(&pmu, &alias, "none"), -ENOENT);
	pmu__free(&pmu);
	ck_assert_int_eq(pmu__read(&pmu, tree, "cpu"), 0);
	ck_assert_int_eq(pmu__read_alias(&pmu, &alias, "slots"), 0);
	ck_assert_ptr_null(alias.unit);
	ck_assert(alias.scale == 1);
	pmu_alias__free(&alias);
	pmu__free(&pmu);
	pmu_tree__free(tree);
}
END_TEST

/* A program of ours may have a locale with another decimal point. */
START_TEST(test_reads_scale_in_any_locale)
{
	int tree = pmu_tree__server();
	struct pmu_alias alias;
	struct pmu pmu;

	if (!setlocale(LC_NUMERIC, "de_DE.UTF-8"))
		setlocale(LC_NUMERIC, "C.UTF-8");
	ck_assert_int_eq(pmu__read(&pmu, tree, "power"), 0);
	ck_assert_int_eq(pmu__read_alias(&pmu, &alias, "energy-pkg"), 0);
	ck_assert(alias.scale < 1e-9);
	pmu_alias__free(&alias);
	pmu__free(&pmu);
	pmu_tree__free(tree);
}
END_TEST

static void check_bad(int tree, const char *path, const char *text, const char *pmu_name)
{
	char alias_name[] = "event";
	struct pmu_alias alias;
	struct pmu pmu;
	int err;

	pmu_tree__add(tree, path, text);
	pmu_tree__message();
	err = pmu__read(&pmu, tree, pmu_name);
	if (!err) {
		err = pmu__read_alias(&pmu, &alias, alias_name);
		pmu__free(&pmu);
	}
	ck_assert_msg(err == -EBADMSG || err == -E2BIG, "%s: %d", path, err);
	ck_assert_msg(strstr(pmu_tree__message(), pmu_name), "%s", path);
}

START_TEST(test_bad_files)
{
	static char large[8192];
	int tree = pmu_tree__new();
	unsigned fds = process__count_fds();

	memset(large, '1', sizeof(large) - 1);
	pmu_tree__catch();
	check_bad(tree, "a/type", "4x\n", "a");
	check_bad(tree, "b/type", "-4\n", "b");
	check_bad(tree, "c/type", "4294967296\n", "c");
	check_bad(tree, "d/type", large, "d");
	check_bad(tree, "e/type", "", "e");
	pmu_tree__add(tree, "f/type", "4\n");
	check_bad(tree, "f/cpumask", "all\n", "f");
	pmu_tree__add(tree, "g/type", "4\n");
	check_bad(tree, "g/format/event", large, "g");
	pmu_tree__add(tree, "h/type", "4\n");
	pmu_tree__add(tree, "h/events/event", "event=1\n");
	check_bad(tree, "h/events/event.scale", "much\n", "h");
	check_bad(tree, "h/events/event.scale", "-1\n", "h");
	check_bad(tree, "h/events/event.scale", "inf\n", "h");
	check_bad(tree, "h/events/event.scale", "1,5\n", "h");
	ck_assert_uint_eq(process__count_fds(), fds);
	pmu_tree__free(tree);
}
END_TEST

START_TEST(test_no_pmu)
{
	int tree = pmu_tree__server();
	struct pmu pmu;

	pmu_tree__add(tree, "file", "");
	ck_assert_int_eq(pmu__read(&pmu, tree, "none"), -ENOENT);
	ck_assert_int_eq(pmu__read(&pmu, tree, "file"), -ENOENT);
	ck_assert_int_eq(pmu__read(&pmu, tree, ""), -ENOENT);
	ck_assert_int_eq(pmu__read(&pmu, tree, ".."), -ENOENT);
	ck_assert_int_eq(pmu__read(&pmu, tree, "cpu/format"), -ENOENT);
	pmu__free(&pmu);
	pmu_tree__free(tree);
}
END_TEST

START_TEST(test_matches_pmu_names)
{
	ck_assert(pmu__matches("uncore_imc_0", "uncore_imc_0"));
	ck_assert(pmu__matches("uncore_imc_0", "uncore_imc"));
	ck_assert(pmu__matches("uncore_imc_0", "imc"));
	ck_assert(pmu__matches("uncore_imc_0", "*imc*"));
	ck_assert(pmu__matches("uncore_imc_0", "imc_[01]"));
	ck_assert(pmu__matches("cpu_core", "cpu"));
	ck_assert(!pmu__matches("uncore_imc_0", "mc"));
	ck_assert(!pmu__matches("cpu", "cpu_core"));
	ck_assert(!pmu__matches("power", "imc"));
}
END_TEST

START_TEST(test_knows_parts_of_aliases)
{
	ck_assert(pmu_alias__is_part("energy-pkg.unit"));
	ck_assert(pmu_alias__is_part("a.per-pkg"));
	ck_assert(pmu_alias__is_part("a.snapshot"));
	ck_assert(!pmu_alias__is_part("energy-pkg"));
	ck_assert(!pmu_alias__is_part(".unit"));
	ck_assert(!pmu_alias__is_part("l3.unit.hits"));
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_formats_spread_bits);
	tcase_add_test(tests, test_wrong_formats);
	tcase_add_test(tests, test_reads_core_and_uncore);
	tcase_add_test(tests, test_some_cpus);
	tcase_add_test(tests, test_reads_aliases);
	tcase_add_test(tests, test_reads_scale_in_any_locale);
	tcase_add_test(tests, test_bad_files);
	tcase_add_test(tests, test_no_pmu);
	tcase_add_test(tests, test_matches_pmu_names);
	tcase_add_test(tests, test_knows_parts_of_aliases);
}

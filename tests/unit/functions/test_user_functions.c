// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_user_functions.c: functions of made files, of the C library, and of this program. */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf/function_offset.h"
#include "functions/user_functions.h"

#include "support/machine/process.h"
#include "support/symbols/damaged_elf.h"
#include "support/symbols/made_elf.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define VADDR	     0x400000
#define FUNCTION(name, offset, binding)                                                            \
	{                                                                                          \
		name, VADDR + (offset), 8, binding, STT_FUNC, 0, 0                                 \
	}

static const struct made_symbol functions[] = {
	FUNCTION("plain", 0x1100, STB_GLOBAL),
	FUNCTION("plainer", 0x1110, STB_LOCAL),
	FUNCTION("versioned@@V_2", 0x1120, STB_GLOBAL),
	FUNCTION("__alias", 0x1130, STB_GLOBAL),
	FUNCTION("alias", 0x1130, STB_WEAK),
	FUNCTION("two", 0x1140, STB_LOCAL),
	FUNCTION("two", 0x1150, STB_LOCAL),
	FUNCTION("plain.cold", 0x1160, STB_LOCAL),
	FUNCTION("plain.part.0", 0x1170, STB_LOCAL),
	FUNCTION("main.main", 0x1180, STB_GLOBAL),
	FUNCTION("_ZN2ns1fEi", 0x1200, STB_GLOBAL),
	FUNCTION("_ZN2ns1fEl", 0x1210, STB_GLOBAL),
	FUNCTION("_ZN2ns1fEi.cold", 0x1220, STB_LOCAL),
	FUNCTION("_ZN2ns1gEv", 0x1230, STB_GLOBAL),
	FUNCTION("_ZN2nsmlEii", 0x1240, STB_GLOBAL),
	FUNCTION("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", 0x1250, STB_GLOBAL),
	FUNCTION("outside", 0x1fff1000, STB_GLOBAL),
	FUNCTION("not_in_the_file", 0x2000, STB_GLOBAL),
	{ "chosen", VADDR + 0x1300, 8, STB_GLOBAL, STT_GNU_IFUNC, 0, 0 },
	{ "data", VADDR + 0x1310, 8, STB_GLOBAL, STT_OBJECT, 0, 0 },
};

static const struct made_symbol dynamic[] = {
	FUNCTION("plain", 0x1100, STB_GLOBAL),
	FUNCTION("exported", 0x1400, STB_GLOBAL),
	{ "chosen", VADDR + 0x1300, 8, STB_GLOBAL, STT_GNU_IFUNC, 0, 0 },
};

static struct made_elf made_functions(void)
{
	struct made_elf made = made_elf__own();

	made.vaddr = VADDR;
	made.memory_bytes = 0x4000;
	made.symbols = functions;
	made.symbols_count = COUNT(functions);
	made.dynamic = dynamic;
	made.dynamic_count = COUNT(dynamic);
	return made;
}

static const char *path_of(int fd)
{
	static char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return path;
}

static const char *made_path(void)
{
	struct made_elf made = made_functions();

	return path_of(made_elf__fd(&made));
}

struct wanted {
	const char *name;
	uint64_t place;
};

static void check(const char *path, const char *pattern, const struct wanted *wanted,
		  size_t left_out)
{
	struct found_functions found = { 0 };
	int err = user_functions__find(&found, path, pattern);
	size_t count = 0;

	ck_assert_msg(err == (wanted->name ? 0 : -ENOENT), "%s: %s", pattern, strerror(-err));
	for (; wanted[count].name; count++) {
		ck_assert_msg(count < found.count, "%s: %s", pattern, wanted[count].name);
		ck_assert_str_eq(found.at[count].name, wanted[count].name);
		ck_assert_uint_eq(found.at[count].place, wanted[count].place);
		ck_assert_ptr_null(found.at[count].module);
	}
	ck_assert_uint_eq(found.count, count);
	ck_assert_uint_eq(found.left_out, left_out);
	found_functions__free(&found);
}

static const struct wanted none[] = { { 0 } };

static void check_one(const char *path, const char *pattern, const char *name, uint64_t place)
{
	const struct wanted wanted[] = { { name, place }, { 0 } };

	check(path, pattern, wanted, 0);
}

static void check_fails(const char *path, const char *pattern, int wanted)
{
	struct found_functions found = { 0 };

	ck_assert_int_eq(user_functions__find(&found, path, pattern), wanted);
	ck_assert_uint_eq(found.count, 0);
	found_functions__free(&found);
}

START_TEST(test_finds_functions_by_name)
{
	static const struct wanted two[] = { { "two", 0x1140 }, { "two", 0x1150 }, { 0 } };
	static const struct wanted plains[] = { { "plain", 0x1100 }, { "plainer", 0x1110 }, { 0 } };
	const char *path = made_path();

	check_one(path, "plain", "plain", 0x1100);
	check_one(path, "plainer", "plainer", 0x1110);
	check_one(path, "versioned", "versioned", 0x1120);
	check_one(path, "exported", "exported", 0x1400);
	check_one(path, "__alias", "__alias", 0x1130);
	check_one(path, "*alias", "alias", 0x1130);
	check(path, "two", two, 0);
	check(path, "pl*", plains, 0);
	check(path, "data", none, 0);
	check(path, "outside", none, 0);
	check(path, "not_in_the_file", none, 0);
}
END_TEST

START_TEST(test_finds_names_of_the_source)
{
	static const struct wanted f[] = { { "ns::f", 0x1200 }, { "ns::f", 0x1210 }, { 0 } };
	static const struct wanted all[] = { { "ns::f", 0x1200 },
					     { "ns::f", 0x1210 },
					     { "ns::g", 0x1230 },
					     { "ns::operator*", 0x1240 },
					     { 0 } };
	const char *path = made_path();

	check(path, "ns::f", f, 0);
	check(path, "ns::*", all, 0);
	check(path, "_ZN2ns1f*", f, 0);
	check_one(path, "_ZN2ns1fEl", "ns::f", 0x1210);
	check_one(path, "ns::operator*", "ns::operator*", 0x1240);
	check_one(path, "core::fmt::Formatter::pad", "core::fmt::Formatter::pad", 0x1250);
	check(path, "f", none, 0);
}
END_TEST

START_TEST(test_parts_need_a_dot)
{
	static const struct wanted parts[] = { { "plain.cold", 0x1160 },
					       { "plain.part.0", 0x1170 },
					       { 0 } };
	const char *path = made_path();

	check(path, "plain.*", parts, 0);
	check_one(path, "ns::f.cold", "ns::f.cold", 0x1220);
	check_one(path, "*main", "main.main", 0x1180); /* a dot of Go */
}
END_TEST

START_TEST(test_chosen_functions_are_left_out)
{
	const char *path = made_path();
	struct found_functions found = { 0 };

	check(path, "chosen", none, 1);
	check(path, "chos*", none, 1);
	ck_assert_int_eq(user_functions__find(&found, path, "chosen"), -ENOENT);
	ck_assert_str_eq(found.alike.best, "");
	found_functions__free(&found);
}
END_TEST

START_TEST(test_suggests_names)
{
	struct found_functions found = { 0 };

	ck_assert_int_eq(user_functions__find(&found, made_path(), "versoined"), -ENOENT);
	ck_assert_str_eq(found.alike.best, "versioned");
	found_functions__free(&found);
	ck_assert_int_eq(user_functions__find(&found, made_path(), "ns::operator+"), -ENOENT);
	ck_assert_str_eq(found.alike.best, "ns::operator*");
	found_functions__free(&found);
	ck_assert_int_eq(user_functions__find(&found, "/no/such", "f"), -ENOENT);
	ck_assert_ptr_null(found.alike.wanted);
}
END_TEST

START_TEST(test_errors_of_files)
{
	struct made_elf made = made_elf__own();
	char fifo[64];

	check_fails(path_of(made_elf__fd(&made)), "f", -ENODATA);
	made.class = ELFCLASS32;
	check_fails(path_of(made_elf__fd(&made)), "f", -EOPNOTSUPP);
	check_fails("/no/such", "f", -ENOENT);
	check_fails("/", "f", -ENOEXEC);
	check_fails("/etc/passwd", "f", -ENOEXEC);
	check_fails("/proc/self/stat", "f", -ENOEXEC);
	snprintf(fifo, sizeof(fifo), "/tmp/test_user_functions.%d", (int)getpid());
	ck_assert_int_eq(mkfifo(fifo, 0600), 0);
	check_fails(fifo, "f", -ENOEXEC);
	ck_assert_int_eq(unlink(fifo), 0);
}
END_TEST

/* The library has .dynsym alone. */
START_TEST(test_functions_of_the_c_library)
{
	struct found_functions found = { 0 };
	const struct link_map *map;
	Dl_info info;

	ck_assert(dladdr1((const void *)(uintptr_t)&malloc_usable_size, &info, (void **)&map,
			  RTLD_DL_LINKMAP));
	ck_assert_int_eq(user_functions__find(&found, info.dli_fname, "malloc_usable_siz?"), 0);
	ck_assert_uint_eq(found.count, 1);
	ck_assert_str_eq(found.at[0].name, "malloc_usable_size");
	found_functions__free(&found);
	ck_assert_int_eq(user_functions__find(&found, info.dli_fname, "*"), 0);
	ck_assert_uint_gt(found.count, 1000);
	for (size_t i = 1; i < found.count; i++)
		ck_assert_str_le(found.at[i - 1].name, found.at[i].name);
	found_functions__free(&found);
}
END_TEST

__attribute__((noinline, used)) int test_user_functions_own(int number)
{
	__asm__ volatile("" : "+r"(number));
	return number;
}

START_TEST(test_own_program)
{
	uint64_t offset;

	ck_assert_int_eq(
		function_offset__find("/proc/self/exe", "test_user_functions_own", &offset), 0);
	check_one("/proc/self/exe", "test_user_functions_ow?", "test_user_functions_own", offset);
	check("/proc/self/exe", "mkfifo", none, 0); /* a function of the C library */
}
END_TEST

static int damaged(void (*damage)(int fd))
{
	struct made_elf made = made_functions();
	int fd;

	made.symbols_count = 1;
	made.dynamic = NULL;
	fd = made_elf__fd(&made);
	damage(fd);
	return fd;
}

START_TEST(test_hostile_files)
{
	struct found_functions found = { 0 };

	check_fails(path_of(damaged(damaged_elf__symbols_of_holes)), "*", -E2BIG);
	check_fails(path_of(damaged(damaged_elf__long_name)), "*", -ENODATA);
	ck_assert_int_eq(
		user_functions__find(&found, path_of(damaged(damaged_elf__long_aliases)), "*"), 0);
	ck_assert_uint_eq(found.count, 1);
	found_functions__free(&found);
}
END_TEST

START_TEST(test_leaves_nothing_behind)
{
	const char *path = made_path();
	unsigned fds = process__count_fds();
	long blocks = fail_alloc__blocks();

	check_one(path, "plain", "plain", 0x1100);
	check(path, "missing", none, 0);
	ck_assert_uint_eq(process__count_fds(), fds);
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}
END_TEST

START_TEST(test_memory_runs_out)
{
	const char *path = made_path();
	unsigned failures = 0;
	long blocks = fail_alloc__blocks();

	for (unsigned nth = 1; nth; nth++) {
		struct found_functions found = { 0 };
		int err;

		fail_alloc__begin(nth);
		err = user_functions__find(&found, path, "ns::*");
		nth = fail_alloc__end() ? nth : UINT32_MAX;
		ck_assert_msg(!err || err == -ENOMEM || err == -ENOEXEC, "%s", strerror(-err));
		ck_assert(!err || !found.count);
		failures += err != 0;
		found_functions__free(&found);
	}
	ck_assert_uint_lt(failures, 60);
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_finds_functions_by_name);
	tcase_add_test(tests, test_finds_names_of_the_source);
	tcase_add_test(tests, test_parts_need_a_dot);
	tcase_add_test(tests, test_chosen_functions_are_left_out);
	tcase_add_test(tests, test_suggests_names);
	tcase_add_test(tests, test_errors_of_files);
	tcase_add_test(tests, test_functions_of_the_c_library);
	tcase_add_test(tests, test_own_program);
	tcase_add_test(tests, test_hostile_files);
	tcase_add_test(tests, test_leaves_nothing_behind);
	tcase_add_test(tests, test_memory_runs_out);
}

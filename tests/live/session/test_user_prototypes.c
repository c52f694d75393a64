// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_user_prototypes.c: functions of programs with debug information have parameters with names,
 * types and members.
 *
 * The traced command is this program, with "handle" or "unused" as its argument.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "support/machine/json_event.h"
#include "support/machine/multi_links.h"
#include "support/machine/own_program.h"
#include "support/machine/tracing.h"
#include "support/machine/unused_texts.h"
#include "elf/elf_file.h"

#ifdef HAVE_LIBDW
#define HAS_LIBDW true
#else
#define HAS_LIBDW false
#endif

/* Virtual machines get the tests without it. */
static bool has_debug_information(void)
{
	struct elf_file *file;
	bool has_section;

	if (elf_file__open(&file, open("/proc/self/exe", O_RDONLY | O_CLOEXEC), "this program"))
		return false;
	has_section = elf_file__find_section(file, ".debug_info", NULL);
	elf_file__free(file);
	return has_section;
}

#define need_libdw()                                                                               \
	do {                                                                                       \
		if (!HAS_LIBDW)                                                                    \
			skip("built without libdw");                                               \
		if (!has_debug_information())                                                      \
			skip("no debug information in this program");                              \
	} while (0)

/* ---- the workload ---------------------------------------------------------------------------- */

#define CALLS  100
#define UNUSED 50

enum mode { MODE_READ, MODE_WRITE = 7 };

struct request {
	unsigned long id;
	struct request *next;
	struct {
		int fd;
		char label[16];
	} conn;
};

enum answer { ANSWER_NONE = -1, ANSWER_LATER = 3 };

/* The compiler may not change the call: the arguments are not used here. */
__attribute__((noipa, noinline, used)) enum answer traced_handle(const struct request *r,
								 const char *name, enum mode m,
								 unsigned flags)
{
	__asm__ volatile("" : : "r"(r), "r"(name), "r"(m), "r"(flags));
	return r ? ANSWER_LATER : ANSWER_NONE;
}

__attribute__((noipa, noinline, used)) void traced_nothing(void)
{
	__asm__ volatile("");
}

/* On the stack, which kernels before Linux 6.10 can read, too. */
static int run_handle(void)
{
	char name[] = "a name";
	struct request second = { .id = 2 };
	struct request first = { .id = 1, .next = &second, .conn = { 42, "label" } };

	traced_nothing();
	for (unsigned i = 0; i < CALLS; i++) {
		traced_handle(&first, name, MODE_WRITE, i);
		traced_handle(&second, name, MODE_READ, i);
		traced_handle(NULL, NULL, MODE_READ, i);
	}
	return 0;
}

static int run_unused(void)
{
	if (!unused_texts__make(UNUSED))
		return EXIT_FAILURE;
	for (unsigned i = 0; i < UNUSED; i++) {
		struct request request = { .id = i };

		traced_handle(&request, unused_texts__at((int)i), MODE_READ, i);
	}
	return 0;
}

/* ---- running --------------------------------------------------------------------------------- */

static void expect_text_containing(const char *text, const char *part)
{
	ck_assert_msg(strstr(text, part) != NULL, "no '%s' in %s", part, text);
}

/* Every third event, from `first` on, has these members. */
static void check_each_third(const struct tracing *tracing, size_t first, const char *members)
{
	for (size_t i = first; i < tracing->events.count; i += 3)
		expect_text_containing(tracing->events.lines[i], members);
}

START_TEST(test_members_in_user_memory)
{
	struct tracing tracing;

	need_libdw();
	tracing__start(&tracing, TRACE(own_program__source("uprobe", "traced_handle"), "--ordered",
				       "--fields", "r.id,r.next.id,r.conn.fd,r.conn.label,name,m",
				       "--", own_program__path(), "handle"));
	tracing__finish(&tracing);
	ck_assert_uint_eq(tracing.events.count, 3 * CALLS);
	check_each_third(&tracing, 0,
			 "\"r.id\":1,\"r.next.id\":2,\"r.conn.fd\":42,\"r.conn.label\":\"label\","
			 "\"name\":\"a name\",\"m\":\"MODE_WRITE\"");
	check_each_third(&tracing, 1,
			 "\"r.id\":2,\"r.next.id\":null,\"r.conn.fd\":0,\"r.conn.label\":\"\","
			 "\"name\":\"a name\",\"m\":\"MODE_READ\"");
	check_each_third(&tracing, 2,
			 "\"r.id\":null,\"r.next.id\":null,\"r.conn.fd\":null,"
			 "\"r.conn.label\":null,\"name\":null,\"m\":\"MODE_READ\"");
	tracing__free(&tracing);
}
END_TEST

static void check_unused_text(const char *event, int i)
{
	char text[UNUSED_TEXT_BYTES];

	unused_texts__write(text, i);
	if (multi_links__are_possible())
		expect_text(event, "name", text);
	else
		expect_member(event, "name", "null");
}

/* At calls and at returns.  Before Linux 6.10, texts are absent. */
START_TEST(test_text_in_unused_memory)
{
	static const char *const kinds[] = { "uprobe", "uretprobe" };
	struct tracing tracing;

	need_libdw();
	tracing__start(&tracing,
		       TRACE(own_program__source(kinds[_i], "traced_handle"), "--ordered",
			     "--fields", "name,flags", "--", own_program__path(), "unused"));
	tracing__finish(&tracing);
	ck_assert_uint_eq(tracing.events.count, UNUSED);
	for (int i = 0; i < UNUSED; i++) {
		json_event__check(tracing.events.lines[i], "flags", (unsigned)i);
		check_unused_text(tracing.events.lines[i], i);
	}
	tracing__free(&tracing);
}
END_TEST

/* Without --fields: all parameters. */
START_TEST(test_parameters_have_names)
{
	struct tracing tracing;

	need_libdw();
	tracing__start(&tracing, TRACE(own_program__source("uprobe", "traced_handle"), "--ordered",
				       "--", own_program__path(), "handle"));
	tracing__finish(&tracing);
	ck_assert_uint_eq(tracing.events.count, 3 * CALLS);
	for (size_t i = 0; i < tracing.events.count; i++)
		json_event__check(tracing.events.lines[i], "flags", i / 3);
	check_each_third(&tracing, 0, "\"name\":\"a name\",\"m\":\"MODE_WRITE\"");
	tracing__free(&tracing);
}
END_TEST

/* Then the event has that member instead of the address. */
START_TEST(test_expression_names_member)
{
	struct tracing tracing;

	need_libdw();
	tracing__start(&tracing, TRACE(own_program__source("uprobe", "traced_handle"), "--where",
				       "r.id == 2", "--", own_program__path(), "handle"));
	tracing__finish(&tracing);
	ck_assert_uint_eq(tracing.events.count, CALLS);
	for (size_t i = 0; i < tracing.events.count; i++) {
		json_event__check(tracing.events.lines[i], "r.id", 2);
		expect_text(tracing.events.lines[i], "m", "MODE_READ");
	}
	tracing__free(&tracing);
}
END_TEST

START_TEST(test_results_have_names)
{
	struct tracing tracing;

	need_libdw();
	tracing__start(&tracing, TRACE(own_program__source("uretprobe", "traced_handle"),
				       "--ordered", "--fields", "r.next.id,result", "--where",
				       "m == \"MODE_READ\"", "--", own_program__path(), "handle"));
	tracing__finish(&tracing);
	ck_assert_uint_eq(tracing.events.count, 2 * CALLS);
	for (size_t i = 0; i < tracing.events.count; i++)
		expect_text(tracing.events.lines[i], "result",
			    i % 2 ? "ANSWER_NONE" : "ANSWER_LATER");
	tracing__free(&tracing);
}
END_TEST

static void refuse(const char *field, const char *kind, const char *function, const char *why)
{
	struct command peat;

	command__run(&peat, ALL_CAPS,
		     ARGV(command__peat(), "trace", own_program__source(kind, function), "--fields",
			  field, "--", own_program__path(), "handle"));
	ck_assert_int_ne(peat.status, 0);
	expect_text_containing(peat.err_text, why);
	command__free(&peat);
}

START_TEST(test_absent_members_are_explained)
{
	need_libdw();
	refuse("r.idd", "uprobe", "traced_handle", "did you mean \"id\"?");
	refuse("flagz", "uprobe", "traced_handle", "did you mean \"flags\"?");
	refuse("result", "uretprobe", "traced_nothing", "the function returns void");
	refuse("r,r.id", "uprobe", "traced_handle", "cannot both be read");
}
END_TEST

START_TEST(test_list_has_prototypes)
{
	struct command peat;

	need_libdw();
	command__run(&peat, ALL_CAPS,
		     ARGV(command__peat(), "list", own_program__source("uprobe", "traced_*")));
	ck_assert_msg(!peat.status, "%s", peat.err_text);
	expect_text_containing(peat.out_text,
			       "enum answer traced_handle(const struct request *r, const char "
			       "*name, enum mode m, unsigned int flags)");
	expect_text_containing(peat.out_text, "void traced_nothing(void)");
	command__free(&peat);
}
END_TEST

/* Numbers stay. */
START_TEST(test_stripped_program_has_numbers)
{
	char stripped[] = "/tmp/peat-stripped-XXXXXX", source[128];
	struct command objcopy;
	struct tracing tracing;
	int fd;

	need_program("objcopy");
	fd = mkstemp(stripped);
	ck_assert_int_ge(fd, 0);
	close(fd);
	command__run(&objcopy, ALL_CAPS,
		     ARGV("objcopy", "--strip-debug", own_program__path(), stripped));
	ck_assert_msg(!objcopy.status, "%s", objcopy.err_text);
	command__free(&objcopy);
	snprintf(source, sizeof(source), "uprobe:%s:traced_handle", stripped);
	tracing__start(&tracing,
		       TRACE(source, "--ordered", "--fields", "arg4", "--", stripped, "handle"));
	tracing__finish(&tracing);
	unlink(stripped);
	ck_assert_uint_eq(tracing.events.count, 3 * CALLS);
	for (size_t i = 0; i < tracing.events.count; i++)
		json_event__check(tracing.events.lines[i], "arg4", i / 3);
	tracing__free(&tracing);
}
END_TEST

static Suite *user_prototypes_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("user_prototypes", 60, &tests);

	tcase_add_test(tests, test_members_in_user_memory);
	tcase_add_loop_test(tests, test_text_in_unused_memory, 0, 2);
	tcase_add_test(tests, test_parameters_have_names);
	tcase_add_test(tests, test_expression_names_member);
	tcase_add_test(tests, test_results_have_names);
	tcase_add_test(tests, test_absent_members_are_explained);
	tcase_add_test(tests, test_list_has_prototypes);
	tcase_add_test(tests, test_stripped_program_has_numbers);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { user_prototypes_suite };

	if (argc == 2 && !strcmp(argv[1], "handle"))
		return run_handle();
	if (argc == 2 && !strcmp(argv[1], "unused"))
		return run_unused();
	return harness__main(argc, argv, suites, 1);
}

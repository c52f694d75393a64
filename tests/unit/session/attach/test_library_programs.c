// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_library_programs.c: declarations of programs of libraries, and libraries that are missing.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <peat/log.h>
#include <peat/session.h>

#include "session/attach/library_programs.h"
#include "session/attach/used_files.h"
#include "session/parts/session.h"
#include "support/machine/harness.h"
#include "support/machine/object.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

EMBED_OBJECT(library_programs)

#define NO_PROCESS 4194305 /* larger than any */

static struct peat_session *session;
static struct part *part;
static char why[512], logged[512]; /* the last error */

static void note(enum peat_log_level level, const char *text)
{
	if (level == PEAT_LOG_ERROR)
		snprintf(logged, sizeof(logged), "%s", text);
}

static void open_session(void)
{
	peat_set_print(note);
	session = peat_session__new(NULL);
	ck_assert_ptr_nonnull(session);
	ck_assert_int_eq(peat_session__add(session, "programs", library_programs_object.bytes,
					   *library_programs_object.count),
			 0);
	part = &session->parts[0];
	logged[0] = why[0] = '\0';
}

static void close_session(void)
{
	peat_session__free(session);
}

static const struct bpf_program *program_of(const char *name)
{
	const struct bpf_program *program = bpf_object__find_program_by_name(part->object, name);

	ck_assert_msg(program, "%s", name);
	return program;
}

static int attach(const char *name)
{
	why[0] = '\0';
	return library_programs__attach(session, part, program_of(name), why, sizeof(why));
}

static void check_refused(const char *name, int err, const char *words)
{
	used_files__free(session);
	ck_assert_int_eq(used_files__open(session), 0);
	ck_assert_int_eq(attach(name), err);
	ck_assert_msg(strstr(why, words), "%s: '%s' has no '%s'", name, why, words);
	ck_assert(!part->library_attached);
}

START_TEST(test_declared_programs)
{
	open_session();
	ck_assert(library_programs__accepts(part, program_of("on_library")));
	ck_assert(library_programs__accepts(part, program_of("on_one_process")));
	ck_assert(!library_programs__accepts(part, program_of("on_untagged")));
	close_session();
}
END_TEST

#define DECLARATION                                                                                \
	"a program with PEAT_LIBRARY(OPTION) has a section uprobe/FILE:FUNCTION or "               \
	"uretprobe/FILE:FUNCTION, and the option is a text of at most 255 bytes"

START_TEST(test_wrong_declarations)
{
	long blocks;

	open_session();
	check_refused("on_no_option", -EINVAL, DECLARATION);
	blocks = fail_alloc__blocks();
	check_refused("on_no_option", -EINVAL, DECLARATION);
	check_refused("on_wrong_section", -EINVAL, DECLARATION);
	check_refused("on_too_long", -EINVAL, DECLARATION);
	check_refused("on_untagged", -EINVAL, DECLARATION);
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
	close_session();
}
END_TEST

START_TEST(test_no_memory)
{
	open_session();
	for (unsigned nth = 1; nth; nth++) {
		fail_alloc__begin(nth);
		attach("on_no_option");
		if (!fail_alloc__end())
			break;
		ck_assert_str_eq(why, DECLARATION);
	}
	close_session();
}
END_TEST

/* The option replaces the library of the section, unless it is empty. */
START_TEST(test_missing_libraries)
{
	open_session();
	check_refused("on_library", -ENOENT,
		      "this machine has no libnone.so, and no process uses one: name a file by the "
		      "option library");
	check_refused(
		"on_section", -ENOENT,
		"this machine has no libother.so, and no process uses one: name a file by the "
		"option empty");
	check_refused("on_longest", -ENOENT, "by the option longest");
	ck_assert_ptr_nonnull(strstr(why, "no 0123456789abcdef"));
	close_session();
}
END_TEST

/* The program of a process may contain the library. */
START_TEST(test_processes_without_the_library)
{
	char words[96];

	open_session();
	session->opts.pid = (uint32_t)getpid();
	snprintf(words, sizeof(words), "/proc/%d/exe has no function function", (int)getpid());
	check_refused("on_one_process", -ENOENT, words);
	session->opts.pid = NO_PROCESS;
	snprintf(words, sizeof(words), "there is no process %d", NO_PROCESS);
	check_refused("on_library", -ESRCH, words);
	close_session();
}
END_TEST

START_TEST(test_one_process)
{
	open_session();
	check_refused("on_one_process", -EINVAL, "it follows one process");
	close_session();
}
END_TEST

/* One attached program is enough, and an object without such programs needs none. */
START_TEST(test_no_program_attached)
{
	struct bpf_program *program;

	open_session();
	ck_assert_int_eq(library_programs__check(part), -ENOENT);
	ck_assert_ptr_nonnull(strstr(logged, "cannot attach programs: none of its functions"));
	ck_assert_ptr_nonnull(strstr(logged, "by the option library"));
	logged[0] = '\0';
	part->library_attached = true;
	ck_assert_int_eq(library_programs__check(part), 0);
	part->library_attached = false;
	bpf_object__for_each_program(program, part->object)
	{
		if (strcmp(bpf_program__name(program), "on_untagged"))
			ck_assert_int_eq(bpf_program__set_autoload(program, false), 0);
	}
	ck_assert_int_eq(library_programs__check(part), 0);
	ck_assert_str_eq(logged, "");
	close_session();
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_declared_programs);
	tcase_add_test(tests, test_wrong_declarations);
	tcase_add_test(tests, test_no_memory);
	tcase_add_test(tests, test_missing_libraries);
	tcase_add_test(tests, test_processes_without_the_library);
	tcase_add_test(tests, test_one_process);
	tcase_add_test(tests, test_no_program_attached);
}

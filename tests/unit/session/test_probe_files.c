// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_probe_files.c: probes that are added by their names. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <peat/log.h>
#include <peat/session.h>

#include "session/parts/session.h"
#include "support/machine/object.h"
#include "support/machine/scratch.h"
#include "unit/suite.h"

EMBED_OBJECT(options)

static char logged[2048];
static struct peat_session *session;

static void note(enum peat_log_level level, const char *text)
{
	if (level == PEAT_LOG_ERROR)
		snprintf(logged, sizeof(logged), "%s", text);
}

static void setup(void)
{
	FILE *file;

	scratch__make();
	peat_set_print(note);
	file = fopen(scratch__path("options.bpf.o"), "we");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(options_object.bytes, *options_object.count, 1, file), 1);
	ck_assert_int_eq(fclose(file), 0);
	close(scratch__file("broken.bpf.o", "no object"));
	close(scratch__file("optional.bpf.c", "a source"));
	ck_assert_int_eq(setenv("PEAT_PROBES", scratch__dir(), 1), 0);
	session = peat_session__new(NULL);
	ck_assert_ptr_nonnull(session);
}

static void teardown(void)
{
	peat_session__free(session);
	unsetenv("PEAT_PROBES");
	scratch__remove();
}

static void refuse(const char *name, const char *words)
{
	ck_assert_int_eq(peat_session__add_probe(session, name), -ENOENT);
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_msg(strstr(logged, words), "'%s' has no '%s'", logged, words);
	ck_assert_uint_eq(session->part_count, 0);
}

START_TEST(test_adds_object_by_name)
{
	ck_assert_int_eq(peat_session__add_probe(session, "options"), 0);
	ck_assert_uint_eq(session->part_count, 1);
}
END_TEST

START_TEST(test_unknown_names)
{
	refuse("option", "there is no probe 'option': did you mean \"options\"? ");
	refuse("exec", "there is no probe 'exec': look for the objects");
	refuse("", "there is no probe ''");
	refuse("../probes/options", "there is no probe '../probes/options'");
}
END_TEST

/* Only files of objects are probes. */
START_TEST(test_source_is_no_probe)
{
	refuse("optional", "there is no probe 'optional'");
	refuse("optional.bpf.c", "there is no probe 'optional.bpf.c'");
}
END_TEST

/* Their directory is not searched. */
START_TEST(test_own_directory_alone)
{
	ck_assert_int_eq(setenv("PEAT_PROBES", scratch__path("nothing"), 1), 0);
	refuse("options", "set PEAT_PROBES to their directory");
}
END_TEST

START_TEST(test_broken_object)
{
	ck_assert_int_lt(peat_session__add_probe(session, "broken"), 0);
	ck_assert_msg(strstr(logged, "broken.bpf.o"), "%s", logged);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_adds_object_by_name);
	tcase_add_test(tests, test_unknown_names);
	tcase_add_test(tests, test_source_is_no_probe);
	tcase_add_test(tests, test_own_directory_alone);
	tcase_add_test(tests, test_broken_object);
}

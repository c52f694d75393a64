// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_usdt_programs.c: the USDT probes of Python, PostgreSQL and the C++ library as sources. */
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <bpf/libbpf.h>

#include "support/machine/harness.h"
#include "support/machine/scratch.h"
#include "support/machine/tracing.h"

/* Linux 5.15: the programs are position-independent. */
#define NEED_COOKIES()                                                                             \
	do {                                                                                       \
		if (libbpf_probe_bpf_helper(BPF_PROG_TYPE_KPROBE, BPF_FUNC_get_attach_cookie,      \
					    NULL) != 1)                                            \
			skip("this kernel has no cookies of attachments (Linux 5.15)");            \
	} while (0)

/* The last file of a pattern; NULL: there is none. */
static const char *find_file(const char *pattern)
{
	static char path[PATH_MAX];
	glob_t found;

	if (glob(pattern, 0, NULL, &found))
		return NULL;
	snprintf(path, sizeof(path), "%s", found.gl_pathv[found.gl_pathc - 1]);
	globfree(&found);
	return path;
}

static const char *source_of(const char *file, const char *probe)
{
	static char source[PATH_MAX + 64];

	snprintf(source, sizeof(source), "usdt:%s:%s", file, probe);
	return source;
}

static bool has_probe(const char *source)
{
	struct command peat;
	bool has;

	command__run(&peat, ALL_CAPS, ARGV(command__peat(), "list", source));
	has = !peat.status;
	command__free(&peat);
	return has;
}

static void trace(struct tracing *tracing, const char *const *argv)
{
	tracing__start(tracing, argv);
	tracing__finish(tracing);
}

/* ---- Python ---------------------------------------------------------------------------------- */

/* The argument is the generation: 2 is a full collection.  There may be more at the exit. */
START_TEST(test_python_collections)
{
	const char *python = find_file("/usr/bin/python3.[0-9]*[0-9]"), *source;
	struct tracing tracing;
	size_t full = 0;

	if (!python)
		skip("no python3 on this machine");
	source = source_of(python, "python:gc__start");
	if (!has_probe(source))
		skip("this python3 has no USDT");
	NEED_COOKIES();
	trace(&tracing, TRACE(source, "--", python, "-I", "-S", "-c",
			      "import gc\ngc.disable()\nfor i in range(1000): gc.collect(1)\n"
			      "gc.collect(2)"));
	for (size_t i = 0; i < tracing.events.count; i++)
		full += json_lines__number(tracing.events.lines[i], "arg1") != 1;
	ck_assert_uint_eq(tracing.events.count - full, 1000);
	ck_assert_uint_ge(full, 1);
	tracing__free(&tracing);
}
END_TEST

/* ---- C++ ------------------------------------------------------------------------------------- */

static void build_throws(const char *path)
{
	static const char source[] = "int main() { for (int i = 0; i < 1000; i++)"
				     " try { throw i; } catch (int) {} }";
	struct command compiler;

	close(scratch__file("throws.cc", source));
	command__run(&compiler, ALL_CAPS, ARGV("g++", "-o", path, scratch__path("throws.cc")));
	ck_assert_msg(!compiler.status, "%s", compiler.err_text);
	command__free(&compiler);
}

START_TEST(test_exceptions_of_cxx)
{
	char path[PATH_MAX];
	struct tracing tracing;
	size_t throws = 0;

	need_program("g++");
	if (!has_probe("usdt:libstdc++.so.6:libstdcxx:throw"))
		skip("this libstdc++ has no USDT");
	NEED_COOKIES();
	snprintf(path, sizeof(path), "%s", scratch__path("throws"));
	build_throws(path);
	trace(&tracing,
	      TRACE("usdt:libstdc++.so.6:libstdcxx:*", "--fields", "event,arg1", "--", path));
	ck_assert_uint_eq(tracing.events.count, 2000);
	for (size_t i = 0; i < tracing.events.count; i++) {
		const char *name = json_lines__text(tracing.events.lines[i], "event");

		throws += !strcmp(name, "throw");
		ck_assert_int_ne(json_lines__number(tracing.events.lines[i], "arg1"), 0);
	}
	ck_assert_uint_eq(throws, 1000);
	tracing__free(&tracing);
}
END_TEST

/* ---- PostgreSQL ------------------------------------------------------------------------------ */

#define QUERIES 100

/* Without a server: a single user, whose queries are lines. */
static void write_queries(const char *programs)
{
	char script[2 * PATH_MAX];
	FILE *queries = fopen(scratch__path("queries"), "w");

	ck_assert_ptr_nonnull(queries);
	for (int i = 0; i < QUERIES; i++)
		fprintf(queries, "select %d + %d\n", i, i);
	ck_assert_int_eq(fclose(queries), 0);
	snprintf(script, sizeof(script), "%s/postgres --single -D '%s' postgres <'%s' >/dev/null\n",
		 programs, scratch__path("data"), scratch__path("queries"));
	close(scratch__file("run", script));
	ck_assert_int_eq(chmod(scratch__path("run"), 0644), 0);
}

/* It refuses to run as root. */
static void make_database(const char *programs, const struct passwd *user)
{
	char initdb[PATH_MAX + 16];
	struct command command;

	snprintf(initdb, sizeof(initdb), "%s/initdb", programs);
	ck_assert_int_eq(chmod(scratch__dir(), 0755), 0);
	ck_assert_int_eq(mkdir(scratch__path("data"), 0700), 0);
	ck_assert_int_eq(chown(scratch__path("data"), user->pw_uid, user->pw_gid), 0);
	command__run(&command, ALL_CAPS,
		     ARGV("setpriv", "--reuid", user->pw_name, "--regid", user->pw_name,
			  "--clear-groups", initdb, "-N", "-D", scratch__path("data")));
	ck_assert_msg(!command.status, "%s", command.err_text);
	command__free(&command);
}

START_TEST(test_queries_of_postgresql)
{
	const char *found = find_file("/usr/lib/postgresql/*/bin"), *source;
	const struct passwd *user = getpwnam("postgres");
	char programs[PATH_MAX], file[PATH_MAX + 16], wanted[64];
	struct tracing tracing;

	if (!found || !user)
		skip("no PostgreSQL on this machine");
	NEED_COOKIES();
	snprintf(programs, sizeof(programs), "%s", found);
	snprintf(file, sizeof(file), "%s/postgres", programs);
	source = source_of(file, "postgresql:query__start");
	make_database(programs, user);
	write_queries(programs);
	trace(&tracing, TRACE(source, "--fields", "arg1.text", "--where", "arg1.text ~ 'select *'",
			      "--", "setpriv", "--reuid", user->pw_name, "--regid", user->pw_name,
			      "--clear-groups", "sh", scratch__path("run")));
	ck_assert_uint_eq(tracing.events.count, QUERIES);
	for (int i = 0; i < QUERIES; i++) {
		snprintf(wanted, sizeof(wanted), "\"arg1.text\":\"select %d + %d", i, i);
		ck_assert_msg(strstr(tracing.events.lines[i], wanted), "%s",
			      tracing.events.lines[i]);
	}
	tracing__free(&tracing);
}
END_TEST

static Suite *usdt_programs_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("usdt_programs", 120, &tests);

	tcase_add_checked_fixture(tests, scratch__make, scratch__remove);
	tcase_add_test(tests, test_python_collections);
	tcase_add_test(tests, test_exceptions_of_cxx);
	tcase_add_test(tests, test_queries_of_postgresql);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { usdt_programs_suite };

	return harness__main(argc, argv, suites, 1);
}

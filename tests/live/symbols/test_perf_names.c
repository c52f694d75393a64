// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_perf_names.c: recordings of programs of many kinds, made by stock perf.  Frames that perf
 * script names have the same name in the library.
 *
 * The programs are in zoo/.  Each test prints what differs.
 */
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "support/machine/mounts.h"
#include "support/perf/stock_perf.h"
#include "support/symbols/compare_stacks.h"

#define shell stock_perf__shellf

/*
 * A program and the command that runs it: `record` is perf's, without the program.  Programs that
 * end before the recording does leave their build-ids in perf's cache.
 */
struct program {
	const char *name;
	const char *needs; /* a file of the zoo, or a command; NULL: nothing */
	const char *command;
	bool is_mangled; /* names of C++ or Rust */
	bool is_jit;	 /* not unwound: perf map files have no CFI */
};

/* Runs in the background until the recording has ended, so that perf finds its files. */
#define ALONGSIDE(prepare, program)                                                                \
	prepare " " program " 100000 & pid=$!; sleep 0.2; $RECORD -p $pid -- sleep 0.3; "          \
		"kill $pid; wait $pid || true"

static const struct program programs[] = {
	{ .name = "frame pointers", .command = "$RECORD -- $ZOO/frames 200 $ZOO/libbranch.so" },
	{ .name = "no frame pointers", .command = "$RECORD -- $ZOO/plain 200 $ZOO/libbranch.so" },
	{ .name = "not position-independent", .command = "$RECORD -- $ZOO/no_pie 200" },
	{ .name = "static", .command = "$RECORD -- $ZOO/static 200" },
	{ .name = "lazy PLT", .command = "$RECORD -- $ZOO/lazy 200" },
	{ .name = "stripped", .command = "$RECORD -- $ZOO/stripped 200 $ZOO/libbranch.so" },
	{ .name = "debuglink", .command = "$RECORD -- $ZOO/linked 200 $ZOO/libbranch.so" },
	{ .name = "garbage", .command = "$RECORD -- $ZOO/garbage 200" },
	{ .name = "C++", .command = "$RECORD -- $ZOO/shapes 200", .is_mangled = true },
	{ .name = "Rust",
	  .needs = "$ZOO/crab",
	  .command = "$RECORD -- $ZOO/crab 200",
	  .is_mangled = true },
	{ .name = "Rust, v0 names",
	  .needs = "$ZOO/crab_v0",
	  .command = "$RECORD -- $ZOO/crab_v0 200",
	  .is_mangled = true },
	{ .name = "Python",
	  .needs = "/usr/bin/python3",
	  .command = "$RECORD -- /usr/bin/python3 $ZOO/snake.py 300" },
	{ .name = "node",
	  .needs = "/usr/bin/node",
	  .command = "$RECORD -- sh -c 'echo $$ >pid; exec /usr/bin/node --perf-basic-prof "
		     "$ZOO/node.js 300'",
	  .is_mangled = true,
	  .is_jit = true },
	{ .name = "another mount namespace",
	  .command = ALONGSIDE("mkdir -p inside;",
			       "unshare -m sh -c 'mount -t tmpfs none inside; cp $ZOO/frames "
			       "inside/hidden; exec inside/hidden $0'") },
	{ .name = "deleted while it runs",
	  .command = ALONGSIDE("cp $ZOO/frames deleted; (sleep 0.1; rm deleted) &", "./deleted") },
};

#define PROGRAMS (sizeof(programs) / sizeof(*programs))

static char zoo[PATH_MAX];

/* perf caches files in $HOME/.debug. */
static void setup(void)
{
	char self[PATH_MAX] = "", home[PATH_MAX];

	ck_assert_int_gt(readlink("/proc/self/exe", self, sizeof(self) - 1), 0);
	ck_assert_int_lt(snprintf(zoo, sizeof(zoo), "%s/zoo", dirname(self)), PATH_MAX);
	stock_perf__setup();
	setenv("ZOO", zoo, 1);
	ck_assert_ptr_nonnull(getcwd(home, sizeof(home)));
	setenv("HOME", home, 1);
}

/* node leaves its map. */
static void teardown(void)
{
	free(shell("test ! -e pid || rm -f /tmp/perf-$(cat pid).map"));
	stock_perf__teardown();
}

static bool is_missing(const struct program *program)
{
	char *text;
	bool is;

	if (!program->needs)
		return false;
	text = shell("test -x %s || echo missing", program->needs);
	is = *text;
	free(text);
	return is;
}

static void record(const struct program *program, const char *callgraph)
{
	char command[200];

	snprintf(command, sizeof(command),
		 "perf record -q -e cpu-clock -F 2000 --no-bpf-event --call-graph %s -o recording",
		 callgraph);
	setenv("RECORD", command, 1);
	free(stock_perf__shell(program->command));
}

static void check_same(const struct comparison *comparison, const char *name, const char *what)
{
	char title[100];

	snprintf(title, sizeof(title), "%s, %s", name, what);
	compare_stacks__print(comparison, title);
	fflush(stdout);
	ck_assert_msg(comparison->stacks > 50, "%s: %u stacks", title,
		      (unsigned)comparison->stacks);
	ck_assert_msg(100 * comparison->same >= 99 * comparison->named, "%s: other names", title);
}

#define QUIETLY	    "2>/dev/null"
#define BY_BINUTILS "--no-demangle " QUIETLY " | c++filt -p -i"

/*
 * perf 6.1 demangles as binutils and peat do.  perf 6.12 of Debian asks libstdc++, which prints
 * parameters, and knows neither v0 names of Rust nor all of its older ones.
 */
static bool demangles_otherwise(void)
{
	char *names = shell("perf probe -q -x $ZOO/shapes -F");
	bool otherwise = !strstr(names, "(anonymous namespace)::spin\n");

	free(names);
	return otherwise;
}

/* `options` of perf script */
static void compare(struct comparison *comparison, const char *options, bool is_mangled)
{
	struct peat_symbols_opts opts = PEAT_SYMBOLS_OPTS_INIT;
	struct named_stacks ours;
	char *perfs;

	opts.recorded = true;
	opts.no_demangle = is_mangled;
	named_stacks__read(&ours, "recording", &opts);
	perfs = shell(PERF_STACKS " -i recording %s", options);
	compare_stacks(comparison, perfs, &ours);
	named_stacks__free(&ours);
	free(perfs);
}

/* The names of a recording, also as they are in the files if those are mangled. */
static void check_names(const struct program *program, const char *what,
			struct comparison *comparison)
{
	struct comparison mangled = { 0 };

	if (program->is_mangled && demangles_otherwise()) {
		printf("# perf demangles otherwise: its names are demangled by c++filt\n");
		compare(comparison, BY_BINUTILS, false);
	} else
		compare(comparison, QUIETLY, false);
	check_same(comparison, program->name, what);
	if (!program->is_mangled)
		return;
	compare(&mangled, "--no-demangle " QUIETLY, true);
	check_same(&mangled, program->name, "mangled");
}

/* perf discards a callchain that has one number which is no address, with the frames before it. */
static uint64_t discarded_by_perf(void)
{
	char *count = shell("perf script -v -i recording 2>&1 >/dev/null | "
			    "grep -c 'invalid callchain context' || true");
	uint64_t discarded = strtoull(count, NULL, 10);

	free(count);
	return discarded;
}

START_TEST(test_callchains_have_perfs_names)
{
	const struct program *program = &programs[_i];
	struct comparison comparison = { 0 };

	need_perf();
	if (is_missing(program))
		skip("%s: no %s", program->name, program->needs);
	record(program, "fp");
	check_names(program, "frame pointers", &comparison);
	ck_assert_uint_eq(comparison.diverged, discarded_by_perf());
	ck_assert_uint_eq(comparison.perf_only, 0);
}
END_TEST

START_TEST(test_unwound_stacks_have_perfs_names)
{
	const struct program *program = &programs[_i];
	struct comparison comparison = { 0 };

	need_perf();
	if (program->is_jit)
		skip("%s: no CFI of compiled code", program->name);
	if (is_missing(program))
		skip("%s: no %s", program->name, program->needs);
	record(program, "dwarf,8192");
	check_names(program, "unwound", &comparison);
	ck_assert_msg(100 * comparison.perf_only <= comparison.named,
		      "%s: perf unwinds %u more frames", program->name,
		      (unsigned)comparison.perf_only);
}
END_TEST

static Suite *perf_names_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("perf_names", 120, &tests);

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_loop_test(tests, test_callchains_have_perfs_names, 0, PROGRAMS);
	tcase_add_loop_test(tests, test_unwound_stacks_have_perfs_names, 0, PROGRAMS);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { perf_names_suite };

	return harness__main(argc, argv, suites, 1);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * test_live_names.c: stacks of processes, named while peat trace runs: short processes, processes
 * in other mount namespaces, deleted programs, and programs that compile at run time.  A recording
 * of the same program has the same names.
 *
 * The programs are in zoo/.
 */
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/machine/harness.h"
#include "support/perf/stock_perf.h"
#include "support/recording/json_lines.h"
#include "support/recording/recorded_run.h"

#define shell stock_perf__shellf

static void setup(void)
{
	char self[PATH_MAX] = "", zoo[PATH_MAX];

	ck_assert_int_gt(readlink("/proc/self/exe", self, sizeof(self) - 1), 0);
	ck_assert_int_lt(snprintf(zoo, sizeof(zoo), "%s/zoo", dirname(self)), PATH_MAX);
	recorded_run__setup();
	setenv("ZOO", zoo, 1);
	setenv("PEAT", recorded_run__peat(), 1);
}

static bool is_there(const char *path)
{
	char *text = shell("test -x %s || echo missing", path);
	bool is = !*text;

	free(text);
	return is;
}

#define need(path)                                                                                 \
	do {                                                                                       \
		if (!is_there(path))                                                               \
			skip("no %s", path);                                                       \
	} while (0)

/* ---- frames ---------------------------------------------------------------------------------- */

struct frame {
	char address[24], symbol[400], module[300];
	unsigned long long offset;
};

/* False: the stack of the event has no such frame. */
static bool read_frame(const char *line, unsigned index, struct frame *frame)
{
	char path[40];

	snprintf(path, sizeof(path), "stack[%u].address", index);
	if (json_lines__kind(line, path) == JSON_NOTHING)
		return false;
	snprintf(frame->address, sizeof(frame->address), "%s", json_lines__text(line, path));
	snprintf(path, sizeof(path), "stack[%u].symbol", index);
	snprintf(frame->symbol, sizeof(frame->symbol), "%s", json_lines__text(line, path) ?: "");
	snprintf(path, sizeof(path), "stack[%u].module", index);
	snprintf(frame->module, sizeof(frame->module), "%s", json_lines__text(line, path) ?: "");
	snprintf(path, sizeof(path), "stack[%u].offset", index);
	frame->offset = json_lines__kind(line, path) == JSON_NUMBER
				? (unsigned long long)json_lines__number(line, path)
				: 0;
	return true;
}

typedef void (*frame_fn)(const struct frame *frame, void *arg);

static void for_each_frame(char *text, frame_fn call, void *arg)
{
	struct json_lines events = json_lines__split(text);
	struct frame frame;

	for (size_t i = 0; i < events.count; i++)
		for (unsigned n = 0; read_frame(events.lines[i], n, &frame); n++)
			call(&frame, arg);
	json_lines__free(&events);
}

/* ---- counts ---------------------------------------------------------------------------------- */

/* Frames of a module, by the end of its path, and of functions that it has. */
struct wanted {
	const char *module;
	const char *symbols[6];
	unsigned frames, unnamed, found[6];
	char example[64];
};

static bool ends_with(const char *text, const char *end)
{
	size_t bytes = strlen(text), end_bytes = strlen(end);

	return bytes >= end_bytes && !strcmp(text + bytes - end_bytes, end);
}

static void count_frame(const struct frame *frame, void *arg)
{
	struct wanted *wanted = arg;

	if (!ends_with(frame->module, wanted->module))
		return;
	wanted->frames++;
	if (!*frame->symbol) {
		wanted->unnamed++;
		snprintf(wanted->example, sizeof(wanted->example), "%s", frame->address);
	}
	for (unsigned i = 0; i < 6 && wanted->symbols[i]; i++)
		wanted->found[i] += !strcmp(frame->symbol, wanted->symbols[i]);
}

/* Traces a command line, whose frames in the module have these names and 1 % others at most. */
static void check_trace(const char *line, struct wanted *wanted)
{
	char *text = shell("$PEAT trace -q -j -e cpu-clock -F 2000 -g -- %s", line);

	for_each_frame(text, count_frame, wanted);
	free(text);
	ck_assert_msg(wanted->frames > 20, "%u frames of %s", wanted->frames, wanted->module);
	ck_assert_msg(100 * wanted->unnamed <= wanted->frames,
		      "%u of %u frames of %s have no name: %s", wanted->unnamed, wanted->frames,
		      wanted->module, wanted->example);
	for (unsigned i = 0; i < 6 && wanted->symbols[i]; i++)
		ck_assert_msg(wanted->found[i], "no %s", wanted->symbols[i]);
}

/* ---- processes ------------------------------------------------------------------------------- */

START_TEST(test_short_processes)
{
	struct wanted wanted = { .module = "/frames",
				 .symbols = { "main", "descend", "spin", "in_handler" } };

	need("$ZOO/frames");
	check_trace("sh -c 'for i in 1 2 3 4 5 6 7 8; do $ZOO/frames 40; done'", &wanted);
}
END_TEST

START_TEST(test_names_functions_of_library)
{
	struct wanted wanted = { .module = "/libbranch.so", .symbols = { "branch_out", "grow" } };

	need("$ZOO/frames");
	check_trace("$ZOO/frames 400 $ZOO/libbranch.so", &wanted);
}
END_TEST

START_TEST(test_names_functions_of_cpp)
{
	struct wanted wanted = { .module = "/shapes",
				 .symbols = { "main", "outer::inner::Square<int, 4u>::area",
					      "(anonymous namespace)::spin" } };

	need("$ZOO/shapes");
	check_trace("$ZOO/shapes 300", &wanted);
}
END_TEST

/* Files that are out of reach when their process ends: it lives until a busy machine has read them.
 */
#define LONG_MS "2000"

START_TEST(test_other_mount_namespace)
{
	struct wanted wanted = { .module = "/hidden", .symbols = { "main", "descend" } };

	need("$ZOO/frames");
	check_trace("unshare -m sh -c 'mkdir -p in; mount -t tmpfs none in; cp $ZOO/frames "
		    "in/hidden; exec in/hidden " LONG_MS "'",
		    &wanted);
}
END_TEST

START_TEST(test_deleted_program)
{
	struct wanted wanted = { .module = "/deleted", .symbols = { "main", "descend" } };

	need("$ZOO/frames");
	check_trace("sh -c 'cp $ZOO/frames deleted; ./deleted " LONG_MS
		    " & sleep 0.1; rm deleted; wait'",
		    &wanted);
}
END_TEST

static void find_fib(const struct frame *frame, void *arg)
{
	*(unsigned *)arg += strstr(frame->symbol, "fib") && strstr(frame->symbol, "node.js");
}

START_TEST(test_names_functions_of_node)
{
	unsigned found = 0;
	char *text;

	need("/usr/bin/node");
	text = shell("$PEAT trace -q -j -e cpu-clock -F 1000 -g -- sh -c 'echo $$ >pid; "
		     "exec /usr/bin/node --perf-basic-prof $ZOO/node.js 500'; "
		     "rm -f /tmp/perf-$(cat pid).map");
	for_each_frame(text, find_fib, &found);
	free(text);
	ck_assert_uint_gt(found, 20);
}
END_TEST

/* ---- beside a recording ---------------------------------------------------------------------- */

#define FRAMES_MAX 8192

struct frames {
	struct frame frames[FRAMES_MAX];
	size_t count;
};

static struct frame *find_address(struct frames *frames, const char *address)
{
	for (size_t i = 0; i < frames->count; i++)
		if (!strcmp(frames->frames[i].address, address))
			return &frames->frames[i];
	return NULL;
}

/* Each address once. */
static void add_frame(const struct frame *frame, void *arg)
{
	struct frames *frames = arg;

	if (!strncmp(frame->address, "0xffff", 6) || find_address(frames, frame->address))
		return;
	ck_assert_uint_lt(frames->count, FRAMES_MAX);
	frames->frames[frames->count++] = *frame;
}

static void check_same(struct frames *live, struct frames *recorded)
{
	unsigned common = 0;

	for (size_t i = 0; i < live->count; i++) {
		const struct frame *one = &live->frames[i];
		const struct frame *other = find_address(recorded, one->address);

		if (!other)
			continue;
		common++;
		ck_assert_msg(!strcmp(one->symbol, other->symbol) && one->offset == other->offset,
			      "%s: live %s+%llu (%s), recorded %s+%llu (%s)", one->address,
			      one->symbol, one->offset, one->module, other->symbol, other->offset,
			      other->module);
	}
	ck_assert_msg(common > 50, "%u addresses in both", common);
}

/* The same addresses twice: without randomization. */
START_TEST(test_live_and_recorded)
{
	static struct frames live, recorded;
	char *text;

	need("$ZOO/frames");
	text = shell("$PEAT trace -q -j -e cpu-clock -F 2000 -g -- setarch -R $ZOO/frames 400 "
		     "$ZOO/libbranch.so");
	for_each_frame(text, add_frame, &live);
	free(text);
	text = shell("$PEAT record -q -e cpu-clock -F 2000 -g -o recording -- setarch -R "
		     "$ZOO/frames 400 $ZOO/libbranch.so; $PEAT replay -q -j recording");
	for_each_frame(text, add_frame, &recorded);
	free(text);
	check_same(&live, &recorded);
}
END_TEST

static Suite *live_names_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("live_names", 60, &tests);

	tcase_add_checked_fixture(tests, setup, stock_perf__teardown);
	tcase_add_test(tests, test_short_processes);
	tcase_add_test(tests, test_names_functions_of_library);
	tcase_add_test(tests, test_names_functions_of_cpp);
	tcase_add_test(tests, test_other_mount_namespace);
	tcase_add_test(tests, test_deleted_program);
	tcase_add_test(tests, test_names_functions_of_node);
	tcase_add_test(tests, test_live_and_recorded);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { live_names_suite };

	return harness__main(argc, argv, suites, 1);
}

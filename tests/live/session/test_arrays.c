// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_arrays.c: arrays and types of several objects that have the same names. */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "support/load/renames.h"
#include "support/machine/harness.h"
#include "support/machine/mounts.h"
#include "support/machine/object.h"
#include "support/machine/tracing.h"

EMBED_OBJECT(twin)

#define PEAT command__peat()
#define PIN  "/sys/fs/bpf/kept"

static char one[64], two[64], directory[32] = "/tmp/peat-arrays-XXXXXX";

static void write_twin(char path[64], const char *name)
{
	FILE *file;

	snprintf(path, 64, "%s/%s", directory, name);
	file = fopen(path, "we");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(twin_object.bytes, *twin_object.count, 1, file), 1);
	ck_assert_int_eq(fclose(file), 0);
}

static void setup(void)
{
	mounts__own_bpffs();
	ck_assert_ptr_nonnull(mkdtemp(directory));
	write_twin(one, "one.bpf.o");
	write_twin(two, "two.o");
}

static void teardown(void)
{
	unlink(one);
	unlink(two);
	rmdir(directory);
}

static void expect_words(const char *text, const char *words)
{
	ck_assert_msg(strstr(text, words), "'%s' does not say '%s'", text, words);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Checks the only event of this type: its fields are those of `name_field`. */
static void check_event(const struct tracing *tracing, const char *type, const char *name_field)
{
	expect_text(tracing__only(tracing, type, getpid()), name_field, "peat#3");
}

static void check_bytes(const struct tracing *tracing, const char *map)
{
	const char *event;
	size_t from = 0, found = 0;

	while ((event = tracing__next(tracing, "raw", getpid(), &from)))
		found += !strcmp(json_lines__text(event, "map"), map);
	ck_assert_msg(found == 1, "%zu events of %s", found, map);
}

/* A type that one object alone has keeps its name. */
START_TEST(test_names_of_two_objects)
{
	struct tracing tracing;

	tracing__start(&tracing, TRACE(one, two, "--as", "one.events=event", "--as",
				       "two.events=event", "--as", "two.more_events=renamed"));
	renames__emit(3, 1);
	tracing__stop(&tracing);
	check_event(&tracing, "one.event", "name");
	check_event(&tracing, "two.event", "name");
	check_event(&tracing, "renamed", "to");
	check_bytes(&tracing, "one.more_events");
	tracing__free(&tracing);
}
END_TEST

START_TEST(test_names_of_one_object)
{
	struct tracing tracing;

	tracing__start(&tracing, TRACE(one, "--as", "one.events=event"));
	renames__emit(3, 1);
	tracing__stop(&tracing);
	check_event(&tracing, "event", "name");
	check_bytes(&tracing, "more_events");
	tracing__free(&tracing);
}
END_TEST

START_TEST(test_one_object_twice)
{
	struct tracing tracing;

	tracing__start(&tracing, TRACE(one, one, "--as", "one-2.events=event"));
	renames__emit(3, 1);
	tracing__stop(&tracing);
	check_event(&tracing, "event", "name");
	check_bytes(&tracing, "one.events");
	check_bytes(&tracing, "one-2.more_events");
	tracing__free(&tracing);
}
END_TEST

START_TEST(test_ambiguous_name)
{
	struct command peat;

	command__run(&peat, ALL_CAPS, ARGV(PEAT, "trace", one, two, "--as", "events=event"));
	ck_assert_int_eq(peat.status, 64);
	expect_words(peat.err_text, "name one, MAP=TYPE: one.events, two.events\n");
	command__free(&peat);
	command__run(&peat, ALL_CAPS, ARGV(PEAT, "trace", one, "--as", "two.events=event"));
	ck_assert_int_eq(peat.status, 64);
	expect_words(peat.err_text, "no perf event array 'two.events'");
	command__free(&peat);
}
END_TEST

/* The list has the names that --as needs for the same objects. */
START_TEST(test_names_in_a_list)
{
	struct command peat;

	command__run(&peat, ALL_CAPS, ARGV(PEAT, "list", "-v", one, two));
	ck_assert_msg(peat.status == 0, "%s", peat.err_text);
	expect_words(peat.out_text, "array one.events: ");
	expect_words(strstr(peat.out_text, "array one.events: "), "array two.events: ");
	command__free(&peat);
	command__run(&peat, ALL_CAPS, ARGV(PEAT, "list", "-v", two));
	expect_words(peat.out_text, "array events: ");
	command__free(&peat);
	command__run(&peat, ALL_CAPS, ARGV(PEAT, "list", "-j", one, "exec", one));
	expect_words(peat.out_text, "\"name\":\"one-2.events\"");
	command__free(&peat);
}
END_TEST

/* Runs `peat record` beside an event. */
static void record(struct command *peat, const char *const *argv)
{
	command__start(peat, ALL_CAPS, argv);
	command__expect(peat->err, " attached");
	renames__emit(3, 1);
	kill(peat->pid, SIGINT);
	command__finish(peat);
	ck_assert_msg(peat->status == 0, "%s", peat->err_text);
}

/* The counts of what `peat record` wrote to `path`. */
static void record_and_count(struct command *peat, const char *path, const char *const *argv)
{
	record(peat, argv);
	command__free(peat);
	command__run(peat, ALL_CAPS, ARGV(PEAT, "replay", "--stats", path));
	unlink(path);
}

START_TEST(test_names_in_a_recording)
{
	struct command peat;
	char path[64];

	snprintf(path, sizeof(path), "%s/x.data", directory);
	record_and_count(&peat, path,
			 ARGV(PEAT, "record", "-v", "-o", path, one, two, "--as",
			      "one.events=event", "--as", "two.events=event"));
	expect_words(peat.out_text, "peat:one_event\n");
	expect_words(peat.out_text, "peat:two_event\n");
	expect_words(peat.out_text, "peat:one_more_events\n");
	expect_words(peat.out_text, "peat:two_more_events\n");
	command__free(&peat);
}
END_TEST

/* ---- pins ------------------------------------------------------------------------------------ */

/* Arrays with events of one type are two events of the recording. */
START_TEST(test_one_type_in_a_recording)
{
	struct command peat;
	char path[64];

	snprintf(path, sizeof(path), "%s/x.data", directory);
	record_and_count(&peat, path,
			 ARGV(PEAT, "record", "-v", "-o", path, one, "--as", "events=event", "--as",
			      "more_events=event"));
	expect_words(peat.out_text, "peat:events_event\n");
	expect_words(peat.out_text, "peat:more_events_event\n");
	command__free(&peat);
}
END_TEST

START_TEST(test_pins_of_two_objects)
{
	static const char *const maps[] = { "one_events", "one_more_events", "two_events",
					    "two_more_events" };
	struct tracing tracing;
	char path[64];

	tracing__start(&tracing, TRACE(one, two, "--pin", PIN));
	tracing__stop(&tracing);
	tracing__free(&tracing);
	for (size_t i = 0; i < sizeof(maps) / sizeof(*maps); i++) {
		snprintf(path, sizeof(path), PIN "/map-%s", maps[i]);
		ck_assert_msg(!access(path, F_OK), "no %s", path);
	}
}
END_TEST

/* The next reader has the names and types of the first, and can set others. */
START_TEST(test_types_of_pins)
{
	struct tracing tracing;

	tracing__start(&tracing, TRACE(one, two, "--pin", PIN, "--as", "one.events=event", "--as",
				       "two.more_events=renamed"));
	tracing__stop(&tracing);
	tracing__free(&tracing);
	tracing__start(&tracing, TRACE("--steal", "--map", PIN));
	renames__emit(3, 1);
	tracing__stop(&tracing);
	check_event(&tracing, "event", "name");
	check_event(&tracing, "renamed", "to");
	check_bytes(&tracing, "one.more_events");
	check_bytes(&tracing, "two.events");
	expect_words(tracing.peat.err_text,
		     "one.events: events are struct event: named (pinned with");
	tracing__free(&tracing);
	tracing__start(&tracing, TRACE("--steal", "--map", PIN, "--as", "two.events=struct event",
				       "--as", "two.more_events=raw"));
	renames__emit(3, 1);
	tracing__stop(&tracing);
	check_event(&tracing, "one.event", "name");
	check_event(&tracing, "two.event", "name");
	check_bytes(&tracing, "two.more_events");
	tracing__free(&tracing);
}
END_TEST

/* The type that is pinned with a map is found by any name of the map. */
START_TEST(test_type_of_one_pin)
{
	struct tracing tracing;
	struct command peat;

	tracing__start(&tracing, TRACE(one, "--pin", PIN, "--as", "events=event"));
	tracing__stop(&tracing);
	tracing__free(&tracing);
	ck_assert_int_eq(rename(PIN "/map-events", "/sys/fs/bpf/moved"), 0);
	tracing__start(&tracing, TRACE("--steal", "--map", "/sys/fs/bpf/moved"));
	renames__emit(3, 1);
	tracing__stop(&tracing);
	check_event(&tracing, "event", "name");
	tracing__free(&tracing);
	command__run(
		&peat, ALL_CAPS,
		ARGV(PEAT, "trace", "--steal", "--map", "/sys/fs/bpf/moved", "--as", "nothing"));
	ck_assert_int_eq(peat.status, 1);
	expect_words(peat.err_text, "events: no struct 'nothing' is pinned with the map");
	command__free(&peat);
}
END_TEST

/* The recording has the BTF: members are nested, as in live events. */
static void check_recorded_nesting(const char *map)
{
	struct command peat;
	char path[64];

	snprintf(path, sizeof(path), "%s/x.data", directory);
	record(&peat,
	       ARGV(PEAT, "record", "-v", "-o", path, "--steal", "--map", map, "--as", "event"));
	command__free(&peat);
	command__run(&peat, ALL_CAPS, ARGV(PEAT, "replay", "-j", path));
	expect_words(peat.out_text, "\"nested\":{\"number\":0}");
	command__free(&peat);
	unlink(path);
}

/* Without a pin, the programs that write to the map have the types. */
START_TEST(test_type_of_a_running_program)
{
	struct bpf_object *object = object__open(&twin_object);
	struct bpf_map_info info = { 0 };
	uint32_t bytes = sizeof(info);
	struct tracing tracing;
	struct bpf_link *link;
	char map[32];

	object__load(object);
	link = object__attach(object, "on_rename");
	ck_assert_int_eq(bpf_obj_get_info_by_fd(object__map_fd(object, "events"), &info, &bytes),
			 0);
	snprintf(map, sizeof(map), "id=%u", info.id);
	tracing__start(&tracing, TRACE("--steal", "--map", map, "--as", "event"));
	renames__emit(3, 1);
	tracing__stop(&tracing);
	check_event(&tracing, "event", "name");
	tracing__free(&tracing);
	check_recorded_nesting(map);
	bpf_link__destroy(link);
	bpf_object__close(object);
}
END_TEST

/* ---------------------------------------------------------------------------------------------- */

static Suite *arrays_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("arrays", 60, &tests);

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_names_of_two_objects);
	tcase_add_test(tests, test_names_of_one_object);
	tcase_add_test(tests, test_one_object_twice);
	tcase_add_test(tests, test_ambiguous_name);
	tcase_add_test(tests, test_names_in_a_recording);
	tcase_add_test(tests, test_names_in_a_list);
	tcase_add_test(tests, test_one_type_in_a_recording);
	tcase_add_test(tests, test_pins_of_two_objects);
	tcase_add_test(tests, test_types_of_pins);
	tcase_add_test(tests, test_type_of_one_pin);
	tcase_add_test(tests, test_type_of_a_running_program);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { arrays_suite };

	return harness__main(argc, argv, suites, 1);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_type_overrides.c: the events and types that "[EVENT=]TYPE" names. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <bpf/btf.h>

#include "field/fields.h"
#include "record/attr_encode.h"
#include "replay/type_overrides.h"
#include "unit/fail_alloc.h"
#include "unit/replay/replay_run.h"
#include "unit/suite.h"

#define EVENTS_MOST   8
#define TYPE_SOFTWARE 1
#define CONFIG_DUMMY  9

static struct perf_attr attr_table[EVENTS_MOST];
static struct perf_attr *attr_pointers[EVENTS_MOST];
static struct perf_attrs attrs;
static enum sample_data samples[EVENTS_MOST];
static struct btf *btfs[4];
static struct recorded_types recorded;
static struct type_overrides overrides;
static long blocks;

static void setup(void)
{
	blocks = fail_alloc__blocks();
	begin_replays();
	attrs = (struct perf_attrs){ .at = attr_pointers };
	recorded = (struct recorded_types){ .attrs = &attrs, .samples = samples, .btfs = btfs };
}

/* Everything that a test allocated is freed. */
static void teardown(void)
{
	type_overrides__free(&overrides);
	for (uint32_t i = 0; i < recorded.btf_count; i++)
		btf__free(btfs[i]);
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}

static void add_event(const char *name, enum sample_data data)
{
	struct perf_attr *attr = &attr_table[attrs.count];

	*attr = attr_encode__bpf_output();
	attr->name = (char *)name;
	attr->index = attrs.count;
	samples[attrs.count] = data;
	attr_pointers[attrs.count++] = attr;
}

/* A program's types: struct `name` of so many numbers of four bytes. */
static void add_types(const char *name, uint32_t numbers)
{
	struct btf *btf = btf__new_empty();
	int u32 = btf__add_int(btf, "unsigned int", 4, 0);

	ck_assert_int_gt(u32, 0);
	ck_assert_int_gt(btf__add_struct(btf, name, numbers * 4), 0);
	for (uint32_t i = 0; i < numbers; i++)
		btf__add_field(btf, (char[]){ (char)('a' + i), '\0' }, u32, i * 32, 0);
	btfs[recorded.btf_count++] = btf;
}

static int resolve_with(const char *path, const char *first, const char *second)
{
	const char *const specs[] = { first, second, NULL };
	int err;

	*replay_log = '\0';
	type_overrides__free(&overrides);
	err = type_overrides__init(&overrides, specs, path);
	return err ? err : type_overrides__resolve(&overrides, &recorded);
}

static int resolve(const char *first, const char *second)
{
	return resolve_with(NULL, first, second);
}

static void check_override(uint32_t index, const char *event, uint32_t bytes)
{
	const struct type_override *override = type_overrides__of(&overrides, index);

	ck_assert_ptr_nonnull(override);
	ck_assert_str_eq(override->event, event);
	ck_assert_str_eq(override->schema->name, strncmp(event, "peat:", 5) ? event : event + 5);
	ck_assert_uint_eq(peat_schema__bytes(override->schema), bytes);
}

START_TEST(test_no_overrides)
{
	add_event("first", SAMPLE_DATA_PLAIN);
	ck_assert_int_eq(type_overrides__init(&overrides, NULL, NULL), 0);
	ck_assert_int_eq(type_overrides__resolve(&overrides, &recorded), 0);
	ck_assert_uint_eq(overrides.count, 0);
	ck_assert_ptr_null(type_overrides__of(&overrides, 0));
	ck_assert_str_eq(replay_log, "");
}
END_TEST

/* With or without "peat:" and "struct"; names of events may contain "=". */
START_TEST(test_names_with_prefixes)
{
	add_event("first", SAMPLE_DATA_PLAIN);
	add_event("peat:second", SAMPLE_DATA_PLAIN);
	add_event("a=b", SAMPLE_DATA_PLAIN);
	add_types("one", 1);
	ck_assert_int_eq(resolve("second=struct one", "first=one"), 0);
	check_override(1, "peat:second", 4);
	check_override(0, "first", 4);
	ck_assert_ptr_null(type_overrides__of(&overrides, 2));
	ck_assert_int_eq(type_overrides__resolve(&overrides, &recorded), 0);
	ck_assert_int_eq(resolve("a=b=one", NULL), 0);
	check_override(2, "a=b", 4);
	ck_assert_str_eq(replay_log, "");
}
END_TEST

/* Without a name: the only event of plain bytes.  The dummy event of perf has no samples. */
START_TEST(test_only_event)
{
	add_event("dummy", SAMPLE_DATA_PLAIN);
	attr_table[0].type = TYPE_SOFTWARE;
	attr_table[0].config = CONFIG_DUMMY;
	add_event("formatted", SAMPLE_DATA_FORMAT);
	add_event("without", SAMPLE_DATA_NONE);
	add_event("plain", SAMPLE_DATA_PLAIN);
	add_types("one", 1);
	ck_assert_int_eq(resolve("one", NULL), 0);
	check_override(3, "plain", 4);
	add_event("other", SAMPLE_DATA_PLAIN);
	ck_assert_int_eq(resolve("one", NULL), -EINVAL);
	ck_assert_ptr_nonnull(strstr(replay_log, "EVENT=one: plain, other\n"));
	samples[3] = samples[4] = SAMPLE_DATA_NONE;
	ck_assert_int_eq(resolve("one", NULL), -ENOENT);
	ck_assert_ptr_nonnull(strstr(replay_log, "dummy, formatted, without, plain, other\n"));
	add_event("sixth", SAMPLE_DATA_NONE);
	ck_assert_int_eq(resolve("one", NULL), -ENOENT);
	ck_assert_ptr_nonnull(
		strstr(replay_log, "dummy, formatted, without, plain, other and 1 more\n"));
}
END_TEST

static void check_refused(const char *first, const char *second, int err, const char *words)
{
	ck_assert_int_eq(resolve(first, second), err);
	ck_assert_msg(strstr(replay_log, words), "'%s' has no '%s'", replay_log, words);
}

START_TEST(test_refusals_name_reason)
{
	const char *const invalid[] = { "=one", NULL };

	add_event("formatted", SAMPLE_DATA_FORMAT);
	add_event("without", SAMPLE_DATA_NONE);
	add_event("twice", SAMPLE_DATA_PLAIN);
	add_event("twice", SAMPLE_DATA_PLAIN);
	add_event("plain", SAMPLE_DATA_PLAIN);
	add_types("one", 1);
	check_refused("formatted=one", NULL, -EINVAL, "already has the format of this event's");
	check_refused("without=one", NULL, -EINVAL, "samples of this event have no raw bytes");
	check_refused("twice=one", NULL, -EINVAL, "several events are called 'twice'");
	check_refused("plain=one", "plain=struct one", -EINVAL,
		      "plain=struct one: the event already has the type of plain=one\n");
	check_refused("none=one", NULL, -ENOENT,
		      "no event 'none': the recording has formatted, without, twice, twice, plain");
	check_refused("=one", NULL, -EINVAL, "invalid type of events '=one'");
	check_refused("plain=", NULL, -EINVAL, "invalid type of events 'plain='");
	check_refused("plain=struct ", NULL, -EINVAL, "it must be [EVENT=]TYPE");
	type_overrides__free(&overrides);
	ck_assert_int_eq(type_overrides__init(&overrides, invalid, NULL), -EINVAL);
	check_refused("plain=none", NULL, -ENOENT,
		      "no struct 'none' in the recording: the programs have one\n");
}
END_TEST

/* Writes the types to a file and removes them from the recording. */
static void move_types_to_file(char path[32])
{
	struct btf *btf = btfs[--recorded.btf_count];
	int fd = memfd_create("types", MFD_CLOEXEC);
	uint32_t count;
	const void *bytes = btf__raw_data(btf, &count);

	ck_assert_int_eq(write(fd, bytes, count), (ssize_t)count);
	btf__free(btf);
	snprintf(path, 32, "/proc/self/fd/%d", fd);
}

/* The types of a file have priority over those of the recording. */
START_TEST(test_types_of_a_file)
{
	char path[32], wanted[128];

	add_event("first", SAMPLE_DATA_PLAIN);
	add_event("second", SAMPLE_DATA_PLAIN);
	add_types("both", 3);
	move_types_to_file(path);
	add_types("both", 1);
	add_types("own", 2);
	ck_assert_int_eq(resolve_with(path, "first=both", "second=own"), 0);
	check_override(0, "first", 12);
	check_override(1, "second", 8);
	ck_assert_str_eq(replay_log, "");
	ck_assert_int_eq(resolve_with(path, "first=none", NULL), -ENOENT);
	snprintf(wanted, sizeof(wanted), "no struct 'none' in %s or in the recording: ", path);
	ck_assert_ptr_nonnull(strstr(replay_log, wanted));
	recorded.btf_count = 0;
	ck_assert_int_eq(resolve_with(path, "first=none", NULL), -ENOENT);
	ck_assert_ptr_nonnull(strstr(replay_log, "the programs have both\n"));
	recorded.btf_count = 2;
	ck_assert_int_eq(resolve_with("/no/such/types", "first=both", NULL), -ENOENT);
}
END_TEST

START_TEST(test_recording_without_events)
{
	ck_assert_int_eq(resolve("one", NULL), -ENOENT);
	ck_assert_ptr_nonnull(strstr(replay_log, "none"));
}
END_TEST

/* The first program that has the type decides; only a type of another size is ambiguous. */
START_TEST(test_types_of_several_programs)
{
	add_event("first", SAMPLE_DATA_PLAIN);
	add_types("other", 1);
	add_types("twice", 2);
	add_types("twice", 2);
	ck_assert_int_eq(resolve("twice", NULL), 0);
	check_override(0, "first", 8);
	ck_assert_str_eq(replay_log, "");
	btf__free(btfs[--recorded.btf_count]);
	add_types("twice", 3);
	ck_assert_int_eq(resolve("twice", NULL), 0);
	check_override(0, "first", 8);
	ck_assert_ptr_nonnull(strstr(replay_log, "'twice'"));
	ck_assert_ptr_nonnull(strstr(replay_log, "the first, of 8 bytes"));
	btf__free(btfs[1]);
	btfs[1] = btfs[--recorded.btf_count];
	ck_assert_int_eq(resolve("twice", NULL), 0);
	check_override(0, "first", 12);
	ck_assert_str_eq(replay_log, "");
}
END_TEST

/* The programs have a struct `twice` of so many numbers, or none; one warning tells of all sizes.
 */
static void check_ambiguous(const uint32_t numbers[4], bool is_ambiguous)
{
	const char *warning;

	while (recorded.btf_count)
		btf__free(btfs[--recorded.btf_count]);
	for (uint32_t i = 0; i < 4; i++)
		add_types(numbers[i] ? "twice" : "other", numbers[i] ? numbers[i] : 1);
	ck_assert_int_eq(resolve("twice", NULL), 0);
	warning = strstr(replay_log, "several programs");
	ck_assert_int_eq(warning != NULL, is_ambiguous);
	ck_assert(!warning || !strstr(warning + 1, "several programs"));
}

START_TEST(test_ambiguous_types)
{
	add_event("first", SAMPLE_DATA_PLAIN);
	check_ambiguous((const uint32_t[4]){ 0, 2, 0, 2 }, false);
	check_ambiguous((const uint32_t[4]){ 2, 0, 0, 3 }, true);
	check_ambiguous((const uint32_t[4]){ 2, 2, 2, 3 }, true);
	check_ambiguous((const uint32_t[4]){ 2, 3, 4, 5 }, true);
}
END_TEST

/* Malformed BTF does not hide the types of other programs; the kernel's types are not listed. */
START_TEST(test_listed_types)
{
	add_event("first", SAMPLE_DATA_PLAIN);
	ck_assert_int_eq(resolve("nothing", NULL), -ENOENT);
	ck_assert_ptr_nonnull(strstr(replay_log, "the programs have none\n"));
	add_types("bpf_map_def", 1);
	ck_assert_int_eq(resolve("nothing", NULL), -ENOENT);
	ck_assert_ptr_nonnull(strstr(replay_log, "'nothing'"));
	ck_assert_ptr_null(strstr(replay_log, "bpf_map_def"));
	add_types("own", 1);
	ck_assert_int_eq(resolve("nothing", NULL), -ENOENT);
	ck_assert_ptr_nonnull(strstr(replay_log, "the programs have own\n"));
}
END_TEST

START_TEST(test_no_memory)
{
	const char *const specs[] = { "first=one", "two", NULL };
	bool failed = true;

	add_event("first", SAMPLE_DATA_PLAIN);
	add_event("second", SAMPLE_DATA_PLAIN);
	attr_table[1].type = TYPE_SOFTWARE;
	attr_table[1].config = CONFIG_DUMMY;
	add_event("third", SAMPLE_DATA_PLAIN);
	add_types("one", 1);
	for (unsigned nth = 1; failed; nth++) {
		int err;

		fail_alloc__begin(nth);
		err = type_overrides__init(&overrides, specs, NULL);
		failed = fail_alloc__end();
		ck_assert_int_eq(err, failed ? -ENOMEM : 0);
		type_overrides__free(&overrides);
		ck_assert_uint_eq(overrides.count, 0);
	}
	failed = true;
	for (unsigned nth = 1; failed; nth++) {
		int err = type_overrides__init(&overrides, (const char *const[]){ specs[0], NULL },
					       NULL);

		ck_assert_int_eq(err, 0);
		*replay_log = '\0';
		fail_alloc__begin(nth);
		err = type_overrides__resolve(&overrides, &recorded);
		failed = fail_alloc__end();
		ck_assert_int_eq(err, failed ? -ENOMEM : 0);
		ck_assert_int_eq(strstr(replay_log, "no memory for the types of events\n") != NULL,
				 failed);
		type_overrides__free(&overrides);
	}
}
END_TEST

SUITE(30)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_no_overrides);
	tcase_add_test(tests, test_names_with_prefixes);
	tcase_add_test(tests, test_only_event);
	tcase_add_test(tests, test_refusals_name_reason);
	tcase_add_test(tests, test_types_of_a_file);
	tcase_add_test(tests, test_recording_without_events);
	tcase_add_test(tests, test_types_of_several_programs);
	tcase_add_test(tests, test_ambiguous_types);
	tcase_add_test(tests, test_listed_types);
	tcase_add_test(tests, test_no_memory);
}

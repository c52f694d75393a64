// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_pprof.c: profiles for pprof, decoded again. */
#include <profile.pb-c.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "unit/stacks/stack_maker.h"
#include "unit/suite.h"

#define PROFILE_MAX (8 << 20)

/* Decompresses and decodes the profile of the stacks. */
static Profile__Profile *profile_of(const struct counted_stacks *stacks)
{
	int fd = memfd_create("profile", MFD_CLOEXEC);
	uint8_t *bytes = malloc(PROFILE_MAX);
	Profile__Profile *profile;
	gzFile file;
	int count;

	ck_assert_int_eq(pprof__write(stacks, fd), 0);
	ck_assert_int_eq(lseek(fd, 0, SEEK_SET), 0);
	file = gzdopen(fd, "r");
	count = gzread(file, bytes, PROFILE_MAX);
	ck_assert_int_gt(count, 0);
	ck_assert_int_eq(gzdirect(file), 0);
	ck_assert_int_eq(gzclose(file), Z_OK);
	profile = profile__profile__unpack(NULL, (size_t)count, bytes);
	ck_assert_ptr_nonnull(profile);
	ck_assert_str_eq(profile->string_table[0], "");
	free(bytes);
	return profile;
}

static const char *text_of(const Profile__Profile *profile, int64_t number)
{
	ck_assert_uint_lt((uint64_t)number, profile->n_string_table);
	return profile->string_table[number];
}

static void check_text(const Profile__Profile *profile, int64_t number, const char *wanted)
{
	ck_assert_str_eq(text_of(profile, number), wanted);
}

static void check_type(const Profile__Profile *profile, const Profile__ValueType *type,
		       const char *name, const char *unit)
{
	check_text(profile, type->type, name);
	check_text(profile, type->unit, unit);
}

static const Profile__Location *location_of(const Profile__Profile *profile,
					    const Profile__Sample *sample, size_t i)
{
	uint64_t id;

	ck_assert_uint_lt(i, sample->n_location_id);
	id = sample->location_id[i];
	ck_assert(id && id <= profile->n_location && profile->location[id - 1]->id == id);
	return profile->location[id - 1];
}

static const Profile__Function *function_of(const Profile__Profile *profile,
					    const Profile__Location *location, size_t line)
{
	uint64_t id;

	ck_assert_uint_lt(line, location->n_line);
	id = location->line[line]->function_id;
	ck_assert(id && id <= profile->n_function && profile->function[id - 1]->id == id);
	return profile->function[id - 1];
}

/* "inner<main" for inner inlined into main. */
static void check_location(const Profile__Profile *profile, const Profile__Sample *sample, size_t i,
			   const char *wanted)
{
	const Profile__Location *location = location_of(profile, sample, i);
	char text[200] = "";

	for (size_t line = 0; line < location->n_line; line++) {
		if (line)
			strcat(text, "<");
		strcat(text, text_of(profile, function_of(profile, location, line)->name));
	}
	ck_assert_str_eq(text, wanted);
}

static void free_profile(Profile__Profile *profile)
{
	profile__profile__free_unpacked(profile, NULL);
}

/* ---- samples --------------------------------------------------------------------------------- */

START_TEST(test_samples_have_values)
{
	struct counted_stacks stacks = { .event = "cpu-clock:u",
					 .title = "perf record ls",
					 .unit.kind = PEAT_FIELD_DURATION,
					 .period = 10000000,
					 .first_ns = 5000,
					 .last_ns = 9000,
					 .wall_clock_ns = 1700000000000000000 };
	const Profile__Sample *sample;
	Profile__Profile *profile;

	make_stack(&stacks, "ls|u main|u outer|i middle|i inner|k vfs_read", 3, 30000000);
	make_stack(&stacks, "|u ", 1, 10000000);
	profile = profile_of(&stacks);
	ck_assert_uint_eq(profile->n_sample_type, 2);
	check_type(profile, profile->sample_type[0], "samples", "count");
	check_type(profile, profile->sample_type[1], "cpu", "nanoseconds");
	check_text(profile, profile->default_sample_type, "cpu");
	check_type(profile, profile->period_type, "cpu", "nanoseconds");
	ck_assert_int_eq(profile->period, 10000000);
	ck_assert_int_eq(profile->duration_nanos, 4000);
	ck_assert_int_eq(profile->time_nanos, 1700000000000005000);
	ck_assert_uint_eq(profile->n_comment, 1);
	check_text(profile, profile->comment[0], "perf record ls");

	ck_assert_uint_eq(profile->n_sample, 2);
	sample = profile->sample[0];
	ck_assert_uint_eq(sample->n_value, 2);
	ck_assert_int_eq(sample->value[0], 3);
	ck_assert_int_eq(sample->value[1], 30000000);
	ck_assert_uint_eq(sample->n_location_id, 3);
	check_location(profile, sample, 0, "vfs_read");
	check_location(profile, sample, 1, "inner<middle<outer");
	check_location(profile, sample, 2, "main");
	ck_assert_uint_eq(sample->n_label, 3);
	check_text(profile, sample->label[0]->key, "comm");
	check_text(profile, sample->label[0]->str, "ls");
	check_text(profile, sample->label[1]->key, "pid");
	ck_assert_int_eq(sample->label[1]->num, 42);
	check_text(profile, sample->label[2]->key, "tid");
	ck_assert_int_eq(sample->label[2]->num, 43);
	sample = profile->sample[1];
	ck_assert_uint_eq(sample->n_label, 2);
	check_location(profile, sample, 0, ""); /* no symbol: an address */
	free_profile(profile);
	free_stacks(&stacks);
}
END_TEST

/* ---- locations ------------------------------------------------------------------------------- */

START_TEST(test_locations_have_lines_and_mappings)
{
	struct counted_stacks stacks = { .event = "cycles" };
	struct peat_stack_frame frame = made_frame("u main");
	const Profile__Location *location;
	const Profile__Mapping *mapping;
	const Profile__Function *function;
	Profile__Profile *profile;
	uint32_t node;

	frame.symbol = "ns::f(int)";
	frame.raw_symbol = "_ZN2ns1fEi";
	frame.file = "/src/f.cc";
	frame.line = 17;
	frame.module_offset = 0x4567;
	node = stack_tree__child(&stacks.tree, 0,
				 counted_frames__add_task(&stacks.frames, "x", 1, 1));
	node = stack_tree__child(&stacks.tree, node,
				 counted_frames__add(&stacks.frames, &frame, true));
	stack_tree__count(&stacks.tree, node, 1, 0);
	make_stack(&stacks, "y|k vfs_read", 1, 0);
	profile = profile_of(&stacks);
	ck_assert_uint_eq(profile->n_sample_type, 1); /* no weights */
	location = location_of(profile, profile->sample[0], 0);
	ck_assert_uint_eq(location->address, 0x4567);
	ck_assert_int_eq(location->line[0]->line, 17);
	function = function_of(profile, location, 0);
	check_text(profile, function->name, "ns::f(int)");
	check_text(profile, function->system_name, "_ZN2ns1fEi");
	check_text(profile, function->filename, "/src/f.cc");
	mapping = profile->mapping[location->mapping_id - 1];
	ck_assert_uint_eq(mapping->id, location->mapping_id);
	check_text(profile, mapping->filename, MADE_FILE);
	check_text(profile, mapping->build_id, MADE_BUILD_ID);
	ck_assert_uint_eq(mapping->memory_start, 0);
	ck_assert_uint_eq(mapping->memory_limit, 0x4568);
	ck_assert(mapping->has_functions && mapping->has_filenames && mapping->has_line_numbers);
	location = location_of(profile, profile->sample[1], 0);
	ck_assert(location->address == 0xffffffff81000000);
	mapping = profile->mapping[location->mapping_id - 1];
	check_text(profile, mapping->filename, "[kernel]");
	ck_assert(mapping->memory_start == 0xffffffff81000000);
	ck_assert(mapping->has_functions && !mapping->has_filenames);
	free_profile(profile);
	free_stacks(&stacks);
}
END_TEST

/* Each text, function, mapping and location is there once. */
START_TEST(test_once_each_text_and_location)
{
	struct counted_stacks stacks = { .event = "cycles" };
	Profile__Profile *profile;

	make_stack(&stacks, "x|u main|u read|u main|k read", 1, 0);
	make_stack(&stacks, "y|u main|u read", 1, 0);
	profile = profile_of(&stacks);
	ck_assert_uint_eq(profile->n_sample, 2);
	ck_assert_uint_eq(profile->n_location, 3);
	ck_assert_uint_eq(profile->n_mapping, 2);
	ck_assert_uint_eq(profile->n_function, 2);
	for (size_t i = 0; i < profile->n_string_table; i++)
		for (size_t j = 0; j < i; j++)
			ck_assert_str_ne(profile->string_table[i], profile->string_table[j]);
	free_profile(profile);
	free_stacks(&stacks);
}
END_TEST

START_TEST(test_many_samples)
{
	struct counted_stacks stacks = { .event = "cycles" };
	Profile__Profile *profile;
	int64_t sum = 0;
	char text[64];

	for (int i = 0; i < 5000; i++) {
		snprintf(text, sizeof(text), "t%d|u f%d|u g%d", i % 100, i % 1000, i);
		make_stack(&stacks, text, 1, 0);
	}
	profile = profile_of(&stacks);
	ck_assert_uint_eq(profile->n_sample, 5000);
	for (size_t i = 0; i < profile->n_sample; i++)
		sum += profile->sample[i]->value[0];
	ck_assert_int_eq(sum, 5000);
	ck_assert_uint_eq(profile->n_location, 6000);
	check_location(profile, profile->sample[1234], 0, "g1234");
	check_location(profile, profile->sample[1234], 1, "f234");
	free_profile(profile);
	free_stacks(&stacks);
}
END_TEST

/* pprof names a profile after its first mapping. */
START_TEST(test_main_program)
{
	struct counted_stacks stacks = { .event = "cycles" };
	const Profile__Location *location;
	Profile__Profile *profile;

	make_stack(&stacks, "x|u dl_start", 5, 0);
	make_stack(&stacks, "x|k execve", 5, 0);
	make_stack(&stacks, "x|p main|u read|k vfs_read", 1, 0);
	profile = profile_of(&stacks);
	ck_assert_uint_eq(profile->n_mapping, 3);
	check_text(profile, profile->mapping[0]->filename, MADE_PROGRAM);
	check_text(profile, profile->mapping[1]->filename, MADE_FILE);
	check_text(profile, profile->mapping[2]->filename, "[kernel]");
	location = location_of(profile, profile->sample[2], 2);
	ck_assert_uint_eq(location->mapping_id, profile->mapping[0]->id);
	for (size_t i = 0; i < 3; i++)
		for (size_t j = 0; j < i; j++)
			ck_assert_uint_ne(profile->mapping[i]->id, profile->mapping[j]->id);
	free_profile(profile);
	free_stacks(&stacks);
}
END_TEST

/* A profile of libraries alone keeps its order. */
START_TEST(test_no_program)
{
	struct counted_stacks stacks = { .event = "cycles" };
	Profile__Profile *profile;

	make_stack(&stacks, "x|k execve", 1, 0);
	make_stack(&stacks, "x|u read", 5, 0);
	profile = profile_of(&stacks);
	check_text(profile, profile->mapping[0]->filename, "[kernel]");
	check_text(profile, profile->mapping[1]->filename, MADE_FILE);
	free_profile(profile);
	free_stacks(&stacks);
}
END_TEST

/* ---- weights --------------------------------------------------------------------------------- */

static void check_weight(const char *event, const char *weight, enum peat_field_kind unit,
			 const char *name, const char *unit_name)
{
	struct counted_stacks stacks = {
		.event = event, .weight = weight, .unit.kind = unit, .is_weighted = true
	};
	Profile__Profile *profile;

	make_stack(&stacks, "x|u main", 1, UINT64_MAX);
	profile = profile_of(&stacks);
	check_type(profile, profile->sample_type[1], name, unit_name);
	ck_assert(profile->sample[0]->value[1] == INT64_MAX);
	ck_assert_ptr_null(profile->period_type);
	free_profile(profile);
	free_stacks(&stacks);
}

START_TEST(test_weights_have_types)
{
	check_weight("peat:offcpu", "duration", PEAT_FIELD_DURATION, "offcpu", "nanoseconds");
	check_weight("peat:read", "count", PEAT_FIELD_SIZE, "count", "bytes");
	check_weight("task-clock", "period", PEAT_FIELD_DURATION, "cpu", "nanoseconds");
	check_weight("cycles", NULL, PEAT_FIELD_UNSIGNED, "cycles", "count");
}
END_TEST

/* Texts of a profile are UTF-8. */
START_TEST(test_hostile_text_becomes_utf8)
{
	struct counted_stacks stacks = { .event = "cycles" };
	Profile__Profile *profile;

	make_stack(&stacks, "\xff|u \xc3\xa9\x80", 1, 0);
	profile = profile_of(&stacks);
	check_location(profile, profile->sample[0], 0, "\xc3\xa9\xef\xbf\xbd");
	check_text(profile, profile->sample[0]->label[0]->str, "\xef\xbf\xbd");
	free_profile(profile);
	free_stacks(&stacks);
}
END_TEST

START_TEST(test_nothing_has_no_samples)
{
	struct counted_stacks stacks = { 0 };
	Profile__Profile *profile = profile_of(&stacks);

	ck_assert_uint_eq(profile->n_sample, 0);
	ck_assert_uint_eq(profile->n_sample_type, 1);
	free_profile(profile);
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_samples_have_values);
	tcase_add_test(tests, test_locations_have_lines_and_mappings);
	tcase_add_test(tests, test_once_each_text_and_location);
	tcase_add_test(tests, test_main_program);
	tcase_add_test(tests, test_no_program);
	tcase_add_test(tests, test_many_samples);
	tcase_add_test(tests, test_weights_have_types);
	tcase_add_test(tests, test_hostile_text_becomes_utf8);
	tcase_add_test(tests, test_nothing_has_no_samples);
}

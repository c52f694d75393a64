// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_main_mapping.c: the first mapping of made profiles. */
#include <errno.h>
#include <string.h>

#include "stacks/main_mapping.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

#define MAPPINGS 4
#define SAMPLES	 4
#define DEPTH	 4

/* Samples in mappings, by their ids, from the innermost frame on.  Mapping 0: none. */
struct made_sample {
	int64_t count;
	size_t depth;
	uint64_t mappings[DEPTH];
};

/* Arrays of pointers end with NULL. */
static struct {
	Profile__Profile profile;
	Profile__Mapping mappings[MAPPINGS], *mapping[MAPPINGS + 1];
	Profile__Location locations[MAPPINGS + 1], *location[MAPPINGS + 2];
	Profile__Sample samples[SAMPLES], *sample[SAMPLES + 1];
	int64_t values[SAMPLES][2];
	uint64_t location_ids[SAMPLES][DEPTH];
	char *strings[MAPPINGS + 1];
} made;

/* Mapping `m` has location m + 1. */
static void make_mappings(const char *const *paths)
{
	static char none[] = "";

	made.strings[0] = none;
	for (size_t i = 0; i <= MAPPINGS; i++) {
		made.locations[i] = (Profile__Location){ .id = i + 1, .mapping_id = i };
		made.location[i] = &made.locations[i];
	}
	for (size_t i = 0; i < MAPPINGS && paths[i]; i++) {
		made.strings[i + 1] = (char *)(uintptr_t)paths[i];
		made.mappings[i] = (Profile__Mapping){ .id = i + 1, .filename = (int64_t)i + 1 };
		made.mapping[i] = &made.mappings[i];
		made.profile.n_mapping++;
	}
}

/* The weight, the second value, counts for nothing: it is as large as the first is small. */
static void make_samples(const struct made_sample *samples)
{
	for (size_t i = 0; i < SAMPLES && samples[i].count; i++) {
		made.values[i][0] = samples[i].count;
		made.values[i][1] = 1000 / samples[i].count;
		for (size_t depth = 0; depth < DEPTH; depth++)
			made.location_ids[i][depth] = samples[i].mappings[depth] + 1;
		made.samples[i] = (Profile__Sample){ .n_location_id = samples[i].depth,
						     .location_id = made.location_ids[i],
						     .n_value = 2,
						     .value = made.values[i] };
		made.sample[i] = &made.samples[i];
		made.profile.n_sample++;
	}
}

static void make(const char *const *paths, const struct made_sample *samples)
{
	memset(&made, 0, sizeof(made));
	make_mappings(paths);
	make_samples(samples);
	made.profile.mapping = made.mapping;
	made.profile.location = made.location;
	made.profile.sample = made.sample;
	made.profile.string_table = made.strings;
}

/* The mapping with the id `first` is put before the others, which stay in order. */
static void check(const char *const *paths, const struct made_sample *samples, uint64_t first)
{
	uint64_t next = 1;

	make(paths, samples);
	ck_assert_int_eq(main_mapping__put_first(&made.profile), 0);
	ck_assert_uint_eq(made.mapping[0]->id, first);
	ck_assert_ptr_null(made.mapping[made.profile.n_mapping]);
	for (size_t i = 1; i < made.profile.n_mapping; i++) {
		next += next == first;
		ck_assert_uint_eq(made.mapping[i]->id, next++);
		ck_assert_int_eq(made.mapping[i]->filename, (int64_t)made.mapping[i]->id);
	}
}

#define PATHS(...)                                                                                 \
	(const char *const[MAPPINGS])                                                              \
	{                                                                                          \
		__VA_ARGS__                                                                        \
	}
#define ONE_EACH ((const struct made_sample[SAMPLES]){ { 9, 1, { 1 } }, { 1, 1, { 2 } } })

/* ---- names ----------------------------------------------------------------------------------- */

/* The first file is no program, whatever its samples are. */
START_TEST(test_other_files)
{
	static const char *const others[] = {
		"[kernel]",
		"[vdso]",
		"",
		"/usr/lib/",
		"/lib/libc.so.6",
		"/lib/libm.so",
		"ld-linux-x86-64.so.2",
		"/lib/a.sock.so",
		"/lib/a.sock.so.1",
		"/lib/lib.so/.so",
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		check(PATHS(others[i], "/bin/sh"), ONE_EACH, 2);
}
END_TEST

START_TEST(test_programs_before_libraries)
{
	static const char *const programs[] = {
		"/usr/bin/w", "w",	 "/opt/libx.so/server", "/opt/a.sock",
		"/opt/x.sob", "/opt/so", "server[1]",
	};

	for (size_t i = 0; i < sizeof(programs) / sizeof(*programs); i++)
		check(PATHS("/lib/libc.so.6", programs[i], "/bin/sh"),
		      ((const struct made_sample[SAMPLES]){
			      { 9, 1, { 1 } }, { 2, 1, { 2 } }, { 1, 1, { 3 } } }),
		      2);
}
END_TEST

/* ---- samples --------------------------------------------------------------------------------- */

/* One sample is enough; a program without samples is not. */
START_TEST(test_few_samples)
{
	check(PATHS("[kernel]", "/bin/a"),
	      (const struct made_sample[SAMPLES]){ { 1, 2, { 1, 2 } } }, 2);
	check(PATHS("[kernel]", "/bin/a"), (const struct made_sample[SAMPLES]){ { 1, 1, { 1 } } },
	      1);
	check(PATHS("/lib/a.so", "/lib/b.so"), ONE_EACH, 1);
	make(PATHS(NULL), (const struct made_sample[SAMPLES]){ { 1, 1, { 0 } } });
	ck_assert_int_eq(main_mapping__put_first(&made.profile), 0);
}
END_TEST

/* The program with the most samples, and the first of two with as many. */
START_TEST(test_most_samples)
{
	check(PATHS("/bin/a", "/bin/b", "/bin/c"),
	      ((const struct made_sample[SAMPLES]){
		      { 5, 1, { 1 } }, { 3, 1, { 2 } }, { 4, 1, { 3 } } }),
	      1);
	check(PATHS("/lib/a.so", "/bin/b", "/bin/c"),
	      ((const struct made_sample[SAMPLES]){
		      { 1, 1, { 1 } }, { 5, 1, { 2 } }, { 3, 1, { 3 } } }),
	      2);
	check(PATHS("/lib/a.so", "/bin/b", "/bin/c", "/bin/d"),
	      ((const struct made_sample[SAMPLES]){
		      { 3, 1, { 2 } }, { 2, 1, { 4 } }, { 4, 1, { 3 } }, { 3, 1, { 4 } } }),
	      4);
	check(PATHS("/lib/a.so", "/bin/b", "/bin/c"),
	      ((const struct made_sample[SAMPLES]){ { 3, 1, { 2 } }, { 3, 1, { 3 } } }), 2);
}
END_TEST

/* A file has the samples in it and below it.  Recursion counts once. */
START_TEST(test_callers_count_samples_below)
{
	check(PATHS("/bin/a", "/bin/b"),
	      ((const struct made_sample[SAMPLES]){
		      { 2, 4, { 1, 1, 0, 1 } }, { 1, 1, { 2 } }, { 2, 1, { 2 } } }),
	      2);
	check(PATHS("/bin/a", "/lib/b.so", "/bin/c"),
	      ((const struct made_sample[SAMPLES]){ { 2, 1, { 1 } }, { 3, 2, { 2, 3 } } }), 3);
	check(PATHS("/bin/a", "/bin/b"),
	      ((const struct made_sample[SAMPLES]){
		      { 2, 1, { 1 } }, { 2, 1, { 1 } }, { 3, 1, { 2 } } }),
	      1);
}
END_TEST

/* Frames after the last are not looked at. */
START_TEST(test_depth_bounds_frames)
{
	check(PATHS("/bin/a", "/bin/b"),
	      ((const struct made_sample[SAMPLES]){ { 5, 1, { 1, 2 } }, { 3, 1, { 2 } } }), 1);
}
END_TEST

START_TEST(test_no_memory)
{
	long blocks = fail_alloc__blocks();
	int err;

	make(PATHS("[kernel]", "/bin/a"),
	     (const struct made_sample[SAMPLES]){ { 1, 2, { 1, 2 } } });
	fail_alloc__begin(1);
	err = main_mapping__put_first(&made.profile);
	if (fail_alloc__end())
		ck_assert_int_eq(err, -ENOMEM);
	ck_assert_int_eq(main_mapping__put_first(&made.profile), 0);
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_other_files);
	tcase_add_test(tests, test_programs_before_libraries);
	tcase_add_test(tests, test_few_samples);
	tcase_add_test(tests, test_most_samples);
	tcase_add_test(tests, test_callers_count_samples_below);
	tcase_add_test(tests, test_depth_bounds_frames);
	tcase_add_test(tests, test_no_memory);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_legacy_maps.c: events of an object whose maps are defined as before libbpf 1.0. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/load/renames.h"
#include "support/machine/harness.h"
#include "support/machine/object.h"
#include "support/machine/tracing.h"

EMBED_OBJECT(legacy_maps)

static char path[64];

/* Writes the object to a file, with each `from` of some bytes replaced by `to`. */
static void write_object(const void *from, const void *to, size_t bytes)
{
	size_t count = *legacy_maps_object.count;
	char *copy = malloc(count), *at = copy;
	FILE *file = fopen(path, "we");

	ck_assert(copy && file);
	memcpy(copy, legacy_maps_object.bytes, count);
	while (bytes && (at = memmem(at, count - (size_t)(at - copy), from, bytes)))
		memcpy(at, to, bytes);
	ck_assert_uint_eq(fwrite(copy, count, 1, file), 1);
	ck_assert_int_eq(fclose(file), 0);
	free(copy);
}

static void setup(void)
{
	snprintf(path, sizeof(path), "/tmp/peat-legacy-%d.bpf.o", (int)getpid());
}

static void teardown(void)
{
	unlink(path);
}

/* clang leaves the types of variables on the stack out of the BTF: only DWARF has them. */
#ifdef HAVE_LIBDW
static const char event_type[] = "renamed";
#else
static const char event_type[] = "raw";
#endif

/* The hash counts, the array has a number, the events have fields. */
static void check_events(void)
{
	struct tracing tracing;
	size_t from = 0;

	tracing__start(&tracing, TRACE(path));
	renames__emit(0, 3);
	tracing__stop(&tracing);
	ck_assert_uint_eq(tracing__count(&tracing, event_type, getpid()), 3);
	for (int i = 0; i < 3 && strcmp(event_type, "raw") != 0; i++) {
		const char *event = tracing__next(&tracing, event_type, getpid(), &from);
		char name[16];

		snprintf(name, sizeof(name), "peat#%d", i);
		ck_assert_int_eq(json_lines__number(event, "number"), i);
		ck_assert_int_eq(json_lines__number(event, "flags"), 5);
		ck_assert_str_eq(json_lines__text(event, "name"), name);
	}
	tracing__free(&tracing);
}

START_TEST(test_legacy_maps_with_btf)
{
	write_object(NULL, NULL, 0);
	check_events();
}
END_TEST

START_TEST(test_legacy_maps_without_btf)
{
	write_object(".BTF", ".OLD", 4);
	check_events();
}
END_TEST

/* The type, BPF_MAP_TYPE_HASH, becomes 0. */
START_TEST(test_invalid_definition_is_named)
{
	static const uint32_t counts[] = { 1, 4, 8, 7 }, invalid[] = { 0, 4, 8, 7 };
	struct command peat;

	write_object(counts, invalid, sizeof(counts));
	command__run(&peat, ALL_CAPS, ARGV(command__peat(), "trace", "-d1ms", path));
	ck_assert_int_eq(peat.status, 1);
	ck_assert_msg(strstr(peat.err_text, "the map counts: it has no type"), "%s", peat.err_text);
	command__free(&peat);
}
END_TEST

static Suite *legacy_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("legacy_maps", 60, &tests);

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_legacy_maps_with_btf);
	tcase_add_test(tests, test_legacy_maps_without_btf);
	tcase_add_test(tests, test_invalid_definition_is_named);
	return suite;
}

int main(int argc, char **argv)
{
	static const suite_fn suites[] = { legacy_suite };

	return harness__main(argc, argv, suites, 1);
}

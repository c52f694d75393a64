// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_address_space.c: mappings of an image by time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/processes/address_space.h"
#include "unit/suite.h"

static struct mapped_files files;

static struct mapping make(const char *path, uint64_t begin, uint64_t end, uint64_t since_ns)
{
	const struct mapped_key key = { .path = path };

	return (struct mapping){ begin, end, 0, since_ns, mapped_files__get(&files, &key) };
}

static void add(struct address_space *space, const char *path, uint64_t begin, uint64_t end,
		uint64_t since_ns)
{
	const struct mapping mapping = make(path, begin, end, since_ns);

	ck_assert_int_eq(address_space__add(space, &files, &mapping), 0);
}

static void fill(struct address_space *space, const char *path, uint64_t begin, uint64_t end)
{
	const struct mapping mapping = make(path, begin, end, space->since_ns);

	ck_assert_int_eq(address_space__fill(space, &files, &mapping), 0);
}

/* "": nothing is mapped. */
static void check(struct address_space *space, uint64_t time_ns, uint64_t address, const char *path)
{
	const struct mapping *mapping = address_space__find(space, time_ns, address);

	ck_assert_str_eq(mapping ? mapping->file->key.path : "", path);
	if (mapping)
		ck_assert(address >= mapping->begin && address < mapping->end);
}

static void finish(struct address_space *space)
{
	address_space__clear(space, &files);
	ck_assert_uint_eq(files.count, 0);
	mapped_files__free(&files);
}

START_TEST(test_bounds)
{
	struct address_space space = { 0 };

	check(&space, 5, 150, "");
	add(&space, "/a", 100, 200, 1);
	add(&space, "/b", 200, 300, 1);
	check(&space, 5, 99, "");
	check(&space, 5, 100, "/a");
	check(&space, 5, 199, "/a");
	check(&space, 5, 200, "/b");
	check(&space, 5, 299, "/b");
	check(&space, 5, 300, "");
	finish(&space);
}
END_TEST

START_TEST(test_empty_mapping)
{
	struct address_space space = { 0 };

	add(&space, "/a", 100, 100, 1);
	add(&space, "/b", 200, 100, 1);
	check(&space, 5, 100, "");
	ck_assert_uint_eq(space.log_count, 0);
	finish(&space);
}
END_TEST

/* A newer mapping covers the middle of an older one; events before it have the older one. */
START_TEST(test_covered)
{
	struct address_space space = { 0 };
	const struct mapping *rest;

	add(&space, "/a", 100, 400, 10);
	add(&space, "/b", 200, 300, 20);
	check(&space, 25, 150, "/a");
	check(&space, 25, 250, "/b");
	check(&space, 25, 350, "/a");
	check(&space, 15, 250, "/a");
	check(&space, 0, 250, "/b");
	rest = address_space__find(&space, 25, 350);
	ck_assert_uint_eq(350 - rest->begin + rest->pgoff, 250);
	finish(&space);
}
END_TEST

/* Events somewhat older than all mappings have the oldest one. */
START_TEST(test_before_all)
{
	struct address_space space = { 0 };

	add(&space, "/a", 100, 200, 10);
	check(&space, 5, 150, "/a");
	finish(&space);
}
END_TEST

START_TEST(test_other_order)
{
	struct address_space space = { 0 };

	add(&space, "/new", 100, 200, 30);
	add(&space, "/old", 100, 300, 10);
	check(&space, 40, 150, "/new");
	check(&space, 20, 150, "/old");
	check(&space, 40, 250, "/old");
	finish(&space);
}
END_TEST

START_TEST(test_fill)
{
	struct address_space space = { .since_ns = 5 };
	const struct mapping *gap;

	add(&space, "/a", 200, 300, 10);
	add(&space, "/b", 400, 500, 10);
	fill(&space, "/all", 100, 600);
	check(&space, 20, 150, "/all");
	check(&space, 20, 250, "/a");
	check(&space, 20, 350, "/all");
	check(&space, 20, 450, "/b");
	check(&space, 20, 599, "/all");
	check(&space, 20, 600, "");
	gap = address_space__find(&space, 20, 350);
	ck_assert_uint_eq(350 - gap->begin + gap->pgoff, 250);
	fill(&space, "/again", 100, 600);
	check(&space, 20, 350, "/all");
	finish(&space);
}
END_TEST

START_TEST(test_split)
{
	struct address_space space = { 0 }, newer = { .since_ns = 20 };

	add(&space, "/old", 100, 200, 10);
	add(&space, "/exec", 100, 200, 20);
	add(&space, "/later", 300, 400, 30);
	ck_assert_int_eq(address_space__split(&space, 20, &newer), 0);
	check(&space, 0, 150, "/old");
	check(&space, 0, 350, "");
	check(&newer, 0, 150, "/exec");
	check(&newer, 0, 350, "/later");
	address_space__clear(&newer, &files);
	finish(&space);
}
END_TEST

START_TEST(test_copy)
{
	struct address_space parent = { 0 }, child = { .since_ns = 15 }, now = { .since_ns = 40 };

	add(&parent, "/a", 100, 400, 10);
	add(&parent, "/b", 200, 300, 20);
	ck_assert_int_eq(address_space__copy(&parent, &files, 15, &child), 0);
	ck_assert_int_eq(address_space__copy(&parent, &files, 40, &now), 0);
	check(&child, 50, 250, "/a");
	check(&now, 50, 250, "/b");
	check(&now, 50, 350, "/a");
	ck_assert_uint_eq(address_space__find(&now, 50, 350)->pgoff, 200);
	address_space__clear(&child, &files);
	address_space__clear(&now, &files);
	finish(&parent);
}
END_TEST

/* A program that maps code again and again at one address does not use more and more memory. */
START_TEST(test_bounded)
{
	struct address_space space = { 0 };

	add(&space, "/kept", 5000, 6000, 1);
	for (uint64_t i = 0; i < 20000; i++)
		add(&space, i % 2 ? "/odd" : "/even", 100, 200, 10 + i);
	ck_assert_uint_lt(space.log_count, 300);
	check(&space, 0, 150, "/odd");
	check(&space, 20008, 150, "/even");
	check(&space, 0, 5500, "/kept");
	finish(&space);
}
END_TEST

/* Nothing tells what is unmapped, so mappings at ever new addresses are forgotten at last. */
START_TEST(test_bounded_addresses)
{
	struct address_space space = { 0 };
	uint64_t last = 3 * ADDRESS_SPACE_LOG_MAX;

	for (uint64_t i = 0; i <= last; i++)
		add(&space, "/a", 1000 * i, 1000 * i + 100, 10 + i);
	ck_assert_uint_le(space.log_count, ADDRESS_SPACE_LOG_MAX);
	ck_assert_uint_le(space.log_room, ADDRESS_SPACE_LOG_MAX);
	check(&space, 0, 1000 * last, "/a");
	check(&space, 0, 1000 * (last - ADDRESS_SPACE_LOG_MAX / 2), "/a");
	check(&space, 0, 0, "");
	finish(&space);
}
END_TEST

#define UNITS 64

/* The same by a model: the newest of all mappings of each address and time. */
START_TEST(test_random)
{
	const char *paths[] = { "/0", "/1", "/2", "/3" };
	struct {
		uint64_t begin, end, since_ns;
		const char *path;
	} model[40];
	struct address_space space = { 0 };

	srand(7);
	for (unsigned i = 0; i < 40; i++) {
		model[i].begin = (uint64_t)rand() % UNITS;
		model[i].end = model[i].begin + 1 + (uint64_t)rand() % 16;
		model[i].since_ns = 1 + (uint64_t)rand() % 50;
		model[i].path = paths[rand() % 4];
		add(&space, model[i].path, model[i].begin, model[i].end, model[i].since_ns);
	}
	for (uint64_t address = 0; address < UNITS + 20; address++) {
		const char *expected = "";
		uint64_t newest = 0;

		for (unsigned i = 0; i < 40; i++)
			if (address >= model[i].begin && address < model[i].end &&
			    model[i].since_ns >= newest && model[i].since_ns <= 60) {
				newest = model[i].since_ns;
				expected = model[i].path;
			}
		check(&space, 60, address, expected);
	}
	finish(&space);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_bounds);
	tcase_add_test(tests, test_empty_mapping);
	tcase_add_test(tests, test_covered);
	tcase_add_test(tests, test_before_all);
	tcase_add_test(tests, test_other_order);
	tcase_add_test(tests, test_fill);
	tcase_add_test(tests, test_split);
	tcase_add_test(tests, test_copy);
	tcase_add_test(tests, test_bounded);
	tcase_add_test(tests, test_bounded_addresses);
	tcase_add_test(tests, test_random);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_address_space.c: mappings of an image by time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/processes/address_space.h"
#include "support/machine/amount.h"
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
	ck_assert_uint_eq(files.by_key.count, 0);
	mapped_files__free(&files);
}

START_TEST(test_bounds_of_mappings)
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
	ck_assert_ptr_null(space.parts);
	finish(&space);
}
END_TEST

/* A newer mapping covers the middle of an older one; events before it have the older one. */
START_TEST(test_newer_mapping_covers_older)
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

START_TEST(test_fills_gaps)
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

START_TEST(test_splits_by_time)
{
	struct address_space space = { 0 }, newer = { .since_ns = 20 };

	add(&space, "/old", 100, 200, 10);
	add(&space, "/exec", 100, 200, 20);
	add(&space, "/later", 300, 400, 30);
	ck_assert_int_eq(address_space__split(&space, &files, 20, &newer), 0);
	check(&space, 0, 150, "/old");
	check(&space, 0, 350, "");
	check(&newer, 0, 150, "/exec");
	check(&newer, 0, 350, "/later");
	address_space__clear(&newer, &files);
	finish(&space);
}
END_TEST

START_TEST(test_child_inherits_by_time)
{
	struct address_space parent = { 0 }, child = { .since_ns = 15 }, now = { .since_ns = 40 };

	add(&parent, "/a", 100, 400, 10);
	add(&parent, "/b", 200, 300, 20);
	ck_assert_int_eq(address_space__inherit(&child, &files, &parent, 15), 0);
	ck_assert_int_eq(address_space__inherit(&now, &files, &parent, 40), 0);
	check(&child, 50, 250, "/a");
	check(&now, 50, 250, "/b");
	check(&now, 50, 350, "/a");
	address_space__clear(&child, &files);
	address_space__clear(&now, &files);
	finish(&parent);
}
END_TEST

/* A program that maps code again and again at one address does not use more and more memory. */
START_TEST(test_memory_is_bounded)
{
	struct address_space space = { 0 };

	add(&space, "/kept", 5000, 6000, 1);
	for (uint64_t i = 0; i < 20000; i++)
		add(&space, i % 2 ? "/odd" : "/even", 100, 200, 10 + i);
	ck_assert_uint_eq(part_tree__count(space.parts), 2);
	ck_assert_uint_lt(files.uses, 300);
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
	uint64_t last = 3 * ADDRESS_SPACE_PARTS_MAX;

	for (uint64_t i = 0; i <= last; i++)
		add(&space, "/a", 1000 * i, 1000 * i + 100, 10 + i);
	ck_assert_uint_le(part_tree__count(space.parts), ADDRESS_SPACE_PARTS_MAX);
	ck_assert_uint_le(files.uses, ADDRESS_SPACE_PARTS_MAX + ADDRESS_SPACE_REPLACED_MAX);
	check(&space, 0, 1000 * last, "/a");
	check(&space, 0, 1000 * (last - ADDRESS_SPACE_PARTS_MAX / 2), "/a");
	check(&space, 0, 0, "");
	finish(&space);
}
END_TEST

#define UNITS 64

/* The same by a model: the newest of all mappings of each address and time. */
START_TEST(test_random_mappings_match_model)
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

/* ---- forks, and records in any order ----------------------------------------------------------
 */

#define ADDS	 24
#define FORK_NS	 30
#define NEVER_NS 1000

struct added {
	uint64_t begin, end, since_ns;
	const char *path;
};

static void add_random(struct address_space *space, struct added *added, uint64_t first_ns)
{
	static const char *const paths[] = { "/0", "/1", "/2", "/3", "/4" };

	added->begin = (uint64_t)rand() % UNITS;
	added->end = added->begin + 1 + (uint64_t)rand() % 16;
	added->since_ns = first_ns + (uint64_t)rand() % 30;
	added->path = paths[rand() % 5];
	add(space, added->path, added->begin, added->end, added->since_ns);
}

/* The newest mapping of an address at that time; of two of one time the one added later. */
static const struct added *find_added(const struct added *added, uint64_t address, uint64_t time_ns)
{
	const struct added *found = NULL;

	for (int i = 0; i < ADDS; i++)
		if (address >= added[i].begin && address < added[i].end &&
		    added[i].since_ns <= time_ns &&
		    (!found || added[i].since_ns >= found->since_ns))
			found = &added[i];
	return found;
}

static void check_parent(struct address_space *parent, const struct added *added)
{
	for (uint64_t address = 0; address < UNITS + 20; address++) {
		const struct added *last = find_added(added, address, NEVER_NS);

		for (uint64_t time_ns = 1; time_ns < 70; time_ns++) {
			const struct added *then = find_added(added, address, time_ns) ?: last;

			check(parent, time_ns, address, then ? then->path : "");
		}
	}
}

/*
 * The child has its own mappings, and below them those that the parent had at the fork.  If its
 * FORK is read late, it may have some that the parent made later, where there were none.
 */
static void check_child(struct address_space *child, const struct added *own,
			const struct added *parents)
{
	for (uint64_t address = 0; address < UNITS + 20; address++) {
		const struct added *inherited = find_added(parents, address, FORK_NS);
		const struct added *last = find_added(own, address, NEVER_NS);

		for (uint64_t time_ns = FORK_NS; time_ns < 70; time_ns++) {
			const struct added *then = find_added(own, address, time_ns) ?: inherited;

			then = then ?: last;
			if (then)
				check(child, time_ns, address, then->path);
			else if (!find_added(parents, address, NEVER_NS))
				check(child, time_ns, address, "");
		}
	}
}

/* _i: the number of records that are read before the FORK. */
START_TEST(test_random_forks)
{
	struct address_space parent = { 0 }, before = { 0 }, child = { .since_ns = FORK_NS };
	struct added parents[ADDS], own[ADDS];

	srand(100 + (unsigned)_i);
	for (int i = 0; i < ADDS; i++) {
		if (i == _i) {
			ck_assert_int_eq(address_space__split(&before, &files, FORK_NS, &child), 0);
			ck_assert_int_eq(address_space__inherit(&child, &files, &parent, FORK_NS),
					 0);
		}
		/* Nothing is known of mappings that are older than the fork and added later. */
		add_random(&parent, &parents[i], i < _i ? 1 : FORK_NS + 1);
		add_random(i < _i ? &before : &child, &own[i], FORK_NS + 1);
	}
	ck_assert_ptr_null(before.parts);
	check_parent(&parent, parents);
	check_child(&child, own, parents);
	address_space__clear(&child, &files);
	address_space__clear(&before, &files);
	finish(&parent);
}
END_TEST

/* Parts of one image stay, those of the next one move, and replaced parts are there again. */
START_TEST(test_random_split)
{
	struct address_space space = { 0 }, newer = { .since_ns = FORK_NS };
	struct added all[ADDS], old[ADDS] = { 0 }, moved[ADDS] = { 0 };

	srand(200 + (unsigned)_i);
	for (int i = 0; i < ADDS; i++) {
		add_random(&space, &all[i], 1 + (uint64_t)rand() % 35);
		*(all[i].since_ns < FORK_NS ? &old[i] : &moved[i]) = all[i];
	}
	ck_assert_int_eq(address_space__split(&space, &files, FORK_NS, &newer), 0);
	for (uint64_t address = 0; address < UNITS + 20; address++) {
		const struct added *last = find_added(old, address, NEVER_NS);

		check(&space, 0, address, last ? last->path : "");
		last = find_added(moved, address, NEVER_NS);
		check(&newer, 0, address, last ? last->path : "");
	}
	address_space__clear(&newer, &files);
	finish(&space);
}
END_TEST

/* Each mapping is older than all before: they once were moved for each. */
START_TEST(test_descending_times)
{
	const uint64_t count = 200000 / amount__step(1, 5);
	struct address_space space = { 0 };

	for (uint64_t i = 0; i < count; i++) {
		add(&space, "/a", 1000 * i, 1000 * i + 100, 1 + count - i);
		check(&space, 1, 1000 * i, "/a");
	}
	finish(&space);
}
END_TEST

/* A wide mapping is read later than many newer ones. */
START_TEST(test_below_many)
{
	struct address_space space = { 0 };

	for (uint64_t i = 0; i < 300; i++)
		add(&space, "/new", 1000 * i, 1000 * i + 100, 100 + i);
	add(&space, "/wide", 0, 300000, 50);
	for (uint64_t i = 0; i < 300; i++) {
		check(&space, 1000, 1000 * i + 50, "/new");
		check(&space, 1000, 1000 * i + 150, "/wide");
	}
	finish(&space);
}
END_TEST

/* A wide mapping lies below many newer ones, again and again; events are older than all. */
START_TEST(test_below_newer)
{
	struct address_space space = { 0 };

	for (uint64_t i = 0; i < 20000; i++)
		add(&space, "/new", 1000 * i, 1000 * i + 100, 1000000);
	for (uint64_t i = 0; i < 50000 / amount__step(1, 5); i++) {
		add(&space, "/wide", 0, UINT64_MAX, 10 + i);
		check(&space, 1, 50, "/new");
		check(&space, 10 + i, 150, "/wide");
	}
	check(&space, 2000000, 1050, "/new");
	finish(&space);
}
END_TEST

SUITE(20)
{
	tcase_add_test(tests, test_bounds_of_mappings);
	tcase_add_test(tests, test_empty_mapping);
	tcase_add_test(tests, test_newer_mapping_covers_older);
	tcase_add_test(tests, test_before_all);
	tcase_add_test(tests, test_other_order);
	tcase_add_test(tests, test_fills_gaps);
	tcase_add_test(tests, test_splits_by_time);
	tcase_add_test(tests, test_child_inherits_by_time);
	tcase_add_test(tests, test_memory_is_bounded);
	tcase_add_test(tests, test_bounded_addresses);
	tcase_add_test(tests, test_random_mappings_match_model);
	tcase_add_loop_test(tests, test_random_forks, 0, ADDS);
	tcase_add_loop_test(tests, test_random_split, 0, 20);
	tcase_add_test(tests, test_descending_times);
	tcase_add_test(tests, test_below_many);
	tcase_add_test(tests, test_below_newer);
}

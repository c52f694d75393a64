// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_part_tree.c: parts of mappings in trees that forks share, compared with a slow model. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/processes/part_tree.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

#define UNITS 60
#define TREES 6

static struct mapped_files files;
static struct mapped_file *file;

/* The number of the mapping of each address; 0: none. */
struct model {
	uint32_t at[UNITS];
};

static struct mapped_part *trees[TREES];
static struct model models[TREES];

static void setup(void)
{
	file = mapped_files__get(&files, &(struct mapped_key){ .path = "/a" });
	ck_assert_ptr_nonnull(file);
	memset(trees, 0, sizeof(trees));
	memset(models, 0, sizeof(models));
	srand(11);
}

static void teardown(void)
{
	for (int i = 0; i < TREES; i++)
		part_tree__put(trees[i], &files);
	ck_assert_uint_eq(files.uses, 1);
	mapped_files__put(&files, file);
	ck_assert_uint_eq(files.by_key.count, 0);
	mapped_files__free(&files);
}

/* ---- checks ---------------------------------------------------------------------------------- */

/* The fields of each part agree with the parts below it.  Returns the depth. */
static unsigned check_shape(const struct mapped_part *root, uint64_t least, uint64_t most)
{
	struct mapping_age oldest, newest;
	unsigned left, right;
	uint32_t count = 1;

	if (!root)
		return 0;
	ck_assert(root->uses && root->begin < root->end);
	ck_assert(root->begin >= least && root->end <= most);
	left = check_shape(root->left, least, root->begin);
	right = check_shape(root->right, root->end, most);
	oldest = newest = mapped_part__age(root);
	for (int i = 0; i < 2; i++) {
		const struct mapped_part *below = i ? root->right : root->left;

		if (!below)
			continue;
		ck_assert_uint_le(below->priority, root->priority);
		count += below->count;
		if (mapping_age__is_newer(oldest, below->oldest))
			oldest = below->oldest;
		if (mapping_age__is_newer(below->newest, newest))
			newest = below->newest;
	}
	ck_assert_uint_eq(root->count, count);
	ck_assert(!memcmp(&root->oldest.since_ns, &oldest.since_ns, 8));
	ck_assert(!memcmp(&root->newest.since_ns, &newest.since_ns, 8));
	return 1 + (left > right ? left : right);
}

/* The number of a mapping is its pgoff. */
static void check_tree(const struct mapped_part *root, const struct model *model)
{
	check_shape(root, 0, UNITS);
	for (uint64_t i = 0; i < UNITS; i++) {
		const struct mapped_part *part = part_tree__find(root, i);
		bool is_mapped = part && part->begin <= i;

		ck_assert_uint_eq(is_mapped ? part->mapping.pgoff : 0, model->at[i]);
	}
}

static void check_newer(const struct mapped_part *root, uint64_t address, struct mapping_age age)
{
	const struct mapped_part *expected = part_tree__find(root, address);

	while (expected && !mapping_age__is_newer(mapped_part__age(expected), age))
		expected = part_tree__find(root, expected->end);
	ck_assert_ptr_eq(part_tree__find_newer(root, address, age), expected);
}

static int find_older(void *arg, const struct mapped_part *part)
{
	const struct mapped_part *oldest = arg;

	return mapping_age__is_newer(mapped_part__age(oldest), mapped_part__age(part));
}

static void check_trees(void)
{
	for (int i = 0; i < TREES; i++) {
		const struct mapping_age age = { (uint64_t)rand() % 50, (uint32_t)rand() % 3 };

		check_tree(trees[i], &models[i]);
		check_newer(trees[i], (uint64_t)rand() % UNITS, age);
		if (!trees[i])
			continue;
		const struct mapped_part *oldest = part_tree__find_oldest(trees[i]);

		ck_assert_int_eq(part_tree__each(trees[i], find_older, (void *)oldest), 0);
	}
}

/* ---- changes --------------------------------------------------------------------------------- */

static int replace(struct mapped_part **root, const struct mapping *mapping, uint32_t generation)
{
	struct mapped_part *part =
		mapping->pgoff ? mapped_part__new(&files, mapping, generation) : NULL;
	struct mapped_part *removed;

	if (mapping->pgoff && !part)
		return -ENOMEM;
	if (part_tree__replace(root, &files, mapping->begin, mapping->end, part, &removed)) {
		part_tree__put(part, &files);
		return -ENOMEM;
	}
	part_tree__put(removed, &files);
	return 0;
}

static struct mapping make(uint32_t number)
{
	uint64_t begin = (uint64_t)rand() % (UNITS - 1);
	uint64_t room = UNITS - begin, bytes = 1 + (uint64_t)rand() % (rand() % 3 ? 6 : room);

	return (struct mapping){ begin, begin + (bytes < room ? bytes : room), number,
				 (uint64_t)rand() % 50, file };
}

static void change_model(struct model *model, const struct mapping *mapping)
{
	for (uint64_t i = mapping->begin; i < mapping->end; i++)
		model->at[i] = (uint32_t)mapping->pgoff;
}

static void fork_tree(int from, int to)
{
	struct mapped_part *shared = part_tree__use(trees[from]);

	part_tree__put(trees[to], &files);
	trees[to] = shared;
	models[to] = models[from];
}

START_TEST(test_random_trees_match_model)
{
	for (uint32_t i = 1; i < 20000; i++) {
		int tree = rand() % TREES;
		struct mapping mapping = make(rand() % 5 ? i : 0);

		if (rand() % 20 == 0)
			fork_tree(rand() % TREES, tree);
		ck_assert_int_eq(replace(&trees[tree], &mapping, (uint32_t)rand() % 3), 0);
		change_model(&models[tree], &mapping);
		check_trees();
	}
}
END_TEST

/* A change that has no memory leaves all trees as they were. */
START_TEST(test_no_memory)
{
	unsigned failures = 0;

	for (uint32_t i = 1; i < 3000; i++) {
		int tree = rand() % TREES, err = -ENOMEM;
		struct mapping mapping = make(rand() % 5 ? i : 0);

		if (rand() % 5 == 0)
			fork_tree(rand() % TREES, tree);
		for (unsigned nth = 1; err; nth++) {
			fail_alloc__begin(nth);
			err = replace(&trees[tree], &mapping, 0);
			ck_assert_int_eq(err, fail_alloc__end() ? -ENOMEM : 0);
			failures += err != 0;
			if (!err)
				change_model(&models[tree], &mapping);
			check_trees();
		}
	}
	if (fail_alloc__blocks())
		ck_assert_uint_gt(failures, 3000);
}
END_TEST

#define STORM 65536

static void storm(struct mapped_part **root)
{
	for (uint64_t i = 0; i < STORM; i++) {
		const struct mapping mapping = { 10 * i, 10 * i + 5, 1, i, file };

		ck_assert_int_eq(replace(root, &mapping, 0), 0);
	}
}

/* Addresses in order do not make the tree deeper: twice the depth of random keys is 70. */
START_TEST(test_depth_is_bounded)
{
	storm(&trees[0]);
	ck_assert_uint_eq(part_tree__count(trees[0]), STORM);
	ck_assert_uint_lt(check_shape(trees[0], 0, UINT64_MAX), 80);
}
END_TEST

/* Removing all parts of a shared tree frees and copies few of them. */
static void cover_all(struct mapped_part *root)
{
	const struct mapping all = { 0, 10 * STORM, 2, 0, file };
	struct mapped_part *child = part_tree__use(root);

	ck_assert_int_eq(replace(&child, &all, 1), 0);
	ck_assert_uint_eq(part_tree__count(child), 1);
	part_tree__put(child, &files);
}

/* A child has parts of its own for its changes only. */
START_TEST(test_shared_memory)
{
	const struct mapping own = { 10 * 30000 + 2, 10 * 30000 + 12, 2, 0, file };
	struct mapped_part *children[602];
	uint64_t before;

	storm(&trees[0]);
	before = files.uses;
	for (int i = 0; i < 602; i++) {
		children[i] = part_tree__use(trees[0]);
		ck_assert_int_eq(replace(&children[i], &own, 1), 0);
	}
	ck_assert_uint_lt(files.uses - before, 602 * 160);
	ck_assert_uint_eq(part_tree__count(trees[0]), STORM);
	cover_all(trees[0]);
	for (int i = 0; i < 602; i++)
		part_tree__put(children[i], &files);
	ck_assert_uint_eq(files.uses, before);
}
END_TEST

SUITE(60)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_random_trees_match_model);
	tcase_add_test(tests, test_no_memory);
	tcase_add_test(tests, test_depth_is_bounded);
	tcase_add_test(tests, test_shared_memory);
}

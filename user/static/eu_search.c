// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * eu_search.c: functions that libelf.a and libdw.a of elfutils 0.192 call and lack, as in Debian
 * 13: search trees of the C library with a lock, which elfutils does not use by default.  They are
 * weak: those of other versions replace them.
 */
#include <search.h>
#include <stddef.h>

#define WEAK __attribute__((weak))

/* The members that follow are for the lock. */
struct eu_search_tree {
	void *root;
};

typedef int eu_compare(const void *, const void *);

WEAK void *eu_tsearch(const void *key, struct eu_search_tree *tree, eu_compare *compare);
WEAK void *eu_tfind(const void *key, struct eu_search_tree *tree, eu_compare *compare);
WEAK void *eu_tdelete(const void *key, struct eu_search_tree *tree, eu_compare *compare);
WEAK void eu_search_tree_init(struct eu_search_tree *tree);
WEAK void eu_search_tree_fini(struct eu_search_tree *tree, void (*free_node)(void *));

void *eu_tsearch(const void *key, struct eu_search_tree *tree, eu_compare *compare)
{
	return tsearch(key, &tree->root, compare);
}

void *eu_tfind(const void *key, struct eu_search_tree *tree, eu_compare *compare)
{
	return tfind(key, &tree->root, compare);
}

void *eu_tdelete(const void *key, struct eu_search_tree *tree, eu_compare *compare)
{
	return tdelete(key, &tree->root, compare);
}

void eu_search_tree_init(struct eu_search_tree *tree)
{
	tree->root = NULL;
}

void eu_search_tree_fini(struct eu_search_tree *tree, void (*free_node)(void *))
{
	tdestroy(tree->root, free_node);
}

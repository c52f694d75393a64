// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_map_tags.c: the tags of maps. */
#include <errno.h>
#include <bpf/btf.h>

#include "support/machine/harness.h"
#include "schema/map_tags.h"
#include "unit/suite.h"

static struct btf *btf;
static struct map_tags tags;

static int add_map(const char *name)
{
	int id = btf__add_var(btf, name, BTF_VAR_GLOBAL_ALLOCATED, 1);

	ck_assert_int_gt(id, 0);
	return id;
}

static void add_tag(int id, const char *text)
{
	ck_assert_int_gt(btf__add_decl_tag(btf, text, id, -1), 0);
}

static void setup(void)
{
	int both;

	btf = btf__new_empty();
	ck_assert_ptr_nonnull(btf);
	ck_assert_int_gt(btf__add_int(btf, "int", 4, BTF_INT_SIGNED), 0);
	add_map("plain");
	both = add_map("latencies_by_disk");
	add_tag(both, "peat:hist:us");
	add_tag(both, "peat:table:latency of disks");
	add_tag(add_map("silent"), "peat:table:");
	add_tag(add_map("other"), "peat:optional");
}

static void teardown(void)
{
	map_tags__free(&tags);
	btf__free(btf);
}

static void read_tags(const char *name, bool is_cut)
{
	map_tags__free(&tags);
	ck_assert_int_eq(map_tags__read(&tags, btf, name, is_cut), 0);
}

START_TEST(test_reads_tags)
{
	read_tags("latencies_by_disk", false);
	ck_assert(tags.is_table);
	ck_assert_str_eq(tags.doc, "latency of disks");
	ck_assert_str_eq(tags.unit, "us");
	read_tags("silent", false);
	ck_assert(tags.is_table && !tags.doc && !tags.unit);
	read_tags("plain", false);
	ck_assert(!tags.is_table);
	read_tags("other", false);
	ck_assert(!tags.is_table);
	read_tags("none", false);
	ck_assert(!tags.is_table);
}
END_TEST

START_TEST(test_names_that_the_kernel_cut)
{
	read_tags("latencies_by_di", false);
	ck_assert(!tags.is_table);
	read_tags("latencies_by_di", true);
	ck_assert(tags.is_table);
	read_tags("latencies", true); /* not cut */
	ck_assert(!tags.is_table);
}
END_TEST

SUITE(10)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_reads_tags);
	tcase_add_test(tests, test_names_that_the_kernel_cut);
}

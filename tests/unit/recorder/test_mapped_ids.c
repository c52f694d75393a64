// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_mapped_ids.c: the build ids of the files of this process. */
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recorder/mapped_ids.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

static struct mapped_ids ids;

static void teardown(void)
{
	mapped_ids__free(&ids);
}

/* Each object has its build id in memory, too. */
struct object {
	uint64_t address; /* of the page that its code begins in */
	struct build_id id;
};

static bool has_address(const struct dl_phdr_info *info, uint64_t address)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		uint64_t start = info->dlpi_addr + segment->p_vaddr;

		if (segment->p_type == PT_LOAD && address <= start &&
		    start - address < (uint64_t)sysconf(_SC_PAGESIZE))
			return true;
	}
	return false;
}

static int find_object(struct dl_phdr_info *info, size_t bytes, void *arg)
{
	struct object *object = arg;

	(void)bytes;
	if (!has_address(info, object->address))
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_NOTE && !object->id.bytes)
			elf_note__build_id(
				(const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr),
				info->dlpi_phdr[i].p_filesz, info->dlpi_phdr[i].p_align, false,
				&object->id);
	return 1;
}

static unsigned checked;

static void check_map(void *arg, const struct proc_map *map)
{
	const struct build_id *id = mapped_ids__find(&ids, (uint32_t)getpid(), 0, map);
	struct object object = { .address = map->start };

	(void)arg;
	if (*map->path != '/')
		ck_assert_ptr_null(id);
	if (!id || !map->is_executable || !dl_iterate_phdr(find_object, &object))
		return;
	ck_assert_msg(build_id__equal(id, &object.id), "%s", map->path);
	checked++;
}

START_TEST(test_this_process)
{
	ck_assert_int_eq(proc_maps__each((uint32_t)getpid(), check_map, NULL), 0);
	ck_assert_uint_gt(checked, 0);
	ck_assert_uint_gt(ids.by_file.count, 0);
}
END_TEST

static struct proc_map here;

static void keep_map(void *arg, const struct proc_map *map)
{
	uintptr_t code = (uintptr_t)keep_map;

	(void)arg;
	if (code < map->start || code >= map->end)
		return;
	here = *map;
	here.path = strdup(map->path);
}

/* A file that has another name by now is found by its mapping; another file of that name is not. */
START_TEST(test_other_names)
{
	const struct build_id *id;
	char *path;

	ck_assert_int_eq(proc_maps__each((uint32_t)getpid(), keep_map, NULL), 0);
	path = (char *)here.path;
	here.path = "/gone (deleted)";
	id = mapped_ids__find(&ids, (uint32_t)getpid(), 0, &here);
	ck_assert_ptr_nonnull(id);
	here.path = path;
	here.inode++;
	here.start = 1;
	ck_assert_ptr_null(mapped_ids__find(&ids, (uint32_t)getpid(), 0, &here));
	free(path);
}
END_TEST

/* A file that was made in the place of another one has its inode, but another generation. */
START_TEST(test_generations_differ)
{
	struct proc_map other;

	ck_assert_int_eq(proc_maps__each((uint32_t)getpid(), keep_map, NULL), 0);
	ck_assert_ptr_nonnull(mapped_ids__find(&ids, (uint32_t)getpid(), 1, &here));
	other = here;
	other.path = "/dev/null";
	other.start = 1;
	ck_assert_ptr_nonnull(mapped_ids__find(&ids, (uint32_t)getpid(), 1, &other));
	ck_assert_ptr_null(mapped_ids__find(&ids, (uint32_t)getpid(), 2, &other));
	free((char *)here.path);
}
END_TEST

/* Processes that have ended had the same files, mostly. */
START_TEST(test_ended_process)
{
	ck_assert_int_eq(proc_maps__each((uint32_t)getpid(), keep_map, NULL), 0);
	ck_assert_ptr_nonnull(mapped_ids__find(&ids, INT32_MAX, 0, &here));
	free((char *)here.path);
}
END_TEST

/* More files than the table begins with; none of them can be read. */
START_TEST(test_many_files_are_kept)
{
	struct proc_map map = { .path = "/dev/null" };

	for (map.inode = 1; map.inode <= 1000; map.inode++) {
		map.minor = (uint32_t)map.inode % 3;
		ck_assert_ptr_null(mapped_ids__find(&ids, (uint32_t)getpid(), 0, &map));
		ck_assert_uint_eq(ids.by_file.count, map.inode);
	}
	map.inode = 7;
	map.minor = 1;
	ck_assert_ptr_null(mapped_ids__find(&ids, (uint32_t)getpid(), 0, &map));
	ck_assert_uint_eq(ids.by_file.count, 1000);
}
END_TEST

START_TEST(test_no_memory)
{
	const struct proc_map map = { .path = "/dev/null", .inode = 1 };

	fail_alloc__begin(1);
	ck_assert_ptr_null(mapped_ids__find(&ids, (uint32_t)getpid(), 0, &map));
	if (fail_alloc__end())
		ck_assert_uint_eq(ids.by_file.count, 0);
}
END_TEST

SUITE(30)
{
	tcase_add_checked_fixture(tests, NULL, teardown);
	tcase_add_test(tests, test_this_process);
	tcase_add_test(tests, test_other_names);
	tcase_add_test(tests, test_generations_differ);
	tcase_add_test(tests, test_ended_process);
	tcase_add_test(tests, test_many_files_are_kept);
	tcase_add_test(tests, test_no_memory);
}

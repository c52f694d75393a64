// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_proc_spaces.c: mappings of running processes. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/machine/process.h"
#include "symbols/processes/proc_spaces.h"
#include "unit/suite.h"

static const struct mapping *find(struct process *process, uintptr_t address)
{
	return address_space__find(process__space(process, 0), 0, address);
}

static uintptr_t map_code(void)
{
	void *code = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert_ptr_ne(code, MAP_FAILED);
	return (uintptr_t)code;
}

START_TEST(test_reads_this_process)
{
	struct processes processes = { 0 };
	struct process *process = processes__get(&processes, (uint32_t)getpid());
	const struct mapping *mapping;
	static int data;

	ck_assert(proc_spaces__read(&processes, process));
	ck_assert(process->is_whole);
	mapping = find(process, (uintptr_t)map_code);
	ck_assert_ptr_nonnull(strstr(mapping->file->key.path, "unit"));
	ck_assert_uint_gt(mapping->file->key.inode, 0);
	ck_assert_ptr_null(find(process, (uintptr_t)&data));
	processes__free(&processes);
}
END_TEST

/* Not read again at once; with records, mappings from them stay. */
START_TEST(test_reads_again_later)
{
	struct processes processes = { .is_followed = true };
	struct process *process = processes__get(&processes, (uint32_t)getpid());
	uintptr_t code;

	ck_assert(proc_spaces__read(&processes, process));
	code = map_code();
	ck_assert(!proc_spaces__read(&processes, process));
	ck_assert_ptr_null(find(process, code));
	process->next_read_ns = 0;
	ck_assert(proc_spaces__read(&processes, process));
	ck_assert_int_eq(find(process, code)->file->kind, MAPPED_ANON);
	process->next_read_ns = 0;
	ck_assert(!proc_spaces__read(&processes, process));
	processes__free(&processes);
}
END_TEST

/* Without records, the mappings are those of the last reading. */
START_TEST(test_update_follows_mappings)
{
	struct processes processes = { 0 };
	struct process *process = processes__get(&processes, (uint32_t)getpid());
	uintptr_t code = map_code();

	proc_spaces__update(&processes, process);
	ck_assert_ptr_nonnull(find(process, code));
	munmap((void *)code, 4096);
	proc_spaces__update(&processes, process);
	ck_assert_ptr_nonnull(find(process, code));
	process->next_update_ns = 0;
	proc_spaces__update(&processes, process);
	ck_assert_ptr_null(find(process, code));
	processes__free(&processes);
}
END_TEST

static int do_nothing(void *arg)
{
	(void)arg;
	return 0;
}

/* A process that has ended keeps the mappings that were read. */
START_TEST(test_ended_process_is_not_read)
{
	struct processes processes = { 0 };
	pid_t pid = process__do(do_nothing, NULL);
	struct process *process = processes__get(&processes, (uint32_t)pid);

	ck_assert(!proc_spaces__read(&processes, process));
	process->next_read_ns = 0;
	process->has_ended = true;
	ck_assert(!proc_spaces__read(&processes, process));
	process->has_ended = false;
	processes__free(&processes);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_reads_this_process);
	tcase_add_test(tests, test_reads_again_later);
	tcase_add_test(tests, test_update_follows_mappings);
	tcase_add_test(tests, test_ended_process_is_not_read);
}

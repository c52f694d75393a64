// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_mappings.c: the mappings of running tasks and of the kernel in a recording. */
#include <string.h>
#include <unistd.h>

#include "recorder/mappings.h"
#include "sys/kallsyms.h"
#include "sys/kernel_modules.h"
#include "unit/suite.h"

static struct event_formats formats;
static struct event_format format;
static struct strbuf out;

static void setup(void)
{
	format = (struct event_format){ .id = 1 };
	format.layout.sample_type = PEAT_SAMPLE_TIME | PEAT_SAMPLE_IDENTIFIER;
	format.layout.sample_id_all = true;
	formats = (struct event_formats){
		.at = &format, .count = 1, .side = format.layout, .side_id = 1
	};
}

static void teardown(void)
{
	strbuf__free(&out);
}

typedef void (*record_fn)(const struct peat_record *record);

static unsigned each_record(record_fn use)
{
	unsigned count = 0;

	for (size_t at = 0; at < out.count; count++) {
		struct peat_record record = { .sz = sizeof(record) };

		ck_assert_int_eq(
			peat_record__decode(&formats.side, out.bytes + at, out.count - at, &record),
			1);
		use(&record);
		at += record.size;
	}
	return count;
}

static unsigned own;

/* The file of this code, with its build id if it has one. */
static void find_own(const struct peat_record *record)
{
	const struct peat_mmap *map = &record->mmap;
	uint64_t code = (uintptr_t)find_own;

	ck_assert_uint_eq(record->type, PEAT_RECORD_MMAP2);
	if (map->pid != (uint32_t)getpid() || code < map->addr || code - map->addr >= map->len)
		return;
	own++;
	ck_assert_int_eq(*map->filename, '/');
	ck_assert(record->misc & PEAT_MISC_MMAP_BUILD_ID);
	ck_assert_uint_eq(map->build_id_bytes, 20);
}

START_TEST(test_running_tasks_have_mappings)
{
	format.layout.sample_type |= PEAT_SAMPLE_CALLCHAIN;
	mappings__add_running(&out, &formats);
	own = 0;
	ck_assert_uint_gt(each_record(find_own), 1);
	ck_assert_uint_eq(own, 1);
}
END_TEST

static unsigned data;

static void count_data(const struct peat_record *record)
{
	data += record->mmap.data;
	ck_assert(!record->mmap.data || *record->mmap.filename == '/');
}

/* Stack memory is unwound by tables in mappings of data. */
START_TEST(test_data_is_mapped_for_unwinding)
{
	unsigned code;

	format.layout.sample_type |= PEAT_SAMPLE_CALLCHAIN;
	mappings__add_running(&out, &formats);
	code = each_record(count_data);
	ck_assert_uint_eq(data, 0);
	strbuf__cut(&out, 0);
	format.layout.sample_type |= PEAT_SAMPLE_STACK_USER;
	mappings__add_running(&out, &formats);
	ck_assert_uint_gt(each_record(count_data), code);
	ck_assert_uint_gt(data, 0);
}
END_TEST

/* Recordings without addresses have no mappings. */
START_TEST(test_no_addresses)
{
	mappings__add_running(&out, &formats);
	ck_assert_uint_eq(out.count, 0);
}
END_TEST

static unsigned kernels, modules;

static void count_kernel(const struct peat_record *record)
{
	if (record->type == PEAT_RECORD_KSYMBOL) /* programs that happen to run */
		return;
	ck_assert_uint_eq(record->type, PEAT_RECORD_MMAP);
	ck_assert_uint_eq(record->misc & PEAT_MISC_CPUMODE_MASK, PEAT_MISC_KERNEL);
	ck_assert_uint_eq(record->mmap.pid, UINT32_MAX);
	ck_assert_int_eq(*record->mmap.filename, '[');
	if (!strncmp(record->mmap.filename, "[kernel.kallsyms]", 17))
		kernels++;
	else
		modules++;
}

static void count_module(void *arg, const struct kernel_module *module)
{
	(void)module;
	++*(unsigned *)arg;
}

START_TEST(test_kernel_and_modules_are_mapped)
{
	unsigned loaded = 0;
	uint64_t address;
	const char *name;

	ck_assert_int_eq(mappings__add_kernel(&out, &formats), 0);
	each_record(count_kernel);
	ck_assert_uint_eq(kernels, kallsyms__text(&name, &address));
	ck_assert_uint_eq(modules, 0);
	format.layout.sample_type |= PEAT_SAMPLE_CALLCHAIN;
	strbuf__cut(&out, 0);
	ck_assert_int_eq(mappings__add_kernel(&out, &formats), 0);
	each_record(count_kernel);
	kernel_modules__each(count_module, &loaded);
	ck_assert_uint_eq(modules, kallsyms__text(&name, &address) ? loaded : 0);
}
END_TEST

SUITE(30)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_running_tasks_have_mappings);
	tcase_add_test(tests, test_data_is_mapped_for_unwinding);
	tcase_add_test(tests, test_no_addresses);
	tcase_add_test(tests, test_kernel_and_modules_are_mapped);
}

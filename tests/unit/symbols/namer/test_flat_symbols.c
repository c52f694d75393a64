// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_flat_symbols.c: symbols as bytes, and bytes that are no symbols. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "symbols/namer/flat_symbols.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"
#include "support/symbols/made_elf.h"

/* The layout, as the comment in flat_symbols.h describes it. */
#define COUNTS_AT    4	/* of loads, and of symbols; then whether the file is stripped */
#define NAMES_AT     16 /* bytes of names */
#define LOADS_AT     24
#define LOAD_BYTES   40
#define SYMBOL_END   8 /* in a symbol; then its name, and its encloser */
#define SYMBOL_NAME  16
#define ENCLOSER     24
#define SYMBOL_BYTES 32

static struct file_symbols own;
static uint8_t *flat;
static size_t bytes;

static void read_own(const char *path)
{
	struct elf_file *elf;

	ck_assert_int_eq(elf_file__open(&elf, open(path, O_RDONLY | O_CLOEXEC), path), 0);
	ck_assert_int_eq(file_symbols__read(&own, elf, NULL, false), 0);
	elf_file__free(elf);
}

static void flatten(void)
{
	bytes = flat_symbols__bytes(&own);
	flat = malloc(bytes);
	ck_assert_ptr_nonnull(flat);
	flat_symbols__write(&own, flat);
}

/* Three functions, the last one in the second. */
static void setup(void)
{
	static const struct made_symbol symbols[] = {
		{ "first", 0x1100, 0x20, STB_GLOBAL, STT_FUNC, 0, 0 },
		{ "second", 0x1200, 0x80, STB_GLOBAL, STT_FUNC, 0, 0 },
		{ "third", 0x1210, 0x10, STB_GLOBAL, STT_FUNC, 0, 0 },
	};
	const struct made_elf made = { .class = ELFCLASS64,
				       .encoding = ELFDATA2LSB,
				       .machine = EM_X86_64,
				       .table = SHT_SYMTAB,
				       .symbols = symbols,
				       .symbols_count = 3 };
	struct elf_file *elf;

	ck_assert_int_eq(elf_file__open(&elf, made_elf__fd(&made), "made"), 0);
	ck_assert_int_eq(file_symbols__read(&own, elf, NULL, false), 0);
	elf_file__free(elf);
	ck_assert_uint_eq(own.symbols.count, 3);
	flatten();
}

static void teardown(void)
{
	file_symbols__free(&own);
	free(flat);
}

static void check_equal(const struct file_symbols *a, const struct file_symbols *b)
{
	ck_assert_uint_eq(a->is_stripped, b->is_stripped);
	ck_assert_uint_eq(a->loads_count, b->loads_count);
	for (size_t i = 0; i < a->loads_count; i++) {
		ck_assert_uint_eq(a->loads[i].offset, b->loads[i].offset);
		ck_assert_uint_eq(a->loads[i].bytes, b->loads[i].bytes);
		ck_assert_uint_eq(a->loads[i].vaddr, b->loads[i].vaddr);
		ck_assert_uint_eq(a->loads[i].memory_bytes, b->loads[i].memory_bytes);
		ck_assert_uint_eq(a->loads[i].is_executable, b->loads[i].is_executable);
	}
	ck_assert_uint_eq(a->symbols.count, b->symbols.count);
	for (uint32_t i = 0; i < a->symbols.count; i++) {
		const struct elf_symbol *one = &a->symbols.list[i], *other = &b->symbols.list[i];

		ck_assert_uint_eq(one->begin, other->begin);
		ck_assert_uint_eq(one->end, other->end);
		ck_assert_uint_eq(one->encloser, other->encloser);
		ck_assert_uint_eq(one->info, other->info);
		ck_assert_uint_eq(one->is_guessed, other->is_guessed);
		ck_assert_str_eq(one->raw_name, other->raw_name);
	}
}

START_TEST(test_round_trip)
{
	struct file_symbols taken;

	teardown();
	read_own("/proc/self/exe");
	flatten();
	ck_assert_uint_gt(own.symbols.count, 1000);
	ck_assert_int_eq(flat_symbols__take_over(&taken, flat, bytes), 0);
	check_equal(&own, &taken);
	ck_assert_uint_ge(taken.symbols.bytes, bytes / 2);
	file_symbols__free(&taken);
}
END_TEST

START_TEST(test_stripped_and_empty)
{
	struct file_symbols none = { .is_stripped = true }, taken;
	size_t none_bytes = flat_symbols__bytes(&none);
	void *from = malloc(none_bytes);

	flat_symbols__write(&none, from);
	ck_assert_int_eq(flat_symbols__take_over(&taken, from, none_bytes), 0);
	ck_assert(taken.is_stripped);
	ck_assert_uint_eq(taken.symbols.count + taken.loads_count, 0);
	file_symbols__free(&taken);
	free(from);
}
END_TEST

#define MANY 20000 /* names of 4,096 bytes */

/* Names of more than 64 MiB stay in the memory file. */
START_TEST(test_many_names)
{
	static char name[BUDGET_NAME_BYTES + 1];
	struct file_symbols many = { 0 }, taken;
	struct namer_memory memory = { .is_mapped = true };

	memset(name, 'n', sizeof(name) - 1);
	for (uint64_t i = 0; i < MANY; i++)
		ck_assert_int_eq(elf_symbols__append(&many.symbols,
						     &(struct elf_symbol){ .begin = i,
									   .end = i + 1,
									   .encloser = UINT32_MAX,
									   .raw_name = name }),
				 0);
	for (uint32_t i = 0; i < MANY; i++)
		many.symbols.list[i].encloser = UINT32_MAX;
	memory.bytes = flat_symbols__bytes(&many);
	memory.at = mmap(NULL, memory.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			 -1, 0);
	ck_assert_ptr_ne(memory.at, MAP_FAILED);
	flat_symbols__write(&many, memory.at);
	ck_assert_int_eq(flat_symbols__take_memory(&taken, &memory), 0);
	ck_assert_ptr_eq(taken.symbols.memory.at, memory.at);
	ck_assert(taken.symbols.list[MANY - 1].raw_name > (char *)memory.at);
	ck_assert_str_eq(taken.symbols.list[MANY - 1].raw_name, name);
	ck_assert_uint_lt(taken.symbols.bytes, 2 << 20);
	file_symbols__free(&taken);
	file_symbols__free(&many);
}
END_TEST

/* Names that are too long are cut. */
START_TEST(test_long_name)
{
	static char name[3 * BUDGET_NAME_BYTES];
	struct file_symbols taken;

	memset(name, 'n', sizeof(name) - 1);
	own.symbols.list[1].raw_name = name;
	free(flat);
	flatten();
	ck_assert_uint_lt(bytes, 2 * BUDGET_NAME_BYTES);
	ck_assert_int_eq(flat_symbols__take_over(&taken, flat, bytes), 0);
	ck_assert_uint_eq(strlen(taken.symbols.list[1].raw_name), BUDGET_NAME_BYTES);
	ck_assert_str_eq(taken.symbols.list[2].raw_name, "third");
	file_symbols__free(&taken);
}
END_TEST

static void refuse(void)
{
	struct file_symbols taken;
	long blocks = fail_alloc__blocks();

	ck_assert_int_eq(flat_symbols__take_over(&taken, flat, bytes), -EBADMSG);
	ck_assert_ptr_null(taken.symbols.list);
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}

START_TEST(test_any_length)
{
	const size_t whole = bytes;

	for (bytes = 0; bytes < whole; bytes++)
		refuse();
	flat = realloc(flat, whole + 1);
	flat[whole] = 0;
	bytes = whole + 1;
	refuse();
}
END_TEST

/* Overwrites a number, sees it refused, and puts it back. */
static void refuse_u32(size_t at, uint32_t value)
{
	uint32_t before;

	memcpy(&before, flat + at, sizeof(before));
	memcpy(flat + at, &value, sizeof(value));
	refuse();
	memcpy(flat + at, &before, sizeof(before));
}

static void refuse_u64(size_t at, uint64_t value)
{
	uint64_t before;

	memcpy(&before, flat + at, sizeof(before));
	memcpy(flat + at, &value, sizeof(value));
	refuse();
	memcpy(flat + at, &before, sizeof(before));
}

static size_t symbol_at(uint32_t i)
{
	return LOADS_AT + own.loads_count * LOAD_BYTES + i * SYMBOL_BYTES;
}

START_TEST(test_lies_are_refused)
{
	struct file_symbols taken;

	refuse_u32(0, 0);
	refuse_u32(COUNTS_AT, (uint32_t)own.loads_count + 1);
	refuse_u32(COUNTS_AT, UINT32_MAX);
	refuse_u32(COUNTS_AT + 4, 2);
	refuse_u32(COUNTS_AT + 4, UINT32_MAX);
	refuse_u64(NAMES_AT, 0);
	refuse_u64(NAMES_AT, UINT64_MAX);
	refuse_u64(LOADS_AT, UINT64_MAX);      /* offset + bytes */
	refuse_u64(LOADS_AT + 16, UINT64_MAX); /* vaddr + bytes */
	refuse_u64(symbol_at(1), 0x1100);      /* not after the first */
	refuse_u64(symbol_at(2), 0x1000);
	refuse_u64(symbol_at(1) + SYMBOL_END, 0x11ff); /* before its begin */
	refuse_u64(symbol_at(1) + SYMBOL_NAME, 19);    /* after the names */
	refuse_u64(symbol_at(1) + SYMBOL_NAME, UINT64_MAX);
	refuse_u32(symbol_at(1) + ENCLOSER, 1); /* itself */
	refuse_u32(symbol_at(0) + ENCLOSER, 2);
	flat[bytes - 1] = 'x'; /* no end of the last name */
	refuse();
	flat[bytes - 1] = 0;
	ck_assert_int_eq(flat_symbols__take_over(&taken, flat, bytes), 0);
	ck_assert_uint_eq(taken.symbols.list[2].encloser, 1);
	file_symbols__free(&taken);
}
END_TEST

START_TEST(test_no_memory)
{
	struct file_symbols taken;
	long blocks = fail_alloc__blocks();
	int err;

	for (unsigned nth = 1; nth; nth++) {
		fail_alloc__begin(nth);
		err = flat_symbols__take_over(&taken, flat, bytes);
		if (!fail_alloc__end()) {
			file_symbols__free(&taken);
			break;
		}
		ck_assert_int_eq(err, -ENOMEM);
	}
	ck_assert_int_eq(fail_alloc__blocks(), blocks);
}
END_TEST

SUITE(20)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_round_trip);
	tcase_add_test(tests, test_stripped_and_empty);
	tcase_add_test(tests, test_many_names);
	tcase_add_test(tests, test_long_name);
	tcase_add_test(tests, test_any_length);
	tcase_add_test(tests, test_lies_are_refused);
	tcase_add_test(tests, test_no_memory);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_elf_symbols.c: functions of ELF files by address. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbols/elf/elf_symbols.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"
#include "support/symbols/made_elf.h"

#define COUNT(list) (sizeof(list) / sizeof(*(list)))

/* Reads the symbols of a file made of these. */
static struct elf_symbols read_made(const struct made_elf *made)
{
	struct elf_symbols symbols = { 0 };
	struct elf_file *file;

	ck_assert_int_eq(elf_file__open(&file, made_elf__fd(made), "made"), 0);
	ck_assert_int_eq(elf_symbols__add(&symbols, file, file), 0);
	elf_file__free(file);
	elf_symbols__finish(&symbols, false);
	return symbols;
}

static struct elf_symbols read_list(const struct made_symbol *list, size_t count)
{
	return read_made(&(struct made_elf){ ELFCLASS64, ELFDATA2LSB, EM_X86_64, .symbols = list,
					     .symbols_count = count });
}

/* "": no symbol. */
static void check(struct elf_symbols *symbols, uint64_t address, const char *name)
{
	struct elf_symbol *symbol = elf_symbols__find(symbols, address);

	ck_assert_str_eq(symbol ? elf_symbols__name(symbols, symbol, false) : "", name);
}

START_TEST(test_bounds_of_symbols)
{
	static const struct made_symbol list[] = {
		{ "second", 0x1200, 0x10, STB_GLOBAL, STT_FUNC, 0, 0 },
		{ "first", 0x1100, 0x80, STB_GLOBAL, STT_FUNC, 0, 0 },
		{ "data", 0x1400, 0x80, STB_GLOBAL, STT_OBJECT, 0, 0 },
		{ "outside", 0x9100, 0x80, STB_GLOBAL, STT_FUNC, 0, 0 },
		{ "huge", 0x1f00, UINT64_MAX, STB_GLOBAL, STT_FUNC, 0, 0 },
	};
	struct elf_symbols symbols = read_list(list, COUNT(list));

	check(&symbols, 0x10ff, "");
	check(&symbols, 0x1100, "first");
	check(&symbols, 0x117f, "first");
	check(&symbols, 0x1180, "");
	check(&symbols, 0x120f, "second");
	check(&symbols, 0x1210, "");
	check(&symbols, 0x1400, "");
	check(&symbols, 0x9100, "");
	check(&symbols, 0x1fff, "huge");
	check(&symbols, 0x2000, "");
	check(&symbols, 0, "");
	check(&symbols, UINT64_MAX, "");
	elf_symbols__free(&symbols);
}
END_TEST

/* The order in which perf prefers names of one address. */
START_TEST(test_preferred_names_of_an_address)
{
	static const struct made_symbol list[] = {
		{ "sized", 0x1100, 8, STB_LOCAL, STT_FUNC, 0, 0 },
		{ "empty", 0x1100, 0, STB_GLOBAL, STT_FUNC, 0, 0 },
		{ "label", 0x1200, 8, STB_GLOBAL, STT_NOTYPE, 0, 0 },
		{ "function", 0x1200, 8, STB_WEAK, STT_FUNC, 0, 0 },
		{ "weak_name", 0x1300, 8, STB_WEAK, STT_FUNC, 0, 0 },
		{ "strong", 0x1300, 8, STB_LOCAL, STT_FUNC, 0, 0 },
		{ "local_name", 0x1400, 8, STB_LOCAL, STT_FUNC, 0, 0 },
		{ "global", 0x1400, 8, STB_GLOBAL, STT_FUNC, 0, 0 },
		{ "__long_name", 0x1500, 8, STB_GLOBAL, STT_FUNC, 0, 0 },
		{ "name", 0x1500, 8, STB_GLOBAL, STT_FUNC, 0, 0 },
		{ "short", 0x1600, 8, STB_GLOBAL, STT_FUNC, 0, 0 },
		{ "longer", 0x1600, 8, STB_GLOBAL, STT_FUNC, 0, 0 },
		{ "alike", 0x1700, 8, STB_GLOBAL, STT_FUNC, 0, 0 },
		{ "other", 0x1700, 8, STB_GLOBAL, STT_FUNC, 0, 0 },
	};
	struct elf_symbols symbols = read_list(list, COUNT(list));

	check(&symbols, 0x1101, "sized");
	check(&symbols, 0x1201, "function");
	check(&symbols, 0x1301, "strong");
	check(&symbols, 0x1401, "global");
	check(&symbols, 0x1501, "name");
	check(&symbols, 0x1601, "longer");
	check(&symbols, 0x1701, "alike");
	ck_assert_uint_eq(symbols.count, 7);
	elf_symbols__free(&symbols);
}
END_TEST

#define MANY 5000

/* Addresses of all magnitudes, and names of one address: the first of them stays. */
START_TEST(test_many_symbols_are_sorted)
{
	static char names[MANY][8];
	struct elf_symbols symbols = { 0 };

	srand(1);
	for (uint32_t i = 0; i < MANY; i++) {
		const uint64_t begin = ((uint64_t)rand() << 33 ^ (uint64_t)rand()) >> rand() % 60;
		const struct elf_symbol symbol = {
			.begin = begin, .end = begin + 1, .raw_name = names[i], .info = STT_FUNC
		};

		snprintf(names[i], sizeof(names[i]), "f%06u", i);
		ck_assert_int_eq(elf_symbols__append(&symbols, &symbol), 0);
	}
	elf_symbols__finish(&symbols, true);
	ck_assert_uint_gt(symbols.count, MANY / 2);
	ck_assert_uint_lt(symbols.count, MANY);
	for (uint32_t i = 1; i < symbols.count; i++)
		ck_assert_uint_lt(symbols.list[i - 1].begin, symbols.list[i].begin);
	srand(1);
	for (uint32_t i = 0; i < MANY; i++) {
		const uint64_t begin = ((uint64_t)rand() << 33 ^ (uint64_t)rand()) >> rand() % 60;
		const struct elf_symbol *found = elf_symbols__find(&symbols, begin);

		ck_assert_ptr_nonnull(found);
		ck_assert_uint_eq(found->begin, begin);
		ck_assert_int_le(strcmp(found->raw_name, names[i]), 0);
	}
	elf_symbols__free(&symbols);
}
END_TEST

START_TEST(test_without_size)
{
	static const struct made_symbol list[] = {
		{ "assembler", 0x1100, 0, STB_GLOBAL, STT_FUNC, 0, 0 },
		{ "label", 0x1200, 0, STB_LOCAL, STT_NOTYPE, 0, 0 },
		{ "hidden_label", 0x1300, 0, STB_LOCAL, STT_NOTYPE, STV_HIDDEN, 0 },
		{ "last", 0x1e10, 0, STB_GLOBAL, STT_FUNC, 0, 0 },
	};
	struct elf_symbols symbols = read_list(list, COUNT(list));

	check(&symbols, 0x11ff, "assembler");
	check(&symbols, 0x1200, "label");
	check(&symbols, 0x1380, "label");
	check(&symbols, 0x1fff, "last");
	check(&symbols, 0x2000, "");
	elf_symbols__free(&symbols);
}
END_TEST

/* After the end of an inner symbol the outer one goes on. */
START_TEST(test_outer_symbol_goes_on)
{
	static const struct made_symbol list[] = {
		{ "outer", 0x1100, 0x100, STB_GLOBAL, STT_FUNC, 0, 0 },
		{ "inner", 0x1120, 0x40, STB_LOCAL, STT_FUNC, 0, 0 },
		{ "innermost", 0x1130, 0x10, STB_LOCAL, STT_FUNC, 0, 0 },
		{ "after", 0x1200, 0x10, STB_LOCAL, STT_FUNC, 0, 0 },
	};
	struct elf_symbols symbols = read_list(list, COUNT(list));

	check(&symbols, 0x111f, "outer");
	check(&symbols, 0x1120, "inner");
	check(&symbols, 0x1130, "innermost");
	check(&symbols, 0x1140, "inner");
	check(&symbols, 0x1160, "outer");
	check(&symbols, 0x11ff, "outer");
	check(&symbols, 0x1200, "after");
	check(&symbols, 0x1210, "");
	elf_symbols__free(&symbols);
}
END_TEST

START_TEST(test_left_out)
{
	static const struct made_symbol list[] = {
		{ "absolute", 0x1100, 8, STB_GLOBAL, STT_FUNC, 0, SHN_ABS },
		{ "no_section", 0x1200, 8, STB_GLOBAL, STT_FUNC, 0, 77 },
		{ "in_strings", 0x1300, 8, STB_GLOBAL, STT_FUNC, 0, 3 },
		{ "", 0x1400, 8, STB_GLOBAL, STT_FUNC, 0, 0 },
	};
	struct elf_symbols symbols = read_list(list, COUNT(list));

	ck_assert_uint_eq(symbols.count, 0);
	check(&symbols, 0x1100, "");
	elf_symbols__free(&symbols);
}
END_TEST

START_TEST(test_names_are_demangled)
{
	static const struct made_symbol list[] = {
		{ "_ZN2ns3boxIiE4spinEi", 0x1100, 8, STB_GLOBAL, STT_FUNC, 0, 0 },
	};
	struct elf_symbols symbols = read_list(list, COUNT(list));
	struct elf_symbol *symbol = elf_symbols__find(&symbols, 0x1100);
	const char *name = elf_symbols__name(&symbols, symbol, false);

	ck_assert_str_eq(name, "ns::box<int>::spin");
	ck_assert_str_eq(symbol->raw_name, "_ZN2ns3boxIiE4spinEi");
	ck_assert_ptr_eq(elf_symbols__name(&symbols, symbol, false), name);
	elf_symbols__free(&symbols);
}
END_TEST

/* 32-bit and 64-bit files of both byte orders, and an address that is not the offset. */
START_TEST(test_classes_and_byte_orders)
{
	static const struct made_symbol list[] = {
		{ "function", 0x8001100, 0x20, STB_GLOBAL, STT_FUNC, 0, 0 },
	};
	static const struct made_elf files[] = {
		{ ELFCLASS32, ELFDATA2LSB, EM_386, .vaddr = 0x8000000 },
		{ ELFCLASS32, ELFDATA2MSB, EM_PPC, .vaddr = 0x8000000 },
		{ ELFCLASS64, ELFDATA2LSB, EM_AARCH64, .vaddr = 0x8000000 },
		{ ELFCLASS64, ELFDATA2MSB, EM_S390, .vaddr = 0x8000000 },
	};

	for (size_t i = 0; i < COUNT(files); i++) {
		struct made_elf made = files[i];
		struct elf_symbols symbols;

		made.symbols = list;
		made.symbols_count = 1;
		symbols = read_made(&made);
		check(&symbols, 0x800111f, "function");
		check(&symbols, 0x1100, "");
		elf_symbols__free(&symbols);
	}
}
END_TEST

START_TEST(test_thumb_and_mapping_symbols)
{
	static const struct made_symbol list[] = {
		{ "thumb", 0x1101, 0x20, STB_GLOBAL, STT_FUNC, 0, 0 },
		{ "$t", 0x1100, 0, STB_LOCAL, STT_NOTYPE, 0, 0 },
		{ "$d.12", 0x1110, 0, STB_LOCAL, STT_NOTYPE, 0, 0 },
		{ "$dollar", 0x1118, 0, STB_LOCAL, STT_NOTYPE, 0, 0 },
	};
	struct elf_symbols symbols = read_made(&(struct made_elf){
		ELFCLASS32, ELFDATA2LSB, EM_ARM, .symbols = list, .symbols_count = COUNT(list) });

	check(&symbols, 0x1100, "thumb");
	check(&symbols, 0x1117, "thumb");
	check(&symbols, 0x1118, "$dollar");
	elf_symbols__free(&symbols);
}
END_TEST

/* The library's own program: a static function, and entries of the PLT. */
START_TEST(test_symbols_of_this_program)
{
	struct elf_symbols symbols = { 0 };
	bool has_static = false, has_plt = false;
	struct elf_file *file;

	ck_assert_int_eq(elf_file__open(&file, open("/proc/self/exe", O_RDONLY), "self"), 0);
	ck_assert_int_eq(elf_symbols__add(&symbols, file, file), 0);
	elf_file__free(file);
	elf_symbols__finish(&symbols, false);
	for (uint32_t i = 0; i < symbols.count; i++) {
		struct elf_symbol *symbol = &symbols.list[i];

		ck_assert(i == 0 || symbol->begin > symbol[-1].begin);
		ck_assert(symbol->end >= symbol->begin);
		has_static = has_static || !strcmp(symbol->raw_name, "read_made");
		has_plt = has_plt || !strcmp(symbol->raw_name, "memfd_create@plt");
	}
	ck_assert(has_static && has_plt);
	elf_symbols__free(&symbols);
}
END_TEST

/* Every byte of the tables damaged: nothing is read outside, and what is found is inside. */
START_TEST(test_damaged_tables_do_no_harm)
{
	static const struct made_symbol list[] = {
		{ "first", 0x1100, 0x80, STB_GLOBAL, STT_FUNC, 0, 0 },
		{ "second", 0x1200, 0x10, STB_GLOBAL, STT_FUNC, 0, 0 },
	};
	const struct made_elf made = { ELFCLASS64, ELFDATA2LSB, EM_X86_64, .symbols = list,
				       .symbols_count = COUNT(list) };
	int fd = made_elf__fd(&made);
	off_t bytes = lseek(fd, 0, SEEK_END);

	for (off_t i = 0; i < bytes; i++) {
		struct elf_symbols symbols = { 0 };
		char *image = malloc((size_t)bytes);
		struct elf_file *file;

		if (i == 0x300)
			i = 0x1f00; /* after the headers, and before the tables */
		ck_assert_int_eq(pread(fd, image, (size_t)bytes, 0), bytes);
		image[i] ^= i % 2 ? 0x7f : 0x81;
		if (elf_file__open_image(&file, image, (size_t)bytes, "damaged"))
			continue;
		ck_assert_int_eq(elf_symbols__add(&symbols, file, file), 0);
		elf_symbols__finish(&symbols, false);
		for (uint64_t address = 0x1000; address < 0x2000; address += 8)
			elf_symbols__find(&symbols, address);
		elf_symbols__free(&symbols);
		elf_file__free(file);
	}
	close(fd);
}
END_TEST

/* A name that is longer than any that is printed is cut; aliases are compared, not kept. */
START_TEST(test_long_names)
{
	static char name[3 * BUDGET_NAME_BYTES];
	const struct made_symbol list[] = {
		{ name, 0x1100, 0x10, STB_GLOBAL, STT_FUNC, 0, 0 },
		{ "_ZN4name5aliasEv", 0x1200, 0x10, STB_GLOBAL, STT_FUNC, 0, 0 },
		{ "_ZN4name10long_aliasEv", 0x1200, 0x10, STB_GLOBAL, STT_FUNC, 0, 0 },
	};
	struct elf_symbols symbols;
	struct elf_symbol *symbol;

	memset(name, 'n', sizeof(name) - 1);
	symbols = read_list(list, COUNT(list));
	ck_assert_uint_eq(symbols.names.bytes, 0);
	symbol = elf_symbols__find(&symbols, 0x1100);
	ck_assert_uint_eq(strlen(elf_symbols__name(&symbols, symbol, false)), BUDGET_NAME_BYTES);
	ck_assert_uint_eq(strlen(symbol->raw_name), BUDGET_NAME_BYTES);
	check(&symbols, 0x1200, "name::long_alias");
	elf_symbols__free(&symbols);
}
END_TEST

/* Headers of many tables over the same bytes, which are a hole: 1 GiB of them is read at most. */
START_TEST(test_many_headers)
{
	const struct made_symbol symbol = { "name", 0x1100, 0x10, STB_GLOBAL, STT_FUNC, 0, 0 };
	const struct made_elf made = {
		ELFCLASS64,	     ELFDATA2LSB,	 EM_X86_64,
		.table = SHT_SYMTAB, .symbols = &symbol, .symbols_count = 1
	};
	struct elf_symbols symbols = { 0 };
	int fd = made_elf__fd(&made);
	const uint64_t hole = 400ULL << 20;
	Elf64_Shdr sections[64] = { 0 };
	struct elf_file *file;
	Elf64_Ehdr head;

	ck_assert_int_eq(pread(fd, &head, sizeof(head), 0), sizeof(head));
	for (unsigned i = 1; i < COUNT(sections); i++)
		sections[i] = (Elf64_Shdr){ .sh_type = i == 1 ? SHT_STRTAB : SHT_SYMTAB,
					    .sh_offset = 1 << 20,
					    .sh_size = hole,
					    .sh_link = 1,
					    .sh_entsize = sizeof(Elf64_Sym) };
	ck_assert_int_eq(ftruncate(fd, (off_t)(hole + (2 << 20))), 0);
	head.e_shoff = hole + (1 << 20) + 4096;
	head.e_shnum = COUNT(sections);
	head.e_shstrndx = 0;
	ck_assert_int_eq(pwrite(fd, sections, sizeof(sections), (off_t)head.e_shoff),
			 sizeof(sections));
	ck_assert_int_eq(pwrite(fd, &head, sizeof(head), 0), sizeof(head));
	ck_assert_int_eq(elf_file__open(&file, fd, "made"), 0);
	ck_assert_int_eq(elf_symbols__add(&symbols, file, file), 0);
	ck_assert_uint_le(symbols.bytes, hole); /* one copy of the names */
	elf_file__free(file);
	elf_symbols__free(&symbols);
}
END_TEST

/* A table for which there is no memory is an error: the file is not one without symbols. */
START_TEST(test_no_memory)
{
	struct elf_symbols symbols;
	struct elf_file *file;
	bool is_lost = false, has_failed = false;
	int err;

	for (unsigned nth = 1; nth; nth++) {
		symbols = (struct elf_symbols){ 0 };
		ck_assert_int_eq(elf_file__open(&file, open("/proc/self/exe", O_RDONLY), "self"),
				 0);
		elf_file__find_section(file, "none", NULL); /* reads the headers of sections */
		fail_alloc__begin(nth);
		err = elf_symbols__add(&symbols, file, file);
		if (fail_alloc__end()) {
			has_failed = true;
		} else {
			ck_assert_int_eq(err, 0);
			nth = UINT32_MAX;
		}
		is_lost |= err == -ENOMEM && !symbols.count;
		ck_assert(err == -ENOMEM || symbols.count > 1000);
		elf_file__free(file);
		elf_symbols__free(&symbols);
	}
	ck_assert(is_lost || !has_failed);
}
END_TEST

SUITE(60)
{
	tcase_add_test(tests, test_bounds_of_symbols);
	tcase_add_test(tests, test_preferred_names_of_an_address);
	tcase_add_test(tests, test_many_symbols_are_sorted);
	tcase_add_test(tests, test_without_size);
	tcase_add_test(tests, test_outer_symbol_goes_on);
	tcase_add_test(tests, test_left_out);
	tcase_add_test(tests, test_names_are_demangled);
	tcase_add_test(tests, test_classes_and_byte_orders);
	tcase_add_test(tests, test_thumb_and_mapping_symbols);
	tcase_add_test(tests, test_long_names);
	tcase_add_test(tests, test_many_headers);
	tcase_add_test(tests, test_symbols_of_this_program);
	tcase_add_test(tests, test_damaged_tables_do_no_harm);
	tcase_add_test(tests, test_no_memory);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_own_stacks.c: inserted instructions, all that names their places, and damaged objects. */
#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/libbpf.h>

#include "object/btf_ext.h"
#include "object/line_info.h"
#include "object/own_stacks.h"
#include "elf_image.h"
#include "support/machine/harness.h"
#include "support/machine/object.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

EMBED_OBJECT(uprobes)
EMBED_OBJECT(calls)

#define GUARD_INSNS 3
#define GUARD_BYTES (GUARD_INSNS * sizeof(struct bpf_insn))
#define PROGRAMS    5				  /* of uprobes */
#define RETURN	    "?uretprobe/libc.so.6:getpid" /* a section with one program of two instructions */

static struct {
	void *bytes;
	size_t count;
} made;

/* There is a copy if programs have the instructions. */
static int use(const void *elf, size_t bytes)
{
	int ret;

	free(made.bytes);
	made.bytes = &made;
	ret = own_stacks__use(elf, bytes, &made.bytes, &made.count);
	ck_assert_int_eq(!made.bytes, ret <= 0);
	return ret;
}

static void *copy(const struct object_file *file)
{
	void *bytes = malloc(*file->count);

	ck_assert_ptr_nonnull(bytes);
	return memcpy(bytes, file->bytes, *file->count);
}

static void make(void)
{
	ck_assert_int_eq(use(uprobes_object.bytes, *uprobes_object.count), PROGRAMS);
	ck_assert_ptr_nonnull(made.bytes);
}

/* ---- instructions ---------------------------------------------------------------------------- */

static size_t guards_of(const struct bpf_program *program)
{
	const struct bpf_insn *insns = bpf_program__insns(program);
	size_t count = 0;

	for (size_t i = 0; i < bpf_program__insn_cnt(program); i++)
		count += insns[i].code == (BPF_JMP | BPF_CALL) && !insns[i].src_reg &&
			 insns[i].imm == BPF_FUNC_tail_call;
	return count;
}

static void check_program(const struct bpf_program *program, const struct bpf_program *original)
{
	size_t count = bpf_program__insn_cnt(original), inserted;
	const struct bpf_insn *insns = bpf_program__insns(program);

	ck_assert_str_eq(bpf_program__section_name(program), bpf_program__section_name(original));
	inserted = guards_of(program) ? GUARD_INSNS : 0;
	ck_assert_int_eq(!!inserted, strcmp(bpf_program__name(program), "of_kernel") != 0);
	ck_assert_uint_eq(bpf_program__insn_cnt(program), count + inserted);
	ck_assert_mem_eq(insns + inserted, bpf_program__insns(original), count * sizeof(*insns));
	if (!inserted)
		return;
	ck_assert_uint_eq(insns[1].code, BPF_JMP | BPF_JEQ | BPF_K);
	ck_assert_int_eq(insns[1].off, 1);
	ck_assert_uint_eq(insns[2].code, BPF_JMP | BPF_CALL);
}

START_TEST(test_programs_are_kept)
{
	struct bpf_object *original, *object;
	struct bpf_program *program;
	int programs = 0;

	make();
	original = bpf_object__open_mem(uprobes_object.bytes, *uprobes_object.count, NULL);
	object = bpf_object__open_mem(made.bytes, made.count, NULL);
	ck_assert_ptr_nonnull(object);
	bpf_object__for_each_program(program, object)
	{
		check_program(program, bpf_object__find_program_by_name(
					       original, bpf_program__name(program)));
		programs++;
	}
	ck_assert_int_eq(programs, PROGRAMS + 1);
	bpf_object__close(object);
	bpf_object__close(original);
}
END_TEST

/* ---- places ---------------------------------------------------------------------------------- */

static unsigned line_at(void *elf, const char *section, uint64_t offset)
{
	const Elf64_Shdr *ext = elf_image__section(elf, ".BTF.ext");
	const Elf64_Shdr *btf = elf_image__section(elf, ".BTF");
	struct line_info lines = { .ext = elf_image__data(elf, ext),
				   .ext_bytes = ext->sh_size,
				   .btf = elf_image__data(elf, btf),
				   .btf_bytes = btf->sh_size };
	struct source_line line;

	ck_assert(line_info__find(&lines, section, offset, &line));
	return line.line;
}

/* Each instruction has the line that it had before. */
static void check_lines(void *original, const char *program, size_t programs_before)
{
	const Elf64_Sym *from = elf_image__symbol(original, program);
	const Elf64_Sym *to = elf_image__symbol(made.bytes, program);

	ck_assert_uint_eq(to->st_value, from->st_value + programs_before * GUARD_BYTES);
	ck_assert_uint_eq(to->st_size, from->st_size + GUARD_BYTES);
	ck_assert_uint_eq(line_at(made.bytes, "uprobe", to->st_value),
			  line_at(original, "uprobe", from->st_value));
	for (size_t at = 0; at < from->st_size; at += sizeof(struct bpf_insn))
		ck_assert_uint_eq(line_at(made.bytes, "uprobe", to->st_value + GUARD_BYTES + at),
				  line_at(original, "uprobe", from->st_value + at));
}

START_TEST(test_lines_and_symbols)
{
	void *original = copy(&uprobes_object);

	make();
	check_lines(original, "first", 0);
	check_lines(original, "sized", 1);
	check_lines(original, "second", 2);
	free(original);
}
END_TEST

/* The instructions that the relocations change are the same. */
START_TEST(test_relocations_move_with_code)
{
	void *original = copy(&uprobes_object);
	const Elf64_Shdr *before = elf_image__section(original, ".reluprobe"), *after;
	const Elf64_Rel *from = elf_image__data(original, before), *to;
	const char *code, *new_code;

	make();
	after = elf_image__section(made.bytes, ".reluprobe");
	to = elf_image__data(made.bytes, after);
	code = elf_image__data(original, elf_image__section(original, "uprobe"));
	new_code = elf_image__data(made.bytes, elf_image__section(made.bytes, "uprobe"));
	ck_assert_uint_gt(before->sh_size, 0);
	for (size_t i = 0; i < before->sh_size / sizeof(*from); i++) {
		ck_assert_uint_gt(to[i].r_offset, from[i].r_offset);
		ck_assert_uint_eq(to[i].r_info, from[i].r_info);
		ck_assert_mem_eq(new_code + to[i].r_offset, code + from[i].r_offset,
				 sizeof(struct bpf_insn));
	}
	free(original);
}
END_TEST

/* ---- .BTF.ext -------------------------------------------------------------------------------- */

static uint16_t section_number(void *elf, const char *name)
{
	return (uint16_t)(elf_image__section(elf, name) - elf_image__at(elf, 0));
}

static bool is_uprobe(const char *section)
{
	return !strcmp(section, "uprobe") || !strcmp(section, RETURN) || !strcmp(section, "usdt");
}

/* The new offset of an instruction of the original file, or of the program that begins there. */
static uint32_t moved(void *original, const char *section, uint32_t offset, bool is_insn)
{
	const Elf64_Shdr *table = elf_image__section(original, ".symtab");
	const Elf64_Sym *symbols = elf_image__data(original, table);
	uint32_t inserted = 0;

	if (!is_uprobe(section))
		return offset;
	for (size_t i = 0; i < table->sh_size / sizeof(*symbols); i++)
		if (ELF64_ST_TYPE(symbols[i].st_info) == STT_FUNC &&
		    symbols[i].st_shndx == section_number(original, section) &&
		    symbols[i].st_value < offset + is_insn)
			inserted += GUARD_BYTES;
	return offset + inserted;
}

static struct cursor ext_part(void *elf, enum btf_ext_part which)
{
	const Elf64_Shdr *ext = elf_image__section(elf, ".BTF.ext");
	struct cursor part;

	ck_assert(btf_ext__find(elf_image__data(elf, ext), ext->sh_size, which, &part));
	return part;
}

static const char *btf_string(void *elf, uint32_t offset)
{
	const Elf64_Shdr *btf = elf_image__section(elf, ".BTF");
	size_t at, count;

	ck_assert(btf_ext__find_strings(elf_image__data(elf, btf), btf->sh_size, &at, &count));
	ck_assert_uint_lt(offset, count);
	return (const char *)elf_image__data(elf, btf) + at + offset;
}

/* Only the offsets at which records begin differ.  Returns the number of those. */
static unsigned check_records(void *original, enum btf_ext_part which)
{
	struct cursor from = ext_part(original, which), to = ext_part(made.bytes, which);
	uint32_t record_bytes = cursor__u32(&from);
	unsigned differing = 0;

	ck_assert_uint_eq(cursor__u32(&to), record_bytes);
	while (cursor__left(&from)) {
		uint32_t name = cursor__u32(&from), count = cursor__u32(&from);
		const char *section = btf_string(original, name);

		ck_assert_uint_eq(cursor__u32(&to), name);
		ck_assert_uint_eq(cursor__u32(&to), count);
		while (count--) {
			uint32_t offset = cursor__u32(&from);
			uint32_t wanted = moved(original, section, offset, which == BTF_EXT_RELOS);

			ck_assert_uint_eq(cursor__u32(&to), wanted);
			ck_assert_mem_eq(cursor__bytes(&to, record_bytes - 4),
					 cursor__bytes(&from, record_bytes - 4), record_bytes - 4);
			differing += wanted != offset;
		}
	}
	ck_assert(!from.bad && !to.bad && !cursor__left(&to));
	return differing;
}

START_TEST(test_records_move_with_code)
{
	void *original = copy(&uprobes_object);

	make();
	ck_assert_uint_eq(check_records(original, BTF_EXT_FUNCS), 2); /* but for the first */
	ck_assert_uint_gt(check_records(original, BTF_EXT_LINES), 0);
	ck_assert_uint_eq(check_records(original, BTF_EXT_RELOS), 3);
	free(original);
}
END_TEST

static void rename_sections(void *elf, enum btf_ext_part which, uint32_t name)
{
	struct cursor part = ext_part(elf, which);
	uint64_t record_bytes = cursor__u32(&part);

	while (cursor__left(&part)) {
		memcpy((void *)(uintptr_t)part.at, &name, sizeof(name));
		cursor__u32(&part);
		cursor__bytes(&part, record_bytes * cursor__u32(&part));
	}
	ck_assert(!part.bad);
}

/* The names of sections are no strings of .BTF: the records stay. */
START_TEST(test_unknown_sections)
{
	static const uint32_t names[] = { 0, 0xfffffff0, 0x7fffffff };
	struct cursor from, to;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		void *elf = copy(&uprobes_object);

		rename_sections(elf, BTF_EXT_FUNCS, names[i]);
		ck_assert_int_eq(use(elf, *uprobes_object.count), PROGRAMS);
		from = ext_part(elf, BTF_EXT_FUNCS);
		to = ext_part(made.bytes, BTF_EXT_FUNCS);
		ck_assert_mem_eq(to.at, from.at, cursor__left(&from));
		free(elf);
	}
}
END_TEST

/* Without types, or with others that it does not know, only the code is moved. */
START_TEST(test_unknown_types)
{
	static const char *const sections[] = { ".BTF", ".BTF.ext" };

	for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); i++) {
		void *elf = copy(&uprobes_object);
		const Elf64_Shdr *ext = elf_image__section(elf, ".BTF.ext");

		memset(elf_image__data(elf, elf_image__section(elf, sections[i])), 0, 2);
		ck_assert_int_eq(use(elf, *uprobes_object.count), PROGRAMS);
		ck_assert_mem_eq(elf_image__data(made.bytes, ext), elf_image__data(elf, ext),
				 ext->sh_size);
		free(elf);
	}
}
END_TEST

/* ---- sections -------------------------------------------------------------------------------- */

/* Changes a copy of the object, and checks how many programs have the instructions, or the error.
 */
static void check_changed(void (*change)(void *elf), int wanted)
{
	void *elf = copy(&uprobes_object);

	change(elf);
	ck_assert_int_eq(use(elf, *uprobes_object.count), wanted);
	free(elf);
}

static struct bpf_insn *insns_of(void *elf, const char *section)
{
	return elf_image__data(elf, elf_image__section(elf, section));
}

/* A call whose place would have to be changed in the instruction. */
static const struct bpf_insn call = { .code = BPF_JMP | BPF_CALL, .src_reg = BPF_PSEUDO_CALL };

static void call_first(void *elf)
{
	insns_of(elf, RETURN)[0] = call;
}

static void call_last(void *elf)
{
	insns_of(elf, RETURN)[1] = call;
}

/* The section ends with a call that has a relocation. */
static void end_with_call(void *elf)
{
	elf_image__section(elf, "uprobe")->sh_size -= sizeof(struct bpf_insn);
}

START_TEST(test_calls_at_start_prevent_change)
{
	check_changed(call_first, PROGRAMS - 1);
	check_changed(call_last, PROGRAMS - 1);
	check_changed(end_with_call, PROGRAMS);
}
END_TEST

/* Code has the address of this symbol. */
static void refer_to(void *elf, const char *section, unsigned char type)
{
	Elf64_Sym *symbol = elf_image__symbol(elf, "parent");

	symbol->st_info = ELF64_ST_INFO(STB_GLOBAL, type);
	symbol->st_shndx = section_number(elf, section);
}

static void refer_to_section(void *elf)
{
	refer_to(elf, RETURN, STT_SECTION);
}

static void refer_to_other_section(void *elf)
{
	refer_to(elf, "kprobe/uprobe", STT_SECTION);
}

static void refer_to_object(void *elf)
{
	refer_to(elf, RETURN, STT_OBJECT);
}

START_TEST(test_relative_addresses)
{
	check_changed(refer_to_section, PROGRAMS - 1);
	check_changed(refer_to_other_section, PROGRAMS);
	check_changed(refer_to_object, PROGRAMS);
}
END_TEST

static void make_data(void *elf)
{
	elf_image__section(elf, RETURN)->sh_flags &= ~(Elf64_Xword)SHF_EXECINSTR;
}

static void make_symbol_object(void *elf)
{
	elf_image__symbol(elf, "with_target")->st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT);
}

static void remove_symbols(void *elf)
{
	elf_image__section(elf, ".symtab")->sh_type = SHT_PROGBITS;
}

/* They stay at their places. */
START_TEST(test_sections_without_programs)
{
	void *original = (void *)(uintptr_t)uprobes_object.bytes;
	Elf64_Shdr before = *elf_image__section(original, RETURN);

	check_changed(make_data, PROGRAMS - 1);
	ck_assert_uint_eq(elf_image__section(made.bytes, RETURN)->sh_offset, before.sh_offset);
	check_changed(make_symbol_object, PROGRAMS - 1);
	ck_assert_uint_eq(elf_image__section(made.bytes, RETURN)->sh_offset, before.sh_offset);
	check_changed(remove_symbols, 0);
}
END_TEST

/* Any length of the file: new sections are behind it, aligned, and in order. */
START_TEST(test_places_of_sections)
{
	static const char *const sections[] = { "uprobe", RETURN, "usdt" };
	size_t count = *uprobes_object.count;
	char *elf = calloc(1, count + 8);

	memcpy(elf, uprobes_object.bytes, count);
	for (size_t added = 0; added <= 8; added++) {
		size_t end = count + added;

		ck_assert_int_eq(use(elf, end), PROGRAMS);
		for (size_t i = 0; i < 3; i++) {
			const Elf64_Shdr *from = elf_image__section(elf, sections[i]);
			const Elf64_Shdr *to = elf_image__section(made.bytes, sections[i]);
			size_t programs = i ? 1 : 3;

			ck_assert_uint_ge(to->sh_offset, end);
			ck_assert_uint_lt(to->sh_offset, end + 8);
			ck_assert_uint_eq(to->sh_offset % 8, 0);
			ck_assert_uint_eq(to->sh_size, from->sh_size + programs * GUARD_BYTES);
			end = to->sh_offset + to->sh_size;
		}
		ck_assert_uint_eq(made.count, end);
	}
	free(elf);
}
END_TEST

/* ---- symbols --------------------------------------------------------------------------------- */

static void swap_programs(void *elf)
{
	Elf64_Sym *first = elf_image__symbol(elf, "first"), before = *first;
	Elf64_Sym *second = elf_image__symbol(elf, "second");

	first->st_value = second->st_value;
	first->st_size = second->st_size;
	second->st_value = before.st_value;
	second->st_size = before.st_size;
}

/* Symbols may be in any order. */
START_TEST(test_order_of_symbols)
{
	size_t bytes;
	void *code;

	make();
	bytes = elf_image__section(made.bytes, "uprobe")->sh_size;
	code = malloc(bytes);
	memcpy(code, insns_of(made.bytes, "uprobe"), bytes);
	check_changed(swap_programs, PROGRAMS);
	ck_assert_mem_eq(insns_of(made.bytes, "uprobe"), code, bytes);
	ck_assert_uint_eq(elf_image__symbol(made.bytes, "second")->st_value, 0);
	free(code);
}
END_TEST

static void make_alias(void *elf)
{
	elf_image__symbol(elf, "second")->st_value = elf_image__symbol(elf, "sized")->st_value;
}

static void misplace(void *elf)
{
	elf_image__symbol(elf, "with_target")->st_value = 4;
}

static void place_at_end(void *elf)
{
	elf_image__symbol(elf, "with_target")->st_value = 2 * sizeof(struct bpf_insn);
}

/* Two names of a program are one program. */
START_TEST(test_values_of_symbols)
{
	check_changed(make_alias, PROGRAMS - 1);
	check_changed(misplace, -EBADMSG);
	check_changed(place_at_end, -EBADMSG);
}
END_TEST

static Elf64_Sym *last_symbol(void *elf)
{
	const Elf64_Shdr *table = elf_image__section(elf, ".symtab");

	return (Elf64_Sym *)elf_image__data(elf, table) + table->sh_size / sizeof(Elf64_Sym) - 1;
}

static void copy_to_last(void *elf)
{
	*last_symbol(elf) = *elf_image__symbol(elf, "second");
}

START_TEST(test_last_symbol)
{
	check_changed(copy_to_last, PROGRAMS);
	ck_assert_mem_eq(last_symbol(made.bytes), elf_image__symbol(made.bytes, "second"),
			 sizeof(Elf64_Sym));
}
END_TEST

static void number_symbols(void *elf)
{
	elf_image__section(elf, ".symtab")->sh_info = section_number(elf, "uprobe");
}

/* The info of other sections than relocations is no number of a section. */
START_TEST(test_info_of_symbols)
{
	const Elf64_Shdr *table;
	void *symbols;

	make();
	table = elf_image__section(made.bytes, ".symtab");
	symbols = malloc(table->sh_size);
	memcpy(symbols, elf_image__data(made.bytes, table), table->sh_size);
	check_changed(number_symbols, PROGRAMS);
	table = elf_image__section(made.bytes, ".symtab");
	ck_assert_mem_eq(elf_image__data(made.bytes, table), symbols, table->sh_size);
	free(symbols);
}
END_TEST

/* ---- other files ----------------------------------------------------------------------------- */

START_TEST(test_no_uprobe)
{
	ck_assert_int_eq(use(calls_object.bytes, *calls_object.count), 0);
	ck_assert_ptr_null(made.bytes);
}
END_TEST

START_TEST(test_no_object)
{
	void *elf = copy(&uprobes_object);

	ck_assert_int_eq(use("", 0), -EBADMSG);
	ck_assert_int_eq(use("no ELF file of BPF", 16), -EBADMSG);
	((Elf64_Ehdr *)elf)->e_machine = EM_X86_64;
	ck_assert_int_eq(use(elf, *uprobes_object.count), -EBADMSG);
	ck_assert_ptr_null(made.bytes);
	free(elf);
}
END_TEST

static void make_32_bit(void *elf)
{
	((Elf64_Ehdr *)elf)->e_ident[EI_CLASS] = ELFCLASS32;
}

static void move_headers(void *elf)
{
	((Elf64_Ehdr *)elf)->e_shoff += 8;
}

static void move_headers_to_end(void *elf)
{
	((Elf64_Ehdr *)elf)->e_shoff = *uprobes_object.count;
}

static void move_headers_away(void *elf)
{
	((Elf64_Ehdr *)elf)->e_shoff = UINT64_MAX - 8;
}

static void add_header(void *elf)
{
	((Elf64_Ehdr *)elf)->e_shnum++;
}

static void lose_names(void *elf)
{
	((Elf64_Ehdr *)elf)->e_shstrndx = SHN_XINDEX;
	elf_image__at(elf, 0)->sh_link = 0xffff;
}

/* A file whose headers of sections are not all in the file has no programs. */
START_TEST(test_headers_outside_file)
{
	check_changed(make_32_bit, -EBADMSG);
	check_changed(move_headers, 0);
	check_changed(move_headers_to_end, 0);
	check_changed(move_headers_away, 0);
	check_changed(add_header, 0);
	check_changed(lose_names, 0);
}
END_TEST

/* libelf reports a lack of memory as an invalid file. */
START_TEST(test_no_memory)
{
	for (unsigned nth = 1; nth; nth++) {
		long blocks = fail_alloc__blocks();
		void *bytes = &made;
		bool failed;
		int ret;

		fail_alloc__begin(nth);
		ret = own_stacks__use(uprobes_object.bytes, *uprobes_object.count, &bytes,
				      &made.count);
		failed = fail_alloc__end();
		free(bytes);
		ck_assert_int_eq(fail_alloc__blocks(), blocks);
		if (!failed)
			break;
		ck_assert(ret == -ENOMEM || ret == -EBADMSG);
	}
}
END_TEST

START_TEST(test_damaged_objects_do_no_harm)
{
	size_t count = *uprobes_object.count;
	unsigned char *bytes = copy(&uprobes_object);
	int ret;

	for (size_t i = 0; i < count; i += 11) {
		bytes[i] ^= 0xff;
		ret = use(bytes, count);
		ck_assert(ret >= 0 || ret == -EBADMSG);
		bytes[i] ^= 0xff;
	}
	for (size_t cut = 1; cut < count; cut += 997) {
		ret = use(bytes, cut);
		ck_assert(ret >= 0 || ret == -EBADMSG);
	}
	free(bytes);
}
END_TEST

static void teardown(void)
{
	free(made.bytes);
	made.bytes = NULL;
}

SUITE(60)
{
	tcase_add_checked_fixture(tests, NULL, teardown);
	tcase_add_test(tests, test_programs_are_kept);
	tcase_add_test(tests, test_lines_and_symbols);
	tcase_add_test(tests, test_relocations_move_with_code);
	tcase_add_test(tests, test_records_move_with_code);
	tcase_add_test(tests, test_unknown_sections);
	tcase_add_test(tests, test_unknown_types);
	tcase_add_test(tests, test_calls_at_start_prevent_change);
	tcase_add_test(tests, test_relative_addresses);
	tcase_add_test(tests, test_sections_without_programs);
	tcase_add_test(tests, test_places_of_sections);
	tcase_add_test(tests, test_order_of_symbols);
	tcase_add_test(tests, test_values_of_symbols);
	tcase_add_test(tests, test_last_symbol);
	tcase_add_test(tests, test_info_of_symbols);
	tcase_add_test(tests, test_no_uprobe);
	tcase_add_test(tests, test_no_object);
	tcase_add_test(tests, test_headers_outside_file);
	tcase_add_test(tests, test_no_memory);
	tcase_add_test(tests, test_damaged_objects_do_no_harm);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_own_stacks.c: inserted instructions, all that names their places, and damaged objects. */
#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/libbpf.h>

#include "object/line_info.h"
#include "object/own_stacks.h"
#include "elf_image.h"
#include "support/machine/harness.h"
#include "support/machine/object.h"
#include "unit/suite.h"

EMBED_OBJECT(uprobes)
EMBED_OBJECT(calls)

#define GUARD_INSNS 3
#define PROGRAMS    4 /* of uprobes */

static struct {
	void *bytes;
	size_t count;
} made;

static int use(const void *elf, size_t bytes)
{
	free(made.bytes);
	made.bytes = NULL;
	return own_stacks__use(elf, bytes, &made.bytes, &made.count);
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

START_TEST(test_programs)
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
	size_t guard = GUARD_INSNS * sizeof(struct bpf_insn);

	ck_assert_uint_eq(to->st_value, from->st_value + programs_before * guard);
	ck_assert_uint_eq(to->st_size, from->st_size + guard);
	ck_assert_uint_eq(line_at(made.bytes, "uprobe", to->st_value),
			  line_at(original, "uprobe", from->st_value));
	for (size_t at = 0; at < from->st_size; at += sizeof(struct bpf_insn))
		ck_assert_uint_eq(line_at(made.bytes, "uprobe", to->st_value + guard + at),
				  line_at(original, "uprobe", from->st_value + at));
}

START_TEST(test_lines_and_symbols)
{
	void *original = copy(&uprobes_object);

	make();
	check_lines(original, "first", 0);
	check_lines(original, "second", 1);
	free(original);
}
END_TEST

/* The instructions that the relocations change are the same. */
START_TEST(test_relocations)
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

/* ---- other files ----------------------------------------------------------------------------- */

/* A call whose place would have to be changed in the instruction. */
START_TEST(test_call_without_relocation)
{
	void *elf = copy(&uprobes_object);
	struct bpf_insn *insns =
		elf_image__data(elf, elf_image__section(elf, "?uretprobe/libc.so.6:getpid"));

	insns[0] = (struct bpf_insn){ .code = BPF_JMP | BPF_CALL, .src_reg = BPF_PSEUDO_CALL };
	insns[1] = (struct bpf_insn){ .code = BPF_JMP | BPF_EXIT };
	ck_assert_int_eq(use(elf, *uprobes_object.count), PROGRAMS - 1);
	free(elf);
}
END_TEST

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

START_TEST(test_damaged)
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
	tcase_add_test(tests, test_programs);
	tcase_add_test(tests, test_lines_and_symbols);
	tcase_add_test(tests, test_relocations);
	tcase_add_test(tests, test_call_without_relocation);
	tcase_add_test(tests, test_no_uprobe);
	tcase_add_test(tests, test_no_object);
	tcase_add_test(tests, test_damaged);
}

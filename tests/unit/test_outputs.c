// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_outputs.c: what compiled code writes into which map; code that makes no sense. */
#include <elf.h>
#include <errno.h>
#include <libelf.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "foreign_objects.h"
#include "object/infer/output_sizes.h"
#include "suites.h"

static struct outputs read_outputs(const struct object_file *file, const char *map)
{
	Elf *elf;
	struct outputs outputs;

	elf_version(EV_CURRENT);
	elf = elf_memory((char *)(uintptr_t)file->bytes, *file->count);
	ck_assert_ptr_nonnull(elf);
	ck_assert_int_eq(outputs__read(elf, map, &outputs), 0);
	elf_end(elf);
	return outputs;
}

static void check(const char *map, uint32_t calls, bool is_computed, uint32_t least, uint32_t most)
{
	struct outputs outputs = read_outputs(foreign, map);

	ck_assert_msg(outputs.calls == calls && outputs.is_computed == is_computed &&
			      outputs.least == least && outputs.most == most,
		      "%s: %u calls%s, %u to %u bytes", map, outputs.calls,
		      outputs.is_computed ? ", some computed" : "", outputs.least, outputs.most);
}

START_TEST(test_sizes_in_the_code)
{
	check("plain", 2, false, 24, 24);
	check("mapped", 1, false, 224, 224);
	check("mixed", 2, false, 12, 24);
	check("called", 1, false, 56, 56);
	check("either", 2, false, 24, 24);
	check("untouched", 0, false, 0, 0);
	check("nothing", 0, false, 0, 0);
}
END_TEST

START_TEST(test_what_is_computed_is_not_known)
{
	check("computed", 1, true, 0, 0);
	check("looped", 1, true, 0, 0);
	check("swapped", 3, true, 0, 0);
	check("begun", 1, true, 0, 0);
}
END_TEST

START_TEST(test_registers_are_followed)
{
	check("hoisted", 1, false, 24, 24);
}
END_TEST

START_TEST(test_a_map_that_is_not_known_may_be_any)
{
	struct outputs outputs = read_outputs(lone, "lines");

	ck_assert_uint_eq(outputs.calls, 2);
	ck_assert(outputs.is_computed);
	outputs = read_outputs(lone, "others");
	ck_assert_uint_eq(outputs.calls, 1);
	ck_assert(outputs.is_computed);
	ck_assert_uint_eq(outputs.least, 0);
}
END_TEST

/* ---- code that no compiler makes ------------------------------------------------------------- */

#define INSNS_MAX 8

static struct {
	Elf64_Ehdr header;
	Elf64_Shdr sections[2];
	struct bpf_insn insns[INSNS_MAX];
} image;

static int read_insns(const struct bpf_insn *insns, uint32_t count, struct outputs *outputs)
{
	Elf *elf;
	int err;

	memset(&image, 0, sizeof(image));
	memcpy(image.header.e_ident, ELFMAG, SELFMAG);
	image.header.e_ident[EI_CLASS] = ELFCLASS64;
	image.header.e_ident[EI_DATA] =
		__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? ELFDATA2MSB : ELFDATA2LSB;
	image.header.e_ident[EI_VERSION] = image.header.e_version = EV_CURRENT;
	image.header.e_type = ET_REL;
	image.header.e_machine = EM_BPF;
	image.header.e_ehsize = sizeof(image.header);
	image.header.e_shoff = offsetof(typeof(image), sections);
	image.header.e_shentsize = sizeof(Elf64_Shdr);
	image.header.e_shnum = 2;
	image.sections[1] = (Elf64_Shdr){
		.sh_type = SHT_PROGBITS,
		.sh_flags = SHF_ALLOC | SHF_EXECINSTR,
		.sh_offset = offsetof(typeof(image), insns),
		.sh_size = count * sizeof(*insns),
		.sh_addralign = 8,
	};
	memcpy(image.insns, insns, count * sizeof(*insns));
	elf_version(EV_CURRENT);
	elf = elf_memory((char *)&image, sizeof(image));
	ck_assert_ptr_nonnull(elf);
	err = outputs__read(elf, "map", outputs);
	elf_end(elf);
	return err;
}

static const struct bpf_insn call = { .code = BPF_JMP | BPF_CALL, .imm = 25 };
static const struct bpf_insn last = { .code = BPF_JMP | BPF_EXIT };

START_TEST(test_code_that_leads_nowhere)
{
	const struct bpf_insn half[] = { call, { .code = BPF_LD | BPF_IMM | BPF_DW } };
	struct bpf_insn far[] = { { .code = BPF_JMP | BPF_JA, .off = 1 }, last };
	struct outputs outputs;

	ck_assert_int_eq(read_insns(half, 2, &outputs), -EBADMSG);
	ck_assert_int_eq(read_insns(far, 2, &outputs), -EBADMSG);
	far[0].off = -2;
	ck_assert_int_eq(read_insns(far, 2, &outputs), -EBADMSG);
	far[0].off = -1;
	ck_assert_int_eq(read_insns(far, 2, &outputs), 0);
	far[0] = (struct bpf_insn){ .code = 0x06, .imm = INT32_MAX };
	ck_assert_int_eq(read_insns(far, 2, &outputs), -EBADMSG);
}
END_TEST

/* Registers there are none of, and code that does not end. */
START_TEST(test_code_that_cannot_be)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_ALU | 0x07 | BPF_MOV | BPF_X, .dst_reg = 15, .src_reg = 15 },
		{ .code = BPF_LDX | BPF_MEM | BPF_DW, .dst_reg = 14 },
		{ .code = 0xc0 | BPF_STX | BPF_DW, .dst_reg = 13, .src_reg = 12 },
		call,
	};
	struct outputs outputs;

	ck_assert_int_eq(read_insns(insns, 4, &outputs), 0);
	ck_assert_uint_eq(outputs.calls, 1);
	ck_assert(outputs.is_computed);
}
END_TEST

Suite *outputs_suite(void)
{
	TCase *tests;
	Suite *suite = harness__suite("outputs", 10, &tests);

	tcase_add_test(tests, test_sizes_in_the_code);
	tcase_add_test(tests, test_what_is_computed_is_not_known);
	tcase_add_test(tests, test_registers_are_followed);
	tcase_add_test(tests, test_a_map_that_is_not_known_may_be_any);
	tcase_add_test(tests, test_code_that_leads_nowhere);
	tcase_add_test(tests, test_code_that_cannot_be);
	return suite;
}

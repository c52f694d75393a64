// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_output_sizes.c: sizes that compiled code writes to a map; invalid code. */
#include <elf.h>
#include <errno.h>
#include <libelf.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>

#include "support/machine/harness.h"
#include "foreign_objects.h"
#include "object/infer/output_sizes.h"
#include "unit/suite.h"

static struct output_sizes read_outputs(const struct object_file *file, const char *map)
{
	Elf *elf;
	struct output_sizes outputs;

	elf_version(EV_CURRENT);
	elf = elf_memory((char *)(uintptr_t)file->bytes, *file->count);
	ck_assert_ptr_nonnull(elf);
	ck_assert_int_eq(output_sizes__read(elf, map, &outputs), 0);
	elf_end(elf);
	return outputs;
}

static void check(const char *map, uint32_t calls, bool is_computed, uint32_t least, uint32_t most)
{
	struct output_sizes outputs = read_outputs(foreign, map);

	ck_assert_msg(outputs.to_map.count == calls && outputs.to_map.is_computed == is_computed &&
			      outputs.to_map.least == least && outputs.to_map.most == most,
		      "%s: %u calls%s, %u to %u bytes", map, outputs.to_map.count,
		      outputs.to_map.is_computed ? ", some computed" : "", outputs.to_map.least,
		      outputs.to_map.most);
}

START_TEST(test_constant_sizes)
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

START_TEST(test_appended_bytes)
{
	ck_assert(read_outputs(foreign, "followed").appends);
	ck_assert(read_outputs(foreign, "snapped").appends);
	check("followed", 1, false, 24, 24);
	ck_assert(!read_outputs(foreign, "plain").appends);
	ck_assert(!read_outputs(foreign, "computed").appends);
	ck_assert(!read_outputs(foreign, "untouched").appends);
}
END_TEST

START_TEST(test_computed_sizes)
{
	check("computed", 1, true, 0, 0);
	check("looped", 1, true, 0, 0);
	check("swapped", 3, true, 0, 0);
	check("begun", 1, true, 0, 0);
}
END_TEST

START_TEST(test_moved_registers)
{
	check("hoisted", 1, false, 24, 24);
}
END_TEST

START_TEST(test_unknown_map)
{
	struct output_sizes outputs = read_outputs(lone, "lines");

	ck_assert_uint_eq(outputs.to_map.count, 1);
	ck_assert(outputs.to_map.is_computed);
	ck_assert_uint_eq(outputs.to_map.least, 0);
	ck_assert_uint_eq(outputs.to_unknown.count, 1);
	ck_assert(!outputs.to_unknown.is_computed);
	ck_assert_uint_eq(outputs.to_unknown.least, 64);
	ck_assert_uint_eq(outputs.to_unknown.most, 64);
	outputs = read_outputs(lone, "others");
	ck_assert_uint_eq(outputs.to_map.count, 0);
	ck_assert_uint_eq(outputs.to_unknown.count, 1);
}
END_TEST

/* ---- code that no compiler makes ------------------------------------------------------------- */

#define INSNS_MAX 8

static struct {
	Elf64_Ehdr header;
	Elf64_Shdr sections[2];
	struct bpf_insn insns[INSNS_MAX];
} image;

static int read_insns(const struct bpf_insn *insns, uint32_t count, struct output_sizes *outputs)
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
	err = output_sizes__read(elf, "map", outputs);
	elf_end(elf);
	return err;
}

static const struct bpf_insn call = { .code = BPF_JMP | BPF_CALL, .imm = 25 };
static const struct bpf_insn last = { .code = BPF_JMP | BPF_EXIT };

START_TEST(test_unreachable_code)
{
	const struct bpf_insn half[] = { call, { .code = BPF_LD | BPF_IMM | BPF_DW } };
	struct bpf_insn far[] = { { .code = BPF_JMP | BPF_JA, .off = 1 }, last };
	struct output_sizes outputs;

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

/* Only operations that return a value write to a register. */
START_TEST(test_atomic_operations)
{
	struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV, .dst_reg = BPF_REG_5, .imm = 24 },
		{ .code = BPF_STX | BPF_ATOMIC | BPF_DW,
		  .dst_reg = BPF_REG_10,
		  .src_reg = BPF_REG_5,
		  .off = -8,
		  .imm = BPF_ADD },
		call,
		last,
	};
	struct output_sizes outputs;

	ck_assert_int_eq(read_insns(insns, 4, &outputs), 0);
	ck_assert_uint_eq(outputs.to_unknown.most, 24);
	insns[1].imm = BPF_ADD | BPF_FETCH;
	ck_assert_int_eq(read_insns(insns, 4, &outputs), 0);
	ck_assert(outputs.to_unknown.is_computed);
	insns[1].imm = 0x100; /* a load with acquire semantics */
	insns[1].dst_reg = BPF_REG_5;
	insns[1].src_reg = BPF_REG_10;
	ck_assert_int_eq(read_insns(insns, 4, &outputs), 0);
	ck_assert(outputs.to_unknown.is_computed);
}
END_TEST

/* Invalid registers, and code without an exit. */
START_TEST(test_invalid_code)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_ALU | 0x07 | BPF_MOV | BPF_X, .dst_reg = 15, .src_reg = 15 },
		{ .code = BPF_LDX | BPF_MEM | BPF_DW, .dst_reg = 14 },
		{ .code = 0xc0 | BPF_STX | BPF_DW, .dst_reg = 13, .src_reg = 12 },
		call,
	};
	struct output_sizes outputs;

	ck_assert_int_eq(read_insns(insns, 4, &outputs), 0);
	ck_assert_uint_eq(outputs.to_unknown.count, 1);
	ck_assert(outputs.to_unknown.is_computed);
}
END_TEST

SUITE(10)
{
	tcase_add_test(tests, test_constant_sizes);
	tcase_add_test(tests, test_appended_bytes);
	tcase_add_test(tests, test_computed_sizes);
	tcase_add_test(tests, test_moved_registers);
	tcase_add_test(tests, test_unknown_map);
	tcase_add_test(tests, test_unreachable_code);
	tcase_add_test(tests, test_atomic_operations);
	tcase_add_test(tests, test_invalid_code);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_plain_locks.c: replaced instructions, refused objects, and damaged ones. */
#include <errno.h>
#include <linux/bpf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <bpf/libbpf.h>

#include <peat/wire.h>

#include "object/globals.h"
#include "object/plain_locks.h"
#include "probes/probe.h"
#include "elf_image.h"
#include "support/machine/amount.h"
#include "support/machine/harness.h"
#include "support/machine/object.h"
#include "unit/suite.h"

EMBED_OBJECT(calls)
EMBED_OBJECT(kinds_of_fields)
EMBED_OBJECT(own_fetch)
EMBED_OBJECT(own_header)
EMBED_OBJECT(own_or)

enum { FETCH_ADD = BPF_ADD | 0x01, XCHG = 0xe1, CMPXCHG = 0xf1 };

#define CODE_ATOMIC (BPF_STX | 0xc0)

/* ---- images ---------------------------------------------------------------------------------- */

/*
 * A copy of an object at the end of a mapping, between pages without access.  Up to 7 bytes after
 * it have a pattern, as an image is 8-byte aligned.
 */
static struct {
	unsigned char *mapping, *end; /* of the pages with access */
	size_t room, pages_bytes;
	unsigned char *bytes;
	size_t count;
} image;

enum { SLACK = 0xa5 };

static size_t slack(void)
{
	return (size_t)(image.end - image.bytes) - image.count;
}

static void place(const void *bytes, size_t count)
{
	ck_assert_uint_le(count, image.room);
	image.bytes = image.end - (count + 7) / 8 * 8;
	image.count = count;
	memcpy(image.bytes, bytes, count);
	memset(image.bytes + count, SLACK, slack());
}

static void map(size_t room)
{
	size_t page = (size_t)getpagesize();

	image.room = (room + page - 1) / page * page;
	image.pages_bytes = image.room + 2 * page;
	image.mapping =
		mmap(NULL, image.pages_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(image.mapping, MAP_FAILED);
	image.end = image.mapping + page + image.room;
	ck_assert_int_eq(mprotect(image.mapping + page, image.room, PROT_READ | PROT_WRITE), 0);
}

static void unmap(void)
{
	if (image.mapping)
		ck_assert_int_eq(munmap(image.mapping, image.pages_bytes), 0);
	image.mapping = NULL;
}

static void open_image(const struct object_file *file)
{
	unmap();
	map(*file->count);
	place(file->bytes, *file->count);
}

static int use_plain_locks(struct source_line *refused)
{
	size_t written = 0;
	int ret;

	*refused = (struct source_line){ 0 };
	ret = plain_locks__use(image.bytes, image.count, refused);
	for (size_t i = 0; i < slack(); i++)
		written += image.bytes[image.count + i] != SLACK;
	ck_assert_uint_eq(written, 0);
	return ret;
}

static void *copy_image(void)
{
	void *copy = malloc(image.count ? image.count : 1);

	ck_assert_ptr_nonnull(copy);
	memcpy(copy, image.bytes, image.count);
	return copy;
}

/* The first difference is reported: a message with both images would be long. */
static void check_same(const unsigned char *expected)
{
	for (size_t i = 0; i < image.count; i++)
		ck_assert_msg(image.bytes[i] == expected[i], "byte %zu: %#x instead of %#x", i,
			      image.bytes[i], expected[i]);
}

/* Replaces a string of the file's tables of strings by another one of the same length. */
static void rename_all(const char *from, const char *to)
{
	size_t length = strlen(from) + 1, renamed = 0;
	unsigned char *at = image.bytes;

	ck_assert_uint_eq(strlen(to) + 1, length);
	while ((at = memmem(at, (size_t)(image.end - at), from, length))) {
		memcpy(at, to, length);
		renamed++;
	}
	ck_assert_uint_gt(renamed, 0);
}

/* ---- replacement ----------------------------------------------------------------------------- */

static bool is_atomic(const struct bpf_insn *insn)
{
	return (insn->code & 0xe7) == CODE_ATOMIC;
}

/* As plain_locks.h documents it. */
static void expect_insn(struct bpf_insn *insn)
{
	struct bpf_insn before = *insn;

	if (before.imm == FETCH_ADD) {
		ck_assert_uint_eq(before.code, CODE_ATOMIC | BPF_DW);
		insn->imm = BPF_ADD;
		return;
	}
	ck_assert_uint_eq(before.code, CODE_ATOMIC | BPF_W);
	if (before.imm == CMPXCHG) {
		*insn = (struct bpf_insn){ .code = BPF_LDX | BPF_MEM | BPF_W,
					   .dst_reg = BPF_REG_0,
					   .src_reg = before.dst_reg,
					   .off = before.off };
		return;
	}
	ck_assert_int_eq(before.imm, XCHG);
	*insn = (struct bpf_insn){ .code = BPF_STX | BPF_MEM | BPF_W,
				   .dst_reg = before.dst_reg,
				   .src_reg = before.src_reg,
				   .off = before.off };
}

/* Changes the object as expected; the number of instructions. */
static int expect(void *object)
{
	const uint32_t yes = 1;
	Elf64_Shdr *section;
	size_t next = 0;
	int count = 0;

	while ((section = elf_image__next_code(object, &next))) {
		struct bpf_insn *insns = elf_image__data(object, section);

		for (size_t i = 0; i < section->sh_size / sizeof(*insns); i++) {
			if (insns[i].code == (BPF_LD | BPF_IMM | BPF_DW))
				i++;
			else if (is_atomic(&insns[i]) && insns[i].imm != BPF_ADD) {
				expect_insn(&insns[i]);
				count++;
			}
		}
	}
	memcpy(elf_image__variable(object, "peat_plain_locks"), &yes, sizeof(yes));
	return count;
}

static void check_opens(const char *name)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = name);
	struct bpf_object *object = bpf_object__open_mem(image.bytes, image.count, &opts);
	const uint32_t *is_plain;
	size_t bytes;

	ck_assert_msg(object, "%s: %s", name, strerror(errno));
	is_plain = globals__find(object, "peat_plain_locks", &bytes);
	ck_assert_ptr_nonnull(is_plain);
	ck_assert_uint_eq(bytes, sizeof(*is_plain));
	ck_assert_uint_eq(*is_plain, 1);
	bpf_object__close(object);
}

/* Nothing else changes: all bytes of the file are compared. */
static void check_replaced(const char *name)
{
	void *expected = copy_image();
	int count = expect(expected);
	struct source_line refused;
	int ret = use_plain_locks(&refused);

	ck_assert_msg(ret == count, "%s: %d, not %d: %s:%u", name, ret, count,
		      refused.file ? refused.file : "?", refused.line);
	ck_assert_int_gt(count, 0);
	check_same(expected);
	ck_assert_int_eq(use_plain_locks(&refused), 0);
	check_same(expected);
	check_opens(name);
	free(expected);
}

START_TEST(test_atomics_are_replaced)
{
	open_image(&kinds_of_fields_object);
	check_replaced("kinds_of_fields");
}
END_TEST

START_TEST(test_probes_are_replaced)
{
	const struct probe *probe;

	for (size_t i = 0; (probe = probe__at(i)); i++) {
		unmap();
		map(probe->object_bytes);
		place(probe->object, probe->object_bytes);
		check_replaced(probe->name);
	}
}
END_TEST

/* The first of the object's operations on `own`, which is at the start of its section. */
static struct bpf_insn *find_own_addition(void)
{
	Elf64_Shdr *section;
	size_t next = 0;

	while ((section = elf_image__next_code(image.bytes, &next))) {
		struct bpf_insn *insns = elf_image__data(image.bytes, section);

		for (size_t i = 0; i < section->sh_size / sizeof(*insns); i++)
			if (insns[i].code == (CODE_ATOMIC | BPF_DW) && insns[i].imm == FETCH_ADD &&
			    !insns[i].off)
				return &insns[i];
	}
	ck_abort_msg("no addition");
}

/*
 * A program that counts a loss looks afterwards whether the reader sleeps.  Only an addition with a
 * result is ordered before that.
 */
START_TEST(test_losses_are_counted_in_order)
{
	static const size_t losses[] = { offsetof(struct peat_slot, lost_nested),
					 offsetof(struct peat_slot, lost_throttled),
					 offsetof(struct peat_slot, lost_too_big) };
	unsigned found[3] = { 0 };
	Elf64_Shdr *section;
	size_t next = 0;

	open_image(&kinds_of_fields_object);
	while ((section = elf_image__next_code(image.bytes, &next))) {
		struct bpf_insn *insns = elf_image__data(image.bytes, section);

		for (size_t i = 0; i < section->sh_size / sizeof(*insns); i++)
			for (size_t n = 0; n < 3; n++)
				if (insns[i].code == (CODE_ATOMIC | BPF_DW) &&
				    (size_t)insns[i].off == losses[n]) {
					ck_assert_int_eq(insns[i].imm, FETCH_ADD);
					found[n]++;
				}
	}
	for (size_t n = 0; n < 3; n++)
		ck_assert_uint_gt(found[n], 0);
}
END_TEST

static struct bpf_insn *find_insn(uint8_t code, int32_t imm, bool any_imm)
{
	Elf64_Shdr *section;
	size_t next = 0;

	while ((section = elf_image__next_code(image.bytes, &next))) {
		struct bpf_insn *insns = elf_image__data(image.bytes, section);

		for (size_t i = 0; i < section->sh_size / sizeof(*insns); i++)
			if (insns[i].code == code && (any_imm || insns[i].imm == imm))
				return &insns[i];
	}
	ck_abort_msg("no instruction %#x", code);
}

/* The second half of a load of 16 bytes is data. */
START_TEST(test_constant_like_an_instruction)
{
	struct bpf_insn *load;

	open_image(&kinds_of_fields_object);
	load = find_insn(BPF_LD | BPF_IMM | BPF_DW, 0, true);
	load[1] = *find_insn(CODE_ATOMIC | BPF_W, XCHG, false);
	check_replaced("kinds_of_fields");
	ck_assert_uint_eq(load[1].code, CODE_ATOMIC | BPF_W);
	ck_assert_int_eq(load[1].imm, XCHG);
}
END_TEST

/* Its place is that of the symbol, in any section of data. */
START_TEST(test_constant_at_its_symbol)
{
	static const char *const other = "peat_head_bytes";
	Elf64_Sym *symbol;

	open_image(&kinds_of_fields_object);
	symbol = elf_image__symbol(image.bytes, "peat_plain_locks");
	symbol->st_value = elf_image__symbol(image.bytes, other)->st_value;
	memset(elf_image__variable(image.bytes, other), 0x77, 4);
	ck_assert_int_gt(use_plain_locks(&(struct source_line){ 0 }), 0);
	ck_assert_uint_eq(*(uint32_t *)elf_image__variable(image.bytes, other), 1);
}
END_TEST

/* The last variable of its section, and the only one. */
START_TEST(test_constant_at_the_end)
{
	struct source_line refused;
	Elf64_Shdr *section;
	Elf64_Sym *symbol;
	uint32_t *constant;

	open_image(&kinds_of_fields_object);
	symbol = elf_image__symbol(image.bytes, "peat_plain_locks");
	section = elf_image__at(image.bytes, symbol->st_shndx);
	constant = elf_image__variable(image.bytes, "peat_plain_locks");
	section->sh_size = symbol->st_value + sizeof(*constant);
	ck_assert_int_gt(use_plain_locks(&refused), 0);
	ck_assert_uint_eq(*constant, 1);
	section->sh_offset += symbol->st_value;
	section->sh_size = sizeof(*constant);
	symbol->st_value = 0;
	*constant = 0;
	ck_assert_int_eq(use_plain_locks(&refused), 0);
	ck_assert_uint_eq(*constant, 1); /* also if there is nothing to replace */
}
END_TEST

START_TEST(test_object_without_header)
{
	struct source_line refused;
	void *before;

	open_image(&calls_object);
	before = copy_image();
	ck_assert_int_eq(use_plain_locks(&refused), 0);
	check_same(before);
	free(before);
	/* With atomic operations: these are left to the kernel to refuse. */
	open_image(&own_fetch_object);
	rename_all("peat_stage", "neat_stage");
	before = copy_image();
	ck_assert_int_eq(use_plain_locks(&refused), 0);
	check_same(before);
	free(before);
}
END_TEST

/* ---- refused --------------------------------------------------------------------------------- */

static void check_refused(int expected, struct source_line *refused)
{
	void *before = copy_image();

	ck_assert_int_eq(use_plain_locks(refused), expected);
	check_same(before);
	free(before);
}

static void check_refused_at(const char *file, uint32_t line)
{
	struct source_line refused;

	check_refused(-EOPNOTSUPP, &refused);
	ck_assert_ptr_nonnull(refused.file);
	ck_assert((const unsigned char *)refused.file > image.bytes &&
		  (const unsigned char *)refused.file < image.end);
	ck_assert_str_eq(strrchr(refused.file, '/') + 1, file);
	ck_assert_uint_eq(refused.line, line);
}

static void check_own(const struct object_file *object, const char *file)
{
	open_image(object);
	check_refused_at(file, *(uint32_t *)elf_image__variable(image.bytes, "own_line"));
}

START_TEST(test_own_operations_are_refused)
{
	check_own(&own_fetch_object, "own_fetch.bpf.c");
	check_own(&own_or_object, "own_or.bpf.c");
	check_own(&own_header_object, "my_peat.bpf.h");
}
END_TEST

/* Operations that impl.bpf.h has not. */
static void check_odd(uint8_t code, int16_t offset, int32_t operation)
{
	struct source_line refused;
	struct bpf_insn *insn;

	open_image(&kinds_of_fields_object);
	insn = find_insn(CODE_ATOMIC | BPF_W, XCHG, false);
	insn->code = code;
	insn->off = offset;
	insn->imm = operation;
	check_refused(-EOPNOTSUPP, &refused);
	ck_assert_str_eq(strrchr(refused.file, '/') + 1, "impl.bpf.h");
	ck_assert_uint_gt(refused.line, 0);
}

START_TEST(test_unknown_operations_are_refused)
{
	check_odd(CODE_ATOMIC | BPF_DW, 0, XCHG);
	check_odd(CODE_ATOMIC | BPF_W, 8, XCHG);
	check_odd(CODE_ATOMIC | BPF_W, 0, FETCH_ADD);
	check_odd(CODE_ATOMIC | BPF_DW, 0, BPF_ADD | 0xe1);
	check_odd(CODE_ATOMIC | BPF_W, 0, BPF_OR);
	check_odd(CODE_ATOMIC | BPF_W, 0, BPF_XOR | 0x01);
	check_odd(CODE_ATOMIC | BPF_W, 0, INT32_MIN);
}
END_TEST

/* Additions without a result are as old as BPF. */
START_TEST(test_additions_are_accepted)
{
	open_image(&own_fetch_object);
	find_own_addition()->imm = BPF_ADD;
	check_replaced("own_fetch");
}
END_TEST

START_TEST(test_no_line_information)
{
	struct source_line refused;

	open_image(&kinds_of_fields_object);
	rename_all(".BTF.ext", ".BTF.EXT");
	check_refused(-EOPNOTSUPP, &refused);
	ck_assert_ptr_null(refused.file);
}
END_TEST

START_TEST(test_older_header)
{
	struct source_line refused;
	Elf64_Sym *symbol;

	open_image(&kinds_of_fields_object);
	rename_all("peat_plain_locks", "peat_other_locks");
	check_refused(-EINVAL, &refused);
	open_image(&kinds_of_fields_object);
	symbol = elf_image__symbol(image.bytes, "peat_plain_locks");
	symbol->st_shndx = SHN_UNDEF;
	check_refused(-EINVAL, &refused);
	symbol->st_shndx = SHN_ABS;
	check_refused(-EINVAL, &refused);
	open_image(&kinds_of_fields_object);
	symbol = elf_image__symbol(image.bytes, "peat_plain_locks");
	symbol->st_value = elf_image__at(image.bytes, symbol->st_shndx)->sh_size - 3;
	check_refused(-EINVAL, &refused);
	symbol->st_value = UINT64_MAX;
	check_refused(-EINVAL, &refused);
}
END_TEST

static void check_no_object(const void *bytes, size_t count)
{
	struct source_line refused;

	place(bytes, count);
	check_refused(-EBADMSG, &refused);
	ck_assert_ptr_null(refused.file);
}

START_TEST(test_not_an_object)
{
	static const char text[] = "int main(void) { return 0; }", archive[] = "!<arch>\n";
	Elf64_Ehdr *head;

	map(65536);
	check_no_object(text, 0);
	check_no_object(text, sizeof(text));
	check_no_object(archive, 8);
	check_no_object(ELFMAG, SELFMAG);
	open_image(&kinds_of_fields_object);
	head = (Elf64_Ehdr *)image.bytes;
	head->e_machine = EM_X86_64;
	check_refused(-EBADMSG, &(struct source_line){ 0 });
	head->e_machine = EM_BPF;
	head->e_shstrndx = SHN_XINDEX;
	elf_image__at(image.bytes, 0)->sh_link = UINT32_MAX;
	ck_assert_int_lt(use_plain_locks(&(struct source_line){ 0 }), 0);
}
END_TEST

/* ---- damaged --------------------------------------------------------------------------------- */

/* Restores the image. */
static void use_damaged(const unsigned char *whole)
{
	unsigned char *before = copy_image();
	struct source_line refused;
	int ret = use_plain_locks(&refused);

	if (ret == -EOPNOTSUPP || ret == -EINVAL)
		ck_assert_int_eq(memcmp(image.bytes, before, image.count), 0);
	else if (ret < 0)
		ck_assert_int_eq(ret, -EBADMSG);
	else
		use_plain_locks(&refused);
	if (refused.file)
		ck_assert((const unsigned char *)refused.file > image.bytes &&
			  (const unsigned char *)refused.file + strlen(refused.file) < image.end);
	memcpy(image.bytes, whole, image.count);
	free(before);
}

/* An odd step meets every alignment.  A fuzzer tries what is left out. */
#define STEP amount__step(13, 181)

START_TEST(test_truncated_objects_do_no_harm)
{
	size_t count = *own_header_object.count;

	map(count);
	for (size_t bytes = 0; bytes < count; bytes += bytes < sizeof(Elf64_Ehdr) ? 1 : STEP) {
		place(own_header_object.bytes, bytes);
		use_damaged(own_header_object.bytes);
		place(kinds_of_fields_object.bytes, bytes);
		use_damaged(kinds_of_fields_object.bytes);
	}
}
END_TEST

static const unsigned char changes[] = { 0x01, 0x02, 0x10, 0x80, 0xff };

static void damage(const unsigned char *whole, const void *start, size_t count)
{
	unsigned char *bytes = (unsigned char *)start;

	for (size_t i = 0; i < count; i++)
		for (size_t n = 0; n < sizeof(changes); n += amount__step(1, sizeof(changes))) {
			bytes[i] ^= changes[(i + n) % sizeof(changes)];
			use_damaged(whole);
		}
}

/* A section has thousands of bytes. */
static void damage_section(const unsigned char *whole, const char *name)
{
	const Elf64_Shdr *section = elf_image__section(image.bytes, name);
	unsigned char *bytes = (unsigned char *)elf_image__data(image.bytes, section);

	for (size_t i = 0; i < section->sh_size; i += STEP) {
		bytes[i] ^= changes[i % sizeof(changes)];
		use_damaged(whole);
	}
}

START_TEST(test_damaged_headers)
{
	const unsigned char *whole = kinds_of_fields_object.bytes;
	const Elf64_Ehdr *head = (const Elf64_Ehdr *)whole;

	open_image(&kinds_of_fields_object);
	damage(whole, image.bytes, sizeof(*head));
	damage(whole, image.bytes + head->e_shoff, head->e_shnum * sizeof(Elf64_Shdr));
}
END_TEST

START_TEST(test_damaged_sections)
{
	open_image(&kinds_of_fields_object);
	damage_section(kinds_of_fields_object.bytes, ".symtab");
	damage_section(kinds_of_fields_object.bytes, ".strtab");
	damage_section(kinds_of_fields_object.bytes, ".text");
	damage_section(kinds_of_fields_object.bytes, ".BTF.ext");
}
END_TEST

/* Two sections of code with the same bytes: each instruction would be counted twice. */
START_TEST(test_overlapping_sections)
{
	Elf64_Shdr *code, *other;
	size_t next = 0;

	open_image(&kinds_of_fields_object);
	code = elf_image__next_code(image.bytes, &next);
	while (code && !code->sh_size)
		code = elf_image__next_code(image.bytes, &next);
	ck_assert_ptr_nonnull(code);
	other = elf_image__next_code(image.bytes, &next);
	ck_assert_ptr_nonnull(other);
	other->sh_offset = code->sh_offset;
	other->sh_size = code->sh_size;
	other->sh_name = code->sh_name;
	ck_assert_int_eq(use_plain_locks(&(struct source_line){ 0 }), -EBADMSG);
}
END_TEST

SUITE(240)
{
	tcase_add_checked_fixture(tests, NULL, unmap);
	tcase_add_test(tests, test_atomics_are_replaced);
	tcase_add_test(tests, test_probes_are_replaced);
	tcase_add_test(tests, test_constant_like_an_instruction);
	tcase_add_test(tests, test_constant_at_its_symbol);
	tcase_add_test(tests, test_constant_at_the_end);
	tcase_add_test(tests, test_object_without_header);
	tcase_add_test(tests, test_own_operations_are_refused);
	tcase_add_test(tests, test_unknown_operations_are_refused);
	tcase_add_test(tests, test_additions_are_accepted);
	tcase_add_test(tests, test_losses_are_counted_in_order);
	tcase_add_test(tests, test_no_line_information);
	tcase_add_test(tests, test_older_header);
	tcase_add_test(tests, test_not_an_object);
	tcase_add_test(tests, test_truncated_objects_do_no_harm);
	tcase_add_test(tests, test_damaged_headers);
	tcase_add_test(tests, test_damaged_sections);
	tcase_add_test(tests, test_overlapping_sections);
}

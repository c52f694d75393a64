// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_raw_tracepoints.c: sections that are renamed, everything else, and damaged objects. */
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/libbpf.h>

#include "object/line_info.h"
#include "object/raw_tracepoints.h"
#include "support/machine/amount.h"
#include "support/machine/harness.h"
#include "support/machine/object.h"
#include "unit/suite.h"

EMBED_OBJECT(typed_tracepoints)
EMBED_OBJECT(calls)

static unsigned char *copy(const struct object_file *file)
{
	unsigned char *bytes = malloc(*file->count);

	ck_assert_ptr_nonnull(bytes);
	memcpy(bytes, file->bytes, *file->count);
	return bytes;
}

static struct bpf_object *open_renamed(void)
{
	unsigned char *bytes = copy(&typed_tracepoints_object);
	struct bpf_object *object;

	ck_assert_int_eq(raw_tracepoints__use(bytes, *typed_tracepoints_object.count), 3);
	object = bpf_object__open_mem(bytes, *typed_tracepoints_object.count, NULL);
	ck_assert_ptr_nonnull(object);
	free(bytes);
	return object;
}

START_TEST(test_sections_are_renamed)
{
	static const struct {
		const char *program, *section;
		enum bpf_prog_type type;
		bool loaded;
	} expected[] = {
		{ "on_switch", "raw_tp/sched_switch", BPF_PROG_TYPE_RAW_TRACEPOINT, true },
		{ "on_wakeup", "raw_tp/sched_wakeup", BPF_PROG_TYPE_RAW_TRACEPOINT, false },
		{ "on_wakeup_new", "raw_tp/sched_wakeup_new", BPF_PROG_TYPE_RAW_TRACEPOINT, true },
		{ "on_enter", "raw_tp/sys_enter", BPF_PROG_TYPE_RAW_TRACEPOINT, true },
		{ "on_enter_typed", "tp_btf/sys_enter", BPF_PROG_TYPE_TRACING, true },
		{ "on_tracepoint", "tp/tp_btf/sys_enter", BPF_PROG_TYPE_TRACEPOINT, true },
		{ "without_target", "tp_btf", BPF_PROG_TYPE_TRACING, true },
	};
	struct bpf_object *object = open_renamed();

	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++) {
		const struct bpf_program *program =
			bpf_object__find_program_by_name(object, expected[i].program);

		ck_assert_ptr_nonnull(program);
		ck_assert_str_eq(bpf_program__section_name(program), expected[i].section);
		ck_assert_int_eq(bpf_program__type(program), expected[i].type);
		ck_assert_int_eq(bpf_program__autoload(program), expected[i].loaded);
	}
	bpf_object__close(object);
}
END_TEST

START_TEST(test_variables_are_set)
{
	struct bpf_object *object = open_renamed();

	ck_assert_str_eq(object__variable(object, "text", 20), "tp_btf/sched_switch");
	ck_assert_uint_eq(*(uint32_t *)object__variable(object, "peat_no_btf", 4), 1);
	ck_assert_uint_eq(*(uint32_t *)object__variable(object, "peat_plain_locks", 4), 0);
	bpf_object__close(object);
}
END_TEST

/* ---- sections of BTF ------------------------------------------------------------------------- */

/* Finds the bytes of an ELF section by its name; the file is valid. */
static const void *find(const unsigned char *elf, const char *name, size_t *bytes)
{
	const Elf64_Ehdr *head = (const void *)elf;
	const Elf64_Shdr *sections = (const void *)(elf + head->e_shoff);
	const char *names = (const char *)elf + sections[head->e_shstrndx].sh_offset;

	for (int i = 0; i < head->e_shnum; i++)
		if (!strcmp(names + sections[i].sh_name, name)) {
			*bytes = sections[i].sh_size;
			return elf + sections[i].sh_offset;
		}
	ck_abort_msg("no section %s", name);
}

static bool has_lines(const unsigned char *elf, const char *section)
{
	struct line_info lines = { 0 };
	struct source_line line;

	lines.ext = find(elf, ".BTF.ext", &lines.ext_bytes);
	lines.btf = find(elf, ".BTF", &lines.btf_bytes);
	return line_info__find(&lines, section, 0, &line);
}

/* libbpf finds the relocations and lines of a section by its name. */
START_TEST(test_names_in_btf)
{
	unsigned char *bytes = copy(&typed_tracepoints_object);

	ck_assert(has_lines(bytes, "tp_btf/sched_switch"));
	ck_assert_int_eq(raw_tracepoints__use(bytes, *typed_tracepoints_object.count), 3);
	ck_assert(!has_lines(bytes, "tp_btf/sched_switch"));
	ck_assert(has_lines(bytes, "raw_tp/sched_switch"));
	ck_assert(has_lines(bytes, "?raw_tp/sched_wakeup"));
	ck_assert(has_lines(bytes, "raw_tp/sched_wakeup_new"));
	ck_assert(has_lines(bytes, "tp/tp_btf/sys_enter"));
	ck_assert(has_lines(bytes, "tp_btf/sys_enter"));
	ck_assert(has_lines(bytes, "tp_btf"));
	free(bytes);
}
END_TEST

/* ---- other files ----------------------------------------------------------------------------- */

START_TEST(test_nothing_to_rename)
{
	unsigned char *bytes = copy(&calls_object);

	ck_assert_int_eq(raw_tracepoints__use(bytes, *calls_object.count), 0);
	ck_assert_mem_eq(bytes, calls_object.bytes, *calls_object.count);
	free(bytes);
}
END_TEST

START_TEST(test_second_use_changes_nothing)
{
	size_t count = *typed_tracepoints_object.count;
	unsigned char *bytes = copy(&typed_tracepoints_object), *once = malloc(count);

	ck_assert_int_eq(raw_tracepoints__use(bytes, count), 3);
	memcpy(once, bytes, count);
	ck_assert_int_eq(raw_tracepoints__use(bytes, count), 0);
	ck_assert_mem_eq(bytes, once, count);
	free(bytes);
	free(once);
}
END_TEST

START_TEST(test_no_object)
{
	char text[] = "no ELF file";
	unsigned char *bytes = copy(&calls_object);

	ck_assert_int_eq(raw_tracepoints__use(text, 0), -EBADMSG);
	ck_assert_int_eq(raw_tracepoints__use(text, sizeof(text)), -EBADMSG);
	((Elf64_Ehdr *)bytes)->e_machine = EM_X86_64;
	ck_assert_int_eq(raw_tracepoints__use(bytes, *calls_object.count), -EBADMSG);
	free(bytes);
}
END_TEST

/* Then libbpf finds no program. */
START_TEST(test_sections_without_names)
{
	unsigned char *bytes = copy(&typed_tracepoints_object);

	((Elf64_Ehdr *)bytes)->e_shstrndx = SHN_UNDEF;
	ck_assert_int_eq(raw_tracepoints__use(bytes, *typed_tracepoints_object.count), 0);
	free(bytes);
}
END_TEST

static void use_damaged(const unsigned char *bytes, size_t count)
{
	unsigned char *damaged = malloc(count);
	int ret;

	ck_assert_ptr_nonnull(damaged);
	memcpy(damaged, bytes, count);
	ret = raw_tracepoints__use(damaged, count);
	ck_assert(ret >= 0 || ret == -EBADMSG);
	free(damaged);
}

START_TEST(test_damaged_objects_do_no_harm)
{
	size_t count = *typed_tracepoints_object.count;
	unsigned char *bytes = copy(&typed_tracepoints_object);

	for (size_t cut = 1; cut < count; cut += 197)
		use_damaged(bytes, cut);
	for (size_t i = 0; i < count; i += amount__step(3, 19)) {
		bytes[i] ^= 0xff;
		use_damaged(bytes, count);
		bytes[i] ^= 0xff;
	}
	free(bytes);
}
END_TEST

SUITE(120)
{
	tcase_add_test(tests, test_sections_are_renamed);
	tcase_add_test(tests, test_variables_are_set);
	tcase_add_test(tests, test_names_in_btf);
	tcase_add_test(tests, test_nothing_to_rename);
	tcase_add_test(tests, test_second_use_changes_nothing);
	tcase_add_test(tests, test_no_object);
	tcase_add_test(tests, test_sections_without_names);
	tcase_add_test(tests, test_damaged_objects_do_no_harm);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_legacy_maps.c: replaced definitions of maps, as libbpf sees them, and damaged objects. */
#include <errno.h>
#include <linux/bpf.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include <peat/log.h>

#include "object/legacy_maps.h"
#include "elf_image.h"
#include "support/machine/harness.h"
#include "support/machine/object.h"
#include "unit/fail_alloc.h"
#include "unit/suite.h"

EMBED_OBJECT(kinds_of_fields)
EMBED_OBJECT(legacy_maps)
EMBED_OBJECT(legacy_sections)

#define MAPS 5

static struct {
	void *bytes;
	size_t count;
} made;

static int use(const void *elf, size_t bytes)
{
	int ret;

	free(made.bytes);
	made.bytes = &made;
	ret = legacy_maps__use("the object", elf, bytes, &made.bytes, &made.count);
	ck_assert_int_eq(!made.bytes, ret <= 0);
	return ret;
}

static void *copy(const struct object_file *file)
{
	void *bytes = malloc(*file->count);

	ck_assert_ptr_nonnull(bytes);
	return memcpy(bytes, file->bytes, *file->count);
}

/* ---- maps ------------------------------------------------------------------------------------ */

struct expected {
	const char *name;
	uint32_t type, key_size, value_size, max_entries, flags;
};

static const struct expected expected[MAPS] = {
	{ "counts", BPF_MAP_TYPE_HASH, 4, 8, 7, 1 },
	{ "events", BPF_MAP_TYPE_PERF_EVENT_ARRAY, 4, 4, 0, 0 },
	{ "longer", BPF_MAP_TYPE_ARRAY, 4, 16, 2, 0 },
	{ "of_iproute2", BPF_MAP_TYPE_ARRAY, 4, 24, 3, 0 },
	{ "hidden", BPF_MAP_TYPE_ARRAY, 4, 32, UINT32_MAX, 0 },
};

static const struct expected in_sections[] = {
	{ "first", BPF_MAP_TYPE_HASH, 4, 8, 7, 0 },
	{ "second", BPF_MAP_TYPE_ARRAY, 4, 16, 2, 0 },
};

static void check_map(const struct bpf_object *object, const struct expected *wanted)
{
	const struct bpf_map *map = bpf_object__find_map_by_name(object, wanted->name);

	ck_assert_msg(map, "no map %s", wanted->name);
	ck_assert_uint_eq(bpf_map__type(map), wanted->type);
	ck_assert_uint_eq(bpf_map__key_size(map), wanted->key_size);
	ck_assert_uint_eq(bpf_map__value_size(map), wanted->value_size);
	ck_assert_uint_eq(bpf_map__max_entries(map), wanted->max_entries);
	ck_assert_uint_eq(bpf_map__map_flags(map), wanted->flags);
	ck_assert_ptr_null(bpf_map__pin_path(map));
}

/* Opens the copy.  The caller closes it. */
static struct bpf_object *check_copy(const struct expected *wanted, size_t count)
{
	struct bpf_object *object = bpf_object__open_mem(made.bytes, made.count, NULL);
	const struct bpf_map *map;
	size_t maps = 0;

	ck_assert_msg(object, "%s", strerror(errno));
	for (size_t i = 0; i < count; i++)
		check_map(object, &wanted[i]);
	bpf_object__for_each_map(map, object) maps++;
	ck_assert_uint_eq(maps, count);
	return object;
}

START_TEST(test_definitions_of_one_section)
{
	struct bpf_object *object;

	ck_assert_int_eq(use(legacy_maps_object.bytes, *legacy_maps_object.count), MAPS);
	object = check_copy(expected, MAPS);
	ck_assert_int_gt(
		btf__find_by_name_kind(bpf_object__btf(object), "bpf_elf_map", BTF_KIND_STRUCT), 0);
	bpf_object__close(object);
}
END_TEST

START_TEST(test_definitions_of_several_sections)
{
	ck_assert_int_eq(use(legacy_sections_object.bytes, *legacy_sections_object.count), 2);
	bpf_object__close(check_copy(in_sections, 2));
}
END_TEST

static void hide_btf(void *elf)
{
	*elf_image__name(elf, elf_image__section(elf, ".BTF.ext")) = '?';
	*elf_image__name(elf, elf_image__section(elf, ".BTF")) = '?';
}

START_TEST(test_object_without_btf)
{
	void *elf = copy(&legacy_maps_object);

	hide_btf(elf);
	ck_assert_int_eq(use(elf, *legacy_maps_object.count), MAPS);
	bpf_object__close(check_copy(expected, MAPS));
	free(elf);
}
END_TEST

/* libbpf finds programs by the types of symbols. */
START_TEST(test_functions_without_type)
{
	void *elf = copy(&legacy_maps_object);
	struct bpf_object *object;

	hide_btf(elf);
	for (size_t i = 0; i < 2; i++) {
		Elf64_Sym *symbol = elf_image__symbol(elf, i ? "use_none" : "use_maps");

		symbol->st_info = ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE);
		symbol->st_size = 0;
	}
	ck_assert_int_eq(use(elf, *legacy_maps_object.count), MAPS);
	object = check_copy(expected, MAPS);
	ck_assert_ptr_nonnull(bpf_object__find_program_by_name(object, "use_maps"));
	ck_assert_ptr_nonnull(bpf_object__find_program_by_name(object, "use_none"));
	bpf_object__close(object);
	free(elf);
}
END_TEST

/* The names of all types and the records of .BTF.ext stay where they are. */
START_TEST(test_types_keep_their_numbers)
{
	void *elf = copy(&legacy_maps_object);
	const Elf64_Shdr *section = elf_image__section(elf, ".BTF");
	struct btf *before = btf__new(elf_image__data(elf, section), (uint32_t)section->sh_size);
	struct bpf_object *object;
	const struct btf *after;

	ck_assert_int_eq(use(elf, *legacy_maps_object.count), MAPS);
	object = check_copy(expected, MAPS);
	after = bpf_object__btf(object);
	for (uint32_t id = 1; id < btf__type_cnt(before); id++) {
		const struct btf_type *from = btf__type_by_id(before, id);
		const struct btf_type *to = btf__type_by_id(after, id);
		const char *name = btf__name_by_offset(before, from->name_off);

		if (!strcmp(name, "maps"))
			continue;
		ck_assert_uint_eq(to->info, from->info);
		ck_assert_uint_eq(to->name_off, from->name_off);
		ck_assert_str_eq(btf__name_by_offset(after, to->name_off), name);
	}
	ck_assert_int_lt(btf__find_by_name_kind(after, "maps", BTF_KIND_DATASEC), 0);
	bpf_object__close(object);
	btf__free(before);
	free(elf);
}
END_TEST

/* Each relocation of the code leads to the map that it led to before. */
START_TEST(test_relocations_lead_to_maps)
{
	static const char *const used[] = { "counts", "longer", "of_iproute2", "hidden", "events" };
	const Elf64_Sym *symbols;
	const Elf64_Rel *rels;
	const char *code;

	ck_assert_int_eq(use(legacy_maps_object.bytes, *legacy_maps_object.count), MAPS);
	symbols = elf_image__data(made.bytes, elf_image__section(made.bytes, ".symtab"));
	rels = elf_image__data(made.bytes,
			       elf_image__section(made.bytes, ".relraw_tp/task_rename"));
	code = elf_image__data(made.bytes, elf_image__section(made.bytes, "raw_tp/task_rename"));
	for (size_t i = 0; i < MAPS; i++) {
		const Elf64_Sym *symbol = &symbols[ELF64_R_SYM(rels[i].r_info)];
		struct bpf_insn insn;

		memcpy(&insn, code + rels[i].r_offset, sizeof(insn));
		ck_assert_str_eq(elf_image__symbol_name(made.bytes, symbol), used[i]);
		ck_assert_int_eq(insn.imm, 0);
	}
}
END_TEST

START_TEST(test_nothing_to_replace)
{
	ck_assert_int_eq(use(kinds_of_fields_object.bytes, *kinds_of_fields_object.count), 0);
	ck_assert_int_eq(use("", 0), 0);
	ck_assert_int_eq(use("no ELF file", 11), 0);
}
END_TEST

/* Older iproute2: the definition ends with the id and the pinning. */
START_TEST(test_old_iproute2)
{
	void *elf = copy(&legacy_maps_object);
	uint32_t *words = elf_image__variable(elf, "longer");

	words[5] = 1;
	words[6] = 2;
	ck_assert_int_eq(use(elf, *legacy_maps_object.count), MAPS);
	free(elf);
}
END_TEST

/* ---- refusals -------------------------------------------------------------------------------- */

static char message[400];

static void keep_message(enum peat_log_level level, const char *text)
{
	if (level == PEAT_LOG_ERROR)
		snprintf(message, sizeof(message), "%s", text);
}

/* A change of the file makes it invalid, for a reason that the message has. */
static void check_refused(void (*change)(void *elf), const char *words)
{
	void *elf = copy(&legacy_maps_object);

	*message = '\0';
	peat_set_print(keep_message);
	change(elf);
	ck_assert_int_eq(use(elf, *legacy_maps_object.count), -EINVAL);
	peat_set_print(NULL);
	ck_assert_msg(strstr(message, words), "'%s' does not say '%s'", message, words);
	free(elf);
}

static void shorten(void *elf)
{
	elf_image__symbol(elf, "events")->st_size = 16;
}

static void lengthen(void *elf)
{
	elf_image__symbol(elf, "events")->st_size = 24;
}

static void move_outside(void *elf)
{
	elf_image__symbol(elf, "events")->st_value = UINT64_MAX - 8;
}

static void remove_type(void *elf)
{
	memset(elf_image__variable(elf, "events"), 0, 4);
}

static void make_map_of_maps(void *elf)
{
	uint32_t type = BPF_MAP_TYPE_HASH_OF_MAPS;

	memcpy(elf_image__variable(elf, "events"), &type, sizeof(type));
}

static void set_unknown_member(void *elf)
{
	uint32_t *words = elf_image__variable(elf, "longer");

	words[4] = BPF_F_NUMA_NODE;
	words[6] = 1;
}

static void set_inner_map(void *elf)
{
	((uint32_t *)elf_image__variable(elf, "of_iproute2"))[7] = 1;
}

static void strip(void *elf)
{
	elf_image__section(elf, ".symtab")->sh_type = SHT_PROGBITS;
}

static void lose_content(void *elf)
{
	elf_image__section(elf, "maps")->sh_size = 0;
}

static void damage_btf(void *elf)
{
	memset(elf_image__data(elf, elf_image__section(elf, ".BTF")), 0, 2);
}

static void use_middle(void *elf)
{
	elf_image__symbol(elf, "hidden")->st_value += 4;
	elf_image__symbol(elf, "hidden")->st_size -= 4;
	elf_image__section(elf, "maps")->sh_size += 20;
	elf_image__symbol(elf, "hidden")->st_size = 20;
}

START_TEST(test_invalid_definitions)
{
	check_refused(shorten, "the map events: it is shorter than 20 bytes");
	check_refused(lengthen, "the map events: it is longer than its place");
	check_refused(move_outside, "the map events: it is outside of its section");
	check_refused(remove_type, "the map events: it has no type");
	check_refused(make_map_of_maps, "the map events: maps of maps");
	check_refused(set_unknown_member, "the map longer: the bytes after map_flags are not 0");
	check_refused(set_inner_map, "the map of_iproute2: maps of maps");
}
END_TEST

START_TEST(test_invalid_files)
{
	check_refused(strip, "it was stripped");
	check_refused(lose_content, "it is outside of its section");
	check_refused(damage_btf, "its BTF is invalid");
	check_refused(use_middle, "code uses something else");
}
END_TEST

START_TEST(test_no_memory)
{
	for (unsigned nth = 1; nth; nth++) {
		long blocks = fail_alloc__blocks();
		void *bytes = &made;
		bool failed;
		int ret;

		fail_alloc__begin(nth);
		ret = legacy_maps__use("the object", legacy_maps_object.bytes,
				       *legacy_maps_object.count, &bytes, &made.count);
		failed = fail_alloc__end();
		free(bytes);
		ck_assert_int_eq(fail_alloc__blocks(), blocks);
		if (!failed)
			break;
		ck_assert_msg(ret == -ENOMEM || ret == -EINVAL || ret == 0, "%d", ret);
	}
}
END_TEST

START_TEST(test_damaged_objects_do_no_harm)
{
	size_t count = *legacy_maps_object.count;
	unsigned char *bytes = copy(&legacy_maps_object);

	for (size_t i = 0; i < count; i += 7) {
		bytes[i] ^= 0xff;
		ck_assert_int_ge(use(bytes, count), -EINVAL);
		bytes[i] ^= 0xff;
	}
	for (size_t cut = 1; cut < count; cut += 997)
		ck_assert_int_ge(use(bytes, cut), -EINVAL);
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
	tcase_add_test(tests, test_definitions_of_one_section);
	tcase_add_test(tests, test_definitions_of_several_sections);
	tcase_add_test(tests, test_object_without_btf);
	tcase_add_test(tests, test_functions_without_type);
	tcase_add_test(tests, test_types_keep_their_numbers);
	tcase_add_test(tests, test_relocations_lead_to_maps);
	tcase_add_test(tests, test_nothing_to_replace);
	tcase_add_test(tests, test_old_iproute2);
	tcase_add_test(tests, test_invalid_definitions);
	tcase_add_test(tests, test_invalid_files);
	tcase_add_test(tests, test_no_memory);
	tcase_add_test(tests, test_damaged_objects_do_no_harm);
}

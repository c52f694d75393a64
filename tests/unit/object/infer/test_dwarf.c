// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* test_dwarf.c: a type has the same schema from BTF and from DWARF. */
#include <errno.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <linux/btf.h>

#include "object/infer/dwarf.h"
#include "support/machine/harness.h"
#include "../elf_image.h"
#include "foreign_objects.h"
#include "schema/plan.h"
#include "unit/suite.h"

#ifdef HAVE_LIBDW
#define need_libdw()
#else
#define need_libdw() skip("built without libdw")
#endif

static Elf *elf;
static struct dwarf *info;

static void setup(void)
{
	elf_version(EV_CURRENT);
	elf = elf_memory((char *)(uintptr_t)foreign->bytes, *foreign->count);
	ck_assert_ptr_nonnull(elf);
#ifdef HAVE_LIBDW
	ck_assert_int_eq(dwarf__open(&info, elf), 0);
#endif
}

static void teardown(void)
{
	dwarf__free(info);
	elf_end(elf);
}

struct wanted {
	const char *name;
	struct dwarf_type found;
	uint32_t times;
};

static int look(void *ctx, const struct dwarf_type *type)
{
	struct wanted *wanted = ctx;

	if (strcmp(type->name, wanted->name))
		return 0;
	wanted->found = *type;
	wanted->times++;
	return 0;
}

static struct dwarf_type find(const char *name)
{
	struct wanted wanted = { .name = name };

	ck_assert_int_eq(dwarf__each(info, look, &wanted), 0);
	ck_assert_msg(wanted.times == 1, "%s: %u times", name, wanted.times);
	return wanted.found;
}

static struct peat_schema *schema_of(const char *name)
{
	struct peat_schema *schema;
	uint32_t id;
	struct btf *btf = dwarf__btf(info, find(name).place, &id);

	ck_assert_msg(btf, "%s: %s", name, strerror(errno));
	schema = peat_schema__new(btf, id);
	ck_assert_ptr_nonnull(schema);
	btf__free(btf);
	return schema;
}

static struct peat_schema *schema_of_btf(const char *name)
{
	struct bpf_object *object = object__open(foreign);
	const struct btf *btf = bpf_object__btf(object);
	int id = btf__find_by_name_kind(btf, name, BTF_KIND_STRUCT);
	struct peat_schema *schema;

	ck_assert_int_gt(id, 0);
	schema = peat_schema__new(btf, (uint32_t)id);
	ck_assert_ptr_nonnull(schema);
	bpf_object__close(object);
	return schema;
}

static void check_names(const struct peat_field *one, const struct peat_field *other)
{
	ck_assert_uint_eq(one->name_count, other->name_count);
	for (uint32_t i = 0; i < one->name_count; i++) {
		ck_assert_str_eq(one->names[i].name, other->names[i].name);
		ck_assert_uint_eq(one->names[i].value, other->names[i].value);
	}
}

static void check_same(const struct peat_field *one, const struct peat_field *other)
{
	ck_assert_str_eq(one->name, other->name);
	ck_assert_msg(one->kind == other->kind, "%s: kind %d and %d", one->name, (int)one->kind,
		      (int)other->kind);
	ck_assert_uint_eq(one->span, other->span);
	ck_assert_uint_eq(one->offset, other->offset);
	ck_assert_uint_eq(one->bytes, other->bytes);
	ck_assert_uint_eq(one->bit_offset, other->bit_offset);
	ck_assert_uint_eq(one->bits, other->bits);
	ck_assert_int_eq(one->is_signed, other->is_signed);
	ck_assert_int_eq(one->big_endian, other->big_endian);
	ck_assert_uint_eq(one->count, other->count);
	check_names(one, other);
}

START_TEST(test_same_as_btf)
{
	struct peat_schema *one, *other;

	need_libdw();
	one = schema_of_btf("kept");
	other = schema_of("kept");
	ck_assert_str_eq(one->name, other->name);
	ck_assert_uint_eq(one->bytes, other->bytes);
	ck_assert_uint_gt(one->count, 35);
	ck_assert_uint_eq(one->count, other->count);
	for (uint32_t i = 0; i < one->count; i++)
		check_same(&one->fields[i], &other->fields[i]);
	peat_schema__free(one);
	peat_schema__free(other);
}
END_TEST

START_TEST(test_types_of_local_variables)
{
	struct bpf_object *object;
	struct peat_schema *schema;

	need_libdw();
	object = object__open(foreign);
	ck_assert_int_lt(btf__find_by_name(bpf_object__btf(object), "local"), 0);
	bpf_object__close(object);
	schema = schema_of("local");
	ck_assert_uint_eq(schema->count, 3);
	ck_assert_str_eq(schema->fields[1].name, "color");
	ck_assert_int_eq(schema->fields[1].kind, PEAT_FIELD_ENUM);
	ck_assert_str_eq(schema->fields[1].names[2].name, "NEGATIVE");
	ck_assert_int_eq(schema->fields[2].kind, PEAT_FIELD_STRING);
	peat_schema__free(schema);
}
END_TEST

START_TEST(test_kinds_of_types)
{
	struct peat_schema *schema;
	struct dwarf_type type;

	need_libdw();
	type = find("spot");
	ck_assert(!type.is_typedef && !type.is_union && !type.is_alias);
	ck_assert_uint_eq(type.bytes, 8);
	type = find("unnamed_t");
	ck_assert(type.is_typedef && !type.is_alias);
	ck_assert_uint_eq(type.bytes, 12);
	type = find("inner_t");
	ck_assert(type.is_typedef && type.is_alias);
	type = find("inner");
	ck_assert(type.is_union);
	schema = schema_of("unnamed_t");
	ck_assert_str_eq(schema->name, "unnamed_t");
	peat_schema__free(schema);
}
END_TEST

START_TEST(test_invalid_places)
{
	uint64_t bytes;
	uint32_t id;

	need_libdw();
	bytes = *foreign->count;
	for (uint64_t place = 0; place < bytes; place++)
		btf__free(dwarf__btf(info, place, &id));
	ck_assert_ptr_null(dwarf__btf(info, UINT64_MAX, &id));
	ck_assert_int_eq(errno, EBADMSG);
}
END_TEST

/* clang 6 relocates names by symbols in .debug_str. */
START_TEST(test_offsets_in_symbols)
{
	char *image = malloc(*foreign->count);
	struct dwarf *opened;
	Elf64_Sym *symbols;
	Elf *copy;

	need_libdw();
	ck_assert_ptr_nonnull(image);
	memcpy(image, foreign->bytes, *foreign->count);
	symbols = elf_image__data(image, elf_image__section(image, ".symtab"));
	for (size_t i = 0; i < elf_image__section(image, ".symtab")->sh_size / sizeof(*symbols);
	     i++)
		if (elf_image__at(image, symbols[i].st_shndx) ==
		    elf_image__section(image, ".debug_str"))
			symbols[i].st_value = 54;
	copy = elf_memory(image, *foreign->count);
	ck_assert_int_eq(dwarf__open(&opened, copy), -ENODATA);
	elf_end(copy);
	free(image);
}
END_TEST

SUITE(30)
{
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, test_same_as_btf);
	tcase_add_test(tests, test_types_of_local_variables);
	tcase_add_test(tests, test_kinds_of_types);
	tcase_add_test(tests, test_invalid_places);
	tcase_add_test(tests, test_offsets_in_symbols);
}

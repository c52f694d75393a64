// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* functions/field_types.c: types of fields, copied from one BTF into another. */
#include <errno.h>
#include <linux/btf.h>
#include <string.h>
#include <bpf/btf.h>

#include "functions/field_types.h"

#define TEXT_BYTES 64

/* ---- types that each event may need ---------------------------------------------------------- */

static int add_integers(struct field_types *types, int *s32)
{
	struct btf *btf = types->btf;

	types->char_type = btf__add_int(btf, "char", 1, 0);
	types->u8 = btf__add_int(btf, "unsigned char", 1, 0);
	types->u32 = btf__add_int(btf, "unsigned int", 4, 0);
	types->u64 = btf__add_int(btf, "unsigned long long", 8, 0);
	types->s64 = btf__add_int(btf, "long long", 8, BTF_INT_SIGNED);
	*s32 = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	if (types->char_type < 0 || types->u8 < 0 || types->u32 < 0 || types->u64 < 0 ||
	    types->s64 < 0 || *s32 < 0)
		return -ENOMEM;
	return 0;
}

static int add_typedefs(struct field_types *types, int s32)
{
	struct btf *btf = types->btf;

	types->hex = btf__add_typedef(btf, "peat_hex_t", types->u64);
	types->size = btf__add_typedef(btf, "peat_size_t", types->u64);
	types->errno32 = btf__add_typedef(btf, "peat_errno_t", s32);
	types->errno64 = btf__add_typedef(btf, "peat_errno_t", types->s64);
	types->duration = btf__add_typedef(btf, "peat_duration_t", types->u64);
	types->kaddr = btf__add_typedef(btf, "peat_kaddr_t", types->u64);
	if (types->hex < 0 || types->size < 0 || types->errno32 < 0 || types->errno64 < 0 ||
	    types->duration < 0 || types->kaddr < 0)
		return -ENOMEM;
	return 0;
}

int field_types__init(struct field_types *types, struct btf *btf)
{
	int s32, err;

	*types = (struct field_types){ .btf = btf, .text_bytes = TEXT_BYTES };
	err = add_integers(types, &s32);
	return err ? err : add_typedefs(types, s32);
}

/* ---- copies ---------------------------------------------------------------------------------- */

/* Adds the values that have names; 32 bits of a value keep the sign that the enum says. */
static int copy_values(struct btf *to, const struct btf *btf, const struct btf_type *type)
{
	const struct btf_enum *value = btf_enum(type);

	for (uint32_t i = 0; i < btf_vlen(type); i++) {
		const char *name = btf__name_by_offset(btf, value[i].name_off);
		int64_t number =
			btf_kflag(type) ? (int64_t)value[i].val : (int64_t)(uint32_t)value[i].val;
		int err = name ? 0 : -EBADMSG;

		if (!err && *name)
			err = btf__add_enum_value(to, name, number);
		if (err)
			return err;
	}
	return 0;
}

static int copy_values64(struct btf *to, const struct btf *btf, const struct btf_type *type)
{
	const struct btf_enum64 *value = btf_enum64(type);

	for (uint32_t i = 0; i < btf_vlen(type); i++) {
		const char *name = btf__name_by_offset(btf, value[i].name_off);
		int err = name ? 0 : -EBADMSG;

		if (!err && *name)
			err = btf__add_enum64_value(to, name, btf_enum64_value(&value[i]));
		if (err)
			return err;
	}
	return 0;
}

static int copy_enum(struct field_types *types, const struct btf *btf,
		     const struct plain_type *plain)
{
	const struct btf_type *type = plain->type;
	const char *name = plain_type__name(plain, btf);
	bool is_wide = btf_is_enum64(type);
	int id, err;

	id = is_wide ? btf__add_enum64(types->btf, name, type->size, btf_kflag(type))
		     : btf__add_enum(types->btf, name, type->size);
	if (id < 0)
		return id;
	err = is_wide ? copy_values64(types->btf, btf, type) : copy_values(types->btf, btf, type);
	return err ? err : id;
}

static int copy_integer(struct field_types *types, const struct btf *btf,
			const struct plain_type *plain)
{
	int encoding = btf_int_encoding(plain->type);
	const char *name = plain_type__name(plain, btf);
	int id;

	encoding &= encoding & BTF_INT_BOOL ? BTF_INT_BOOL : BTF_INT_SIGNED;
	id = btf__add_int(types->btf, *name ? name : "number", plain->type->size, encoding);
	if (id < 0 || !plain->meaning || !strcmp(plain->meaning, "size_t"))
		return id;
	return btf__add_typedef(types->btf, plain->meaning, id);
}

/* A size_t of 4 bytes, of a program, is a number of 4 bytes. */
int field_types__copy(struct field_types *types, const struct btf *btf,
		      const struct plain_type *plain)
{
	if (btf_is_ptr(plain->type))
		return types->hex;
	if (btf_is_any_enum(plain->type))
		return copy_enum(types, btf, plain);
	if (plain->meaning && !strcmp(plain->meaning, "size_t") && plain->type->size == 8)
		return types->size;
	return copy_integer(types, btf, plain);
}

int field_types__add_text(struct field_types *types, uint32_t bytes)
{
	return btf__add_array(types->btf, types->u32, types->char_type, bytes);
}

int field_types__add_names(struct field_types *types, const char *const *names, uint32_t count)
{
	int id = btf__add_enum(types->btf, NULL, 4);

	for (uint32_t i = 0; id > 0 && i < count; i++) {
		int err = btf__add_enum_value(types->btf, names[i], i);

		if (err)
			return err;
	}
	return id;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* functions/plain_type.c: types without their typedefs and qualifiers. */
#include <errno.h>
#include <linux/btf.h>
#include <string.h>
#include <bpf/btf.h>

#include "functions/plain_type.h"

#define CHAIN_MAX     64 /* typedefs and qualifiers before a type */
#define POINTER_BYTES 8

/* Typedefs that the schema shows in a way of their own, and size_t. */
static const char *const meanings[] = { "size_t", "__be16", "__be32", "__be64" };

static void note_typedef(struct plain_type *plain, const char *name)
{
	plain->has_typedef = true;
	for (size_t i = 0; i < sizeof(meanings) / sizeof(*meanings); i++)
		if (!strcmp(name, meanings[i]))
			plain->meaning = meanings[i];
}

static void note(struct plain_type *plain, const struct btf_type *type, const char *name)
{
	if (btf_is_typedef(type))
		note_typedef(plain, name);
	else if (btf_is_const(type))
		plain->is_const = true;
	else if (btf_is_type_tag(type) && !strcmp(name, "user"))
		plain->is_user = true;
}

int plain_type__find(struct plain_type *plain, const struct btf *btf, uint32_t id)
{
	*plain = (struct plain_type){ 0 };
	for (int i = 0; i < CHAIN_MAX; i++) {
		const struct btf_type *type = btf__type_by_id(btf, id);
		const char *name = type ? btf__name_by_offset(btf, type->name_off) : NULL;

		if (!name)
			return -EBADMSG;
		if (!btf_is_mod(type) && !btf_is_typedef(type)) {
			plain->type = type;
			plain->id = id;
			return 0;
		}
		note(plain, type, name);
		id = type->type;
	}
	return -EBADMSG;
}

bool plain_type__can_read(const struct btf *btf)
{
	return (uintptr_t)btf__type_by_id(btf, 1) % _Alignof(struct btf_type) == 0;
}

const char *plain_type__name(const struct plain_type *plain, const struct btf *btf)
{
	const char *name = btf__name_by_offset(btf, plain->type->name_off);

	return name ? name : "";
}

/* In the old encoding, a bit-field has an int type of its own with its bits. */
static bool has_whole_bytes(const struct btf_type *type)
{
	return btf_int_bits(type) == type->size * 8 && !btf_int_offset(type);
}

bool plain_type__is_number(const struct plain_type *plain)
{
	return btf_is_ptr(plain->type) || btf_is_any_enum(plain->type) ||
	       (btf_is_int(plain->type) && has_whole_bytes(plain->type));
}

uint32_t plain_type__number_bytes(const struct plain_type *plain)
{
	uint32_t bytes;

	if (!plain_type__is_number(plain))
		return 0;
	bytes = btf_is_ptr(plain->type) ? POINTER_BYTES : plain->type->size;
	return bytes <= 16 && bytes && !(bytes & (bytes - 1)) ? bytes : 0;
}

bool plain_type__is_character(const struct plain_type *plain, const struct btf *btf)
{
	if (!btf_is_int(plain->type) || plain_type__number_bytes(plain) != 1 ||
	    btf_int_encoding(plain->type) & BTF_INT_BOOL)
		return false;
	return !plain->has_typedef || !strcmp(plain_type__name(plain, btf), "char");
}

const char *plain_type__keyword(const struct btf_type *type)
{
	if (btf_is_struct(type) || (btf_is_fwd(type) && !btf_kflag(type)))
		return "struct ";
	if (btf_is_union(type) || btf_is_fwd(type))
		return "union ";
	return btf_is_any_enum(type) ? "enum " : "";
}

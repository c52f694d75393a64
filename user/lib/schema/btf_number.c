// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* schema/btf_number.c: fields with one number: integers, enums, pointers, floats, bit-fields. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/btf.h>
#include <bpf/btf.h>

#include "base/errors.h"
#include "schema/btf_builder.h"

#define BIG_ENDIAN_HERE (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

/* ---- enums ----------------------------------------------------------------------------------- */

static uint64_t bytes_mask(uint32_t bytes)
{
	return bytes < 8 ? (1ULL << bytes * 8) - 1 : UINT64_MAX;
}

/* Old compilers do not record whether an enum is signed: it is if it has a negative value. */
static bool is_signed_enum(const struct btf_type *type)
{
	bool is_signed = btf_kflag(type);

	for (int i = 0; !is_signed && btf_is_enum(type) && i < btf_vlen(type); i++)
		is_signed = btf_enum(type)[i].val < 0;
	return is_signed;
}

static uint64_t enum_value(const struct btf_type *type, int i, bool is_signed)
{
	int32_t value;

	if (btf_is_enum64(type))
		return btf_enum64_value(btf_enum64(type) + i);
	value = btf_enum(type)[i].val;
	return is_signed ? (uint64_t)(int64_t)value : (uint32_t)value;
}

static uint32_t enum_name(const struct btf_type *type, int i)
{
	return btf_is_enum64(type) ? btf_enum64(type)[i].name_off : btf_enum(type)[i].name_off;
}

/* The values of flags are as in memory: the highest bit is no sign. */
static struct plan_names *read_enum_names(const struct btf_builder *b,
					  const struct resolved_type *resolved, bool are_flags)
{
	bool is_signed = !are_flags && is_signed_enum(resolved->type);
	uint64_t mask = are_flags ? bytes_mask(resolved->type->size) : UINT64_MAX;
	uint32_t count = btf_vlen(resolved->type);
	struct plan_names *list = calloc(1, sizeof(*list) + count * sizeof(*list->names));

	if (!list)
		return fail_null(-ENOMEM);
	list->id = resolved->id;
	list->are_flags = are_flags;
	list->count = count;
	for (uint32_t i = 0; i < count; i++) {
		struct peat_name *name = &list->names[i];

		name->value = enum_value(resolved->type, (int)i, is_signed) & mask;
		name->name = btf__name_by_offset(b->btf, enum_name(resolved->type, (int)i));
		if (name->name)
			continue;
		free(list);
		return fail_null(-EBADMSG);
	}
	return list;
}

static const struct plan_names *find_enum_names(struct btf_builder *b,
						const struct resolved_type *resolved,
						bool are_flags)
{
	struct plan_names *list;

	for (list = b->plan.names; list; list = list->next)
		if (list->id == resolved->id && list->are_flags == are_flags)
			return list;
	list = read_enum_names(b, resolved, are_flags);
	if (list && plan__keep_names(&b->plan, list))
		return fail_null(-ENOMEM);
	return list;
}

/* Whether all values are single bits, at least three of them: 0, 1, 2 alone are no flags. */
static bool look_like_flags(const struct btf_type *type)
{
	uint64_t mask = bytes_mask(type->size), seen = 0;

	for (int i = 0; i < btf_vlen(type); i++) {
		uint64_t value = enum_value(type, i, false) & mask;

		if (value & (value - 1))
			return false;
		seen |= value;
	}
	return __builtin_popcountll(seen) >= 3 && seen & 4;
}

static int set_names(struct btf_builder *b, const struct resolved_type *resolved,
		     struct peat_field *field)
{
	const struct plan_names *list =
		find_enum_names(b, resolved, field_type__of(field)->joins_names);

	if (!list)
		return -errno;
	field->names = list->names;
	field->name_count = list->count;
	return 0;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static uint32_t pointer_bytes(const struct btf_builder *b)
{
	size_t bytes = btf__pointer_size(b->btf);

	return bytes == 4 ? 4 : 8;
}

static bool is_number_size(uint32_t bytes)
{
	return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

/*
 * clang 14 encodes enums of 8 bytes as enums of 4 and loses half of each value: shown as numbers.
 */
static void set_enum_kind(const struct btf_type *type, struct peat_field *field)
{
	field->is_signed = is_signed_enum(type);
	if (btf_is_enum(type) && type->size == 8)
		field->kind = field->is_signed ? PEAT_FIELD_SIGNED : PEAT_FIELD_UNSIGNED;
	else if (look_like_flags(type))
		field->kind = PEAT_FIELD_FLAGS;
	else
		field->kind = PEAT_FIELD_ENUM;
}

/* Sets the kind by the C type, ignoring a bit-field. */
static int set_kind_by_type(const struct btf_builder *b, const struct member *member,
			    const struct resolved_type *resolved, struct peat_field *field)
{
	const struct btf_type *type = resolved->type;

	field->bytes = btf_is_ptr(type) ? pointer_bytes(b) : type->size;
	if (btf_is_ptr(type)) {
		field->kind = PEAT_FIELD_HEX;
	} else if (btf_is_float(type)) {
		field->kind =
			type->size == 4 || type->size == 8 ? PEAT_FIELD_FLOAT : PEAT_FIELD_BYTES;
		return type->size ? 0 : btf_builder__invalid(b, member->label, "a float of size 0");
	} else if (btf_is_any_enum(type)) {
		set_enum_kind(type, field);
	} else {
		field->is_signed = btf_int_encoding(type) & BTF_INT_SIGNED;
		field->kind = btf_int_encoding(type) & BTF_INT_BOOL ? PEAT_FIELD_BOOL
			      : field->is_signed		    ? PEAT_FIELD_SIGNED
								    : PEAT_FIELD_UNSIGNED;
		if (field->kind == PEAT_FIELD_BOOL)
			field->is_signed = false;
		if (field->bytes == 16)
			return 0;
	}
	return is_number_size(field->bytes) ? 0
					    : btf_builder__invalid(b, member->label, "wrong size");
}

/* In the old encoding, a bit-field has an int type of its own with its bits. */
static void read_old_bits(struct member *member, const struct btf_type *type)
{
	uint32_t bits;

	if (!btf_is_int(type) || member->bits)
		return;
	bits = btf_int_bits(type);
	member->bit += btf_int_offset(type);
	if (bits != type->size * 8 || member->bit % 8)
		member->bits = bits;
}

static void set_kind_to_bytes(struct peat_field *field)
{
	field->kind = PEAT_FIELD_BYTES;
	field->is_signed = false;
}

static int set_position(const struct btf_builder *b, const struct member *callers,
			const struct resolved_type *resolved, struct peat_field *field)
{
	struct member member = *callers;
	uint64_t end;

	read_old_bits(&member, resolved->type);
	if (member.bits > field->bytes * 8 || (!member.bits && member.bit % 8))
		return btf_builder__invalid(b, member.label, "wrong bits");
	end = member.bit + (member.bits ? member.bits : (uint64_t)field->bytes * 8);
	if (end > (uint64_t)member.limit * 8)
		return btf_builder__invalid(b, member.label,
					    "it ends after the struct that contains it");
	if (member.bit % 8 == 0 && member.bits == field->bytes * 8)
		member.bits = 0;
	field->offset = (uint32_t)(member.bit / 8);
	if (member.bits &&
	    !plan__place_bits(field, member.bit, member.bits, member.limit, BIG_ENDIAN_HERE))
		set_kind_to_bytes(field);
	if (!member.bits && field->bytes == 16)
		set_kind_to_bytes(field);
	field->big_endian =
		resolved->in_network_order && !field->bits && is_number_size(field->bytes);
	return 0;
}

bool btf_number__fits(const struct peat_field *field, const struct field_type *as, bool is_enum)
{
	if (field->kind == PEAT_FIELD_BYTES) /* a number of 16 bytes, or bits of no number */
		return as == &field_type__bytes || (as == &field_type__ipv6 && field->bytes == 16);
	if (field->kind == PEAT_FIELD_FLOAT || (as->has_own_names && !is_enum))
		return false;
	return field->bits ? as->fits_bits : as->fits & field->bytes;
}

/* The result of bpf_get_stackid() is negative on failure, whatever type it is stored in. */
static void set_kind_by_show_as(struct peat_field *field, const struct field_type *as)
{
	field->kind = as->kind;
	if (as == &field_type__unsigned && field->is_signed)
		field->kind = PEAT_FIELD_SIGNED;
	if (as->sign != FIELD_SIGN_KEPT)
		field->is_signed = as->sign == FIELD_SIGN_ALWAYS;
	field->big_endian |= as->is_big_endian;
}

/* The tag decides, then the name of the type, then the type itself. */
static void apply_show_as(const struct btf_builder *b, const struct member *member,
			  const struct resolved_type *resolved, struct peat_field *field)
{
	bool has_names = field_type__of(field)->has_own_names;

	if (member->show_as) {
		if (btf_number__fits(field, member->show_as, has_names)) {
			set_kind_by_show_as(field, member->show_as);
			return;
		}
		btf_builder__warn_misfit(b, member, member->show_as);
	}
	if (!resolved->show_as)
		return;
	if (btf_number__fits(field, resolved->show_as, has_names))
		set_kind_by_show_as(field, resolved->show_as);
	else if (!resolved->in_network_order && resolved->show_as != member->show_as)
		btf_builder__warn_misfit(b, member, resolved->show_as);
}

int btf_number__add(struct btf_builder *b, const struct member *member,
		    const struct resolved_type *resolved)
{
	struct peat_field field = { .name = member->name, .doc = member->doc, .span = 1 };
	int err = set_kind_by_type(b, member, resolved, &field);

	if (!err)
		err = set_position(b, member, resolved, &field);
	if (err)
		return err;
	apply_show_as(b, member, resolved, &field);
	if (field.kind == PEAT_FIELD_FLAGS)
		field.is_signed = false;
	if (field_type__of(&field)->has_own_names)
		err = set_names(b, resolved, &field);
	if (err == -EBADMSG)
		return btf_builder__invalid(b, member->label, "a name is missing");
	if (err)
		return err;
	err = btf_builder__add(b, &field);
	return err < 0 ? err : 0;
}

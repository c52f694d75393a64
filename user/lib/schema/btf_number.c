// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* number.c: fields that hold one number, named or not, in bytes or in bits of them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/btf.h>
#include <bpf/btf.h>

#include "schema/btf_builder.h"
#include "base/internal.h"

#define BIG_ENDIAN_HERE (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

/* ---- enums ----------------------------------------------------------------------------------- */

static uint64_t mask_of(uint32_t bytes)
{
	return bytes < 8 ? (1ULL << bytes * 8) - 1 : UINT64_MAX;
}

/* Old compilers do not say whether an enum is signed: it is when it has to be. */
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

/* Of flags the values are what is in memory, the highest bit no sign. */
static struct plan_names *read_names(const struct builder *b, const struct found *found,
				     bool are_flags)
{
	bool is_signed = !are_flags && is_signed_enum(found->type);
	uint64_t mask = are_flags ? mask_of(found->type->size) : UINT64_MAX;
	uint32_t count = btf_vlen(found->type);
	struct plan_names *list = calloc(1, sizeof(*list) + count * sizeof(*list->names));

	if (!list)
		return fail_null(-ENOMEM);
	list->id = found->id;
	list->are_flags = are_flags;
	list->count = count;
	for (uint32_t i = 0; i < count; i++) {
		struct peat_name *name = &list->names[i];

		name->value = enum_value(found->type, (int)i, is_signed) & mask;
		name->name = btf__name_by_offset(b->btf, enum_name(found->type, (int)i));
		if (name->name)
			continue;
		free(list);
		return fail_null(-EBADMSG);
	}
	return list;
}

static const struct plan_names *find_names(struct builder *b, const struct found *found,
					   bool are_flags)
{
	struct plan_names *list;

	for (list = b->plan.names; list; list = list->next)
		if (list->id == found->id && list->are_flags == are_flags)
			return list;
	list = read_names(b, found, are_flags);
	if (list && plan__keep_names(&b->plan, list))
		return fail_null(-ENOMEM);
	return list;
}

/* An enum of nothing but single bits, which a count 0, 1, 2 does not make. */
static bool look_like_flags(const struct btf_type *type)
{
	uint64_t mask = mask_of(type->size), seen = 0;

	for (int i = 0; i < btf_vlen(type); i++) {
		uint64_t value = enum_value(type, i, false) & mask;

		if (value & (value - 1))
			return false;
		seen |= value;
	}
	return __builtin_popcountll(seen) >= 3 && seen & 4;
}

static int set_names(struct builder *b, const struct found *found, struct peat_field *field)
{
	const struct plan_names *list = find_names(b, found, field->kind == PEAT_FIELD_FLAGS);

	if (!list)
		return -errno;
	field->names = list->names;
	field->name_count = list->count;
	return 0;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static uint32_t pointer_bytes(const struct builder *b)
{
	size_t bytes = btf__pointer_size(b->btf);

	return bytes == 4 ? 4 : 8;
}

static bool is_number_size(uint32_t bytes)
{
	return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

/*
 * An enum of 8 bytes in the encoding for 4 has lost half of its values (clang 14): a number then.
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

/* The kind by the C type, as if it were no bit-field. */
static int set_kind(const struct builder *b, const struct member *member, const struct found *found,
		    struct peat_field *field)
{
	const struct btf_type *type = found->type;

	field->bytes = btf_is_ptr(type) ? pointer_bytes(b) : type->size;
	if (btf_is_ptr(type)) {
		field->kind = PEAT_FIELD_HEX;
	} else if (btf_is_float(type)) {
		field->kind =
			type->size == 4 || type->size == 8 ? PEAT_FIELD_FLOAT : PEAT_FIELD_BYTES;
		return type->size ? 0 : builder__bad(b, member->label, "a float of no size");
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
	return is_number_size(field->bytes) ? 0 : builder__bad(b, member->label, "its size");
}

/* In the old encoding a bit-field's type is an int of its own. */
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

static void make_bytes(struct peat_field *field)
{
	field->kind = PEAT_FIELD_BYTES;
	field->is_signed = false;
}

static int set_place(const struct builder *b, const struct member *callers,
		     const struct found *found, struct peat_field *field)
{
	struct member member = *callers;
	uint64_t end;

	read_old_bits(&member, found->type);
	if (member.bits > field->bytes * 8 || (!member.bits && member.bit % 8))
		return builder__bad(b, member.label, "its bits");
	end = member.bit + (member.bits ? member.bits : (uint64_t)field->bytes * 8);
	if (end > (uint64_t)member.limit * 8)
		return builder__bad(b, member.label, "it ends behind what it is in");
	if (member.bit % 8 == 0 && member.bits == field->bytes * 8)
		member.bits = 0;
	field->offset = (uint32_t)(member.bit / 8);
	if (member.bits &&
	    !plan__place_bits(field, member.bit, member.bits, member.limit, BIG_ENDIAN_HERE))
		make_bytes(field);
	if (!member.bits && field->bytes == 16)
		make_bytes(field);
	field->big_endian = found->in_network_order && !field->bits && is_number_size(field->bytes);
	return 0;
}

static bool is_integer(const struct peat_field *field)
{
	return field->kind != PEAT_FIELD_FLOAT && field->kind != PEAT_FIELD_BYTES;
}

/* Whether the word is one for a number of this type. */
bool number__fits(const struct peat_field *field, enum word word, bool is_enum)
{
	uint32_t whole_bytes = field->bits ? 0 : field->bytes;

	switch (word) {
	case WORD_HEX:
	case WORD_BOOL:
	case WORD_ERRNO:
	case WORD_SIGNAL:
	case WORD_DURATION:
	case WORD_SIZE:
	case WORD_NUMBER:
		return is_integer(field);
	case WORD_FLAGS:
		return is_enum && is_integer(field);
	case WORD_IPV4:
		return is_integer(field) && whole_bytes == 4;
	case WORD_PORT:
		return is_integer(field) && whole_bytes == 2;
	case WORD_KADDR:
		return is_integer(field) && whole_bytes == 8;
	case WORD_KSTACK:
		return is_integer(field) && (whole_bytes == 4 || whole_bytes == 8);
	case WORD_IPV6:
		return field->kind == PEAT_FIELD_BYTES && whole_bytes == 16;
	case WORD_BYTES:
		return field->kind == PEAT_FIELD_BYTES;
	default:
		return false;
	}
}

/* What bpf_get_stackid() returns is negative when it failed, whatever it is stored in. */
static void show_as(struct peat_field *field, enum word word)
{
	field->kind = builder__kind(word);
	if (word == WORD_NUMBER && field->is_signed)
		field->kind = PEAT_FIELD_SIGNED;
	if (word == WORD_ERRNO || word == WORD_KSTACK)
		field->is_signed = true;
	else if (word != WORD_NUMBER && word != WORD_SIGNAL && word != WORD_DURATION &&
		 word != WORD_SIZE)
		field->is_signed = false;
	if (word == WORD_PORT || word == WORD_IPV4)
		field->big_endian = true;
}

/* A tag that does not fit leaves it to the type's name, that to the type. */
static void apply_words(const struct builder *b, const struct member *member,
			const struct found *found, struct peat_field *field)
{
	bool has_names = field->kind == PEAT_FIELD_ENUM || field->kind == PEAT_FIELD_FLAGS;

	if (member->word) {
		if (number__fits(field, member->word, has_names)) {
			show_as(field, member->word);
			return;
		}
		builder__warn_misfit(b, member, member->word);
	}
	if (!found->word)
		return;
	if (number__fits(field, found->word, has_names))
		show_as(field, found->word);
	else if (!found->in_network_order && found->word != member->word)
		builder__warn_misfit(b, member, found->word);
}

int number__add(struct builder *b, const struct member *member, const struct found *found)
{
	struct peat_field field = { .name = member->name, .doc = member->doc, .span = 1 };
	int err = set_kind(b, member, found, &field);

	if (!err)
		err = set_place(b, member, found, &field);
	if (err)
		return err;
	apply_words(b, member, found, &field);
	if (field.kind == PEAT_FIELD_FLAGS)
		field.is_signed = false;
	if (field.kind == PEAT_FIELD_ENUM || field.kind == PEAT_FIELD_FLAGS)
		err = set_names(b, found, &field);
	if (err == -EBADMSG)
		return builder__bad(b, member->label, "a name that is not there");
	if (err)
		return err;
	err = builder__add(b, &field);
	return err < 0 ? err : 0;
}

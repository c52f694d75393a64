// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* dwarf_types.c: from a type of DWARF to the same in BTF. */
#include "base/internal.h"

#ifdef HAVE_LIBDW

#include <bpf/btf.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>

#include "object/infer/dwarf_btf.h"

#define DEPTH_MAX      32
#define STEPS_MAX      65536 /* entries looked at for one type */
#define BYTES_MAX      65535 /* of an event */
#define DIMENSIONS_MAX 8

struct maker {
	struct btf *btf;
	uint32_t depth, steps;
	int byte, index; /* two types of BTF; 0: not made yet */
};

/* What a type has become; id 0: it has no bytes that could be shown. */
struct made {
	int id;
	uint64_t bytes;
};

static int make(struct maker *m, Dwarf_Die *die, struct made *made);

/* Circles and sheer mass end here. */
static int count_step(struct maker *m)
{
	return m->steps++ == STEPS_MAX ? -E2BIG : 0;
}

/* ---- entries --------------------------------------------------------------------------------- */

static bool get_number(Dwarf_Die *die, unsigned int name, uint64_t *value)
{
	Dwarf_Attribute attr;
	Dwarf_Word word;

	if (!dwarf_attr(die, name, &attr) || dwarf_formudata(&attr, &word))
		return false;
	*value = word;
	return true;
}

/* What the entry says, else what it refers to by DW_AT_type: `type` is that one, if it is there. */
static bool get_type(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attr;

	return dwarf_formref_die(dwarf_attr(die, DW_AT_type, &attr), type) != NULL;
}

static uint64_t bytes_of(Dwarf_Die *die)
{
	uint64_t bytes;

	return get_number(die, DW_AT_byte_size, &bytes) ? bytes : 0;
}

static const char *name_of(Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);

	return name ? name : "";
}

/* ---- numbers --------------------------------------------------------------------------------- */

static int take(struct made *made, int id, uint64_t bytes)
{
	*made = (struct made){ id < 0 ? 0 : id, bytes };
	return id < 0 ? id : 0;
}

static int add_array(struct maker *m, int element, uint64_t count)
{
	if (count > UINT32_MAX)
		return -E2BIG;
	if (!m->index)
		m->index = btf__add_int(m->btf, "__ARRAY_SIZE_TYPE__", 4, 0);
	return m->index < 0 ? m->index : btf__add_array(m->btf, m->index, element, (uint32_t)count);
}

/* What is to be shown as it lies there. */
static int make_bytes(struct maker *m, uint64_t bytes, struct made *made)
{
	if (!bytes)
		return take(made, 0, 0);
	if (!m->byte)
		m->byte = btf__add_int(m->btf, "unsigned char", 1, 0);
	return take(made, m->byte < 0 ? m->byte : add_array(m, m->byte, bytes), bytes);
}

static bool is_power_of_two(uint64_t bytes)
{
	return bytes && !(bytes & (bytes - 1));
}

static int make_base(struct maker *m, Dwarf_Die *die, struct made *made)
{
	uint64_t encoding = 0, bytes = bytes_of(die);
	const char *name = name_of(die);
	int flags = 0;

	get_number(die, DW_AT_encoding, &encoding);
	if (!*name || !is_power_of_two(bytes) || bytes > 16)
		return make_bytes(m, bytes, made);
	switch (encoding) {
	case DW_ATE_float:
		if (bytes == 1)
			return make_bytes(m, bytes, made);
		return take(made, btf__add_float(m->btf, name, bytes), bytes);
	case DW_ATE_boolean:
		flags = BTF_INT_BOOL;
		break;
	case DW_ATE_signed:
	case DW_ATE_signed_char:
		flags = BTF_INT_SIGNED;
		break;
	case DW_ATE_unsigned:
	case DW_ATE_unsigned_char:
	case DW_ATE_UTF:
		break;
	default:
		return make_bytes(m, bytes, made);
	}
	return take(made, btf__add_int(m->btf, name, bytes, flags), bytes);
}

/* ---- enums ----------------------------------------------------------------------------------- */

static bool is_signed_number(Dwarf_Die *die)
{
	Dwarf_Attribute attr;

	return dwarf_attr(die, DW_AT_const_value, &attr) &&
	       (dwarf_whatform(&attr) == DW_FORM_sdata ||
		dwarf_whatform(&attr) == DW_FORM_implicit_const);
}

static bool get_value(Dwarf_Die *die, int64_t *value)
{
	Dwarf_Attribute attr;
	Dwarf_Sword number;

	if (!is_signed_number(die))
		return get_number(die, DW_AT_const_value, (uint64_t *)value);
	if (dwarf_formsdata(dwarf_attr(die, DW_AT_const_value, &attr), &number))
		return false;
	*value = number;
	return true;
}

static int add_value(struct maker *m, Dwarf_Die *die, bool is_large)
{
	const char *name = name_of(die);
	int64_t value;

	if (dwarf_tag(die) != DW_TAG_enumerator || !*name || !get_value(die, &value))
		return 0;
	if (is_large)
		return btf__add_enum64_value(m->btf, name, (uint64_t)value);
	if (value < INT32_MIN || value > UINT32_MAX)
		return 0;
	return btf__add_enum_value(m->btf, name, value);
}

/* Those of BTF have 65,535 names. */
static int add_values(struct maker *m, Dwarf_Die *parent, bool is_large)
{
	Dwarf_Die die;
	int err = 0, more = dwarf_child(parent, &die);

	while (!err && !more) {
		err = count_step(m);
		if (!err)
			err = add_value(m, &die, is_large);
		more = dwarf_siblingof(&die, &die);
	}
	return err;
}

static bool has_signed_values(Dwarf_Die *parent)
{
	Dwarf_Die die;

	return !dwarf_child(parent, &die) && is_signed_number(&die);
}

static int make_enum(struct maker *m, Dwarf_Die *die, struct made *made)
{
	uint64_t bytes = bytes_of(die);
	int err, id;

	if (!is_power_of_two(bytes) || bytes > 8)
		return make_bytes(m, bytes, made);
	if (bytes == 8)
		id = btf__add_enum64(m->btf, name_of(die), 8, has_signed_values(die));
	else
		id = btf__add_enum(m->btf, name_of(die), (uint32_t)bytes);
	err = take(made, id, bytes);
	return err ? err : add_values(m, die, bytes == 8);
}

/* ---- arrays ---------------------------------------------------------------------------------- */

/* How many there are in one dimension; 0: as many as there is room for. */
static uint64_t count_of(Dwarf_Die *die)
{
	uint64_t count;

	if (get_number(die, DW_AT_count, &count))
		return count;
	if (get_number(die, DW_AT_upper_bound, &count) && count < UINT32_MAX)
		return count + 1;
	return 0;
}

static int read_dimensions(struct maker *m, Dwarf_Die *parent, uint64_t *counts)
{
	Dwarf_Die die;
	int count = 0, more = dwarf_child(parent, &die);

	while (!more) {
		if (count_step(m))
			return -E2BIG;
		if (dwarf_tag(&die) == DW_TAG_subrange_type) {
			if (count == DIMENSIONS_MAX)
				return -E2BIG;
			counts[count++] = count_of(&die);
		}
		more = dwarf_siblingof(&die, &die);
	}
	return count;
}

static int make_array(struct maker *m, Dwarf_Die *die, struct made *made)
{
	uint64_t counts[DIMENSIONS_MAX];
	int err, dimensions = read_dimensions(m, die, counts);
	Dwarf_Die element;

	if (dimensions < 0)
		return dimensions;
	if (!dimensions || !get_type(die, &element))
		return -EBADMSG;
	err = make(m, &element, made);
	while (!err && made->id && dimensions--) {
		uint64_t bytes;

		if (__builtin_mul_overflow(made->bytes, counts[dimensions], &bytes) ||
		    bytes > BYTES_MAX)
			return -E2BIG;
		err = take(made, add_array(m, made->id, counts[dimensions]), bytes);
	}
	return err;
}

/* ---- structs --------------------------------------------------------------------------------- */

struct part {
	const char *name;
	uint64_t bit, bits; /* bits 0: no bit-field */
	struct made made;
};

struct parts {
	struct part *at;
	uint32_t count, room;
};

static struct part *add_part(struct parts *parts)
{
	uint32_t room = parts->room ? 2 * parts->room : 16;
	struct part *grown;

	if (parts->count == parts->room) {
		grown = reallocarray(parts->at, room, sizeof(*grown));
		if (!grown)
			return NULL;
		parts->at = grown;
		parts->room = room;
	}
	return &parts->at[parts->count++];
}

/* DWARF before 4 counts from the highest bit of a number with so many bytes. */
static uint64_t old_bit(Dwarf_Die *die, const struct part *part, uint64_t from_top)
{
	uint64_t bytes = bytes_of(die);

	if (!bytes)
		bytes = part->made.bytes;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return from_top;
#else
	return bytes * 8 - from_top - part->bits;
#endif
}

static int place_part(Dwarf_Die *die, struct part *part)
{
	uint64_t byte = 0, from_top;

	if (dwarf_hasattr(die, DW_AT_data_member_location) &&
	    !get_number(die, DW_AT_data_member_location, &byte))
		return -EBADMSG;
	if (byte > BYTES_MAX)
		return -E2BIG;
	part->bit = byte * 8;
	if (!get_number(die, DW_AT_bit_size, &part->bits))
		return 0;
	if (!part->bits || part->bits > 64)
		return -EBADMSG;
	if (get_number(die, DW_AT_bit_offset, &from_top))
		part->bit += old_bit(die, part, from_top);
	else
		get_number(die, DW_AT_data_bit_offset, &part->bit);
	return part->bit > BYTES_MAX * 8 ? -EBADMSG : 0;
}

/* Static members of C++ have no place in it. */
static int read_part(struct maker *m, Dwarf_Die *die, struct parts *parts)
{
	struct part *part, read = { .name = name_of(die) };
	Dwarf_Die type;
	int err;

	if (dwarf_tag(die) != DW_TAG_member || dwarf_hasattr(die, DW_AT_declaration))
		return 0;
	err = get_type(die, &type) ? make(m, &type, &read.made) : -EBADMSG;
	if (!err)
		err = place_part(die, &read);
	if (err || !read.made.id)
		return err;
	part = add_part(parts);
	if (!part)
		return -ENOMEM;
	*part = read;
	return 0;
}

static int read_parts(struct maker *m, Dwarf_Die *parent, struct parts *parts)
{
	Dwarf_Die die;
	int err = 0, more = dwarf_child(parent, &die);

	while (!err && !more) {
		err = count_step(m);
		if (!err)
			err = read_part(m, &die, parts);
		more = dwarf_siblingof(&die, &die);
	}
	return err;
}

static int add_composite(struct maker *m, Dwarf_Die *die, const struct parts *parts,
			 struct made *made)
{
	uint64_t bytes = bytes_of(die);
	int err, id;

	if (bytes > BYTES_MAX)
		return -E2BIG;
	if (dwarf_tag(die) == DW_TAG_union_type)
		id = btf__add_union(m->btf, name_of(die), (uint32_t)bytes);
	else
		id = btf__add_struct(m->btf, name_of(die), (uint32_t)bytes);
	err = take(made, id, bytes);
	for (uint32_t i = 0; !err && i < parts->count; i++) {
		const struct part *part = &parts->at[i];

		err = btf__add_field(m->btf, part->name, part->made.id, (uint32_t)part->bit,
				     (uint32_t)part->bits);
	}
	return err;
}

/* The types of its members come before it, as BTF adds members to the type that is the last. */
static int make_composite(struct maker *m, Dwarf_Die *die, struct made *made)
{
	struct parts parts = { 0 };
	int err = read_parts(m, die, &parts);

	if (!err)
		err = add_composite(m, die, &parts, made);
	free(parts.at);
	return err;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static int make_typedef(struct maker *m, Dwarf_Die *die, struct made *made)
{
	const char *name = name_of(die);
	Dwarf_Die type;
	int err;

	if (!get_type(die, &type))
		return take(made, 0, 0);
	err = make(m, &type, made);
	if (err || !made->id || !*name)
		return err;
	return take(made, btf__add_typedef(m->btf, name, made->id), made->bytes);
}

static int make_qualified(struct maker *m, Dwarf_Die *die, struct made *made)
{
	Dwarf_Die type;

	return get_type(die, &type) ? make(m, &type, made) : take(made, 0, 0);
}

static int make_pointer(struct maker *m, struct made *made)
{
	return take(made, btf__add_ptr(m->btf, 0), 8);
}

static int make_by_tag(struct maker *m, Dwarf_Die *die, struct made *made)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_base_type:
		return make_base(m, die, made);
	case DW_TAG_enumeration_type:
		return make_enum(m, die, made);
	case DW_TAG_array_type:
		return make_array(m, die, made);
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		return make_composite(m, die, made);
	case DW_TAG_typedef:
		return make_typedef(m, die, made);
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
		return make_qualified(m, die, made);
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		return make_pointer(m, made);
	default:
		return make_bytes(m, bytes_of(die), made);
	}
}

static int make(struct maker *m, Dwarf_Die *die, struct made *made)
{
	int err = m->depth == 2 * DEPTH_MAX ? -E2BIG : count_step(m);

	if (err)
		return err;
	m->depth++;
	err = make_by_tag(m, die, made);
	m->depth--;
	return err;
}

struct btf *dwarf_types__btf(Dwarf_Die *die, uint32_t *id)
{
	struct maker m = { .btf = btf__new_empty() };
	struct made made = { 0 };
	int err;

	if (!m.btf)
		return fail_null(-ENOMEM);
	err = btf__set_pointer_size(m.btf, 8);
	if (!err)
		err = make(&m, die, &made);
	if (!err && !made.id)
		err = -EBADMSG;
	*id = (uint32_t)made.id;
	if (!err)
		return m.btf;
	btf__free(m.btf);
	return fail_null(err == -EINVAL ? -EBADMSG : err);
}

#endif /* HAVE_LIBDW */

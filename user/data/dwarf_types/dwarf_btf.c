// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* dwarf_types/dwarf_btf.c: converts a DWARF type to BTF. */
#include "base/array.h"
#include "base/errors.h"

#ifdef HAVE_LIBDW

#include <bpf/btf.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>

#include "dwarf_types/dwarf_btf.h"
#include "dwarf_types/dwarf_entry.h"

#define DEPTH_MAX      32
#define STEPS_MAX      65536 /* entries visited for one type */
#define BYTES_MAX      65535 /* size of an event */
#define DIMENSIONS_MAX 8

struct converter {
	struct btf *btf;
	uint32_t depth, steps;
	int byte, index; /* BTF ids of the types of bytes and of array indexes; 0: not added yet */
};

/* A converted type; id 0: it has no bytes to print. */
struct btf_result {
	int id;
	uint64_t bytes;
};

static int convert_type(struct converter *c, Dwarf_Die *die, struct btf_result *result);

/* Limits circles and very large types. */
static int count_step(struct converter *c)
{
	return c->steps++ == STEPS_MAX ? -E2BIG : 0;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static int set_result(struct btf_result *result, int id, uint64_t bytes)
{
	*result = (struct btf_result){ id < 0 ? 0 : id, bytes };
	return id < 0 ? id : 0;
}

static int add_btf_array(struct converter *c, int element, uint64_t count)
{
	if (count > UINT32_MAX)
		return -E2BIG;
	if (!c->index)
		c->index = btf__add_int(c->btf, "__ARRAY_SIZE_TYPE__", 4, 0);
	return c->index < 0 ? c->index : btf__add_array(c->btf, c->index, element, (uint32_t)count);
}

/* Converts a type that BTF cannot express to an array of bytes. */
static int convert_to_bytes(struct converter *c, uint64_t bytes, struct btf_result *result)
{
	if (!bytes)
		return set_result(result, 0, 0);
	if (!c->byte)
		c->byte = btf__add_int(c->btf, "unsigned char", 1, 0);
	return set_result(result, c->byte < 0 ? c->byte : add_btf_array(c, c->byte, bytes), bytes);
}

static int convert_base(struct converter *c, Dwarf_Die *die, struct btf_result *result)
{
	struct dwarf_number number;

	if (!dwarf_entry__number(die, &number))
		return convert_to_bytes(c, number.bytes, result);
	return set_result(result, dwarf_entry__add_number(c->btf, &number), number.bytes);
}

/* ---- enums ----------------------------------------------------------------------------------- */

static int add_enum_value(struct converter *c, Dwarf_Die *die, bool is_large)
{
	const char *name = dwarf_entry__name(die);
	int64_t value;

	if (dwarf_tag(die) != DW_TAG_enumerator || !*name || !dwarf_entry__enum_value(die, &value))
		return 0;
	if (is_large)
		return btf__add_enum64_value(c->btf, name, (uint64_t)value);
	if (value < INT32_MIN || value > UINT32_MAX)
		return 0;
	return btf__add_enum_value(c->btf, name, value);
}

/* A BTF enum has at most 65,535 names. */
static int add_enum_values(struct converter *c, Dwarf_Die *parent, bool is_large)
{
	Dwarf_Die die;
	int err = 0, more = dwarf_child(parent, &die);

	while (!err && !more) {
		err = count_step(c);
		if (!err)
			err = add_enum_value(c, &die, is_large);
		more = dwarf_siblingof(&die, &die);
	}
	return err;
}

static int convert_enum(struct converter *c, Dwarf_Die *die, struct btf_result *result)
{
	uint64_t bytes = dwarf_entry__bytes(die);
	int err, id;

	if (!dwarf_entry__is_power_of_two(bytes) || bytes > 8)
		return convert_to_bytes(c, bytes, result);
	if (bytes == 8)
		id = btf__add_enum64(c->btf, dwarf_entry__name(die), 8,
				     dwarf_entry__has_signed_values(die));
	else
		id = btf__add_enum(c->btf, dwarf_entry__name(die), (uint32_t)bytes);
	err = set_result(result, id, bytes);
	return err ? err : add_enum_values(c, die, bytes == 8);
}

/* ---- arrays ---------------------------------------------------------------------------------- */

static int read_dimensions(struct converter *c, Dwarf_Die *parent, uint64_t *counts)
{
	Dwarf_Die die;
	int count = 0, more = dwarf_child(parent, &die);

	while (!more) {
		if (count_step(c))
			return -E2BIG;
		if (dwarf_tag(&die) == DW_TAG_subrange_type) {
			if (count == DIMENSIONS_MAX)
				return -E2BIG;
			counts[count++] = dwarf_entry__elements(&die);
		}
		more = dwarf_siblingof(&die, &die);
	}
	return count;
}

static int convert_array(struct converter *c, Dwarf_Die *die, struct btf_result *result)
{
	uint64_t counts[DIMENSIONS_MAX];
	int err, dimensions = read_dimensions(c, die, counts);
	Dwarf_Die element;

	if (dimensions < 0)
		return dimensions;
	if (!dimensions || !dwarf_entry__type(die, &element))
		return -EBADMSG;
	err = convert_type(c, &element, result);
	while (!err && result->id && dimensions--) {
		uint64_t bytes;

		if (__builtin_mul_overflow(result->bytes, counts[dimensions], &bytes) ||
		    bytes > BYTES_MAX)
			return -E2BIG;
		err = set_result(result, add_btf_array(c, result->id, counts[dimensions]), bytes);
	}
	return err;
}

/* ---- structs --------------------------------------------------------------------------------- */

struct member {
	const char *name;
	struct dwarf_place place;
	struct btf_result result;
};

struct members {
	struct member *at;
	uint32_t count, room;
};

static struct member *add_member(struct members *members)
{
	if (!ARRAY_RESERVE(members->at, members->count, members->room))
		return NULL;
	return &members->at[members->count++];
}

/* Ignores static members of C++. */
static int read_member(struct converter *c, Dwarf_Die *die, struct members *members)
{
	struct member *member, read = { .name = dwarf_entry__name(die) };
	Dwarf_Die type;
	int err;

	if (dwarf_tag(die) != DW_TAG_member || dwarf_hasattr(die, DW_AT_declaration))
		return 0;
	err = dwarf_entry__type(die, &type) ? convert_type(c, &type, &read.result) : -EBADMSG;
	if (!err)
		err = dwarf_entry__place(die, read.result.bytes, BYTES_MAX, &read.place);
	if (err || !read.result.id)
		return err;
	member = add_member(members);
	if (!member)
		return -ENOMEM;
	*member = read;
	return 0;
}

static int convert_members(struct converter *c, Dwarf_Die *parent, struct members *members)
{
	Dwarf_Die die;
	int err = 0, more = dwarf_child(parent, &die);

	while (!err && !more) {
		err = count_step(c);
		if (!err)
			err = read_member(c, &die, members);
		more = dwarf_siblingof(&die, &die);
	}
	return err;
}

static int add_composite(struct converter *c, Dwarf_Die *die, const struct members *members,
			 struct btf_result *result)
{
	uint64_t bytes = dwarf_entry__bytes(die);
	int err, id;

	if (bytes > BYTES_MAX)
		return -E2BIG;
	if (dwarf_tag(die) == DW_TAG_union_type)
		id = btf__add_union(c->btf, dwarf_entry__name(die), (uint32_t)bytes);
	else
		id = btf__add_struct(c->btf, dwarf_entry__name(die), (uint32_t)bytes);
	err = set_result(result, id, bytes);
	for (uint32_t i = 0; !err && i < members->count; i++) {
		const struct member *member = &members->at[i];

		err = btf__add_field(c->btf, member->name, member->result.id,
				     (uint32_t)member->place.bit, (uint32_t)member->place.bits);
	}
	return err;
}

/* Converts the members' types first: libbpf adds members to the last type of the BTF. */
static int convert_composite(struct converter *c, Dwarf_Die *die, struct btf_result *result)
{
	struct members members = { 0 };
	int err = convert_members(c, die, &members);

	if (!err)
		err = add_composite(c, die, &members, result);
	free(members.at);
	return err;
}

/* ---- all types ------------------------------------------------------------------------------- */

static int convert_typedef(struct converter *c, Dwarf_Die *die, struct btf_result *result)
{
	const char *name = dwarf_entry__name(die);
	Dwarf_Die type;
	int err;

	if (!dwarf_entry__type(die, &type))
		return set_result(result, 0, 0);
	err = convert_type(c, &type, result);
	if (err || !result->id || !*name)
		return err;
	return set_result(result, btf__add_typedef(c->btf, name, result->id), result->bytes);
}

static int convert_qualified(struct converter *c, Dwarf_Die *die, struct btf_result *result)
{
	Dwarf_Die type;

	return dwarf_entry__type(die, &type) ? convert_type(c, &type, result)
					     : set_result(result, 0, 0);
}

static int convert_pointer(struct converter *c, struct btf_result *result)
{
	return set_result(result, btf__add_ptr(c->btf, 0), 8);
}

static int convert_by_tag(struct converter *c, Dwarf_Die *die, struct btf_result *result)
{
	switch (dwarf_tag(die)) {
	case DW_TAG_base_type:
		return convert_base(c, die, result);
	case DW_TAG_enumeration_type:
		return convert_enum(c, die, result);
	case DW_TAG_array_type:
		return convert_array(c, die, result);
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		return convert_composite(c, die, result);
	case DW_TAG_typedef:
		return convert_typedef(c, die, result);
	case DW_TAG_const_type:
	case DW_TAG_volatile_type:
	case DW_TAG_restrict_type:
	case DW_TAG_atomic_type:
		return convert_qualified(c, die, result);
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		return convert_pointer(c, result);
	default:
		return convert_to_bytes(c, dwarf_entry__bytes(die), result);
	}
}

static int convert_type(struct converter *c, Dwarf_Die *die, struct btf_result *result)
{
	int err = c->depth == 2 * DEPTH_MAX ? -E2BIG : count_step(c);

	if (err)
		return err;
	c->depth++;
	err = convert_by_tag(c, die, result);
	c->depth--;
	return err;
}

struct btf *dwarf_btf__new(Dwarf_Die *die, uint32_t *id)
{
	struct converter c = { .btf = btf__new_empty() };
	struct btf_result result = { 0 };
	int err;

	if (!c.btf)
		return fail_null(-ENOMEM);
	err = btf__set_pointer_size(c.btf, 8);
	if (!err)
		err = convert_type(&c, die, &result);
	if (!err && !result.id)
		err = -EBADMSG;
	*id = (uint32_t)result.id;
	if (!err)
		return c.btf;
	btf__free(c.btf);
	return fail_null(err == -EINVAL ? -EBADMSG : err);
}

#endif /* HAVE_LIBDW */

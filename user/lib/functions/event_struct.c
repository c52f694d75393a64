// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * functions/event_struct.c: the struct of a function's events.
 *
 *	file.f_inode.i_ino, count, file.f_flags
 *
 *	struct { struct { bit peat_has_f_flags; struct { bit peat_has_i_ino; i_ino; } f_inode;
 *			  f_flags; } file;
 *		 count; }
 *
 * The kernel wants members in ascending order of their places, so the bits are first.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/btf.h>

#include "functions/event_layout.h"
#include "functions/event_struct.h"

#define NAME_BYTES    128 /* with the NUL: the kernel refuses longer ones */
#define NOTE_BYTES    8	  /* of a pointer in BPF */
#define STACKS_ALIGN  8
#define NOTES_SECTION ".peat.types"

/* ---- members --------------------------------------------------------------------------------- */

struct member {
	char *name;
	int type;
	uint32_t at;			      /* in its struct */
	const struct function_field *failing; /* whose bit the struct has; NULL: it cannot fail */
};

/* A struct that is being made: its members are known before it is begun. */
struct made_struct {
	const char *name; /* NULL: of a member */
	uint32_t at;	  /* in the event */
	uint32_t bytes;
	uint32_t count;
	struct member members[PLAN_READS];
	int stacks; /* its type; 0: no stacks */
	uint32_t stacks_at;
};

/* Bits are counted from the end of a byte that is the highest on big-endian machines. */
static unsigned char bit_of(uint32_t number)
{
	bool is_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

	return (unsigned char)(1 << (is_big ? 7 - number % 8 : number % 8));
}

static int add_struct(struct field_types *types, const struct event_part *part,
		      struct made_struct *made);

static int make_inner(struct field_types *types, const struct event_part *part, uint32_t at)
{
	struct made_struct inner = { .at = at, .bytes = event_layout__struct_extent(part).bytes };

	return add_struct(types, part, &inner);
}

static int make_member(struct field_types *types, const struct event_part *part, uint32_t first,
		       struct made_struct *made, struct event_extent *extent)
{
	struct event_part inner = event_layout__member(part, first);
	struct member *member = &made->members[made->count];
	struct function_field *field = part->at[first];

	*member = (struct member){ .at = event_layout__place(
					   extent, event_layout__member_extent(part, first)) };
	if (event_layout__is_struct(part, first)) {
		member->type = make_inner(types, &inner, made->at + member->at);
	} else {
		member->type = field->type;
		member->failing = event_layout__can_fail(field) ? field : NULL;
		field->read.to = (unsigned short)(made->at + member->at);
	}
	if (member->type < 0)
		return member->type;
	member->name =
		strndup(event_layout__name(part, first), event_layout__name_bytes(part, first));
	made->count += member->name != NULL;
	return member->name ? 0 : -ENOMEM;
}

static int make_members(struct field_types *types, const struct event_part *part,
			struct made_struct *made)
{
	struct event_extent extent = event_layout__bits(part);
	uint32_t bits = 0;
	int err = 0;

	for (uint32_t i = 0; !err && i < part->count; i += event_layout__member(part, i).count) {
		err = make_member(types, part, i, made, &extent);
		if (err || event_layout__is_struct(part, i) || !event_layout__can_fail(part->at[i]))
			continue;
		part->at[i]->read.present_at = (unsigned short)(made->at + bits / 8);
		part->at[i]->read.present = bit_of(bits++);
	}
	return err;
}

/* ---- BTF ------------------------------------------------------------------------------------- */

/* "peat_has_NAME", after a tag's prefix. */
static char *name_of_bit(const char *prefix, const char *name)
{
	char *text = NULL;

	return asprintf(&text, "%speat_has_%s", prefix, name) < 0 ? NULL : text;
}

static int add_bits(struct field_types *types, const struct made_struct *made)
{
	uint32_t bits = 0;
	int err = 0;

	for (uint32_t i = 0; !err && i < made->count; i++) {
		char *name;

		if (!made->members[i].failing)
			continue;
		name = name_of_bit("", made->members[i].name);
		err = name ? btf__add_field(types->btf, name, types->u8, bits++, 1) : -ENOMEM;
		free(name);
	}
	return err;
}

static const char *stacks_name(const struct made_struct *made)
{
	for (uint32_t i = 0; i < made->count; i++)
		if (!strcmp(made->members[i].name, "stack"))
			return "peat_stack";
	return "stack";
}

static int add_members(struct field_types *types, const struct made_struct *made)
{
	int err = add_bits(types, made);

	for (uint32_t i = 0; !err && i < made->count; i++)
		err = btf__add_field(types->btf, made->members[i].name, made->members[i].type,
				     made->members[i].at * 8, 0);
	if (!err && made->stacks)
		err = btf__add_field(types->btf, stacks_name(made), made->stacks,
				     made->stacks_at * 8, 0);
	return err;
}

/* Tags member `i`, and its bit, which is member `bit`. */
static int add_tags(struct field_types *types, int id, const char *name, uint32_t i, uint32_t bit)
{
	char *text = name_of_bit("peat:present:", name);
	int err = text ? btf__add_decl_tag(types->btf, text, id, (int)i) : -ENOMEM;

	free(text);
	if (err > 0)
		err = btf__add_decl_tag(types->btf, "peat:hidden", id, (int)bit);
	return err < 0 ? err : 0;
}

static int tag_members(struct field_types *types, const struct made_struct *made, int id)
{
	uint32_t bits = 0, bit = 0;
	int err = 0;

	for (uint32_t i = 0; i < made->count; i++)
		bits += made->members[i].failing != NULL;
	for (uint32_t i = 0; !err && i < made->count; i++)
		if (made->members[i].failing)
			err = add_tags(types, id, made->members[i].name, bits + i, bit++);
	return err;
}

/* Structs inside are added before, since members are added to the last type of the BTF. */
static int add_struct(struct field_types *types, const struct event_part *part,
		      struct made_struct *made)
{
	int err = make_members(types, part, made), id = 0;

	if (!err)
		id = btf__add_struct(types->btf, made->name, made->bytes);
	if (!err && id < 0)
		err = id;
	if (!err)
		err = add_members(types, made);
	if (!err)
		err = tag_members(types, made, id);
	for (uint32_t i = 0; i < made->count; i++)
		free(made->members[i].name);
	return err ? err : id;
}

/* ---- events ---------------------------------------------------------------------------------- */

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Characters of other names become "_". */
static void make_identifier(char identifier[NAME_BYTES], const char *name)
{
	size_t bytes = 0;

	if (!is_letter(*name))
		identifier[bytes++] = '_';
	for (; *name && bytes < NAME_BYTES - 1; name++) {
		bool is_digit = *name >= '0' && *name <= '9';

		identifier[bytes++] = is_letter(*name) || is_digit ? *name : '_';
	}
	identifier[bytes] = '\0';
}

/* The bytes up to the last bit of a read that can fail, or the only byte. */
static uint32_t cleared_bytes(const struct event_part *part, const struct made_struct *made)
{
	uint32_t bytes = part->count || made->stacks ? 0 : made->bytes;

	for (uint32_t i = 0; i < part->count; i++)
		if (event_layout__can_fail(part->at[i]) && part->at[i]->read.present_at >= bytes)
			bytes = part->at[i]->read.present_at + 1U;
	return bytes;
}

static void make_plan(struct function_plan *plan, const struct event_part *part,
		      const struct made_struct *made, int id)
{
	*plan = (struct function_plan){
		.type = (unsigned int)id,
		.bytes = (unsigned short)made->bytes,
		.cleared = (unsigned short)cleared_bytes(part, made),
		.reads = (unsigned char)part->count,
		.flags = made->stacks ? PLAN_STACKS : 0,
	};
	for (uint32_t i = 0; i < part->count; i++)
		plan->read[i] = part->at[i]->read;
}

/* An event without fields has a byte, which is 0: events of no bytes have no schema. */
static int measure(const struct field_types *types, const struct event_part *part, int stacks,
		   struct made_struct *made)
{
	struct event_extent extent = event_layout__struct_extent(part);
	const struct btf_type *type;

	if (extent.bytes > PLAN_BYTES)
		return -E2BIG;
	made->bytes = extent.bytes;
	if (!stacks) {
		made->bytes += !made->bytes;
		return 0;
	}
	type = btf__type_by_id(types->btf, (uint32_t)stacks);
	if (!type || !btf_is_struct(type) || type->size > PLAN_BYTES)
		return -EINVAL;
	made->stacks = stacks;
	made->stacks_at = event_layout__round_up(made->bytes, STACKS_ALIGN);
	made->bytes = made->stacks_at + type->size;
	return made->bytes > PLAN_BYTES ? -E2BIG : 0;
}

static int begin_part(struct event_part *part, struct function_field *fields, uint32_t count)
{
	if (count > PLAN_READS)
		return -E2BIG;
	for (uint32_t i = 0; i < count; i++) {
		if (!fields[i].align || fields[i].bytes > PLAN_BYTES)
			return fields[i].align ? -E2BIG : -EINVAL;
		part->at[i] = &fields[i];
	}
	part->count = count;
	return event_layout__group(part);
}

int event_struct__add(struct field_types *types, const char *name, struct function_field *fields,
		      uint32_t count, int stacks, struct function_plan *plan)
{
	struct function_field *order[PLAN_READS];
	struct event_part all = { .at = order };
	char identifier[NAME_BYTES];
	struct made_struct made = { .name = identifier };
	int err, id;

	make_identifier(identifier, name);
	err = begin_part(&all, fields, count);
	if (!err)
		err = measure(types, &all, stacks, &made);
	if (err)
		return err;
	id = add_struct(types, &all, &made);
	if (id < 0)
		return id;
	make_plan(plan, &all, &made, id);
	return 0;
}

/* ---- notes ----------------------------------------------------------------------------------- */

/* VAR: a pointer to an array of `bytes` elements of the struct. */
static int add_note(struct field_types *types, uint32_t number, uint32_t id, uint32_t bytes)
{
	char name[32];
	int type = btf__add_array(types->btf, types->u32, (int)id, bytes);

	if (type > 0)
		type = btf__add_ptr(types->btf, type);
	if (type < 0)
		return type;
	snprintf(name, sizeof(name), "peat_note_%u", number);
	return btf__add_var(types->btf, name, BTF_VAR_STATIC, type);
}

int event_struct__finish(struct field_types *types, const uint32_t *ids, const uint32_t *bytes,
			 uint32_t count)
{
	int first = 0, err = 0;

	for (uint32_t i = 0; i < count; i++) {
		int note = add_note(types, i, ids[i], bytes[i]);

		if (note < 0)
			return note;
		first = i ? first : note;
	}
	if (count)
		err = btf__add_datasec(types->btf, NOTES_SECTION, NOTE_BYTES * count);
	for (uint32_t i = 0; err >= 0 && i < count; i++)
		err = btf__add_datasec_var_info(types->btf, first + 3 * (int)i, NOTE_BYTES * i,
						NOTE_BYTES);
	return err < 0 ? err : 0;
}

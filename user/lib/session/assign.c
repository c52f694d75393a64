// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/assign.c: parses text by the type of a variable and writes the value. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "session/assign.h"
#include "base/errors.h"
#include "base/log.h"
#include "base/name_list.h"
#include "field/field_value.h"
#include "field/fields.h"

#define LIST_BYTES 400

/* The field to write, and the address of the struct, array or variable that contains it. */
struct target {
	const struct assignment *assignment;
	struct peat_field field;
	const struct peat_field *inner; /* the field's own members or elements */
	unsigned char *base;
};

/* ---- paths ----------------------------------------------------------------------------------- */

static void enter(struct target *target, const struct peat_field *field, unsigned char *base)
{
	target->field = *field;
	target->inner = field + 1;
	target->base = base;
}

static int enter_member(struct target *target, const char *name, size_t bytes)
{
	const struct peat_field *member = target->inner;
	const struct peat_field *end = member + target->field.span - 1;
	char list[LIST_BYTES] = "";

	if (!fields__has_members(&target->field)) {
		log__error("%s: '%s' is not a struct", target->assignment->name,
			   target->field.name);
		return -ENOENT;
	}
	for (; member < end; member += member->span) {
		if (strncmp(member->name, name, bytes) || member->name[bytes]) {
			name_list__append(list, sizeof(list), member->name);
			continue;
		}
		enter(target, member, target->base + target->field.offset);
		return 0;
	}
	log__error("%s: no member '%.*s': the members are %s", target->assignment->name, (int)bytes,
		   name, list);
	return -ENOENT;
}

static int enter_element(struct target *target, unsigned long index)
{
	static const struct peat_field byte = { .name = "", .span = 1, .bytes = 1 };
	enum peat_field_class class = field_type__of(&target->field)->class;
	bool is_array = class == PEAT_CLASS_ELEMENTS, is_bytes = class == PEAT_CLASS_BYTES;
	uint32_t count = is_array ? target->field.count : target->field.bytes;
	const struct peat_field *element = is_array ? target->inner : &byte;

	if (!is_bytes && (!is_array || target->field.span < 2)) {
		log__error("%s: '%s' is not an array", target->assignment->name,
			   target->field.name);
		return -ENOENT;
	}
	if (index >= count) {
		log__error("%s: it has %u elements, counted from 0", target->assignment->name,
			   count);
		return -ENOENT;
	}
	enter(target, element,
	      target->base + target->field.offset + (size_t)index * element->bytes);
	return 0;
}

static int enter_path(struct target *target, const char *path)
{
	int err = 0;

	while (!err && *path) {
		size_t bytes = strcspn(path + 1, ".[");
		char *end;
		unsigned long index;

		if (*path == '.') {
			err = enter_member(target, path + 1, bytes);
			path += bytes + 1;
			continue;
		}
		index = strtoul(path + 1, &end, 10);
		if (!isdigit((unsigned char)path[1]) || *end != ']' ||
		    (end[1] && end[1] != '.' && end[1] != '[')) {
			log__error("%s: not a member such as .pid or an element such as [2]",
				   target->assignment->name);
			return -ENOENT;
		}
		err = enter_element(target, index);
		path = end + 1;
	}
	return err;
}

/* ---- numbers --------------------------------------------------------------------------------- */

typedef uint16_t __attribute__((may_alias)) aliased_u16;
typedef uint32_t __attribute__((may_alias)) aliased_u32;
typedef uint64_t __attribute__((may_alias)) aliased_u64;

#define WRITE_AT_ONCE(at, bytes, type) (*(volatile type *)(at) = *(const type *)(bytes))

/* With one store if the number is aligned: after the load, programs read it at the same time. */
static void write_number(unsigned char *at, const unsigned char *bytes, uint32_t count)
{
	bool is_aligned = !((uintptr_t)at % count);

	if (is_aligned && count == sizeof(uint64_t))
		WRITE_AT_ONCE(at, bytes, aliased_u64);
	else if (is_aligned && count == sizeof(uint32_t))
		WRITE_AT_ONCE(at, bytes, aliased_u32);
	else if (is_aligned && count == sizeof(uint16_t))
		WRITE_AT_ONCE(at, bytes, aliased_u16);
	else
		memcpy(at, bytes, count);
}

/* Writes in the field's byte order; neighbours of a bit-field keep their bits. */
static void store(const struct target *target, uint64_t value)
{
	const struct peat_field *field = &target->field;
	unsigned char *at = target->base + field->offset;
	bool big = field->big_endian || __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	uint32_t bits = field->bits ? field->bits : field->bytes * 8;
	uint64_t mask = UINT64_MAX >> (64 - bits) << field->bit_offset;
	unsigned char bytes[sizeof(value)] __attribute__((aligned(8)));

	value = value << field->bit_offset & mask;
	memcpy(bytes, at, field->bytes);
	for (uint32_t i = 0; i < field->bytes; i++) {
		unsigned char *byte = bytes + (big ? field->bytes - 1 - i : i);

		*byte = (unsigned char)((*byte & ~(mask >> 8 * i)) | (value >> 8 * i & 0xff));
	}
	write_number(at, bytes, field->bytes);
}

/* ---- messages -------------------------------------------------------------------------------- */

static int log_bad_form(const struct assignment *assignment, const struct peat_field *field)
{
	char list[LIST_BYTES] = "";

	for (uint32_t i = 0; i < field->name_count; i++)
		name_list__append(list, sizeof(list), field->names[i].name);
	if (*list)
		log__error("%s=%s: the value is neither a number nor %s: %s", assignment->name,
			   assignment->text,
			   field_type__of(field)->joins_names ? "some of (joined by |)" : "one of",
			   list);
	else
		log__error("%s=%s: the value is not %s", assignment->name, assignment->text,
			   field_value__form(field->kind));
	return -EINVAL;
}

static int log_bad_range(const struct assignment *assignment, uint32_t bits, bool is_signed)
{
	uint64_t largest = UINT64_MAX >> (64 - bits) >> is_signed;

	log__error("%s=%s does not fit: its range is %s%llu to %llu", assignment->name,
		   assignment->text, is_signed ? "-" : "",
		   is_signed ? (unsigned long long)largest + 1 : 0ULL, (unsigned long long)largest);
	return -ERANGE;
}

static int log_bad_kind(const struct assignment *assignment, const struct peat_field *field)
{
	enum peat_field_class class = field_type__of(field)->class;
	const char *what = "cannot be set";

	if (class == PEAT_CLASS_FLOAT)
		what = "is a floating-point number, which cannot be set";
	else if (fields__has_members(field))
		what = "is a struct: set its members, NAME.MEMBER=VALUE";
	else if (class == PEAT_CLASS_ELEMENTS || class == PEAT_CLASS_BYTES)
		what = "is an array: set its elements, NAME[NUMBER]=VALUE";
	log__error("%s %s", assignment->name, what);
	return -EINVAL;
}

/* ---- all kinds ------------------------------------------------------------------------------- */

static int set_number(const struct target *target)
{
	const struct assignment *assignment = target->assignment;
	const struct peat_field *field = &target->field;
	uint32_t bits = field->bits ? field->bits : field->bytes * 8;
	bool is_signed = field_type__is_signed(field);
	struct field_number number;
	int err = field_value__parse(field, assignment->text, &number);

	if (err == -EINVAL)
		return log_bad_form(assignment, field);
	if (err == -EOPNOTSUPP)
		return log_bad_kind(assignment, field);
	if (err || !field_value__fits(&number, bits, is_signed))
		return log_bad_range(assignment, bits, is_signed);
	store(target, number.negative ? -number.magnitude : number.magnitude);
	return 0;
}

static int set_string(const struct target *target)
{
	const struct peat_field *field = &target->field;
	size_t bytes = strlen(target->assignment->text);

	if (bytes >= field->bytes) {
		log__error("the text for %s is too long: at most %u bytes",
			   target->assignment->name, field->bytes ? field->bytes - 1 : 0);
		return -ERANGE;
	}
	memset(target->base + field->offset, 0, field->bytes);
	memcpy(target->base + field->offset, target->assignment->text, bytes);
	return 0;
}

/* Without a prefix: that is of networks. */
static int set_address(const struct target *target)
{
	const struct assignment *assignment = target->assignment;
	const struct peat_field *field = &target->field;
	struct field_bytes value;

	if (strchr(assignment->text, '/') ||
	    !field_value__parse_bytes(field, assignment->text, &value) ||
	    value.count != field->bytes)
		return log_bad_form(assignment, field);
	memcpy(target->base + field->offset, value.bytes, field->bytes);
	return 0;
}

static bool is_inside(const struct target *target)
{
	size_t start = (size_t)(target->base - target->assignment->memory) + target->field.offset;

	return start <= target->assignment->bytes &&
	       target->field.bytes <= target->assignment->bytes - start;
}

static int find_target(struct target *target, const struct peat_field *field, const char *path)
{
	const struct assignment *assignment = target->assignment;
	int err;

	enter(target, field, assignment->memory);
	err = enter_path(target, path);
	if (err || is_inside(target))
		return err;
	log__error("%s: its type in the BTF does not fit into its memory", assignment->name);
	return -EINVAL;
}

const unsigned char *assign__find(const struct assignment *assignment,
				  const struct peat_field **field, const char *path)
{
	struct target target = { .assignment = assignment };
	int err = find_target(&target, *field, path);

	if (err)
		return fail_null(err);
	*field = target.inner - 1;
	return target.base;
}

int assign__text(const struct assignment *assignment, const struct peat_field *field,
		 const char *path)
{
	struct target target = { .assignment = assignment };
	int err = find_target(&target, field, path);
	const struct field_type *type;

	if (err)
		return err;
	type = field_type__of(&target.field);
	if (type->strings == FIELD_ONE_STRING)
		return set_string(&target);
	return type->class == PEAT_CLASS_ADDRESS ? set_address(&target) : set_number(&target);
}

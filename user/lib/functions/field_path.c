// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* functions/field_path.c: makes the read and the type of a field from its path. */
#include <errno.h>
#include <limits.h>
#include <linux/btf.h>
#include <string.h>
#include <bpf/btf.h>

#include "functions/argument_place.h"
#include "functions/field_path.h"
#include "functions/field_refusal.h"
#include "functions/field_types.h"
#include "functions/type_members.h"

/* ---- the read -------------------------------------------------------------------------------- */

static void set_number(struct field_walk *walk, uint32_t bytes, int type)
{
	walk->field->read.width = (unsigned char)bytes;
	walk->field->bytes = walk->field->align = bytes;
	walk->field->type = type;
}

/* Whether an address alone says that it is one of user space. */
#ifdef __s390x__
#define ADDRESSES_DIFFER false
#else
#define ADDRESSES_DIFFER true
#endif

/* A parameter may point to user memory.  If its address does not say so, only its text is tried. */
static bool may_be_in_user_memory(const struct field_walk *walk)
{
	bool is_own_text = !walk->field->read.width && !strchr(walk->path->text, '.');

	return walk->pointers == 1 && !walk->is_result && (ADDRESSES_DIFFER || is_own_text);
}

/*
 * Sets the memory that the read leads through.  Behind a pointer in kernel memory there is kernel
 * memory, unless a tag of its type says otherwise.
 */
static int set_memory(struct field_walk *walk)
{
	struct plan_read *read = &walk->field->read;

	if (!read->steps)
		return 0;
	if (walk->path->prototype->is_user || walk->user_step == 1)
		read->flags = PLAN_USER;
	else if (walk->user_step && walk->user_step == read->steps)
		read->flags = PLAN_LAST_USER;
	else if (walk->user_step)
		return field_refusal(
			walk, -EINVAL,
			"\"%.*s\" is behind a pointer in user memory, which is followed from "
			"a parameter only",
			field_refusal__label_bytes(walk), walk->path->text);
	else if (may_be_in_user_memory(walk))
		read->flags = PLAN_BY_PLACE;
	return 0;
}

/* ---- the first name -------------------------------------------------------------------------- */

/* A number of 8 bytes without a C type, and so without members. */
static void set_untyped(struct field_walk *walk, enum plan_source source, int type)
{
	walk->field->read.source = (unsigned char)source;
	set_number(walk, 8, type);
}

static int begin_result(struct field_walk *walk)
{
	const struct prototype *prototype = walk->path->prototype;
	uint32_t id;

	if (!walk->btf) {
		set_untyped(walk, PLAN_RESULT, walk->path->types->s64);
		return 0;
	}
	id = btf__type_by_id(prototype->btf, prototype->id)->type;
	if (!id)
		return field_refusal(walk, -ENOENT, "no result: the function returns void");
	walk->field->read.source = PLAN_RESULT;
	walk->is_result = true;
	return plain_type__find(&walk->type, walk->btf, id) ? field_refusal__invalid(walk) : 0;
}

static int begin_untyped_parameter(struct field_walk *walk, uint32_t index)
{
	argument_place__of_number(&walk->field->read, index);
	set_number(walk, 8, walk->path->types->hex);
	return set_memory(walk);
}

static int place_parameter(struct field_walk *walk, uint32_t index)
{
	const char *why = "";
	int err = argument_place__of_parameter(&walk->field->read, walk->path->prototype, index,
					       &why);

	if (err == -EBADMSG)
		return field_refusal__invalid(walk);
	if (err)
		return field_refusal(walk, err, "the place of \"%.*s\" is unknown: %s",
				     field_refusal__label_bytes(walk), walk->path->text, why);
	return 0;
}

static int begin_parameter(struct field_walk *walk, uint32_t index)
{
	const struct prototype *prototype = walk->path->prototype;
	const struct btf_type *type;
	bool is_variadic;
	uint32_t named;
	int err;

	if (!walk->btf)
		return begin_untyped_parameter(walk, index);
	named = prototype__named(prototype, &is_variadic);
	if (index >= named && !is_variadic)
		return field_refusal(walk, -ENOENT, "no parameter arg%u: the function has %u",
				     index + 1, named);
	err = place_parameter(walk, index);
	if (err)
		return err;
	if (index >= named) {
		set_number(walk, 8, walk->path->types->hex);
		return set_memory(walk);
	}
	type = btf__type_by_id(prototype->btf, prototype->id);
	return plain_type__find(&walk->type, walk->btf, btf_params(type)[index].type)
		       ? field_refusal__invalid(walk)
		       : 0;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* "arg1": 0.  -1: another name. */
static int argument_number(const char *name, size_t bytes)
{
	int number;

	if (bytes < 4 || bytes > 5 || memcmp(name, "arg", 3) != 0 || !is_digit(name[3]) ||
	    (bytes == 5 && !is_digit(name[4])) || name[3] == '0')
		return -1;
	number = name[3] - '0';
	if (bytes == 5)
		number = number * 10 + name[4] - '0';
	return number <= ARGUMENTS_NAMED ? number - 1 : -1;
}

bool field_path__is_of_return(const char *name, size_t bytes)
{
	return (bytes == 6 && !memcmp(name, "result", 6)) ||
	       (bytes == 7 && !memcmp(name, "latency", 7));
}

int field_path__parameter(const struct prototype *prototype, enum function_moment moment,
			  const char *name, size_t bytes)
{
	uint32_t count = prototype__named(prototype, NULL);
	const struct btf_type *type = count ? btf__type_by_id(prototype->btf, prototype->id) : NULL;

	if (moment == FUNCTION_RETURN && field_path__is_of_return(name, bytes))
		return -1;
	for (uint32_t i = 0; i < count; i++) {
		const char *found =
			btf__name_by_offset(prototype->btf, btf_params(type)[i].name_off);

		if (found && strlen(found) == bytes && bytes && !memcmp(found, name, bytes))
			return (int)i;
	}
	return argument_number(name, bytes);
}

static int begin(struct field_walk *walk)
{
	const struct function_path *path = walk->path;
	int index = field_path__parameter(path->prototype, path->moment, path->text, walk->bytes);

	if (index >= 0)
		return begin_parameter(walk, (uint32_t)index);
	if (path->moment == FUNCTION_RETURN && field_path__is_of_return(path->text, walk->bytes)) {
		if (walk->bytes == strlen("result"))
			return begin_result(walk);
		set_untyped(walk, PLAN_LATENCY, path->types->duration);
		return 0;
	}
	if (walk->bytes != strlen("caller") || memcmp(path->text, "caller", walk->bytes) != 0)
		return field_refusal__no_parameter(walk);
	set_untyped(walk, PLAN_CALLER,
		    path->prototype->is_user ? path->types->hex : path->types->kaddr);
	return 0;
}

/* ---- members --------------------------------------------------------------------------------- */

static int add_step(struct field_walk *walk)
{
	struct plan_read *read = &walk->field->read;

	if (read->steps == PLAN_STEPS)
		return field_refusal(walk, -E2BIG, "\"%.200s\" leads through more than %d pointers",
				     walk->path->text, PLAN_STEPS);
	read->steps++;
	walk->pointers++;
	return 0;
}

/* Exchanges a pointer for the type that it points to. */
static int follow_pointer(struct field_walk *walk)
{
	struct plan_read *read = &walk->field->read;
	int err = add_step(walk);

	if (err)
		return err;
	if (plain_type__find(&walk->type, walk->btf, walk->type.type->type))
		return field_refusal__invalid(walk);
	if (walk->type.is_user && !walk->user_step)
		walk->user_step = read->steps;
	return 0;
}

static bool is_definition(const struct btf *btf, uint32_t id, bool is_union, const char *name)
{
	const struct btf_type *type = btf__type_by_id(btf, id);
	const char *other;

	if (!type || (is_union ? !btf_is_union(type) : !btf_is_struct(type)))
		return false;
	other = btf__name_by_offset(btf, type->name_off);
	return other && !strcmp(other, name);
}

/*
 * The BTF of a module has a struct that the kernel's only declares.  If two have the name, it is
 * unknown which one is meant.
 */
static void find_definition(struct field_walk *walk)
{
	const char *name = plain_type__name(&walk->type, walk->btf);
	uint32_t count = btf__type_cnt(walk->btf), found = 0;

	for (uint32_t id = 1; *name && id < count; id++) {
		if (!is_definition(walk->btf, id, btf_kflag(walk->type.type), name))
			continue;
		if (found)
			return;
		found = id;
	}
	if (!found)
		return;
	walk->type.type = btf__type_by_id(walk->btf, found);
	walk->type.id = found;
}

static int enter_struct(struct field_walk *walk)
{
	int err = btf_is_ptr(walk->type.type) ? follow_pointer(walk) : 0;

	if (err)
		return err;
	if (btf_is_fwd(walk->type.type))
		find_definition(walk);
	if (!btf_is_composite(walk->type.type) || !walk->pointers)
		return field_refusal__no_struct(walk);
	return 0;
}

static int add_offset(struct field_walk *walk, uint64_t bytes)
{
	struct plan_read *read = &walk->field->read;
	int *offset = &read->offset[read->steps - 1];

	if (bytes > INT_MAX || __builtin_add_overflow(*offset, (int)bytes, offset))
		return field_refusal__invalid(walk);
	return 0;
}

static int enter_member(struct field_walk *walk, const char *name, size_t bytes)
{
	struct type_member member;
	int err = enter_struct(walk);

	if (err)
		return err;
	err = type_members__find(walk->btf, walk->type.type, name, bytes, &member);
	if (err == -ENOENT)
		return field_refusal__no_member(walk, name, bytes);
	walk->bytes = (size_t)(name - walk->path->text) + bytes;
	if (err)
		return field_refusal__invalid(walk);
	if (member.bits || member.bit % 8)
		return field_refusal(walk, -EINVAL, "\"%.*s\" is a bit-field, which cannot be read",
				     field_refusal__label_bytes(walk), walk->path->text);
	err = add_offset(walk, member.bit / 8);
	if (err)
		return err;
	return plain_type__find(&walk->type, walk->btf, member.type) ? field_refusal__invalid(walk)
								     : 0;
}

/* ---- the last name --------------------------------------------------------------------------- */

static int set_text(struct field_walk *walk, uint32_t bytes)
{
	struct function_field *field = walk->field;

	if (!bytes)
		bytes = walk->path->types->text_bytes;
	if (bytes > PLAN_TEXT_BYTES)
		bytes = PLAN_TEXT_BYTES;
	field->read.width = 0;
	field->read.bytes = (unsigned short)bytes;
	field->bytes = bytes;
	field->align = 1;
	field->type = field_types__add_text(walk->path->types, bytes);
	return field->type < 0 ? field->type : set_memory(walk);
}

/* Results of the kernel are errors if negative. */
static bool is_errno(const struct field_walk *walk, uint32_t bytes)
{
	return walk->is_result && !walk->pointers && !walk->path->prototype->is_user &&
	       btf_is_int(walk->type.type) && btf_int_encoding(walk->type.type) & BTF_INT_SIGNED &&
	       bytes >= 4;
}

static int add_number_type(struct field_walk *walk, uint32_t bytes)
{
	struct field_types *types = walk->path->types;

	if (is_errno(walk, bytes))
		return bytes == 8 ? types->errno64 : types->errno32;
	return field_types__copy(types, walk->btf, &walk->type);
}

static int finish_number(struct field_walk *walk)
{
	uint32_t bytes = plain_type__number_bytes(&walk->type);
	int type;

	if (!bytes || bytes > 8)
		return field_refusal__type(walk);
	type = add_number_type(walk, bytes);
	if (type == -EBADMSG)
		return field_refusal__invalid(walk);
	if (type < 0)
		return type;
	set_number(walk, bytes, type);
	if (walk->field->read.steps == 1 && !walk->pointers)
		argument_place__narrow(&walk->field->read, bytes);
	return set_memory(walk);
}

static int finish_array(struct field_walk *walk)
{
	const struct btf_array *array = btf_array(walk->type.type);
	struct plain_type element;

	if (plain_type__find(&element, walk->btf, array->type))
		return field_refusal__invalid(walk);
	if (!walk->pointers || !plain_type__is_character(&element, walk->btf))
		return field_refusal__type(walk);
	return set_text(walk, array->nelems);
}

/* A char * that is not const may be a buffer without a text. */
static int finish_pointer(struct field_walk *walk)
{
	struct plain_type target;
	int err = plain_type__find(&target, walk->btf, walk->type.type->type);

	if (err)
		return field_refusal__invalid(walk);
	if (!target.is_const || !plain_type__is_character(&target, walk->btf))
		return finish_number(walk);
	err = follow_pointer(walk);
	return err ? err : set_text(walk, 0);
}

/*
 * "buffer.text", "arg1.user_text": names of what an address leads to, where it is not known to be a
 * text.
 */
static bool is_text_name(const char *name)
{
	return !strcmp(name, "text") || !strcmp(name, "user_text");
}

static bool is_untyped_address(const struct field_walk *walk)
{
	return walk->field->read.source != PLAN_LATENCY && walk->field->read.source != PLAN_CALLER;
}

/* Pointers to characters and to void, and numbers as large as an address. */
static bool may_lead_to_text(const struct field_walk *walk)
{
	struct plain_type target;

	if (walk->field->type)
		return is_untyped_address(walk);
	if (!btf_is_ptr(walk->type.type))
		return btf_is_int(walk->type.type) && plain_type__number_bytes(&walk->type) == 8;
	return !plain_type__find(&target, walk->btf, walk->type.type->type) &&
	       (btf_is_void(target.type) || plain_type__is_character(&target, walk->btf));
}

static int finish_text(struct field_walk *walk, const char *name)
{
	struct plan_read *read = &walk->field->read;
	int err = add_step(walk);

	if (!err)
		err = set_text(walk, 0);
	if (!err && !strcmp(name, "user_text") && !(read->flags & PLAN_USER))
		read->flags = PLAN_LAST_USER;
	return err;
}

static int finish(struct field_walk *walk)
{
	if (btf_is_array(walk->type.type))
		return finish_array(walk);
	return btf_is_ptr(walk->type.type) ? finish_pointer(walk) : finish_number(walk);
}

int field_path__resolve(const struct function_path *path, struct function_field *field)
{
	struct field_walk walk = {
		.path = path,
		.btf = path->prototype->btf,
		.field = field,
		.bytes = strcspn(path->text, "."),
	};
	const char *at = path->text + walk.bytes;
	int err = begin(&walk);

	if (err || (field->type && !*at))
		return err;
	if (field->type && is_text_name(at + 1) && may_lead_to_text(&walk))
		return finish_text(&walk, at + 1);
	if (field->type)
		return field_refusal(&walk, -EINVAL, "\"%.*s\" has no members: its type is unknown",
				     field_refusal__label_bytes(&walk), path->text);
	while (!err && *at) {
		size_t bytes = strcspn(++at, ".");

		if (is_text_name(at) && may_lead_to_text(&walk))
			return finish_text(&walk, at);
		err = enter_member(&walk, at, bytes);
		at += bytes;
	}
	return err ? err : finish(&walk);
}

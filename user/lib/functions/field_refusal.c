// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* functions/field_refusal.c: the reasons why a path cannot be a field, in words. */
#include <errno.h>
#include <linux/btf.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <bpf/btf.h>

#include "base/name_list.h"
#include "base/suggestion.h"
#include "functions/argument_place.h"
#include "functions/field_refusal.h"
#include "functions/type_members.h"

int field_refusal(const struct field_walk *walk, int err, const char *format, ...)
{
	char text[768];
	va_list arguments;

	if (!walk->path->why)
		return err;
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	strbuf__text(walk->path->why, text);
	return err;
}

int field_refusal__label_bytes(const struct field_walk *walk)
{
	return walk->bytes < 200 ? (int)walk->bytes : 200;
}

int field_refusal__invalid(const struct field_walk *walk)
{
	return field_refusal(walk, -EBADMSG, "the BTF is invalid: the type of \"%.*s\"",
			     field_refusal__label_bytes(walk), walk->path->text);
}

/* Names in a message, and the one that is alike. */
struct names {
	struct suggestion alike;
	char wanted[65]; /* longer names are not compared */
	char list[256];
};

static void names__init(struct names *names, const char *wanted, size_t bytes)
{
	*names = (struct names){ .alike.wanted = names->wanted };
	if (bytes < sizeof(names->wanted))
		memcpy(names->wanted, wanted, bytes);
}

static void names__add(struct names *names, const char *name)
{
	suggestion__try(&names->alike, name);
	name_list__append(names->list, sizeof(names->list), name);
}

static bool add_member_name(void *names, const struct type_member *member)
{
	names__add(names, member->name);
	return false;
}

int field_refusal__no_member(const struct field_walk *walk, const char *name, size_t bytes)
{
	struct names names;
	char alike[192];

	names__init(&names, name, bytes);
	if (type_members__each(walk->btf, walk->type.type, add_member_name, &names))
		return field_refusal__invalid(walk);
	if (!*plain_type__name(&walk->type, walk->btf))
		return field_refusal(walk, -ENOENT,
				     "\"%.*s\" has no member \"%.*s\"%sits members are %s",
				     field_refusal__label_bytes(walk), walk->path->text,
				     bytes < 100 ? (int)bytes : 100, name,
				     suggestion__text(&names.alike, alike), names.list);
	return field_refusal(walk, -ENOENT, "%s%.100s has no member \"%.*s\"%sits members are %s",
			     plain_type__keyword(walk->type.type),
			     plain_type__name(&walk->type, walk->btf),
			     bytes < 100 ? (int)bytes : 100, name,
			     suggestion__text(&names.alike, alike), names.list);
}

static void add_parameter_names(const struct field_walk *walk, struct names *names)
{
	const struct prototype *prototype = walk->path->prototype;
	const struct btf_type *type = btf__type_by_id(prototype->btf, prototype->id);
	uint32_t count = prototype__named(prototype, NULL);

	for (uint32_t i = 0; i < count; i++) {
		const char *name =
			btf__name_by_offset(prototype->btf, btf_params(type)[i].name_off);

		if (name && *name)
			names__add(names, name);
	}
	if (walk->path->moment == FUNCTION_RETURN) {
		names__add(names, "result");
		names__add(names, "latency");
	}
	names__add(names, "caller");
}

int field_refusal__no_parameter(const struct field_walk *walk)
{
	const char *name = walk->path->text;
	struct names names;
	char alike[192];

	if (field_path__is_of_return(name, walk->bytes))
		return field_refusal(walk, -ENOENT,
				     "calls have no %.*s: kretprobe and uretprobe trace returns",
				     field_refusal__label_bytes(walk), name);
	if (walk->bytes == 4 && !memcmp(name, "arg0", 4))
		return field_refusal(walk, -ENOENT, "no parameter arg0: the first is arg1");
	if (!walk->btf)
		return field_refusal(
			walk, -ENOENT,
			"no parameter \"%.*s\": the parameters of the function are unknown: "
			"name them arg1 to arg%d",
			field_refusal__label_bytes(walk), name, ARGUMENTS_NAMED);
	names__init(&names, name, walk->bytes);
	add_parameter_names(walk, &names);
	return field_refusal(walk, -ENOENT, "no parameter \"%.*s\"%sthere are %s",
			     field_refusal__label_bytes(walk), name,
			     suggestion__text(&names.alike, alike), names.list);
}

static int refuse_struct(const struct field_walk *walk)
{
	struct names names;

	names__init(&names, "", 0);
	if (type_members__each(walk->btf, walk->type.type, add_member_name, &names))
		return field_refusal__invalid(walk);
	return field_refusal(walk, -EINVAL, "\"%.*s\" is a struct: name a member after a dot: %s",
			     field_refusal__label_bytes(walk), walk->path->text, names.list);
}

int field_refusal__type(const struct field_walk *walk)
{
	const struct btf_type *type = walk->type.type;
	const char *what = "is no number";

	if (btf_is_composite(type) && walk->pointers)
		return refuse_struct(walk);
	if (btf_is_composite(type))
		what = "is a struct by value, which is in no place that is known";
	else if (btf_is_float(type))
		what = "is a floating-point number, which programs cannot read";
	else if (btf_is_array(type))
		what = "is an array: only arrays of char can be read";
	else if (btf_is_int(type) && type->size == 16)
		what = "is a number of 16 bytes: at most 8 can be read";
	else if (btf_is_int(type))
		what = "is a bit-field, which cannot be read";
	return field_refusal(walk, -EINVAL, "\"%.*s\" %s", field_refusal__label_bytes(walk),
			     walk->path->text, what);
}

int field_refusal__no_struct(const struct field_walk *walk)
{
	const struct btf_type *type = walk->type.type;
	const char *name = plain_type__name(&walk->type, walk->btf);

	if (btf_is_fwd(type))
		return field_refusal(walk, -EINVAL, "the members of %s%.100s are unknown: \"%.*s\"",
				     plain_type__keyword(type), name,
				     field_refusal__label_bytes(walk), walk->path->text);
	if (btf_is_composite(type))
		return field_refusal__type(walk);
	return field_refusal(walk, -EINVAL,
			     "\"%.*s\" has no members: it is no struct and no pointer to a "
			     "struct",
			     field_refusal__label_bytes(walk), walk->path->text);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* functions/usdt_field.c: makes fields of the arguments of USDT. */
#include <bpf/btf.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "functions/usdt_field.h"

/* The number of the argument, from 0, and what follows it.  False: it is none. */
static bool parse(const char *path, unsigned long *number, const char **rest)
{
	char *end;

	if (strncmp(path, "arg", 3) != 0 || !isdigit((unsigned char)path[3]))
		return false;
	*number = strtoul(path + 3, &end, 10) - 1;
	*rest = end;
	return *number < USDT_ARGUMENTS;
}

static int make_text(struct function_field *field, struct field_types *types)
{
	int type = btf__add_array(types->btf, types->u32, types->char_type, types->text_bytes);

	if (type < 0)
		return type;
	field->read.steps = 1;
	field->read.flags = PLAN_USER;
	field->read.bytes = (unsigned short)types->text_bytes;
	field->type = type;
	field->bytes = types->text_bytes;
	field->align = 1;
	return 0;
}

static void make_number(struct function_field *field, const struct field_types *types)
{
	field->read.width = 8;
	field->type = types->hex;
	field->bytes = field->align = 8;
}

static int explain_count(struct strbuf *why, uint32_t count)
{
	char text[64];

	snprintf(text, sizeof(text), "it has %u argument%s", count, count == 1 ? "" : "s");
	strbuf__text(why, count ? text : "it has no arguments");
	return -ENOENT;
}

int usdt_field__make(struct function_field *field, struct field_types *types, const char *path,
		     uint32_t count, struct strbuf *why)
{
	unsigned long number;
	const char *rest;
	int err = 0;

	if (!parse(path, &number, &rest) ||
	    (*rest && strcmp(rest, ".text") != 0 && strcmp(rest, ".user_text") != 0)) {
		strbuf__text(why, "USDT have arg1 to arg12, and arg1.text to arg12.text");
		return -ENOENT;
	}
	if (number >= count)
		return explain_count(why, count);
	field->read.source = (unsigned char)(PLAN_ARG0 + number);
	if (*rest)
		err = make_text(field, types);
	else
		make_number(field, types);
	field->path = err ? NULL : strdup(path);
	return err || field->path ? err : -ENOMEM;
}

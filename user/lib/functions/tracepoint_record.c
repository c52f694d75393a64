// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* functions/tracepoint_record.c: fields that are members of a tracepoint's record. */
#include <bpf/btf.h>
#include <errno.h>
#include <linux/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/name_list.h"
#include "base/suggestion.h"
#include "field/fields.h"
#include "functions/tracepoint_record.h"
#include "sys/tracefs.h"

/* ---- formats --------------------------------------------------------------------------------- */

int tracepoint_record__parse(struct tracepoint_record *record, const char *category, char *text)
{
	const char *why;
	int err;

	*record = (struct tracepoint_record){ .text = text };
	record->is_syscall = !strcmp(category, "syscalls");
	err = format_parse__text(&record->format, category, text, strlen(text), sizeof(long), &why);
	if (!err)
		return 0;
	free(text);
	*record = (struct tracepoint_record){ 0 };
	return err;
}

int tracepoint_record__read(struct tracepoint_record *record, const char *category,
			    const char *name)
{
	struct strbuf text = { 0 };
	char path[512];
	int err;

	*record = (struct tracepoint_record){ 0 };
	if (snprintf(path, sizeof(path), "events/%s/%s/format", category, name) >=
	    (int)sizeof(path))
		return -ENAMETOOLONG;
	err = tracefs__read(&text, path);
	if (!err)
		return tracepoint_record__parse(record, category, text.bytes);
	strbuf__free(&text);
	return err;
}

void tracepoint_record__free(struct tracepoint_record *record)
{
	format_parse__free(&record->format);
	free(record->text);
}

/* The schema does not tell texts from other pointers: "field:const char * filename;" */
static bool is_text_pointer(const struct tracepoint_record *record, const char *name)
{
	char declaration[128];

	snprintf(declaration, sizeof(declaration), "field:const char * %s;", name);
	return record->is_syscall && strstr(record->text, declaration);
}

/* ---- types ----------------------------------------------------------------------------------- */

static int add_enum(struct btf *btf, const struct peat_field *field)
{
	int id, err = 0;

	id = field->bytes == 8 ? btf__add_enum64(btf, NULL, 8, field->is_signed)
			       : btf__add_enum(btf, NULL, field->bytes);
	for (uint32_t i = 0; id >= 0 && !err && i < field->name_count; i++) {
		const struct peat_name *name = &field->names[i];

		err = field->bytes == 8
			      ? btf__add_enum64_value(btf, name->name, name->value)
			      : btf__add_enum_value(btf, name->name, (int64_t)name->value);
	}
	return err ? err : id;
}

static int add_integer(struct btf *btf, const struct peat_field *field)
{
	return btf__add_int(btf, field->is_signed ? "signed" : "unsigned", field->bytes,
			    field->is_signed ? BTF_INT_SIGNED : 0);
}

static int add_plain(struct btf *btf, const struct peat_field *field)
{
	const struct field_type *type = field_type__of(field);

	if (type->has_own_names && field->name_count)
		return add_enum(btf, field);
	if (type->is_truth)
		return btf__add_int(btf, "bool", field->bytes, BTF_INT_BOOL);
	return add_integer(btf, field);
}

/* peat_TAG_t, whose name decides how the value is shown, of the type; the type if there is no tag.
 */
static int add_tagged(struct btf *btf, const struct peat_field *field, int type)
{
	const char *tag = field_type__of(field)->tag;
	char name[64];

	if (type < 0 || !tag)
		return type;
	snprintf(name, sizeof(name), "peat_%s_t", tag);
	return btf__add_typedef(btf, name, type);
}

static int add_number_type(struct field_types *types, const struct peat_field *field)
{
	return add_tagged(types->btf, field, add_plain(types->btf, field));
}

static int add_bytes_type(struct field_types *types, const struct peat_field *field)
{
	return add_tagged(types->btf, field,
			  btf__add_array(types->btf, types->u32, types->u8, field->bytes));
}

/* ---- fields ---------------------------------------------------------------------------------- */

static int set_type(struct function_field *made, int type, uint32_t bytes, uint32_t align)
{
	if (type < 0)
		return type;
	made->type = type;
	made->bytes = bytes;
	made->align = align;
	return 0;
}

static int make_text(struct function_field *made, struct field_types *types, uint32_t bytes)
{
	made->read.bytes = (unsigned short)bytes;
	return set_type(made, btf__add_array(types->btf, types->u32, types->char_type, bytes),
			bytes, 1);
}

/* The pointer is in the record, the text in user memory. */
static int make_user_text(struct function_field *made, struct field_types *types)
{
	made->read.steps = 2;
	made->read.flags = PLAN_LAST_USER;
	return make_text(made, types, types->text_bytes);
}

static int make_loc_text(struct function_field *made, struct field_types *types,
			 const struct peat_field *field)
{
	if (field->place != PEAT_PLACE_DATA_LOC)
		return -EINVAL;
	made->read.flags = PLAN_LOC;
	return make_text(made, types, types->text_bytes);
}

static int make_bytes(struct function_field *made, struct field_types *types,
		      const struct peat_field *field)
{
	if (!field->bytes || field->bytes > PLAN_TEXT_BYTES)
		return -EINVAL;
	made->read.flags = PLAN_RAW;
	made->read.bytes = (unsigned short)field->bytes;
	return set_type(made, add_bytes_type(types, field), field->bytes, 1);
}

/* An IPv4 address is one as well. */
static bool is_number_of_plan(const struct peat_field *field)
{
	const struct field_type *type = field_type__of(field);
	bool is_number = fields__is_number(field) || (type->bytes == 4 && field->bytes == 4);

	return is_number && field->bytes && field->bytes <= 8 &&
	       !(field->bytes & (field->bytes - 1)) && !field->bits;
}

static int make_number(struct function_field *made, struct field_types *types,
		       const struct peat_field *field)
{
	made->read.width = (unsigned char)field->bytes;
	return set_type(made, add_number_type(types, field), field->bytes, field->bytes);
}

static int make(struct function_field *made, struct field_types *types,
		const struct tracepoint_record *record, const struct peat_field *field)
{
	bool is_text = field_type__of(field)->strings == FIELD_ONE_STRING;

	made->read = (struct plan_read){ .source = PLAN_CTX,
					 .steps = 1,
					 .offset = { (int)field->offset } };
	if (is_text_pointer(record, field->name))
		return make_user_text(made, types);
	if (field->place != PEAT_PLACE_OFFSET)
		return is_text ? make_loc_text(made, types, field) : -EINVAL;
	if (is_text && field->bytes && field->bytes <= PLAN_TEXT_BYTES)
		return make_text(made, types, field->bytes);
	if (is_number_of_plan(field))
		return make_number(made, types, field);
	return field->span == 1 ? make_bytes(made, types, field) : -EINVAL;
}

/* -ENOENT: `why` gets the names of the fields, and the one that is alike. */
static int explain_absence(const struct tracepoint_record *record, const char *name,
			   struct strbuf *why)
{
	struct suggestion alike = { .wanted = name };
	char text[192], names[512] = "";
	uint32_t count;
	const struct peat_field *fields = peat_schema__fields(record->format.schema, &count);

	for (const struct peat_field *field = fields; field < fields + count;
	     field += field->span) {
		suggestion__try(&alike, field->name);
		name_list__append(names, sizeof(names), field->name);
	}
	strbuf__text(why, "it has no such field");
	strbuf__text(why, suggestion__text(&alike, text));
	strbuf__text(why, "its fields are ");
	strbuf__text(why, names);
	return -ENOENT;
}

int tracepoint_record__field(struct function_field *made, struct field_types *types,
			     const struct tracepoint_record *record, const char *name,
			     struct strbuf *why)
{
	const struct peat_field *field = fields__find(record->format.schema, name);
	int err;

	if (!field)
		return explain_absence(record, name, why);
	err = make(made, types, record, field);
	if (err == -EINVAL)
		strbuf__text(why, "an array, or too long");
	made->path = err ? NULL : strdup(name);
	return err || made->path ? err : -ENOMEM;
}

static void free_fields(struct function_field *made, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		function_field__free(&made[i]);
}

int tracepoint_record__fields(struct function_field *made, uint32_t room, struct field_types *types,
			      const struct tracepoint_record *record)
{
	uint32_t fields_count, count = 0;
	const struct peat_field *fields = peat_schema__fields(record->format.schema, &fields_count);

	for (const struct peat_field *field = fields; field < fields + fields_count && count < room;
	     field += field->span) {
		struct strbuf why = { 0 };
		int err = tracepoint_record__field(&made[count], types, record, field->name, &why);

		strbuf__free(&why);
		if (err && err != -EINVAL) {
			free_fields(made, count);
			return err;
		}
		count += !err;
	}
	return (int)count;
}

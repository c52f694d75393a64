// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* replay/restored_type.c: finds the struct by which a tracepoint of peat was written. */
#include <errno.h>
#include <string.h>

#include "field/fields.h"
#include "replay/restored_type.h"

/* Structs that are tried for a tracepoint: programs may have several of one name. */
#define TRIED_MAX 64

#define PRINT "\nprint fmt:"

/* Likeness of a recorded format and that of a struct. */
enum likeness {
	UNLIKE,
	SAME_FIELDS, /* also print fmt: it depends on the version of peat, and libc's names */
	SAME_TEXT
};

struct search {
	const char *name;
	uint32_t id;
	const struct tracing_text *text;
	struct restored_type *best;
	enum likeness likeness;
	uint32_t tried;
};

static size_t bytes_of_fields(const char *text, size_t bytes)
{
	const char *print = memmem(text, bytes, PRINT, strlen(PRINT));

	return print ? (size_t)(print - text) : bytes;
}

static enum likeness compare_formats(const struct payload_format *payload,
				     const struct tracing_text *text)
{
	size_t fields = bytes_of_fields(text->at, text->bytes);

	if (payload->left_out || bytes_of_fields(payload->text, payload->text_bytes) != fields ||
	    memcmp(payload->text, text->at, fields) != 0)
		return UNLIKE;
	return payload->text_bytes == text->bytes && !memcmp(payload->text, text->at, text->bytes)
		       ? SAME_TEXT
		       : SAME_FIELDS;
}

void restored_type__free(struct restored_type *type)
{
	payload__free(&type->payload);
	peat_schema__free(type->schema);
	*type = (struct restored_type){ 0 };
}

/* Keeps the struct if it is more alike.  A struct whose fields cannot be read is skipped. */
static int try_struct(struct search *search, const struct recorded_struct *found,
		      bool expects_appended)
{
	struct restored_type type = { .schema = peat_schema__new(found->btf, found->id) };
	enum likeness likeness;
	int err;

	search->tried++;
	if (!type.schema)
		return errno == ENOMEM ? -ENOMEM : 0;
	type.schema->expects_appended = expects_appended && type.schema->appended.name;
	err = payload__init(&type.payload, type.schema, search->name, search->id);
	if (err) {
		peat_schema__free(type.schema);
		return err == -ENOMEM ? err : 0;
	}
	likeness = compare_formats(&type.payload, search->text);
	if (likeness <= search->likeness) {
		restored_type__free(&type);
		return 0;
	}
	restored_type__free(search->best);
	*search->best = type;
	search->likeness = likeness;
	return 0;
}

static int try_name(struct search *search, const struct recorded_btfs *btfs, const char *name)
{
	const struct recorded_struct *found = recorded_btfs__find(btfs, name);
	const struct recorded_struct *end = found ? btfs->structs + btfs->struct_count : NULL;
	int err = 0;

	for (; found && found < end && !strcmp(found->name, name); found++)
		for (int appended = 0; appended < 2; appended++)
			if (!err && search->likeness < SAME_TEXT && search->tried < TRIED_MAX)
				err = try_struct(search, found, appended);
	return err;
}

int restored_type__find(struct restored_type *type, const struct recorded_btfs *btfs,
			const char *name, uint32_t id, const struct tracing_text *text)
{
	struct search search = { .name = name, .id = id, .text = text, .best = type };
	int err;

	*type = (struct restored_type){ 0 };
	err = try_name(&search, btfs, name);
	while (!err && !type->schema && (name = strchr(name, '_')))
		err = try_name(&search, btfs, ++name);
	if (type->schema)
		type->schema->name = search.name;
	return err;
}

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
	struct recorded_btfs *btfs;
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

/* Makes the format of the schema, with bytes that programs append or without. */
static int try_schema(struct search *search, struct peat_schema *schema, bool expects_appended,
		      enum likeness *likeness, struct payload_format *payload)
{
	int err;

	schema->expects_appended = expects_appended;
	err = payload__init(payload, schema, search->name, search->id);
	*likeness = UNLIKE;
	if (err)
		return err == -ENOMEM ? err : 0;
	recorded_btfs__add_work(search->btfs, payload->text_bytes);
	*likeness = compare_formats(payload, search->text);
	if (*likeness == UNLIKE)
		payload__free(payload);
	return 0;
}

/* Tries both formats of a schema: the first one that is alike is kept in `payload`. */
static int try_formats(struct search *search, struct peat_schema *schema, enum likeness *likeness,
		       struct payload_format *payload)
{
	int err = try_schema(search, schema, false, likeness, payload);

	if (!err && *likeness == UNLIKE && schema->appended.name)
		err = try_schema(search, schema, true, likeness, payload);
	return err;
}

/* Keeps the struct if it is more alike.  A struct whose fields cannot be read is skipped. */
static int try_struct(struct search *search, const struct recorded_struct *found)
{
	struct restored_type type = { .schema = recorded_btfs__new_schema(search->btfs, found) };
	enum likeness likeness = UNLIKE;
	int err;

	search->tried++;
	if (!type.schema)
		return errno == ENOMEM ? -ENOMEM : 0;
	err = try_formats(search, type.schema, &likeness, &type.payload);
	if (err || likeness <= search->likeness) {
		restored_type__free(&type);
		return err;
	}
	restored_type__free(search->best);
	*search->best = type;
	search->likeness = likeness;
	return 0;
}

static int try_name(struct search *search, const char *name)
{
	const struct recorded_btfs *btfs = search->btfs;
	const struct recorded_struct *found = recorded_btfs__find(btfs, name);
	const struct recorded_struct *end = found ? btfs->structs + btfs->struct_count : NULL;
	int err = 0;

	for (; !err && found && found < end && !strcmp(found->name, name); found++) {
		if (search->likeness == SAME_TEXT || search->tried == TRIED_MAX ||
		    btfs->is_exhausted)
			break;
		err = try_struct(search, found);
	}
	return err;
}

int restored_type__find(struct restored_type *type, struct recorded_btfs *btfs, const char *name,
			uint32_t id, const struct tracing_text *text)
{
	struct search search = { .btfs = btfs, .name = name, .id = id, .text = text, .best = type };
	int err;

	*type = (struct restored_type){ 0 };
	err = try_name(&search, name);
	while (!err && !type->schema && (name = strchr(name, '_')))
		err = try_name(&search, ++name);
	if (type->schema)
		type->schema->name = search.name;
	return err;
}

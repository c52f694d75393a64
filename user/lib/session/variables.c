// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/variables.c: global variables of the objects, read and written before and after load. */
#include <stdlib.h>
#include <string.h>
#include <bpf/libbpf.h>

#include "base/array.h"
#include "base/errors.h"
#include "base/log.h"
#include "base/name_list.h"
#include "base/opts.h"
#include "object/globals.h"
#include "schema/plan.h"
#include "session/assign.h"
#include "session/foreign/counters.h"
#include "session/parts/session.h"

/* A variable that was found, and the rest of its name: ".pid", "[2]", or "". */
struct found {
	struct part *part;
	struct global global;
	const char *path;
};

/* ---- search ---------------------------------------------------------------------------------- */

static int log_unknown_variable(const struct peat_session *session, const char *name)
{
	char list[600] = "";
	struct global global;
	int answer;

	for (size_t part = 0; part < session->part_count; part++)
		for (uint32_t i = 0;
		     (answer = globals__at(session->parts[part].object, i, &global)); i++)
			if (answer > 0 && globals__is_public(&global))
				name_list__append(list, sizeof(list), global.name);
	log__error("no variable '%s': the objects have %s", name, *list ? list : "none");
	return -ENOENT;
}

static int log_no_memory(const struct part *part, const char *name, int err)
{
	log__error("cannot access the variable '%s' of %s: %s%s", name, part->name, strerror(-err),
		   err == -ENOTSUP ? ": this kernel cannot map variables: Linux 5.5 can" : "");
	return err;
}

/* Finds the only object that has the variable. */
static int find_variable(const struct peat_session *session, const char *name, struct found *found)
{
	size_t bytes = strcspn(name, ".[");
	struct global global;

	*found = (struct found){ .path = name + bytes };
	for (size_t i = 0; i < session->part_count; i++) {
		struct part *part = &session->parts[i];
		int answer = globals__find_public(part->object, name, bytes, &global);

		if (answer < 0)
			return log_no_memory(part, name, answer);
		if (answer && found->part) {
			log__error("'%.*s' is a variable of both %s and %s", (int)bytes, name,
				   found->part->name, part->name);
			return -EINVAL;
		}
		if (!answer)
			continue;
		found->part = part;
		found->global = global;
	}
	return found->part ? 0 : log_unknown_variable(session, name);
}

/* ---- types ----------------------------------------------------------------------------------- */

static int keep_schema(struct part *part, uint32_t id, struct peat_schema *schema)
{
	if (!ARRAY_RESERVE_NEXT(part->variables, part->variable_count))
		return -ENOMEM;
	part->variables[part->variable_count++] = (struct variable_schema){ id, schema };
	return 0;
}

/* Made once per variable, and valid as long as the session.  NULL and errno. */
static const struct peat_field *field_of(const struct found *found)
{
	struct part *part = found->part;
	struct peat_schema *schema;

	for (size_t i = 0; i < part->variable_count; i++)
		if (part->variables[i].id == found->global.id)
			return part->variables[i].schema->fields;
	schema = btf_schema__new_variable(bpf_object__btf(part->object), found->global.id);
	if (!schema)
		return NULL;
	if (keep_schema(part, found->global.id, schema)) {
		peat_schema__free(schema);
		return fail_null(-ENOMEM);
	}
	return schema->fields;
}

void variables__free(struct part *part)
{
	for (size_t i = 0; i < part->variable_count; i++)
		peat_schema__free(part->variables[i].schema);
	free(part->variables);
}

/* ---- writing --------------------------------------------------------------------------------- */

static int check_writable(const struct peat_session *session, const struct found *found)
{
	if (!found->global.is_constant || !(session->reader || found->global.is_loaded))
		return 0;
	log__error("the constant '%s' cannot be set: the session was started already: set it "
		   "before, or make it a variable that is not const",
		   found->global.name);
	return -EBUSY;
}

/* Sets the part that the path names.  `name`: for messages. */
static int assign(const struct found *found, const char *name, const char *text)
{
	struct assignment assignment = { .name = name, .text = text };
	const struct peat_field *field = field_of(found);

	if (!field)
		return -errno;
	assignment.memory = found->global.memory;
	assignment.bytes = found->global.bytes;
	return assign__text(&assignment, field, found->path);
}

int variables__set_option(struct part *part, const char *name, const char *text)
{
	struct found found = { .part = part, .path = "" };
	int answer = globals__find_public(part->object, name, strlen(name), &found.global);

	return answer > 0 ? assign(&found, name, text) : answer ?: -ENOENT;
}

int peat_session__set_variable(struct peat_session *session, const char *name, const char *text)
{
	struct found found;
	int err = parts__check_process(session) ?: counters__set(session, name, text);

	if (err)
		return err < 0 ? fail(err) : 0;
	err = find_variable(session, name, &found);
	if (!err)
		err = check_writable(session, &found);
	if (!err)
		err = assign(&found, name, text);
	return err ? fail(err) : 0;
}

/* ---- reading --------------------------------------------------------------------------------- */

int peat_session__variable(struct peat_session *session, const char *name,
			   struct peat_variable *callers_variable)
{
	struct peat_variable variable = { 0 };
	struct found found;
	int err = parts__check_process(session) ?: find_variable(session, name, &found);

	if (!err && *found.path) {
		log__error("'%s' is a part of a variable: name the whole variable", name);
		err = -EINVAL;
	}
	if (err)
		return fail(err);
	variable.field = field_of(&found);
	if (!variable.field)
		return -errno;
	variable.name = found.global.name;
	variable.memory = found.global.memory;
	variable.bytes = found.global.bytes;
	variable.is_constant = found.global.is_constant;
	err = opts__write(callers_variable, &variable, sizeof(variable), "peat_variable");
	return err ? fail(err) : 0;
}

/* The field that `name` selects, and the bytes that it lies in. */
struct place {
	const struct peat_field *field;
	const unsigned char *base;
	uint32_t bytes;
};

static int find_place(const struct peat_session *session, const char *name, struct place *place)
{
	struct assignment assignment = { .name = name };
	struct found found;
	int err = parts__check_process(session) ?: find_variable(session, name, &found);

	if (err)
		return err;
	place->field = field_of(&found);
	if (!place->field)
		return -errno;
	assignment.memory = found.global.memory;
	assignment.bytes = found.global.bytes;
	place->base = assign__find(&assignment, &place->field, found.path);
	if (!place->base)
		return -errno;
	place->bytes = (uint32_t)(assignment.memory + assignment.bytes - place->base);
	return 0;
}

int peat_session__read_number(const struct peat_session *session, const char *name, uint64_t *value)
{
	struct place place;
	int err = find_place(session, name, &place);

	if (!err && !peat_field__number(place.field, place.base, place.bytes, value)) {
		log__error("%s is not a number: read it with peat_session__read_variable()", name);
		err = -EINVAL;
	}
	return err ? fail(err) : 0;
}

int peat_session__read_variable(const struct peat_session *session, const char *name, char *text,
				size_t room)
{
	struct place place;
	int err = find_place(session, name, &place);

	if (err)
		return fail(err);
	return (int)peat_field__text(place.field, place.base, place.bytes, text, room);
}

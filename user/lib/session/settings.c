// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* settings.c: what is set in a session's objects before they are loaded. */
#include <string.h>
#include <linux/btf.h>
#include <bpf/libbpf.h>

#include "session/assign.h"
#include "object/globals.h"
#include "base/internal.h"
#include "session/parts.h"
#include "schema/plan.h"

/* ---- options --------------------------------------------------------------------------------- */

/* Where an option of the object added last is kept. NULL and errno. */
static void *find_option(const struct peat_session *session, const char *name, size_t *bytes)
{
	const struct part *part = session->parts + session->part_count - 1;
	void *memory = NULL;

	if (parts__check_not_started(session))
		return fail_null(-EBUSY);
	if (session->part_count && parts__is_tagged(part->object, BTF_KIND_VAR, name, "option:"))
		memory = globals__find(part->object, name, bytes);
	if (memory)
		return memory;
	log__error("%s has no option '%s'", session->part_count ? part->name : "the session", name);
	return fail_null(-ENOENT);
}

/* Whether the number is the same when only its low `bytes` are kept, with or without a sign. */
static bool fits(uint64_t value, size_t bytes)
{
	int64_t top;

	if (bytes >= sizeof(value))
		return true;
	top = (int64_t)value >> (bytes * 8 - 1);
	return top == 0 || top == -1 || !(value >> bytes * 8);
}

int peat_session__set_number(struct peat_session *session, const char *option, uint64_t value)
{
	const unsigned char *low = (const unsigned char *)&value;
	size_t bytes;
	void *memory = find_option(session, option, &bytes);

	if (!memory)
		return -errno;
	if (bytes > sizeof(value) || !fits(value, bytes)) {
		log__error("the value of %s does not fit: it has %zu bytes", option, bytes);
		return fail(-ERANGE);
	}
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	low += sizeof(value) - bytes;
#endif
	memcpy(memory, low, bytes);
	return 0;
}

int peat_session__set_text(struct peat_session *session, const char *option, const char *value)
{
	size_t bytes;
	char *memory = find_option(session, option, &bytes);

	if (!memory)
		return -errno;
	if (strlen(value) >= bytes) {
		log__error("the text for %s is too long: it may have %zu bytes", option, bytes - 1);
		return fail(-ERANGE);
	}
	memset(memory, 0, bytes);
	memcpy(memory, value, strlen(value));
	return 0;
}

/* ---- variables ------------------------------------------------------------------------------- */

static bool find_global(const struct part *part, const char *name, size_t bytes,
			struct global *global)
{
	int answer;

	for (uint32_t i = 0; (answer = globals__at(part->object, i, global)); i++)
		if (answer > 0 && globals__is_public(global) &&
		    !strncmp(global->name, name, bytes) && !global->name[bytes])
			return true;
	return false;
}

static int complain_unknown(const struct peat_session *session, const char *name)
{
	char list[600] = "";
	struct global global;
	int answer;

	for (size_t part = 0; part < session->part_count; part++)
		for (uint32_t i = 0;
		     (answer = globals__at(session->parts[part].object, i, &global)); i++)
			if (answer > 0 && globals__is_public(&global))
				assign__list(list, sizeof(list), global.name);
	log__error("there is no variable '%s'; there %s%s", name, *list ? "are: " : "are none",
		   list);
	return -ENOENT;
}

/* The one object that has it. */
static int find_owner(const struct peat_session *session, const char *name, size_t bytes,
		      const struct part **owner, struct global *global)
{
	*owner = NULL;
	for (size_t i = 0; i < session->part_count; i++) {
		struct global found;

		if (!find_global(&session->parts[i], name, bytes, &found))
			continue;
		if (*owner) {
			log__error("'%.*s' is a variable of both %s and %s", (int)bytes, name,
				   (*owner)->name, session->parts[i].name);
			return -EINVAL;
		}
		*owner = &session->parts[i];
		*global = found;
	}
	return *owner ? 0 : complain_unknown(session, name);
}

static int set_variable(const struct part *part, const struct global *global, const char *name,
			const char *text)
{
	struct assignment assignment = { name, text, global->memory, global->bytes };
	struct peat_schema *schema;
	int err;

	schema = schema__new_variable(bpf_object__btf(part->object), global->id);
	if (!schema)
		return -errno;
	err = assign__text(&assignment, schema->fields, name + strlen(global->name));
	peat_schema__free(schema);
	return err;
}

int peat_session__set_variable(struct peat_session *session, const char *name, const char *text)
{
	struct global global = { 0 };
	const struct part *part;
	int err = parts__check_not_started(session);

	if (!err)
		err = find_owner(session, name, strcspn(name, ".["), &part, &global);
	if (!err)
		err = set_variable(part, &global, name, text);
	return err ? fail(err) : 0;
}

/* ---- programs -------------------------------------------------------------------------------- */

static int complain_no_program(const struct peat_session *session, const char *name)
{
	char list[600] = "";
	struct bpf_program *program;

	for (size_t i = 0; i < session->part_count; i++)
		bpf_object__for_each_program(program, session->parts[i].object)
			assign__list(list, sizeof(list), bpf_program__name(program));
	log__error("there is no program '%s'; there %s%s", name, *list ? "are: " : "are none",
		   list);
	return -ENOENT;
}

int peat_session__leave_out(struct peat_session *session, const char *name)
{
	int err = parts__check_not_started(session);
	bool found = false;

	for (size_t i = 0; !err && i < session->part_count; i++) {
		struct bpf_program *program;

		program = bpf_object__find_program_by_name(session->parts[i].object, name);
		if (!program)
			continue;
		found = session->chosen = true;
		err = bpf_program__set_autoload(program, false);
	}
	if (!err && !found)
		err = complain_no_program(session, name);
	return err ? fail(err) : 0;
}

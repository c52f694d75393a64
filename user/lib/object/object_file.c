// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* object/object_file.c: reads the types, options and programs of a BPF object without loading it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include <peat/object_file.h>

#include "base/array.h"
#include "base/errors.h"
#include "base/log.h"
#include "base/opts.h"
#include "object/declared_counter.h"
#include "object/declared_table.h"
#include "object/globals.h"
#include "object/legacy_maps.h"
#include "object/libbpf_log.h"
#include "object/open.h"
#include "schema/btf_tags.h"
#include "schema/event_types.h"
#include "schema/plan.h"

struct type {
	uint32_t id;
	struct peat_schema *schema;
};

struct option {
	struct peat_schema *schema; /* its only top-level field is the variable */
	const char *doc;	    /* owned by the BTF */
	uint64_t value;
	char *text;
};

struct options {
	struct option *list;
	uint32_t count, room;
};

struct peat_object {
	char *name;
	struct bpf_object *object;
	struct btf_tags tags;
	struct type *types;
	uint32_t type_count, type_room;
	struct options options, variables;
	struct declared_table *tables;
	uint32_t table_count, table_room;
	struct declared_counter *counters;
	uint32_t counter_count, counter_room;
};

/* ---- types ----------------------------------------------------------------------------------- */

static bool has_type(const struct peat_object *object, uint32_t id)
{
	for (uint32_t i = 0; i < object->type_count; i++)
		if (object->types[i].id == id)
			return true;
	return false;
}

static int read_type(struct peat_object *object, const struct btf *btf, uint32_t id)
{
	struct type *type;

	if (has_type(object, id))
		return 0;
	if (!ARRAY_RESERVE(object->types, object->type_count, object->type_room))
		return -ENOMEM;
	type = &object->types[object->type_count++];
	*type = (struct type){ .id = id, .schema = peat_schema__new(btf, id) };
	return type->schema ? 0 : -errno;
}

static int read_types(struct peat_object *object, const struct btf *btf)
{
	int ret, err = 0;
	uint32_t id;

	for (uint32_t i = 0; !err && (ret = event_types__at(btf, i, &id)); i++) {
		if (ret < 0)
			log__error("%s: a variable peat_note_N is no event type: peat.bpf.h did "
				   "not define it",
				   object->name);
		err = ret < 0 ? ret : read_type(object, btf, id);
	}
	return err;
}

/* ---- options --------------------------------------------------------------------------------- */

static int read_default(struct option *option, const void *memory, uint32_t bytes)
{
	const struct peat_field *field = option->schema->fields;
	uint32_t count;
	const char *text = fields__bytes(field, memory, bytes, &count);

	peat_field__number(field, memory, bytes, &option->value);
	if (field_type__of(field)->strings != FIELD_ONE_STRING || !text)
		return 0;
	option->text = strndup(text, count);
	return option->text ? 0 : -ENOMEM;
}

static int read_option(struct options *options, const struct btf *btf, const struct global *global,
		       const char *doc)
{
	struct option *option;

	if (!ARRAY_RESERVE(options->list, options->count, options->room))
		return -ENOMEM;
	option = &options->list[options->count];
	*option =
		(struct option){ .doc = doc, .schema = btf_schema__new_variable(btf, global->id) };
	if (!option->schema)
		return -errno;
	options->count++;
	return read_default(option, global->memory, (uint32_t)global->bytes);
}

/* Ignores variables of unsupported types, so that the others can be listed. */
static int read_variable(struct peat_object *object, const struct btf *btf,
			 const struct global *global)
{
	const char *doc = btf_tags__find(&object->tags, global->id, TAGS_WHOLE, "option:");
	int err;

	if (doc)
		return read_option(&object->options, btf, global, doc);
	if (!globals__is_public(global) || global->bytes > UINT16_MAX)
		return 0;
	doc = btf_tags__find(&object->tags, global->id, TAGS_WHOLE, "doc:");
	err = read_option(&object->variables, btf, global, doc);
	return err == -ENOMEM ? err : 0;
}

static int read_variables(struct peat_object *object, const struct btf *btf)
{
	struct global global;
	int ret, err = 0;

	for (uint32_t i = 0; !err && (ret = globals__at(object->object, i, &global)); i++) {
		if (ret > 0)
			err = read_variable(object, btf, &global);
		else
			log__warn("%s: variable %s left out: it has no memory", object->name,
				  global.name);
	}
	return err;
}

static int read_table(struct peat_object *object, const struct bpf_map *map)
{
	int found;

	if (!ARRAY_RESERVE(object->tables, object->table_count, object->table_room))
		return -ENOMEM;
	found = declared_table__read(&object->tables[object->table_count], object->object, map,
				     object->name);
	object->table_count += found > 0;
	return found < 0 ? found : 0;
}

static int read_counter(struct peat_object *object, const struct bpf_map *map)
{
	int found;

	if (!ARRAY_RESERVE(object->counters, object->counter_count, object->counter_room))
		return -ENOMEM;
	found = declared_counter__read(&object->counters[object->counter_count], object->object,
				       &object->tags, map, object->name);
	object->counter_count += found > 0;
	return found < 0 ? found : 0;
}

static int read_maps(struct peat_object *object)
{
	const struct bpf_map *map;
	int err = 0;

	bpf_object__for_each_map(map, object->object)
	{
		if (!err)
			err = read_table(object, map);
		if (!err)
			err = read_counter(object, map);
	}
	return err;
}

/* ---- opening --------------------------------------------------------------------------------- */

static int read_object(struct peat_object *object)
{
	const struct btf *btf = bpf_object__btf(object->object);
	int err;

	if (!btf) {
		log__error("%s has no BTF: compile it with -g", object->name);
		return -EINVAL;
	}
	err = btf_tags__read(&object->tags, btf);
	if (err) {
		log__error("cannot read the tags of %s: %s", object->name, strerror(-err));
		return err;
	}
	err = read_types(object, btf);
	if (!err)
		err = read_variables(object, btf);
	return err ? err : read_maps(object);
}

/* Takes ownership of `opened`; NULL: it failed with errno. */
static struct peat_object *new_object(struct bpf_object *opened, const char *name)
{
	struct peat_object *object;
	int err;

	if (!opened)
		return NULL;
	object = calloc(1, sizeof(*object));
	if (!object) {
		bpf_object__close(opened);
		return fail_null(-ENOMEM);
	}
	object->object = opened;
	object->name = strdup(name);
	err = object->name ? read_object(object) : -ENOMEM;
	if (!err)
		return object;
	peat_object__free(object);
	return fail_null(err);
}

/* The name of a file without directories and .bpf.o.  NULL: no memory. */
static char *shorten(const char *path)
{
	static const char *const endings[] = { ".bpf.o", ".o" };
	const char *slash = strrchr(path, '/');
	char *name = strdup(slash ? slash + 1 : path);
	size_t bytes = name ? strlen(name) : 0;

	for (size_t i = 0; name && i < sizeof(endings) / sizeof(*endings); i++) {
		size_t end = strlen(endings[i]);

		if (bytes <= end || strcmp(name + bytes - end, endings[i]))
			continue;
		name[bytes - end] = '\0';
		break;
	}
	return name;
}

static struct peat_object *open_elf(const void *bytes, size_t count, const char *name)
{
	char *object_name = shorten(name);
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = object_name);
	struct peat_object *object;
	int err;

	if (!object_name)
		return fail_null(-ENOMEM);
	libbpf_log__forward_all();
	object = new_object(libbpf_log__open_mem(name, bytes, count, &opts), object_name);
	err = -errno;
	free(object_name);
	return object ? object : fail_null(err);
}

struct peat_object *peat_object__open(const void *bytes, size_t count, const char *name)
{
	struct peat_object *object;
	size_t copy_bytes;
	void *copy;
	int err = legacy_maps__use(name, bytes, count, &copy, &copy_bytes);

	if (err < 0)
		return fail_null(err);
	object = copy ? open_elf(copy, copy_bytes, name) : open_elf(bytes, count, name);
	err = -errno;
	free(copy);
	return object ? object : fail_null(err);
}

struct peat_object *peat_object__open_file(const char *path)
{
	struct peat_object *object;
	size_t count;
	void *bytes = open__read(path, &count);
	int err = -errno;

	if (!bytes) {
		log__error("%s cannot be used as a BPF object: %s", path, strerror(-err));
		return fail_null(err);
	}
	object = peat_object__open(bytes, count, path);
	err = -errno;
	free(bytes);
	return object ? object : fail_null(err);
}

static void free_options(struct options *options)
{
	for (uint32_t i = 0; i < options->count; i++) {
		peat_schema__free(options->list[i].schema);
		free(options->list[i].text);
	}
	free(options->list);
}

void peat_object__free(struct peat_object *object)
{
	if (!object)
		return;
	for (uint32_t i = 0; i < object->type_count; i++)
		peat_schema__free(object->types[i].schema);
	free(object->types);
	free_options(&object->options);
	free_options(&object->variables);
	for (uint32_t i = 0; i < object->table_count; i++)
		declared_table__free(&object->tables[i]);
	free(object->tables);
	free(object->counters);
	btf_tags__free(&object->tags);
	bpf_object__close(object->object);
	free(object->name);
	free(object);
}

/* ---- queries --------------------------------------------------------------------------------- */

const char *peat_object__name(const struct peat_object *object)
{
	return object->name;
}

bool peat_object__has_channel(const struct peat_object *object)
{
	return bpf_object__find_map_by_name(object->object, "peat_stage");
}

const struct peat_schema *peat_object__type(const struct peat_object *object, uint32_t i)
{
	return i < object->type_count ? object->types[i].schema : NULL;
}

static int copy_option(const struct options *options, uint32_t i,
		       struct peat_option *callers_option)
{
	const struct option *option;
	struct peat_option found;
	int err;

	if (i >= options->count)
		return 0;
	option = &options->list[i];
	found = (struct peat_option){
		.name = option->schema->name,
		.doc = option->doc,
		.kind = option->schema->fields->kind,
		.bytes = option->schema->bytes,
		.value = option->value,
		.text = option->text,
		.field = option->schema->fields,
	};
	err = opts__write(callers_option, &found, sizeof(found), "peat_option");
	return err ? fail(err) : 1;
}

int peat_object__option(const struct peat_object *object, uint32_t i,
			struct peat_option *callers_option)
{
	return copy_option(&object->options, i, callers_option);
}

int peat_object__variable(const struct peat_object *object, uint32_t i,
			  struct peat_option *callers_variable)
{
	return copy_option(&object->variables, i, callers_variable);
}

int peat_object__table(const struct peat_object *object, uint32_t i,
		       struct peat_object_table *callers_table)
{
	struct peat_object_table result = { 0 };
	const struct declared_table *table;
	int err;

	if (i >= object->table_count)
		return 0;
	table = &object->tables[i];
	result.name = table->type.name;
	result.doc = table->tags.doc;
	result.unit = table->tags.unit;
	result.schema = table->made.schema;
	result.keys = table->made.keys;
	err = opts__write(callers_table, &result, sizeof(result), "peat_object_table");
	return err ? fail(err) : 1;
}

int peat_object__counter(const struct peat_object *object, uint32_t i,
			 struct peat_object_counter *callers_counter)
{
	struct peat_object_counter result = { 0 };
	const struct declared_counter *counter;
	int err;

	if (i >= object->counter_count)
		return 0;
	counter = &object->counters[i];
	result.name = counter->name;
	result.event = counter->event;
	result.doc = counter->doc;
	result.optional = counter->is_optional;
	err = opts__write(callers_counter, &result, sizeof(result), "peat_object_counter");
	return err ? fail(err) : 1;
}

static bool is_tagged(const struct peat_object *object, const char *program, const char *tag)
{
	const struct btf *btf = bpf_object__btf(object->object);
	int id = btf__find_by_name_kind(btf, program, BTF_KIND_FUNC);

	return id > 0 && btf_tags__find(&object->tags, (uint32_t)id, TAGS_WHOLE, tag);
}

int peat_object__hook(const struct peat_object *object, uint32_t i, struct peat_hook *callers_hook)
{
	struct bpf_program *program = NULL;
	struct peat_hook hook = { 0 };
	int err;

	do
		program = bpf_object__next_program(object->object, program);
	while (program && i--);
	if (!program)
		return 0;
	hook.program = bpf_program__name(program);
	hook.section = bpf_program__section_name(program);
	hook.optional = is_tagged(object, hook.program, "optional");
	hook.one_process = is_tagged(object, hook.program, "one_process");
	err = opts__write(callers_hook, &hook, sizeof(hook), "peat_hook");
	return err ? fail(err) : 1;
}

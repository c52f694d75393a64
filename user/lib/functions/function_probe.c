// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* functions/function_probe.c: makes the object and the plans of a source. */
#include <bpf/btf.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/strbuf.h"
#include "field/fields.h"
#include "functions/event_struct.h"
#include "functions/find_functions.h"
#include "functions/function_probe.h"
#include "functions/plan_object.h"
#include "functions/tracepoint_record.h"
#include "functions/usdt_field.h"
#include "functions/usdt_notes.h"
#include "functions/user_prototypes.h"

#define NAME_BYTES 128

/* The state of making a probe. */
struct making {
	struct function_probe *probe;
	const struct wanted_fields *wanted;
	struct prototypes *prototypes; /* of the kernel; NULL: none are known */
	struct btf *user_btf;	       /* of the program; NULL: no prototypes are known */
	struct field_types types;      /* in the object's BTF */
	struct function_field fields[PLAN_READS];
	uint32_t count, own; /* fields; the first one that is no name */
	char text[NAME_BYTES];
};

static const char *text_of(const struct making *making)
{
	return making->probe->source.text;
}

static enum function_moment moment_of(const struct making *making)
{
	return function_source__is_return(&making->probe->source) ? FUNCTION_RETURN : FUNCTION_CALL;
}

static bool is_tracepoint(const struct making *making)
{
	return making->probe->source.kind == SOURCE_TRACEPOINT;
}

/* ---- fields ---------------------------------------------------------------------------------- */

/* What a field of a function is made from. */
struct subject {
	const struct found_function *function;
	struct prototype prototype;
	struct tracepoint_record record;
};

static int open_subject(struct subject *subject, const struct making *making, size_t i)
{
	const struct found_function *function = &making->probe->found.at[i];

	*subject = (struct subject){ .function = function };
	if (is_tracepoint(making))
		return tracepoint_record__read(&subject->record, function->module, function->name);
	if (making->prototypes)
		prototypes__find(making->prototypes, function->name, function->module,
				 &subject->prototype);
	else
		user_prototypes__find(making->user_btf, function, &subject->prototype);
	subject->prototype.is_user = function_source__is_user(&making->probe->source);
	return 0;
}

static void close_subject(struct subject *subject)
{
	tracepoint_record__free(&subject->record);
}

/* Events of a glob have 0 for an argument that their USDT lacks. */
static uint32_t usdt_arguments(const struct making *making, const struct subject *subject)
{
	return making->probe->source.is_glob
		       ? USDT_ARGUMENTS
		       : usdt_notes__count_arguments(subject->function->arguments);
}

static int make_field(struct function_field *field, struct field_types *types,
		      const struct making *making, const struct subject *subject, const char *path,
		      struct strbuf *why)
{
	*field = (struct function_field){ 0 };
	if (is_tracepoint(making))
		return tracepoint_record__field(field, types, &subject->record, path, why);
	if (making->probe->source.kind == SOURCE_USDT)
		return usdt_field__make(field, types, path, usdt_arguments(making, subject), why);
	return function_field__make(field, types, &subject->prototype, moment_of(making), path,
				    why);
}

static bool has_field(const struct making *making, const char *path)
{
	for (uint32_t i = 0; i < making->count; i++)
		if (!strcmp(making->fields[i].path, path))
			return true;
	return false;
}

static int log_no_field(const struct making *making, const struct subject *subject,
			const char *path, const struct strbuf *why, int err)
{
	log__error("%s: no field '%s' of %s: %.*s", text_of(making), path, subject->function->name,
		   why->failed ? 0 : (int)why->count, why->bytes ? why->bytes : "");
	return err;
}

static int log_too_many(const struct making *making)
{
	log__error("%s: more than %u fields: name fewer", text_of(making), PLAN_READS);
	return -E2BIG;
}

/* "pid", "comm" and others, which expressions, tables and outputs know without the function. */
static bool all_events_have(const char *path)
{
	static const char *const others[] = { "size", "stack", "uid", "cgroup" };

	for (size_t i = 0; fields__event_reserved[i]; i++)
		if (!strcmp(path, fields__event_reserved[i]))
			return true;
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (!strcmp(path, others[i]))
			return true;
	return false;
}

/* An absent field is no error if it need not exist. */
static int add_field(struct making *making, const struct subject *subject, const char *path,
		     bool has_to_exist)
{
	struct strbuf why = { 0 };
	int err;

	if (has_field(making, path))
		return 0;
	if (making->count == PLAN_READS)
		return log_too_many(making);
	err = make_field(&making->fields[making->count], &making->types, making, subject, path,
			 &why);
	making->count += !err;
	if (err && err != -ENOMEM && has_to_exist)
		err = log_no_field(making, subject, path, &why, err);
	else if (err == -ENOENT)
		err = 0;
	strbuf__free(&why);
	return err;
}

static int add_wanted(struct making *making, const struct subject *subject)
{
	const struct wanted_fields *wanted = making->wanted;
	int err = 0;

	for (uint32_t i = 0; !err && i < wanted->count; i++)
		err = add_field(making, subject, wanted->paths[i],
				!all_events_have(wanted->paths[i]));
	for (uint32_t i = 0; !err && i < wanted->name_count; i++)
		err = add_field(making, subject, wanted->names[i], false);
	return err;
}

/* The first arguments of USDT, as many as events have fields. */
static int add_arguments(struct making *making, const struct subject *subject)
{
	uint32_t count = usdt_arguments(making, subject);
	char path[16];
	int err = 0;

	for (uint32_t i = 0; !err && i < count && i < USDT_ARGUMENTS && making->count < PLAN_READS;
	     i++) {
		snprintf(path, sizeof(path), "arg%u", i + 1);
		err = add_field(making, subject, path, true);
	}
	return err;
}

/* Whether an expression or a table names a member of the field. */
static bool is_opened(const struct making *making, const char *path)
{
	size_t bytes = strlen(path);

	for (uint32_t i = 0; i < making->wanted->name_count; i++) {
		const char *name = making->wanted->names[i];

		if (!strncmp(name, path, bytes) && name[bytes] == '.')
			return true;
	}
	return false;
}

/* An event has a pointer, or what it leads to: the members that are named. */
static void keep_closed(struct making *making, uint32_t added)
{
	uint32_t end = making->count + added;

	for (uint32_t i = making->count; i < end; i++) {
		if (is_opened(making, making->fields[i].path))
			function_field__free(&making->fields[i]);
		else
			making->fields[making->count++] = making->fields[i];
	}
}

/* A glob has the fields that all functions have. */
static int add_others(struct making *making, const struct subject *subject)
{
	struct function_field *fields = &making->fields[making->count];
	int count;

	if (making->wanted->count || making->wanted->no_others)
		return 0;
	if (making->probe->source.is_glob)
		return moment_of(making) == FUNCTION_RETURN
			       ? add_field(making, subject, "latency", true)
			       : 0;
	if (making->probe->source.kind == SOURCE_USDT)
		return add_arguments(making, subject);
	if (is_tracepoint(making))
		count = tracepoint_record__fields(fields, PLAN_READS - making->count,
						  &making->types, &subject->record);
	else
		count = function_field__make_all(fields, &making->types, &subject->prototype,
						 moment_of(making));
	if (count < 0)
		return count;
	keep_closed(making, (uint32_t)count);
	return 0;
}

/* "function", or "event" of tracepoints and USDT: the enum of the names. */
static int add_name(struct making *making)
{
	const struct found_functions *found = &making->probe->found;
	const char **names = calloc(found->count, sizeof(*names));
	int err;

	if (!names)
		return -ENOMEM;
	for (size_t i = 0; i < found->count; i++)
		names[i] = found->at[i].name;
	err = function_field__make_name(&making->fields[0], &making->types,
					making->probe->source.group ? "event" : "function", names,
					(uint32_t)found->count);
	free(names);
	making->count = making->own = err ? 0 : 1;
	return err;
}

static bool can_make(const struct making *making, struct field_types *types,
		     const struct subject *subject, const char *path)
{
	struct function_field field;
	struct strbuf why = { 0 };
	int err = make_field(&field, types, making, subject, path, &why);

	strbuf__free(&why);
	if (!err)
		function_field__free(&field);
	return !err;
}

/* The number of wanted fields that a function has; negative: an error. */
static int count_wanted(const struct making *making, struct field_types *types, size_t i)
{
	const struct wanted_fields *wanted = making->wanted;
	struct subject subject;
	int count = 0, err = open_subject(&subject, making, i);

	if (err)
		return err;
	for (uint32_t path = 0; path < wanted->count; path++)
		count += can_make(making, types, &subject, wanted->paths[path]);
	for (uint32_t name = 0; name < wanted->name_count; name++)
		count += can_make(making, types, &subject, wanted->names[name]);
	close_subject(&subject);
	return count;
}

static int find_model(const struct making *making, struct field_types *types, size_t *model)
{
	int most = 0;

	*model = 0;
	for (size_t i = 0; i < making->probe->found.count; i++) {
		int count = count_wanted(making, types, i);

		if (count < 0)
			return count;
		if (count > most) {
			most = count;
			*model = i;
		}
	}
	return 0;
}

/* The function with the most of the wanted fields becomes the first, from which the type is made.
 */
static int choose_model(const struct making *making)
{
	struct found_function *at = making->probe->found.at, first = at[0];
	struct field_types types;
	struct btf *btf = btf__new_empty();
	size_t model = 0;
	int err = btf ? field_types__init(&types, btf) : -ENOMEM;

	if (!err)
		err = find_model(making, &types, &model);
	btf__free(btf);
	at[0] = at[model];
	at[model] = first;
	return err;
}

static bool needs_model(const struct making *making)
{
	return making->probe->source.is_glob &&
	       (making->wanted->count || making->wanted->name_count);
}

static int make_fields(struct making *making)
{
	struct subject subject;
	int err = needs_model(making) ? choose_model(making) : 0;

	if (!err && making->probe->source.is_glob)
		err = add_name(making);
	if (!err)
		err = open_subject(&subject, making, 0);
	if (err)
		return err;
	err = add_others(making, &subject);
	if (!err)
		err = add_wanted(making, &subject);
	close_subject(&subject);
	return err;
}

/* ---- plans ----------------------------------------------------------------------------------- */

/* The name of the type: of the one function, or the pattern's letters: "vfs" of "vfs_*". */
static void name_type(const struct making *making, char name[NAME_BYTES])
{
	const struct function_probe *probe = making->probe;
	const char *from = probe->source.is_glob ? probe->source.pattern : probe->found.at[0].name;
	size_t bytes = 0;

	for (; *from && bytes + 1 < NAME_BYTES; from++)
		if (isalnum((unsigned char)*from) || (bytes && *from == '_'))
			name[bytes++] = *from;
	while (bytes && name[bytes - 1] == '_')
		bytes--;
	name[bytes] = '\0';
	if (!bytes)
		snprintf(name, NAME_BYTES, "functions");
}

static int log_no_struct(const struct making *making, int err)
{
	if (err == -EEXIST)
		log__error("%s: a field and its members cannot both be read, such as 'file' and "
			   "'file.f_inode': name one of them",
			   text_of(making));
	else if (err == -E2BIG)
		log__error("%s: the fields have more than %d bytes: name fewer", text_of(making),
			   PLAN_BYTES);
	else
		log__error("%s: cannot make the type of its events: %s", text_of(making),
			   strerror(-err));
	return err;
}

static int make_struct(struct making *making)
{
	struct function_plan *plan = &making->probe->plans[1];
	char name[NAME_BYTES];
	uint32_t bytes;
	int stacks = btf__find_by_name_kind(making->types.btf, "peat_stacks", BTF_KIND_STRUCT);
	int err;

	name_type(making, name);
	err = stacks < 0 ? stacks
			 : event_struct__add(&making->types, name, making->fields, making->count,
					     stacks, plan);
	if (err)
		return log_no_struct(making, err);
	bytes = plan->bytes;
	return event_struct__finish(&making->types, &plan->type, &bytes, 1);
}

/* The same field of another function, which has to be as large.  -ENOENT: it has none. */
static int read_field(struct plan_read *read, struct field_types *types,
		      const struct making *making, const struct subject *subject,
		      const struct function_field *like)
{
	struct function_field field;
	struct strbuf why = { 0 };
	int err = make_field(&field, types, making, subject, like->path, &why);

	strbuf__free(&why);
	if (err)
		return err == -ENOMEM ? err : -ENOENT;
	if (field.bytes != like->bytes || field.read.width != like->read.width)
		err = -ENOENT;
	*read = field.read;
	read->to = like->read.to;
	read->bytes = like->read.bytes;
	read->present = like->read.present;
	read->present_at = like->read.present_at;
	function_field__free(&field);
	return err;
}

/* The plan of another function.  -ENOENT: it lacks a field. */
static int make_plan(struct function_plan *plan, struct field_types *types,
		     const struct making *making, size_t i)
{
	struct subject subject;
	int err = open_subject(&subject, making, i);

	*plan = making->probe->plans[1];
	for (uint32_t field = making->own; !err && field < making->count; field++)
		err = read_field(&plan->read[field], types, making, &subject,
				 &making->fields[field]);
	close_subject(&subject);
	return err;
}

/* The names' numbers are those of all functions, also of those that are left out. */
static int make_other_plans(struct making *making, struct field_types *types)
{
	struct found_functions *found = &making->probe->found;
	struct function_plan *plans = making->probe->plans;
	size_t made = 1;
	int err = 0;

	for (size_t i = 1, number = 1; !err && i < found->count; number++) {
		err = make_plan(&plans[made + 1], types, making, i);
		plans[made + 1].read[0].offset[0] =
			making->own ? (int)number : plans[made + 1].read[0].offset[0];
		if (err == -ENOENT) {
			found_functions__leave_out(found, i);
			err = 0;
			continue;
		}
		made++;
		i++;
	}
	return err;
}

/* Types of other functions' fields are the same, and not kept. */
static int make_plans(struct making *making)
{
	struct field_types types;
	struct btf *btf = btf__new_empty();
	int err = btf ? field_types__init(&types, btf) : -ENOMEM;

	if (!err)
		err = make_other_plans(making, &types);
	btf__free(btf);
	return err;
}

/* ---- other files ----------------------------------------------------------------------------- */

static int compare_function(const void *left, const void *right)
{
	const struct found_function *a = left, *b = right;
	int order = strcmp(a->name, b->name);

	return order || !a->module || !b->module ? order : strcmp(a->module, b->module);
}

/* Whether a plan reads the same, whatever the number of the function's name is. */
static bool is_same_plan(struct function_plan made, const struct function_plan *plan, bool has_name)
{
	if (has_name)
		made.read[0].offset[0] = plan->read[0].offset[0];
	return !memcmp(&made, plan, sizeof(made));
}

/*
 * Whether plan `number`, of function `own`, is that of function `i` of the other file.  A plan made
 * without a prototype is the same everywhere.  Without one there, it is unless it reads members:
 * their offsets may differ.  1, 0 or -ENOMEM.
 */
static int try_plan(struct making *other, const struct found_function *own, size_t i,
		    uint64_t number)
{
	const struct function_probe *probe = other->probe;
	struct function_plan made;
	struct prototype prototype;
	int err;

	if (probe->source.kind != SOURCE_USDT && !own->prototype)
		return 1;
	if (probe->source.kind != SOURCE_USDT &&
	    !user_prototypes__find(other->user_btf, &probe->found.at[i], &prototype))
		return !probe->has_members;
	err = make_plan(&made, &other->types, other, i);
	if (err)
		return err == -ENOENT ? 0 : err;
	return is_same_plan(made, &probe->plans[number], other->own);
}

/* Overloads in C++ have one name: the first one with the same plan is taken. */
static int match_one(struct making *other, const struct found_functions *own, size_t i,
		     uint64_t *numbers, size_t *differing)
{
	const struct found_function *function = &other->probe->found.at[i];
	bool has_name = false;
	int is_plan = 0;

	for (size_t at = 0; is_plan <= 0 && at < own->count; at++) {
		if (compare_function(&own->at[at], function))
			continue;
		has_name = true;
		is_plan = try_plan(other, &own->at[at], i, at + 1);
		if (is_plan < 0)
			return is_plan;
		numbers[i] = is_plan ? at + 1 : 0;
	}
	*differing += has_name && !numbers[i];
	return 0;
}

int function_probe__match(const struct function_probe *probe, const struct found_functions *found,
			  struct btf *user_btf, uint64_t *numbers, size_t *differing)
{
	struct function_probe file = *probe;
	struct making other = {
		.probe = &file, .user_btf = user_btf, .count = probe->field_count, .own = probe->own
	};
	struct btf *btf = btf__new_empty();
	int err = btf ? field_types__init(&other.types, btf) : -ENOMEM;

	file.found = *found;
	memcpy(other.fields, probe->fields, probe->field_count * sizeof(*probe->fields));
	for (size_t i = 0; !err && i < found->count; i++)
		err = match_one(&other, &probe->found, i, numbers, differing);
	btf__free(btf);
	return err;
}

/* ---- making ---------------------------------------------------------------------------------- */

static bool reads(const struct function_plan *plan, enum plan_source source)
{
	for (uint32_t i = 0; i < plan->reads; i++)
		if (plan->read[i].source == source)
			return true;
	return false;
}

/* Arguments, or anything else that is known only at the call. */
static bool reads_call(const struct function_plan *plan)
{
	for (uint32_t i = 0; i < plan->reads; i++)
		if (plan->read[i].source != PLAN_RESULT && plan->read[i].source != PLAN_LATENCY &&
		    plan->read[i].source != PLAN_CONSTANT)
			return true;
	return false;
}

static bool follows_user_pointers(const struct function_plan *plan)
{
	for (uint32_t i = 0; i < plan->reads; i++)
		if (plan->read[i].steps && plan->read[i].flags & PLAN_USER)
			return true;
	return false;
}

static enum plan_object object_of(const struct function_probe *probe)
{
	return probe->source.kind == SOURCE_USDT ? PLAN_OBJECT_USDT : PLAN_OBJECT_FUNCTIONS;
}

static int make_object(struct making *making)
{
	struct function_probe *probe = making->probe;
	int err = field_types__init(&making->types, making->types.btf);

	if (!err)
		err = make_fields(making);
	if (!err)
		err = make_struct(making);
	if (!err)
		err = make_plans(making);
	if (err)
		return err;
	probe->needs_return = moment_of(making) == FUNCTION_RETURN;
	probe->wants_caller = reads(&probe->plans[1], PLAN_CALLER);
	probe->keeps_calls = probe->needs_return && reads_call(&probe->plans[1]);
	probe->reads_user_memory = follows_user_pointers(&probe->plans[1]);
	probe->object =
		plan_object__with_btf(object_of(probe), making->types.btf, &probe->object_bytes);
	return probe->object ? 0 : -errno;
}

static bool has_member(const char *const *paths, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (strchr(paths[i], '.'))
			return true;
	return false;
}

static int open_user_prototypes(struct making *making)
{
	struct function_probe *probe = making->probe;
	const struct wanted_fields *wanted = making->wanted;

	probe->has_members = has_member(wanted->paths, wanted->count) ||
			     has_member(wanted->names, wanted->name_count);
	return user_prototypes__read(&making->user_btf, probe->path, &probe->found,
				     probe->has_members);
}

/* Without the kernel's BTF, or debug information of a program, functions have arg1 to arg12. */
static int open_prototypes(struct making *making, const char *btf)
{
	enum function_source_kind kind = making->probe->source.kind;
	int err;

	if (kind == SOURCE_UPROBE || kind == SOURCE_URETPROBE)
		return open_user_prototypes(making);
	if (kind != SOURCE_KPROBE && kind != SOURCE_KRETPROBE)
		return 0;
	err = prototypes__open(&making->prototypes, btf);
	return err == -ENOENT ? 0 : err;
}

static int keep_fields(struct making *making)
{
	struct function_probe *probe = making->probe;

	probe->fields = calloc(PLAN_READS, sizeof(*probe->fields));
	if (!probe->fields)
		return -ENOMEM;
	memcpy(probe->fields, making->fields, making->count * sizeof(*probe->fields));
	probe->field_count = making->count;
	probe->own = making->own;
	making->count = 0;
	return 0;
}

static int make(struct function_probe *probe, const char *btf, const struct wanted_fields *wanted)
{
	struct making making = { .probe = probe, .wanted = wanted };
	int err;

	probe->plans = calloc(probe->found.count + 1, sizeof(*probe->plans));
	making.types.btf = plan_object__btf(object_of(probe));
	err = !probe->plans ? -ENOMEM : making.types.btf ? 0 : -errno;
	if (!err)
		err = open_prototypes(&making, btf);
	if (!err)
		err = make_object(&making) ?: keep_fields(&making);
	for (uint32_t i = 0; i < making.count; i++)
		function_field__free(&making.fields[i]);
	prototypes__free(making.prototypes);
	btf__free(making.user_btf);
	btf__free(making.types.btf);
	return err;
}

int function_probe__make(struct function_probe *probe, struct function_source *source,
			 const char *path, const char *btf, const struct wanted_fields *wanted,
			 uint32_t most)
{
	int err;

	*probe = (struct function_probe){ .source = *source, .path = path ? strdup(path) : NULL };
	*source = (struct function_source){ 0 };
	err = path && !probe->path ? -ENOMEM : 0;
	if (!err)
		err = find_functions__run(&probe->found, &probe->source, probe->path,
					  most ? most : FUNCTION_PROBE_MOST);
	if (!err)
		err = make(probe, btf, wanted);
	if (err)
		function_probe__free(probe);
	return err;
}

const char *function_probe__name(const struct function_probe *probe)
{
	return probe->source.text;
}

void function_probe__free(struct function_probe *probe)
{
	function_source__free(&probe->source);
	found_functions__free(&probe->found);
	for (uint32_t i = 0; i < probe->field_count; i++)
		function_field__free(&probe->fields[i]);
	free(probe->fields);
	free(probe->path);
	free(probe->plans);
	free(probe->object);
	*probe = (struct function_probe){ 0 };
}

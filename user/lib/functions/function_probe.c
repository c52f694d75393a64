// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* functions/function_probe.c: makes the object and the plans of a source. */
#include <bpf/btf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "functions/find_functions.h"
#include "functions/plan_object.h"
#include "functions/probe_parts.h"
#include "functions/user_prototypes.h"

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
		err = probe_fields__make(making);
	if (!err)
		err = probe_plans__make(making);
	if (err)
		return err;
	probe->needs_return = making__moment(making) == FUNCTION_RETURN;
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

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* object/infer/event_type.c: infers the type of a map's events by its values, their size or name.
 */
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>

#include <peat/schema.h>

#include "object/infer/candidates.h"
#include "base/escape.h"
#include "object/infer/event_type.h"
#include "base/errors.h"
#include "base/log.h"
#include "object/infer/output_sizes.h"
#include "field/appended.h"

struct infer {
	const struct bpf_object *object;
	const struct btf *btf; /* of the object; NULL: it has none */
	Elf *elf;
	struct dwarf *info;  /* NULL: the object has none */
	bool kernel_is_read; /* the next two are read on first use */
	struct btf *kernel;  /* NULL: the kernel has no BTF */
	struct kernel_types kernel_types;
};

/* ---- opening --------------------------------------------------------------------------------- */

static struct infer *new_infer(const struct bpf_object *object)
{
	struct infer *infer = calloc(1, sizeof(*infer));

	if (!infer)
		return fail_null(-ENOMEM);
	infer->object = object;
	infer->btf = bpf_object__btf(object);
	return infer;
}

/* libbpf has called elf_version() for the object.  `elf` NULL: it is no ELF file. */
static struct infer *read_elf(struct infer *infer, Elf *elf)
{
	int err;

	infer->elf = elf;
	err = elf_kind(elf) == ELF_K_ELF ? 0 : -EBADMSG;
	if (!err)
		err = dwarf__open(&infer->info, elf);
	if (!err || err == -ENODATA)
		return infer;
	infer__free(infer);
	return fail_null(err);
}

/* libelf does not write to memory that it reads. */
struct infer *infer__open_mem(const struct bpf_object *object, const void *elf, size_t bytes)
{
	struct infer *infer = new_infer(object);

	return infer ? read_elf(infer, elf_memory((char *)(uintptr_t)elf, bytes)) : NULL;
}

void infer__free(struct infer *infer)
{
	if (!infer)
		return;
	dwarf__free(infer->info);
	elf_end(infer->elf);
	kernel_types__free(&infer->kernel_types);
	btf__free(infer->kernel);
	free(infer);
}

/* If the kernel has no BTF, all types count as the object's own. */
static int read_kernel_types(struct infer *infer)
{
	if (infer->kernel_is_read)
		return 0;
	infer->kernel_is_read = true;
	infer->kernel = btf__load_vmlinux_btf();
	return kernel_types__read(&infer->kernel_types, infer->kernel);
}

/* ---- text ------------------------------------------------------------------------------------ */

static void append_byte_count(struct strbuf *out, uint32_t bytes)
{
	strbuf__text(out, " of ");
	strbuf__unsigned(out, bytes);
	strbuf__text(out, bytes == 1 ? " byte" : " bytes");
}

static int finish_text(struct strbuf *out, char **text)
{
	strbuf__char(out, '\0');
	if (out->failed) {
		strbuf__free(out);
		return -ENOMEM;
	}
	*text = out->bytes;
	return 0;
}

/* ---- by name --------------------------------------------------------------------------------- */

static int read_own_candidates(struct infer *infer, uint32_t bytes, struct candidates *list)
{
	int err = candidates__read(list, infer->btf, infer->info);

	if (err)
		return err;
	if (bytes)
		candidates__keep_size(list, bytes);
	err = list->count ? read_kernel_types(infer) : 0;
	if (!err)
		candidates__keep_own(list, &infer->kernel_types);
	return err;
}

static int log_missing_type(struct infer *infer, const char *map, const char *name)
{
	struct candidates list = { 0 };
	struct strbuf out = { 0 };
	char *names = NULL;
	int err = read_own_candidates(infer, 0, &list);

	if (!err)
		candidates__name(&list, &out);
	if (!err)
		err = finish_text(&out, &names);
	if (!err)
		log__error("%s: the object has no struct '%s'%s%s", map, name,
			   *names ? ": it has " : " and no other of its own", names);
	free(names);
	candidates__free(&list);
	return err ? err : -ENOENT;
}

/* Uses the first candidate: BTF before DWARF, structs before unions and typedefs. */
static int use_named_type(struct infer *infer, const char *map, const char *callers_name,
			  struct inferred_type *type)
{
	const char *name = candidates__name_of(callers_name);
	struct candidates list = { 0 };
	int err = candidates__read_named(&list, infer->btf, infer->info, name);

	if (!err && !list.count)
		err = log_missing_type(infer, map, name);
	if (!err) {
		type->schema = candidates__schema(infer->btf, infer->info, list.at);
		type->why = strdup("named");
		err = type->schema ? 0 : -errno;
		if (err)
			log__error("%s: '%s' cannot be the type of events", map, name);
		else if (!type->why)
			err = -ENOMEM;
	}
	candidates__free(&list);
	return err;
}

/* ---- by size --------------------------------------------------------------------------------- */

/* 0: the size is not known. */
static uint32_t single_size(const struct output_calls *calls)
{
	return calls->is_computed ? 0 : calls->least;
}

static bool has_several_sizes(const struct output_calls *calls)
{
	return calls->least != calls->most || (calls->is_computed && calls->least);
}

/* " of 4 bytes", " of different sizes, from 4 to 8 bytes". */
static void append_sizes(const struct output_calls *calls, struct strbuf *out)
{
	if (!has_several_sizes(calls)) {
		append_byte_count(out, calls->least);
		return;
	}
	strbuf__text(out, " of different sizes, from ");
	strbuf__unsigned(out, calls->least);
	if (calls->is_computed) {
		strbuf__text(out, " bytes to a size that is computed");
		return;
	}
	strbuf__text(out, " to ");
	strbuf__unsigned(out, calls->most);
	strbuf__text(out, " bytes");
}

/* BTF lacks the types that only local variables have. */
static const char *place_of_types(const struct infer *infer)
{
	return infer->info ? " that the object defines" : " in the object's BTF";
}

static void append_candidates(const struct infer *infer, const struct candidates *list,
			      uint32_t bytes, bool is_shown, struct strbuf *out)
{
	if (!list->count)
		strbuf__text(out, "no struct");
	else if (list->count == 1)
		strbuf__text(out, "the only struct");
	else
		strbuf__unsigned(out, list->count);
	if (list->count > 1)
		strbuf__text(out, " structs");
	if (bytes)
		append_byte_count(out, bytes);
	strbuf__text(out, list->count > 1 ? ": " : place_of_types(infer));
	if (list->count > 1)
		candidates__name(list, out);
	else if (list->count && !is_shown)
		strbuf__text(out, ", but it cannot be the type of events");
}

/* If the types are invalid, the events stay bytes. */
static int choose_by_size(struct infer *infer, uint32_t bytes, struct inferred_type *type,
			  struct strbuf *out)
{
	struct candidates list = { 0 };
	int err = read_own_candidates(infer, bytes, &list);

	if (!err && list.count == 1) {
		type->schema = candidates__schema(infer->btf, infer->info, list.at);
		err = type->schema || errno != ENOMEM ? 0 : -ENOMEM;
	}
	if (!err)
		append_candidates(infer, &list, bytes, type->schema, out);
	candidates__free(&list);
	if (!err || err == -ENOMEM)
		return err;
	strbuf__text(out, "the object's types are invalid");
	return 0;
}

/* Why the only candidate can be wrong; NULL: it cannot. */
static const char *find_doubt(const struct infer *infer, const struct output_sizes *sizes)
{
	const struct output_calls *calls = &sizes->to_map, *unknown = &sizes->to_unknown;

	if (!infer->info)
		return "; but the object has no debug information, which has types that the BTF "
		       "lacks";
	if (!calls->count)
		return "; but no code writes to the map";
	if (calls->is_computed)
		return "; but the size of the events is computed";
	if (unknown->is_computed || (unknown->count && unknown->least != calls->least) ||
	    unknown->least != unknown->most)
		return "; but events of other sizes are written to a map that is not a constant "
		       "in the code";
	return NULL;
}

static int infer_from_sizes(struct infer *infer, const struct output_sizes *sizes,
			    struct inferred_type *type, struct strbuf *out)
{
	const char *doubt = find_doubt(infer, sizes);
	int err;

	if (has_several_sizes(&sizes->to_map)) {
		strbuf__text(out, "events");
		append_sizes(&sizes->to_map, out);
		return 0;
	}
	err = choose_by_size(infer, single_size(&sizes->to_map), type, out);
	type->is_guess = type->schema && doubt;
	if (type->is_guess)
		strbuf__text(out, doubt);
	return err;
}

/* `sizes`: NULL if the code is invalid. */
static int infer_from_code(struct infer *infer, const struct output_sizes *sizes,
			   struct inferred_type *type)
{
	struct strbuf out = { 0 };
	int err = 0;

	if (sizes)
		err = infer_from_sizes(infer, sizes, type, &out);
	else
		strbuf__text(&out, "the object's code is invalid");
	if (!err)
		return finish_text(&out, &type->why);
	strbuf__free(&out);
	return err;
}

/* ---- by the map's definition ----------------------------------------------------------------- */

/* The kernel's only size of an array's values.  Definitions have structs of 4 bytes to get it. */
#define ARRAY_VALUE_BYTES 4

/* The struct of __type(value, struct event); 0: the values of the map are no structs. */
static uint32_t find_value_type(const struct infer *infer, const char *map_name)
{
	const struct bpf_map *map = bpf_object__find_map_by_name(infer->object, map_name);
	uint32_t id = map ? bpf_map__btf_value_type_id(map) : 0;
	int whole = id ? btf__resolve_type(infer->btf, id) : 0;

	return whole > 0 && btf_is_composite(btf__type_by_id(infer->btf, (uint32_t)whole)) ? id : 0;
}

/* Whether all sizes that are constant in the code are `bytes`. */
static bool has_only_size(const struct output_calls *calls, uint32_t bytes)
{
	return !calls->least || (calls->least == bytes && calls->most == bytes);
}

/* Whether the struct may give the map its value size, and no more: the code does not show that all
 * events have this size. */
static bool is_placeholder(const struct output_calls *calls, uint32_t bytes)
{
	return bytes == ARRAY_VALUE_BYTES &&
	       (!calls->least || calls->is_computed || !has_only_size(calls, bytes));
}

static int explain_value_type(const struct output_calls *calls, struct inferred_type *type)
{
	struct strbuf out = { 0 };

	strbuf__text(&out, "the map's value type");
	type->is_guess = !has_only_size(calls, type->schema->bytes);
	if (type->is_guess) {
		strbuf__text(&out, "; but the code sends events");
		append_sizes(calls, &out);
	}
	return finish_text(&out, &type->why);
}

/* `sizes`: NULL if the code is invalid.  1: found; 0: there is none; -ENOMEM. */
static int use_value_type(const struct infer *infer, const char *map,
			  const struct output_sizes *sizes, struct inferred_type *type)
{
	const struct output_calls calls = sizes ? sizes->to_map : (struct output_calls){ 0 };
	uint32_t id = find_value_type(infer, map);
	int err;

	if (!id)
		return 0;
	type->schema = peat_schema__new(infer->btf, id);
	if (!type->schema)
		return errno == ENOMEM ? -ENOMEM : 0;
	if (is_placeholder(&calls, type->schema->bytes)) {
		inferred_type__free(type);
		return 0;
	}
	err = explain_value_type(&calls, type);
	return err ? err : 1;
}

/* ---- by all of these ------------------------------------------------------------------------- */

static bool is_only_array(const struct infer *infer)
{
	const struct bpf_map *map;
	uint32_t count = 0;

	bpf_object__for_each_map(map, infer->object) count +=
		bpf_map__type(map) == BPF_MAP_TYPE_PERF_EVENT_ARRAY;
	return count == 1;
}

static void add_calls(struct output_calls *calls, const struct output_calls *more)
{
	calls->count += more->count;
	calls->is_computed |= more->is_computed;
	if (more->least && (!calls->least || more->least < calls->least))
		calls->least = more->least;
	if (more->most > calls->most)
		calls->most = more->most;
}

/* Unknown maps are the only array, or an array without other calls. */
static int read_sizes(const struct infer *infer, const char *map, struct output_sizes *sizes)
{
	int err = output_sizes__read(infer->elf, map, sizes);

	if (err || (sizes->to_map.count && !is_only_array(infer)))
		return err;
	add_calls(&sizes->to_map, &sizes->to_unknown);
	return 0;
}

/* Whether events may have bytes after the struct: a packet, or a larger struct. */
static bool may_append(const struct output_sizes *sizes, const struct peat_schema *schema)
{
	return sizes->appends || sizes->to_map.most > schema->bytes + APPENDED_PADDING_MAX;
}

int infer__map_type(struct infer *infer, const char *map, const char *name,
		    struct inferred_type *type)
{
	struct output_sizes sizes;
	int err = read_sizes(infer, map, &sizes);
	bool is_valid = !err;

	*type = (struct inferred_type){ 0 };
	if (err == -ENOMEM)
		return fail(err);
	err = name ? use_named_type(infer, map, name, type)
		   : use_value_type(infer, map, is_valid ? &sizes : NULL, type);
	if (!name && !err)
		err = infer_from_code(infer, is_valid ? &sizes : NULL, type);
	if (err > 0)
		err = 0;
	if (err)
		inferred_type__free(type);
	else if (type->schema)
		type->schema->expects_appended = is_valid && may_append(&sizes, type->schema);
	return err ? fail(err) : 0;
}

/* ---- for others to read ---------------------------------------------------------------------- */

static int copy_btf(const struct btf *btf, struct btf **copy)
{
	uint32_t bytes;
	const void *data = btf ? btf__raw_data(btf, &bytes) : NULL;

	*copy = data ? btf__new(data, bytes) : NULL;
	return *copy ? 0 : btf ? -errno : -ENOENT;
}

int infer__export(struct infer *infer, const char *name, uint32_t bytes, struct btf **btf,
		  uint32_t *id)
{
	struct candidates list = { 0 };
	int err;

	*id = 0;
	if (!name)
		return copy_btf(infer->btf, btf);
	err = candidates__read_named(&list, infer->btf, infer->info, name);
	candidates__keep_size(&list, bytes);
	if (!err && !list.count) {
		err = -ENOENT;
	} else if (!err && list.at->in_btf) {
		*id = (uint32_t)list.at->place;
		err = copy_btf(infer->btf, btf);
	} else if (!err) {
		*btf = dwarf__btf(infer->info, list.at->place, id);
		err = *btf ? 0 : -errno;
	}
	candidates__free(&list);
	return err;
}

void inferred_type__free(struct inferred_type *type)
{
	peat_schema__free(type->schema);
	free(type->why);
	*type = (struct inferred_type){ 0 };
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/foreign/raw_arrays.c: the perf event arrays of objects without peat.bpf.h. */
#include <stdlib.h>
#include <string.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "base/array.h"
#include "base/errors.h"
#include "base/log.h"
#include "base/name_list.h"
#include "base/opts.h"
#include "live/inputs.h"
#include "object/infer/event_type.h"
#include "reader/types.h"
#include "session/foreign/array_names.h"
#include "session/foreign/counters.h"
#include "session/foreign/pinned_types.h"
#include "session/foreign/raw_arrays.h"

/* ---- arrays ---------------------------------------------------------------------------------- */

/* Reading an array sets its slots through its own fd. */
static int check_flags(const struct part *part, const struct bpf_map *map)
{
	if (!(bpf_map__map_flags(map) & BPF_F_RDONLY))
		return 0;
	log__error("cannot read the map %s of %s: its flag BPF_F_RDONLY forbids to set slots",
		   bpf_map__name(map), part->name);
	return -EPERM;
}

struct array *raw_arrays__append(struct peat_session *session, const char *name)
{
	struct array *array;
	char *copy;

	if (!ARRAY_RESERVE_NEXT(session->arrays, session->array_count))
		return NULL;
	copy = strdup(name);
	if (!copy)
		return NULL;
	array = &session->arrays[session->array_count++];
	*array = (struct array){ .base_name = copy };
	return array;
}

static int add_array(struct peat_session *session, const struct bpf_map *map)
{
	struct array *array = raw_arrays__append(session, bpf_map__name(map));

	if (!array)
		return -ENOMEM;
	array->map = map;
	array->part = session->part_count - 1;
	return 0;
}

/* NULL: it has none. */
static const struct bpf_map *find_ring_buffer(const struct bpf_object *object)
{
	const struct bpf_map *map;

	bpf_object__for_each_map(map, object)
	{
		if (bpf_map__type(map) == BPF_MAP_TYPE_RINGBUF)
			return map;
	}
	return NULL;
}

/* Programs that write to both lose these events without a count. */
static void warn_unread(const struct part *part)
{
	const struct bpf_map *map = find_ring_buffer(part->object);

	if (map)
		log__warn("%s: events of the ring buffer %s are not read: peat reads perf event "
			  "arrays",
			  part->name, bpf_map__name(map));
}

static int explain_none(const struct part *part)
{
	log__error("%s has no perf event array to read%s", part->name,
		   find_ring_buffer(part->object) ? ", but a ring buffer (BPF_MAP_TYPE_RINGBUF): "
						    "peat reads perf event arrays"
						  : "");
	return -EINVAL;
}

int raw_arrays__add(struct peat_session *session)
{
	const struct part *part = &session->parts[session->part_count - 1];
	uint32_t before = session->array_count;
	const struct bpf_map *map;
	int err = 0;

	bpf_object__for_each_map(map, part->object)
	{
		if (err || bpf_map__type(map) != BPF_MAP_TYPE_PERF_EVENT_ARRAY ||
		    counters__has(session, map))
			continue;
		err = check_flags(part, map);
		if (!err)
			err = add_array(session, map);
	}
	if (!err && session->array_count > INPUTS_MAPS) {
		log__error("%u perf event arrays are too many: %u can be read together",
			   session->array_count, INPUTS_MAPS);
		err = -E2BIG;
	}
	if (!err && session->array_count > before)
		warn_unread(part);
	while (err && session->array_count > before)
		free(session->arrays[--session->array_count].base_name);
	return err;
}

/* ---- types of events ------------------------------------------------------------------------- */

static int explain_ambiguous(const struct peat_session *session, const char *map)
{
	char names[400] = "";

	for (uint32_t i = 0; i < session->array_count; i++)
		if (array_names__match(session, &session->arrays[i], map))
			name_list__append(names, sizeof(names), session->arrays[i].name);
	log__error("several perf event arrays can be meant: name one, MAP=TYPE: %s", names);
	return fail(-EINVAL);
}

static int explain_missing(const struct peat_session *session, const char *map)
{
	if (!session->array_count)
		log__error("no perf event array to set a type of events for");
	else
		log__error("no perf event array '%s': there is '%s'%s", map,
			   session->arrays[0].name, session->array_count > 1 ? " and others" : "");
	return fail(-ENOENT);
}

/* It may have been inferred for peat_session__array(). */
static void forget_type(struct array *array)
{
	peat_schema__free(array->schema);
	free(array->why);
	array->schema = NULL;
	array->why = NULL;
	array->is_guess = false;
	if (!array->map)
		return; /* the BTF was pinned with it */
	btf__free(array->btf);
	array->btf = NULL;
	array->type_id = 0;
}

int peat_session__name_events(struct peat_session *session, const char *map, const char *type)
{
	struct array *array = NULL;
	uint32_t found = 0;
	int err = parts__check_not_started(session);

	if (!err)
		err = array_names__set(session);
	if (err)
		return fail(err);
	for (uint32_t i = 0; i < session->array_count; i++) {
		if (!array_names__match(session, &session->arrays[i], map))
			continue;
		array = &session->arrays[i];
		found++;
	}
	if (found != 1)
		return found ? explain_ambiguous(session, map) : explain_missing(session, map);
	forget_type(array);
	free(array->as);
	array->as = strdup(type);
	return array->as ? 0 : fail(-ENOMEM);
}

/* A struct with the name raw is "struct raw". */
static int keep_bytes(struct array *array)
{
	array->why = strdup("named");
	return array->why ? 0 : -ENOMEM;
}

static int identify_array(struct infer *infer, struct array *array)
{
	struct inferred_type guess = { 0 };
	int err;

	if (array->as && !strcmp(array->as, "raw"))
		return keep_bytes(array);
	err = infer__map_type(infer, bpf_map__name(array->map), array->as, &guess);
	if (!err) {
		array->schema = guess.schema;
		array->why = guess.why;
		array->is_guess = guess.is_guess;
		guess = (struct inferred_type){ 0 };
	}
	inferred_type__free(&guess);
	return err;
}

/* Keeps the types for recordings and pinned_types__pin().  Without BTF, no type is pinned. */
static int keep_types(struct infer *infer, struct array *array)
{
	const char *name = array->schema ? peat_schema__name(array->schema) : NULL;
	uint32_t bytes = name ? peat_schema__bytes(array->schema) : 0;
	int err = infer__export(infer, name, bytes, &array->btf, &array->type_id);

	if (err && err != -ENOMEM)
		log__info("recordings and pins do not have the type of %s: %s", array->name,
			  strerror(-err));
	return err == -ENOMEM ? err : 0;
}

static struct infer *open_infer(const struct part *part)
{
	return infer__open_mem(part->object, part->bytes, part->byte_count);
}

static bool has_array(const struct peat_session *session, size_t part)
{
	for (uint32_t i = 0; i < session->array_count; i++)
		if (session->arrays[i].part == part)
			return true;
	return false;
}

static int identify_part(struct peat_session *session, size_t index)
{
	struct infer *infer;
	int err;

	infer = open_infer(&session->parts[index]);
	err = infer ? 0 : -errno;

	if (err)
		log__error("cannot read the code and types of %s: %s", session->parts[index].name,
			   strerror(-err));
	for (uint32_t i = 0; !err && i < session->array_count; i++) {
		struct array *array = &session->arrays[i];

		if (array->part != index)
			continue;
		if (!array->why)
			err = identify_array(infer, array);
		if (!err && !array->btf)
			err = keep_types(infer, array);
	}
	infer__free(infer);
	return err;
}

int raw_arrays__identify(struct peat_session *session)
{
	int err = 0;

	for (size_t i = 0; !err && !session->channel && i < session->part_count; i++)
		err = has_array(session, i) ? identify_part(session, i)
					    : explain_none(&session->parts[i]);
	return err;
}

static int identify_before_start(struct peat_session *session)
{
	int err = array_names__set(session);

	for (size_t i = 0; !err && i < session->part_count; i++)
		if (has_array(session, i))
			err = identify_part(session, i);
	return err ?: pinned_types__identify(session);
}

/* ---- arrays that objects share --------------------------------------------------------------- */

static void free_array(struct array *array)
{
	peat_schema__free(array->schema);
	free(array->why);
	free(array->as);
	btf__free(array->btf);
	free(array->base_name);
	free(array->name);
	free(array->type_name);
}

static bool is_same_type(const struct peat_schema *one, const struct peat_schema *other)
{
	return one && other && peat_schema__bytes(one) == peat_schema__bytes(other) &&
	       !strcmp(peat_schema__name(one), peat_schema__name(other));
}

/* A type set by the user is kept.  Types that differ make the events bytes. */
static int merge_types(struct array *kept, struct array *other)
{
	struct array swap = *kept;

	if (kept->as)
		return 0;
	if (!other->as && is_same_type(kept->schema, other->schema)) {
		kept->is_guess |= other->is_guess;
		return 0;
	}
	kept->is_guess = false;
	if (other->as) {
		kept->as = other->as;
		kept->schema = other->schema;
		kept->why = other->why;
		kept->btf = other->btf;
		kept->type_id = other->type_id;
		other->btf = swap.btf;
		other->as = swap.as;
		other->schema = swap.schema;
		other->why = swap.why;
		return 0;
	}
	peat_schema__free(kept->schema);
	free(kept->why);
	kept->schema = NULL;
	kept->type_id = 0;
	kept->why = strdup("several objects share the map, and their types differ");
	return kept->why ? 0 : -ENOMEM;
}

static int read_id(const struct array *array, uint32_t *id)
{
	struct bpf_map_info info = { 0 };
	uint32_t bytes = sizeof(info);

	if (bpf_obj_get_info_by_fd(bpf_map__fd(array->map), &info, &bytes))
		return -errno;
	*id = info.id;
	return 0;
}

static void remove_array(struct peat_session *session, uint32_t i)
{
	free_array(&session->arrays[i]);
	session->array_count--;
	memmove(&session->arrays[i], &session->arrays[i + 1],
		(session->array_count - i) * sizeof(*session->arrays));
}

/* A map's slots hold one ring per CPU, so the reader may have each map only once. */
static int merge_shared(struct peat_session *session)
{
	uint32_t ids[INPUTS_MAPS], i = 0, first;
	int err = 0;

	while (!err && i < session->array_count) {
		err = read_id(&session->arrays[i], &ids[i]);
		for (first = 0; !err && ids[first] != ids[i];)
			first++;
		if (err || first == i) {
			i++;
			continue;
		}
		err = merge_types(&session->arrays[first], &session->arrays[i]);
		remove_array(session, i);
	}
	return err;
}

int raw_arrays__settle(struct peat_session *session)
{
	int err = session->maps.count ? 0 : merge_shared(session);

	if (!err)
		err = array_names__set(session);
	return err ?: array_names__set_types(session);
}

int peat_session__array(struct peat_session *session, uint32_t i, struct peat_array *callers_array)
{
	const struct array *array;
	struct peat_array found;
	int err = session->reader ? 0 : identify_before_start(session);

	if (err)
		return fail(err);
	if (i >= session->array_count)
		return 0;
	array = &session->arrays[i];
	found = (struct peat_array){
		.map = parts__map_name(array),
		.name = array->name,
		.source = array->map ? session->parts[array->part].name : NULL,
		.schema = array->schema,
		.why = array->why,
		.is_named = array->as,
		.is_guess = array->is_guess,
	};
	err = opts__write(callers_array, &found, sizeof(found), "peat_array");
	return err ? fail(err) : 1;
}

/* ---- reading --------------------------------------------------------------------------------- */

static int describe_maps(const struct peat_session *session, struct peat_reader *reader)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < session->array_count; i++) {
		err = peat_reader__set_schema(reader, i, session->arrays[i].schema);
		if (!err)
			err = reader__set_map_name(reader, i, session->arrays[i].name);
		if (!err)
			err = reader__set_map_btf(reader, i, session->arrays[i].btf);
	}
	return err;
}

struct peat_reader *raw_arrays__open_reader(const struct peat_session *session,
					    const struct peat_reader_opts *opts)
{
	struct peat_reader *reader;
	int fds[INPUTS_MAPS], err;

	for (uint32_t i = 0; i < session->array_count; i++)
		fds[i] = parts__map_fd(&session->arrays[i]);
	reader = peat_reader__new_maps(fds, session->array_count, opts);
	if (!reader)
		return NULL;
	err = describe_maps(session, reader);
	if (!err)
		return reader;
	peat_reader__free(reader);
	return fail_null(err);
}

void raw_arrays__free(struct peat_session *session)
{
	for (uint32_t i = 0; i < session->array_count; i++)
		free_array(&session->arrays[i]);
	free(session->arrays);
}

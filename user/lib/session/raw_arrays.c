// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* arrays.c: the perf event arrays of objects that know nothing of peat. */
#include <stdlib.h>
#include <string.h>
#include <bpf/libbpf.h>

#include "session/raw_arrays.h"
#include "object/infer/event_type.h"
#include "base/internal.h"
#include "live/inputs.h"

/* ---- which there are ------------------------------------------------------------------------- */

/* To be read means that slots are set, which its own fd is to do. */
static int check_flags(const struct part *part, const struct bpf_map *map)
{
	if (!(bpf_map__map_flags(map) & BPF_F_RDONLY))
		return 0;
	log__error("the map %s of %s is made with BPF_F_RDONLY: its slots cannot be set, and so "
		   "nobody can read it",
		   bpf_map__name(map), part->name);
	return -EPERM;
}

static int add_array(struct peat_session *session, const struct bpf_map *map)
{
	struct array *grown;

	grown = reallocarray(session->arrays, session->array_count + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	session->arrays = grown;
	grown[session->array_count++] =
		(struct array){ .map = map, .part = session->part_count - 1 };
	return 0;
}

static bool has_ring_buffer(const struct bpf_object *object)
{
	const struct bpf_map *map;

	bpf_object__for_each_map(map, object)
	{
		if (bpf_map__type(map) == BPF_MAP_TYPE_RINGBUF)
			return true;
	}
	return false;
}

static int explain_none(const struct part *part)
{
	log__error("%s has no perf event array to read%s", part->name,
		   has_ring_buffer(part->object) ? ", but a ring buffer (BPF_MAP_TYPE_RINGBUF): "
						   "peat reads perf event arrays"
						 : "");
	return -EINVAL;
}

int arrays__add(struct peat_session *session)
{
	const struct part *part = &session->parts[session->part_count - 1];
	uint32_t before = session->array_count;
	const struct bpf_map *map;
	int err = 0;

	bpf_object__for_each_map(map, part->object)
	{
		if (err || bpf_map__type(map) != BPF_MAP_TYPE_PERF_EVENT_ARRAY)
			continue;
		err = check_flags(part, map);
		if (!err)
			err = add_array(session, map);
	}
	if (!err && session->array_count > LIVE_MAPS) {
		log__error("%u perf event arrays are too many: %u can be read together",
			   session->array_count, LIVE_MAPS);
		err = -E2BIG;
	}
	if (err)
		session->array_count = before;
	return err;
}

/* ---- what is written to them ----------------------------------------------------------------- */

static bool is_called(const struct array *array, const char *map)
{
	return !map || !strcmp(bpf_map__name(array->map), map);
}

static int explain_missing(const struct peat_session *session, const char *map, uint32_t found)
{
	if (!session->array_count)
		log__error("there is no perf event array whose events could be named");
	else if (found)
		log__error("%u perf event arrays are meant by '%s': say which, MAP=TYPE", found,
			   map ? map : "");
	else
		log__error("there is no perf event array '%s'; there is '%s'%s", map,
			   bpf_map__name(session->arrays[0].map),
			   session->array_count > 1 ? " among others" : "");
	return fail(found ? -EINVAL : -ENOENT);
}

int peat_session__name_events(struct peat_session *session, const char *map, const char *type)
{
	struct array *array = NULL;
	uint32_t found = 0;
	int err = parts__check_not_started(session);

	if (err)
		return fail(err);
	for (uint32_t i = 0; i < session->array_count; i++) {
		if (!is_called(&session->arrays[i], map))
			continue;
		array = &session->arrays[i];
		found++;
	}
	if (found != 1)
		return explain_missing(session, map, found);
	free(array->as);
	array->as = strdup(type);
	return array->as ? 0 : fail(-ENOMEM);
}

static int identify(struct guesser *guesser, struct array *array)
{
	struct guess guess = { 0 };
	int err = guess__map(guesser, bpf_map__name(array->map), array->as, &guess);

	if (!err) {
		array->schema = guess.schema;
		array->why = guess.why;
		guess = (struct guess){ 0 };
	}
	guess__free(&guess);
	return err;
}

static struct guesser *open_guesser(const struct part *part)
{
	if (part->bytes)
		return guesser__open_mem(part->object, part->bytes, part->byte_count);
	return guesser__open(part->object, part->name);
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
	struct guesser *guesser;
	int err;

	if (!has_array(session, index))
		return explain_none(&session->parts[index]);
	guesser = open_guesser(&session->parts[index]);
	err = guesser ? 0 : -errno;

	if (err)
		log__error("cannot look into %s: %s", session->parts[index].name, strerror(-err));
	for (uint32_t i = 0; !err && i < session->array_count; i++)
		if (session->arrays[i].part == index)
			err = identify(guesser, &session->arrays[i]);
	guesser__free(guesser);
	return err;
}

int arrays__identify(struct peat_session *session)
{
	int err = 0;

	for (size_t i = 0; !err && !session->channel && i < session->part_count; i++)
		err = identify_part(session, i);
	return err;
}

int peat_session__array(const struct peat_session *session, uint32_t i,
			struct peat_array *callers_array)
{
	const struct array *array;
	struct peat_array found;
	int err;

	if (i >= session->array_count)
		return 0;
	array = &session->arrays[i];
	found = (struct peat_array){
		.map = bpf_map__name(array->map),
		.source = session->parts[array->part].name,
		.schema = array->schema,
		.why = array->why,
	};
	err = opts__write(callers_array, &found, sizeof(found), "peat_array");
	return err ? fail(err) : 1;
}

/* ---- reading --------------------------------------------------------------------------------- */

static int set_schemas(const struct peat_session *session, struct peat_reader *reader)
{
	int err = 0;

	for (uint32_t i = 0; !err && i < session->array_count; i++)
		err = peat_reader__set_schema(reader, i, session->arrays[i].schema);
	return err;
}

struct peat_reader *arrays__open_reader(const struct peat_session *session,
					const struct peat_reader_opts *opts)
{
	struct peat_reader *reader;
	int fds[LIVE_MAPS], err;

	for (uint32_t i = 0; i < session->array_count; i++)
		fds[i] = bpf_map__fd(session->arrays[i].map);
	reader = peat_reader__new_maps(fds, session->array_count, opts);
	if (!reader)
		return NULL;
	err = set_schemas(session, reader);
	if (!err)
		return reader;
	peat_reader__free(reader);
	return fail_null(err);
}

void arrays__free(struct peat_session *session)
{
	for (uint32_t i = 0; i < session->array_count; i++) {
		peat_schema__free(session->arrays[i].schema);
		free(session->arrays[i].why);
		free(session->arrays[i].as);
	}
	free(session->arrays);
}

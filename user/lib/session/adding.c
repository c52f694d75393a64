// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/adding.c: opens BPF objects, and adds them to a session. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/libbpf.h>

#include "base/array.h"
#include "base/errors.h"
#include "base/log.h"
#include "object/legacy_maps.h"
#include "object/open.h"
#include "object/preload.h"
#include "functions/function_probe.h"
#include "session/adding.h"
#include "session/attach/network.h"
#include "session/filters.h"
#include "session/foreign/counters.h"
#include "session/foreign/raw_arrays.h"
#include "session/foreign/sampled_events.h"
#include "session/parts/session.h"
#include "session/tables.h"

static bool uses_peat(const struct bpf_object *object)
{
	return bpf_object__find_map_by_name(object, "peat_stage");
}

/* A reader reads one channel, or perf event arrays raw, not both. */
static int check_same_kind(const struct peat_session *session, const struct part *part)
{
	bool uses = uses_peat(part->object);

	if (session->sampling)
		return sampled_events__refuse();
	if (!session->part_count || uses == (session->channel != NULL))
		return 0;
	log__error("%s does not use peat.bpf.h, so it cannot be read together with objects that do",
		   uses ? session->parts[0].name : part->name);
	return -EINVAL;
}

static int bind_channel(struct peat_session *session, struct bpf_object *object)
{
	if (!session->channel)
		session->channel = peat_channel__new(&session->channel_opts);
	return session->channel ? peat_channel__bind(session->channel, object) : -errno;
}

/* Binds the object added last to the channel, or adds its arrays. */
static int connect_last(struct peat_session *session)
{
	struct bpf_object *object = session->parts[session->part_count - 1].object;
	int err;

	if (uses_peat(object))
		return bind_channel(session, object);
	err = counters__add(session);
	if (err)
		return err;
	err = raw_arrays__add(session);
	if (err)
		counters__remove_last(session);
	return err;
}

static int keep_part(struct peat_session *session, const struct part *part)
{
	if (!ARRAY_RESERVE_NEXT(session->parts, session->part_count))
		return -ENOMEM;
	session->parts[session->part_count++] = *part;
	return 0;
}

void adding__free_part(struct part *part)
{
	bpf_object__close(part->object);
	core_btf__close(&part->btf);
	program_slots__free(&part->slots);
	variables__free(part);
	if (part->functions)
		function_probe__free(part->functions);
	free(part->functions);
	free(part->bytes);
	free(part->name);
}

static int read_slots(struct part *part, const void *elf, size_t bytes)
{
	int err = program_slots__read(&part->slots, part->object, elf, bytes);

	if (err)
		log__error("cannot read the program arrays of %s: %s", part->name, strerror(-err));
	return err;
}

/* Owns the part, also after an error. */
static int add_object_part(struct peat_session *session, struct part *part, const void *elf,
			   size_t bytes)
{
	int err = part->name ? check_same_kind(session, part) : -ENOMEM;

	if (!err)
		err = read_slots(part, elf, bytes);
	if (!err)
		err = keep_part(session, part);
	if (err) {
		adding__free_part(part);
		return err;
	}
	network__set_types(part->object);
	err = filters__set(part->object, part->name, &session->opts);
	if (!err)
		err = tables__add(session);
	if (!err)
		err = connect_last(session);
	if (err)
		tables__remove(session, session->part_count - 1);
	if (err)
		adding__free_part(&session->parts[--session->part_count]);
	return err;
}

/* For its types, or for trials of its programs. */
static bool is_opened_again(const struct peat_session *session, const struct bpf_object *object)
{
	return session->opts.best_effort || !uses_peat(object) || preload__any(object);
}

static int keep_bytes(struct part *part, const void *object, size_t bytes)
{
	part->bytes = malloc(bytes);
	if (!part->bytes)
		return -ENOMEM;
	memcpy(part->bytes, object, bytes);
	part->byte_count = bytes;
	return 0;
}

static int fail_open(struct part *part, int error)
{
	adding__free_part(part);
	return fail(-error);
}

int adding__elf(struct peat_session *session, const char *name, const void *object, size_t bytes)
{
	LIBBPF_OPTS(bpf_object_open_opts, open_opts);
	char object_name[OPEN_NAME_ROOM];
	struct part part = { 0 };
	int err;

	open__name_object(object_name, name);
	open_opts.object_name = object_name;
	core_btf__choose(&part.btf, object, bytes, session->btf);
	open_opts.btf_custom_path = core_btf__path(&part.btf);
	part.object = open__mem(name, object, bytes, &open_opts);
	if (!part.object)
		return fail_open(&part, errno);
	part.name = strdup(name);
	if (is_opened_again(session, part.object) && keep_bytes(&part, object, bytes)) {
		adding__free_part(&part);
		return fail(-ENOMEM);
	}
	err = add_object_part(session, &part, object, bytes);
	return err ? fail(err) : 0;
}

int peat_session__add(struct peat_session *session, const char *name, const void *object,
		      size_t bytes)
{
	int err = parts__check_not_started(session);
	size_t copy_bytes;
	void *copy = NULL;

	if (!err)
		err = legacy_maps__use(name, object, bytes, &copy, &copy_bytes);
	if (err < 0)
		return fail(err);
	err = copy ? adding__elf(session, name, copy, copy_bytes)
		   : adding__elf(session, name, object, bytes);
	free(copy);
	return err;
}

int peat_session__add_file(struct peat_session *session, const char *path)
{
	int err = parts__check_not_started(session);
	size_t count;
	void *bytes;

	if (err)
		return fail(err);
	bytes = open__read(path, &count);
	if (!bytes) {
		err = -errno;
		log__error("%s cannot be used as a BPF object: %s", path, strerror(-err));
		return fail(err);
	}
	err = peat_session__add(session, path, bytes, count);
	free(bytes);
	return err;
}

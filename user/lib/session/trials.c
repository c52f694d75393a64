// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/trials.c: loads copies of an object, to find the programs that the kernel refuses. */
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <bpf/libbpf.h>

#include "object/libbpf_log.h"
#include "object/open.h"
#include "session/loading.h"
#include "session/attach/chosen_targets.h"
#include "session/attach/network.h"
#include "session/parts/session.h"
#include "session/trials.h"

/* ---- copies ---------------------------------------------------------------------------------- */

static struct bpf_object *open_again(const struct part *part)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = bpf_object__name(part->object),
		    .btf_custom_path = core_btf__path(&part->btf));

	return open__mem(part->name, part->bytes, part->byte_count, &opts);
}

/* Sections of variables have sizes of their own. */
static int copy_sizes(const struct bpf_map *from, struct bpf_map *to)
{
	int err = bpf_map__set_key_size(to, bpf_map__key_size(from));

	if (!err)
		err = bpf_map__set_value_size(to, bpf_map__value_size(from));
	return err ? err : bpf_map__set_max_entries(to, bpf_map__max_entries(from));
}

static int copy_map(const struct bpf_map *from, struct bpf_map *to)
{
	size_t from_bytes, to_bytes;
	const void *value = bpf_map__initial_value((struct bpf_map *)from, &from_bytes);
	void *copy = (void *)bpf_map__initial_value(to, &to_bytes);
	int err;

	if (value && copy && from_bytes == to_bytes)
		memcpy(copy, value, to_bytes);
	if (bpf_map__fd(from) >= 0)
		return bpf_map__reuse_fd(to, bpf_map__fd(from));
	err = bpf_map__set_pin_path(to, bpf_map__pin_path(from))
		      ?: bpf_map__set_autocreate(to, bpf_map__autocreate(from));
	return err || value ? err : copy_sizes(from, to);
}

static int copy_maps(const struct bpf_object *from, const struct bpf_object *to)
{
	struct bpf_map *map, *twin;
	int err = 0;

	bpf_object__for_each_map(map, from)
	{
		twin = bpf_object__find_map_by_name(to, bpf_map__name(map));
		if (!err && twin)
			err = copy_map(map, twin);
	}
	return err;
}

static bool is_tried(const struct trials *trials, const struct bpf_program *program)
{
	return bpf_program__autoload(program) &&
	       (!trials->accepts || trials->accepts(trials->part->object, program));
}

static int copy_choice(const struct trials *trials, const struct bpf_object *to)
{
	const struct bpf_object *from = trials->part->object;
	struct bpf_program *program, *twin;
	int err = 0;

	bpf_object__for_each_program(program, from)
	{
		twin = bpf_object__find_program_by_name(to, bpf_program__name(program));
		if (!err && twin)
			err = bpf_program__set_autoload(twin, is_tried(trials, program));
	}
	return err;
}

/* An object that failed to load cannot be loaded again. */
static struct bpf_object *copy_object(const struct trials *trials)
{
	const struct part *part = trials->part;
	struct bpf_object *object = open_again(part);
	int err;

	if (!object)
		return NULL;
	network__set_types(object);
	err = copy_maps(part->object, object) ?: copy_choice(trials, object)
		      ?: chosen_targets__bind(trials->session, part->object, object);
	if (!err)
		return object;
	bpf_object__close(object);
	errno = -err;
	return NULL;
}

/* ---- trials ---------------------------------------------------------------------------------- */

/* All programs up to `last`; NULL: all of the object. */
static void leave_out_to(const struct bpf_object *object, const char *last)
{
	struct bpf_program *program;

	bpf_object__for_each_program(program, object)
	{
		bpf_program__set_autoload(program, false);
		if (last && !strcmp(bpf_program__name(program), last))
			return;
	}
}

/* Leaves out all programs but the first `most`.  Returns the last of these; NULL: these are all. */
static const struct bpf_program *leave_out_rest(const struct bpf_object *object, size_t most)
{
	const struct bpf_program *last = NULL;
	struct bpf_program *program;
	bool any = false;

	bpf_object__for_each_program(program, object)
	{
		if (!bpf_program__autoload(program))
			continue;
		if (most) {
			last = program;
			most--;
			continue;
		}
		bpf_program__set_autoload(program, false);
		any = true;
	}
	return any ? last : NULL;
}

static void choose_some(struct trials *trials, const struct bpf_object *object,
			const struct bpf_program *from)
{
	const struct bpf_program *last;

	if (from)
		leave_out_to(object, bpf_program__name(from));
	last = leave_out_rest(object, trials->most);
	trials->last = last ? bpf_object__find_program_by_name(trials->part->object,
							       bpf_program__name(last))
			    : NULL;
}

bool trials__any(const struct trials *trials, const struct bpf_program *from)
{
	const struct bpf_object *object = trials->part->object;
	struct bpf_program *program = (struct bpf_program *)from;

	while ((program = bpf_object__next_program(object, program)))
		if (is_tried(trials, program))
			return true;
	return false;
}

/*
 * A filter accepts few programs, which need few trials: these create the maps.  A failure to create
 * maps is reported by the trials, and when the object itself is loaded.
 */
void trials__begin(struct trials *trials, const struct peat_session *session,
		   const struct part *part, trial_filter accepts)
{
	struct load_failure failure;

	*trials = (struct trials){ session, part, accepts, NULL, SIZE_MAX, NULL };
	trials->maps = accepts ? NULL : copy_object(trials);
	if (!trials->maps)
		return;
	leave_out_to(trials->maps, NULL);
	if (loading__run(session, trials->maps, &failure))
		trials__end(trials);
}

void trials__end(struct trials *trials)
{
	bpf_object__close(trials->maps);
	trials->maps = NULL;
}

int trials__load(struct trials *trials, const struct bpf_program *from,
		 struct load_failure *failure)
{
	struct bpf_object *object = copy_object(trials);
	int err;

	if (!object)
		return -errno;
	err = trials->maps ? copy_maps(trials->maps, object) : 0;
	choose_some(trials, object, from);
	loading__shorten_logs(object);
	libbpf_log__expect_failures(trials->accepts);
	if (!err)
		err = loading__run(trials->session, object, failure);
	libbpf_log__expect_failures(false);
	bpf_object__close(object);
	return err;
}

void trials__log_steps(const struct trials *trials, struct load_failure *failure)
{
	struct bpf_object *object = copy_object(trials);
	struct bpf_program *program;
	struct load_failure again;

	if (!object)
		return;
	leave_out_to(object, NULL);
	program = bpf_object__find_program_by_name(object, failure->program);
	if (program && !bpf_program__set_autoload(program, true) &&
	    loading__run(trials->session, object, &again) &&
	    !strcmp(again.program, failure->program))
		*failure = again;
	bpf_object__close(object);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/load.c: loads the objects of a session. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <bpf/libbpf.h>

#include "sys/caps.h"
#include "base/log.h"
#include "object/kernel_btf.h"
#include "object/libbpf_log.h"
#include "object/map_memory.h"
#include "object/open.h"
#include "session/conditions.h"
#include "session/function_programs.h"
#include "session/load.h"
#include "session/map_sizes.h"
#include "maps/flags.h"
#include "session/named_pins.h"
#include "session/attach/network.h"
#include "session/program_arrays.h"
#include "session/attach/return_values.h"
#include "session/parts/session.h"
#include "session/attach/uprobe_links.h"

/*
 * Relocations need BTF, and so does libbpf before it creates the first map or loads a program: for
 * attach targets and functions of the kernel.
 */
static bool lacks_btf(const struct part *part, const struct load_failure *failure)
{
	bool past_btf = *failure->map || *failure->program;

	return kernel_btf__is_missing() && !(core_btf__path(&part->btf) && past_btf);
}

/* Without a file, relocations fail; with one, what the kernel itself needs. */
static const char *btf_remedy(const struct part *part)
{
	return part->btf.given ? "fentry, fexit, lsm and functions of the kernel need "
				 "CONFIG_DEBUG_INFO_BTF, a file is not enough"
			       : "give a file with its types (btf of "
				 "peat_session_opts), or use a kernel with CONFIG_DEBUG_INFO_BTF";
}

/* For a program that was tp_btf, perhaps.  The verifier's message does not name the cause. */
static const char *raw_tracepoint_remedy(const struct part *part, const char *name)
{
	const struct bpf_program *program = bpf_object__find_program_by_name(part->object, name);

	if (!program || bpf_program__type(program) != BPF_PROG_TYPE_RAW_TRACEPOINT ||
	    !kernel_btf__is_missing())
		return "";
	return ": this kernel has no BTF, so the program can read its memory only by "
	       "BPF_CORE_READ() or PEAT_READ()";
}

/* "unknown func bpf_perf_event_read_value#55", "program of this type cannot use helper ...". */
static const char *counter_remedy(const char *reason)
{
	return strstr(reason, "bpf_perf_event_read_value")
		       ? ": programs of the network can read counters on Linux 6.18 and newer, and "
			 "not on 6.12 and older: read them in a tracing program"
		       : "";
}

static bool has_network_program(const struct part *part)
{
	struct bpf_program *program;
	bool found = false;

	bpf_object__for_each_program(program, part->object) found |=
		bpf_program__autoload(program) && network__accepts(program);
	return found;
}

/* The kernel returns EINVAL, whichever property it refuses. */
static void explain_map(const struct part *part, const char *name, int err)
{
	const struct bpf_map *map = bpf_object__find_map_by_name(part->object, name);
	char sizes[MAP_SIZES_BYTES] = "", flags[MAP_FLAGS_BYTES] = "", node[64] = "";

	if (map) {
		map_sizes__text(map, sizes);
		flags__text(bpf_map__map_flags(map), flags);
	}
	if (map && bpf_map__map_flags(map) & BPF_F_NUMA_NODE)
		snprintf(node, sizeof(node), ", its memory is on NUMA node %u",
			 bpf_map__numa_node(map));
	if (map && bpf_map__pin_path(map))
		log__error("cannot use the map pinned at %s as %s of %s: %s: it has to be: %s, its "
			   "flags are %s%s",
			   bpf_map__pin_path(map), name, part->name, strerror(-err), sizes,
			   *flags ? flags : "none", node);
	else
		log__error("cannot create the map %s of %s: %s: %s, its flags are %s%s%s", name,
			   part->name, strerror(-err), sizes, *flags ? flags : "none", node,
			   map ? map_sizes__remedy(map) : "");
}

/* For a program that is refused with EPERM, although no capability is missing. */
static const char *refusal_remedy(const struct part *part, const char *name)
{
	const struct bpf_program *program = bpf_object__find_program_by_name(part->object, name);
	const char *remedy = program ? function_programs__remedy(program) : NULL;

	return remedy			   ? remedy
	       : has_network_program(part) ? caps__explain_network()
					   : caps__explain();
}

static int explain_load_error(const struct part *part, const struct load_failure *failure, int err)
{
	const char *name = part->name;
	bool named = *failure->program;

	if (err == -EPERM && named && !caps__any_missing())
		log__error("cannot load the program %s of %s: %s: %s", failure->program, name,
			   strerror(-err), refusal_remedy(part, failure->program));
	else if (err == -EPERM || (err == -EACCES && !named))
		log__error("cannot load the BPF programs of %s: %s: %s", name, strerror(-err),
			   has_network_program(part) ? caps__explain_network() : caps__explain());
	else if (err == -EMFILE)
		log__error("cannot load the BPF programs of %s: %s: each map and program needs a "
			   "file descriptor: raise RLIMIT_NOFILE (ulimit -n)",
			   name, strerror(-err));
	else if (lacks_btf(part, failure))
		log__error("cannot load the BPF programs of %s: this kernel has no BTF "
			   "(" KERNEL_BTF "): %s",
			   name, btf_remedy(part));
	else if (*failure->map)
		explain_map(part, failure->map, err);
	else if (named)
		log__error("cannot load the program %s of %s: %s%s%s", failure->program, name,
			   failure->reason, raw_tracepoint_remedy(part, failure->program),
			   counter_remedy(failure->reason));
	else
		log__error("cannot load the BPF programs of %s: %s%s%s", name, strerror(-err),
			   *failure->last ? ": " : "", failure->last);
	return err;
}

/* ---- trials ---------------------------------------------------------------------------------- */

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

static int copy_map(struct bpf_map *from, struct bpf_map *to)
{
	size_t from_bytes, to_bytes;
	const void *value = bpf_map__initial_value(from, &from_bytes);
	void *copy = (void *)bpf_map__initial_value(to, &to_bytes);
	int err;

	if (value && copy && from_bytes == to_bytes)
		memcpy(copy, value, to_bytes);
	if (bpf_map__fd(from) >= 0)
		return bpf_map__reuse_fd(to, bpf_map__fd(from));
	err = bpf_map__set_pin_path(to, bpf_map__pin_path(from));
	return err || value ? err : copy_sizes(from, to);
}

/* Copies settings to another object of the same file. */
static int copy_settings(const struct bpf_object *from, const struct bpf_object *to)
{
	struct bpf_program *program, *twin;
	struct bpf_map *map, *map_twin;
	int err = 0;

	bpf_object__for_each_map(map, from)
	{
		map_twin = bpf_object__find_map_by_name(to, bpf_map__name(map));
		if (!err && map_twin)
			err = copy_map(map, map_twin);
	}
	bpf_object__for_each_program(program, from)
	{
		twin = bpf_object__find_program_by_name(to, bpf_program__name(program));
		if (!err && twin)
			err = bpf_program__set_autoload(twin, bpf_program__autoload(program));
	}
	return err;
}

static void leave_out_before(const struct bpf_object *object, const char *program_name)
{
	struct bpf_program *program;

	bpf_object__for_each_program(program, object)
	{
		if (!strcmp(bpf_program__name(program), program_name))
			return;
		bpf_program__set_autoload(program, false);
	}
}

/*
 * Loads a copy, since an object that failed to load cannot be loaded again.  `from` NULL: with all
 * programs; otherwise with those after `from`.
 */
static int try_load(const struct part *part, const struct bpf_program *from,
		    struct load_failure *failure)
{
	struct bpf_object *object = open_again(part);
	int err;

	if (!object)
		return -errno;
	network__set_types(object);
	err = copy_settings(part->object, object);
	if (from)
		leave_out_before(object, bpf_program__name(from));
	libbpf_log__watch(failure);
	if (!err)
		err = bpf_object__load(object);
	libbpf_log__watch(NULL);
	bpf_object__close(object);
	return err;
}

/* NULL: no program failed, or leaving it out would not help. */
static struct bpf_program *leave_out_failed(const struct part *part,
					    const struct load_failure *failure, int err)
{
	struct bpf_program *program;
	const char *remedy;

	if (lacks_btf(part, failure) || (err == -EPERM && caps__any_missing()))
		return NULL;
	program = bpf_object__find_program_by_name(part->object, failure->program);
	if (!program || !bpf_program__autoload(program) ||
	    bpf_program__set_autoload(program, false))
		return NULL;
	remedy = err == -EPERM ? function_programs__remedy(program) : NULL;
	log__warn("left out: program %s of %s (%s) cannot be loaded: %s%s%s%s", failure->program,
		  part->name, bpf_program__section_name(program), failure->reason,
		  raw_tracepoint_remedy(part, failure->program), remedy ? ": " : "",
		  remedy ? remedy : "");
	return program;
}

/*
 * Leaves out one program at a time.  libbpf loads programs in their order, so those before the one
 * that failed need no further trial.  The last trial has all programs, since libbpf can also fail
 * before it loads any.  Other errors appear again when the object is loaded.
 */
static void leave_out_failing(const struct peat_session *session, const struct part *part)
{
	const struct bpf_program *failed = NULL, *from = NULL;
	bool is_last = false;

	while (!session->is_cancelled) {
		struct load_failure failure;
		int err = try_load(part, from, &failure);

		failed = err ? leave_out_failed(part, &failure, err) : NULL;
		if (!failed && !from)
			return;
		is_last |= !failed;
		from = is_last ? NULL : failed;
	}
}

/* ---- loading --------------------------------------------------------------------------------- */

/* An object none of whose programs is to be loaded by default is no error. */
static int check_any_left(const struct peat_session *session)
{
	struct bpf_program *program;
	bool any = !session->part_count || !(session->opts.best_effort || session->chosen);

	for (size_t i = 0; i < session->part_count; i++)
		bpf_object__for_each_program(program, session->parts[i].object) any |=
			bpf_program__autoload(program);
	if (any)
		return 0;
	log__error("no program is left to load: all were left out");
	return -ENOENT;
}

static int load_part(struct peat_session *session, struct part *part)
{
	struct load_failure failure;
	int err = return_values__mend(part) ?: uprobe_links__choose(part);

	if (!err)
		err = named_pins__share(session, part->object);
	if (!err)
		err = program_arrays__replace(part);
	if (err)
		return err;
	libbpf_log__watch(&failure);
	err = bpf_object__load(part->object);
	libbpf_log__watch(NULL);
	err = err ? explain_load_error(part, &failure, err) : return_values__check(part);
	if (!err)
		err = program_arrays__fill(part);
	core_btf__close(&part->btf);
	return err ?: named_pins__pin(session, part);
}

int load__all(struct peat_session *session)
{
	int err = 0;

	map_memory__raise_limit();
	for (size_t i = 0; !err && i < session->part_count; i++)
		err = conditions__apply(&session->parts[i]);
	if (err)
		return err;
	for (size_t i = 0; session->opts.best_effort && i < session->part_count; i++)
		leave_out_failing(session, &session->parts[i]);
	err = check_any_left(session);
	for (size_t i = 0; !err && i < session->part_count; i++)
		err = session->is_cancelled ? -ECANCELED : load_part(session, &session->parts[i]);
	if (err == -ECANCELED)
		log__error("the start of the session was cancelled");
	return err;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* loading.c: the objects of a session, handed to the kernel. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <bpf/libbpf.h>

#include "sys/caps.h"
#include "base/internal.h"
#include "object/libbpf_log.h"
#include "session/load.h"
#include "maps/flags.h"
#include "session/network.h"
#include "session/parts.h"

/* Asked for relocations, or by libbpf before it comes to a map or a program: to attach it, to find
 * functions. */
static bool lacks_btf(const struct part *part, const struct load_failure *failure)
{
	bool came_far = *failure->map || *failure->program;

	return access("/sys/kernel/btf/vmlinux", R_OK) && !(core_btf__path(&part->btf) && came_far);
}

static bool sees_packets(const struct part *part)
{
	struct bpf_program *program;
	bool found = false;

	bpf_object__for_each_program(program, part->object) found |=
		bpf_program__autoload(program) && network__takes(program);
	return found;
}

/* The kernel says EINVAL, whatever it is that it does not like. */
static void explain_map(const struct part *part, const char *name, int err)
{
	const struct bpf_map *map = bpf_object__find_map_by_name(part->object, name);
	char flags[MAP_FLAGS_BYTES] = "", node[64] = "";

	if (map)
		map_flags__text(bpf_map__map_flags(map), flags);
	if (map && bpf_map__map_flags(map) & BPF_F_NUMA_NODE)
		snprintf(node, sizeof(node), ", its memory is to be of NUMA node %u",
			 bpf_map__numa_node(map));
	log__error("cannot create the map %s of %s: %s: its flags are %s%s", name, part->name,
		   strerror(-err), *flags ? flags : "none", node);
}

static int explain(const struct part *part, const struct load_failure *failure, int err)
{
	const char *name = part->name;
	const char *why = sees_packets(part) ? caps__explain_network() : caps__explain();
	bool named = *failure->program;

	if (err == -EPERM && named && !caps__any_missing())
		log__error("cannot load the program %s of %s: %s: %s", failure->program, name,
			   strerror(-err), why);
	else if (err == -EPERM || (err == -EACCES && !named))
		log__error("cannot load the BPF programs of %s: %s: %s", name, strerror(-err), why);
	else if (lacks_btf(part, failure))
		log__error("cannot load the BPF programs of %s: this kernel has no BTF "
			   "(/sys/kernel/btf/vmlinux): it needs CONFIG_DEBUG_INFO_BTF",
			   name);
	else if (*failure->map)
		explain_map(part, failure->map, err);
	else if (named)
		log__error("cannot load the program %s of %s: %s (-v: all that libbpf and the "
			   "verifier say)",
			   failure->program, name, failure->reason);
	else
		log__error("cannot load the BPF programs of %s: %s (libbpf says why: -v)", name,
			   strerror(-err));
	return err;
}

/* ---- trials ---------------------------------------------------------------------------------- */

static struct bpf_object *open_again(const struct part *part)
{
	LIBBPF_OPTS(bpf_object_open_opts, opts, .object_name = bpf_object__name(part->object),
		    .btf_custom_path = core_btf__path(&part->btf));

	return part->bytes ? bpf_object__open_mem(part->bytes, part->byte_count, &opts)
			   : bpf_object__open_file(part->name, &opts);
}

static int copy_map(struct bpf_map *from, struct bpf_map *to)
{
	size_t from_bytes, to_bytes;
	const void *value = bpf_map__initial_value(from, &from_bytes);
	void *copy = (void *)bpf_map__initial_value(to, &to_bytes);

	if (value && copy && from_bytes == to_bytes)
		memcpy(copy, value, to_bytes);
	return bpf_map__fd(from) >= 0 ? bpf_map__reuse_fd(to, bpf_map__fd(from)) : 0;
}

/* What was set in an object, set in another one of the same file. */
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

/* An object that could not be loaded cannot be loaded again, so another one is. */
static int try(const struct part *part, struct load_failure *failure)
{
	struct bpf_object *object = open_again(part);
	int err;

	if (!object)
		return -errno;
	network__set_types(object);
	err = copy_settings(part->object, object);
	libbpf_log__watch(failure);
	if (!err)
		err = bpf_object__load(object);
	libbpf_log__watch(NULL);
	bpf_object__close(object);
	return err;
}

/* One program less each time; what no program is to blame for the load will say again. */
static void leave_out_failing(const struct part *part)
{
	struct load_failure failure;
	struct bpf_program *program;
	int err;

	while ((err = try(part, &failure)) && !lacks_btf(part, &failure)) {
		if (err == -EPERM && caps__any_missing())
			return;
		program = bpf_object__find_program_by_name(part->object, failure.program);
		if (!program || !bpf_program__autoload(program) ||
		    bpf_program__set_autoload(program, false))
			return;
		log__warn("left out: program %s of %s (%s) cannot be loaded: %s", failure.program,
			  part->name, bpf_program__section_name(program), failure.reason);
	}
}

/* ---- loading --------------------------------------------------------------------------------- */

/* Objects whose author wants none of their programs loaded are as they should be. */
static int check_any_left(const struct peat_session *session)
{
	struct bpf_program *program;
	bool any = !session->part_count || !(session->opts.best_effort || session->chosen);

	for (size_t i = 0; i < session->part_count; i++)
		bpf_object__for_each_program(program, session->parts[i].object) any |=
			bpf_program__autoload(program);
	if (any)
		return 0;
	log__error("there is no program left to load");
	return -ENOENT;
}

static int load(struct part *part)
{
	struct load_failure failure;
	int err;

	libbpf_log__watch(&failure);
	err = bpf_object__load(part->object);
	libbpf_log__watch(NULL);
	if (err)
		err = explain(part, &failure, err);
	core_btf__close(&part->btf);
	return err;
}

int loading__load(const struct peat_session *session)
{
	int err;

	for (size_t i = 0; session->opts.best_effort && i < session->part_count; i++)
		leave_out_failing(&session->parts[i]);
	err = check_any_left(session);
	for (size_t i = 0; !err && i < session->part_count; i++)
		err = load(&session->parts[i]);
	return err;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* channel/program_stacks.c: options and sizes of the stacks that programs take. */
#include <string.h>
#include <bpf/libbpf.h>

#include <peat/wire.h>

#include "base/log.h"
#include "channel/program_stacks.h"
#include "object/globals.h"
#include "ring/stack_opts.h"
#include "schema/event_types.h"

/* The most registers of struct pt_regs, of all machines: arm64. */
#define REGISTERS_MAX 34u

uint32_t program_stacks__room(const struct peat_channel_opts *opts)
{
	uint32_t bytes = 0;

	if (opts->stacks.kinds & PEAT_STACK_KERNEL)
		bytes += (opts->stacks.depth + PEAT_STACK_MACHINERY) * 8;
	if (opts->stacks.kinds & PEAT_STACK_USER)
		bytes += opts->stacks.depth * 8;
	if (opts->stacks.kinds & PEAT_STACK_DWARF)
		bytes += REGISTERS_MAX * 8 + opts->stacks.memory_bytes;
	return bytes;
}

/* The stacks of the object's events: those of the options, or else the default of the object. */
static uint32_t kinds_of(const struct peat_channel_opts *opts, struct bpf_object *object)
{
	uint64_t kinds = 0;
	const void *memory;
	size_t bytes;

	if (opts->stacks.kinds)
		return opts->stacks.kinds & STACK_OPTS_KINDS;
	memory = globals__find(object, "peat_stack_kinds", &bytes);
	if (memory && bytes == sizeof(kinds))
		memcpy(&kinds, memory, sizeof(kinds));
	return (uint32_t)kinds & STACK_OPTS_KINDS;
}

uint32_t program_stacks__room_of(const struct peat_channel_opts *opts, struct bpf_object *object)
{
	struct peat_channel_opts of_object = *opts;

	of_object.stacks.kinds = kinds_of(opts, object);
	return program_stacks__room(&of_object);
}

/* Types of programs that may call bpf_get_stack(). */
static bool takes_stacks(const struct bpf_program *program)
{
	switch (bpf_program__type(program)) {
	case BPF_PROG_TYPE_KPROBE:
	case BPF_PROG_TYPE_TRACEPOINT:
	case BPF_PROG_TYPE_PERF_EVENT:
	case BPF_PROG_TYPE_RAW_TRACEPOINT:
	case BPF_PROG_TYPE_RAW_TRACEPOINT_WRITABLE:
	case BPF_PROG_TYPE_TRACING:
	case BPF_PROG_TYPE_LSM:
		return true;
	default:
		return false;
	}
}

static bool has_event_with_stacks(struct bpf_object *object)
{
	const struct btf *btf = bpf_object__btf(object);
	uint32_t id;

	for (uint32_t i = 0; event_types__at(btf, i, &id) > 0; i++)
		if (event_types__has_stacks(btf, id))
			return true;
	return false;
}

uint32_t program_stacks__sampled_kinds(const struct peat_channel_opts *opts,
				       struct bpf_object *object)
{
	uint32_t kinds = kinds_of(opts, object);
	struct bpf_program *program;
	bool any = false;

	bpf_object__for_each_program(program, object) any |= !takes_stacks(program);
	if (!kinds || !any || !has_event_with_stacks(object) ||
	    !bpf_object__find_map_by_name(object, "peat_sampled"))
		return 0;
	return kinds;
}

/* Only objects whose programs take stacks have these constants. */
int program_stacks__set_constants(const struct peat_channel_opts *opts, struct bpf_object *object)
{
	const struct {
		const char *name;
		uint64_t value;
	} constants[] = {
		{ "peat_stack_kinds", kinds_of(opts, object) },
		{ "peat_stack_depth", opts->stacks.depth },
		{ "peat_stack_memory", opts->stacks.memory_bytes },
	};
	size_t bytes;
	int err = 0;

	for (size_t i = 0; !err && i < sizeof(constants) / sizeof(*constants); i++) {
		if (!globals__find(object, constants[i].name, &bytes))
			continue;
		err = globals__set(object, constants[i].name, &constants[i].value,
				   sizeof(constants[i].value));
		if (err)
			log__error("%s: cannot set %s: %s", bpf_object__name(object),
				   constants[i].name, strerror(-err));
	}
	return err;
}

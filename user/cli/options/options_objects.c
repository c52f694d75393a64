// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* options_objects.c: BPF objects: how they are compiled and loaded, and the types of their events.
 */
#include <string.h>

#include "cli/options/option_take.h"
#include "cli/options/options.h"

static void take_set(void *member, const char *arg, struct argp_state *state)
{
	if (*arg == '=' || !strchr(arg, '='))
		argp_error(state, "--set '%s': expected NAME=VALUE", arg);
	option_take__word(member, arg, state);
}

static void take_map_size(void *member, const char *arg, struct argp_state *state)
{
	if (*arg == '=' || !strchr(arg, '='))
		argp_error(state, "--set-map '%s': expected MAP=ENTRIES", arg);
	option_take__word(member, arg, state);
}

static void take_target(void *member, const char *arg, struct argp_state *state)
{
	const char *equals = strchr(arg, '=');

	if (*arg == '=' || !equals || !equals[1])
		argp_error(state, "--attach '%s': expected PROGRAM=TARGET", arg);
	option_take__word(member, arg, state);
}

const struct option_row options_objects__rows[] = {
	{ { "set", 0, "NAME=VALUE", 0,
	    "set a global variable of an object, or part of one: limit=5, args.pid=1, "
	    "names[2]=abc (peat list -v FILE lists them)",
	    4 },
	  RUN,
	  BY(take_set, objects.sets) },
	{ { "as", 0, "[MAP=]TYPE", 0,
	    "type of the events in a perf event array, for objects that do not use peat: a struct "
	    "of the object, or raw for bytes; MAP can be OBJECT.MAP",
	    4 },
	  RUN,
	  INTO(objects.types) },
	{ { "set-map", 0, "MAP=ENTRIES", 0,
	    "set the number of entries of a map, if the object leaves it to its loader", 4 },
	  RUN,
	  BY(take_map_size, objects.map_sizes) },
	{ { "no-prog", 0, "NAME", 0, "do not load the program of this name", 4 },
	  RUN,
	  INTO(objects.left_out) },
	{ { "attach", 0, "PROGRAM=TARGET", 0,
	    "attach a program to this target, instead of one that its section names: "
	    "FILE:FUNCTION (uprobe), FILE:PROVIDER:NAME (usdt), FUNCTION (kprobe, fentry), "
	    "CATEGORY:NAME (tp) or NAME (raw_tp); can be repeated",
	    4 },
	  RUN,
	  BY(take_target, objects.attached) },
	{ { "if", 0, "NAME", 0,
	    "attach packet programs (tc, XDP) to this network interface; several: eth0,lo, or "
	    "repeat --if",
	    4 },
	  RUN | VERB_DOCTOR,
	  INTO(objects.interfaces) },
	{ { "best-effort", 0, NULL, 0,
	    "skip programs that cannot be loaded or attached, and report them", 4 },
	  RUN,
	  INTO(objects.best_effort) },
	{ { "btf", 0, "FILE|DIR", 0,
	    "BTF of this kernel, if it has none itself: a file, or a directory with RELEASE.btf or "
	    "BUILD-ID.btf (default: PEAT_BTF of the environment)",
	    4 },
	  RUN | VERB_PROFILE | VERB_DOCTOR,
	  INTO(objects.btf) },
	{ { "as", 0, "[EVENT=]TYPE", 0,
	    "type of an event whose samples are plain bytes: a struct from --btf or from the "
	    "recording",
	    1 },
	  REPLAY | VERB_CONVERT,
	  INTO(objects.types) },
	{ { "btf", 0, "FILE", 0,
	    "look up the structs of --as in FILE first: a BPF object, or BTF such as "
	    "/sys/kernel/btf/vmlinux",
	    1 },
	  REPLAY | VERB_CONVERT,
	  INTO(objects.btf) },
	{ { "include", 'I', "DIR", 0, "search DIR for headers first", 1 },
	  BUILD,
	  INTO(objects.includes) },
	{ { "min-btf", 0, NULL, 0,
	    "write to FILE the part of the kernel's BTF that probes and objects need", 1 },
	  BUILD,
	  INTO(objects.min_btf) },
	{ { "btf", 0, "FILE", 0,
	    "the BTF of the kernel, for --min-btf (default: /sys/kernel/btf/vmlinux)", 1 },
	  BUILD,
	  INTO(objects.btf) },
	LAST_ROW,
};

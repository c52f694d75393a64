// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/load_errors.c: why an object or a program could not be loaded, and what to do. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <bpf/libbpf.h>

#include "sys/address_room.h"
#include "sys/caps.h"
#include "sys/file_room.h"
#include "base/errors.h"
#include "base/log.h"
#include "base/text.h"
#include "object/kernel_btf.h"
#include "object/libbpf_log.h"
#include "object/preload.h"
#include "session/function_programs.h"
#include "session/load_errors.h"
#include "session/map_sizes.h"
#include "maps/flags.h"
#include "session/attach/network.h"
#include "session/parts/session.h"

/* ---- BTF ------------------------------------------------------------------------------------- */

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
const char *load_errors__btf_remedy(const char *given)
{
	return given ? "fentry, fexit, lsm and functions of the kernel need "
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

/*
 * "" : unknown.  Messages about a helper: "unknown func bpf_perf_event_read_value#55", "program of
 * this type cannot use helper ...".
 */
static const char *reason_remedy(const char *reason)
{
	static const struct {
		const char *words, *remedy;
	} remedies[] = {
		{ "bpf_perf_event_read_value",
		  ": programs of the network can read counters on Linux 6.18 and newer, and not on "
		  "6.12 and older: read them in a tracing program" },
		{ "GPL-restricted function", ": declare a license that the kernel knows, such as "
					     "char LICENSE[] SEC(\"license\") = \"GPL\"" },
		{ "missing BPF prog type", ": begin it with a kind of program, such as tp, kprobe, "
					   "uprobe, tc or xdp" },
	};

	for (size_t i = 0; i < sizeof(remedies) / sizeof(*remedies); i++)
		if (strstr(reason, remedies[i].words))
			return remedies[i].remedy;
	return "";
}

static bool has_network_program(const struct part *part)
{
	struct bpf_program *program;
	bool found = false;

	bpf_object__for_each_program(program, part->object) found |=
		bpf_program__autoload(program) && network__accepts(program);
	return found;
}

/* ---- limits ---------------------------------------------------------------------------------- */

/* Descriptors of libbpf's: BTF of the object, and attempts to find what the kernel supports. */
#define OTHER_FILES 3

bool load_errors__lack_files(const struct part *part, int err)
{
	struct bpf_program *program;
	struct bpf_map *map;
	unsigned files = OTHER_FILES;

	if (err == -EMFILE)
		return true;
	bpf_object__for_each_map(map, part->object) files++;
	bpf_object__for_each_program(program, part->object) files += bpf_program__autoload(program);
	return !file_room__has(files);
}

/* More than a load needs at once: mostly the kernel's BTF, of 5 to 15 MiB, and an index of it. */
#define LOAD_BYTES (32u << 20)

/*
 * libbpf finds no BTF of the kernel if there is no memory for it.  The kernel can lack memory for a
 * map: no limit of the process then has to be raised.
 */
static bool lacks_memory(const struct load_failure *failure, int err, struct rlimit *limit)
{
	return (err == -ENOMEM || strstr(failure->last, "vmlinux BTF")) &&
	       !getrlimit(RLIMIT_AS, limit) && !address_room__has(LOAD_BYTES);
}

/* ---- messages -------------------------------------------------------------------------------- */

void load_errors__log_left_out_map(const struct part *part, const struct bpf_map *map, int err)
{
	char sizes[MAP_SIZES_BYTES], flags[MAP_FLAGS_BYTES];

	map_sizes__text(map, sizes);
	flags__text(bpf_map__map_flags(map), flags);
	log__warn("left out: map %s of %s cannot be created: %s: %s, its flags are %s%s",
		  bpf_map__name(map), part->name,
		  err == -KERNELS_ENOTSUPP ? "Not supported" : strerror(-err), sizes,
		  *flags ? flags : "none", map_sizes__remedy(map));
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

/*
 * "failed to resolve CO-RE relocation <byte_off> [45] struct sock.sk_protocol (0:1 @ offset 56)":
 * the member, or the type.
 */
static bool find_missing(const char *reason, const char **missing, int *bytes)
{
	static const char start[] = "failed to resolve CO-RE relocation ";
	const char *type = strstr(reason, start), *end;

	type = type ? strstr(type, "] ") : NULL;
	end = type ? strstr(type, " (") : NULL;
	if (!type)
		return false;
	*missing = type + 2;
	*bytes = end ? (int)(end - *missing) : (int)strlen(*missing);
	return true;
}

/* "failed to find kernel BTF type ID of 'vfs_reed': -3" */
static bool find_target(const char *reason, const char **target, int *bytes)
{
	static const char start[] = "failed to find kernel BTF type ID of '";

	if (!begins_with(reason, start))
		return false;
	*target = reason + strlen(start);
	*bytes = (int)strcspn(*target, "'");
	return true;
}

void load_errors__explain_reason(const char *path, struct load_failure *failure, int err)
{
	const char *missing;
	char reason[sizeof(failure->reason)];
	int bytes;

	if (begins_with(failure->reason, "failed to load: "))
		snprintf(failure->reason, sizeof(failure->reason), "%s", strerror(-err));
	if (find_target(failure->reason, &missing, &bytes))
		snprintf(
			reason, sizeof(reason),
			"this kernel's BTF has no '%.*s' to attach it to: it may have another name "
			"here, be inlined, or be of a module that is not loaded; another one can "
			"be chosen (peat_session__attach_to())",
			bytes, missing);
	else if (!find_missing(failure->reason, &missing, &bytes))
		return;
	else if (path && strcmp(path, KERNEL_BTF))
		snprintf(reason, sizeof(reason),
			 "it needs %.*s, which %s does not have: make the file for this program "
			 "too, or use all types of the kernel",
			 bytes, missing, path);
	else
		snprintf(reason, sizeof(reason),
			 "it needs %.*s, which this kernel does not have: the program can test "
			 "that by bpf_core_field_exists() and bpf_core_type_exists()",
			 bytes, missing);
	memcpy(failure->reason, reason, sizeof(reason));
}

static void log_program(const struct part *part, struct load_failure *failure, int err)
{
	load_errors__explain_reason(part->btf.given, failure, err);
	log__error("cannot load the program %s of %s: %s%s%s", failure->program, part->name,
		   failure->reason, raw_tracepoint_remedy(part, failure->program),
		   reason_remedy(failure->reason));
}

/* Errors of all programs: a negative errno, or 0 if it is none of these. */
static int log_common(const struct part *part, const struct load_failure *failure, int err)
{
	static const char start[] = "cannot load the BPF programs of";
	bool named = *failure->program;
	struct rlimit limit;

	if (err == -EPERM || (err == -EACCES && !named)) {
		log__error("%s %s: %s: %s", start, part->name, strerror(-err),
			   has_network_program(part) ? caps__explain_network() : caps__explain());
		return err;
	}
	if (lacks_memory(failure, err, &limit)) {
		log__error("%s %s: %s: RLIMIT_AS is %llu MiB: raise it (ulimit -v)", start,
			   part->name, strerror(ENOMEM), (unsigned long long)limit.rlim_cur >> 20);
		return -ENOMEM;
	}
	if (load_errors__lack_files(part, err)) {
		log__error("%s %s: %s: each map and program needs a file "
			   "descriptor: " FILE_ROOM_REMEDY,
			   start, part->name, strerror(EMFILE));
		return -EMFILE;
	}
	if (!lacks_btf(part, failure))
		return 0;
	log__error("%s %s: this kernel has no BTF (" KERNEL_BTF "): %s", start, part->name,
		   load_errors__btf_remedy(part->btf.given));
	return err;
}

static void log_other(const struct part *part, struct load_failure *failure, int err)
{
	if (*failure->map)
		explain_map(part, failure->map, err);
	else if (*failure->program)
		log_program(part, failure, err);
	else
		log__error("cannot load the BPF programs of %s: %s%s%s", part->name, strerror(-err),
			   *failure->last ? ": " : "", failure->last);
}

int load_errors__log(const struct part *part, struct load_failure *failure, int err)
{
	int common;

	if (err == -EPERM && *failure->program && !caps__any_missing()) {
		log__error("cannot load the program %s of %s: %s: %s", failure->program, part->name,
			   strerror(-err), refusal_remedy(part, failure->program));
		return err;
	}
	common = log_common(part, failure, err);
	if (!common)
		log_other(part, failure, err);
	return common ? common : err;
}

bool load_errors__concern_all(const struct part *part, const struct load_failure *failure, int err)
{
	struct rlimit limit;

	return lacks_btf(part, failure) || (err == -EPERM && caps__any_missing()) ||
	       lacks_memory(failure, err, &limit) || load_errors__lack_files(part, err);
}

void load_errors__log_left_out(const struct part *part, const struct bpf_program *program,
			       struct load_failure *failure, int err)
{
	const char *remedy = err == -EPERM ? function_programs__remedy(program) : NULL;

	load_errors__explain_reason(part->btf.given, failure, err);
	log__print(preload__accepts(part->object, program) ? PEAT_LOG_DEBUG : PEAT_LOG_WARN,
		   "left out: program %s of %s (%s) cannot be loaded: %s%s%s%s%s", failure->program,
		   part->name, bpf_program__section_name(program), failure->reason,
		   raw_tracepoint_remedy(part, failure->program), reason_remedy(failure->reason),
		   remedy ? ": " : "", remedy ? remedy : "");
}

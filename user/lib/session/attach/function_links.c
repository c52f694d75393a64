// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/attach/function_links.c: attaches programs that follow plans. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/log.h"
#include "functions/function_probe.h"
#include "object/globals.h"
#include "session/attach/fentry_links.h"
#include "session/attach/function_links.h"
#include "session/attach/kprobe_multi.h"
#include "session/attach/session_links.h"
#include "session/attach/uprobe_multi.h"
#include "session/parts/session.h"
#include "sys/tracefs.h"

/* Each takes 80 ms to remove. */
#define SINGLE_LINKS_MAX 50

/* Of all files: libbpf has room for 256. */
#define USDT_PLACES 4096

/* The stack pointer at a return, less that at the call: the return address, if it is on the stack.
 */
#if defined(__x86_64__)
#define RETURN_SP 8
#else
#define RETURN_SP 0
#endif

/* Returns of links of kprobe_multi have no stack pointer, and so no key (Linux 6.14 to 7.2). */
#if defined(__aarch64__)
#define RETURNS_LACK_SP true
#else
#define RETURNS_LACK_SP false
#endif

static bool is_of_user(const struct function_probe *probe)
{
	return function_source__is_user(&probe->source);
}

static bool is_tracepoint(const struct function_probe *probe)
{
	return probe->source.kind == SOURCE_TRACEPOINT;
}

static bool is_usdt(const struct function_probe *probe)
{
	return probe->source.kind == SOURCE_USDT;
}

/* ---- before the load ------------------------------------------------------------------------- */

bool function_links__have_cookies(void)
{
	return libbpf_probe_bpf_helper(BPF_PROG_TYPE_KPROBE, BPF_FUNC_get_attach_cookie, NULL) == 1;
}

static bool has_task_storage(void)
{
	return libbpf_probe_bpf_helper(BPF_PROG_TYPE_KPROBE, BPF_FUNC_task_storage_get, NULL) == 1;
}

/* How the programs are attached. */
struct way {
	int type; /* attach type of links of many places; 0: one link for each place */
	int by;	  /* how a program finds its plan */
	bool is_session, in_tasks;
	struct session_calls calls;
};

/* The attach type of links of many places; 0: the kernel has none. */
static int multi_type(const struct function_probe *probe)
{
	if (is_tracepoint(probe) || is_usdt(probe) || probe->by_fentry)
		return 0;
	if (is_of_user(probe))
		return uprobe_multi__is_supported() ? UPROBE_MULTI_ATTACH_TYPE : 0;
	return !probe->source.offset && probe->found.at[0].place && kprobe_multi__is_supported()
		       ? KPROBE_MULTI_ATTACH_TYPE
		       : 0;
}

/* Returns of functions, by sessions if the kernel has them. */
static void choose_session(struct way *way, const struct function_probe *probe)
{
	bool is_user = is_of_user(probe);

	if (!way->type || !probe->needs_return)
		return;
	way->is_session = session_links__find(&way->calls, is_user);
	if (way->is_session)
		way->type = is_user ? UPROBE_SESSION_ATTACH_TYPE : KPROBE_SESSION_ATTACH_TYPE;
	else if (RETURNS_LACK_SP && !is_user)
		way->type = 0;
}

/* The kernel has no sleepable programs of kprobes, whose plans can follow user pointers, too. */
static bool is_wanted(const struct way *way, const struct function_probe *probe,
		      const char *program)
{
	if (!strcmp(program, "peat_on_preload"))
		return is_of_user(probe) && probe->reads_user_memory;
	if (is_tracepoint(probe))
		return !strcmp(program, "peat_on_tracepoint");
	if (is_usdt(probe))
		return !strcmp(program, "peat_on_usdt");
	if (way->is_session)
		return !strcmp(program, "peat_on_session");
	if (probe->by_fentry && probe->needs_return)
		return !strcmp(program, "peat_on_fentry") || !strcmp(program, "peat_on_fexit");
	if (probe->by_fentry)
		return !strcmp(program, "peat_on_fentry_call");
	if (probe->needs_return)
		return !strcmp(program, "peat_on_enter") || !strcmp(program, "peat_on_return");
	return !strcmp(program, "peat_on_call");
}

/* The program that touches memory runs at calls only. */
static int type_of(const struct way *way, bool is_preload)
{
	return is_preload && way->is_session ? UPROBE_MULTI_ATTACH_TYPE : way->type;
}

/* libbpf attaches USDT by links of uprobe_multi since version 1.3, where the kernel has them. */
static bool has_usdt_links(void)
{
	return (libbpf_major_version() > 1 || libbpf_minor_version() >= 3) &&
	       uprobe_multi__is_supported();
}

/* libbpf sets the type of programs of the section usdt alone. */
static int choose_usdt_preload(struct bpf_program *program)
{
	const enum bpf_attach_type type = (enum bpf_attach_type)UPROBE_MULTI_ATTACH_TYPE;

	return has_usdt_links() ? bpf_program__set_expected_attach_type(program, type) : 0;
}

static int choose_program(struct bpf_program *program, const struct way *way,
			  const struct function_probe *probe)
{
	bool is_preload = !strcmp(bpf_program__name(program), "peat_on_preload");
	enum bpf_attach_type type = (enum bpf_attach_type)type_of(way, is_preload);
	int err = bpf_program__set_autoload(program, true);

	if (!err && way->type)
		err = bpf_program__set_expected_attach_type(program, type);
	if (!err && is_preload && is_usdt(probe))
		err = choose_usdt_preload(program);
	if (!err && way->is_session && !is_preload)
		err = session_links__set_calls(program, &way->calls);
	if (!err && probe->by_fentry)
		err = fentry_links__set_target(program, probe);
	return err;
}

static int choose_programs(const struct part *part, const struct way *way)
{
	struct bpf_program *program;
	int err = 0;

	bpf_object__for_each_program(program, part->object)
	{
		if (err)
			break;
		err = is_wanted(way, part->functions, bpf_program__name(program))
			      ? choose_program(program, way, part->functions)
			      : bpf_program__set_autoload(program, false);
	}
	return err;
}

static int set_word(const struct part *part, const char *name, uint32_t value)
{
	return globals__set(part->object, name, &value, sizeof(value));
}

/* libbpf has cookies for USDT on all kernels. */
static int plan_by(const struct function_probe *probe, bool cookies)
{
	if (is_usdt(probe))
		return PLAN_BY_COOKIE;
	if (probe->found.count == 1)
		return PLAN_BY_INDEX;
	return cookies ? PLAN_BY_COOKIE : PLAN_BY_IP;
}

/* All plans together. */
struct reach {
	uint32_t reads, steps, flags;
};

static void reach_add(struct reach *reach, const struct plan_read *read)
{
	reach->steps = read->steps > reach->steps ? read->steps : reach->steps;
	reach->flags |=
		read->flags | (read->width ? 0 : PLAN_TEXTS) | (read->present ? PLAN_ABSENT : 0);
}

static int set_reach(const struct part *part)
{
	const struct function_probe *probe = part->functions;
	struct reach reach = { 0 };

	for (size_t i = 1; i <= probe->found.count; i++) {
		const struct function_plan *plan = &probe->plans[i];

		reach.reads = plan->reads > reach.reads ? plan->reads : reach.reads;
		for (uint32_t read = 0; read < plan->reads; read++)
			reach_add(&reach, &plan->read[read]);
	}
	return set_word(part, "peat_plan_reads", reach.reads)
		       ?: set_word(part, "peat_plan_steps", reach.steps)
		       ?: set_word(part, "peat_plan_flags", reach.flags);
}

/* 0: in links of uprobe_multi, another result removes the probe.  libbpf may make them for USDT. */
static uint32_t result_of(const struct function_probe *probe, const struct way *way)
{
	return !is_usdt(probe) && type_of(way, true) != UPROBE_MULTI_ATTACH_TYPE;
}

static int set_constants(const struct part *part, const struct way *way)
{
	const struct function_probe *probe = part->functions;
	uint64_t return_sp = RETURN_SP;
	int err = set_word(part, "peat_plan_by", (uint32_t)way->by)
			  ?: set_word(part, "peat_plan_index", 1)
			  ?: set_reach(part)
			  ?: set_word(part, "peat_plan_result", result_of(probe, way));

	if (err || is_usdt(probe))
		return err;
	return globals__set(part->object, "peat_plan_return_sp", &return_sp, sizeof(return_sp))
		       ?: set_word(part, "peat_plan_keeps_calls", probe->keeps_calls)
		       ?: set_word(part, "peat_plan_wants_caller", probe->wants_caller)
		       ?: set_word(part, "peat_plan_is_of_user", is_of_user(probe))
		       ?: set_word(part, "peat_calls_in_tasks", way->in_tasks);
}

/* Only the maps that are used are made. */
static int set_map(const struct part *part, const char *name, uint32_t entries, bool is_used)
{
	struct bpf_map *map = bpf_object__find_map_by_name(part->object, name);
	int err = map ? bpf_map__set_autocreate(map, is_used) : -EBADMSG;

	return err || !entries ? err : bpf_map__set_max_entries(map, entries);
}

static int set_maps(const struct part *part, const struct way *way)
{
	const struct function_probe *probe = part->functions;
	uint32_t count = (uint32_t)probe->found.count + 1;
	bool pairs = way->is_session ? probe->keeps_calls : probe->needs_return;
	int err = set_map(part, "peat_plans", count, true)
			  ?: set_map(part, "peat_plans_by_ip", count, way->by == PLAN_BY_IP);

	if (err || is_usdt(probe))
		return err ?: set_map(part, "__bpf_usdt_specs", USDT_PLACES, true);
	return set_map(part, "calls_of_tasks", 0, pairs && way->in_tasks)
		       ?: set_map(part, "calls_of_all", 0, pairs);
}

static int refuse_many(const struct function_probe *probe, const char *why, unsigned most)
{
	log__error("%s: %zu functions match, and %s: choose at most %u",
		   function_probe__name(probe), probe->found.count, why, most);
	return -E2BIG;
}

static int check_many(const struct function_probe *probe, const struct way *way)
{
	if (way->type || is_usdt(probe) || probe->found.count == 1)
		return 0;
	if (way->by == PLAN_BY_IP && (is_of_user(probe) || is_tracepoint(probe)))
		return refuse_many(probe,
				   "before Linux 5.15 a source can have one tracepoint, or one "
				   "function of user space",
				   1);
	if (!is_tracepoint(probe) && probe->found.count > SINGLE_LINKS_MAX)
		return refuse_many(probe, "this kernel takes 80 ms for each to remove its probe",
				   SINGLE_LINKS_MAX);
	return 0;
}

static bool needs_fentry(const struct function_probe *probe)
{
	return fentry_links__accept(probe) && !tracefs__has_kprobes() &&
	       fentry_links__are_supported();
}

int function_links__prepare(const struct part *part)
{
	struct function_probe *probe = part->functions;
	struct way way = { .by = plan_by(probe, function_links__have_cookies()),
			   .in_tasks = has_task_storage() };
	int err;

	probe->by_fentry = probe->by_fentry || needs_fentry(probe);
	way.type = multi_type(probe);
	choose_session(&way, probe);
	err = check_many(probe, &way);
	if (!err)
		err = choose_programs(part, &way);
	if (!err)
		err = set_constants(part, &way);
	return err ?: set_maps(part, &way);
}

/* ---- after it -------------------------------------------------------------------------------- */

/* kprobes report the address behind their breakpoint, which is one byte long on x86. */
#if defined(__x86_64__)
#define BREAKPOINT_BYTES 1
#else
#define BREAKPOINT_BYTES 0
#endif

static int fill_plan(const struct part *part, const struct bpf_map *plans,
		     const struct bpf_map *by_ip, uint32_t i)
{
	const struct function_probe *probe = part->functions;
	uint64_t ip = probe->found.at[i - 1].place + BREAKPOINT_BYTES;
	int err = bpf_map_update_elem(bpf_map__fd(plans), &i, &probe->plans[i], BPF_ANY);

	if (!err && bpf_map__autocreate(by_ip))
		err = bpf_map_update_elem(bpf_map__fd(by_ip), &ip, &i, BPF_ANY);
	return err ? -errno : 0;
}

int function_links__fill(const struct part *part)
{
	const struct bpf_map *plans = bpf_object__find_map_by_name(part->object, "peat_plans");
	const struct bpf_map *by_ip =
		bpf_object__find_map_by_name(part->object, "peat_plans_by_ip");
	int err = 0;

	for (uint32_t i = 1; !err && i <= part->functions->found.count; i++)
		err = fill_plan(part, plans, by_ip, i);
	if (err)
		log__error("%s: cannot write the plans of its programs: %s",
			   function_probe__name(part->functions), strerror(-err));
	return err;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/load.c: loads the objects of a session. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <bpf/libbpf.h>

#include "base/errors.h"
#include "base/log.h"
#include "object/libbpf_log.h"
#include "object/map_memory.h"
#include "object/preload.h"
#include "session/conditions.h"
#include "session/descendants.h"
#include "session/filters.h"
#include "session/load.h"
#include "session/load_errors.h"
#include "session/loading.h"
#include "session/named_pins.h"
#include "session/program_arrays.h"
#include "session/attach/chosen_targets.h"
#include "session/attach/function_links.h"
#include "session/attach/return_values.h"
#include "session/parts/session.h"
#include "session/attach/uprobe_links.h"
#include "session/attach/uprobe_multi.h"
#include "session/trials.h"

/* ---- trials ---------------------------------------------------------------------------------- */

/*
 * NULL: no program failed, or leaving it out would not help.  For a relocation that failed, libbpf
 * writes a call of "unknown#N" into the program; only with all steps logged it says which.
 */
static struct bpf_program *leave_out_failed(const struct trials *trials,
					    struct load_failure *failure, int err)
{
	const struct part *part = trials->part;
	struct bpf_program *program;

	if (load_errors__concern_all(part, failure, err))
		return NULL;
	program = bpf_object__find_program_by_name(part->object, failure->program);
	if (!program || !bpf_program__autoload(program) ||
	    bpf_program__set_autoload(program, false))
		return NULL;
	if (failure->is_refused && strstr(failure->reason, "unknown#"))
		trials__log_steps(trials, failure);
	load_errors__log_left_out(part, program, failure, err);
	return program;
}

/*
 * Leaves out a map of a type, or with a flag, that this kernel does not have.  The kernel then
 * refuses the programs that use it.
 */
static bool leave_out_map(const struct part *part, const struct load_failure *failure, int err)
{
	struct bpf_map *map = bpf_object__find_map_by_name(part->object, failure->map);

	if ((err != -EINVAL && err != -EOPNOTSUPP && err != -KERNELS_ENOTSUPP) || !map ||
	    *failure->program || load_errors__concern_all(part, failure, err) ||
	    bpf_map__type(map) == BPF_MAP_TYPE_PERF_EVENT_ARRAY || bpf_map__pin_path(map) ||
	    bpf_map__set_autocreate(map, false))
		return false;
	load_errors__log_left_out_map(part, map, err);
	return true;
}

/*
 * libbpf relocates all programs of a trial before it loads the first.  Objects in which a program
 * fails often have more of them: a trial with few programs takes less.
 */
#define FEW_PROGRAMS 16

/*
 * Leaves out one program at a time.  libbpf loads programs in their order, so programs before one
 * that the kernel refused need no further trial; if libbpf fails earlier, it has loaded none.
 * Other errors appear again when the object is loaded.
 */
static void leave_out_failing(const struct peat_session *session, const struct part *part,
			      trial_filter accepts)
{
	const struct bpf_program *failed, *from = NULL;
	struct trials trials;

	trials__begin(&trials, session, part, accepts);
	while (trials__any(&trials, from)) {
		struct load_failure failure = { 0 };
		int err = trials__load(&trials, from, &failure);

		if (err && trials.maps && load_errors__lack_files(part, err)) {
			trials__end(&trials); /* shared maps have more files than the object has */
			err = trials__load(&trials, from, &failure);
		}
		if (!accepts && leave_out_map(part, &failure, err)) {
			trials__begin(&trials, session, part, accepts);
			continue;
		}
		failed = err && err != -ECANCELED ? leave_out_failed(&trials, &failure, err) : NULL;
		if (failed)
			trials.most = FEW_PROGRAMS;
		else if (err || !trials.last)
			break;
		if (!failed || failure.is_refused)
			from = failed ?: trials.last;
	}
	trials__end(&trials);
}

/* ---- programs that wait for memory ----------------------------------------------------------- */

/*
 * Before Linux 6.10, uprobes of perf events hold a mutex of their CPU while their programs run
 * (prepare_uprobe_buffer()).  A program that waits for a page would stop those of all processes
 * there, and for ever if a process that has a uprobe itself provides the page: FUSE, userfaultfd.
 */
static bool may_wait(const struct bpf_program *program)
{
	struct utsname kernel;
	unsigned major, minor;

	if ((int)bpf_program__expected_attach_type(program) == UPROBE_MULTI_ATTACH_TYPE)
		return true;
	return !uname(&kernel) && sscanf(kernel.release, "%u.%u", &major, &minor) == 2 &&
	       (major > 6 || (major == 6 && minor >= 10));
}

static int leave_out_waiting(const struct part *part)
{
	struct bpf_program *program;
	int err = 0;

	bpf_object__for_each_program(program, part->object)
	{
		if (err || !bpf_program__autoload(program) ||
		    !preload__accepts(part->object, program) || may_wait(program))
			continue;
		log__debug("left out: program %s of %s: before Linux 6.10, uprobes of other "
			   "processes would wait for memory with it",
			   bpf_program__name(program), part->name);
		err = bpf_program__set_autoload(program, false);
	}
	return err;
}

static int choose_preloads(const struct peat_session *session, const struct part *part)
{
	int err;

	if (!preload__any(part->object))
		return 0;
	err = leave_out_waiting(part);
	if (!err)
		leave_out_failing(session, part, preload__accepts);
	return err;
}

/* ---- loading --------------------------------------------------------------------------------- */

/* An object none of whose programs is to be loaded by default is no error. */
static int check_any_left(const struct peat_session *session)
{
	struct bpf_program *program;
	bool needs_any = session->opts.best_effort || session->chosen;
	bool has_any = false, any = false;

	for (size_t i = 0; i < session->part_count; i++) {
		bpf_object__for_each_program(program, session->parts[i].object)
		{
			has_any = true;
			any |= bpf_program__autoload(program);
		}
	}
	if (any || !session->part_count)
		return 0;
	if (!has_any)
		log__print(
			needs_any ? PEAT_LOG_ERROR : PEAT_LOG_WARN,
			"no object has a program: libbpf finds programs by symbols of functions");
	else if (needs_any)
		log__error("no program is left to load: all were left out");
	return needs_any ? -ENOENT : 0;
}

/* An object that can be opened again is verified with short logs first. */
static int load_object(const struct peat_session *session, const struct part *part)
{
	struct trials trials = { .session = session, .part = part };
	struct load_failure failure;
	int err;

	if (part->bytes)
		loading__shorten_logs(part->object);
	err = loading__run(session, part->object, &failure);
	if (err && err != -ECANCELED && part->bytes && failure.is_refused)
		trials__log_steps(&trials, &failure);
	return err && err != -ECANCELED ? load_errors__log(part, &failure, err) : err;
}

static int load_part(struct peat_session *session, struct part *part)
{
	int err = part->functions ? function_links__prepare(part)
			       : return_values__mend(part) ?: uprobe_links__choose(part);

	if (!err)
		err = named_pins__share(session, part->object);
	if (!err)
		err = program_arrays__replace(part);
	if (!err)
		err = choose_preloads(session, part);
	if (err)
		return err;
	err = load_object(session, part) ?: return_values__check(part);
	if (!err && part->functions)
		err = function_links__fill(part);
	if (!err)
		err = program_arrays__fill(part);
	core_btf__close(&part->btf);
	return err ?: named_pins__pin(session, part);
}

static int choose_programs(struct peat_session *session, const struct part *part)
{
	int err = preload__check(part->object) ?: conditions__apply(part)
		  ?: chosen_targets__bind(session, part->object, part->object);

	if (!err)
		err = filters__replace_cgroup_programs(part->object, part->name, &session->opts);
	return err ?: descendants__filter(session, part);
}

int load__all(struct peat_session *session)
{
	int err = 0;

	map_memory__raise_limit();
	for (size_t i = 0; !err && i < session->part_count; i++)
		err = choose_programs(session, &session->parts[i]);
	if (err)
		return err;
	for (size_t i = 0; session->opts.best_effort && i < session->part_count; i++)
		leave_out_failing(session, &session->parts[i], NULL);
	err = check_any_left(session);
	for (size_t i = 0; !err && i < session->part_count; i++)
		err = session->is_cancelled ? -ECANCELED : load_part(session, &session->parts[i]);
	if (err == -ECANCELED)
		log__error("the start of the session was cancelled");
	return err;
}

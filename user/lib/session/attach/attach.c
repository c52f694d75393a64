// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/attach/attach.c: attaches the programs of a session as their sections say. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/btf.h>
#include <bpf/libbpf.h>

#include "session/attach/attach.h"
#include "session/attach/cgroup_programs.h"
#include "session/attach/chosen_targets.h"
#include "sys/caps.h"
#include "sys/file_room.h"
#include "sys/tracefs.h"
#include "base/errors.h"
#include "base/log.h"
#include "base/text.h"
#include "object/declared_tag.h"
#include "object/libbpf_log.h"
#include "object/preload.h"
#include "session/attach/function_links.h"
#include "session/attach/library_programs.h"
#include "session/attach/links.h"
#include "session/attach/network.h"
#include "session/attach/sampled_programs.h"
#include "session/attach/tracepoint_event.h"
#include "session/parts/session.h"
#include "session/attach/uprobe_links.h"
#include "session/attach/used_files.h"

/* PEAT_OPTIONAL: the kernel may lack the function or tracepoint. */
static bool is_optional(const struct part *part, const struct bpf_program *program)
{
	return declared_tag__is_on(part->object, BTF_KIND_FUNC, bpf_program__name(program),
				   "optional");
}

static bool is_uprobe(const char *section)
{
	return begins_with(section, "uprobe") || begins_with(section, "uretprobe") ||
	       begins_with(section, "usdt");
}

struct reason {
	char text[256]; /* "": unknown */
};

/* A program to attach. */
struct target {
	struct part *part;
	const struct bpf_program *program;
	const char *section; /* with a target that the user chose */
	bool is_chosen, is_preload;
	int event; /* perf event of a tracepoint, or a negative errno */
};

/* Whether programs of this type can be attached, and the section names the target. */
static bool names_target(const struct bpf_program *program, const char *section)
{
	switch (bpf_program__type(program)) {
	case BPF_PROG_TYPE_KPROBE:
	case BPF_PROG_TYPE_TRACEPOINT:
	case BPF_PROG_TYPE_RAW_TRACEPOINT:
	case BPF_PROG_TYPE_RAW_TRACEPOINT_WRITABLE:
	case BPF_PROG_TYPE_TRACING:
	case BPF_PROG_TYPE_LSM:
	case BPF_PROG_TYPE_EXT:
		return strchr(section, '/');
	default:
		return false;
	}
}

/* Its section is tp/CATEGORY/NAME or tracepoint/CATEGORY/NAME. */
static bool names_tracepoint(const struct bpf_program *program, const char *section)
{
	return bpf_program__type(program) == BPF_PROG_TYPE_TRACEPOINT &&
	       names_target(program, section);
}

static const char *explain_uprobe(const char *section, int err)
{
	if (begins_with(section, "usdt"))
		return err == -ENOENT
			       ? "the program or library has no such USDT probe, or there is "
				 "no such file"
			       : NULL;
	if (err == -EINVAL && !strchr(section, ':'))
		return "its section does not name the file and the function: choose them "
		       "(peat_session__attach_to()), or write uprobe/FILE:FUNCTION";
	if (err == -ENOENT || err == -ESRCH)
		return "the program or library has no function of that name, or there is no such "
		       "file: another one can be chosen (peat_session__attach_to())";
	return NULL;
}

static const char *explain_kprobe(const char *section, int err)
{
	if (is_uprobe(section))
		return explain_uprobe(section, err);
	if (!tracefs__has_kprobes())
		return "this kernel has no kprobes: they need CONFIG_KPROBE_EVENTS";
	if (err == -ENOENT || err == -ESRCH)
		return "this kernel has no such function (/proc/kallsyms), or inlines it: another "
		       "one can be chosen (peat_session__attach_to())";
	if (err == -EINVAL || err == -EADDRNOTAVAIL || err == -EOPNOTSUPP)
		return "the kernel does not allow probes of this function "
		       "(/sys/kernel/debug/kprobes/blacklist)";
	return NULL;
}

static const char *explain_tracing(int err)
{
	if (err == -EOPNOTSUPP || err == -KERNELS_ENOTSUPP || err == -EINVAL || err == -ENOSYS)
		return "this kernel cannot attach BPF programs to functions: fentry, fexit and lsm "
		       "need CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS (or it is not for this "
		       "function)";
	if (err == -EBUSY)
		return "the function is patched already, or too many programs are attached to it";
	return NULL;
}

static const char *explain_tracepoint(int err)
{
	if (err == -EACCES)
		return caps__explain_tracefs();
	if (err == -ENODEV)
		return "tracefs is not mounted: mount -t tracefs none /sys/kernel/tracing";
	if (err == -ENOENT)
		return "this kernel has no such tracepoint (available_events in tracefs has all)";
	return NULL;
}

static const char *explain_raw_tracepoint(int err)
{
	if (err == -ENOENT)
		return "this kernel has no such tracepoint";
	if (err == -EINVAL)
		return "the program reads more arguments than the tracepoint has";
	return NULL;
}

/* The cause of the error and its remedy; NULL: unknown. */
static const char *remedy(const struct target *target, int err)
{
	const struct bpf_program *program = target->program;
	enum bpf_prog_type type = bpf_program__type(program);

	if (err == -EMFILE)
		return FILE_ROOM_REMEDY;
	if (network__accepts(program))
		return "programs of this kind are attached to a network interface: name it "
		       "(interfaces of peat_session_opts)";
	if (cgroup_programs__accepts(program))
		return "programs of this kind are attached to a cgroup: name it (cgroup of "
		       "peat_session_opts), / is the root";
	if (!names_target(program, target->section))
		return chosen_targets__accepts(program)
			       ? "the section does not name the target: choose one "
				 "(peat_session__attach_to())"
			       : "peat cannot attach programs of this kind";
	if (type == BPF_PROG_TYPE_TRACEPOINT && err != -EPERM)
		return explain_tracepoint(err);
	if (err == -EPERM || err == -EACCES)
		return is_uprobe(target->section) ? caps__explain_uprobes() : caps__explain();
	if (type == BPF_PROG_TYPE_KPROBE)
		return explain_kprobe(target->section, err);
	if (type == BPF_PROG_TYPE_RAW_TRACEPOINT || type == BPF_PROG_TYPE_RAW_TRACEPOINT_WRITABLE)
		return explain_raw_tracepoint(err);
	return type == BPF_PROG_TYPE_TRACING || type == BPF_PROG_TYPE_LSM ? explain_tracing(err)
									  : NULL;
}

/* The kernel lacks the target, and the program is optional. */
static bool may_be_missing(const struct part *part, const struct bpf_program *program, int err)
{
	return err == -ENOENT && is_optional(part, program);
}

static void log_failure(const struct target *target, int err, const char *why, bool continues)
{
	const struct bpf_program *program = target->program;
	const char *name = bpf_program__name(program), *section = target->section;
	const struct part *part = target->part;
	const char *errno_text = err == -KERNELS_ENOTSUPP ? "Not supported" : strerror(-err);

	if (continues)
		log__warn("left out: program %s of %s cannot be attached to %s: %s%s%s", name,
			  part->name, section, errno_text, *why ? ": " : "", why);
	else
		log__error("cannot attach %s of %s to %s: %s%s%s%s", name, part->name, section,
			   errno_text, *why ? ": " : "", why,
			   names_target(program, section) || network__accepts(program) ||
					   cgroup_programs__accepts(program) ||
					   sampled_programs__accepts(program)
				   ? ""
				   : ": leave it out (peat_session__leave_out())");
}

static void set_reason(struct reason *why, const char *text)
{
	snprintf(why->text, sizeof(why->text), "%s", text);
}

/* The link owns the perf event. */
static struct bpf_link *attach_tracepoint(struct target *target, struct reason *why)
{
	struct bpf_link *link;

	if (target->event < 0)
		return fail_null(target->event);
	link = bpf_program__attach_perf_event(target->program, target->event);
	if (!link) {
		int err = -errno;

		if (err == -EACCES)
			set_reason(why, "the program reads past the end of the tracepoint's "
					"record: compare its struct with the file `format` of the "
					"tracepoint in tracefs");
		return fail_null(err);
	}
	target->event = -EBADF;
	return link;
}

static int attach_by_section(struct peat_session *session, struct target *target,
			     struct reason *why)
{
	const struct bpf_program *program = target->program;
	struct load_failure failure;
	struct bpf_link *link;
	int err;

	libbpf_log__watch(&failure);
	link = names_tracepoint(program, target->section) ? attach_tracepoint(target, why)
	       : target->is_chosen ? chosen_targets__attach(program, target->section)
				   : bpf_program__attach(program);
	err = link ? 0 : -errno;
	libbpf_log__watch(NULL);
	if (link)
		return links__keep(session, link);
	if (!*why->text)
		set_reason(why, remedy(target, err) ? remedy(target, err) : failure.last);
	return err;
}

static void log_missing(const struct part *part, const struct bpf_program *program,
			const struct reason *why)
{
	const char *section = bpf_program__section_name(program);

	if (library_programs__accepts(part, program))
		log__info("%s: without %s: %s", part->name, section, why->text);
	else
		log__info("%s: this kernel has no %s", part->name, section);
}

static int attach_one(struct peat_session *session, struct target *target)
{
	const struct bpf_program *program = target->program;
	struct part *part = target->part;
	bool continues = session->opts.best_effort;
	struct reason why = { "" };
	int err;

	if (session->network && network__accepts(program))
		err = network__attach(session->network, program, why.text, sizeof(why.text));
	else if (session->opts.cgroup && cgroup_programs__accepts(program))
		err = cgroup_programs__attach(session, program, why.text, sizeof(why.text));
	else if (sampled_programs__accepts(program))
		err = sampled_programs__attach(session, part, program, why.text, sizeof(why.text));
	else if (!target->is_chosen && library_programs__accepts(part, program))
		err = library_programs__attach(session, part, program, why.text, sizeof(why.text));
	else if (uprobe_links__accepts(program))
		err = uprobe_links__attach_by_section(session, program, target->section, why.text,
						      sizeof(why.text));
	else
		err = attach_by_section(session, target, &why);
	session->attached += !err;
	if (!err)
		return 0;
	if (may_be_missing(part, program, err)) {
		log_missing(part, program, &why);
		return 0;
	}
	log_failure(target, err, why.text, continues);
	return continues ? 0 : err;
}

static struct target make_target(struct part *part, const struct bpf_program *program,
				 const char *chosen)
{
	const char *section = chosen ? chosen : bpf_program__section_name(program);

	return (struct target){
		.part = part,
		.program = program,
		.section = section,
		.is_chosen = chosen,
		.is_preload = preload__accepts(part->object, program),
		.event = names_tracepoint(program, section)
				 ? tracepoint_event__open(strchr(section, '/') + 1)
				 : -EBADF,
	};
}

/* Opens the events of all tracepoints, and returns the number of targets. */
static size_t open_targets(const struct peat_session *session, struct target *targets)
{
	struct bpf_program *program;
	size_t count = 0;

	for (size_t i = 0; i < session->part_count; i++) {
		if (session->parts[i].functions)
			continue;
		bpf_object__for_each_program(program, session->parts[i].object)
		{
			const char *chosen = chosen_targets__section(session, program, 0);

			if (!bpf_program__autoload(program))
				continue;
			targets[count++] = make_target(&session->parts[i], program, chosen);
			for (size_t next = 1;
			     (chosen = chosen_targets__section(session, program, next)); next++)
				targets[count++] = make_target(&session->parts[i], program, chosen);
		}
	}
	return count;
}

static int attach_some(struct peat_session *session, struct target *targets, size_t count,
		       bool are_preloads)
{
	int err = 0;

	for (size_t i = 0; !err && i < count; i++)
		if (targets[i].is_preload == are_preloads)
			err = attach_one(session, &targets[i]);
	return err;
}

/*
 * Programs with PEAT_PRELOAD are attached last, since the kernel runs them first then: it runs the
 * programs of a function from the last one on (Linux 5.10 to 7.2).
 *
 * A program that is attached already would see the files that are opened for the others, such as
 * their ids in tracefs: so all events are opened before.
 */
static int attach_targets(struct peat_session *session, struct target *targets)
{
	size_t count = open_targets(session, targets);
	int err = attach_some(session, targets, count, false);

	if (!err)
		err = attach_some(session, targets, count, true);
	for (size_t i = 0; i < count; i++)
		if (targets[i].event >= 0)
			close(targets[i].event);
	return err;
}

/* Finds the interfaces, and allocates the targets of all programs. */
static int prepare(struct peat_session *session, struct target **targets)
{
	struct bpf_program *program;
	size_t count = 0;
	bool any = false;

	for (size_t i = 0; i < session->part_count; i++) {
		bpf_object__for_each_program(program, session->parts[i].object)
		{
			any |= bpf_program__autoload(program) && network__accepts(program);
			count++;
		}
	}
	*targets = calloc(count + session->chosen_target_count + 1, sizeof(**targets));
	if (!*targets)
		return -ENOMEM;
	if (!session->opts.interfaces)
		return 0;
	if (!any) {
		log__error("cannot attach to '%s': the objects have no tc or XDP programs",
			   session->opts.interfaces);
		return -EINVAL;
	}
	session->network = network__new(session->opts.interfaces);
	return session->network ? 0 : -errno;
}

int attach__all(struct peat_session *session)
{
	struct target *targets = NULL;
	int err;

	session->is_attached = true;
	cgroup_programs__warn_others(session);
	err = prepare(session, &targets);
	if (!err)
		err = attach_targets(session, targets);
	free(targets);
	for (size_t i = 0; !err && i < session->part_count; i++)
		if (session->parts[i].functions)
			err = function_links__attach(session, &session->parts[i]);
	if (!err)
		used_files__attach(session);
	for (size_t i = 0; !err && i < session->part_count; i++)
		err = library_programs__check(&session->parts[i]);
	if (err || session->attached || !session->part_count || !session->opts.best_effort)
		return err;
	log__error("no program is left to attach: all were left out");
	return -ENOENT;
}

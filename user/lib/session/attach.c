// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* attach.c: the programs of a session, attached to what their sections name. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/btf.h>
#include <bpf/libbpf.h>

#include "session/attach.h"
#include "sys/caps.h"
#include "base/internal.h"
#include "session/network.h"
#include "session/parts.h"

/* PEAT_OPTIONAL: the kernel need not have what the program is attached to. */
static bool is_optional(const struct part *part, const struct bpf_program *program)
{
	return parts__is_tagged(part->object, BTF_KIND_FUNC, bpf_program__name(program),
				"optional");
}

static bool has_tracefs(void)
{
	return !access("/sys/kernel/tracing/events", R_OK) ||
	       !access("/sys/kernel/debug/tracing/events", R_OK);
}

static bool has_kprobes(void)
{
	return !access("/sys/bus/event_source/devices/kprobe/type", R_OK) ||
	       !access("/sys/kernel/tracing/kprobe_events", R_OK) ||
	       !access("/sys/kernel/debug/tracing/kprobe_events", R_OK);
}

static bool is_uprobe(const char *section)
{
	return begins_with(section, "uprobe") || begins_with(section, "uretprobe") ||
	       begins_with(section, "usdt");
}

/* Whether libbpf knows how to attach it, and the section says to what. */
static bool attaches_itself(const struct bpf_program *program)
{
	switch (bpf_program__type(program)) {
	case BPF_PROG_TYPE_KPROBE:
	case BPF_PROG_TYPE_TRACEPOINT:
	case BPF_PROG_TYPE_RAW_TRACEPOINT:
	case BPF_PROG_TYPE_RAW_TRACEPOINT_WRITABLE:
	case BPF_PROG_TYPE_TRACING:
	case BPF_PROG_TYPE_LSM:
	case BPF_PROG_TYPE_EXT:
		return strchr(bpf_program__section_name(program), '/');
	default:
		return false;
	}
}

static const char *explain_kprobe(const char *section, int err)
{
	if (is_uprobe(section))
		return err == -ENOENT || err == -ESRCH
			       ? "there is no such program or library, or no such function in it"
			       : NULL;
	if (!has_kprobes())
		return "this kernel has no kprobes: they need CONFIG_KPROBE_EVENTS";
	if (err == -ENOENT || err == -ESRCH)
		return "this kernel has no such function (/proc/kallsyms), or inlines it";
	if (err == -EINVAL || err == -EADDRNOTAVAIL || err == -EOPNOTSUPP)
		return "the kernel does not let this function be probed "
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

/* What is behind the error, and what would help, in a few words; NULL: nothing is known. */
static const char *remedy(const struct bpf_program *program, int err)
{
	enum bpf_prog_type type = bpf_program__type(program);

	if (network__takes(program))
		return "programs of this kind are attached to a network interface: --if says to "
		       "which one (interfaces of peat_session_opts)";
	if (!attaches_itself(program))
		return "programs of this kind are attached to something that its section does not "
		       "name, so peat cannot do it";
	if (err == -EPERM || err == -EACCES)
		return caps__explain();
	if (type == BPF_PROG_TYPE_KPROBE)
		return explain_kprobe(bpf_program__section_name(program), err);
	if (type == BPF_PROG_TYPE_TRACEPOINT && !has_tracefs())
		return "tracefs is not there: mount -t tracefs none /sys/kernel/tracing";
	if (type == BPF_PROG_TYPE_TRACEPOINT && err == -ENOENT)
		return "this kernel has no such tracepoint (/sys/kernel/tracing/available_events)";
	if (err == -ENOENT &&
	    (type == BPF_PROG_TYPE_RAW_TRACEPOINT || type == BPF_PROG_TYPE_RAW_TRACEPOINT_WRITABLE))
		return "this kernel has no such tracepoint";
	return type == BPF_PROG_TYPE_TRACING || type == BPF_PROG_TYPE_LSM ? explain_tracing(err)
									  : NULL;
}

/* The kernel lacks it, and not merely the way to find it. */
static bool may_be_missing(const struct part *part, const struct bpf_program *program, int err)
{
	if (err != -ENOENT || !is_optional(part, program))
		return false;
	return bpf_program__type(program) != BPF_PROG_TYPE_TRACEPOINT || has_tracefs();
}

static void complain(const struct part *part, const struct bpf_program *program, int err,
		     const char *why, bool goes_on)
{
	const char *name = bpf_program__name(program);
	const char *section = bpf_program__section_name(program);
	const char *errno_text = err == -KERNELS_ENOTSUPP ? "Not supported" : strerror(-err);

	if (goes_on)
		log__warn("left out: program %s of %s cannot be attached to %s: %s%s%s", name,
			  part->name, section, errno_text, why ? ": " : "", why ? why : "");
	else
		log__error("cannot attach %s of %s to %s: %s%s%s%s", name, part->name, section,
			   errno_text, why ? ": " : "", why ? why : "",
			   attaches_itself(program) || network__takes(program)
				   ? ""
				   : ": leave it out (--no-prog)");
}

static int attach_by_section(struct peat_session *session, const struct bpf_program *program)
{
	struct bpf_link *link = bpf_program__attach(program);

	if (!link)
		return -errno;
	session->links[session->link_count++] = link;
	return 0;
}

static int attach_one(struct peat_session *session, const struct part *part,
		      const struct bpf_program *program)
{
	bool goes_on = session->opts.best_effort;
	char why[256] = "";
	int err;

	if (session->network && network__takes(program))
		err = network__attach(session->network, program, why, sizeof(why));
	else
		err = attach_by_section(session, program);
	session->attached += !err;
	if (!err)
		return 0;
	if (may_be_missing(part, program, err)) {
		log__info("%s: this kernel has no %s", part->name,
			  bpf_program__section_name(program));
		return 0;
	}
	complain(part, program, err, *why ? why : remedy(program, err), goes_on);
	return goes_on ? 0 : err;
}

static int attach_part(struct peat_session *session, const struct part *part)
{
	struct bpf_program *program;
	int err = 0;

	bpf_object__for_each_program(program, part->object)
	{
		if (!err && bpf_program__autoload(program))
			err = attach_one(session, part, program);
	}
	return err;
}

/* Interfaces, and room for the links of all programs. */
static int prepare(struct peat_session *session)
{
	struct bpf_program *program;
	size_t count = 0;
	bool any = false;

	for (size_t i = 0; i < session->part_count; i++) {
		bpf_object__for_each_program(program, session->parts[i].object)
		{
			any |= bpf_program__autoload(program) && network__takes(program);
			count++;
		}
	}
	session->links = calloc(count + 1, sizeof(struct bpf_link *));
	if (!session->links)
		return -ENOMEM;
	if (!session->opts.interfaces)
		return 0;
	if (!any) {
		log__error("there is no program of tc or XDP that could be attached to '%s'",
			   session->opts.interfaces);
		return -EINVAL;
	}
	session->network = network__new(session->opts.interfaces);
	return session->network ? 0 : -errno;
}

int attach__all(struct peat_session *session)
{
	int err = prepare(session);

	for (size_t i = 0; !err && i < session->part_count; i++)
		err = attach_part(session, &session->parts[i]);
	if (err || session->attached || !session->part_count || !session->opts.best_effort)
		return err;
	log__error("there is no program left to attach");
	return -ENOENT;
}

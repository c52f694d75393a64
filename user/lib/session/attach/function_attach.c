// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/attach/function_attach.c: attaches programs that follow plans to their functions. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/errors.h"
#include "base/log.h"
#include "functions/function_places.h"
#include "functions/function_probe.h"
#include "object/globals.h"
#include "object/libbpf_log.h"
#include "session/attach/function_links.h"
#include "session/attach/kprobe_multi.h"
#include "session/attach/links.h"
#include "session/attach/tracepoint_event.h"
#include "session/attach/uprobe_multi.h"
#include "session/parts/session.h"
#include "sys/caps.h"
#include "sys/tracefs.h"

static bool is_of_user(const struct function_probe *probe)
{
	return function_source__is_user(&probe->source);
}

/* ---- one by one ------------------------------------------------------------------------------ */

static struct bpf_link *attach_user(const char *path, const struct bpf_program *program,
				    uint64_t offset, bool is_return, uint64_t cookie)
{
	LIBBPF_OPTS(bpf_uprobe_opts, opts, .retprobe = is_return, .bpf_cookie = cookie);

	return bpf_program__attach_uprobe_opts(program, -1, path, offset, &opts);
}

static struct bpf_link *attach_kernel(const struct function_probe *probe,
				      const struct bpf_program *program, size_t i, bool is_return,
				      uint64_t cookie)
{
	LIBBPF_OPTS(bpf_kprobe_opts, opts, .retprobe = is_return, .offset = probe->source.offset,
		    .bpf_cookie = cookie);

	if (probe->by_fentry)
		return bpf_program__attach_trace(program);
	return bpf_program__attach_kprobe_opts(program, probe->found.at[i].name, &opts);
}

/* The link owns the perf event. */
static struct bpf_link *attach_tracepoint(const struct function_probe *probe,
					  const struct bpf_program *program, size_t i,
					  uint64_t cookie)
{
	LIBBPF_OPTS(bpf_perf_event_opts, opts, .bpf_cookie = cookie);
	const struct found_function *found = &probe->found.at[i];
	struct bpf_link *link;
	char name[512];
	int fd, err;

	snprintf(name, sizeof(name), "%s/%s", found->module, found->name);
	fd = tracepoint_event__open(name);
	if (fd < 0)
		return fail_null(fd);
	link = bpf_program__attach_perf_event_opts(program, fd, &opts);
	err = -errno;
	if (link)
		return link;
	close(fd);
	return fail_null(err);
}

static struct bpf_link *attach_usdt(const struct function_probe *probe, const char *path,
				    const struct bpf_program *program, size_t i)
{
	LIBBPF_OPTS(bpf_usdt_opts, opts, .usdt_cookie = i + 1);

	return bpf_program__attach_usdt(program, -1, path, probe->found.at[i].module,
					probe->found.at[i].name, &opts);
}

/* Users who may not read tracefs get EACCES then. */
static bool needs_kprobes(const struct function_probe *probe)
{
	return !is_of_user(probe) && !probe->source.group && !tracefs__has_kprobes();
}

static const char *explain(const struct function_probe *probe, int err)
{
	if (needs_kprobes(probe))
		return "this kernel has no kprobes (CONFIG_KPROBE_EVENTS)";
	if (err == -EPERM || err == -EACCES)
		return is_of_user(probe) ? caps__explain_uprobes() : caps__explain();
	if (probe->source.kind == SOURCE_USDT && err == -EOPNOTSUPP)
		return "before Linux 5.15, USDT can be probed in programs at a fixed address only "
		       "(linked with -no-pie), and not in libraries";
	if (err == -KERNELS_ENOTSUPP)
		return "the kernel cannot put a probe on its first instruction";
	if (probe->source.group || is_of_user(probe))
		return strerror(-err);
	if (err == -ENOENT || err == -ESRCH)
		return "the kernel has no such function";
	return "the kernel does not allow a probe of this function";
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* Functions of a file that have no link yet, and the program to be attached. */
struct attaching {
	struct peat_session *session;
	const struct function_probe *probe;
	const char *path;	    /* of the file; NULL: the kernel */
	bool is_further;	    /* not the file that the probe was made from */
	uint64_t *places, *cookies; /* cookie: the number of the plan; 0: it cannot be probed */
	size_t count;
	bool has_cookies;
	int err; /* why the first one cannot be probed */
	const struct bpf_program *program;
	int type; /* its attach type */
	bool is_return;
};

static struct bpf_link *attach_one(const struct attaching *attaching, size_t at)
{
	const struct function_probe *probe = attaching->probe;
	const struct bpf_program *program = attaching->program;
	uint64_t cookie = attaching->has_cookies ? attaching->cookies[at] : 0;
	size_t i = attaching->cookies[at] - 1;

	switch (probe->source.kind) {
	case SOURCE_TRACEPOINT:
		return attach_tracepoint(probe, program, i, cookie);
	case SOURCE_USDT:
		return attach_usdt(probe, attaching->path, program, i);
	case SOURCE_UPROBE:
	case SOURCE_URETPROBE:
		return attach_user(attaching->path, program, attaching->places[at],
				   attaching->is_return, cookie);
	case SOURCE_KPROBE:
	case SOURCE_KRETPROBE:
	case SOURCE_KINDS:
		break;
	}
	return attach_kernel(probe, program, i, attaching->is_return, cookie);
}

/* Errors that another function would have as well. */
static bool concerns_all(int err)
{
	return err == -EPERM || err == -EACCES || err == -EMFILE || err == -ENFILE ||
	       err == -ENOMEM || err == -EINTR;
}

static int leave_out(struct attaching *attaching, size_t i, int err)
{
	if (attaching->is_further && concerns_all(err))
		return err;
	if (!attaching->is_further && (concerns_all(err) || attaching->probe->found.count == 1)) {
		log__error("%s: cannot attach to %s: %s", function_probe__name(attaching->probe),
			   attaching->probe->found.at[attaching->cookies[i] - 1].name,
			   explain(attaching->probe, err));
		return err;
	}
	attaching->cookies[i] = 0;
	attaching->err = attaching->err ? attaching->err : err;
	return 0;
}

static int attach_each(struct attaching *attaching)
{
	int err = 0;

	for (size_t i = 0; !err && i < attaching->count; i++) {
		struct load_failure failure;
		struct bpf_link *link;
		int failed;

		libbpf_log__watch(&failure);
		link = attach_one(attaching, i);
		failed = link ? 0 : -errno;
		libbpf_log__watch(NULL);
		err = link ? links__keep(attaching->session, link)
			   : leave_out(attaching, i, failed);
	}
	return err;
}

static int attach_range(const struct attaching *attaching, size_t first, size_t count)
{
	/* Perf events of uprobes would be of one thread. */
	const struct uprobe_place place = {
		.path = attaching->path,
		.pid = attaching->session->opts.pid,
		.is_return = attaching->is_return,
		.is_session = attaching->type == UPROBE_SESSION_ATTACH_TYPE,
	};
	const struct kprobe_places kernel = {
		.addresses = attaching->places + first,
		.cookies = attaching->cookies + first,
		.count = (uint32_t)count,
		.is_return = attaching->is_return,
		.is_session = attaching->type == KPROBE_SESSION_ATTACH_TYPE,
	};
	int program = bpf_program__fd(attaching->program);

	return is_of_user(attaching->probe)
		       ? uprobe_multi__attach_all(program, &place, kernel.addresses, kernel.cookies,
						  kernel.count)
		       : kprobe_multi__attach(program, &kernel);
}

/* One function that cannot be probed makes the kernel refuse all of a link: halves are tried. */
static int attach_halves(struct attaching *attaching, size_t first, size_t count)
{
	int fd = attach_range(attaching, first, count);

	if (fd >= 0)
		return links__keep_fd(attaching->session, fd);
	if (count == 1 || concerns_all(fd))
		return leave_out(attaching, first, fd);
	return attach_halves(attaching, first, count / 2)
		       ?: attach_halves(attaching, first + count / 2, count - count / 2);
}

/* Removes the functions that were left out, so that no other program is attached to them. */
static void forget_left_out(struct attaching *attaching)
{
	size_t kept = 0;

	for (size_t i = 0; i < attaching->count; i++) {
		attaching->places[kept] = attaching->places[i];
		attaching->cookies[kept] = attaching->cookies[i];
		kept += attaching->cookies[i] != 0;
	}
	attaching->count = kept;
}

static bool has_many_places(int type)
{
	return type == UPROBE_MULTI_ATTACH_TYPE || type == UPROBE_SESSION_ATTACH_TYPE ||
	       type == KPROBE_MULTI_ATTACH_TYPE || type == KPROBE_SESSION_ATTACH_TYPE;
}

static int attach_program(struct attaching *attaching, const struct bpf_object *object,
			  const char *name, bool is_return)
{
	struct bpf_program *program = bpf_object__find_program_by_name(object, name);
	int err;

	if (!program || !bpf_program__autoload(program))
		return 0;
	attaching->program = program;
	attaching->type = (int)bpf_program__expected_attach_type(program); /* by libbpf for USDT */
	attaching->is_return = is_return;
	attaching->session->attached += !attaching->is_further;
	if (has_many_places(attaching->type) && attaching->probe->source.kind != SOURCE_USDT)
		err = attach_halves(attaching, 0, attaching->count);
	else
		err = attach_each(attaching);
	forget_left_out(attaching);
	return err;
}

/*
 * Returns first: a return whose call was not seen emits nothing.  The program that touches memory
 * last: the kernel runs it first.
 */
static int attach_programs(struct attaching *attaching, const struct bpf_object *object)
{
	static const char *const names[] = { "peat_on_return",	    "peat_on_fexit",
					     "peat_on_enter",	    "peat_on_fentry",
					     "peat_on_fentry_call", "peat_on_session",
					     "peat_on_call",	    "peat_on_tracepoint",
					     "peat_on_usdt",	    "peat_on_preload" };
	int err = 0;

	for (size_t i = 0; !err && attaching->count && i < sizeof(names) / sizeof(*names); i++)
		err = attach_program(attaching, object, names[i], i == 0);
	return err;
}

static int check_left_out(const struct attaching *attaching)
{
	const struct function_probe *probe = attaching->probe;
	size_t left_out = probe->found.count - attaching->count + probe->found.left_out;

	if (!attaching->count) {
		log__error("%s: none of its %zu functions can be probed: %s",
			   function_probe__name(probe), probe->found.count,
			   explain(probe, attaching->err));
		return attaching->err;
	}
	if (left_out)
		log__info("%s: %zu functions, and %zu left out, which cannot be probed",
			  function_probe__name(probe), attaching->count, left_out);
	return 0;
}

static int begin(const struct part *part)
{
	size_t bytes;
	volatile uint32_t *has_begun = globals__find(part->object, "peat_plan_has_begun", &bytes);

	if (has_begun) {
		*has_begun = 1;
		return 0;
	}
	log__error("%s: cannot start its programs: their variables cannot be mapped: %s",
		   function_probe__name(part->functions), strerror(errno));
	return -errno;
}

/* All programs of the object, at all functions of a file, or of the kernel. */
static int attach_places(struct attaching *attaching, const struct bpf_object *object,
			 const struct function_places *places)
{
	size_t count = attaching->probe->found.count;

	attaching->places = places->at;
	attaching->cookies = places->numbers;
	attaching->count = places->count;
	attaching->has_cookies = count > 1 && function_links__have_cookies();
	return attach_programs(attaching, object);
}

int function_links__attach(struct peat_session *session, struct part *part)
{
	const struct function_probe *probe = part->functions;
	struct attaching attaching = { .session = session, .probe = probe, .path = probe->path };
	struct function_places places;
	int err = function_places__of_probe(&places, probe);

	if (err)
		return err;
	err = attach_places(&attaching, part->object, &places) ?: check_left_out(&attaching);
	function_places__free(&places);
	return err ?: begin(part);
}

int function_links__attach_file(struct peat_session *session, struct part *part, const char *path,
				size_t *differing)
{
	struct attaching attaching = {
		.session = session, .probe = part->functions, .path = path, .is_further = true
	};
	struct function_places places;
	int err = function_places__of_file(&places, part->functions, path);

	*differing = 0;
	if (err)
		return err;
	*differing = places.differing;
	if (places.count)
		err = attach_places(&attaching, part->object, &places);
	if (!err && !attaching.count)
		err = attaching.err ?: -ENOENT;
	function_places__free(&places);
	return err;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/attach/chosen_targets.c: keeps targets of programs, and attaches programs to them. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/libbpf.h>

#include "base/array.h"
#include "base/errors.h"
#include "base/log.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "session/attach/chosen_targets.h"
#include "session/attach/uprobe_target.h"
#include "session/parts/session.h"

enum target_kind { UPROBE, KPROBE, TRACEPOINT, RAW_TRACEPOINT, KINDS };

static const char *const expected[KINDS] = {
	[UPROBE] = "FILE:FUNCTION",
	[KPROBE] = "FUNCTION",
	[TRACEPOINT] = "CATEGORY:NAME",
	[RAW_TRACEPOINT] = "NAME",
};

/* Sections without a target. */
static const struct {
	const char *section;
	enum target_kind kind;
} sections[] = {
	{ "uprobe", UPROBE },		{ "uprobe.s", UPROBE },
	{ "uretprobe", UPROBE },	{ "uretprobe.s", UPROBE },
	{ "kprobe", KPROBE },		{ "kretprobe", KPROBE },
	{ "tp", TRACEPOINT },		{ "tracepoint", TRACEPOINT },
	{ "raw_tp", RAW_TRACEPOINT },	{ "raw_tracepoint", RAW_TRACEPOINT },
	{ "raw_tp.w", RAW_TRACEPOINT }, { "raw_tracepoint.w", RAW_TRACEPOINT },
};

/* ---- choosing -------------------------------------------------------------------------------- */

/* 0, or a negative errno; logged. */
static int find_kind(const struct bpf_program *program, enum target_kind *kind)
{
	const char *section = bpf_program__section_name(program);

	for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); i++) {
		if (strcmp(section, sections[i].section) != 0)
			continue;
		*kind = sections[i].kind;
		return 0;
	}
	if (strchr(section, '/')) {
		log__error("cannot choose a target for the program %s: its section has one: %s",
			   bpf_program__name(program), section);
		return -EEXIST;
	}
	log__error("cannot choose a target for the program %s (%s): only programs of uprobe, "
		   "uretprobe, kprobe, kretprobe, tracepoint and raw_tp can have one",
		   bpf_program__name(program), section);
	return -EINVAL;
}

static bool is_name(const char *text)
{
	return *text && !strpbrk(text, "/:");
}

/* "CATEGORY:NAME" */
static bool is_tracepoint(const char *text)
{
	const char *colon = strchr(text, ':');

	return colon && colon != text && is_name(colon + 1) &&
	       !memchr(text, '/', (size_t)(colon - text));
}

static bool is_valid(enum target_kind kind, const char *target, const char *section)
{
	struct uprobe_target parsed;

	switch (kind) {
	case UPROBE:
		return uprobe_target__parse(&parsed, section);
	case TRACEPOINT:
		return is_tracepoint(target);
	default:
		return is_name(target);
	}
}

/* NULL: no memory. */
static char *make_section(const struct bpf_program *program, enum target_kind kind,
			  const char *target)
{
	struct strbuf out = { 0 };
	char *colon;

	strbuf__text(&out, bpf_program__section_name(program));
	strbuf__char(&out, '/');
	strbuf__text(&out, target);
	strbuf__char(&out, '\0');
	if (out.failed) {
		strbuf__free(&out);
		return NULL;
	}
	colon = kind == TRACEPOINT ? strchr(out.bytes, ':') : NULL;
	if (colon)
		*colon = '/';
	return out.bytes;
}

/* Owns the section. */
static int keep(struct peat_session *session, struct bpf_program *program, char *section)
{
	if (!ARRAY_RESERVE_NEXT(session->chosen_targets, session->chosen_target_count)) {
		free(section);
		return -ENOMEM;
	}
	session->chosen_targets[session->chosen_target_count++] =
		(struct chosen_target){ .program = program, .section = section };
	return bpf_program__set_autoload(program, true);
}

static int choose(struct peat_session *session, struct bpf_program *program, const char *target)
{
	enum target_kind kind;
	char *section;
	int err = find_kind(program, &kind);

	if (err)
		return err;
	section = make_section(program, kind, target);
	if (!section)
		return -ENOMEM;
	if (is_valid(kind, target, section))
		return keep(session, program, section);
	log__error("'%s' cannot be the target of the program %s (%s): expected %s", target,
		   bpf_program__name(program), bpf_program__section_name(program), expected[kind]);
	free(section);
	return -EINVAL;
}

int peat_session__attach_to(struct peat_session *session, const char *name, const char *target)
{
	int err = parts__check_not_started(session);
	bool found = false;

	for (size_t i = 0; !err && i < session->part_count; i++) {
		struct bpf_program *program;

		program = bpf_object__find_program_by_name(session->parts[i].object, name);
		if (program)
			err = choose(session, program, target);
		found |= program != NULL;
	}
	if (!err && !found)
		err = parts__log_unknown_program(session, name);
	return err ? fail(err) : 0;
}

const char *chosen_targets__section(const struct peat_session *session,
				    const struct bpf_program *program, size_t i)
{
	for (size_t at = 0; at < session->chosen_target_count; at++)
		if (session->chosen_targets[at].program == program && !i--)
			return session->chosen_targets[at].section;
	return NULL;
}

void chosen_targets__free(struct peat_session *session)
{
	for (size_t i = 0; i < session->chosen_target_count; i++)
		free(session->chosen_targets[i].section);
	free(session->chosen_targets);
}

/* ---- attaching ------------------------------------------------------------------------------- */

static struct bpf_link *attach_uprobe(const struct bpf_program *program, const char *section)
{
	struct uprobe_target target;
	char path[PATH_MAX];
	int err = uprobe_target__parse(&target, section)
			  ? uprobe_target__find_file(target.file, path, sizeof(path))
			  : -EINVAL;
	LIBBPF_OPTS(bpf_uprobe_opts, opts, .retprobe = target.is_return,
		    .func_name = target.function);

	if (err)
		return fail_null(err);
	return bpf_program__attach_uprobe_opts(program, -1, path, target.offset, &opts);
}

struct bpf_link *chosen_targets__attach(const struct bpf_program *program, const char *section)
{
	const char *name = strchr(section, '/') + 1;

	if (begins_with(section, "raw_t"))
		return bpf_program__attach_raw_tracepoint(program, name);
	if (begins_with(section, "k"))
		return bpf_program__attach_kprobe(program, begins_with(section, "kret"), name);
	return attach_uprobe(program, section);
}

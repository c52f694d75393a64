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
#include "object/kernel_btf.h"
#include "object/libbpf_log.h"
#include "session/attach/chosen_targets.h"
#include "session/attach/uprobe_target.h"
#include "session/parts/session.h"

enum target_kind { UPROBE, USDT, KPROBE, TRACEPOINT, RAW_TRACEPOINT, BY_BTF, KINDS };

static const char *const expected[KINDS] = {
	[UPROBE] = "FILE:FUNCTION",	[USDT] = "FILE:PROVIDER:NAME", [KPROBE] = "FUNCTION",
	[TRACEPOINT] = "CATEGORY:NAME", [RAW_TRACEPOINT] = "NAME",     [BY_BTF] = "NAME",
};

/* First words of sections; also with ".s". */
static const struct {
	const char *word;
	enum target_kind kind;
} sections[] = {
	{ "uprobe", UPROBE },
	{ "uretprobe", UPROBE },
	{ "usdt", USDT },
	{ "kprobe", KPROBE },
	{ "kretprobe", KPROBE },
	{ "tp", TRACEPOINT },
	{ "tracepoint", TRACEPOINT },
	{ "raw_tp", RAW_TRACEPOINT },
	{ "raw_tracepoint", RAW_TRACEPOINT },
	{ "raw_tp.w", RAW_TRACEPOINT },
	{ "raw_tracepoint.w", RAW_TRACEPOINT },
	{ "fentry", BY_BTF },
	{ "fexit", BY_BTF },
	{ "fmod_ret", BY_BTF },
	{ "lsm", BY_BTF },
	{ "tp_btf", BY_BTF },
};

/* ---- choosing -------------------------------------------------------------------------------- */

static bool begins_with_word(const char *section, const char *word)
{
	if (!begins_with(section, word))
		return false;
	section += strlen(word);
	section += begins_with(section, ".s") ? 2 : 0;
	return !*section || *section == '/';
}

/* KINDS: programs of this section have no target that can be chosen. */
static enum target_kind kind_of(const char *section)
{
	for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); i++)
		if (begins_with_word(section, sections[i].word))
			return sections[i].kind;
	return KINDS;
}

bool chosen_targets__accepts(const struct bpf_program *program)
{
	return kind_of(bpf_program__section_name(program)) != KINDS;
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

/* Splits "FILE:PROVIDER:NAME" in place. */
static bool split_usdt(char *target, const char **provider, const char **name)
{
	char *colon = strrchr(target, ':');

	if (!colon)
		return false;
	*colon = '\0';
	*name = colon + 1;
	colon = strrchr(target, ':');
	if (!colon)
		return false;
	*colon = '\0';
	*provider = colon + 1;
	return *target && **provider && **name;
}

static bool is_usdt(const char *target)
{
	char *copy = strdup(target);
	const char *provider, *name;
	bool is_valid = copy && split_usdt(copy, &provider, &name);

	free(copy);
	return is_valid;
}

static bool is_valid(enum target_kind kind, const char *target, const char *section)
{
	struct uprobe_target parsed;

	switch (kind) {
	case UPROBE:
		return uprobe_target__parse(&parsed, section);
	case USDT:
		return is_usdt(target);
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
	const char *section = bpf_program__section_name(program);
	struct strbuf out = { 0 };
	char *colon;

	strbuf__bytes(&out, section, strcspn(section, "/"));
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

const char *chosen_targets__section(const struct peat_session *session,
				    const struct bpf_program *program, size_t i)
{
	for (size_t at = 0; at < session->chosen_target_count; at++)
		if (session->chosen_targets[at].program == program && !i--)
			return session->chosen_targets[at].section;
	return NULL;
}

static int choose(struct peat_session *session, struct bpf_program *program, const char *target)
{
	enum target_kind kind = kind_of(bpf_program__section_name(program));
	char *section;

	if (kind == KINDS) {
		log__error("cannot choose a target for the program %s (%s): only programs of "
			   "uprobe, usdt, kprobe, tracepoint, raw_tp, fentry, fexit, fmod_ret, lsm "
			   "and tp_btf can have one",
			   bpf_program__name(program), bpf_program__section_name(program));
		return -EINVAL;
	}
	if (kind == BY_BTF && chosen_targets__section(session, program, 0)) {
		log__error("cannot choose another target for the program %s: programs of %s have "
			   "only one",
			   bpf_program__name(program), bpf_program__section_name(program));
		return -EEXIST;
	}
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

void chosen_targets__free(struct peat_session *session)
{
	for (size_t i = 0; i < session->chosen_target_count; i++)
		free(session->chosen_targets[i].section);
	free(session->chosen_targets);
}

/* ---- before the load ------------------------------------------------------------------------ */

static int bind(struct bpf_program *program, const char *target)
{
	struct load_failure failure;
	int err;

	libbpf_log__watch(&failure);
	err = bpf_program__set_attach_target(program, 0, target);
	libbpf_log__watch(NULL);
	if (err)
		log__error("cannot attach the program %s (%s) to '%s': %s",
			   bpf_program__name(program), bpf_program__section_name(program), target,
			   kernel_btf__is_missing() ? "this kernel has no BTF (" KERNEL_BTF ")"
						    : "this kernel's BTF has no such function, "
						      "hook or tracepoint");
	return err;
}

int chosen_targets__bind(const struct peat_session *session, const struct bpf_object *from,
			 const struct bpf_object *to)
{
	int err = 0;

	for (size_t i = 0; !err && i < session->chosen_target_count; i++) {
		const struct chosen_target *chosen = &session->chosen_targets[i];
		const char *name = bpf_program__name(chosen->program);

		if (kind_of(chosen->section) == BY_BTF && bpf_program__autoload(chosen->program) &&
		    bpf_object__find_program_by_name(from, name) == chosen->program)
			err = bind(bpf_object__find_program_by_name(to, name),
				   strchr(chosen->section, '/') + 1);
	}
	return err;
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

static struct bpf_link *attach_usdt(const struct bpf_program *program, const char *target)
{
	char *file = strdup(target), path[PATH_MAX];
	const char *provider, *name;
	struct bpf_link *link = NULL;
	int err = file ? 0 : -ENOMEM;

	if (!err)
		err = split_usdt(file, &provider, &name)
			      ? uprobe_target__find_file(file, path, sizeof(path))
			      : -EINVAL;
	if (!err) {
		link = bpf_program__attach_usdt(program, -1, path, provider, name, NULL);
		err = link ? 0 : -errno;
	}
	free(file);
	return err ? fail_null(err) : link;
}

struct bpf_link *chosen_targets__attach(const struct bpf_program *program, const char *section)
{
	const char *name = strchr(section, '/') + 1;

	switch (kind_of(section)) {
	case RAW_TRACEPOINT:
		return bpf_program__attach_raw_tracepoint(program, name);
	case KPROBE:
		return bpf_program__attach_kprobe(program, begins_with(section, "kret"), name);
	case USDT:
		return attach_usdt(program, name);
	case BY_BTF:
		return bpf_program__attach(program);
	default:
		return attach_uprobe(program, section);
	}
}

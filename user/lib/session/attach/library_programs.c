// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/attach/library_programs.c: attaches programs to functions of a library that users choose.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/btf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "base/log.h"
#include "object/declared_tag.h"
#include "object/globals.h"
#include "object/libbpf_log.h"
#include "object/preload.h"
#include "schema/btf_tags.h"
#include "session/attach/library_programs.h"
#include "session/attach/links.h"
#include "session/parts/session.h"
#include "session/attach/uprobe_links.h"
#include "session/attach/uprobe_multi.h"
#include "session/attach/uprobe_target.h"
#include "session/attach/used_files.h"
#include "sys/caps.h"

#define NAME_BYTES UPROBE_NAME_BYTES

/* A function of a library, and the option by which users choose another file. */
struct place {
	struct uprobe_target target;
	char option[NAME_BYTES];
};

/* ---- the declaration ------------------------------------------------------------------------- */

bool library_programs__accepts(const struct part *part, const struct bpf_program *program)
{
	return declared_tag__is_on(part->object, BTF_KIND_FUNC, bpf_program__name(program),
				   "library:");
}

/* 0, or a negative errno: the option's name is too long. */
static int read_option_name(const struct bpf_object *object, const char *program, char *name)
{
	const struct btf *btf = bpf_object__btf(object);
	int id = btf ? btf__find_by_name_kind(btf, program, BTF_KIND_FUNC) : -ENOENT, err;
	struct btf_tags tags;
	const char *text;

	if (id <= 0)
		return -EINVAL;
	err = btf_tags__read(&tags, btf);
	if (err)
		return err;
	text = btf_tags__find(&tags, (uint32_t)id, TAGS_WHOLE, "library:");
	if (text && strlen(text) < NAME_BYTES)
		strcpy(name, text);
	else
		err = -EINVAL;
	btf_tags__free(&tags);
	return err;
}

/* The option's text replaces the library of the section, unless it is empty. */
static bool read_option(struct bpf_object *object, struct place *place)
{
	size_t bytes;
	const char *text = globals__find(object, place->option, &bytes);

	if (!text || strnlen(text, bytes) >= NAME_BYTES)
		return false;
	if (bytes && *text)
		snprintf(place->target.file, NAME_BYTES, "%.*s", (int)bytes, text);
	return true;
}

static int read_place(const struct part *part, const struct bpf_program *program,
		      struct place *place, char *why, size_t room)
{
	*place = (struct place){ 0 };
	if (read_option_name(part->object, bpf_program__name(program), place->option) ||
	    !uprobe_target__parse(&place->target, bpf_program__section_name(program)) ||
	    !read_option(part->object, place)) {
		snprintf(
			why, room,
			"a program with PEAT_LIBRARY(OPTION) has a section uprobe/FILE:FUNCTION or "
			"uretprobe/FILE:FUNCTION, and the option is a text of at most %d bytes",
			NAME_BYTES - 1);
		return -EINVAL;
	}
	return 0;
}

/* ---- attaching ------------------------------------------------------------------------------- */

static void explain_missing(const struct peat_session *session, const struct place *place, int err,
			    char *why, size_t room)
{
	const char *file = place->target.file;

	if (err == -ESRCH)
		snprintf(why, room, "there is no process %u", session->opts.pid);
	else if (strchr(file, '/') && err == -ENOENT)
		snprintf(why, room, "%s has no function %s, or there is no such file", file,
			 place->target.function);
	else if (strchr(file, '/'))
		snprintf(why, room, err == -ENOEXEC ? "%s is not an ELF file" : "%s cannot be read",
			 file);
	else if (session->opts.pid && (err == -EACCES || err == -EPERM))
		snprintf(why, room,
			 "CAP_SYS_PTRACE is missing, without which the libraries of process %u are "
			 "unknown: run it as root, or name a file by the option %s",
			 session->opts.pid, place->option);
	else if (err != -ENOENT)
		snprintf(why, room, "cannot look for %s", file);
	else if (session->opts.pid)
		snprintf(why, room, "process %u has no %s: name a file by the option %s",
			 session->opts.pid, file, place->option);
	else
		snprintf(why, room,
			 "this machine has no %s, and no process uses one: name a file by the "
			 "option "
			 "%s, or a process, -p, that uses it",
			 file, place->option);
}

static void explain_failure(const struct place *place, const char *path, int err,
			    const struct load_failure *failure, char *why, size_t room)
{
	if (err == -ENOENT)
		snprintf(why, room, "%s has no function %s, or there is no such file", path,
			 place->target.function);
	else if (err == -EPERM || err == -EACCES)
		snprintf(why, room, "%s", caps__explain_uprobes());
	else
		snprintf(why, room, "%s: %s", path, failure->last);
}

/* With a process, the other processes have no breakpoint, and no cost. */
static int attach_to(struct peat_session *session, const struct bpf_program *program,
		     const struct place *place, const struct used_file *file, char *why,
		     size_t room)
{
	char path[USED_PATH_BYTES];
	struct uprobe_place at = { .path = used_files__path(file, path), .pid = session->opts.pid };
	LIBBPF_OPTS(bpf_uprobe_opts, opts, .retprobe = place->target.is_return,
		    .func_name = place->target.function);
	pid_t pid = session->opts.pid ? (pid_t)session->opts.pid : -1;
	struct load_failure failure;
	struct bpf_link *link;
	int err;

	if (uprobe_links__accepts(program))
		return uprobe_links__attach(session, program, &place->target, &at, file->path, why,
					    room);
	libbpf_log__watch(&failure);
	link = bpf_program__attach_uprobe_opts(program, pid, at.path, place->target.offset, &opts);
	err = link ? 0 : -errno;
	libbpf_log__watch(NULL);
	if (!err)
		return links__keep(session, link);
	explain_failure(place, file->path, err, &failure, why, room);
	return err;
}

/* One file with the function is enough.  Errors of files of other containers are not the user's. */
static int attach_to_all(struct peat_session *session, const struct bpf_program *program,
			 const struct place *place, char *why, size_t room)
{
	struct used_name *name = used_files__of(session, place->target.file);
	int err = name ? name->err : -ENOENT;
	bool is_any = false;

	if (!name || !name->count) {
		explain_missing(session, place, err, why, room);
		return err;
	}
	for (size_t i = 0; i < name->count; i++) {
		struct used_file *file = &name->files[i];
		uint32_t before = session->link_count;

		if (!used_files__may_attach(session, file))
			continue;
		err = attach_to(session, program, place, file, why, room);
		used_files__count_links(session, file, before);
		file->is_attached |= !err;
		is_any |= !err;
		if (err && err != -ENOENT && !file->is_further)
			return err;
	}
	return is_any ? 0 : err;
}

bool library_programs__file(const struct part *part, const struct bpf_program *program,
			    char name[UPROBE_NAME_BYTES])
{
	struct place place;
	char why[8];

	if (read_place(part, program, &place, why, sizeof(why)))
		return false;
	strcpy(name, place.target.file);
	return true;
}

/* -ENOENT: no such program is for files of this name. */
static int attach_some(struct peat_session *session, struct part *part, const char *name,
		       const struct used_file *file, bool are_preloads)
{
	struct bpf_program *program;
	int err = -ENOENT;
	char why[256];

	bpf_object__for_each_program(program, part->object)
	{
		struct place place;
		int failed;

		if (!bpf_program__autoload(program) || !library_programs__accepts(part, program) ||
		    preload__accepts(part->object, program) != are_preloads ||
		    read_place(part, program, &place, why, sizeof(why)) ||
		    strcmp(place.target.file, name) != 0)
			continue;
		failed = attach_to(session, program, &place, file, why, sizeof(why));
		if (failed)
			log__debug("%s: %s", part->name, why);
		err = !failed || !err ? 0 : failed;
	}
	return err;
}

/* Programs with PEAT_PRELOAD last, as in attach.c: the kernel runs them first then. */
int library_programs__attach_file(struct peat_session *session, struct part *part, const char *name,
				  const struct used_file *file)
{
	int err = attach_some(session, part, name, file, false);

	if (!err)
		attach_some(session, part, name, file, true);
	return err;
}

int library_programs__attach(struct peat_session *session, struct part *part,
			     const struct bpf_program *program, char *why, size_t room)
{
	struct place place;
	int err = read_place(part, program, &place, why, room);

	if (err)
		return err;
	if (!session->opts.pid && declared_tag__is_on(part->object, BTF_KIND_FUNC,
						      bpf_program__name(program), "one_process")) {
		snprintf(why, room,
			 "it follows one process, since it would slow down all others: name the "
			 "process by -p (pid of peat_session_opts), or run a command: -- COMMAND");
		return -EINVAL;
	}
	err = attach_to_all(session, program, &place, why, room);
	part->library_attached |= !err;
	return err;
}

int library_programs__check(const struct part *part)
{
	struct bpf_program *program, *missing = NULL;
	struct place place = { 0 };

	bpf_object__for_each_program(program, part->object)
	{
		if (bpf_program__autoload(program) && library_programs__accepts(part, program))
			missing = program;
	}
	if (!missing || part->library_attached)
		return 0;
	read_option_name(part->object, bpf_program__name(missing), place.option);
	log__error("cannot attach %s: none of its functions is in a library that it looks for (-v "
		   "lists them): name a file by the option %s, or a process that uses it by -p",
		   part->name, place.option);
	return -ENOENT;
}

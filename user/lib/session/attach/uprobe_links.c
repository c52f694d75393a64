// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/attach/uprobe_links.c: chooses programs for links of uprobe_multi, and attaches them. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <bpf/libbpf.h>

#include "base/log.h"
#include "elf/function_offset.h"
#include "session/attach/links.h"
#include "session/attach/return_values.h"
#include "session/parts/session.h"
#include "session/attach/uprobe_links.h"
#include "session/attach/uprobe_multi.h"
#include "session/attach/uprobe_target.h"
#include "sys/caps.h"

/* ---- before the load ------------------------------------------------------------------------- */

static bool names_function(const struct bpf_program *program)
{
	struct uprobe_target target;

	return bpf_program__type(program) == BPF_PROG_TYPE_KPROBE &&
	       uprobe_target__parse(&target, bpf_program__section_name(program));
}

static bool is_any_suitable(const struct bpf_object *object)
{
	struct bpf_program *program;
	struct bpf_map *map;
	bool found = false;

	bpf_object__for_each_map(map, object)
	{
		if (bpf_map__type(map) == BPF_MAP_TYPE_PROG_ARRAY)
			return false;
	}
	bpf_object__for_each_program(program, object) found |= names_function(program);
	return found;
}

/* A program that is too large for the change of its result is left to perf events. */
static int choose(const struct part *part, struct bpf_program *program)
{
	int err = return_values__make_zero(program);

	if (err)
		return err == -E2BIG ? 0 : err;
	log__debug("%s: program %s is attached by a link of uprobe_multi", part->name,
		   bpf_program__name(program));
	return bpf_program__set_expected_attach_type(
		program, (enum bpf_attach_type)UPROBE_MULTI_ATTACH_TYPE);
}

int uprobe_links__choose(const struct part *part)
{
	struct bpf_program *program;
	int err = 0;

	if (!is_any_suitable(part->object) || !uprobe_multi__is_supported())
		return 0;
	bpf_object__for_each_program(program, part->object)
	{
		if (!err && bpf_program__autoload(program) && names_function(program))
			err = choose(part, program);
	}
	return err;
}

/* ---- after it -------------------------------------------------------------------------------- */

bool uprobe_links__accepts(const struct bpf_program *program)
{
	return (int)bpf_program__expected_attach_type(program) == UPROBE_MULTI_ATTACH_TYPE &&
	       names_function(program);
}

static void explain_uprobe_error(const struct uprobe_target *target, const char *path, int err,
				 char *why, size_t room)
{
	if (err == -ENOENT)
		snprintf(why, room,
			 "%s has no function %s, or there is no such file: another one can be "
			 "chosen (peat_session__attach_to())",
			 path, target->function);
	else if (err == -ENOTUNIQ)
		snprintf(why, room, "%s has several functions %s", path, target->function);
	else if (err == -ENOEXEC)
		snprintf(why, room, "%s is not an ELF file", path);
	else if (err == -EACCES)
		snprintf(why, room, "%s cannot be read", path);
	else if (err == -EPERM)
		snprintf(why, room, "%s", caps__explain());
	else if (err == -ESRCH)
		snprintf(why, room, "there is no such process");
	else
		snprintf(why, room, "the kernel does not allow a uprobe at %s of %s",
			 target->function, path);
}

int uprobe_links__attach(struct peat_session *session, const struct bpf_program *program,
			 const struct uprobe_target *target, struct uprobe_place *place,
			 const char *name, char *why, size_t room)
{
	int fd = function_offset__find(place->path, target->function, &place->offset);

	place->offset += target->offset;
	place->is_return = target->is_return;
	if (!fd)
		fd = uprobe_multi__attach(bpf_program__fd(program), place);
	if (fd >= 0)
		return links__keep_fd(session, fd);
	explain_uprobe_error(target, name, fd, why, room);
	return fd;
}

int uprobe_links__attach_by_section(struct peat_session *session, const struct bpf_program *program,
				    const char *section, char *why, size_t room)
{
	struct uprobe_target target;
	char path[PATH_MAX];
	struct uprobe_place place = { .path = path };
	int err;

	if (!uprobe_target__parse(&target, section))
		return -EINVAL;
	err = uprobe_target__find_file(target.file, path, sizeof(path));
	if (!err)
		return uprobe_links__attach(session, program, &target, &place, path, why, room);
	explain_uprobe_error(&target, target.file, err, why, room);
	return err;
}

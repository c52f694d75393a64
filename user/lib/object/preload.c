// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* object/preload.c: finds and checks programs with PEAT_PRELOAD. */
#include <errno.h>
#include <linux/btf.h>
#include <string.h>
#include <bpf/libbpf.h>

#include "base/log.h"
#include "base/text.h"
#include "object/declared_tag.h"
#include "object/preload.h"

/* libbpf 1.1 sets the flag only on load. */
bool preload__is_sleepable(const struct bpf_program *program)
{
	const char *section = bpf_program__section_name(program);
	size_t kind_bytes = strcspn(section, "/");

	if (bpf_program__flags(program) & BPF_F_SLEEPABLE)
		return true;
	return kind_bytes > 2 && !strncmp(section + kind_bytes - 2, ".s", 2);
}

static bool has_mark(const struct bpf_object *object, const struct bpf_program *program)
{
	return declared_tag__is_on(object, BTF_KIND_FUNC, bpf_program__name(program), "preload");
}

bool preload__accepts(const struct bpf_object *object, const struct bpf_program *program)
{
	return preload__is_sleepable(program) && has_mark(object, program);
}

bool preload__any(const struct bpf_object *object)
{
	struct bpf_program *program;
	bool found = false;

	bpf_object__for_each_program(program, object) found |= preload__accepts(object, program);
	return found;
}

static bool is_sleepable_uprobe(const struct bpf_program *program)
{
	const char *section = bpf_program__section_name(program);

	return preload__is_sleepable(program) &&
	       (begins_with(section, "uprobe") || begins_with(section, "uretprobe"));
}

int preload__check(const struct bpf_object *object)
{
	struct bpf_program *program;

	bpf_object__for_each_program(program, object)
	{
		if (is_sleepable_uprobe(program) || !has_mark(object, program))
			continue;
		log__error("%s: the program %s has PEAT_PRELOAD, and the section %s: only programs "
			   "of uprobe.s and uretprobe.s touch memory for others",
			   bpf_object__name(object), bpf_program__name(program),
			   bpf_program__section_name(program));
		return -EINVAL;
	}
	return 0;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* session/conditions.c: programs that are loaded only with an option. */
#include <errno.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <linux/btf.h>
#include <string.h>

#include "base/log.h"
#include "object/globals.h"
#include "schema/btf_tags.h"
#include "session/conditions.h"
#include "session/parts/session.h"

/* The name of the option; NULL: the program has no PEAT_IF(). */
static const char *find_condition(const struct btf *btf, const struct btf_tags *tags,
				  const struct bpf_program *program)
{
	int id = btf__find_by_name_kind(btf, bpf_program__name(program), BTF_KIND_FUNC);

	return id > 0 ? btf_tags__find(tags, (uint32_t)id, TAGS_WHOLE, "if:") : NULL;
}

static int apply(const struct part *part, struct bpf_program *program, const char *option)
{
	static const unsigned char zero[sizeof(uint64_t)];
	size_t bytes;
	const void *value = globals__find(part->object, option, &bytes);

	if (!value || bytes > sizeof(zero)) {
		log__error("the program %s of %s has PEAT_IF(%s), but the object has no option of "
			   "this name that is a bool or a number",
			   bpf_program__name(program), part->name, option);
		return -EINVAL;
	}
	return memcmp(value, zero, bytes) ? 0 : bpf_program__set_autoload(program, false);
}

int conditions__apply(const struct part *part)
{
	const struct btf *btf = bpf_object__btf(part->object);
	struct bpf_program *program;
	struct btf_tags tags;
	const char *option;
	int err;

	if (!btf)
		return 0;
	err = btf_tags__read(&tags, btf);
	if (err)
		return err;
	bpf_object__for_each_program(program, part->object)
	{
		option = find_condition(btf, &tags, program);
		if (!err && option)
			err = apply(part, program, option);
	}
	btf_tags__free(&tags);
	return err;
}

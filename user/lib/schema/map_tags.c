// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* schema/map_tags.c: the tags of maps in the BTF of their object. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/btf.h>

#include "schema/btf_tags.h"
#include "schema/map_tags.h"

#define KERNELS_NAME 15 /* characters */

static bool has_name(const struct btf *btf, const struct btf_type *type, const char *name,
		     bool is_cut)
{
	const char *own = btf__name_by_offset(btf, type->name_off);
	size_t bytes = strlen(name);

	if (!own || strncmp(own, name, bytes))
		return false;
	return !own[bytes] || (is_cut && bytes == KERNELS_NAME);
}

static int copy_text(char **copy, const char *text)
{
	*copy = text && *text ? strdup(text) : NULL;
	return text && *text && !*copy ? -ENOMEM : 0;
}

/* 1: the variable is tagged. */
static int read_variable(struct map_tags *tags, const struct btf_tags *all, uint32_t id)
{
	const char *doc = btf_tags__find(all, id, TAGS_WHOLE, "table:");
	const char *unit = btf_tags__find(all, id, TAGS_WHOLE, "hist:");
	int err;

	if (!doc && !unit)
		return 0;
	tags->is_table = true;
	err = copy_text(&tags->doc, doc);
	if (!err)
		err = copy_text(&tags->unit, unit);
	return err ? err : 1;
}

int map_tags__read(struct map_tags *tags, const struct btf *btf, const char *name, bool is_cut)
{
	uint32_t types = btf__type_cnt(btf);
	struct btf_tags all;
	int err;

	*tags = (struct map_tags){ 0 };
	err = btf_tags__read(&all, btf);
	for (uint32_t id = 1; !err && all.count && id < types; id++) {
		const struct btf_type *type = btf__type_by_id(btf, id);

		if (btf_is_var(type) && has_name(btf, type, name, is_cut))
			err = read_variable(tags, &all, id);
	}
	btf_tags__free(&all);
	if (err < 0)
		map_tags__free(tags);
	return err < 0 ? err : 0;
}

void map_tags__free(struct map_tags *tags)
{
	free(tags->doc);
	free(tags->unit);
	*tags = (struct map_tags){ 0 };
}

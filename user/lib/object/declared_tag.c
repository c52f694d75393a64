// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* object/declared_tag.c: finds the tags of an object's variables and programs. */
#include <errno.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "object/declared_tag.h"
#include "schema/btf_tags.h"

bool declared_tag__is_on(const struct bpf_object *object, uint32_t kind, const char *name,
			 const char *start)
{
	const struct btf *btf = bpf_object__btf(object);
	int id = btf ? btf__find_by_name_kind(btf, name, kind) : -ENOENT;
	struct btf_tags tags;
	bool found;

	if (id <= 0 || btf_tags__read(&tags, btf))
		return false;
	found = btf_tags__find(&tags, (uint32_t)id, TAGS_WHOLE, start);
	btf_tags__free(&tags);
	return found;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* object/infer/kernel_types.c: a sorted list of the kernel's types. */
#include <bpf/btf.h>
#include <errno.h>
#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>

#include "object/infer/kernel_types.h"

struct kernel_type {
	const char *name;
	uint32_t kind;
	size_t bytes; /* length of the name */
};

static int compare_kernel_types(const void *one, const void *other)
{
	const struct kernel_type *a = one, *b = other;
	size_t bytes = a->bytes < b->bytes ? a->bytes : b->bytes;
	int order = memcmp(a->name, b->name, bytes);

	if (order)
		return order;
	if (a->bytes != b->bytes)
		return a->bytes < b->bytes ? -1 : 1;
	return a->kind < b->kind ? -1 : a->kind > b->kind;
}

/* The key without the "___old" of a variant. */
static struct kernel_type kernel_type_key(const char *name, uint32_t kind)
{
	const char *variant = strstr(name, "___");
	size_t bytes = variant && variant > name ? (size_t)(variant - name) : strlen(name);

	return (struct kernel_type){ name, kind, bytes };
}

static const char *type_name(const struct btf *btf, const struct btf_type *type)
{
	if (!btf_is_composite(type) && !btf_is_typedef(type))
		return NULL;
	return btf__name_by_offset(btf, type->name_off);
}

int kernel_types__read(struct kernel_types *types, const struct btf *btf)
{
	uint32_t count = btf ? btf__type_cnt(btf) : 1;

	*types = (struct kernel_types){ 0 };
	types->at = calloc(count, sizeof(*types->at));
	if (!types->at)
		return -ENOMEM;
	for (uint32_t id = 1; id < count; id++) {
		const struct btf_type *type = btf__type_by_id(btf, id);
		const char *name = type_name(btf, type);

		if (name && *name)
			types->at[types->count++] = kernel_type_key(name, btf_kind(type));
	}
	qsort(types->at, types->count, sizeof(*types->at), compare_kernel_types);
	return 0;
}

bool kernel_types__has(const struct kernel_types *types, const char *name, uint32_t kind)
{
	struct kernel_type key = kernel_type_key(name, kind);

	return types->count && bsearch(&key, types->at, types->count, sizeof(*types->at),
				       compare_kernel_types) != NULL;
}

void kernel_types__free(struct kernel_types *types)
{
	free(types->at);
	*types = (struct kernel_types){ 0 };
}

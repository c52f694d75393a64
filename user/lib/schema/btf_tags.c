// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* schema/btf_tags.c: tags on types and variables: __attribute__((btf_decl_tag("..."))). */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/btf.h>
#include <linux/btf.h>

#include "base/array.h"
#include "schema/btf_tags.h"

#define PREFIX	     "peat:"
#define PREFIX_BYTES 5

struct tag {
	uint32_t type;
	int member;
	uint32_t order; /* in the BTF */
	const char *text;
};

static int compare_tags(const void *one, const void *other)
{
	const struct tag *a = one, *b = other;

	if (a->type != b->type)
		return a->type < b->type ? -1 : 1;
	if (a->member != b->member)
		return a->member < b->member ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

/* Reads type `id`.  1: it is a tag of peat's; 0: it is not; -EBADMSG. */
static int read_tag(struct tag *tag, const struct btf *btf, uint32_t id)
{
	const struct btf_type *type = btf__type_by_id(btf, id);
	const char *text;

	if (!type || !btf_is_decl_tag(type))
		return 0;
	text = btf__name_by_offset(btf, type->name_off);
	if (!text)
		return -EBADMSG;
	if (strncmp(text, PREFIX, PREFIX_BYTES))
		return 0;
	*tag = (struct tag){ type->type, btf_decl_tag(type)->component_idx, id,
			     text + PREFIX_BYTES };
	return 1;
}

/* A header of odd length misaligns all types, which libbpf (1.1) does not detect. */
static bool are_types_aligned(const struct btf *btf)
{
	return (uintptr_t)btf__type_by_id(btf, 1) % _Alignof(struct btf_type) == 0;
}

int btf_tags__read(struct btf_tags *tags, const struct btf *btf)
{
	uint32_t types = btf__type_cnt(btf);

	*tags = (struct btf_tags){ 0 };
	if (!are_types_aligned(btf))
		return -EBADMSG;
	for (uint32_t id = 1; id < types; id++) {
		struct tag tag;
		int answer = read_tag(&tag, btf, id);

		if (answer > 0 && !ARRAY_RESERVE_NEXT(tags->tags, tags->count))
			answer = -ENOMEM;
		if (answer < 0) {
			btf_tags__free(tags);
			return answer;
		}
		if (answer)
			tags->tags[tags->count++] = tag;
	}
	if (tags->count)
		qsort(tags->tags, tags->count, sizeof(*tags->tags), compare_tags);
	return 0;
}

/* Index of the first tag that is not before this type and member. */
static size_t first_tag_at(const struct btf_tags *tags, uint32_t type, int member)
{
	struct tag wanted = { .type = type, .member = member };
	size_t low = 0, high = tags->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_tags(&tags->tags[middle], &wanted) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const char *btf_tags__find(const struct btf_tags *tags, uint32_t type, int member,
			   const char *start)
{
	size_t bytes = strlen(start);

	for (size_t i = first_tag_at(tags, type, member); i < tags->count; i++) {
		const struct tag *tag = &tags->tags[i];

		if (tag->type != type || tag->member != member)
			break;
		if (!strncmp(tag->text, start, bytes))
			return tag->text + bytes;
	}
	return NULL;
}

void btf_tags__free(struct btf_tags *tags)
{
	free(tags->tags);
	*tags = (struct btf_tags){ 0 };
}

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_SCHEMA_BTF_TAGS_H
#define PEAT_SCHEMA_BTF_TAGS_H

#include <stddef.h>
#include <stdint.h>

struct btf;

/* The declaration tags of a BTF that begin with "peat:", sorted by type and member. */
struct btf_tags {
	struct tag *tags;
	size_t count;
};

#define TAGS_WHOLE (-1) /* instead of a member's number: the tag is on the type itself */

/* The texts stay owned by the BTF.  0, -EBADMSG or -ENOMEM. */
int btf_tags__read(struct btf_tags *tags, const struct btf *btf);

/*
 * Finds the tag on a type, or on its member number `member`, whose text begins with `start`
 * ("as:"), and returns the rest ("hex").  NULL: no such tag.
 */
const char *btf_tags__find(const struct btf_tags *tags, uint32_t type, int member,
			   const char *start);

void btf_tags__free(struct btf_tags *tags);

#endif /* PEAT_SCHEMA_BTF_TAGS_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef TAGS_H
#define TAGS_H

#include <stddef.h>
#include <stdint.h>

struct btf;

/* The declaration tags of a BTF that begin with "peat:", looked up by what they are on. */
struct tags {
	struct tag *tags;
	size_t count;
};

#define TAGS_WHOLE (-1) /* in the place of a member's number: the tag is on the type itself */

/* Their text stays the BTF's.  0, -EBADMSG or -ENOMEM. */
int tags__read(struct tags *tags, const struct btf *btf);

/*
 * Of the tag on a type, or on its member number `member`, that goes on with `start` ("as:") what
 * follows then ("hex").  NULL: there is none.
 */
const char *tags__find(const struct tags *tags, uint32_t type, int member, const char *start);

void tags__free(struct tags *tags);

#endif /* TAGS_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* candidates.h: the types of an object that its events could be of. */
#ifndef CANDIDATES_H
#define CANDIDATES_H

#include "object/infer/dwarf.h"
#include "object/infer/kernel_types.h"
#include "base/strbuf.h"

struct peat_schema;

struct candidate {
	const char *name; /* the object's */
	uint32_t kind;	  /* BTF_KIND_STRUCT, _UNION, or _TYPEDEF of one that has no name */
	uint64_t bytes;
	bool in_btf;
	uint64_t place; /* the id in the object's BTF, or debug_info's */
};

/* All zero: none. */
struct candidates {
	struct candidate *at;
	size_t count, room;
};

/*
 * Adds all that are in the object's BTF or its debug information (NULL: it has none), each once,
 * the BTF's first.  0, -EBADMSG, -E2BIG, -ENOMEM.
 */
int candidates__read(struct candidates *list, const struct btf *btf, struct debug_info *info);

/* Likewise what has that name, typedefs of any struct and union included. */
int candidates__read_named(struct candidates *list, const struct btf *btf, struct debug_info *info,
			   const char *name);

/* "struct event" and "event" are the same. */
const char *candidates__name_of(const char *words);

/* What events of this type are, of the list of these two.  NULL and errno, as peat_schema__new().
 */
struct peat_schema *candidates__schema(const struct btf *btf, struct debug_info *info,
				       const struct candidate *candidate);

/* Keeps those that have so many bytes. */
void candidates__keep_size(struct candidates *list, uint64_t bytes);

/* Keeps those that a program has made up: neither the kernel's nor libbpf's. */
void candidates__keep_own(struct candidates *list, const struct kernel_types *types);

/* "a, b, c", or the first of them "and 7 more". */
void candidates__name(const struct candidates *list, struct out *out);

void candidates__free(struct candidates *list);

#endif /* CANDIDATES_H */

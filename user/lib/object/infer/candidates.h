/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* object/infer/candidates.h: lists the types of an object that can be the type of its events. */
#ifndef PEAT_OBJECT_INFER_CANDIDATES_H
#define PEAT_OBJECT_INFER_CANDIDATES_H

#include "object/infer/dwarf.h"
#include "object/infer/kernel_types.h"
#include "base/strbuf.h"

struct peat_schema;

struct candidate {
	const char *name; /* owned by the BTF or DWARF */
	uint32_t kind;	  /* BTF_KIND_STRUCT, _UNION, or _TYPEDEF of an unnamed struct or union */
	uint64_t bytes;
	bool in_btf;
	bool is_kernels; /* the DWARF has it from a vmlinux.h */
	uint64_t place;	 /* type id in the object's BTF, or dwarf_type.place */
};

/* All zero: empty. */
struct candidates {
	struct candidate *at;
	size_t count, room;
};

/*
 * Adds the types in the object's BTF and in its DWARF (either may be NULL), without duplicates, BTF
 * before DWARF.  0, -EBADMSG, -E2BIG, -ENOMEM.
 */
int candidates__read(struct candidates *list, const struct btf *btf, struct dwarf *info);

/* The same for the types with this name, including typedefs of named structs and unions. */
int candidates__read_named(struct candidates *list, const struct btf *btf, struct dwarf *info,
			   const char *name);

/* Returns "event" for "struct event" and "event". */
const char *candidates__name_of(const char *words);

/* The schema of a candidate that was read from `btf` and `info`.  NULL: see peat_schema__new(). */
struct peat_schema *candidates__schema(const struct btf *btf, struct dwarf *info,
				       const struct candidate *candidate);

/* Keeps the types of this size. */
void candidates__keep_size(struct candidates *list, uint64_t bytes);

/* Keeps the program's own types: not the kernel's, not libbpf's. */
void candidates__keep_own(struct candidates *list, const struct kernel_types *types);

/* Appends the names: "a, b, c", or the first few "and 7 more". */
void candidates__name(const struct candidates *list, struct strbuf *out);

void candidates__free(struct candidates *list);

#endif /* PEAT_OBJECT_INFER_CANDIDATES_H */

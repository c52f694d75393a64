// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* object/infer/candidates.c: collects types and removes those that cannot be an event's. */
#include <bpf/btf.h>
#include <errno.h>
#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>

#include <peat/schema.h>

#include "base/array.h"
#include "base/errors.h"
#include "base/escape.h"
#include "base/text.h"
#include "object/infer/candidates.h"

#define BYTES_MAX 65535 /* of an event */
#define NAMED_MAX 5

struct query {
	struct candidates *list;
	const char *name; /* the name to look for; NULL: all types */
};

static int append_candidate(struct candidates *list, const struct candidate *candidate)
{
	if (!ARRAY_RESERVE(list->at, list->count, list->room))
		return -ENOMEM;
	list->at[list->count++] = *candidate;
	return 0;
}

/* Adds a type if its size and name match.  An alias is a typedef of a named type. */
static int add_if_matching(const struct query *query, const struct candidate *candidate,
			   bool is_alias)
{
	if (!candidate->bytes || candidate->bytes > BYTES_MAX)
		return 0;
	if (query->name ? strcmp(candidate->name, query->name) : is_alias)
		return 0;
	return append_candidate(query->list, candidate);
}

/* ---- BTF ------------------------------------------------------------------------------------- */

/* libbpf (1.1) accepts a BTF header of odd length, which makes all types unaligned. */
static bool is_btf_aligned(const struct btf *btf)
{
	return (uintptr_t)btf__type_by_id(btf, 1) % _Alignof(struct btf_type) == 0;
}

static int add_btf_type(const struct query *query, const struct btf *btf, uint32_t id)
{
	const struct btf_type *type = btf__type_by_id(btf, id), *whole = type;
	struct candidate candidate = { .kind = btf_kind(type), .in_btf = true, .place = id };
	bool is_alias = false;

	if (btf_is_typedef(type)) {
		whole = btf__type_by_id(btf, type->type);
		is_alias = whole && whole->name_off;
	}
	if (!whole || !btf_is_composite(whole))
		return 0;
	candidate.name = btf__name_by_offset(btf, type->name_off);
	candidate.bytes = whole->size;
	return candidate.name && *candidate.name ? add_if_matching(query, &candidate, is_alias) : 0;
}

static int read_btf_candidates(const struct query *query, const struct btf *btf)
{
	uint32_t types = btf ? btf__type_cnt(btf) : 0;
	int err = 0;

	if (types > 1 && !is_btf_aligned(btf))
		return -EBADMSG;
	for (uint32_t id = 1; !err && id < types; id++)
		err = add_btf_type(query, btf, id);
	return err;
}

/* ---- DWARF ----------------------------------------------------------------------------------- */

static int add_dwarf_type(void *ctx, const struct dwarf_type *type)
{
	struct candidate candidate = {
		.name = type->name,
		.kind = type->is_union ? BTF_KIND_UNION : BTF_KIND_STRUCT,
		.bytes = type->bytes,
		.is_kernels = type->is_kernels,
		.place = type->place,
	};

	if (type->is_typedef)
		candidate.kind = BTF_KIND_TYPEDEF;
	return add_if_matching(ctx, &candidate, type->is_alias);
}

/* ---- both ------------------------------------------------------------------------------------ */

static int compare_candidates(const void *one, const void *other)
{
	const struct candidate *a = one, *b = other;
	int order = strcmp(a->name, b->name);

	if (order)
		return order;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->bytes != b->bytes)
		return a->bytes < b->bytes ? -1 : 1;
	if (a->in_btf != b->in_btf)
		return a->in_btf ? -1 : 1;
	return a->place < b->place ? -1 : a->place > b->place;
}

static bool is_same_candidate(const struct candidate *a, const struct candidate *b)
{
	return !strcmp(a->name, b->name) && a->kind == b->kind && a->bytes == b->bytes;
}

static void remove_duplicates(struct candidates *list)
{
	size_t kept = 0;

	if (!list->count)
		return;
	qsort(list->at, list->count, sizeof(*list->at), compare_candidates);
	for (size_t i = 1; i < list->count; i++)
		if (is_same_candidate(&list->at[i], &list->at[kept]))
			list->at[kept].is_kernels |= list->at[i].is_kernels;
		else
			list->at[++kept] = list->at[i];
	list->count = kept + 1;
}

static int read_candidates(const struct query *query, const struct btf *btf, struct dwarf *info)
{
	struct query writable = *query;
	int err = read_btf_candidates(query, btf);

	if (!err && info)
		err = dwarf__each(info, add_dwarf_type, &writable);
	remove_duplicates(query->list);
	return err;
}

int candidates__read(struct candidates *list, const struct btf *btf, struct dwarf *info)
{
	return read_candidates(&(struct query){ list, NULL }, btf, info);
}

int candidates__read_named(struct candidates *list, const struct btf *btf, struct dwarf *info,
			   const char *name)
{
	return read_candidates(&(struct query){ list, name }, btf, info);
}

const char *candidates__name_of(const char *words)
{
	static const char *const kinds[] = { "struct ", "union " };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (begins_with(words, kinds[i]))
			return words + strlen(kinds[i]);
	return words;
}

struct peat_schema *candidates__schema(const struct btf *btf, struct dwarf *info,
				       const struct candidate *candidate)
{
	struct peat_schema *schema;
	struct btf *own;
	uint32_t id;
	int err;

	if (candidate->in_btf)
		return peat_schema__new(btf, (uint32_t)candidate->place);
	own = dwarf__btf(info, candidate->place, &id);
	if (!own)
		return NULL;
	schema = peat_schema__new(own, id);
	err = -errno;
	btf__free(own);
	return schema ? schema : fail_null(err);
}

/* ---- filters --------------------------------------------------------------------------------- */

void candidates__keep_size(struct candidates *list, uint64_t bytes)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++)
		if (list->at[i].bytes == bytes)
			list->at[kept++] = list->at[i];
	list->count = kept;
}

/* Map definitions of old libbpf and iproute2. */
static bool is_map_definition(const char *name)
{
	return !strcmp(name, "bpf_map_def") || !strcmp(name, "bpf_elf_map");
}

void candidates__keep_own(struct candidates *list, const struct kernel_types *types)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->count; i++) {
		const struct candidate *candidate = &list->at[i];

		if (!is_map_definition(candidate->name) && !candidate->is_kernels &&
		    !kernel_types__has(types, candidate->name, candidate->kind))
			list->at[kept++] = *candidate;
	}
	list->count = kept;
}

void candidates__name(const struct candidates *list, struct strbuf *out)
{
	for (size_t i = 0; i < list->count && i < NAMED_MAX; i++) {
		if (i)
			strbuf__text(out, ", ");
		escape__text(out, list->at[i].name, strlen(list->at[i].name), 0);
	}
	if (list->count > NAMED_MAX) {
		strbuf__text(out, " and ");
		strbuf__unsigned(out, list->count - NAMED_MAX);
		strbuf__text(out, " more");
	}
}

void candidates__free(struct candidates *list)
{
	free(list->at);
	*list = (struct candidates){ 0 };
}

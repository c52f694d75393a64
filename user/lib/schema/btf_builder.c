// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* schema/btf_builder.c: resolving types, and how tags and type names say to show them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/btf.h>
#include <bpf/btf.h>

#include "base/log.h"
#include "schema/btf_builder.h"

#define CHAIN_MAX 64 /* typedefs and qualifiers before a type */

/* ---- errors ---------------------------------------------------------------------------------- */

int btf_builder__invalid(const struct btf_builder *b, const char *label, const char *why)
{
	log__error("%s%s%s: its BTF is invalid: %s", b->name, *label ? "." : "", label, why);
	return -EBADMSG;
}

int btf_builder__unsupported(const struct btf_builder *b, const char *what)
{
	log__error("%s cannot be an event type: %s", b->name, what);
	return -EINVAL;
}

int btf_builder__add(struct btf_builder *b, const struct peat_field *field)
{
	int index = plan__add(&b->plan, field);

	return index == -EINVAL ? btf_builder__unsupported(b, "it has more than 4096 fields")
				: index;
}

/* ---- how a field is shown -------------------------------------------------------------------- */

/* "peat_WORD_t" */
static const struct field_type *show_as_of_typedef(const char *name)
{
	size_t bytes = strlen(name);

	if (bytes <= 7 || strncmp(name, "peat_", 5) || strcmp(name + bytes - 2, "_t"))
		return NULL;
	return field_type__find(name + 5, bytes - 7);
}

static void note_typedef(struct resolved_type *resolved, const char *name)
{
	const struct field_type *as = show_as_of_typedef(name);

	if (!strcmp(name, "__be16"))
		as = &field_type__port;
	else if (!strcmp(name, "__be32"))
		as = &field_type__ipv4;
	if (!strcmp(name, "__be16") || !strcmp(name, "__be32") || !strcmp(name, "__be64"))
		resolved->in_network_order = true;
	if (!resolved->show_as)
		resolved->show_as = as;
}

static void note_struct(struct resolved_type *resolved, const char *name)
{
	if (resolved->show_as)
		return;
	if (!strcmp(name, "in_addr"))
		resolved->show_as = &field_type__ipv4;
	else if (!strcmp(name, "in6_addr"))
		resolved->show_as = &field_type__ipv6;
	else if (!strcmp(name, "peat_stacks"))
		resolved->show_as = &field_type__stack;
}

const struct field_type *btf_builder__read_tag(const struct btf_builder *b, uint32_t type,
					       int index, const char *label)
{
	const char *text = btf_tags__find(&b->tags, type, index, "as:");
	const struct field_type *as = text ? field_type__find(text, strlen(text)) : NULL;

	if (text && !as)
		log__warn("%s.%s: unknown format '%s': shown by its type", b->name, label, text);
	return as;
}

void btf_builder__warn_misfit(const struct btf_builder *b, const struct member *member,
			      const struct field_type *as)
{
	log__warn("%s.%s cannot be shown as '%s': shown by its type", b->name, member->label,
		  as->tag);
}

int btf_builder__resolve(const struct btf_builder *b, const char *label, uint32_t id,
			 struct resolved_type *resolved)
{
	*resolved = (struct resolved_type){ 0 };
	for (int i = 0; i < CHAIN_MAX; i++) {
		const struct btf_type *type = btf__type_by_id(b->btf, id);
		const char *name = type ? btf__name_by_offset(b->btf, type->name_off) : NULL;

		if (!name)
			break;
		if (btf_is_typedef(type)) {
			note_typedef(resolved, name);
		} else if (!btf_is_mod(type)) {
			if (btf_is_struct(type))
				note_struct(resolved, name);
			resolved->type = type;
			resolved->id = id;
			return 0;
		}
		id = type->type;
	}
	return btf_builder__invalid(b, label, "a type is missing, or refers to itself");
}

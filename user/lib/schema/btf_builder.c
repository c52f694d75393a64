// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* schema/btf_builder.c: resolving types, and how tags and type names say to show them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/btf.h>
#include <bpf/btf.h>

#include "schema/btf_builder.h"
#include "base/internal.h"

#define CHAIN_MAX 64 /* typedefs and qualifiers before a type */

static const struct {
	const char *name;
	enum peat_field_kind kind;
} show_as_list[AS_COUNT] = {
	[AS_NONE] = { "", PEAT_FIELD_UNSIGNED },
	[AS_HEX] = { "hex", PEAT_FIELD_HEX },
	[AS_BOOL] = { "bool", PEAT_FIELD_BOOL },
	[AS_FLAGS] = { "flags", PEAT_FIELD_FLAGS },
	[AS_STRING] = { "string", PEAT_FIELD_STRING },
	[AS_STRINGS] = { "strings", PEAT_FIELD_STRINGS },
	[AS_CHARS] = { "chars", PEAT_FIELD_CHARS },
	[AS_BYTES] = { "bytes", PEAT_FIELD_BYTES },
	[AS_IPV4] = { "ipv4", PEAT_FIELD_IPV4 },
	[AS_IPV6] = { "ipv6", PEAT_FIELD_IPV6 },
	[AS_MAC] = { "mac", PEAT_FIELD_MAC },
	[AS_PORT] = { "port", PEAT_FIELD_PORT },
	[AS_ERRNO] = { "errno", PEAT_FIELD_ERRNO },
	[AS_SIGNAL] = { "signal", PEAT_FIELD_SIGNAL },
	[AS_DURATION] = { "duration", PEAT_FIELD_DURATION },
	[AS_SIZE] = { "size", PEAT_FIELD_SIZE },
	[AS_KADDR] = { "kaddr", PEAT_FIELD_KADDR },
	[AS_KSTACK] = { "kstack", PEAT_FIELD_KSTACK },
	[AS_USTACK] = { "ustack", PEAT_FIELD_USTACK },
	[AS_STACK] = { "stack", PEAT_FIELD_STACK },
	[AS_NUMBER] = { "number", PEAT_FIELD_UNSIGNED },
};

enum peat_field_kind btf_builder__kind(enum show_as as)
{
	return show_as_list[as].kind;
}

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

static enum show_as find_show_as(const char *name, size_t bytes)
{
	for (int as = AS_NONE + 1; as < AS_COUNT; as++)
		if (!strncmp(show_as_list[as].name, name, bytes) && !show_as_list[as].name[bytes])
			return (enum show_as)as;
	return AS_NONE;
}

/* "peat_WORD_t" */
static enum show_as show_as_of_typedef(const char *name)
{
	size_t bytes = strlen(name);

	if (bytes <= 7 || strncmp(name, "peat_", 5) || strcmp(name + bytes - 2, "_t"))
		return AS_NONE;
	return find_show_as(name + 5, bytes - 7);
}

static void note_typedef(struct resolved_type *resolved, const char *name)
{
	enum show_as as = show_as_of_typedef(name);

	if (!strcmp(name, "__be16"))
		as = AS_PORT;
	else if (!strcmp(name, "__be32"))
		as = AS_IPV4;
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
		resolved->show_as = AS_IPV4;
	else if (!strcmp(name, "in6_addr"))
		resolved->show_as = AS_IPV6;
	else if (!strcmp(name, "peat_stacks"))
		resolved->show_as = AS_STACK;
}

enum show_as btf_builder__read_tag(const struct btf_builder *b, uint32_t type, int index,
				   const char *label)
{
	const char *text = btf_tags__find(&b->tags, type, index, "as:");
	enum show_as as = text ? find_show_as(text, strlen(text)) : AS_NONE;

	if (text && !as)
		log__warn("%s.%s: unknown format '%s': shown by its type", b->name, label, text);
	return as;
}

void btf_builder__warn_misfit(const struct btf_builder *b, const struct member *member,
			      enum show_as as)
{
	log__warn("%s.%s cannot be shown as '%s': shown by its type", b->name, member->label,
		  show_as_list[as].name);
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

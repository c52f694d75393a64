// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* builder.c: what words and types mean to the makers of fields. */
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
} words[WORDS] = {
	[WORD_NONE] = { "", PEAT_FIELD_UNSIGNED },
	[WORD_HEX] = { "hex", PEAT_FIELD_HEX },
	[WORD_BOOL] = { "bool", PEAT_FIELD_BOOL },
	[WORD_FLAGS] = { "flags", PEAT_FIELD_FLAGS },
	[WORD_STRING] = { "string", PEAT_FIELD_STRING },
	[WORD_STRINGS] = { "strings", PEAT_FIELD_STRINGS },
	[WORD_BYTES] = { "bytes", PEAT_FIELD_BYTES },
	[WORD_IPV4] = { "ipv4", PEAT_FIELD_IPV4 },
	[WORD_IPV6] = { "ipv6", PEAT_FIELD_IPV6 },
	[WORD_MAC] = { "mac", PEAT_FIELD_MAC },
	[WORD_PORT] = { "port", PEAT_FIELD_PORT },
	[WORD_ERRNO] = { "errno", PEAT_FIELD_ERRNO },
	[WORD_SIGNAL] = { "signal", PEAT_FIELD_SIGNAL },
	[WORD_DURATION] = { "duration", PEAT_FIELD_DURATION },
	[WORD_SIZE] = { "size", PEAT_FIELD_SIZE },
	[WORD_KADDR] = { "kaddr", PEAT_FIELD_KADDR },
	[WORD_KSTACK] = { "kstack", PEAT_FIELD_KSTACK },
	[WORD_NUMBER] = { "number", PEAT_FIELD_UNSIGNED },
};

enum peat_field_kind builder__kind(enum word word)
{
	return words[word].kind;
}

/* ---- refusals -------------------------------------------------------------------------------- */

int builder__bad(const struct builder *b, const char *label, const char *why)
{
	log__error("%s%s%s: its BTF makes no sense: %s", b->name, *label ? "." : "", label, why);
	return -EBADMSG;
}

int builder__refuse(const struct builder *b, const char *what)
{
	log__error("%s is no type for events: %s", b->name, what);
	return -EINVAL;
}

int builder__add(struct builder *b, const struct peat_field *field)
{
	int index = plan__add(&b->plan, field);

	return index == -EINVAL ? builder__refuse(b, "it has more than 4096 fields") : index;
}

/* ---- words ----------------------------------------------------------------------------------- */

static enum word find_word(const char *name, size_t bytes)
{
	for (int word = WORD_NONE + 1; word < WORDS; word++)
		if (!strncmp(words[word].name, name, bytes) && !words[word].name[bytes])
			return (enum word)word;
	return WORD_NONE;
}

/* "peat_WORD_t" */
static enum word word_of_typedef(const char *name)
{
	size_t bytes = strlen(name);

	if (bytes <= 7 || strncmp(name, "peat_", 5) || strcmp(name + bytes - 2, "_t"))
		return WORD_NONE;
	return find_word(name + 5, bytes - 7);
}

static void note_typedef(struct found *found, const char *name)
{
	enum word word = word_of_typedef(name);

	if (!strcmp(name, "__be16"))
		word = WORD_PORT;
	else if (!strcmp(name, "__be32"))
		word = WORD_IPV4;
	if (!strcmp(name, "__be16") || !strcmp(name, "__be32") || !strcmp(name, "__be64"))
		found->in_network_order = true;
	if (!found->word)
		found->word = word;
}

static void note_struct(struct found *found, const char *name)
{
	if (found->word)
		return;
	if (!strcmp(name, "in_addr"))
		found->word = WORD_IPV4;
	else if (!strcmp(name, "in6_addr"))
		found->word = WORD_IPV6;
}

enum word builder__tag(const struct builder *b, uint32_t type, int index, const char *label)
{
	const char *text = tags__find(&b->tags, type, index, "as:");
	enum word word = text ? find_word(text, strlen(text)) : WORD_NONE;

	if (text && !word)
		log__warn("%s.%s: peat knows no '%s'; shown by its type", b->name, label, text);
	return word;
}

void builder__warn_misfit(const struct builder *b, const struct member *member, enum word word)
{
	log__warn("%s.%s is not of a type that can be shown as '%s'; shown by its type", b->name,
		  member->label, words[word].name);
}

int builder__find(const struct builder *b, const char *label, uint32_t id, struct found *found)
{
	*found = (struct found){ 0 };
	for (int i = 0; i < CHAIN_MAX; i++) {
		const struct btf_type *type = btf__type_by_id(b->btf, id);
		const char *name = type ? btf__name_by_offset(b->btf, type->name_off) : NULL;

		if (!name)
			break;
		if (btf_is_typedef(type)) {
			note_typedef(found, name);
		} else if (!btf_is_mod(type)) {
			if (btf_is_struct(type))
				note_struct(found, name);
			found->type = type;
			found->id = id;
			return 0;
		}
		id = type->type;
	}
	return builder__bad(b, label, "a type that is not there, or is a circle");
}

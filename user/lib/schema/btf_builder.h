/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* builder.h: what the makers of fields share: where they are, and what words and types mean. */
#ifndef BUILDER_H
#define BUILDER_H

#include "schema/plan.h"
#include "schema/btf_tags.h"

struct btf_type;

enum word {
	WORD_NONE,
	WORD_HEX,
	WORD_BOOL,
	WORD_FLAGS,
	WORD_STRING,
	WORD_STRINGS,
	WORD_BYTES,
	WORD_IPV4,
	WORD_IPV6,
	WORD_MAC,
	WORD_PORT,
	WORD_ERRNO,
	WORD_SIGNAL,
	WORD_DURATION,
	WORD_SIZE,
	WORD_KADDR,
	WORD_KSTACK,
	WORD_NUMBER,
	WORDS
};

struct builder {
	const struct btf *btf;
	const char *name; /* the event's type, for messages */
	struct tags tags;
	struct plan plan;
	uint32_t members, depth;
};

/* A type without its typedefs and qualifiers, and what those said. */
struct found {
	const struct btf_type *type;
	uint32_t id;
	enum word word; /* by the names of its types */
	bool in_network_order;
};

/* A member, or an array's elements, on the way to a field. */
struct member {
	const char *name;
	const char *label; /* of the member that it belongs to, for messages */
	const char *doc;
	enum word word;	  /* by a tag */
	uint64_t bit;	  /* where it begins */
	uint32_t bits;	  /* of a bit-field; 0: none, or the old encoding */
	uint32_t limit;	  /* bytes of what it is in */
	bool may_be_open; /* nothing stands behind it: an array may have no size */
};

/* Both put it into the log: the BTF lies (-EBADMSG), or asks for too much (-EINVAL). */
int builder__bad(const struct builder *b, const char *label, const char *why);
int builder__refuse(const struct builder *b, const char *what);

/* Appends a field; its index or a negative errno. */
int builder__add(struct builder *b, const struct peat_field *field);

/* The kind that a word stands for, NUMBER for an unsigned one. */
enum peat_field_kind builder__kind(enum word word);

/* What the tag on a type or its member says; one that no word is known for is warned of. */
enum word builder__tag(const struct builder *b, uint32_t type, int index, const char *label);

void builder__warn_misfit(const struct builder *b, const struct member *member, enum word word);

/* What is behind the typedefs and qualifiers of type `id`.  0 or -EBADMSG. */
int builder__find(const struct builder *b, const char *label, uint32_t id, struct found *found);

/* Appends a field for an INT, FLOAT, PTR, ENUM or ENUM64. */
int number__add(struct builder *b, const struct member *member, const struct found *found);

/* Whether a plain number under this word is of the type of `field`. */
bool number__fits(const struct peat_field *field, enum word word, bool is_enum);

#endif /* BUILDER_H */

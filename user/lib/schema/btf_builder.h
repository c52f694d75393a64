/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* schema/btf_builder.h: the state of making fields from BTF, shared by btf_schema.c and
 * btf_number.c. */
#ifndef PEAT_SCHEMA_BTF_BUILDER_H
#define PEAT_SCHEMA_BTF_BUILDER_H

#include "schema/plan.h"
#include "schema/btf_tags.h"

struct btf_type;

struct btf_builder {
	const struct btf *btf;
	const char *name; /* the event's type, for messages */
	struct btf_tags tags;
	struct plan plan;
	uint32_t members, depth;
};

/* A type without its typedefs and qualifiers, and what their names imply. */
struct resolved_type {
	const struct btf_type *type;
	uint32_t id;
	const struct field_type *show_as; /* by the names of its types; NULL: none */
	bool in_network_order;
};

/* A member, or the elements of an array, before it becomes a field. */
struct member {
	const char *name;
	const char *label; /* name of the member that it belongs to, for messages */
	const char *doc;
	const struct field_type *show_as; /* by a tag; NULL: none */
	uint64_t bit;			  /* where it begins */
	uint32_t bits;			  /* of a bit-field; 0: none, or the old encoding */
	uint32_t limit;			  /* bytes of what it is in */
	bool may_be_open;		  /* the last member: an array may have no size */
};

/* Both log the reason: invalid BTF (-EBADMSG), or an unsupported type (-EINVAL). */
int btf_builder__invalid(const struct btf_builder *b, const char *label, const char *why);
int btf_builder__unsupported(const struct btf_builder *b, const char *what);

/* Appends a field and returns its index, or a negative errno. */
int btf_builder__add(struct btf_builder *b, const struct peat_field *field);

/* Reads the tag "as:" of a type or its member; warns of an unknown word.  NULL: none. */
const struct field_type *btf_builder__read_tag(const struct btf_builder *b, uint32_t type,
					       int index, const char *label);

void btf_builder__warn_misfit(const struct btf_builder *b, const struct member *member,
			      const struct field_type *as);

/* Finds the type after the typedefs and qualifiers of type `id`.  0 or -EBADMSG. */
int btf_builder__resolve(const struct btf_builder *b, const char *label, uint32_t id,
			 struct resolved_type *resolved);

/* Appends the fields of a member of any type (btf_schema.c): 0 or a negative errno. */
int btf_schema__add(struct btf_builder *b, const struct member *member,
		    const struct resolved_type *resolved);

/* Appends those of the members of a struct or a union, which begins at outer->bit. */
int btf_schema__add_members(struct btf_builder *b, const struct member *outer,
			    const struct resolved_type *resolved);

/*
 * Finds the fields that the tags "len:" and "present:" name, for the fields of a struct from
 * `first` on, once all of its members are fields.
 */
void btf_schema__resolve_tags(struct btf_builder *b, uint32_t first);

/* Whether so many bytes are one value if shown in this way. */
bool btf_schema__fits_whole(const struct field_type *as, uint64_t bytes);

/* Appends a field for an INT, FLOAT, PTR, ENUM or ENUM64. */
int btf_number__add(struct btf_builder *b, const struct member *member,
		    const struct resolved_type *resolved);

/* Whether a number of the field's type can be shown in this way. */
bool btf_number__fits(const struct peat_field *field, const struct field_type *as, bool is_enum);

#endif /* PEAT_SCHEMA_BTF_BUILDER_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* functions/plain_type.h: types without typedefs and qualifiers, in BTF that can lie.  Pure. */
#ifndef PEAT_FUNCTIONS_PLAIN_TYPE_H
#define PEAT_FUNCTIONS_PLAIN_TYPE_H

#include <stdbool.h>
#include <stdint.h>

struct btf;
struct btf_type;

struct plain_type {
	const struct btf_type *type; /* kind 0: void */
	uint32_t id;
	const char *meaning; /* the typedef that decides how the number is shown: "size_t", */
			     /* "__be16"; NULL: none */
	bool has_typedef;
	bool is_const;
	bool is_user; /* a pointer to the type leads to user memory: __user of kernels with tags */
};

/* Finds the type behind type `id`.  0; -EBADMSG: a type is missing, or refers to itself. */
int plain_type__find(struct plain_type *plain, const struct btf *btf, uint32_t id);

/* Whether the types of the BTF are aligned: a header of odd length misaligns them all. */
bool plain_type__can_read(const struct btf *btf);

/* The type's name; "": it has none, or it is invalid. */
const char *plain_type__name(const struct plain_type *plain, const struct btf *btf);

/* An integer of whole bytes that is not a bit-field, an enum or a pointer. */
bool plain_type__is_number(const struct plain_type *plain);

/* A number's bytes, 1 to 16; otherwise 0. */
uint32_t plain_type__number_bytes(const struct plain_type *plain);

/* char, also by another name, and signed or unsigned char, but not u8: that is a number. */
bool plain_type__is_character(const struct plain_type *plain, const struct btf *btf);

/* "struct ", "union ", "enum " or "": the word before the name in C. */
const char *plain_type__keyword(const struct btf_type *type);

#endif /* PEAT_FUNCTIONS_PLAIN_TYPE_H */

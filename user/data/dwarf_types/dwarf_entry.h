/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* dwarf_types/dwarf_entry.h: attributes of entries of DWARF, which may be anything. */
#ifndef PEAT_DWARF_TYPES_DWARF_ENTRY_H
#define PEAT_DWARF_TYPES_DWARF_ENTRY_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

struct btf;

/* False: the entry has no such attribute, or it is no number. */
bool dwarf_entry__get_number(Dwarf_Die *die, unsigned int name, uint64_t *value);

/* Returns in `type` the entry that DW_AT_type refers to.  False: there is none. */
bool dwarf_entry__type(Dwarf_Die *die, Dwarf_Die *type);

uint64_t dwarf_entry__bytes(Dwarf_Die *die);   /* 0: unknown */
const char *dwarf_entry__name(Dwarf_Die *die); /* "": it has none */

bool dwarf_entry__is_power_of_two(uint64_t bytes);

/* A base type. */
struct dwarf_number {
	const char *name;
	uint64_t bytes;
	bool is_float;
	int flags; /* BTF_INT_* */
};

/* False: BTF cannot express it; only `bytes` is set. */
bool dwarf_entry__number(Dwarf_Die *die, struct dwarf_number *number);

/* Adds it.  Returns the id or a negative errno. */
int dwarf_entry__add_number(struct btf *btf, const struct dwarf_number *number);

/* The value of an enumerator.  False: it has none. */
bool dwarf_entry__enum_value(Dwarf_Die *die, int64_t *value);
bool dwarf_entry__has_signed_values(Dwarf_Die *parent);

/* The number of elements of a DW_TAG_subrange_type; 0: a flexible array. */
uint64_t dwarf_entry__elements(Dwarf_Die *die);

/* Offset and size of a member; bits is 0 unless it is a bit-field. */
struct dwarf_place {
	uint64_t bit, bits;
};

/*
 * The place of a member whose type has `type_bytes`.  0; -EBADMSG: the place is not constant, or
 * invalid; -E2BIG: more than `most` bytes after the start of the struct.
 */
int dwarf_entry__place(Dwarf_Die *die, uint64_t type_bytes, uint64_t most,
		       struct dwarf_place *place);

#endif /* PEAT_DWARF_TYPES_DWARF_ENTRY_H */

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* dwarf_types/dwarf_entry.c: reads attributes of entries, with libdw. */
#include "base/errors.h"

#ifdef HAVE_LIBDW

#include <bpf/btf.h>
#include <dwarf.h>
#include <errno.h>
#include <linux/btf.h>

#include "dwarf_types/dwarf_entry.h"

bool dwarf_entry__get_number(Dwarf_Die *die, unsigned int name, uint64_t *value)
{
	Dwarf_Attribute attr;
	Dwarf_Word word;

	if (!dwarf_attr(die, name, &attr) || dwarf_formudata(&attr, &word))
		return false;
	*value = word;
	return true;
}

bool dwarf_entry__type(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Attribute attr;

	return dwarf_formref_die(dwarf_attr(die, DW_AT_type, &attr), type) != NULL;
}

uint64_t dwarf_entry__bytes(Dwarf_Die *die)
{
	uint64_t bytes;

	return dwarf_entry__get_number(die, DW_AT_byte_size, &bytes) ? bytes : 0;
}

const char *dwarf_entry__name(Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);

	return name ? name : "";
}

/* ---- numbers --------------------------------------------------------------------------------- */

bool dwarf_entry__is_power_of_two(uint64_t bytes)
{
	return bytes && !(bytes & (bytes - 1));
}

bool dwarf_entry__number(Dwarf_Die *die, struct dwarf_number *number)
{
	uint64_t encoding = 0;

	*number =
		(struct dwarf_number){ dwarf_entry__name(die), dwarf_entry__bytes(die), false, 0 };
	dwarf_entry__get_number(die, DW_AT_encoding, &encoding);
	if (!*number->name || !dwarf_entry__is_power_of_two(number->bytes) || number->bytes > 16)
		return false;
	switch (encoding) {
	case DW_ATE_float:
		number->is_float = true;
		return number->bytes > 1;
	case DW_ATE_boolean:
		number->flags = BTF_INT_BOOL;
		return true;
	case DW_ATE_signed:
	case DW_ATE_signed_char:
		number->flags = BTF_INT_SIGNED;
		return true;
	case DW_ATE_unsigned:
	case DW_ATE_unsigned_char:
	case DW_ATE_UTF:
		return true;
	default:
		return false;
	}
}

int dwarf_entry__add_number(struct btf *btf, const struct dwarf_number *number)
{
	return number->is_float ? btf__add_float(btf, number->name, number->bytes)
				: btf__add_int(btf, number->name, number->bytes, number->flags);
}

/* ---- enums and arrays ------------------------------------------------------------------------ */

static bool is_signed_number(Dwarf_Die *die)
{
	Dwarf_Attribute attr;

	return dwarf_attr(die, DW_AT_const_value, &attr) &&
	       (dwarf_whatform(&attr) == DW_FORM_sdata ||
		dwarf_whatform(&attr) == DW_FORM_implicit_const);
}

bool dwarf_entry__enum_value(Dwarf_Die *die, int64_t *value)
{
	Dwarf_Attribute attr;
	Dwarf_Sword number;

	if (!is_signed_number(die))
		return dwarf_entry__get_number(die, DW_AT_const_value, (uint64_t *)value);
	if (dwarf_formsdata(dwarf_attr(die, DW_AT_const_value, &attr), &number))
		return false;
	*value = number;
	return true;
}

bool dwarf_entry__has_signed_values(Dwarf_Die *parent)
{
	Dwarf_Die die;

	return !dwarf_child(parent, &die) && is_signed_number(&die);
}

uint64_t dwarf_entry__elements(Dwarf_Die *die)
{
	uint64_t count;

	if (dwarf_entry__get_number(die, DW_AT_count, &count))
		return count;
	if (dwarf_entry__get_number(die, DW_AT_upper_bound, &count) && count < UINT32_MAX)
		return count + 1;
	return 0;
}

/* ---- members --------------------------------------------------------------------------------- */

/* Before DWARF 4, the offset is counted from the highest bit of a number of DW_AT_byte_size. */
static uint64_t dwarf3_bit(Dwarf_Die *die, uint64_t type_bytes, uint64_t bits, uint64_t from_top)
{
	uint64_t bytes = dwarf_entry__bytes(die);

	if (!bytes)
		bytes = type_bytes;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	(void)bits;
	return from_top;
#else
	return bytes * 8 - from_top - bits;
#endif
}

/* Before DWARF 4, the offset of a member is an expression. */
static bool get_offset(Dwarf_Die *die, uint64_t *byte)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t count;

	if (dwarf_entry__get_number(die, DW_AT_data_member_location, byte))
		return true;
	if (dwarf_getlocation(dwarf_attr(die, DW_AT_data_member_location, &attr), &ops, &count) ||
	    count != 1 || ops[0].atom != DW_OP_plus_uconst)
		return false;
	*byte = ops[0].number;
	return true;
}

int dwarf_entry__place(Dwarf_Die *die, uint64_t type_bytes, uint64_t most,
		       struct dwarf_place *place)
{
	uint64_t byte = 0, from_top;

	*place = (struct dwarf_place){ 0 };
	if (dwarf_hasattr(die, DW_AT_data_member_location) && !get_offset(die, &byte))
		return -EBADMSG;
	if (byte > most)
		return -E2BIG;
	place->bit = byte * 8;
	if (!dwarf_entry__get_number(die, DW_AT_bit_size, &place->bits))
		return 0;
	if (!place->bits || place->bits > 64)
		return -EBADMSG;
	if (dwarf_entry__get_number(die, DW_AT_bit_offset, &from_top))
		place->bit += dwarf3_bit(die, type_bytes, place->bits, from_top);
	else
		dwarf_entry__get_number(die, DW_AT_data_bit_offset, &place->bit);
	return place->bit > most * 8 ? -EBADMSG : 0;
}

#endif /* HAVE_LIBDW */

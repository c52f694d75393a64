// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* dwarf_types/find_subprograms.c: visits the units that have an address that is wanted. */
#include "base/errors.h"

#ifdef HAVE_LIBDW

#include <dwarf.h>

#include "base/log.h"
#include "base/monotonic.h"
#include "dwarf_types/find_subprograms.h"

#define DEPTH_MAX   32
#define TIME_MAX_NS UINT64_C(10000000000)

/* Languages that the headers of libdw need not have. */
#define LANG_C_PLUS_PLUS_17 0x002a
#define LANG_C_PLUS_PLUS_20 0x002b
#define LANG_C17	    0x002c

struct search {
	struct wanted_subprogram *wanted;
	size_t count, left;	/* functions, those not found yet */
	uint32_t visited, most; /* entries and ranges */
	uint64_t start_ns;
};

/* The list of siblings may be a circle.  libdw can read a whole section to find the next sibling:
 * so the time, too. */
static bool is_over(struct search *search)
{
	return !search->left || search->visited++ >= search->most ||
	       monotonic_ns() - search->start_ns > TIME_MAX_NS;
}

/* The index of the first function at or after an address. */
static size_t first_from(const struct search *search, uint64_t address)
{
	size_t low = 0, high = search->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (search->wanted[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* ---- entries --------------------------------------------------------------------------------- */

/* Parts of a function that are apart from its start have ranges. */
static bool get_start(Dwarf_Die *die, uint64_t *start)
{
	Dwarf_Addr base, end;

	return !dwarf_entrypc(die, start) || dwarf_ranges(die, 0, &base, start, &end) > 0;
}

/* Several functions can have an address: linkers fold those of the same code. */
static void check_subprogram(struct search *search, Dwarf_Die *die)
{
	uint64_t start;

	if (!get_start(die, &start))
		return;
	for (size_t i = first_from(search, start);
	     i < search->count && search->wanted[i].address == start; i++) {
		if (search->wanted[i].is_found)
			continue;
		search->wanted[i].die = *die;
		search->wanted[i].is_found = true;
		search->left--;
	}
}

static void visit_children(struct search *search, Dwarf_Die *parent, int depth)
{
	Dwarf_Die die;

	if (depth == DEPTH_MAX || dwarf_child(parent, &die))
		return;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_subprogram:
			check_subprogram(search, &die);
			break;
		case DW_TAG_namespace:
		case DW_TAG_structure_type:
		case DW_TAG_class_type:
		case DW_TAG_union_type:
			visit_children(search, &die, depth + 1);
			break;
		default:
			break;
		}
	} while (!is_over(search) && !dwarf_siblingof(&die, &die));
}

/* ---- units ----------------------------------------------------------------------------------- */

static bool passes_arguments_as_c(Dwarf_Die *unit)
{
	switch (dwarf_srclang(unit)) {
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case LANG_C17:
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
	case LANG_C_PLUS_PLUS_17:
	case LANG_C_PLUS_PLUS_20:
	case DW_LANG_ObjC:
	case DW_LANG_ObjC_plus_plus:
	case DW_LANG_Rust:
		return true;
	default:
		return false;
	}
}

static bool has_wanted(struct search *search, Dwarf_Die *unit)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while (!is_over(search) && (at = dwarf_ranges(unit, at, &base, &start, &end)) > 0) {
		size_t first = first_from(search, start);

		if (first < search->count && search->wanted[first].address < end)
			return true;
	}
	return false;
}

/* The unit in the file has the addresses; in a file .dwo, another one has the entries. */
static void visit_unit(struct search *search, Dwarf_Die *unit, Dwarf_Die *split)
{
	Dwarf_Die *entries = split->addr ? split : unit;

	if (passes_arguments_as_c(entries) && has_wanted(search, unit))
		visit_children(search, entries, 0);
}

void find_subprograms__run(Dwarf *dwarf, const struct search_limits *limits,
			   struct wanted_subprogram *wanted, size_t count)
{
	struct search search = { wanted, count, count, 0, limits->entries, monotonic_ns() };
	Dwarf_Die die, split = { 0 }, *const or_split = limits->opens_split ? &split : NULL;
	Dwarf_CU *unit = NULL;

	while (!is_over(&search) &&
	       !dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, or_split))
		visit_unit(&search, &die, &split);
	if (search.left && is_over(&search))
		log__debug("too many entries of DWARF: %zu functions have no prototype",
			   search.left);
}

#endif /* HAVE_LIBDW */

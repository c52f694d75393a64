// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/kernel/kernel_names.c: names of kernel addresses. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "symbols/kernel/kernel_names.h"

/* ---- records --------------------------------------------------------------------------------- */

/* The number of symbols that begin at an address or before it: the first ones by address. */
static uint32_t count_up_to(const struct kernel_names *names, uint64_t address)
{
	uint32_t first = 0, end = names->count;

	while (first < end) {
		uint32_t middle = first + (end - first) / 2;

		if (names->list[names->by_address[middle]].begin <= address)
			first = middle + 1;
		else
			end = middle;
	}
	return first;
}

static void drop_oldest(struct kernel_names *names, uint32_t count)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < count; i++)
		free(names->list[i].name);
	for (uint32_t i = 0; i < names->count; i++)
		if (names->by_address[i] >= count)
			names->by_address[kept++] = names->by_address[i] - count;
	names->count = kept;
	if (kept)
		memmove(names->list, names->list + count, kept * sizeof(*names->list));
}

static int make_ksymbol_room(struct kernel_names *names)
{
	if (names->count == KSYMBOLS_MAX)
		drop_oldest(names, names->count / 2);
	return ARRAY_RESERVE(names->list, names->count, names->room) &&
			       ARRAY_RESERVE(names->by_address, names->count, names->address_room)
		       ? 0
		       : -ENOMEM;
}

static void append(struct kernel_names *names, const struct ksymbol *added)
{
	uint32_t at = count_up_to(names, added->begin);

	memmove(names->by_address + at + 1, names->by_address + at,
		(names->count - at) * sizeof(*names->by_address));
	names->by_address[at] = names->count;
	names->list[names->count++] = *added;
	if (added->end - added->begin > names->longest)
		names->longest = added->end - added->begin;
}

static int add_ksymbol(struct kernel_names *names, const struct peat_ksymbol *record,
		       uint64_t time_ns)
{
	struct ksymbol added = { record->addr, record->addr + record->len, time_ns, UINT64_MAX,
				 NULL };

	/* The kernel hides addresses as 0 from users who may not see them (kptr_restrict). */
	if (!added.begin || added.end <= added.begin)
		return 0;
	if (make_ksymbol_room(names))
		return -ENOMEM;
	added.name = strdup(record->name);
	if (!added.name)
		return -ENOMEM;
	append(names, &added);
	return 0;
}

static void end(struct kernel_names *names, uint64_t begin, uint64_t time_ns)
{
	for (uint32_t i = count_up_to(names, begin); i--;) {
		struct ksymbol *symbol = &names->list[names->by_address[i]];

		if (symbol->begin != begin)
			return;
		if (symbol->until_ns != UINT64_MAX)
			continue;
		symbol->until_ns = time_ns;
		return;
	}
}

int kernel_names__apply(struct kernel_names *names, const struct peat_record *record,
			uint64_t time_ns)
{
	const struct peat_ksymbol *ksymbol = &record->ksymbol;

	if (record->type != PEAT_RECORD_KSYMBOL)
		return 0;
	if (ksymbol->flags & PEAT_KSYMBOL_UNREGISTER) {
		end(names, ksymbol->addr, time_ns);
		return 0;
	}
	return add_ksymbol(names, ksymbol, time_ns);
}

/* ---- finding --------------------------------------------------------------------------------- */

static bool is_at(const struct ksymbol *symbol, uint64_t time_ns, uint64_t address)
{
	return address < symbol->end &&
	       (time_ns ? symbol->since_ns <= time_ns && time_ns <= symbol->until_ns
			: symbol->until_ns == UINT64_MAX);
}

/* Programs come and go at the same addresses: the latest one that was there. */
static const struct ksymbol *find_ksymbol(const struct kernel_names *names, uint64_t time_ns,
					  uint64_t address)
{
	const struct ksymbol *latest = NULL;

	for (uint32_t i = count_up_to(names, address); i--;) {
		const struct ksymbol *symbol = &names->list[names->by_address[i]];

		if (address - symbol->begin >= names->longest)
			break;
		if (symbol > latest && is_at(symbol, time_ns, address))
			latest = symbol;
	}
	return latest;
}

bool kernel_names__find(const struct kernel_names *names, enum symbols which, uint64_t time_ns,
			uint64_t address, struct kernel_symbol *found)
{
	const struct ksymbol *symbol = find_ksymbol(names, time_ns, address);

	if (symbol) {
		*found = (struct kernel_symbol){ symbol->name, "[bpf]", address - symbol->begin };
		return true;
	}
	if (!kallsyms__symbol(address, which, found))
		return false;
	if (!*found->owner)
		found->owner = "[kernel]";
	return true;
}

void kernel_names__free(struct kernel_names *names)
{
	drop_oldest(names, names->count);
	free(names->list);
	free(names->by_address);
	*names = (struct kernel_names){ 0 };
}

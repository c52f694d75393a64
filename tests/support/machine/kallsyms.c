// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* kallsyms.c: the running kernel's symbols, all of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "kallsyms.h"

struct symbol {
	unsigned long long address;
	char *name;
};

static struct symbol *symbols;
static size_t count;

static int by_address(const void *a, const void *b)
{
	const struct symbol *one = a, *two = b;

	return (one->address > two->address) - (one->address < two->address);
}

/* "ffffffff81000000 T _text", of a module with its name behind: once for this process. */
static void read_all(void)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	struct symbol symbol;
	size_t room = 0;

	ck_assert_ptr_nonnull(file);
	while (fscanf(file, "%llx %*c %ms%*[^\n]", &symbol.address, &symbol.name) == 2) {
		if (count == room) {
			room = room ? 2 * room : 1 << 16;
			symbols = reallocarray(symbols, room, sizeof(*symbols));
			ck_assert_ptr_nonnull(symbols);
		}
		symbols[count++] = symbol;
	}
	fclose(file);
	ck_assert_uint_gt(count, 0);
	qsort(symbols, count, sizeof(*symbols), by_address);
}

bool kallsyms__is_at(const char *name, uint64_t address)
{
	size_t low = 0, high;

	if (!symbols)
		read_all();
	for (high = count; low < high;) {
		size_t middle = low + (high - low) / 2;

		if (symbols[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < count && symbols[low].address == address; low++)
		if (!strcmp(symbols[low].name, name))
			return true;
	return false;
}

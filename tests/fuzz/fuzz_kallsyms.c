// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_kallsyms.c: kallsyms__parse() on anything.
 *
 * Input: lines like those of /proc/kallsyms.  Names have to be printable, and an address at or
 * after a symbol has to be found there.  LASTING symbols are some of ALL.
 */
#include <stdlib.h>
#include <string.h>

#include "sys/kallsyms.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void check(const struct kallsyms *symbols, uint64_t address)
{
	uint64_t offset = UINT64_MAX;
	const char *name = kallsyms__find(symbols, address, &offset);

	if (!name)
		return;
	require(*name && offset <= address);
	for (; *name; name++)
		require(*name > ' ' && *name <= '~' && *name != '"' && *name != '\\');
}

static size_t check_all(const char *bytes, size_t size, enum symbols which)
{
	struct kallsyms *symbols = kallsyms__parse(bytes, size, which);
	uint64_t address;
	size_t count;

	require(symbols != NULL && kallsyms__count(symbols) <= size / 5 + 1);
	for (size_t i = 0; i < size; i++) {
		address = strtoull((char[]){ bytes[i], 0 }, NULL, 16);
		check(symbols, address);
		check(symbols, address << 60);
	}
	if (size >= sizeof(address)) {
		memcpy(&address, bytes, sizeof(address));
		check(symbols, address);
	}
	check(symbols, UINT64_MAX);
	count = kallsyms__count(symbols);
	kallsyms__free(symbols);
	return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *bytes = malloc(size + !size);

	require(bytes != NULL);
	memcpy(bytes, data, size);
	require(check_all(bytes, size, SYMBOLS_LASTING) <= check_all(bytes, size, SYMBOLS_ALL));
	free(bytes);
	return 0;
}

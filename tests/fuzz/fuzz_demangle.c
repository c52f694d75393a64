// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_demangle.c: demangle__append() on any name.
 *
 * A name that is no mangled one appends nothing, and no result is longer than the limit.
 */
#include <stdlib.h>
#include <string.h>

#include "symbols/elf/demangle.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf out = { 0 };
	char *name = malloc(size + 1);
	bool done;

	require(name != NULL);
	memcpy(name, data, size);
	name[size] = 0;
	strbuf__text(&out, "start");
	done = demangle__append(&out, name);
	require(!out.failed && done == (out.count > strlen("start")));
	require(out.count <= strlen("start") + BUDGET_NAME_BYTES + strlen(name));
	require(!memcmp(out.bytes, "start", strlen("start")));
	strbuf__free(&out);
	free(name);
	return 0;
}

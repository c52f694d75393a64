// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_identity.c: peat_identity__parse() on anything.
 *
 * Input: the path of a cgroup.  Values are parts of it, and end in their arrays.
 */
#include <stdlib.h>
#include <string.h>

#include <peat/identity.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct peat_identity identity = { .sz = sizeof(identity) };
	char *path = malloc(size + 1);

	require(path != NULL);
	memcpy(path, data, size);
	path[size] = '\0';
	require(!peat_identity__parse(path, &identity));
	require(memchr(identity.container, '\0', sizeof(identity.container)));
	require(memchr(identity.unit, '\0', sizeof(identity.unit)));
	require(strlen(identity.pod) == 0 || strlen(identity.pod) == 36 ||
		strlen(identity.pod) == 64);
	require(*identity.container || !identity.runtime);
	require(strstr(path, identity.unit));
	require(!strchr(identity.container, '/') || strstr(path, "\\x2f") || strstr(path, "\\x2F"));
	free(path);
	return 0;
}

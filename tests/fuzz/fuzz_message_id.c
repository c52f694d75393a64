// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_message_id.c: stored__parse_id() on any id of a message.
 *
 * An id that is made of the name and the numbers that were read is read as the same ones.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "jetstream/stored.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#ifdef HAVE_NATS

static void check_again(const struct stored *stored)
{
	const struct peat_origin origin = { .sz = sizeof(origin),
					    .run = stored->run,
					    .number = stored->last };
	struct stored again = { 0 };
	struct strbuf id = { 0 };

	stored__append_id(&id, stored->name.bytes, &origin, &origin);
	stored__parse_id(&again, id.bytes);
	again.sequence = 1;
	if (again.run != stored->run || again.last != stored->last ||
	    !stored__has(&again, stored->name.bytes, &origin))
		abort();
	strbuf__free(&again.name);
	strbuf__free(&id);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct stored stored = { 0 };
	char *id = malloc(size + 1);

	if (!id)
		abort();
	memcpy(id, data, size);
	id[size] = '\0';
	stored__parse_id(&stored, id);
	if (stored.name.count)
		check_again(&stored);
	strbuf__free(&stored.name);
	free(id);
	return 0;
}

#else

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	(void)data;
	(void)size;
	return 0;
}

#endif /* HAVE_NATS */

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_elf_note.c: elf_note__build_id() and head_id__find_notes() on anything.
 *
 * Input: a byte of flags (1: the other byte order, 2: alignment 8), then notes, or a file's head.
 * A build-id has at most 20 bytes, with zeroes after them.
 */
#include <stdlib.h>
#include <string.h>

#include "symbols/elf/head_id.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct head_notes segments[HEAD_NOTES];
	struct build_id id;
	char text[BUILD_ID_TEXT];
	bool swapped;

	if (size)
		require(head_id__find_notes(data + 1, size - 1, segments, &swapped) <= HEAD_NOTES);
	if (!size || !elf_note__build_id(data + 1, size - 1, data[0] & 2 ? 8 : 4, data[0] & 1, &id))
		return 0;
	require(id.bytes && id.bytes <= BUILD_ID_BYTES);
	for (size_t i = id.bytes; i < BUILD_ID_BYTES; i++)
		require(!id.id[i]);
	require(strlen(build_id__text(&id, text)) == 2 * (size_t)id.bytes);
	require(build_id__equal(&id, &id));
	return 0;
}

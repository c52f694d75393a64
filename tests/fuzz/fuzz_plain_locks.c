// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_plain_locks.c: plain_locks__use() on any bytes.
 *
 * The seeds are objects without DWARF (llvm-strip -g), of a program that locks a word by a
 * peat.bpf.h with nothing else: one that is replaced, one with an addition of its own whose result
 * it uses, one without peat_plain_locks, and one without BTF.  A refused object is unchanged, and a
 * second call replaces nothing.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "object/plain_locks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_refused(int err, const uint8_t *before, const uint8_t *after, size_t size)
{
	if (err != -EBADMSG && err != -EINVAL && err != -EOPNOTSUPP)
		abort();
	if (err != -EBADMSG && memcmp(before, after, size) != 0)
		abort();
}

/* The file's name is a string in the image. */
static void check_line(const struct source_line *line, const uint8_t *image, size_t size)
{
	const uint8_t *file = (const uint8_t *)line->file;

	if (file && (file < image || file >= image + size ||
		     !memchr(file, '\0', (size_t)(image + size - file))))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *image = malloc(size ? size : 1); /* exact, so that sanitizers detect more */
	struct source_line refused = { 0 };
	int ret;

	if (!image)
		abort();
	memcpy(image, data, size);
	ret = plain_locks__use(image, size, &refused);
	if (ret < 0) {
		check_refused(ret, data, image, size);
		check_line(&refused, image, size);
	} else if (plain_locks__use(image, size, &refused) > 0) {
		abort();
	}
	free(image);
	return 0;
}

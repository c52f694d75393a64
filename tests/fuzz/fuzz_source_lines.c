// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_source_lines.c: source lines and inlined functions of an ELF file of any bytes.
 *
 * Input: two bytes, the distance of the addresses that are looked up, and the file.  What is found
 * becomes the answer of a namer, which is taken over.  libdw 0.188 leaks tables that it rejects.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/namer/flat_lines.h"
#include "symbols/dwarf/source_lines.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__asan_default_options(void);

const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}

#define ADDRESSES 8

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void find_all(struct source_lines *lines, const struct elf_file *file, uint64_t distance)
{
	const uint64_t begin = file->loads_count ? file->loads[0].vaddr : 0;
	const struct source_frame *frames;
	struct strbuf flat = { 0 };
	struct line_cache cache;
	int count;

	line_cache__init(&cache, false);
	flat_lines__begin(&flat, ADDRESSES);
	for (uint64_t i = 0; i < ADDRESSES; i++) {
		count = source_lines__find(lines, begin + i * distance, &frames);
		require(count >= 0 && count <= SOURCE_FRAMES_MAX);
		flat_lines__append(&flat, begin + i * distance, frames, (uint32_t)count);
	}
	require(!flat.failed && !flat_lines__take_over(&cache, flat.bytes, flat.count));
	require(line_cache__find(&cache, begin, &frames, &count));
	line_cache__free(&cache);
	strbuf__free(&flat);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct source_lines *lines;
	struct elf_file *file;
	void *image;

	if (size < 2)
		return 0;
	image = malloc(size);
	require(image != NULL);
	memcpy(image, data + 2, size - 2);
	if (elf_file__open_image(&file, image, size - 2, "input"))
		return 0;
	if (source_lines__new(&lines, file, false, SOURCE_FILES_IGNORED))
		return 0;
	find_all(lines, file, (uint64_t)(data[0] | data[1] << 8));
	source_lines__free(lines);
	return 0;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_flat.c: tables that a process without rights made, taken over from anything.
 *
 * Input: a byte that chooses symbols, call frames or lines, then the table.  What is taken over can
 * be searched, and made into the same bytes again.
 */
#include <stdlib.h>
#include <string.h>

#include "symbols/dwarf/cfi_row.h"
#include "symbols/namer/flat_frames.h"
#include "symbols/namer/flat_lines.h"
#include "symbols/namer/flat_symbols.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void search_symbols(struct file_symbols *read)
{
	for (uint32_t i = 0; i < read->symbols.count; i++) {
		struct elf_symbol *symbol = &read->symbols.list[i];

		elf_symbols__find(&read->symbols, symbol->begin);
		elf_symbols__find(&read->symbols, symbol->end - 1);
		require(elf_symbols__name(&read->symbols, symbol, false) != NULL);
	}
	elf_symbols__find(&read->symbols, UINT64_MAX);
}

static void take_symbols(const void *from, size_t bytes)
{
	struct file_symbols read, again;
	void *flat;

	if (flat_symbols__take_over(&read, from, bytes))
		return;
	flat = malloc(flat_symbols__bytes(&read));
	require(flat != NULL);
	flat_symbols__write(&read, flat);
	require(!flat_symbols__take_over(&again, flat, flat_symbols__bytes(&read)));
	require(again.symbols.count == read.symbols.count);
	search_symbols(&read);
	file_symbols__free(&read);
	file_symbols__free(&again);
	free(flat);
}

static void search_section(const struct cfi_section *section)
{
	uint32_t instructions = UINT32_MAX;
	struct cfi_entry entry;
	struct cfi_row row;

	for (size_t i = 0; i < section->index_count; i++)
		if (cfi_section__find(section, section->index[i].start, &entry))
			cfi_row__find(section, &entry, section->index[i].start, &instructions,
				      &row);
}

static void take_frames(const void *from, size_t bytes)
{
	struct call_frames frames;
	void *flat;

	if (flat_frames__take_over(&frames, from, bytes))
		return;
	require(flat_frames__bytes(&frames) == bytes);
	flat = malloc(bytes);
	require(flat != NULL);
	flat_frames__write(&frames, flat);
	search_section(&frames.eh_frame);
	search_section(&frames.debug_frame);
	trampolines__find(&frames.trampolines, 0);
	call_frames__free(&frames);
	free(flat);
}

/* The addresses of an answer are in the cache, whatever comes first. */
static void take_lines(const void *from, size_t bytes)
{
	const struct source_frame *frames;
	struct line_cache cache;
	uint64_t vaddr;
	int count;

	line_cache__init(&cache, false);
	if (!flat_lines__take_over(&cache, from, bytes) && bytes > 4) {
		memcpy(&vaddr, (const char *)from + 4, sizeof(vaddr));
		require(line_cache__find(&cache, vaddr, &frames, &count));
		require(count >= 0 && count <= SOURCE_FRAMES_MAX);
		for (int i = 0; i < count; i++)
			require(!frames[i].raw_name == (i == count - 1) &&
				!frames[i].name == !frames[i].raw_name);
	}
	line_cache__free(&cache);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	void *copy = malloc(size + !size); /* aligned, as a mapping is */

	require(copy != NULL);
	if (size) {
		memcpy(copy, data + 1, size - 1);
		if (data[0] & 2)
			take_lines(copy, size - 1);
		else if (data[0] & 1)
			take_symbols(copy, size - 1);
		else
			take_frames(copy, size - 1);
	}
	free(copy);
	return 0;
}

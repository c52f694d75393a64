// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_perf_file.c: any bytes as a perf.data.
 *
 * Input: a byte (1: a file, 0: a pipe), then the perf.data.  Records have to be complete, at their
 * stated offsets in the input, and in its order; the end has to be reported as what it is.
 *
 * The corpus is written by this file itself, compiled as a program of its own:
 *
 *	cc -D_GNU_SOURCE -DWRITE_CORPUS -Iinclude -Iuser/lib -Itests/unit -Itests/support
 *		tests/fuzz/fuzz_perf_file.c user/lib/{perf_*,inflate,record,sample}.c -o seeds
 *		$(pkg-config --libs check libzstd)
 *	./seeds tests/fuzz/corpus/perf_file
 */
#ifndef WRITE_CORPUS

#include <stdlib.h>
#include <string.h>

#include "perf_data/read/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define RECORDS_MAX 100000 /* a few bytes can inflate to millions */

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void touch(const uint8_t *bytes, uint64_t count)
{
	volatile uint8_t sum = 0;

	for (uint64_t i = 0; i < count; i++)
		sum = (uint8_t)(sum + bytes[i]);
}

static void check(const struct perf_entry *entry, const uint8_t *data, size_t size, uint64_t before)
{
	struct peat_record rec = { .sz = sizeof(rec) };

	require(entry->size >= 8 && entry->offset >= before && entry->offset + 8 <= size);
	require(entry->inflated || entry->bytes == data + entry->offset);
	require(entry->inflated || entry->offset + entry->size <= size);
	touch(entry->bytes, entry->size);
	if (entry->payload)
		touch(entry->payload, entry->payload_bytes);
	if (entry->layout)
		peat_record__decode(entry->layout, entry->bytes, entry->size, &rec);
}

static void check_end(const struct perf_end *end, size_t size)
{
	require(end->how != PERF_END_NOT_YET);
	require(end->how == PERF_END_WHOLE || end->why);
	require(end->how != PERF_END_WHOLE || end->offset <= size);
}

static void read_features(struct perf_file *file)
{
	struct perf_feature feature = { 0 };
	unsigned before = 0;

	while (perf_file__next_feature(file, &feature) > 0) {
		require(feature.bit > before && !feature.bytes == (feature.why != NULL));
		if (feature.bytes)
			touch(feature.bytes, feature.bytes_count);
		before = feature.bit;
	}
}

static void read_records(struct perf_file *file, const uint8_t *data, size_t size)
{
	struct perf_entry entry;
	uint64_t before = 0;
	int ret = 0;

	for (int i = 0; i < RECORDS_MAX && (ret = perf_file__next(file, &entry)) > 0; i++) {
		check(&entry, data, size, before);
		before = entry.offset;
	}
	require(ret >= 0);
	if (ret == 0)
		check_end(perf_file__end(file), size);
}

static void check_attrs(const struct perf_attrs *attrs)
{
	for (uint32_t i = 0; i < attrs->count; i++) {
		require(attrs->at[i]->index == i && attrs->at[i]->bytes >= 64);
		for (uint32_t id = 0; id < attrs->at[i]->ids_count; id++)
			require(perf_attrs__by_id(attrs, attrs->at[i]->ids[id]) == attrs->at[i]);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct perf_file *file;
	const char *why;
	int err;

	if (!size)
		return 0;
	err = perf_file__open_memory(&file, data + 1, size - 1, data[0] & 1, &why);
	require(!err || (!file && why));
	if (err)
		return 0;
	read_features(file);
	read_records(file, data + 1, size - 1);
	check_attrs(perf_file__attrs(file));
	perf_file__close(file);
	return 0;
}

#else /* WRITE_CORPUS */

#include "unit/perf_data/read/perf_tally.h"

static int write_seed(const char *dir, const char *name, bool seekable, const struct maker *m)
{
	size_t count = m->len < 1500 ? m->len : 1500;
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "wb");
	if (!f || fputc(seekable, f) < 0 || fwrite(m->at, count, 1, f) != 1) {
		perror(path);
		return 1;
	}
	return fclose(f);
}

int main(int argc, char **argv)
{
	const char *dir = argc > 1 ? argv[1] : ".";
	struct maker usual = { 0 }, swapped = { .swapped = true }, old = { 0 }, pipe = { 0 };
	struct maker packed = { 0 }, packed2 = { .swapped = true }, crashed = { 0 };

	make_usual(&usual);
	make_usual(&swapped);
	make_usual(&old);
	memcpy(old.at, "PERFFILE", 8);
	make_pipe(&pipe);
	make_compressed(&packed, TOOL_COMPRESSED);
	packed.len = 1200;
	make_compressed(&packed2, TOOL_COMPRESSED2);
	make_file(&crashed, two, 2);
	make_samples(&crashed, 5);
	return write_seed(dir, "sections", true, &usual) ||
	       write_seed(dir, "sections-swapped", true, &swapped) ||
	       write_seed(dir, "sections-piped", false, &usual) ||
	       write_seed(dir, "version-1", true, &old) || write_seed(dir, "pipe", false, &pipe) ||
	       write_seed(dir, "compressed", true, &packed) ||
	       write_seed(dir, "compressed2-swapped", true, &packed2) ||
	       write_seed(dir, "crashed", true, &crashed);
}

#endif /* WRITE_CORPUS */

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * fuzz_perf_meaning.c: header features and records of perf itself, from any bytes.
 *
 * Input: a byte (1 foreign byte order, 2 a feature instead of a record), a byte that is the
 * feature's id, then the feature's section, or the record with its header.
 *
 * The output has to be valid JSON, and complete lines.
 *
 * The corpus is written by this file itself, compiled as a program of its own:
 *
 *	cc -D_GNU_SOURCE -DWRITE_CORPUS -Iinclude -Itests/unit -Iuser/lib
 *		tests/fuzz/fuzz_perf_meaning.c -o seeds
 *	./seeds tests/fuzz/corpus/perf_meaning
 */
#include <stdio.h>

#include "unit/perf_data/tool_bytes.h"

#define FOREIGN 1
#define FEATURE 2

#ifndef WRITE_CORPUS

#include "support/recording/json_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void check(struct strbuf *out, bool json)
{
	require(!out->failed);
	if (json)
		strbuf__char(out, '\n');
	require(!out->count || out->bytes[out->count - 1] == '\n');
	strbuf__char(out, 0);
	require(!json || json_lines(out->bytes));
	strbuf__cut(out, 0);
}

static struct perf_features context(bool swapped, const struct bytes *desc)
{
	struct perf_features features = { .swapped = swapped };

	features.event_desc = desc->at;
	features.event_desc_bytes = desc->len;
	return features;
}

static void walk_feature(bool swapped, uint64_t id, const uint8_t *at, size_t bytes)
{
	static struct bytes desc;
	struct strbuf out = { 0 };
	struct emit emits[] = { emit__json(&out), emit__lines(&out), emit__pairs(&out) };
	int first = 0;

	desc.len = 0;
	desc.swapped = swapped;
	build_event_desc(&desc);
	for (size_t i = 0; i < sizeof(emits) / sizeof(*emits); i++) {
		struct perf_features features = context(swapped, &desc);
		const char *why;
		int err = features__emit(&features, id, at, bytes, &emits[i], &why);

		first = i ? first : err;
		require(err == first && !err == !why && emits[i].depth == 0);
		if (i < 2)
			check(&out, i == 0);
		strbuf__cut(&out, 0);
	}
	strbuf__free(&out);
}

static void decode_record(bool swapped, const uint8_t *at, size_t bytes)
{
	struct tool_event_update update;
	struct tool_feature feature;
	struct tool_build_id id;
	struct tool_record rec;

	if (tool_record__parse(at, bytes, swapped, &rec))
		return;
	if (!tool_record__feature(&rec, &feature))
		walk_feature(swapped, feature.id, feature.data, feature.bytes);
	require(tool_record__event_update(&rec, &update) || update.bytes + 16 == rec.bytes);
	for (int old = 0; old < 2; old++)
		require(tool_record__build_id(&rec, old, &id) ||
			id.id_bytes + id.filename_bytes <= rec.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy;

	if (size < 2)
		return 0;
	/* Exactly as much memory: the sanitizer detects reads past it. */
	copy = malloc(size - 2 + !(size - 2));
	require(copy);
	memcpy(copy, data + 2, size - 2);
	if (data[0] & FEATURE)
		walk_feature(data[0] & FOREIGN, data[1], copy, size - 2);
	else
		decode_record(data[0] & FOREIGN, copy, size - 2);
	free(copy);
	return 0;
}

#else /* WRITE_CORPUS */

struct seed {
	unsigned int id; /* of a feature; from 64 on, a record type */
	void (*build)(struct bytes *b);
};

static const struct seed seeds[] = {
	{ 1, build_tracing_data },    { 2, build_build_ids },	 { 2, build_old_build_ids },
	{ 3, build_string },	      { 4, build_short_string }, { 7, build_nrcpus },
	{ 10, build_total_mem },      { 11, build_cmdline },	 { 12, build_event_desc },
	{ 12, build_old_event_desc }, { 14, build_numa },	 { 16, build_pmus },
	{ 17, build_groups },	      { 18, build_auxtrace },	 { 20, build_cache },
	{ 21, build_sample_time },    { 23, build_clockid },	 { 26, build_btf },
	{ 27, build_compressed },     { 28, build_cpu_caps },	 { 29, build_clock_data },
	{ 30, build_hybrid },	      { 31, build_pmu_caps },	 { 33, build_e_machine },
	{ 67, build_build_id },	      { 78, build_update_name }, { 80, build_feature },
};

/* All seeds, in both byte orders. */
static int write_seed(const char *dir, size_t i)
{
	const struct seed *seed = &seeds[i];
	bool feature = seed->id < 64;
	uint8_t head[2] = { (uint8_t)((i % 2 ? FOREIGN : 0) | (feature ? FEATURE : 0)),
			    feature ? (uint8_t)seed->id : 0 };
	struct bytes b = { .len = 0, .swapped = i % 2 };
	char path[4096];
	FILE *f;

	if (!feature)
		put_header(&b, seed->id, 0, i % 2);
	seed->build(&b);
	if (!feature)
		end_record(&b);
	snprintf(path, sizeof(path), "%s/%02u-%zu", dir, seed->id, i);
	f = fopen(path, "wb");
	if (!f || fwrite(head, sizeof(head), 1, f) != 1 || fwrite(b.at, b.len, 1, f) != 1) {
		perror(path);
		return 1;
	}
	return fclose(f);
}

int main(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof(seeds) / sizeof(*seeds); i++)
		if (write_seed(argc > 1 ? argv[1] : ".", i))
			return 1;
	return 0;
}

#endif /* WRITE_CORPUS */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * fuzz_record.c: peat_record__decode() on any bytes, and its result as an event with fields, or as
 * the sampled fields of an event.
 *
 * Input: the layout as six u64 (sample_type, read_format, branch_sample_type, regs_user, regs_intr,
 * flags: 1 sample_id_all, 2 swapped; from bit 8 on, the machine of the registers), then records
 * back to back as in a ring.
 *
 * The corpus is written by this file itself, compiled as a program of its own:
 *
 *	cc -DWRITE_CORPUS -Iinclude -Itests/unit tests/fuzz/fuzz_record.c -o seeds
 *		$(pkg-config --libs check)
 *	./seeds tests/fuzz/corpus/record
 */
#include <stdio.h>

#include "unit/record/record_bytes.h"

#ifndef WRITE_CORPUS

#include "field/fields.h"
#include "support/recording/json_check.h"
#include "event/side_band.h"
#include "replay/recorded.h"
#include "print/sample_fields.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define LAYOUT_WORDS 6

static struct peat_layout take_layout(const uint8_t *data)
{
	struct peat_layout layout;
	uint64_t words[LAYOUT_WORDS];

	memcpy(words, data, sizeof(words));
	layout.sample_type = words[0];
	layout.read_format = words[1];
	layout.branch_sample_type = words[2];
	layout.regs_user = words[3];
	layout.regs_intr = words[4];
	layout.sample_id_all = words[5] & 1;
	layout.swapped = words[5] & 2;
	return layout;
}

static void require(bool holds)
{
	if (!holds)
		abort();
}

/* The smallest room allowed: the sanitizer detects writes past it. */
static void fill(const struct peat_record *rec)
{
	uint64_t *room = malloc(SIDE_BAND_BYTES_MIN);
	const struct peat_schema *schema;
	uint32_t bytes;

	require(room);
	schema = side_band__fill(rec, room, SIDE_BAND_BYTES_MIN, &bytes);
	require(bytes <= SIDE_BAND_BYTES_MIN && !schema == !side_band__of(rec->type));
	/* A SWITCH ends before the other task, which only a SWITCH_CPU_WIDE names. */
	require(!schema || rec->type == PEAT_RECORD_SWITCH || bytes >= schema->bytes);
	free(room);
}

/* A recording's events: one, with the id that the seeds' counters have. */
static void tell(const struct peat_record *rec, const char *arch)
{
	static struct perf_attrs attrs;
	struct peat_recorded recorded = { .arch = arch, .names = &replay_names, .attrs = &attrs };
	struct peat_event event = { .record = rec, .recorded = &recorded };
	struct perf_attr attr = { .type = 1 };
	const struct address_names names = { .kernel = SYMBOLS_ALL };
	struct strbuf out = { 0 };

	if (!attrs.count)
		require(!perf_attrs__add(&attrs, &attr) &&
			!perf_attrs__add_id(&attrs, attrs.at[0], 2000));
	sample_fields__text(&out, &event, &names);
	/* Fields follow a blank, the frames of a callchain have lines of their own. */
	require(!out.failed && (!out.count || out.bytes[0] == ' ' || out.bytes[0] == '\n'));
	require(rec->type == PEAT_RECORD_SAMPLE || !out.count);
	strbuf__cut(&out, 0);
	strbuf__text(&out, "{\"a\":1");
	sample_fields__json(&out, &event, &names);
	strbuf__bytes(&out, "}\n", 3);
	require(!out.failed && json_lines(out.bytes));
	strbuf__free(&out);
}

/* Decodes one record of the rest and returns its size; 0: no record. */
static size_t decode_one(const struct peat_layout *layout, const char *arch, const uint8_t *at,
			 size_t left)
{
	struct placed p = { NULL, at, left };
	struct peat_record rec;
	int ret;

	/* A member left unset is a wild pointer. */
	memset(&rec, 0xa5, sizeof(rec));
	rec.sz = sizeof(rec);
	ret = peat_record__decode(layout, at, left, &rec);
	if (ret < 0)
		return rec.size >= 8 && rec.size <= left ? rec.size : 0;
	require(rec.size >= 8 && rec.size <= left);
	p.len = rec.size;
	require((ret == 1) == (peat_record__name(rec.type) != NULL));
	require(ret == 0 || walk_record(&p, &rec));
	if (ret == 1) {
		fill(&rec);
		tell(&rec, arch);
	}
	require(rec.type == PEAT_RECORD_SAMPLE || (rec.has & ~PEAT_SAMPLE_IDS) == 0);
	return rec.size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const arches[] = { "x86_64", "aarch64", "s390x",  "ppc64le",
					      "armv7l", "riscv64", "mips64", NULL };
	const size_t layout_bytes = LAYOUT_WORDS * sizeof(uint64_t);
	const char *arch;
	struct peat_layout layout;
	size_t at = layout_bytes, took;

	if (size < layout_bytes)
		return 0;
	layout = take_layout(data);
	arch = arches[data[layout_bytes - 7] % (sizeof(arches) / sizeof(*arches))];
	do {
		took = decode_one(&layout, arch, data + at, size - at);
		at += took;
	} while (took);
	return 0;
}

#else /* WRITE_CORPUS */

#include "unit/record/record_kinds.h"
#include "unit/record/sample_shape.h"

static int write_seed(const char *dir, const char *name, const struct peat_layout *layout,
		      const struct bytes *b)
{
	const uint64_t words[] = {
		layout->sample_type,
		layout->read_format,
		layout->branch_sample_type,
		layout->regs_user,
		layout->regs_intr,
		(layout->sample_id_all ? 1U : 0U) | (layout->swapped ? 2U : 0U)
	};
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "wb");
	if (!f || fwrite(words, sizeof(words), 1, f) != 1 || fwrite(b->at, b->len, 1, f) != 1) {
		perror(path);
		return 1;
	}
	return fclose(f);
}

/* One of each type except SAMPLE, back to back and with a trailer, in both byte orders. */
static int write_kinds(const char *dir, const char *name, bool swapped)
{
	struct peat_layout layout = { 0 };
	struct bytes one, all = { .len = 0 };

	layout.sample_type = PEAT_SAMPLE_TIME;
	layout.sample_id_all = true;
	layout.swapped = swapped;
	for (int i = 0; i < NR_KINDS; i++) {
		put_header(&one, kinds[i].type, kinds[i].misc, swapped);
		kinds[i].build(&one);
		put_u64(&one, 0x1122334455667788);
		end_record(&one);
		put_data(&all, one.at, one.len);
	}
	return write_seed(dir, name, &layout, &all);
}

static int write_sample(const char *dir, const char *name, uint64_t sample_type, bool swapped)
{
	struct sample_shape sh = usual(sample_type, swapped);
	struct bytes b;

	sh.layout.read_format = PEAT_READ_ALL;
	build_sample(&b, &sh);
	return write_seed(dir, name, &sh.layout, &b);
}

int main(int argc, char **argv)
{
	const uint64_t raw = PEAT_SAMPLE_TID | PEAT_SAMPLE_TIME | PEAT_SAMPLE_RAW;
	const char *dir = argc > 1 ? argv[1] : ".";

	return write_kinds(dir, "kinds", false) || write_kinds(dir, "kinds-swapped", true) ||
	       write_sample(dir, "sample-raw", raw, false) ||
	       write_sample(dir, "sample-all", PEAT_SAMPLE_ALL, false) ||
	       write_sample(dir, "sample-all-swapped", PEAT_SAMPLE_ALL, true);
}

#endif /* WRITE_CORPUS */

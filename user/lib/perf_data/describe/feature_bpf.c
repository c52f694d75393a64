// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_data/describe/feature_bpf.c: the BPF programs that were loaded (BPF_PROG_INFO). */
#include "perf_data/describe/feature_parts.h"

#define TAG_BYTES  8
#define NAME_BYTES 16

/* Bits of `arrays`: which arrays were saved with the description. */
#define HAS_JITED_KSYMS	    (1 << 3)
#define HAS_JITED_FUNC_LENS (1 << 4)
#define HAS_PROG_TAGS	    (1 << 8)

/* Offsets in struct bpf_prog_info; members that an older kernel does not have read as 0. */
enum {
	AT_TYPE = 0,
	AT_ID = 4,
	AT_TAG = 8,
	AT_JITED_BYTES = 16,
	AT_XLATED_BYTES = 20,
	AT_LOAD_TIME = 40,
	AT_UID = 48,
	AT_NAME = 64,
	AT_KSYM_COUNT = 104,
	AT_LENGTH_COUNT = 108,
	AT_KSYMS = 112, /* in a file, pointers are offsets into the data after it */
	AT_LENGTHS = 120,
	AT_BTF_ID = 128,
	AT_TAG_COUNT = 180,
	AT_TAGS = 184,
};

struct program {
	const uint8_t *info, *data;
	uint32_t info_bytes, data_bytes;
	uint64_t arrays;
	bool swapped;
};

static bool take_program(struct table_decoder *dec, struct program *prog)
{
	prog->swapped = dec->cur.swapped;
	prog->info_bytes = cursor__u32(&dec->cur);
	prog->data_bytes = cursor__u32(&dec->cur);
	prog->arrays = cursor__u64(&dec->cur);
	prog->info = cursor__bytes(&dec->cur, prog->info_bytes);
	prog->data = cursor__bytes(&dec->cur, prog->data_bytes);
	return table_decoder__check(dec, "a program is cut");
}

static uint32_t info_u32(const struct program *prog, uint32_t at)
{
	return at + 4 <= prog->info_bytes ? load_u32(prog->info + at, prog->swapped) : 0;
}

static uint64_t info_u64(const struct program *prog, uint32_t at)
{
	return at + 8 <= prog->info_bytes ? load_u64(prog->info + at, prog->swapped) : 0;
}

/* Functions of a program: itself and the functions it calls. */
struct functions {
	uint32_t count;
	const uint8_t *tags, *addresses, *lengths;
};

static const uint8_t *find_array(const struct program *prog, uint64_t has, uint32_t at,
				 uint64_t bytes)
{
	uint64_t offset = info_u64(prog, at);

	if (!(prog->arrays & has) || offset > prog->data_bytes || bytes > prog->data_bytes - offset)
		return NULL;
	return prog->data + offset;
}

/* False: no functions, or arrays that do not fit together. */
static bool find_functions(const struct program *prog, struct functions *fns)
{
	fns->count = info_u32(prog, AT_KSYM_COUNT);
	if (fns->count != info_u32(prog, AT_LENGTH_COUNT) ||
	    fns->count != info_u32(prog, AT_TAG_COUNT))
		return false;
	fns->tags = find_array(prog, HAS_PROG_TAGS, AT_TAGS, fns->count * UINT64_C(8));
	fns->addresses = find_array(prog, HAS_JITED_KSYMS, AT_KSYMS, fns->count * UINT64_C(8));
	fns->lengths = find_array(prog, HAS_JITED_FUNC_LENS, AT_LENGTHS, fns->count * UINT64_C(4));
	return fns->tags && fns->addresses && fns->lengths;
}

static struct emit_value name_of(const struct program *prog)
{
	struct emit_value name = { .kind = EMIT_TEXT, .bytes = "" };

	if (prog->info_bytes < AT_NAME + NAME_BYTES)
		return name;
	name.bytes = prog->info + AT_NAME;
	name.count = strnlen(name.bytes, NAME_BYTES);
	return name;
}

/* Function names are in BTF, a feature of its own: called functions are "_F", like in perf. */
static void emit_function(const struct table_decoder *dec, const struct program *prog,
			  const struct functions *fns, uint32_t i)
{
	struct emit_value values[] = {
		{ .number = i },
		{ .kind = EMIT_BYTES, .bytes = fns->tags + i * UINT64_C(8), .count = TAG_BYTES },
		{ .kind = EMIT_TEXT, .bytes = "F", .count = 1 },
		{ .kind = EMIT_HEX },
		{ .kind = EMIT_UNSIGNED },
		{ .number = info_u32(prog, AT_ID) },
		{ .kind = EMIT_TEXT, .bytes = "_" },
	};

	if (fns->count == 1)
		values[2] = name_of(prog);
	values[6].count = values[2].count > 0;
	values[3].number = load_u64(fns->addresses + i * UINT64_C(8), prog->swapped);
	values[4].number = load_u32(fns->lengths + i * UINT64_C(4), prog->swapped);
	emit__begin(dec->emit, NULL, false);
	emit__value(dec->emit, "tag", &values[1]);
	emit__value(dec->emit, "address", &values[3]);
	emit__value(dec->emit, "bytes", &values[4]);
	emit__end(dec->emit, false);
	emit__print_filled(dec->emit,
			   fns->count == 1 ? "# bpf_prog_info $5: bpf_prog_$1$6$2 addr $3 size $4\n"
					   : "# \tsub_prog $0: bpf_prog_$1$6$2 addr $3 size $4\n",
			   values);
}

static void emit_functions(const struct table_decoder *dec, const struct program *prog)
{
	struct emit_value id = { .number = info_u32(prog, AT_ID) };
	struct functions fns;

	if (!find_functions(prog, &fns)) {
		emit__print_filled(dec->emit, "# bpf_prog_info $0: without its functions\n", &id);
		return;
	}
	if (fns.count != 1)
		emit__print_filled(dec->emit, "# bpf_prog_info $0:\n", &id);
	emit__begin(dec->emit, "functions", true);
	for (uint32_t i = 0; i < fns.count; i++)
		emit_function(dec, prog, &fns, i);
	emit__end(dec->emit, true);
}

static void emit_program(const struct table_decoder *dec, const struct program *prog)
{
	struct emit_value name = name_of(prog);
	struct emit *emit = dec->emit;

	emit__begin(emit, NULL, false);
	emit__unsigned(emit, "id", info_u32(prog, AT_ID));
	emit__unsigned(emit, "type", info_u32(prog, AT_TYPE));
	emit__value(emit, "name", &name);
	if (prog->info_bytes >= AT_TAG + TAG_BYTES)
		emit__bytes(emit, "tag", prog->info + AT_TAG, TAG_BYTES);
	emit__unsigned(emit, "jited_bytes", info_u32(prog, AT_JITED_BYTES));
	emit__unsigned(emit, "xlated_bytes", info_u32(prog, AT_XLATED_BYTES));
	emit__unsigned(emit, "load_time_ns", info_u64(prog, AT_LOAD_TIME));
	emit__unsigned(emit, "uid", info_u32(prog, AT_UID));
	emit__unsigned(emit, "btf_id", info_u32(prog, AT_BTF_ID));
	emit_functions(dec, prog);
	emit__end(emit, false);
}

void feature_bpf__programs(struct table_decoder *dec, const struct perf_features *features)
{
	uint32_t count = cursor__u32(&dec->cur);
	struct program prog;

	(void)features;
	if (!table_decoder__check(dec, "it ends early"))
		return;
	if (!count)
		emit__print(dec->emit, "# bpf_prog_info empty\n");
	emit__begin(dec->emit, "programs", true);
	for (uint32_t i = 0; i < count && take_program(dec, &prog); i++)
		emit_program(dec, &prog);
	emit__end(dec->emit, true);
}

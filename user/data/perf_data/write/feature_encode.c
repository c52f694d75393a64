// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_data/write/feature_encode.c: encodes header features. */
#include "record/attr_encode.h"
#include "perf_data/write/deflate.h"
#include "perf_data/event_names.h"
#include "perf_data/write/feature_encode.h"
#include "base/store.h"

#define TEXT_ALIGN	   64
#define CLOCK_DATA_VERSION 1
#define COMPRESSED_VERSION 0
#define COMPRESSED_BY_ZSTD 1
#define BUILD_ID_SIZE	   (1 << 15) /* misc: the size of the id follows it */
#define BUILD_ID_HEAD	   36	     /* header, pid, id and its size, to the filename */
#define BUILD_ID_MOST	   20

void feature_encode__text(struct strbuf *out, const char *text)
{
	size_t count = strlen(text) + 1, start;

	store_u32(out, (uint32_t)((count + TEXT_ALIGN - 1) & ~(size_t)(TEXT_ALIGN - 1)));
	start = out->count;
	strbuf__bytes(out, text, count);
	store_padding(out, start, TEXT_ALIGN);
}

void feature_encode__nrcpus(struct strbuf *out, uint32_t available, uint32_t online)
{
	store_u32(out, available);
	store_u32(out, online);
}

void feature_encode__total_mem(struct strbuf *out, uint64_t total_kb)
{
	store_u64(out, total_kb);
}

void feature_encode__cmdline(struct strbuf *out, const char *const *args)
{
	uint32_t count = 0;

	while (args[count])
		count++;
	store_u32(out, count);
	for (uint32_t i = 0; i < count; i++)
		feature_encode__text(out, args[i]);
}

void feature_encode__event_desc(struct strbuf *out, const struct perf_attrs *attrs)
{
	char room[EVENT_NAME_BYTES];

	store_u32(out, attrs->count);
	store_u32(out, ATTR_ENCODE_BYTES);
	for (uint32_t i = 0; i < attrs->count; i++) {
		const struct perf_attr *attr = attrs->at[i];

		attr_encode__put(out, attr);
		store_u32(out, attr->ids_count);
		feature_encode__text(out, event_names__of(attr, room));
		store_u64s(out, attr->ids, attr->ids_count);
	}
}

void feature_encode__kernel_id(struct strbuf *out, const void *id, uint8_t bytes)
{
	static const char filename[] = "[kernel.kallsyms]";
	size_t start = out->count, count;

	store_u32(out, 0);
	store_u16(out, PEAT_MISC_KERNEL | BUILD_ID_SIZE);
	store_u16(out, (uint16_t)((BUILD_ID_HEAD + sizeof(filename) + 7) & ~(size_t)7));
	store_u32(out, UINT32_MAX); /* no process */
	count = out->count;
	strbuf__bytes(out, id, bytes);
	strbuf__fill(out, 0, BUILD_ID_MOST - bytes);
	strbuf__bytes(out, &bytes, 1);
	store_padding(out, count, 4);
	strbuf__bytes(out, filename, sizeof(filename));
	store_padding(out, start, 8);
}

void feature_encode__sample_time(struct strbuf *out, uint64_t first_ns, uint64_t last_ns)
{
	store_u64(out, first_ns);
	store_u64(out, last_ns);
}

void feature_encode__clockid(struct strbuf *out, uint64_t resolution_ns)
{
	store_u64(out, resolution_ns);
}

void feature_encode__clock_data(struct strbuf *out, uint32_t clockid, uint64_t wall_ns,
				uint64_t clock_ns)
{
	store_u32(out, CLOCK_DATA_VERSION);
	store_u32(out, clockid);
	store_u64(out, wall_ns);
	store_u64(out, clock_ns);
}

void feature_encode__bpf_btf(struct strbuf *out, const struct feature_btf *btfs, size_t count)
{
	store_u32(out, (uint32_t)count);
	for (size_t i = 0; i < count; i++) {
		store_u32(out, btfs[i].id);
		store_u32(out, btfs[i].bytes_count);
		strbuf__bytes(out, btfs[i].bytes, btfs[i].bytes_count);
	}
}

void feature_encode__compressed(struct strbuf *out, int level, uint32_t ratio)
{
	store_u32(out, COMPRESSED_VERSION);
	store_u32(out, COMPRESSED_BY_ZSTD);
	store_u32(out, (uint32_t)level);
	store_u32(out, ratio);
	store_u32(out, DEFLATE_INFLATED_MOST);
}

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* tool_bytes.h: the bodies of the records that perf itself writes, written as perf would. */
#ifndef TESTS_UNIT_PERF_DATA_TOOL_BYTES_H
#define TESTS_UNIT_PERF_DATA_TOOL_BYTES_H

#include "unit/perf_data/describe/feature_bytes.h"
#include "perf_data/describe/features.h"
#include "perf_data/tool_record.h"

static inline void build_event_type(struct bytes *b)
{
	put_u64(b, 3);
	put_text(b, "cycles", 64);
}

static inline void build_build_id(struct bytes *b)
{
	put_u32(b, UINT32_MAX);
	for (int i = 0; i < 20; i++)
		put(b, (uint64_t)i, 1);
	put_u32(b, 0);
	put_text(b, "[kernel.kallsyms]", 64);
}

static inline void build_nothing_record(struct bytes *b)
{
	(void)b;
}

static inline void build_id_index(struct bytes *b)
{
	put_u64(b, 2);
	put_u64(b, 100);
	put_u64(b, 0);
	put_u64(b, 3);
	put_u64(b, UINT64_MAX);
	put_u64(b, 101);
	put_u64(b, 1);
	put_u64(b, UINT64_MAX);
	put_u64(b, 77);
}

static inline void put_error(struct bytes *b, uint32_t format)
{
	put_u32(b, 1);
	put_u32(b, 5);
	put_u32(b, 2);
	put_u32(b, 10);
	put_u32(b, 11);
	put_u32(b, format);
	put_u64(b, 0x1234);
}

static inline void build_error(struct bytes *b)
{
	put_error(b, 1);
	put_u64(b, 999);
	put_text(b, "Overflow", 16);
}

static inline void build_stat(struct bytes *b)
{
	put_u64(b, 61336);
	put_u32(b, UINT32_MAX);
	put_u32(b, 1);
	put_u64(b, UINT64_MAX);
	put_words(b, 200, 2);
}

static inline void build_stat_round(struct bytes *b)
{
	put_u64(b, 1);
	put_u64(b, 12345);
}

static inline void put_update(struct bytes *b, uint64_t kind)
{
	put_u64(b, kind);
	put_u64(b, 88);
}

static inline void build_update_name(struct bytes *b)
{
	put_update(b, TOOL_UPDATE_NAME);
	put_text(b, "cpu-clock:u", 16);
}

static inline void build_feature(struct bytes *b)
{
	put_u64(b, FEATURE_HOSTNAME);
	put_u32(b, 8);
	put_text(b, "example", 8);
}

#endif /* TESTS_UNIT_PERF_DATA_TOOL_BYTES_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* tool_bytes.h: the bodies of the records that perf itself writes, written as perf would. */
#ifndef TESTS_UNIT_PERF_DATA_TOOL_BYTES_H
#define TESTS_UNIT_PERF_DATA_TOOL_BYTES_H

#include "unit/perf_data/describe/feature_bytes.h"
#include "perf_data/describe/features.h"
#include "perf_data/tool_record.h"

static inline void build_attr(struct bytes *b)
{
	put_u32(b, 1);
	put_u32(b, 64);
	put_u64(b, 9);
	put_words(b, 0, 1);
	for (int i = 0; i < 5; i++)
		put_u64(b, 0);
	put_words(b, 41, 2);
}

static inline void build_event_type(struct bytes *b)
{
	put_u64(b, 3);
	put_text(b, "cycles", 64);
}

static inline void build_tracing_data_record(struct bytes *b)
{
	put_u32(b, 4096);
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

static inline void build_id_index_of_guests(struct bytes *b)
{
	build_id_index(b);
	put_u64(b, 5);
	put_u64(b, 0);
	put_u64(b, 6);
	put_u64(b, 1);
}

static inline void build_auxtrace_info(struct bytes *b)
{
	put_u32(b, 1);
	put_u32(b, 0);
	put_words(b, 16, 2);
}

static inline void build_auxtrace_record(struct bytes *b)
{
	put_u64(b, UINT64_MAX);
	put_u64(b, 4096);
	put_u64(b, 255);
	put_u32(b, 2);
	put_u32(b, UINT32_MAX);
	put_u32(b, 3);
	put_u32(b, 0);
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

static inline void build_error_without_time(struct bytes *b)
{
	put_error(b, 0);
	put_text(b, "Overflow", 16);
}

static inline void build_error(struct bytes *b)
{
	put_error(b, 1);
	put_u64(b, 999);
	put_text(b, "Overflow", 16);
}

static inline void build_error_of_guest(struct bytes *b)
{
	put_error(b, 2);
	put_u64(b, 999);
	put_text(b, "Overflow", 64);
	put_u32(b, 20);
	put_u32(b, 1);
}

static inline void build_thread_map(struct bytes *b)
{
	put_u64(b, 2);
	put_u64(b, UINT64_MAX);
	put_text(b, "", 16);
	put_u64(b, 77);
	put_text(b, "sixteen letters!", 16);
}

static inline void build_cpu_list(struct bytes *b)
{
	put_u16(b, 0);
	put_u16(b, 3);
	put_u16(b, 0);
	put_u16(b, 300);
	put_u16(b, UINT16_MAX);
}

static inline void build_cpu_mask_32(struct bytes *b)
{
	put_u16(b, 1);
	put_u16(b, 2);
	put_u16(b, 4);
	put_u32(b, 1u << 31 | 1);
	put_u32(b, 2);
}

static inline void build_cpu_mask_64(struct bytes *b)
{
	put_u16(b, 1);
	put_u16(b, 2);
	put_u16(b, 8);
	put_u32(b, 0);
	put_u64(b, UINT64_C(1) << 63 | 1);
	put_u64(b, 2);
}

static inline void build_cpu_range(struct bytes *b)
{
	put_u16(b, 2);
	put(b, 1, 1);
	put(b, 0, 1);
	put_u16(b, 3);
	put_u16(b, 5);
}

static inline void build_stat_config(struct bytes *b)
{
	put_u64(b, 2);
	put_u64(b, 1);
	put_u64(b, 1000);
	put_u64(b, 9);
	put_u64(b, 7);
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

static inline void build_update_unit(struct bytes *b)
{
	put_update(b, TOOL_UPDATE_UNIT);
	put_text(b, "msec", 8);
}

static inline void build_update_scale(struct bytes *b)
{
	double scale = 1e-6;
	uint64_t bits;

	memcpy(&bits, &scale, sizeof(bits));
	put_update(b, TOOL_UPDATE_SCALE);
	put_u64(b, bits);
}

static inline void build_update_name(struct bytes *b)
{
	put_update(b, TOOL_UPDATE_NAME);
	put_text(b, "cpu-clock:u", 16);
}

static inline void build_update_cpus(struct bytes *b)
{
	put_update(b, TOOL_UPDATE_CPUS);
	build_cpu_range(b);
}

static inline void build_update_unknown(struct bytes *b)
{
	put_update(b, 9);
}

static inline void build_old_time_conv(struct bytes *b)
{
	put_words(b, 31, 3);
}

static inline void build_time_conv(struct bytes *b)
{
	put_words(b, 31, 5);
	put(b, 1, 1);
	put(b, 0, 1);
	put_text(b, "", 6);
}

static inline void build_feature(struct bytes *b)
{
	put_u64(b, FEATURE_HOSTNAME);
	put_u32(b, 8);
	put_text(b, "example", 8);
}

static inline void build_end_of_features(struct bytes *b)
{
	put_u64(b, 32);
}

static inline void build_compressed_record(struct bytes *b)
{
	put_text(b, "anything", 11);
}

static inline void build_compressed2(struct bytes *b)
{
	put_u64(b, 11);
	put_text(b, "anything", 16);
}

static inline void put_metadata(struct bytes *b, size_t room)
{
	put_text(b, "bpf_prog_1122_on_exec", room);
	put_u64(b, 1);
	put_text(b, "version", 64);
	put_text(b, "1.2", 256);
}

static inline void build_metadata(struct bytes *b)
{
	put_metadata(b, 512);
}

/* Names were shorter at first; and a sample's ids stand behind. */
static inline void build_old_metadata(struct bytes *b)
{
	put_metadata(b, 256);
	put_words(b, 0, 4);
}

static inline void put_schedstat(struct bytes *b, uint16_t version, uint16_t domain)
{
	put_u64(b, 4294900000);
	put_u32(b, 1);
	put_u16(b, version);
	put_u16(b, domain);
}

static inline void build_schedstat_cpu(struct bytes *b)
{
	put_schedstat(b, 17, 0);
	for (uint32_t i = 0; i < 6; i++)
		put_u32(b, i);
	put_words(b, 6, 3);
}

/* Counters that count up, of a domain that is the third. */
static inline void build_schedstat_domain(struct bytes *b, uint16_t version)
{
	put_schedstat(b, version, 2);
	for (uint32_t i = 0; i < 3 * (version < 17 ? 8 : 11) + 12; i++)
		put_u32(b, i);
}

static inline void build_schedstat_domain_16(struct bytes *b)
{
	build_schedstat_domain(b, 16);
}

static inline void build_schedstat_unknown(struct bytes *b)
{
	put_schedstat(b, 99, 0);
	put_u32(b, 0);
}

#endif /* TESTS_UNIT_PERF_DATA_TOOL_BYTES_H */

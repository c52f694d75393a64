/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* feature_bytes.h: the header features of a perf.data, written as perf would. */
#ifndef TESTS_UNIT_PERF_DATA_DESCRIBE_FEATURE_BYTES_H
#define TESTS_UNIT_PERF_DATA_DESCRIBE_FEATURE_BYTES_H

#include "unit/record/record_bytes.h"

#define NAME_ALIGN 64

static inline void put_text(struct bytes *b, const char *text, size_t room)
{
	put_data(b, text, strlen(text));
	for (size_t i = strlen(text); i < room; i++)
		put(b, 0, 1);
}

static inline void put_name(struct bytes *b, const char *text)
{
	size_t room = (strlen(text) + NAME_ALIGN) / NAME_ALIGN * NAME_ALIGN;

	put_u32(b, (uint32_t)room);
	put_text(b, text, room);
}

static inline void put_names(struct bytes *b, unsigned int count, const char *const *names)
{
	put_u32(b, count);
	for (unsigned int i = 0; i < count; i++)
		put_name(b, names[i]);
}

#define PUT_NAMES(b, ...)                                                                          \
	put_names(b, sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *),                \
		  (const char *const[]){ __VA_ARGS__ })

/* Bit-fields as a compiler of the writer's machine has them; precise_ip has two bits. */
static inline uint64_t flags_of(const struct bytes *b, uint64_t flags, uint64_t precise_ip)
{
	uint64_t reversed = 0;

	if (!bytes__big_endian(b))
		return flags | precise_ip << 15;
	for (int i = 0; i < 64; i++)
		reversed |= (flags >> i & 1) << (63 - i);
	return reversed | precise_ip << (63 - 16);
}

/* Zeroes but for these. */
static inline void put_attr(struct bytes *b, uint32_t type, uint64_t config, uint64_t flags,
			    uint64_t precise_ip)
{
	put_u32(b, type);
	put_u32(b, 136);
	put_u64(b, config);
	put_u64(b, 4000); /* sample_period */
	put_u64(b, PEAT_SAMPLE_IP | PEAT_SAMPLE_TID | PEAT_SAMPLE_IDENTIFIER);
	put_u64(b, PEAT_READ_ID | PEAT_READ_LOST);
	put_u64(b, flags_of(b, flags, precise_ip));
	put_u32(b, 7); /* wakeup */
	put_u32(b, 0);
	put_u64(b, 0x1000); /* config1 */
	put_words(b, 0, 1);
	put_u64(b, 1 << 3 | 1 << 30); /* branch_sample_type: one that has no name, too */
	put_u64(b, 0);
	put_u32(b, 0);
	put_u32(b, UINT32_MAX); /* clockid -1 */
	for (int i = 0; i < 5; i++)
		put_u64(b, 0);
}

static inline void build_tracing_data(struct bytes *b)
{
	put_text(b, "anything", 8);
}

static inline void put_build_id(struct bytes *b, bool sized, const char *filename)
{
	put_u32(b, 0);
	put_u16(b, PEAT_MISC_USER | (sized ? 1 << 15 : 0));
	put_u16(b, 8 + 4 + 24 + NAME_ALIGN);
	put_u32(b, sized ? 7 : UINT32_MAX);
	for (int i = 0; i < 20; i++)
		put(b, 0xa0 + (uint64_t)i, 1);
	put(b, 8, 1);
	put_text(b, "", 3);
	put_text(b, filename, NAME_ALIGN);
}

static inline void build_build_ids(struct bytes *b)
{
	put_build_id(b, false, "/bin/true");
	put_build_id(b, true, "/bin/false");
}

/* Without a pid; such files begin with the kernel. */
static inline void build_old_build_ids(struct bytes *b)
{
	put_u32(b, 0);
	put_u16(b, PEAT_MISC_KERNEL);
	put_u16(b, 8 + 24 + NAME_ALIGN);
	for (int i = 0; i < 20; i++)
		put(b, 0xa0 + (uint64_t)i, 1);
	put_u32(b, 0);
	put_text(b, "[kernel.kallsyms]", NAME_ALIGN);
}

static inline void build_string(struct bytes *b)
{
	put_name(b, "one \"two\"");
}

/* As long as it is, without padding. */
static inline void build_short_string(struct bytes *b)
{
	put_u32(b, 4);
	put_data(b, "6.1", 4);
}

static inline void build_hostile_string(struct bytes *b)
{
	put_name(b, "a\x1b[31m\xff");
}

static inline void build_nrcpus(struct bytes *b)
{
	put_u32(b, 8);
	put_u32(b, 6);
}

static inline void build_total_mem(struct bytes *b)
{
	put_u64(b, UINT64_MAX);
}

static inline void build_cmdline(struct bytes *b)
{
	PUT_NAMES(b, "/usr/bin/perf", "record", "it's");
}

static inline void build_event_desc(struct bytes *b)
{
	put_u32(b, 2);
	put_u32(b, 136);
	put_attr(b, 0, 0, 1 << 0 | 1 << 10 | 1 << 18, 2);
	put_u32(b, 2);
	put_name(b, "cycles:pp");
	put_words(b, 50, 2);
	put_attr(b, 5, 0xabc, UINT64_C(1) << 37, 0);
	put_u32(b, 0);
	put_name(b, "mem:0x1000");
}

/* Of perf 2.6.33: an attr of 64 bytes, which ends in config1. */
static inline void build_old_event_desc(struct bytes *b)
{
	put_u32(b, 1);
	put_u32(b, 64);
	put_attr(b, 0, 1, 1 << 4, 0);
	b->len = 8;
	put_u32(b, 0);
	put_u32(b, 64);
	b->len = 8 + 64;
	put_u32(b, 0);
	put_name(b, "cycles");
}

static inline void build_numa(struct bytes *b)
{
	put_u32(b, 2);
	put_u32(b, 0);
	put_u64(b, 1000);
	put_u64(b, 900);
	put_name(b, "0-1");
	put_u32(b, 1);
	put_u64(b, 2000);
	put_u64(b, 1900);
	put_name(b, "2-3");
}

static inline void build_nothing(struct bytes *b)
{
	(void)b;
}

static inline void build_pmus(struct bytes *b)
{
	put_u32(b, 2);
	put_u32(b, 4);
	put_name(b, "cpu");
	put_u32(b, 0xffff0000);
	put_name(b, "hwmon");
}

static inline void build_zero(struct bytes *b)
{
	put_u32(b, 0);
}

static inline void build_groups(struct bytes *b)
{
	put_u32(b, 1);
	put_name(b, "mine");
	put_u32(b, 0);
	put_u32(b, 2);
}

static inline void build_anonymous_group(struct bytes *b)
{
	put_u32(b, 1);
	put_name(b, "{anon_group}");
	put_u32(b, 0);
	put_u32(b, 2);
}

static inline void build_auxtrace(struct bytes *b)
{
	put_u64(b, 1);
	put_u64(b, 744);
	put_u64(b, 12240);
}

static inline void build_cache(struct bytes *b)
{
	put_u32(b, 1);
	put_u32(b, 1);
	put_u32(b, 2);
	put_u32(b, 64);
	put_u32(b, 1024);
	put_u32(b, 8);
	put_name(b, "Unified");
	put_name(b, "512K");
	put_name(b, "0-1");
}

static inline void build_sample_time(struct bytes *b)
{
	put_u64(b, 101132490999);
	put_u64(b, 101132592499);
}

static inline void build_clockid(struct bytes *b)
{
	put_u64(b, 4);
}

static inline void build_dir_format(struct bytes *b)
{
	put_u64(b, 1);
}

static inline void build_btf(struct bytes *b)
{
	put_u32(b, 1);
	put_u32(b, 99);
	put_u32(b, 5);
	put_data(b, "bytes", 5);
}

static inline void build_compressed(struct bytes *b)
{
	put_u32(b, 0);
	put_u32(b, 1);
	put_u32(b, 1);
	put_u32(b, 3);
	put_u32(b, 528384);
}

static inline void build_cpu_caps(struct bytes *b)
{
	put_u32(b, 2);
	put_name(b, "branches");
	put_name(b, "32");
	put_name(b, "pmu_name");
	put_name(b, "skylake");
}

static inline void build_clock_data(struct bytes *b)
{
	put_u32(b, 1);
	put_u32(b, 1);
	put_u64(b, 1711586729335160123);
	put_u64(b, 12799249383892);
}

static inline void build_hybrid(struct bytes *b)
{
	put_u32(b, 2);
	put_name(b, "cpu_core");
	put_name(b, "0-3");
	put_name(b, "cpu_atom");
	put_name(b, "4-11");
}

static inline void build_pmu_caps(struct bytes *b)
{
	put_u32(b, 2);
	build_cpu_caps(b);
	put_name(b, "intel_pt");
	put_u32(b, 0);
	put_name(b, "msr");
}

static inline void build_e_machine(struct bytes *b)
{
	put_u32(b, 62);
	put_u32(b, 5);
}

static inline void build_line_size(struct bytes *b)
{
	put_u32(b, 64);
}

#endif /* TESTS_UNIT_PERF_DATA_DESCRIBE_FEATURE_BYTES_H */

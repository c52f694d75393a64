// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* attr_encode.c: a struct perf_event_attr put together: what perf_attr.c takes apart. */
#include "record/attr_encode.h"
#include "base/store.h"

#define TYPE_SOFTWARE	1
#define TYPE_TRACEPOINT 2
#define SW_BPF_OUTPUT	10
#define MONOTONIC	1 /* CLOCK_MONOTONIC, whose header is none of a pure file's */

#define PRECISE_IP 15 /* two bits wide */

#define SAMPLE_TYPE                                                                                \
	(PEAT_SAMPLE_IDENTIFIER | PEAT_SAMPLE_TID | PEAT_SAMPLE_TIME | PEAT_SAMPLE_CPU |           \
	 PEAT_SAMPLE_RAW)

/* Where a compiler has `width` bits that are declared behind `first` others. */
static uint64_t place(bool big_endian, uint64_t bits, unsigned first, unsigned width)
{
	return (bits & ((1ULL << width) - 1)) << (big_endian ? 64 - first - width : first);
}

static uint64_t place_flags(const struct perf_attr *attr, bool swapped)
{
	bool big_endian = swapped != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	uint64_t word = place(big_endian, attr->precise_ip, PRECISE_IP, 2);

	for (unsigned i = 0; i < 64; i++)
		if (i != PRECISE_IP && i != PRECISE_IP + 1)
			word |= place(big_endian, attr->flags >> i, i, 1);
	return word;
}

void attr_encode__put(struct out *out, const struct perf_attr *attr)
{
	const struct peat_layout *layout = &attr->layout;

	store_u32(out, attr->type);
	store_u32(out, ATTR_ENCODE_BYTES);
	store_u64(out, attr->config);
	store_u64(out, attr->period);
	store_u64(out, layout->sample_type);
	store_u64(out, layout->read_format);
	store_u64(out, place_flags(attr, out->swapped));
	store_u32(out, attr->wakeup);
	store_u32(out, attr->bp_type);
	store_u64(out, attr->config1);
	store_u64(out, attr->config2);
	store_u64(out, layout->branch_sample_type);
	store_u64(out, layout->regs_user);
	store_u32(out, attr->stack_user);
	store_u32(out, (uint32_t)attr->clockid);
	store_u64(out, layout->regs_intr);
	store_u32(out, attr->aux_watermark);
	store_u16(out, attr->max_stack);
	store_u16(out, 0);
	store_u32(out, attr->aux_sample_bytes);
	store_u32(out, 0);
	store_u64(out, attr->sig_data);
}

static struct perf_attr event(uint32_t type, uint64_t config, uint64_t sample_type)
{
	return (struct perf_attr){
		.type = type,
		.bytes = ATTR_ENCODE_BYTES,
		.config = config,
		.period = 1,
		.flags = 1ULL << PERF_ATTR_SAMPLE_ID_ALL | 1ULL << PERF_ATTR_USE_CLOCKID,
		.clockid = MONOTONIC,
		.layout = { .sample_type = sample_type, .sample_id_all = true },
	};
}

struct perf_attr attr_encode__tracepoint(uint16_t id)
{
	return event(TYPE_TRACEPOINT, id, SAMPLE_TYPE);
}

struct perf_attr attr_encode__bpf_output(void)
{
	return event(TYPE_SOFTWARE, SW_BPF_OUTPUT, SAMPLE_TYPE | PEAT_SAMPLE_IP);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* perf_attr.c: a struct perf_event_attr taken apart, of any size and either byte order. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cursor.h"
#include "record/attr.h"

#define BYTES_LEAST 64	/* PERF_ATTR_SIZE_VER0 */
#define BYTES_KNOWN 144 /* with config4 */
#define BYTES_MOST  65536

#define PRECISE_IP 15 /* two bits wide */

static void parse_flags(struct perf_attr *attr, uint64_t word, bool swapped)
{
	attr->precise_ip = (uint8_t)perf_attr__bits(word, swapped, PRECISE_IP, 2);
	attr->flags = 0;
	for (unsigned i = 0; i < 64; i++)
		if (i != PRECISE_IP && i != PRECISE_IP + 1)
			attr->flags |= perf_attr__bits(word, swapped, i, 1) << i;
}

/* From a copy that has zeroes where the writer's ended. */
static void parse_known(struct perf_attr *attr, const uint8_t *at, bool swapped)
{
	struct peat_layout *layout = &attr->layout;

	attr->type = load_u32(at, swapped);
	attr->config = load_u64(at + 8, swapped);
	attr->period = load_u64(at + 16, swapped);
	layout->sample_type = load_u64(at + 24, swapped);
	layout->read_format = load_u64(at + 32, swapped);
	parse_flags(attr, load_u64(at + 40, swapped), swapped);
	attr->wakeup = load_u32(at + 48, swapped);
	attr->bp_type = load_u32(at + 52, swapped);
	attr->config1 = load_u64(at + 56, swapped);
	attr->config2 = load_u64(at + 64, swapped);
	layout->branch_sample_type = load_u64(at + 72, swapped);
	layout->regs_user = load_u64(at + 80, swapped);
	attr->stack_user = load_u32(at + 88, swapped);
	attr->clockid = (int32_t)load_u32(at + 92, swapped);
	layout->regs_intr = load_u64(at + 96, swapped);
	attr->aux_watermark = load_u32(at + 104, swapped);
	attr->max_stack = load_u16(at + 108, swapped);
	attr->aux_sample_bytes = load_u32(at + 112, swapped);
	attr->sig_data = load_u64(at + 120, swapped);
	attr->config3 = load_u64(at + 128, swapped);
	attr->config4 = load_u64(at + 136, swapped);
	layout->sample_id_all = perf_attr__has(attr, PERF_ATTR_SAMPLE_ID_ALL);
	layout->swapped = swapped;
}

int perf_attr__parse(struct perf_attr *attr, const void *bytes, size_t count, bool swapped)
{
	uint8_t known[BYTES_KNOWN] = { 0 };
	uint32_t size;

	memset(attr, 0, sizeof(*attr));
	if (count < BYTES_LEAST)
		return -EBADMSG;
	size = load_u32((const uint8_t *)bytes + 4, swapped);
	if (size == 0)
		size = BYTES_LEAST; /* of before there was a size */
	if (size < BYTES_LEAST || size > count || size > BYTES_MOST)
		return -EBADMSG;
	memcpy(known, bytes, size < BYTES_KNOWN ? size : BYTES_KNOWN);
	attr->bytes = size;
	parse_known(attr, known, swapped);
	return (int)size;
}

void perf_attr__clear(struct perf_attr *attr)
{
	free(attr->ids);
	free(attr->name);
	attr->ids = NULL;
	attr->name = NULL;
	attr->ids_count = 0;
}

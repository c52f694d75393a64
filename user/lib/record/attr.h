/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * record/attr.h: the struct perf_event_attr of an event, decoded.  Pure.
 *
 *	struct perf_attr attr;
 *	int bytes = perf_attr__parse(&attr, at, count, swapped);
 *
 *	if (bytes > 0)
 *		peat_record__decode(&attr.layout, record, record_bytes, &rec);
 */
#ifndef PEAT_RECORD_ATTR_H
#define PEAT_RECORD_ATTR_H

#include <stddef.h>

#include <peat/record.h>

/* Bits of perf_attr.flags: the order of the kernel's bit-fields, in either byte order. */
enum perf_attr_flag {
	PERF_ATTR_DISABLED,
	PERF_ATTR_INHERIT,
	PERF_ATTR_PINNED,
	PERF_ATTR_EXCLUSIVE,
	PERF_ATTR_EXCLUDE_USER,
	PERF_ATTR_EXCLUDE_KERNEL,
	PERF_ATTR_EXCLUDE_HV,
	PERF_ATTR_EXCLUDE_IDLE,
	PERF_ATTR_MMAP,
	PERF_ATTR_COMM,
	PERF_ATTR_FREQ,
	PERF_ATTR_INHERIT_STAT,
	PERF_ATTR_ENABLE_ON_EXEC,
	PERF_ATTR_TASK,
	PERF_ATTR_WATERMARK,
	PERF_ATTR_PRECISE_IP, /* two bits: perf_attr.precise_ip */
	PERF_ATTR_MMAP_DATA = PERF_ATTR_PRECISE_IP + 2,
	PERF_ATTR_SAMPLE_ID_ALL,
	PERF_ATTR_EXCLUDE_HOST,
	PERF_ATTR_EXCLUDE_GUEST,
	PERF_ATTR_EXCLUDE_CALLCHAIN_KERNEL,
	PERF_ATTR_EXCLUDE_CALLCHAIN_USER,
	PERF_ATTR_MMAP2,
	PERF_ATTR_COMM_EXEC,
	PERF_ATTR_USE_CLOCKID,
	PERF_ATTR_CONTEXT_SWITCH,
	PERF_ATTR_WRITE_BACKWARD,
	PERF_ATTR_NAMESPACES,
	PERF_ATTR_KSYMBOL,
	PERF_ATTR_BPF_EVENT,
	PERF_ATTR_AUX_OUTPUT,
	PERF_ATTR_CGROUP,
	PERF_ATTR_TEXT_POKE,
	PERF_ATTR_BUILD_ID,
	PERF_ATTR_INHERIT_THREAD,
	PERF_ATTR_REMOVE_ON_EXEC,
	PERF_ATTR_SIGTRAP,
	PERF_ATTR_DEFER_CALLCHAIN,
	PERF_ATTR_DEFER_OUTPUT
};

/* Fields for which the writer's attr was too short are 0. */
struct perf_attr {
	uint32_t type;	/* PERF_TYPE_*, or a number of the writer's machine */
	uint32_t bytes; /* of the writer's struct */
	uint64_t config, config1, config2, config3, config4;
	uint64_t period;     /* with PERF_ATTR_FREQ samples a second, else events a sample */
	uint64_t flags;	     /* see perf_attr__has(); unknown flags are kept */
	uint8_t precise_ip;  /* 0 to 3 */
	uint32_t wakeup;     /* with PERF_ATTR_WATERMARK bytes, else events */
	uint32_t bp_type;    /* HW_BREAKPOINT_*; the address is config1, the length config2 */
	int32_t clockid;     /* with PERF_ATTR_USE_CLOCKID: the clock of all timestamps */
	uint32_t stack_user; /* sample_stack_user */
	uint32_t aux_watermark;
	uint32_t aux_sample_bytes;
	uint32_t aux_action;
	uint16_t max_stack;
	uint64_t sig_data;

	/*
	 * For peat_record__decode().  If the leader of a group has PEAT_BRANCH_COUNTERS, the bit
	 * holds for all members; an attr does not have its group, so the caller sets the bit.
	 */
	struct peat_layout layout; /* with sample_type, read_format and so on */

	/* From the container of the attr. */
	uint32_t index; /* the first event of a recording is 0 */
	uint32_t ids_count;
	uint64_t *ids;	     /* of the kernel's event on each CPU, in host order */
	char *name;	     /* NULL: unknown */
	bool is_format_name; /* the name is that of a tracepoint's format: any other has priority */
};

static inline bool perf_attr__has(const struct perf_attr *attr, enum perf_attr_flag flag)
{
	return attr->flags >> flag & 1;
}

/* The period that all samples of the event share; 0: it varies. */
static inline uint64_t perf_attr__fixed_period(const struct perf_attr *attr)
{
	return perf_attr__has(attr, PERF_ATTR_FREQ) ? 0 : attr->period;
}

/*
 * Parses the attr at `bytes`, of which `count` may be read, and clears the container's members.
 * Returns the size of the attr in bytes, 64 or more.  -EBADMSG: its size is above `count`, or below
 * that of any attr.
 */
int perf_attr__parse(struct perf_attr *attr, const void *bytes, size_t count, bool swapped);

/* Frees name and ids, not the attr itself. */
void perf_attr__clear(struct perf_attr *attr);

#endif /* PEAT_RECORD_ATTR_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * perf_attr.h: one event of a recording, as its struct perf_event_attr says.  Pure.
 *
 *	struct perf_attr attr;
 *	int bytes = perf_attr__parse(&attr, at, count, swapped);
 *
 *	if (bytes > 0)
 *		peat_record__decode(&attr.layout, record, record_bytes, &rec);
 */
#ifndef PERF_ATTR_H
#define PERF_ATTR_H

#include <stddef.h>

#include <peat/record.h>

/* The flags, by the order of their declaration in the kernel's header, whoever wrote them. */
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
	PERF_ATTR_MMAP_DATA = 17, /* 15 and 16 are precise_ip */
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

/*
 * `width` bits of the word that has the flags, loaded in the file's byte order.  A compiler for
 * big-endian machines lays bit-fields out from the top bit, so that neither a plain load nor a byte
 * swap finds them.
 */
static inline uint64_t perf_attr__bits(uint64_t word, bool swapped, unsigned first, unsigned width)
{
	bool big_endian = swapped != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	unsigned shift = big_endian ? 64 - first - width : first;

	return word >> shift & ((1ULL << width) - 1);
}

/* What the writer's attr was too short for is 0. */
struct perf_attr {
	uint32_t type;	/* PERF_TYPE_*, or a number of the writer's machine */
	uint32_t bytes; /* of the writer's struct */
	uint64_t config, config1, config2, config3, config4;
	uint64_t period;     /* with PERF_ATTR_FREQ samples a second, else events a sample */
	uint64_t flags;	     /* see perf_attr__has(); unknown ones are kept */
	uint8_t precise_ip;  /* 0 to 3 */
	uint32_t wakeup;     /* with PERF_ATTR_WATERMARK bytes, else events */
	uint32_t bp_type;    /* HW_BREAKPOINT_*: where and how long are config1 and config2 */
	int32_t clockid;     /* with PERF_ATTR_USE_CLOCKID: the clock of all times */
	uint32_t stack_user; /* sample_stack_user */
	uint32_t aux_watermark;
	uint32_t aux_sample_bytes;
	uint16_t max_stack;
	uint64_t sig_data;

	/*
	 * For peat_record__decode().  Whether it is the leader of a group that has
	 * PEAT_BRANCH_COUNTERS an attr does not say: whoever knows the groups sets the bit for the
	 * leader's members.
	 */
	struct peat_layout layout; /* sample_type, read_format and so on are in here */

	/* Not from the struct: what its container says. */
	uint32_t index; /* the first event of a recording is 0 */
	uint32_t ids_count;
	uint64_t *ids; /* of the kernel's event on each CPU, in host order */
	char *name;    /* NULL: not told */
};

static inline bool perf_attr__has(const struct perf_attr *attr, enum perf_attr_flag flag)
{
	return attr->flags >> flag & 1;
}

/*
 * Parses the attr at `bytes`, of which `count` may be read, and clears what comes from containers.
 * Returns how many bytes it has there, 64 or more: what follows it stands behind those.  -EBADMSG:
 * it says to be longer than `count`, or shorter than any attr ever was.
 */
int perf_attr__parse(struct perf_attr *attr, const void *bytes, size_t count, bool swapped);

/* Frees name and ids, not the attr itself. */
void perf_attr__clear(struct perf_attr *attr);

#endif /* PERF_ATTR_H */

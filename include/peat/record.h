/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * record.h: decodes the records of a perf ring or a perf.data file.
 *
 *	bytes ──▶ peat_record__decode() ──▶ struct peat_record
 *	              ▲
 *	        struct peat_layout, from the event's perf_event_attr
 *
 * The decoder is pure: it does no I/O, allocates nothing, keeps no state and copies no payload.
 * Strings and arrays of a decoded record point into the given bytes, and are valid as long as
 * those.  Each length and count is checked against its container.
 *
 *	struct peat_layout layout = { 0 };
 *	struct peat_record rec = { 0 };
 *
 *	rec.sz = sizeof(rec);
 *	layout.sample_type = PEAT_SAMPLE_TID | PEAT_SAMPLE_TIME | PEAT_SAMPLE_RAW;
 *	if (peat_record__decode(&layout, bytes, bytes_len, &rec) == 1 &&
 *	    rec.type == PEAT_RECORD_SAMPLE)
 *		consume(rec.time_ns, rec.sample.raw, rec.sample.raw_bytes);
 */
#ifndef PEAT_RECORD_H
#define PEAT_RECORD_H

#include <string.h>

#include <peat/common.h>

PEAT_BEGIN_DECLS

/* The kernel's numbers.  Other types are unknown here, such as perf's own from 64 on. */
enum peat_record_type {
	PEAT_RECORD_MMAP = 1,
	PEAT_RECORD_LOST = 2,
	PEAT_RECORD_COMM = 3,
	PEAT_RECORD_EXIT = 4,
	PEAT_RECORD_THROTTLE = 5,
	PEAT_RECORD_UNTHROTTLE = 6,
	PEAT_RECORD_FORK = 7,
	PEAT_RECORD_READ = 8,
	PEAT_RECORD_SAMPLE = 9,
	PEAT_RECORD_MMAP2 = 10,
	PEAT_RECORD_AUX = 11,
	PEAT_RECORD_ITRACE_START = 12,
	PEAT_RECORD_LOST_SAMPLES = 13,
	PEAT_RECORD_SWITCH = 14,
	PEAT_RECORD_SWITCH_CPU_WIDE = 15,
	PEAT_RECORD_NAMESPACES = 16,
	PEAT_RECORD_KSYMBOL = 17,
	PEAT_RECORD_BPF_EVENT = 18,
	PEAT_RECORD_CGROUP = 19,
	PEAT_RECORD_TEXT_POKE = 20,
	PEAT_RECORD_AUX_OUTPUT_HW_ID = 21,
	PEAT_RECORD_CALLCHAIN_DEFERRED = 22
};

/* perf_event_attr.sample_type: the fields of a sample.  Trailers have only PEAT_SAMPLE_IDS. */
#define PEAT_SAMPLE_IP		   (1ULL << 0)
#define PEAT_SAMPLE_TID		   (1ULL << 1)
#define PEAT_SAMPLE_TIME	   (1ULL << 2)
#define PEAT_SAMPLE_ADDR	   (1ULL << 3)
#define PEAT_SAMPLE_READ	   (1ULL << 4)
#define PEAT_SAMPLE_CALLCHAIN	   (1ULL << 5)
#define PEAT_SAMPLE_ID		   (1ULL << 6)
#define PEAT_SAMPLE_CPU		   (1ULL << 7)
#define PEAT_SAMPLE_PERIOD	   (1ULL << 8)
#define PEAT_SAMPLE_STREAM_ID	   (1ULL << 9)
#define PEAT_SAMPLE_RAW		   (1ULL << 10)
#define PEAT_SAMPLE_BRANCH_STACK   (1ULL << 11)
#define PEAT_SAMPLE_REGS_USER	   (1ULL << 12)
#define PEAT_SAMPLE_STACK_USER	   (1ULL << 13)
#define PEAT_SAMPLE_WEIGHT	   (1ULL << 14)
#define PEAT_SAMPLE_DATA_SRC	   (1ULL << 15)
#define PEAT_SAMPLE_IDENTIFIER	   (1ULL << 16)
#define PEAT_SAMPLE_TRANSACTION	   (1ULL << 17)
#define PEAT_SAMPLE_REGS_INTR	   (1ULL << 18)
#define PEAT_SAMPLE_PHYS_ADDR	   (1ULL << 19)
#define PEAT_SAMPLE_AUX		   (1ULL << 20)
#define PEAT_SAMPLE_CGROUP	   (1ULL << 21)
#define PEAT_SAMPLE_DATA_PAGE_SIZE (1ULL << 22)
#define PEAT_SAMPLE_CODE_PAGE_SIZE (1ULL << 23)
#define PEAT_SAMPLE_WEIGHT_STRUCT  (1ULL << 24)
#define PEAT_SAMPLE_ALL		   ((1ULL << 25) - 1)

/* The ids: the fields that the trailer of a record other than SAMPLE can have. */
#define PEAT_SAMPLE_IDS                                                                            \
	(PEAT_SAMPLE_TID | PEAT_SAMPLE_TIME | PEAT_SAMPLE_ID | PEAT_SAMPLE_STREAM_ID |             \
	 PEAT_SAMPLE_CPU | PEAT_SAMPLE_IDENTIFIER)

/* perf_event_attr.read_format */
#define PEAT_READ_TOTAL_TIME_ENABLED (1ULL << 0)
#define PEAT_READ_TOTAL_TIME_RUNNING (1ULL << 1)
#define PEAT_READ_ID		     (1ULL << 2)
#define PEAT_READ_GROUP		     (1ULL << 3)
#define PEAT_READ_LOST		     (1ULL << 4)
#define PEAT_READ_ALL		     ((1ULL << 5) - 1)

/* perf_event_attr.branch_sample_type: the bits that change the layout */
#define PEAT_BRANCH_HW_INDEX (1ULL << 17)
#define PEAT_BRANCH_COUNTERS (1ULL << 19) /* since Linux 6.8 */

/* The header's misc.  The meaning of bits 13 and 14 depends on the type. */
#define PEAT_MISC_CPUMODE_MASK		 7
#define PEAT_MISC_CPUMODE_UNKNOWN	 0
#define PEAT_MISC_KERNEL		 1
#define PEAT_MISC_USER			 2
#define PEAT_MISC_HYPERVISOR		 3
#define PEAT_MISC_GUEST_KERNEL		 4
#define PEAT_MISC_GUEST_USER		 5
#define PEAT_MISC_PROC_MAP_PARSE_TIMEOUT (1 << 12)
#define PEAT_MISC_MMAP_DATA		 (1 << 13) /* MMAP, MMAP2: not executable */
#define PEAT_MISC_COMM_EXEC		 (1 << 13) /* COMM: by exec */
#define PEAT_MISC_FORK_EXEC		 (1 << 13) /* FORK: written by perf itself */
#define PEAT_MISC_SWITCH_OUT		 (1 << 13) /* SWITCH, SWITCH_CPU_WIDE */
#define PEAT_MISC_EXACT_IP		 (1 << 14) /* SAMPLE: ip has no skid */
#define PEAT_MISC_SWITCH_OUT_PREEMPT	 (1 << 14) /* SWITCH, SWITCH_CPU_WIDE */
#define PEAT_MISC_MMAP_BUILD_ID		 (1 << 14) /* MMAP2 */
#define PEAT_MISC_LOST_SAMPLES_BPF	 (1 << 15) /* LOST_SAMPLES: rejected by perf's BPF filter */

/* Callchain entries from PEAT_CONTEXT_MAX up are markers: they give the context of the next ones.
 */
#define PEAT_CONTEXT_HV		   ((uint64_t)-32)
#define PEAT_CONTEXT_KERNEL	   ((uint64_t)-128)
#define PEAT_CONTEXT_USER	   ((uint64_t)-512)
#define PEAT_CONTEXT_USER_DEFERRED ((uint64_t)-640) /* then the cookie; since Linux 6.19 */
#define PEAT_CONTEXT_GUEST	   ((uint64_t)-2048)
#define PEAT_CONTEXT_GUEST_KERNEL  ((uint64_t)-2176)
#define PEAT_CONTEXT_GUEST_USER	   ((uint64_t)-2560)
#define PEAT_CONTEXT_MAX	   ((uint64_t)-4095)

/* peat_regs.abi */
#define PEAT_REGS_ABI_NONE 0
#define PEAT_REGS_ABI_32   1
#define PEAT_REGS_ABI_64   2

/* peat_aux.flags */
#define PEAT_AUX_TRUNCATED (1 << 0)
#define PEAT_AUX_OVERWRITE (1 << 1)
#define PEAT_AUX_PARTIAL   (1 << 2)
#define PEAT_AUX_COLLISION (1 << 3)

/* peat_ksymbol.ksym_type and .flags */
#define PEAT_KSYMBOL_TYPE_BPF	1
#define PEAT_KSYMBOL_TYPE_OOL	2 /* out of line: kprobes, trampolines */
#define PEAT_KSYMBOL_UNREGISTER (1 << 0)

/* peat_bpf.event */
#define PEAT_BPF_PROG_LOAD   1
#define PEAT_BPF_PROG_UNLOAD 2

/* The order of peat_namespaces.links */
enum peat_namespace {
	PEAT_NS_NET,
	PEAT_NS_UTS,
	PEAT_NS_IPC,
	PEAT_NS_PID,
	PEAT_NS_USER,
	PEAT_NS_MNT,
	PEAT_NS_CGROUP
};

/*
 * The layout of an event's records: the requests of its perf_event_attr.
 *
 * In a group, the leader decides on PEAT_BRANCH_COUNTERS: if the leader has the bit, set it for
 * each member.
 */
struct peat_layout {
	uint64_t sample_type; /* PEAT_SAMPLE_*; unknown bits are ignored, in both of these, */
	uint64_t read_format; /* and so are the fields that they add after the known ones */
	uint64_t branch_sample_type; /* PEAT_BRANCH_*; other bits are ignored */
	uint64_t regs_user;	     /* sample_regs_user: one register per bit */
	uint64_t regs_intr;	     /* sample_regs_intr */
	bool sample_id_all;	     /* records other than SAMPLE end with ids */
	bool swapped;		     /* written by a machine of the other byte order */
};

/* An array of u64 inside a record: may be unaligned and foreign-endian. */
struct peat_words {
	const void *data;
	uint64_t count;
	bool swapped;
};

/* Word i of the array; i has to be below words->count. */
PEAT_INLINE uint64_t peat_words__at(const struct peat_words *words, uint64_t i)
{
	uint64_t word;

	memcpy(&word, (const char *)words->data + i * sizeof(word), sizeof(word));
	return words->swapped ? __builtin_bswap64(word) : word;
}

/* One counter. id and lost are 0 unless the read format has them. */
struct peat_read_value {
	uint64_t value, id, lost;
};

/* Values of counters: the record READ, and PEAT_SAMPLE_READ of a sample. */
struct peat_read {
	uint64_t format;	     /* PEAT_READ_*: the fields present */
	uint64_t time_enabled_ns;    /* 0 unless requested, like time_running_ns */
	uint64_t time_running_ns;    /* less than enabled: the counter was multiplexed */
	uint64_t count;		     /* number of values; 1 without PEAT_READ_GROUP */
	struct peat_read_value only; /* without PEAT_READ_GROUP; otherwise use peat_read__at() */
	struct peat_words group;
};

/* Value i of a READ, group or not; i has to be below read->count. The group's leader is 0. */
PEAT_INLINE struct peat_read_value peat_read__at(const struct peat_read *read, uint64_t i)
{
	struct peat_read_value v = read->only;
	uint64_t at;

	if (!(read->format & PEAT_READ_GROUP))
		return v;
	at = i * (read->group.count / read->count);
	v.value = peat_words__at(&read->group, at);
	v.id = read->format & PEAT_READ_ID ? peat_words__at(&read->group, ++at) : 0;
	v.lost = read->format & PEAT_READ_LOST ? peat_words__at(&read->group, ++at) : 0;
	return v;
}

/* A taken branch; its flags have the kernel's names, independent of the byte order. */
struct peat_branch {
	uint64_t from, to;
	bool mispred, predicted; /* neither: not supported */
	bool in_tx, abort;
	uint16_t cycles; /* since the previous branch; 0: unknown */
	uint8_t type;	 /* PERF_BR_*; 15: see new_type */
	uint8_t spec, new_type, priv;
};

/* The branch stack of a sample, newest first. */
struct peat_branches {
	uint64_t nr;
	uint64_t hw_idx;	    /* all ones: unknown, or not requested */
	struct peat_words entries;  /* from, to, flags of each; see peat_branches__at() */
	struct peat_words counters; /* one per branch, or none: PEAT_BRANCH_COUNTERS */
	bool big_endian;	    /* the writer's bit-fields start at the top bit */
};

/* `width` bits of the flags, counted from the first as the writer's compiler lays out bit-fields.
 */
PEAT_INLINE uint64_t peat_branches__bits(const struct peat_branches *b, uint64_t flags,
					 unsigned int first, unsigned int width)
{
	unsigned int shift = b->big_endian ? 64 - first - width : first;

	return flags >> shift & ((1ULL << width) - 1);
}

/* Branch i; i has to be below branches->nr. */
PEAT_INLINE struct peat_branch peat_branches__at(const struct peat_branches *b, uint64_t i)
{
	uint64_t flags = peat_words__at(&b->entries, 3 * i + 2);
	struct peat_branch br;

	br.from = peat_words__at(&b->entries, 3 * i);
	br.to = peat_words__at(&b->entries, 3 * i + 1);
	br.mispred = peat_branches__bits(b, flags, 0, 1) != 0;
	br.predicted = peat_branches__bits(b, flags, 1, 1) != 0;
	br.in_tx = peat_branches__bits(b, flags, 2, 1) != 0;
	br.abort = peat_branches__bits(b, flags, 3, 1) != 0;
	br.cycles = (uint16_t)peat_branches__bits(b, flags, 4, 16);
	br.type = (uint8_t)peat_branches__bits(b, flags, 20, 4);
	br.spec = (uint8_t)peat_branches__bits(b, flags, 24, 2);
	br.new_type = (uint8_t)peat_branches__bits(b, flags, 26, 4);
	br.priv = (uint8_t)peat_branches__bits(b, flags, 30, 3);
	return br;
}

/* Registers, in the order of the mask's bits, lowest first. */
struct peat_regs {
	uint64_t abi;		  /* PEAT_REGS_ABI_*; NONE: no values */
	uint64_t mask;		  /* the registers of the values: the layout's mask */
	struct peat_words values; /* one per bit of the mask, or none */
};

/*
 * The fields of a SAMPLE except the ids.  A field is set only if peat_record.has has its bit.
 * Exception: `raw` is NULL without its bit, so that readers of raw payloads need no test.  PERIOD
 * is set in events of a reader, too, if all samples of the event share a period.
 */
struct peat_sample {
	const void *raw; /* RAW: at 4 mod 8 of the record */
	uint32_t raw_bytes;
	uint64_t ip, addr, period;     /* IP, ADDR, PERIOD */
	struct peat_read read;	       /* READ */
	struct peat_words callchain;   /* CALLCHAIN, contexts (PEAT_CONTEXT_*) among them */
	struct peat_branches branches; /* BRANCH_STACK */
	struct peat_regs regs_user;    /* REGS_USER */
	struct peat_regs regs_intr;    /* REGS_INTR */
	const void *stack_user;	       /* STACK_USER: stack_user_bytes bytes, */
	uint64_t stack_user_bytes;     /* with the stack in the first stack_user_dyn_bytes; */
	uint64_t stack_user_dyn_bytes; /* the rest is stale */
	uint64_t weight;	       /* WEIGHT; WEIGHT_STRUCT: see peat_sample__weights() */
	uint64_t data_src;	       /* DATA_SRC: union perf_mem_data_src, host order */
	uint64_t transaction;	       /* TRANSACTION: PERF_TXN_* */
	uint64_t phys_addr;	       /* PHYS_ADDR */
	uint64_t cgroup;	       /* CGROUP: the id, as in the record CGROUP */
	uint64_t data_page_bytes;      /* DATA_PAGE_SIZE */
	uint64_t code_page_bytes;      /* CODE_PAGE_SIZE */
	const void *aux;	       /* AUX: a piece of the AUX area */
	uint64_t aux_bytes;
};

/* Unpacks the three numbers of PEAT_SAMPLE_WEIGHT_STRUCT, the same way in both byte orders. */
PEAT_INLINE void peat_sample__weights(const struct peat_sample *sample, uint32_t *var1,
				      uint16_t *var2, uint16_t *var3)
{
	*var1 = (uint32_t)sample->weight;
	*var2 = (uint16_t)(sample->weight >> 32);
	*var3 = (uint16_t)(sample->weight >> 48);
}

/* MMAP and MMAP2.  Fields that only MMAP2 has are 0 or NULL for MMAP. */
struct peat_mmap {
	uint32_t pid, tid;
	uint64_t addr, len, pgoff;
	uint32_t maj, min; /* 0, like ino, if there is a build id instead */
	uint64_t ino, ino_generation;
	uint32_t prot, flags; /* PROT_*, MAP_*; 0 if recorded before Linux 3.16 */
	const char *filename;
	const uint8_t *build_id; /* NULL without PEAT_MISC_MMAP_BUILD_ID */
	uint8_t build_id_bytes;	 /* at most 20 */
	bool data;		 /* PEAT_MISC_MMAP_DATA: not executable */
};

/*
 * LOST.  It is written by the event that writes next, which can have another layout: a trailer is
 * decoded only if it has this layout's size.
 */
struct peat_lost {
	uint64_t id, lost;
};

struct peat_comm {
	uint32_t pid, tid;
	const char *comm;
	bool exec; /* PEAT_MISC_COMM_EXEC */
};

/* FORK and EXIT */
struct peat_task {
	uint32_t pid, ppid, tid, ptid;
	uint64_t time_ns;
};

/* THROTTLE and UNTHROTTLE */
struct peat_throttle {
	uint64_t time_ns, id, stream_id;
};

struct peat_read_event {
	uint32_t pid, tid;
	struct peat_read values;
};

struct peat_aux {
	uint64_t offset, bytes;
	uint64_t flags; /* PEAT_AUX_*; bits 8 to 15: the PMU's format */
};

struct peat_itrace_start {
	uint32_t pid, tid;
};

struct peat_lost_samples {
	uint64_t lost;
};

/* SWITCH and SWITCH_CPU_WIDE: a context switch of the task named by the ids */
struct peat_context_switch {
	bool out;	/* off the CPU, else onto it */
	bool preempted; /* out while still runnable */
	/* SWITCH_CPU_WIDE alone, else 0: the next task when out, else the previous one */
	uint32_t next_prev_pid, next_prev_tid;
};

/* Namespace i (enum peat_namespace, or newer) has device word 2 i and inode word 2 i + 1. */
struct peat_namespaces {
	uint32_t pid, tid;
	uint64_t nr;
	struct peat_words links;
};

struct peat_ksymbol {
	uint64_t addr;
	uint32_t len;
	uint16_t ksym_type; /* PEAT_KSYMBOL_TYPE_* */
	uint16_t flags;	    /* PEAT_KSYMBOL_UNREGISTER */
	const char *name;
};

struct peat_bpf {
	uint16_t event; /* PEAT_BPF_PROG_* */
	uint16_t flags;
	uint32_t id;
	const uint8_t *tag; /* 8 bytes */
};

struct peat_cgroup {
	uint64_t id;
	const char *path;
};

/* A change of kernel code at addr; either text can be empty. */
struct peat_text_poke {
	uint64_t addr;
	uint16_t old_bytes, new_bytes;
	const uint8_t *old_text, *new_text;
};

/* AUX_OUTPUT_HW_ID */
struct peat_hw_id {
	uint64_t hw_id;
};

/*
 * User callchain of the samples whose callchain ends with PEAT_CONTEXT_USER_DEFERRED and the same
 * cookie.
 */
struct peat_callchain_deferred {
	uint64_t cookie;
	struct peat_words callchain;
};

/*
 * A decoded record.  The ids come from the fields of a SAMPLE, or from the trailer of other
 * records.  The pid and tid in the body of COMM, FORK, MMAP and so on are in that body's member
 * only.
 *
 * The struct can grow in later versions: members are added at the end of it and of its parts.  A
 * record that the library returns has the library's size.
 */
struct peat_record {
	size_t sz;     /* sizeof(struct peat_record), set by the caller of peat_record__decode() */
	uint32_t type; /* enum peat_record_type, or a type unknown to this version */
	uint16_t misc; /* PEAT_MISC_* */
	uint16_t size; /* bytes, including the header: the offset of the next record */

	uint64_t has; /* PEAT_SAMPLE_*: the ids (and fields of the sample) present */
	uint64_t time_ns;
	uint64_t id; /* from ID or IDENTIFIER, which are the same */
	uint64_t stream_id;
	uint32_t pid, tid, cpu; /* all ids are 0 if `has` lacks their bit */

	union {
		struct peat_mmap mmap; /* MMAP, MMAP2 */
		struct peat_lost lost;
		struct peat_comm comm;
		struct peat_task task;	       /* FORK, EXIT */
		struct peat_throttle throttle; /* THROTTLE, UNTHROTTLE */
		struct peat_read_event read;
		struct peat_sample sample;
		struct peat_aux aux;
		struct peat_itrace_start itrace_start;
		struct peat_lost_samples lost_samples;
		struct peat_context_switch context_switch; /* SWITCH, SWITCH_CPU_WIDE */
		struct peat_namespaces namespaces;
		struct peat_ksymbol ksymbol;
		struct peat_bpf bpf; /* BPF_EVENT */
		struct peat_cgroup cgroup;
		struct peat_text_poke text_poke;
		struct peat_hw_id hw_id; /* AUX_OUTPUT_HW_ID */
		struct peat_callchain_deferred callchain_deferred;
	};
};

/*
 * Decodes the record at `bytes`, which may have any alignment and may be read for `bytes_len`
 * bytes.  rec->size is the record's size.
 *
 *	1		decoded
 *	0		type unknown to this version: type, misc and size are set; skip the record
 *	-EBADMSG	the record is invalid, or a sample's registers have an unknown ABI.  Only
 *			type, misc and size are set; size is usable only if it is from 8 to
 *			bytes_len.
 *	-EINVAL		rec->sz is not the size of the struct
 *
 * A record too short for both its type's smallest body and the layout's trailer has no ids.  That
 * is not an error, since some programs write files without trailers.
 */
PEAT_API int peat_record__decode(const struct peat_layout *layout, const void *bytes,
				 size_t bytes_len, struct peat_record *rec);

/* Returns the kernel's name without PERF_RECORD_: "SAMPLE", "MMAP2"; NULL: unknown type. */
PEAT_API const char *peat_record__name(uint32_t type);

/* Returns the type of a record by that name, for peat_record.type; 0: no such type. */
PEAT_API uint32_t peat_record__find(const char *name);

PEAT_END_DECLS

#endif /* PEAT_RECORD_H */

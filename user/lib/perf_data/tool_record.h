/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * tool_record.h: the records that perf itself writes into a perf.data: types from 64 on.
 *
 *	struct tool_record rec;
 *	const char *why;
 *
 *	if (tool_record__decode(bytes, header_size, swapped, &rec, &why))
 *		complain(why);
 *	if (rec.fixed && rec.type == TOOL_ID_INDEX)
 *		for (uint64_t i = 0; i < rec.id_index.count; i++)
 *			note(tool_id_index__at(&rec, i));
 *
 * Pure, as peat_record__decode(): nothing is copied, and what points into the bytes lives as long
 *as they do.  tool_told.h tells a record to an emit.
 */
#ifndef TOOL_RECORD_H
#define TOOL_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tool_record_type {
	TOOL_HEADER_ATTR = 64,
	TOOL_EVENT_TYPE = 65,
	TOOL_TRACING_DATA = 66, /* tracing_data.bytes more bytes follow the record */
	TOOL_BUILD_ID = 67,
	TOOL_FINISHED_ROUND = 68,
	TOOL_ID_INDEX = 69,
	TOOL_AUXTRACE_INFO = 70,
	TOOL_AUXTRACE = 71, /* auxtrace.bytes more bytes follow the record */
	TOOL_AUXTRACE_ERROR = 72,
	TOOL_THREAD_MAP = 73,
	TOOL_CPU_MAP = 74,
	TOOL_STAT_CONFIG = 75,
	TOOL_STAT = 76,
	TOOL_STAT_ROUND = 77,
	TOOL_EVENT_UPDATE = 78,
	TOOL_TIME_CONV = 79,
	TOOL_FEATURE = 80,
	TOOL_COMPRESSED = 81,
	TOOL_FINISHED_INIT = 82,
	TOOL_COMPRESSED2 = 83,
	TOOL_BPF_METADATA = 84,
	TOOL_SCHEDSTAT_CPU = 85,
	TOOL_SCHEDSTAT_DOMAIN = 86,
};

/* Text in a place of its own, or up to the record's end; without the NULs behind it. */
struct tool_text {
	const char *at;
	size_t bytes;
};

struct tool_event_type {
	uint64_t id;
	struct tool_text name;
};

struct tool_tracing_data {
	uint32_t bytes;
};

/* Also an entry of the feature BUILD_ID: see tool_build_id__read(). */
struct tool_build_id {
	int32_t pid; /* -1: the kernel's */
	const uint8_t *id;
	uint8_t id_bytes;
	struct tool_text filename;
};

struct tool_id_entry {
	uint64_t id, index; /* the counter's id; which event of its own */
	int64_t cpu, tid;   /* -1: any */
	bool guest;	    /* the next two are there */
	int64_t machine_pid, vcpu;
};

struct tool_id_index {
	uint64_t count; /* of entries: tool_id_index__at() */
	bool guests;
	const uint8_t *entries, *guest_entries;
};

struct tool_auxtrace_info {
	uint32_t kind;	/* PERF_AUXTRACE_* of perf: 1 is INTEL_PT */
	uint64_t words; /* private to the kind: tool_record__word() */
	const uint8_t *priv;
};

struct tool_auxtrace {
	uint64_t bytes, offset, reference;
	uint32_t index;
	int32_t tid, cpu;
};

struct tool_auxtrace_error {
	uint32_t kind, code;
	int32_t cpu, pid, tid;
	uint32_t format; /* 0: no time; 2: of a guest */
	uint64_t ip, time_ns;
	struct tool_text message;
	uint32_t machine_pid, vcpu;
};

struct tool_thread {
	int64_t pid; /* in fact a thread's; -1: any */
	struct tool_text comm;
};

struct tool_thread_map {
	uint64_t count; /* tool_thread_map__at() */
	const uint8_t *entries;
};

/* A set of CPUs, in whichever encoding: tool_cpus__next(). */
struct tool_cpus {
	enum { TOOL_CPUS_LIST, TOOL_CPUS_MASK, TOOL_CPUS_RANGE } encoding;
	bool swapped;
	bool any;		   /* RANGE: has -1, "any CPU", too */
	uint8_t word_bytes;	   /* MASK: 4 or 8 */
	uint32_t first, past_last; /* RANGE */
	uint32_t places;	   /* LIST: entries; MASK: bits */
	const uint8_t *data;
};

struct tool_stat_config {
	uint64_t count; /* of pairs of words, tag and value: tool_record__word() */
	const uint8_t *pairs;
};

struct tool_stat {
	uint64_t id;
	int32_t cpu;
	uint32_t thread;
	uint64_t value, time_enabled_ns, time_running_ns;
};

struct tool_stat_round {
	uint64_t kind; /* 0: of an interval, 1: the last */
	uint64_t time_ns;
};

enum tool_update { TOOL_UPDATE_UNIT, TOOL_UPDATE_SCALE, TOOL_UPDATE_NAME, TOOL_UPDATE_CPUS };

/* Something more about the event that has the counter `id`. */
struct tool_event_update {
	uint64_t kind; /* enum tool_update, or one that this version does not know */
	uint64_t id;
	struct tool_text text; /* UNIT, NAME */
	double scale;	       /* SCALE */
	struct tool_cpus cpus; /* CPUS */
};

/* How perf's clock comes from the CPU's: perf_event_mmap_page in the kernel's headers. */
struct tool_time_conv {
	uint64_t shift, mult, zero;
	bool has_cycles;       /* the next ones are there */
	uint64_t cycles, mask; /* if short_cycles */
	bool zero_valid, short_cycles;
};

struct tool_feature {
	uint64_t id;
	const uint8_t *data; /* what the feature's section has in a file: perf_features__walk() */
	size_t bytes;
	bool end; /* no feature, but the mark behind the last one */
};

struct tool_compressed {
	const uint8_t *data;
	size_t bytes;
};

struct tool_metadata_entry {
	struct tool_text key, value;
};

struct tool_bpf_metadata {
	struct tool_text program;
	uint64_t count; /* tool_bpf_metadata__at() */
	const uint8_t *entries;
};

/* SCHEDSTAT_CPU and, with a domain, SCHEDSTAT_DOMAIN */
struct tool_schedstat {
	uint64_t timestamp;
	uint32_t cpu;
	uint16_t version, domain;
	const uint8_t *counters; /* as the version has them */
	size_t bytes;
};

struct tool_record {
	uint32_t type; /* enum tool_record_type, or one that this version does not know */
	uint16_t misc;
	bool swapped;
	bool fixed;	     /* what each record of the type has is there: the union is set */
	const uint8_t *body; /* behind the header */
	size_t bytes;
	union {
		struct tool_event_type event_type;
		struct tool_tracing_data tracing_data;
		struct tool_build_id build_id;
		struct tool_id_index id_index;
		struct tool_auxtrace_info auxtrace_info;
		struct tool_auxtrace auxtrace;
		struct tool_auxtrace_error auxtrace_error;
		struct tool_thread_map thread_map;
		struct tool_cpus cpu_map;
		struct tool_stat_config stat_config;
		struct tool_stat stat;
		struct tool_stat_round stat_round;
		struct tool_event_update event_update;
		struct tool_time_conv time_conv;
		struct tool_feature feature;
		struct tool_compressed compressed; /* COMPRESSED, COMPRESSED2 */
		struct tool_bpf_metadata bpf_metadata;
		struct tool_schedstat schedstat;
	};
};

/*
 * Decodes the record at `bytes`, which has `size` bytes with its header: what follows a
 * TRACING_DATA or an AUXTRACE is not part of it.  0, also for types that are unknown
 * (tool_record__name() is NULL then) and for HEADER_ATTR, of which nothing is decoded here; or
 * -EBADMSG and in *why the reason in words, and what is whole is there all the same, if rec->fixed
 * is set: counts are of whole entries.
 */
int tool_record__decode(const void *bytes, size_t size, bool swapped, struct tool_record *rec,
			const char **why);

/* What perf script -D has behind "PERF_RECORD_", such as "ID_INDEX"; NULL: unknown. */
const char *tool_record__name(uint32_t type);

/* Index below the count of the record's own array. */
struct tool_id_entry tool_id_index__at(const struct tool_record *rec, uint64_t index);
struct tool_thread tool_thread_map__at(const struct tool_record *rec, uint64_t index);
struct tool_metadata_entry tool_bpf_metadata__at(const struct tool_record *rec, uint64_t index);

/* Word `index` of auxtrace_info.priv or stat_config.pairs. */
uint64_t tool_record__word(const struct tool_record *rec, const uint8_t *words, uint64_t index);

/*
 * The next CPU of a set, from *place on, which is 0 at first: true, and *cpu and *place are set.
 * CPU -1 stands for any.
 */
bool tool_cpus__next(const struct tool_cpus *cpus, uint32_t *place, int32_t *cpu);

/*
 * A build id's record without its header: in the feature of this name as well.  old: as written
 * before Linux 2.6.35, without a pid.  0 or -EBADMSG.
 */
int tool_build_id__read(const uint8_t *body, size_t bytes, uint16_t misc, bool swapped, bool old,
			struct tool_build_id *build_id);

#endif /* TOOL_RECORD_H */

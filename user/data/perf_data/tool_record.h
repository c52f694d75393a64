/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * perf_data/tool_record.h: the records that perf itself writes into a perf.data: types from 64 on.
 *
 *	struct tool_record rec;
 *	struct tool_feature feature;
 *
 *	if (tool_record__parse(bytes, size, swapped, &rec))
 *		complain();
 *	if (rec.type == TOOL_FEATURE && !tool_record__feature(&rec, &feature))
 *		use(feature.id, feature.data, feature.bytes);
 *
 * Pure: nothing is copied, and pointers into the bytes live as long as the bytes.  Only records
 * that the library acts on have a struct.
 */
#ifndef PEAT_PERF_DATA_TOOL_RECORD_H
#define PEAT_PERF_DATA_TOOL_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/tool_names.h"

enum tool_record_type {
	TOOL_HEADER_ATTR = 64,
	TOOL_EVENT_TYPE = 65,
	TOOL_TRACING_DATA = 66, /* u32: so many more bytes follow the record */
	TOOL_BUILD_ID = 67,
	TOOL_FINISHED_ROUND = 68,
	TOOL_ID_INDEX = 69,
	TOOL_AUXTRACE_INFO = 70,
	TOOL_AUXTRACE = 71, /* u64: so many more bytes follow the record */
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

struct tool_record {
	uint32_t type; /* enum tool_record_type, or a type unknown to this version */
	uint16_t misc;
	bool swapped;
	const uint8_t *body; /* after the header */
	size_t bytes;	     /* of the body */
};

/*
 * Parses the header of the record at `bytes`, which has `size` bytes with its header; bytes that
 * follow a TRACING_DATA or an AUXTRACE are not part of it.  0; -EBADMSG: shorter than a header.
 */
int tool_record__parse(const void *bytes, size_t size, bool swapped, struct tool_record *rec);

/* The reason why a record cannot be decoded, if one of these functions returns -EBADMSG. */
#define TOOL_RECORD_TOO_SHORT "the record is too short for its type"

struct tool_feature {
	uint64_t id;
	const uint8_t *data; /* the bytes that a file has in the feature's section */
	size_t bytes;
	bool end; /* no feature, but the mark after the last feature */
};

int tool_record__feature(const struct tool_record *rec, struct tool_feature *feature);

enum tool_update { TOOL_UPDATE_UNIT, TOOL_UPDATE_SCALE, TOOL_UPDATE_NAME, TOOL_UPDATE_CPUS };

/* Adds something to the event that has the counter `id`. */
struct tool_event_update {
	uint64_t kind; /* enum tool_update, or a kind unknown to this version */
	uint64_t id;
	const char *data; /* UNIT, NAME: text, with or without NULs after it */
	size_t bytes;
};

int tool_record__event_update(const struct tool_record *rec, struct tool_event_update *update);

/* A record BUILD_ID, or an entry of the feature of this name. */
struct tool_build_id {
	int32_t pid; /* -1: the kernel's */
	const uint8_t *id;
	uint8_t id_bytes;
	const char *filename;
	size_t filename_bytes; /* without the NULs after it */
};

/*
 * Decodes the body of a record.  old: written before Linux 2.6.35, without a pid.  0 or -EBADMSG.
 */
int tool_record__build_id(const struct tool_record *rec, bool old, struct tool_build_id *build_id);

struct cursor;

/*
 * The feature BUILD_ID, entry by entry: the cursor is at an entry and moves to the next.  NULL, or
 * the reason why it is damaged.  Of the first entry, whether Linux 2.6.34 or before wrote them all.
 */
const char *tool_record__next_build_id(struct cursor *cur, bool old,
				       struct tool_build_id *build_id);
bool tool_record__build_ids_are_old(const struct cursor *cur);

/* An entry of an ID_INDEX. */
struct tool_id_entry {
	uint64_t id, index; /* of the counter; of its event */
	int64_t cpu, tid;   /* -1: any */
};

#endif /* PEAT_PERF_DATA_TOOL_RECORD_H */

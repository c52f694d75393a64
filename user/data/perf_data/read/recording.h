/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* perf_data/read/recording.h: a perf.data that is read; the log reports its first damage. */
#ifndef PEAT_PERF_DATA_READ_RECORDING_H
#define PEAT_PERF_DATA_READ_RECORDING_H

#include "perf_data/features.h"
#include "perf_data/read/file.h"

struct perf_recording {
	const char *path; /* "-": standard input */
	struct perf_file *file;
	struct perf_features features;
	struct perf_end end; /* the first damage, already logged */
};

/* 0 or a negative errno, which is logged.  The path must outlive `rec`. */
int perf_recording__open(struct perf_recording *rec, const char *path);

/* All zero: does nothing. */
void perf_recording__close(struct perf_recording *rec);

/* Logs that the recording cannot be read: `why`, or if NULL the errno.  Returns err. */
int perf_recording__log_error(const struct perf_recording *rec, int err, const char *why);

/* Logs and keeps *end if it is the first damage: later damage may result from it. */
void perf_recording__report_end(struct perf_recording *rec, const struct perf_end *end);

/* Likewise with perf_file__end(); after the last record. */
void perf_recording__report_file_end(struct perf_recording *rec);

/* "whole", "cut", "damaged" */
const char *perf_recording__end_name(enum perf_end_how how);

/* The damage of a feature section that cannot be read. */
struct perf_end perf_recording__unread_end(const struct perf_recording *rec,
					   const struct perf_feature *feature);

/*
 * Decodes a TOOL_FEATURE record.  1; 0: the mark after the last feature, or a damaged record, with
 * the damage in *end.
 */
int perf_recording__decode_feature(const struct perf_recording *rec, const struct perf_entry *entry,
				   struct perf_feature *feature, struct perf_end *end);

/*
 * Adds the events' names from EVENT_DESC or TRACING_DATA, a section or a record; ignores other
 * features.  0 or a negative errno, logged.  If an EVENT_DESC is damaged, sets *end, else leaves
 * it.
 */
int perf_recording__add_names(struct perf_recording *rec, const struct perf_feature *feature,
			      struct perf_end *end);

#endif /* PEAT_PERF_DATA_READ_RECORDING_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* perf_recording.h: a perf.data that is being read, and what is wrong with it: said once, by the
 * log. */
#ifndef PERF_RECORDING_H
#define PERF_RECORDING_H

#include "perf_data/describe/features.h"
#include "perf_data/read/file.h"

struct perf_recording {
	const char *path; /* "-": standard input */
	struct perf_file *file;
	struct perf_features features;
	struct perf_end end; /* the first trouble, which the log has told */
};

/* 0 or a negative errno, which the log explains.  The path has to outlive it. */
int perf_recording__open(struct perf_recording *rec, const char *path);

/* Takes one of zeroes, too. */
void perf_recording__close(struct perf_recording *rec);

/* The log says what cannot be read: `why`, or errno.  Returns err. */
int perf_recording__explain(const struct perf_recording *rec, int err, const char *why);

/* The first trouble is told, as what follows may come of it; if there is any. */
void perf_recording__note(struct perf_recording *rec, const struct perf_end *end);

/* Once there are no more records: how it ended. */
void perf_recording__note_end(struct perf_recording *rec);

/* "whole", "cut", "damaged" */
const char *perf_recording__end_name(enum perf_end_how how);

/* What is to be noted of a section of the header that cannot be read. */
struct perf_end perf_recording__unread(const struct perf_recording *rec,
				       const struct perf_feature *feature);

/*
 * A feature that is a record, TOOL_FEATURE: 1.  0: it is the mark behind the last one, or damaged,
 * which *end says.
 */
int perf_recording__take_feature(const struct perf_recording *rec, const struct perf_entry *entry,
				 struct perf_feature *feature, struct perf_end *end);

/*
 * Takes the events' names from EVENT_DESC, section or record, of which feature->bytes are there.  0
 * or a negative errno, explained; what is wrong with it goes to *end, which stays as it is
 * otherwise.
 */
int perf_recording__learn_names(struct perf_recording *rec, const struct perf_feature *feature,
				struct perf_end *end);

#endif /* PERF_RECORDING_H */

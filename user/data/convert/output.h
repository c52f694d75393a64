/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * convert/output.h: the recording that a rewrite writes.
 *
 *	err = convert_output__open(&output, fd, swapped, level);
 *	for each feature:
 *		err = convert_output__feature(&output, &feature);
 *	convert_output__retype(), if events are given types
 *	for each record that does not describe the file itself:
 *		err = convert_output__record(&output, attrs, &entry);
 *	err = convert_output__close(&output, attrs);
 *	convert_output__free(&output);
 *
 * The first record writes the header.
 */
#ifndef PEAT_CONVERT_OUTPUT_H
#define PEAT_CONVERT_OUTPUT_H

#include "perf_data/write/deflate.h"
#include "perf_data/read/file.h"
#include "perf_data/write/writer.h"
#include "convert/retype_events.h"
#include "convert/topology_check.h"

struct convert_output {
	struct perf_writer *writer;
	struct retype_events retype; /* events that get a type */
	bool begun;
	bool is_named;		      /* HOSTNAME is there */
	bool has_formats;	      /* TRACING_DATA is there */
	uint32_t placeholder_formats; /* written instead of TRACING_DATA */
	uint32_t events;	      /* written so far */
	uint64_t rounds;	      /* FINISHED_ROUNDs to be written before the next record */
	uint64_t auxtraces;	      /* entries of `places` */
	struct strbuf places;	      /* u64 offset, u64 size of each AUXTRACE record */
	uint64_t features[4];	      /* bitmap of features that were left out */
	struct topology_check topology;
	bool leaves_topology_out;

	/* With compression. */
	int level;
	struct deflate *deflate;
	struct strbuf plain; /* records to be compressed */
	uint64_t plain_bytes, deflated_bytes;

	/* Left out. */
	uint64_t unknown;		  /* records of unknown types */
	uint64_t payloads, payload_bytes; /* AUXTRACE records with too large payloads */
};

/* Takes ownership of the fd, also on failure.  0 or a negative errno. */
int convert_output__open(struct convert_output *output, int fd, bool swapped, int level);

/*
 * Makes tracepoints of the events that are given a type.  Call it before the first record, with all
 * features and events known.  0 or a negative errno, which is logged.
 */
int convert_output__retype(struct convert_output *output, const struct retype_source *source);

/* Writes nothing if the feature's bytes are NULL. */
int convert_output__feature(struct convert_output *output, const struct perf_feature *feature);

/* Also writes the events added to `attrs` since the last call. */
int convert_output__record(struct convert_output *output, struct perf_attrs *attrs,
			   const struct perf_entry *entry);

/* Writes a FINISHED_ROUND before the next record.  At the end of the file there are at least two.
 */
void convert_output__round(struct convert_output *output);

/* Completes the file, even if no record was written. */
int convert_output__close(struct convert_output *output, struct perf_attrs *attrs);

/* Logs what was left out. */
void convert_output__report(const struct convert_output *output, const char *path);

void convert_output__free(struct convert_output *output); /* all zero is allowed */

#endif /* PEAT_CONVERT_OUTPUT_H */

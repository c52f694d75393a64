/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * rewritten.h: the recording that a rewrite makes: what of another one goes where, and what cannot.
 *
 *	err = rewritten__open(&result, fd, swapped, level);
 *	for each feature:
 *		err = rewritten__feature(&result, &feature);
 *	...rewritten__retype(), if somebody says of events what they are
 *	for each record that is not about the shape of the file:
 *		err = rewritten__record(&result, attrs, &entry); // the first one begins the file
 *	err = rewritten__close(&result, attrs);
 *	rewritten__free(&result);
 */
#ifndef REWRITTEN_H
#define REWRITTEN_H

#include "perf_data/write/deflate.h"
#include "perf_data/read/file.h"
#include "perf_data/write/writer.h"
#include "convert/retype_events.h"

struct rewritten {
	struct perf_writer *writer;
	struct retyped retyped; /* events that are another than they were */
	bool begun;
	bool is_named;	       /* HOSTNAME is there */
	bool has_formats;      /* TRACING_DATA is there */
	uint32_t lost_formats; /* made in its place */
	uint32_t events;       /* so many are written */
	uint64_t rounds;       /* marks that wait for the next record */
	uint64_t auxtraces;    /* whose places are in */
	struct out places;     /* u64 offset, u64 size of each */
	uint64_t features[4];  /* left out, by bits */

	/* Of a compressed one. */
	int level;
	struct deflate *deflate;
	struct out plain; /* records that wait */
	uint64_t plain_bytes, deflated_bytes;

	/* Left out. */
	uint64_t unknown;		  /* records */
	uint64_t payloads, payload_bytes; /* and the AUXTRACE in front */
};

/* Owns the fd, whatever comes of it.  0 or a negative errno. */
int rewritten__open(struct rewritten *result, int fd, bool swapped, int level);

/*
 * In front of the first record, and with all features and events that there are: those that are of
 * a type become tracepoints.  0 or a negative errno, which the log explains.
 */
int rewritten__retype(struct rewritten *result, const struct retyped_of *of);

/* Takes NULL bytes: nothing is written then. */
int rewritten__feature(struct rewritten *result, const struct perf_feature *feature);

/* With the events that are known by now. */
int rewritten__record(struct rewritten *result, struct perf_attrs *attrs,
		      const struct perf_entry *entry);

/* A mark; those at the end are as many as they were, but two at least. */
void rewritten__round(struct rewritten *result);

/* Also of what has no records. */
int rewritten__close(struct rewritten *result, struct perf_attrs *attrs);

/* The log says what was left out. */
void rewritten__tell(const struct rewritten *result, const char *path);

void rewritten__free(struct rewritten *result); /* one of zeroes, too */

#endif /* REWRITTEN_H */

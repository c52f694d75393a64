/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * perf_data/read/file.h: reads the events, features and records of a perf.data of any kind.
 *
 *	perf_source ──▶ perf_stream ──▶ perf_file ──▶ struct perf_entry ──▶ peat_record__decode()
 *	    bytes     whole records,      the event of
 *	              inflated ones too   each record
 *
 * It reads files, pipes and directories (perf record --threads) of either version and byte order.
 * Files of writers that crashed, and truncated files, are read up to their last whole record:
 *
 *	struct perf_file *file;
 *	struct perf_entry entry;
 *	const char *why;
 *	int ret = perf_file__open(&file, path, &why);
 *
 *	if (ret)
 *		return refuse(path, ret, why);
 *	while ((ret = perf_file__next(file, &entry)) > 0)
 *		if (entry.layout)
 *			peat_record__decode(entry.layout, entry.bytes, entry.size, &rec);
 *		else
 *			use(entry.type, entry.bytes, entry.size); // of perf, or of no known event
 *	if (!ret && perf_file__end(file)->how != PERF_END_WHOLE)
 *		report(perf_file__end(file));
 *	perf_file__close(file);
 *
 * The file is not trusted.  Memory is bounded whatever it contains: a window and a zstd stream for
 * each file that is being read, the events (PERF_ATTRS_MAX, PERF_IDS_MAX), and one payload or
 * feature at a time (PERF_PAYLOAD_MAX, PERF_FEATURE_MAX).
 */
#ifndef PEAT_PERF_DATA_READ_FILE_H
#define PEAT_PERF_DATA_READ_FILE_H

#include "perf_data/attrs.h"
#include "perf_data/read/stream.h"

struct perf_file;

enum perf_file_mode {
	PERF_FILE_SECTIONS, /* events, data and features at offsets given by the header */
	PERF_FILE_PIPE,	    /* everything is in records; may be a regular file, too */
	PERF_FILE_DIRECTORY /* sections, and more records in other files */
};

struct perf_file_info {
	enum perf_file_mode mode;
	int version;	      /* 1: PERFFILE, 2: PERFILE2 */
	bool swapped;	      /* written by a machine of the other byte order */
	bool crashed;	      /* its writer never wrote the size of the data */
	uint64_t data_offset; /* of the first record */
	uint64_t data_bytes;  /* UINT64_MAX: up to the end */
	int64_t changed_ns;   /* when the file was written last, since 1970; 0: no file */
	uint64_t features[4]; /* bit n % 64 of word n / 64: the header has feature n */
};

/*
 * Opens a file, a directory, or for "-" standard input.  0 or a negative errno.  *why is the reason
 * if errno is not enough, else NULL.  -EBADMSG: it is no perf.data, or its header contradicts
 * itself.
 *
 * A truncated file that begins with the magic of a perf.data is opened: it has few records or none,
 * and perf_file__end() reports that.
 */
int perf_file__open(struct perf_file **file, const char *path, const char **why);

/*
 * The same for an fd that was opened for reading, and for memory, which is read like a file if
 * `seekable`, else like a pipe.  The caller still owns both.
 */
int perf_file__open_fd(struct perf_file **file, int fd, const char **why);
int perf_file__open_memory(struct perf_file **file, const void *bytes, size_t count, bool seekable,
			   const char **why);
void perf_file__close(struct perf_file *file); /* takes NULL */

const struct perf_file_info *perf_file__info(const struct perf_file *file);

/*
 * The bytes that records were read from so far, and those of all files together; *all is 0 if it is
 * unknown, as in a pipe.  A file that grows may have more.
 */
void perf_file__position(const struct perf_file *file, uint64_t *done, uint64_t *all);

/* Call before reading records: returns the payloads of AUXTRACE too, see struct perf_entry. */
void perf_file__keep_payloads(struct perf_file *file);

/* ---- records --------------------------------------------------------------------------------- */

/*
 * The next record: first those of the file, then those of each further file of a directory.  1; 0:
 * no more records, see perf_file__end(); a negative errno: reading failed, or no memory.
 *
 * A compressed record is returned, and after it the records inside it, marked `inflated`: a caller
 * that sums up bytes or types has to choose which to count.  HEADER_ATTR, EVENT_UPDATE and
 * HEADER_EVENT_TYPE are returned, too, after perf_file__attrs() was updated.
 */
int perf_file__next(struct perf_file *file, struct perf_entry *entry);

/*
 * The recordings that were read, with that of the last record.  In a pipe, or a file of a pipe's
 * bytes, a recording may follow another: ids, events and the compressed stream begin anew, see
 * perf_attrs__merge().
 */
uint32_t perf_file__recordings(const struct perf_file *file);

/*
 * Whether perf_file__next() would block until the writer of a pipe writes; and the fd to poll for
 * input.  -1: it never blocks.
 */
bool perf_file__would_wait(struct perf_file *file);
int perf_file__fd(const struct perf_file *file);

/*
 * How the file ended, after perf_file__next() returned 0: the first problem if there were several.
 * A file that lacks a part of its header may still have records.
 */
const struct perf_end *perf_file__end(const struct perf_file *file);

/*
 * The files of a directory, for a caller that reads them in parallel and merges them by time.
 * Number 0 is the file with the header, and the only file if it is no directory.  Do not mix with
 * perf_file__next().  Each file has a window and an fd of its own from its first record to its
 * last.
 */
uint32_t perf_file__streams(const struct perf_file *file);
const char *perf_file__stream_name(const struct perf_file *file, uint32_t stream); /* "data.3" */
int perf_file__next_of(struct perf_file *file, uint32_t stream, struct perf_entry *entry);

/* ---- events ---------------------------------------------------------------------------------- */

/*
 * The events.  In a pipe they are among the records, before their samples: call again after each
 * record.  Callers may add names and ids from elsewhere, such as the feature EVENT_DESC; see
 * perf_data/attrs.h.
 */
struct perf_attrs *perf_file__attrs(struct perf_file *file);

/* ---- features -------------------------------------------------------------------------------- */

#define PERF_FEATURE_MAX (32U << 20)

struct perf_feature {
	unsigned bit;	      /* HEADER_*: 1 is TRACING_DATA */
	uint64_t offset;      /* in the file */
	uint64_t bytes_count; /* according to the header */
	const uint8_t *bytes; /* valid until the next call; NULL: see why */
	const char *why;      /* truncated, too large, or already passed in a pipe; or NULL */
	bool out_of_reach;    /* already passed in a pipe: the file itself may have the feature */
};

/*
 * The next feature after feature->bit, in ascending order; begin with a zeroed struct.  1; 0: no
 * more; or a negative errno.  For a file at any time, otherwise best before the records are read.
 * In PERF_FILE_PIPE the features are HEADER_FEATURE records instead.
 */
int perf_file__next_feature(struct perf_file *file, struct perf_feature *feature);

#endif /* PEAT_PERF_DATA_READ_FILE_H */

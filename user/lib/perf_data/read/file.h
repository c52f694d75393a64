/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * perf_file.h: a perf.data of any kind, as its events, its features and its records.
 *
 *	perf_source ──▶ perf_stream ──▶ perf_file ──▶ struct perf_entry ──▶ peat_record__decode()
 *	    bytes     whole records,      whose they are
 *	              inflated ones too
 *
 * It reads files, pipes and directories (perf record --threads), of either version and byte order,
 * of writers that crashed, and cut ones up to their last whole record:
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
 *			of_perf(entry.type, entry.bytes, entry.size); // or a sample of nobody's
 *	if (!ret && perf_file__end(file)->how != PERF_END_WHOLE)
 *		tell(perf_file__end(file));
 *	perf_file__close(file);
 *
 * Nothing that the file says is believed, and memory is bounded whatever it says: a window and a
 * zstd stream for each file that is being read, what is known of the events (PERF_ATTRS_MAX,
 * PERF_IDS_MAX), and one payload or feature at a time (PERF_PAYLOAD_HELD_MAX, PERF_FEATURE_MAX).
 */
#ifndef PERF_FILE_H
#define PERF_FILE_H

#include "perf_data/attrs.h"
#include "perf_data/read/stream.h"

struct perf_file;

enum perf_file_mode {
	PERF_FILE_SECTIONS, /* events, data and features where the header says */
	PERF_FILE_PIPE,	    /* everything is records, though it may be in a file */
	PERF_FILE_DIRECTORY /* sections, and more records in files beside */
};

struct perf_file_info {
	enum perf_file_mode mode;
	int version;	      /* 1: PERFFILE, 2: PERFILE2 */
	bool swapped;	      /* written by a machine of the other byte order */
	bool crashed;	      /* its writer never wrote how much data there are */
	uint64_t data_offset; /* of the first record */
	uint64_t data_bytes;  /* UINT64_MAX: as many as come */
	uint64_t features[4]; /* bit n % 64 of word n / 64: the header has feature n */
};

/*
 * Opens a file, a directory, or for "-" standard input.  0 or a negative errno, with the reason in
 * *why where errno alone does not tell it, else NULL.  -EBADMSG: it is no perf.data, or one whose
 * header contradicts itself.
 *
 * What has a perf.data's magic and ends too early is opened: it has few records, or none, and
 * perf_file__end() says so.
 */
int perf_file__open(struct perf_file **file, const char *path, const char **why);

/* The same of an fd that was opened for reading, and of memory, which looks like a file or a pipe;
 * both remain the caller's. */
int perf_file__open_fd(struct perf_file **file, int fd, const char **why);
int perf_file__open_memory(struct perf_file **file, const void *bytes, size_t count, bool seekable,
			   const char **why);
void perf_file__close(struct perf_file *file); /* takes NULL */

const struct perf_file_info *perf_file__info(const struct perf_file *file);

/* In front of the records: what follows AUXTRACE is handed out as well, see struct perf_entry. */
void perf_file__hold_payloads(struct perf_file *file);

/* ---- records --------------------------------------------------------------------------------- */

/*
 * The next record: those of the file, then those of each further file of a directory.  1; 0: there
 * are no more, see perf_file__end(); or a negative errno: something could not be read, or no
 * memory.
 *
 * Compressed records are handed out, and then what came out of them, marked `inflated`: whoever
 * sums up bytes or types decides what to count.  HEADER_ATTR, EVENT_UPDATE and HEADER_EVENT_TYPE
 * are handed out, too, but their work is done then: the event is among perf_file__attr().
 */
int perf_file__next(struct perf_file *file, struct perf_entry *entry);

/*
 * Whether perf_file__next() would have to wait for a pipe's writer, and the fd that is readable
 * when it need not; -1: it never has to.
 */
bool perf_file__would_wait(struct perf_file *file);
int perf_file__fd(const struct perf_file *file);

/*
 * How it ended, once perf_file__next() returned 0: of several troubles the first.  A file that has
 * lost a part of its header may hand out records all the same.
 */
const struct perf_end *perf_file__end(const struct perf_file *file);

/*
 * A directory's files, to be read side by side and merged by time: number 0 is the one that has the
 * header, and the only one of what is no directory.  Do not mix with perf_file__next().  Each has a
 * window and an fd of its own from its first record to its last.
 */
uint32_t perf_file__streams(const struct perf_file *file);
const char *perf_file__stream_name(const struct perf_file *file, uint32_t stream); /* "data.3" */
int perf_file__next_of(struct perf_file *file, uint32_t stream, struct perf_entry *entry);

/* ---- events ---------------------------------------------------------------------------------- */

/*
 * In a pipe events come with the records, in front of their samples: ask again.  Names and ids may
 * be added by whoever knows them from elsewhere, such as the feature EVENT_DESC; see perf_attrs.h.
 */
struct perf_attrs *perf_file__attrs(struct perf_file *file);

/* ---- features -------------------------------------------------------------------------------- */

#define PERF_FEATURE_MAX (32U << 20)

struct perf_feature {
	unsigned bit;	      /* HEADER_*: 1 is TRACING_DATA */
	uint64_t offset;      /* in the file */
	uint64_t bytes_count; /* as the header says */
	const uint8_t *bytes; /* that many, until the next call; NULL: see why */
	const char *why;   /* it is cut off, too large to be held, behind us in a pipe; or NULL */
	bool out_of_reach; /* the last of these: the file itself may have it */
};

/*
 * The feature behind feature->bit, by bit: begin with one that is all zeroes.  1; 0: there are no
 * more; or a negative errno.  Best called before the records are read, at any time for a file.
 * Those of PERF_FILE_PIPE are records, HEADER_FEATURE, instead.
 */
int perf_file__next_feature(struct perf_file *file, struct perf_feature *feature);

#endif /* PERF_FILE_H */

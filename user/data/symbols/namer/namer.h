/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/namer/namer.h: reads files in children without rights: whoever owns a file cannot crash,
 * block or fill this process by what is in it.
 *
 * One child reads files of root, another one all others, since a child that a file has taken over
 * can lie about the next file.  Source lines have two more, with accounts of their own.  A child
 * that takes too long, or dies, is replaced; its file has no names.
 */
#ifndef PEAT_SYMBOLS_NAMER_NAMER_H
#define PEAT_SYMBOLS_NAMER_NAMER_H

#include "symbols/debug/debug_places.h"
#include "symbols/elf/namer_memory.h"
#include "symbols/namer/namer_message.h"

struct namer;

/* `program`: peat_symbols_opts.namer.  The children start when they are needed.  NULL: no memory.
 */
struct namer *namer__new(const char *program);
void namer__free(struct namer *namer); /* accepts NULL */

/*
 * Kills the children, without waiting for their end: namer__free() does.  Their memory is freed
 * meanwhile.
 */
void namer__kill(const struct namer *namer); /* accepts NULL */

/*
 * Starts a child that reads symbols now, so that it is ready when it is needed, and the other one
 * with the first file.  Does not wait, and does so once.
 */
void namer__start(struct namer *namer);

/* The time that a call may take, if the file is not one of root. */
enum namer_patience {
	NAMER_WAIT,    /* as long as the limits of the file allow */
	NAMER_SHORTLY, /* wait_ms, and five times that of each second for all files */
	NAMER_NOW
};

struct namer_request {
	int fd; /* stays the caller's */
	enum namer_part part;
	enum namer_patience patience;
	uint32_t wait_ms;
	bool is_of_root; /* nobody else can have written it */
	bool no_demangle;
	struct build_id build_id; /* if it is known */
	/* NAMER_LINES: at most LINE_ADDRESSES_MAX; and whether -EXDEV is wanted. */
	const uint64_t *addresses;
	uint32_t addresses_count;
	bool may_name_files;
	/* The file's status and path, and the places of its debug file; `places` NULL: none. */
	struct debug_search search;
};

/* A part of a file: bytes that nobody can change. */
struct namer_result {
	struct build_id build_id;   /* NAMER_BUILD_ID */
	struct namer_memory memory; /* other parts */
};

/*
 * Reads a part of a file.
 *
 *	0		and a result, whose memory is the caller's
 *	-ENOEXEC	no ELF file
 *	-ENODATA	the file does not have it, or -ENOENT: nor has it a debug file
 *	-ENOMEM, -EFBIG	more memory than a child or a table may have
 *	-ETIMEDOUT	it takes too long
 *	-EPIPE		the child died
 *	-EXDEV		DWARF names other files
 *	-EBUSY		files of this owner have used up their time, for a minute
 *	-EAGAIN		it is not read yet, or another file is: ask again
 *	-EPROTO, ...	a child cannot be started
 */
int namer__read(struct namer *namer, const struct namer_request *request,
		struct namer_result *result);

/*
 * From now on, all calls together wait `ms` milliseconds at most for files that root does not own,
 * and 20 times as long for those of root.  Ends a call that waits.  Signal handlers may call it.
 */
void namer__hurry(struct namer *namer, uint32_t ms);

/* The result was invalid: its child is not used any more. */
void namer__distrust(struct namer *namer, const struct namer_request *request);

#endif /* PEAT_SYMBOLS_NAMER_NAMER_H */

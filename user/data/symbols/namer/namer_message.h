/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * symbols/namer/namer_message.h: the messages between a process and its namer, a child without
 * rights that reads files: one struct in a socket, with file descriptors.
 *
 *	process				namer
 *					HELLO		ready, without rights
 *	READ		a file, and those that are likely its debug file
 *					WANT_DEBUG	which debug file, perhaps
 *	DEBUG		files that may be it
 *					DONE		a sealed memory file, or an error
 *
 * The process believes nothing of what the namer sends.
 */
#ifndef PEAT_SYMBOLS_NAMER_NAMER_MESSAGE_H
#define PEAT_SYMBOLS_NAMER_NAMER_MESSAGE_H

#include <stdint.h>

#include "symbols/debug/debug_wanted.h"
#include "symbols/namer/flat_lines.h"

#define NAMER_FDS_MAX (1 + DEBUG_FILES_MAX)

enum namer_kind { NAMER_HELLO = 1, NAMER_READ, NAMER_WANT_DEBUG, NAMER_DEBUG, NAMER_DONE };

enum namer_part {
	NAMER_BUILD_ID, /* in the message DONE, without a memory file */
	NAMER_SYMBOLS,	/* symbols/namer/flat_symbols.h */
	NAMER_FRAMES,	/* symbols/namer/flat_frames.h */
	NAMER_DEBUG_FRAME,
	NAMER_LINES /* symbols/namer/flat_lines.h */
};

struct namer_message {
	uint32_t magic;	 /* also the version */
	uint32_t serial; /* of READ, and of its answers */
	uint16_t kind;	 /* enum namer_kind */
	uint16_t part;	 /* READ: enum namer_part */
	int32_t err;	 /* DONE: 0 or a negative errno */
	uint32_t no_demangle;
	uint32_t has_servers;	  /* READ: servers may be asked for the debug file */
	uint32_t may_name_files;  /* NAMER_LINES: -EXDEV if DWARF names other files */
	uint32_t addresses_count; /* NAMER_LINES */
	uint64_t addresses[LINE_ADDRESSES_MAX];
	struct build_id build_id;   /* DONE */
	struct debug_wanted wanted; /* WANT_DEBUG; READ: the likely one, whose files are sent */
};

/* Sends a message with `count` file descriptors.  0 or a negative errno. */
int namer_message__send(int socket, struct namer_message *message, const int *fds, uint32_t count);

/*
 * Receives a message, and its file descriptors, which belong to the caller.  0, -EPIPE: the other
 * side is gone, -EPROTO: this is no such message, or another negative errno: -EAGAIN.
 */
int namer_message__receive(int socket, struct namer_message *message, int fds[NAMER_FDS_MAX],
			   uint32_t *count);

#endif /* PEAT_SYMBOLS_NAMER_NAMER_MESSAGE_H */

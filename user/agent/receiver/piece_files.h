/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* receiver/piece_files.h: writes pieces to one file or pipe, or to a file for each host. */
#ifndef PEAT_RECEIVER_PIECE_FILES_H
#define PEAT_RECEIVER_PIECE_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct piece_files;

/*
 * Hosts that have a file of their own, since anybody may name hosts: the pieces of further hosts go
 * to one file, others-TIME.perf.  It is less if the process may not open so many files.
 */
#define PIECE_FILES_MAX 4096

/*
 * `directory`: NULL: all pieces go to `fd`, which stays the caller's.  NULL and errno, with the
 * reason in the log.
 */
struct piece_files *piece_files__new(const char *directory, int fd);

/*
 * Writes a piece.  0 or a negative errno, with the reason in the log, except of EPIPE: the file
 * ends with the piece before.
 */
int piece_files__write(struct piece_files *files, const char *host, const void *bytes,
		       size_t count);

/* All pieces are on disk then, if it is a disk.  0 or a negative errno, as above. */
int piece_files__sync(struct piece_files *files);

/* Accepts NULL. */
void piece_files__free(struct piece_files *files);

#endif /* PEAT_RECEIVER_PIECE_FILES_H */

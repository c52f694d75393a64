/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * session.h: a BPF object, its programs attached, and the reader of its events, as one thing.
 * A convenience: programs with a skeleton and a loop of their own use reader.h alone.
 *
 *	peat_session__new()	loads the object
 *	peat_session__start()	opens the reader, then attaches every program
 *	peat_session__reader()	... wait and next, as in reader.h ...
 *	peat_session__stop()	detaches; what is in the rings can still be read
 *	peat_session__free()
 *
 * One thread for each session.
 */
#ifndef PEAT_SESSION_H
#define PEAT_SESSION_H

#include <peat/common.h>
#include <peat/reader.h>

PEAT_BEGIN_DECLS

struct peat_session;

struct peat_session_opts {
	size_t sz; /* sizeof(struct peat_session_opts) */
	/* A compiled BPF object in memory; 8-byte aligned, needed during peat_session__new() only.
	 */
	const void *object;
	size_t object_bytes;
	/* What messages call it. */
	const char *name;
	/* Only events of this process; 0: of all.  Tested inside the BPF program. */
	uint32_t pid;
	uint32_t reserved;
	/* Only events of tasks of this name (at most 15 bytes); NULL: of all.  Likewise. */
	const char *comm;
};

/*
 * Loads the programs and maps of opts->object; its one perf event array is the one that will be
 * read.  From the first call on, libbpf's messages go where peat_set_print() says: its warnings,
 * the verifier's log among them, as INFO, the others as DEBUG.  NULL and errno, with the reason in
 * the log.
 */
PEAT_API struct peat_session *peat_session__new(const struct peat_session_opts *opts);

/* Opens the reader with `opts` and attaches the programs.  0 or a negative errno; once. */
PEAT_API int peat_session__start(struct peat_session *session, const struct peat_reader_opts *opts);

/* The reader, the session's own, or NULL before peat_session__start(). */
PEAT_API struct peat_reader *peat_session__reader(const struct peat_session *session);

/* Detaches the programs; when it returns no more events will be written. */
PEAT_API void peat_session__stop(struct peat_session *session);

/* Takes NULL, and a session in whatever state. */
PEAT_API void peat_session__free(struct peat_session *session);

PEAT_END_DECLS

#endif /* PEAT_SESSION_H */

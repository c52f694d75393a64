/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * session.h: a BPF object, its programs attached, and the reader of its events, as one thing.
 * A convenience: programs with a skeleton and a loop of their own use channel.h and reader.h.
 *
 *	peat_session__new()	loads the object
 *	peat_session__start()	opens the reader, then attaches every program
 *	peat_session__reader()	... wait and next, as in reader.h ...
 *	peat_session__stop()	detaches; what was emitted can still be read, to the last event
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
	/* Only events of these CPUs, a list such as "0-3,8"; NULL: of all.  Likewise. */
	const char *cpus;
	/* For an object that includes peat.bpf.h; NULL: defaults. */
	const struct peat_channel_opts *channel;
	/* Let the kernel measure what the programs cost: see peat_session__program(). */
	bool measure;
	uint8_t reserved_too[7];
};

/*
 * Loads the programs and maps of opts->object.  One that includes peat.bpf.h gets a channel of its
 * own; of another the one perf event array will be read raw.  From the first call on, libbpf's
 * messages go where peat_set_print() says: its warnings, the verifier's log among them, as INFO,
 * the others as DEBUG.  NULL and errno, with the reason in the log.
 */
PEAT_API struct peat_session *peat_session__new(const struct peat_session_opts *opts);

/* Opens the reader with `opts` and attaches the programs.  0 or a negative errno; once. */
PEAT_API int peat_session__start(struct peat_session *session, const struct peat_reader_opts *opts);

/* The reader, the session's own, or NULL before peat_session__start(). */
PEAT_API struct peat_reader *peat_session__reader(const struct peat_session *session);

/* The channel, the session's own; NULL in raw mode. */
PEAT_API struct peat_channel *peat_session__channel(const struct peat_session *session);

/* What one of the programs has done so far. */
struct peat_program_stats {
	size_t sz;	  /* sizeof(struct peat_program_stats), set by the caller */
	const char *name; /* valid as long as the session */
	uint64_t runs;	  /* 0 unless opts->measure */
	uint64_t run_ns;  /* in all of them */
	uint64_t misses;  /* times the kernel left it out, as it ran on that CPU already */
};

/* 1 and what program `i` has done, counted from 0; 0 behind the last one; or a negative errno. */
PEAT_API int peat_session__program(const struct peat_session *session, uint32_t i,
				   struct peat_program_stats *stats);

/* Detaches the programs; when it returns no more events will be emitted. */
PEAT_API void peat_session__stop(struct peat_session *session);

/* Takes NULL, and a session in whatever state. */
PEAT_API void peat_session__free(struct peat_session *session);

PEAT_END_DECLS

#endif /* PEAT_SESSION_H */

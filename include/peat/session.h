/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * session.h: BPF objects, their programs attached, and the reader of their events, as one thing.
 * A convenience: programs with a skeleton and a loop of their own use channel.h and reader.h.
 *
 *	peat_session__new()	says whose events are wanted
 *	peat_session__add()	one object or several; peat_session__set_number() their options,
 *				peat_session__set_variable() other variables
 *	peat_session__start()	loads the objects, opens the reader, attaches every program
 *	peat_session__wait()	then peat_session__drain(), or peat_reader__next() of its reader
 *	peat_session__stop()	detaches; what was emitted can still be read, to the last event
 *	peat_session__free()
 *
 * One thread for each session.
 */
#ifndef PEAT_SESSION_H
#define PEAT_SESSION_H

#include <peat/common.h>
#include <peat/reader.h>
#include <peat/sink.h>

PEAT_BEGIN_DECLS

struct peat_session;

/* Whose events are wanted is tested inside the BPF programs, before an event is made. */
struct peat_session_opts {
	size_t sz;	  /* sizeof(struct peat_session_opts) */
	uint32_t pid;	  /* only of this process, in the initial pid namespace; 0: of all */
	uint32_t tid;	  /* only of this thread, likewise */
	uint32_t uid;	  /* only of tasks of this user, ... */
	bool by_uid;	  /* ... if this is set: 0 is a user too */
	bool measure;	  /* let the kernel measure the programs' cost: peat_session__program() */
	bool best_effort; /* leave out programs that cannot be loaded or attached, not all */
	uint8_t reserved;
	const char *comm;   /* only of tasks of this name, at most 15 bytes; NULL: of all */
	const char *cpus;   /* only of these CPUs, a list such as "0-3,8"; NULL: of all */
	const char *cgroup; /* only of tasks in this cgroup (v2) or below: a path; NULL: of all */
	const struct peat_channel_opts *channel; /* NULL: defaults */
	/*
	 * The network interfaces whose packets programs of tc and XDP get, "eth0,lo"; NULL: none,
	 * and such programs cannot be attached.  A section "tc/ingress" or "tc/egress" says for
	 * which direction, "tc" is for both.
	 */
	const char *interfaces;
};

/*
 * From the first call on, libbpf's messages go where peat_set_print() says: its warnings, the
 * verifier's log among them, as INFO, the others as DEBUG.  NULL and errno, with the reason in the
 * log, as for all that follow.
 */
PEAT_API struct peat_session *peat_session__new(const struct peat_session_opts *opts);

/*
 * Adds a compiled BPF object: `bytes` of it at `object`, 8-byte aligned and needed during the call
 * only, called `name` in messages; or a file.  All objects that include peat.bpf.h share one
 * channel.  Those that do not are read raw: all their perf event arrays together, over one ring a
 * CPU, at most 32, and no filter is to be had.  The two kinds do not go together.
 */
PEAT_API int peat_session__add(struct peat_session *session, const char *name, const void *object,
			       size_t bytes);
PEAT_API int peat_session__add_file(struct peat_session *session, const char *path);

/*
 * Adds a perf event array that another program made (map.h), to be read raw; several may be added,
 * 32 at most, but no object beside them.  What is read is up to the session's reader_opts.cpus;
 * other filters do not work, as they are those of programs.  When the session ends its slots are
 * left to the kernel, which empties them when all fds of this file are closed, but for
 * BPF_F_PRESERVE_ELEMS: another reader may have filled them since.  map_fd stays the caller's.
 * EEXIST: the session has this map already, perhaps by another fd.
 *
 * The ring of a channel, whose programs include peat.bpf.h, is read as one: its types come from the
 * kernel's BTF of the programs.  It has to be alone, and nobody else may be reading it (EBUSY).
 */
PEAT_API int peat_session__add_map(struct peat_session *session, int map_fd);

/*
 * Has the programs outlive the session: `path`, a directory on a bpf file system, is made when it
 * starts, with `map-NAME` of each perf event array in it, and `link-N` of each program attached.
 * Another reader takes over by peat_map__open() and peat_session__add_map(); removing the directory
 * and all in it ends the programs.
 *
 * The rings are the reader's and go with it, so that peat_session__stop(), and then
 * peat_session__drain(), have all that came before.  What is emitted while there is no reader is
 *
 *   of a channel: staged while slots have room, and delivered to the next reader; or lost_no_ring,
 *       and for a moment lost_ring_full, in the ledger of the next reader.
 *   of others: lost, and only the programs notice, as bpf_perf_event_output() returns -ENOSPC (the
 *       array has BPF_F_PRESERVE_ELEMS).  But a reader may take over before this one ends, which
 *       loses nothing: events go to the one that came last.
 */
PEAT_API int peat_session__pin(struct peat_session *session, const char *path);

/*
 * Sets an option (PEAT_OPTION of peat.bpf.h) of the object added last: a number, which has to fit
 * the variable, or a text.  ENOENT: there is none of this name, ERANGE: too large.
 */
PEAT_API int peat_session__set_number(struct peat_session *session, const char *option,
				      uint64_t value);
PEAT_API int peat_session__set_text(struct peat_session *session, const char *option,
				    const char *value);

/*
 * Sets any other global variable, constant or not, to what the programs find in it when they start:
 * by the type it has, from a text such as "5", "-0x10", "true", the name of an enum's value or
 * several of flags, joined by |; "5ms" for a peat_duration_t and "64K" for a peat_size_t; a char
 * array takes the text itself.  A name may lead on to a member and to an element: "args.pid",
 * "limits[2]".  Of several objects the one that has the variable is meant.  ENOENT: there is none
 * of this name, ERANGE: too large, EINVAL: no such value, a type that cannot be set (a
 * floating-point number, a whole struct), or two objects have it.
 */
PEAT_API int peat_session__set_variable(struct peat_session *session, const char *name,
					const char *text);

/*
 * Says what is written to a perf event array of an object that does not know peat: a struct, a
 * union or a typedef of the object's, by its name.  `map`: the array's name; NULL: there is but
 * one.  What nobody says is found out where it can be: peat_session__array().  ENOENT: there is no
 * such map, EINVAL: there are several.  Whether there is such a type shows at
 * peat_session__start().
 */
PEAT_API int peat_session__name_events(struct peat_session *session, const char *map,
				       const char *type);

/*
 * The programs of this name, of all objects so far, are neither loaded nor attached.  ENOENT: there
 * are none.
 */
PEAT_API int peat_session__leave_out(struct peat_session *session, const char *program);

/*
 * The i-th type of events that the objects have, counted from 0; NULL behind the last.  Those of
 * objects that do not know peat are known after the start.
 */
PEAT_API const struct peat_schema *peat_session__type(const struct peat_session *session,
						      uint32_t i);

/*
 * Loads the objects, opens the reader with `opts` and attaches the programs; once.  NULL: defaults,
 * and the names of tasks are followed.  Without an object opts->kinds alone are read.
 */
PEAT_API int peat_session__start(struct peat_session *session, const struct peat_reader_opts *opts);

/* A perf event array of an object that does not know peat. */
struct peat_array {
	size_t sz;			  /* sizeof(struct peat_array), set by the caller */
	const char *map;		  /* its name; all valid as long as the session */
	const char *source;		  /* the object's name, or file */
	const struct peat_schema *schema; /* what its events are; NULL: not known */
	const char *why; /* in words: "the only struct of 56 bytes that the object defines" */
};

/*
 * After the start: 1 and array `i`, counted from 0, which is peat_event.type of its events; 0
 * behind the last one; or a negative errno.
 */
PEAT_API int peat_session__array(const struct peat_session *session, uint32_t i,
				 struct peat_array *array);

/* The reader, the session's own, or NULL before peat_session__start(). */
PEAT_API struct peat_reader *peat_session__reader(const struct peat_session *session);

/* The channel, the session's own; NULL in raw mode, and before the first object. */
PEAT_API struct peat_channel *peat_session__channel(const struct peat_session *session);

/* peat_reader__wait() of the session's reader. */
PEAT_API int peat_session__wait(struct peat_session *session, int timeout_ms);

/* Hands what is there to `sink` and flushes it: how many PEAT_EVENT_DATA, or the first error. */
PEAT_API int peat_session__drain(struct peat_session *session, struct peat_sink *sink);

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

/*
 * Detaches the programs; when it returns no more events will be emitted.  Those of others, and
 * those that are pinned, go on, but what they emit does not come here any more:
 * peat_reader__pause().
 */
PEAT_API void peat_session__stop(struct peat_session *session);

/* Takes NULL, and a session in whatever state. */
PEAT_API void peat_session__free(struct peat_session *session);

PEAT_END_DECLS

#endif /* PEAT_SESSION_H */

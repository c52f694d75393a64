/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * session/descendants.h: peat_session_opts.ancestor: events of a process and its descendants.
 *
 * A BPF program keeps the set of these processes as long as the session is attached.  Programs that
 * include peat.bpf.h look their tasks up in it; the reader tests all other events.
 */
#ifndef PEAT_SESSION_DESCENDANTS_H
#define PEAT_SESSION_DESCENDANTS_H

#include <stdint.h>

struct part;
struct peat_reader_opts;
struct peat_session;

/*
 * Sets the filter of an object that is not loaded, when its programs are chosen.  Objects with
 * programs for packets get none: packets have no task.  The log warns if the object has others too,
 * or is of older headers, which have no such filter.  0, or a negative errno that the log explains.
 */
int descendants__filter(struct peat_session *session, const struct part *part);

/*
 * Makes the reader of the session test the events that no program has filtered.  0, or a negative
 * errno that the log explains.
 */
int descendants__select(struct peat_session *session, const struct peat_reader_opts *opts);

/* NULL is allowed. */
struct descendants;
void descendants__free(struct descendants *set);

#endif /* PEAT_SESSION_DESCENDANTS_H */

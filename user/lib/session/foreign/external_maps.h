/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* session/foreign/external_maps.h: maps of other programs, and pins that outlive the session. */
#ifndef PEAT_SESSION_FOREIGN_EXTERNAL_MAPS_H
#define PEAT_SESSION_FOREIGN_EXTERNAL_MAPS_H

#include <stdbool.h>

#include <peat/reader.h>

struct bpf_object;
struct peat_session;

/* Whether programs may write to maps of the session after it ends. */
bool external_maps__keep_programs(const struct peat_session *session);

/* The same at the end of a session: false if the directory of its pins was removed. */
bool external_maps__outlive(const struct peat_session *session);

/* Before an object is loaded.  -EINVAL: the session reads maps of other programs; logged. */
int external_maps__prepare(const struct peat_session *session, struct bpf_object *object);

/* Options for the reader: the caller's over the defaults, and those that the maps need. */
int external_maps__reader_opts(const struct peat_session *session,
			       const struct peat_reader_opts *callers,
			       struct peat_reader_opts *opts);

/* Pins all maps and links, or none, if the session has a pin path. */
int external_maps__pin(const struct peat_session *session);

void external_maps__free(struct peat_session *session);

#endif /* PEAT_SESSION_FOREIGN_EXTERNAL_MAPS_H */

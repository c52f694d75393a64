/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* session_maps.h: a session's maps that are others', and what of its own outlives it. */
#ifndef SESSION_MAPS_H
#define SESSION_MAPS_H

#include <stdbool.h>

#include <peat/reader.h>

struct bpf_object;
struct peat_session;

/* Whether programs go on when the session ends. */
bool session_maps__are_kept(const struct peat_session *session);

/* Before an object is loaded.  -EINVAL, which the log explains: it does not go with the maps. */
int session_maps__prepare(const struct peat_session *session, struct bpf_object *object);

/* What the reader is to be opened with: defaults, the caller's options over them, and ours. */
int session_maps__adapt(const struct peat_session *session, const struct peat_reader_opts *callers,
			struct peat_reader_opts *opts);

/* Pins maps and links, all or none, if that is wanted. */
int session_maps__pin(const struct peat_session *session);

void session_maps__free(struct peat_session *session);

#endif /* SESSION_MAPS_H */

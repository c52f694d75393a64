/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * replay/restored_type.h: the type that the events of a tracepoint of peat had before they were
 * recorded.
 *
 *	the struct in the recording's BTF ──▶ schema ──▶ its format ══ the recorded format
 *
 * If both formats have the same fields, payload__restore() makes the events of the payloads.
 */
#ifndef PEAT_REPLAY_RESTORED_TYPE_H
#define PEAT_REPLAY_RESTORED_TYPE_H

#include "replay/recorded_btfs.h"
#include "tracing_data/payload.h"
#include "tracing_data/tracing_data.h"

struct restored_type {
	struct peat_schema *schema; /* owned; NULL: no struct has the fields */
	struct payload_format payload;
};

/*
 * Finds the struct of the tracepoint with this name (without system), id and format.  If maps share
 * a type, events are named MAP_TYPE.  The schema gets the name, which has to live as long.  0, also
 * if there is none, or the recording took too much work; -ENOMEM.
 */
int restored_type__find(struct restored_type *type, struct recorded_btfs *btfs, const char *name,
			uint32_t id, const struct tracing_text *text);

void restored_type__free(struct restored_type *type);

#endif /* PEAT_REPLAY_RESTORED_TYPE_H */

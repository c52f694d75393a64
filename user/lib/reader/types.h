/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* reader/types.h: types of the events that a reader may return, for sinks that need them at the
 * start. */
#ifndef PEAT_READER_TYPES_H
#define PEAT_READER_TYPES_H

#include "event/source.h"

/* The i-th type; false: there are no more.  Lent as long as the reader, the name until the next
 * call. */
bool reader__type(struct peat_reader *reader, uint32_t i, struct reader_type *type);

/*
 * Sets the name of map number `map` of a raw reader, peat_event.map; it has to live as long as the
 * reader.  Without it, the name is the kernel's.  0, or -EINVAL: no such map.
 */
int reader__set_map_name(struct peat_reader *reader, uint32_t map, const char *name);

/* Sets the BTF that the type of map number `map` comes from.  As reader__set_map_name(). */
int reader__set_map_btf(struct peat_reader *reader, uint32_t map, const struct btf *btf);

/* The i-th BTF that types come from, possibly one several times; NULL: there are no more. */
const struct btf *reader__btf(const struct peat_reader *reader, uint32_t i);

/* Whether its events are in memory, so that none is lost if they wait. */
bool reader__is_patient(const struct peat_reader *reader);

/* Whether the reader was made before fork(), by the parent of this process.  NULL: false. */
bool reader__is_inherited(const struct peat_reader *reader);

/* 0, or -ECHILD if it is inherited; logged.  NULL: 0. */
int reader__check_process(const struct peat_reader *reader);

#endif /* PEAT_READER_TYPES_H */

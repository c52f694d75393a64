/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* reader_types.h: which events a reader may hand out, for sinks that have to know beforehand. */
#ifndef READER_TYPES_H
#define READER_TYPES_H

#include <peat/reader.h>

struct btf;

struct reader_type {
	uint32_t type;			  /* peat_event.type */
	const struct peat_schema *schema; /* NULL: the events are bytes */
	const char *name;		  /* what to call them; never NULL */
};

/* The i-th type; false: there are no more.  Lent as long as the reader, the name till the next. */
bool reader__type(struct peat_reader *reader, uint32_t i, struct reader_type *type);

/* The i-th BTF that the types of a channel come from; NULL: there are no more. */
const struct btf *reader__btf(const struct peat_reader *reader, uint32_t i);

#endif /* READER_TYPES_H */

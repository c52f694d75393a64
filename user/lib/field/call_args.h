/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * field/call_args.h: an array of numbers that are the arguments of a system call.
 *
 *	PEAT_CALL_ARGS(call, texts, memory, peer) ──▶ schema->call ──▶ call_text.h
 *
 * The names of the enum `call` find the call in the table, on any machine.
 */
#ifndef PEAT_FIELD_CALL_ARGS_H
#define PEAT_FIELD_CALL_ARGS_H

#include <peat/schema.h>

#include "base/strbuf.h"
#include "field/field_type.h"

/*
 * Sets schema->call: the field at `index` has the arguments, and `names` has the names of the other
 * fields, "call, texts, memory, peer".  False: a field has not the right type, or is missing.
 */
bool call_args__bind(struct peat_schema *schema, uint32_t index, const char *names);

/* Whether the field has the arguments of a call. */
bool call_args__are(const struct peat_field *field);

/*
 * Appends the arguments.  False, without output: they are not those of a call, or the call is not
 * known.  `data` and `bytes` as for peat_field__number().
 */
bool call_args__append(struct strbuf *out, const struct peat_field *field, const void *data,
		       uint32_t bytes, struct field_style style);

#endif /* PEAT_FIELD_CALL_ARGS_H */

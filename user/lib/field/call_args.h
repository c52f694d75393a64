/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * field/call_args.h: an array of numbers that are the arguments of a system call, as text.
 *
 *	schema->call (call_fields.h) ──▶ call_table.h ──▶ call_text.h
 *
 * The names of the enum `call` find the call in the table, on any machine.
 */
#ifndef PEAT_FIELD_CALL_ARGS_H
#define PEAT_FIELD_CALL_ARGS_H

#include <peat/schema.h>

#include "base/strbuf.h"
#include "field/field_type.h"

/*
 * Appends the arguments.  False, without output: they are not those of a call, or the call is not
 * known.  `data` and `bytes` as for peat_field__number().
 */
bool call_args__append(struct strbuf *out, const struct peat_field *field, const void *data,
		       uint32_t bytes, struct field_style style);

#endif /* PEAT_FIELD_CALL_ARGS_H */

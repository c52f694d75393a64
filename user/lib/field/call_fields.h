/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * field/call_fields.h: the fields of an event that has the arguments of a system call.
 *
 *	PEAT_CALL_ARGS(call, texts, memory, peer) ──▶ schema->call ──▶ call_args.h
 *
 * A schema needs no names of system calls: a program that prints no events does not link them.
 */
#ifndef PEAT_FIELD_CALL_FIELDS_H
#define PEAT_FIELD_CALL_FIELDS_H

#include <stdbool.h>

#include <peat/schema.h>

/*
 * Sets schema->call: the field at `index` has the arguments, and `names` has the names of the other
 * fields, "call, texts, memory, peer".  False: a field has not the right type, or is missing.
 */
bool call_fields__bind(struct peat_schema *schema, uint32_t index, const char *names);

/* Whether the field has the arguments of a call. */
bool call_fields__are(const struct peat_field *field);

#endif /* PEAT_FIELD_CALL_FIELDS_H */

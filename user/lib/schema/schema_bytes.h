/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * schema/schema_bytes.h: a schema as bytes, and back.  Pure.
 *
 * BTF is not enough for all schemas: fields of tracepoints can lie anywhere in an event, and the
 * BTF of a program is larger than the few types that it sends.
 *
 * The bytes, in this machine's order, with texts as u32 length with the NUL, 0: none:
 *
 *	u32 version, flags, bytes, lists of names, fields
 *	u64 sampled, unknown
 *	texts name, doc, subject, tools
 *	u32 index + 1 of each field of a system call
 *	each list: u32 names, and each name: u64 value, text
 *	each field: u32 kind, place, flags, span, offset, bytes, count, bits,
 *		index + 1 of its list, its length, its presence; texts name, doc
 */
#ifndef PEAT_SCHEMA_SCHEMA_BYTES_H
#define PEAT_SCHEMA_SCHEMA_BYTES_H

#include <peat/schema.h>

#include "base/strbuf.h"

/* Appends the schema, without the map of its stacks.  Out of memory: out->failed. */
void schema_bytes__put(const struct peat_schema *schema, struct strbuf *out);

/*
 * Makes the schema of bytes that may be anything.  Its memory is at most a small multiple of them.
 *
 * NULL and errno: EBADMSG: they are of no schema; ENOMEM.
 */
struct peat_schema *schema_bytes__read(const void *bytes, size_t count);

#endif /* PEAT_SCHEMA_SCHEMA_BYTES_H */

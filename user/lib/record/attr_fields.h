/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * record/attr_fields.h: the kernel's struct perf_event_attr, described once.  Pure.
 *
 * record/attr.c decodes by this table, record/attr_encode.c encodes by it, and
 * perf_data/describe/attr_text.c prints by it.  A new field needs one line here and a member of
 * struct perf_attr.
 */
#ifndef PEAT_RECORD_ATTR_FIELDS_H
#define PEAT_RECORD_ATTR_FIELDS_H

#include "base/emit.h"
#include "record/attr.h"

#define ATTR_FIELDS_BYTES_LEAST 64  /* PERF_ATTR_SIZE_VER0 */
#define ATTR_FIELDS_BYTES_KNOWN 144 /* with config4 */

struct attr_field {
	const char *name;	       /* in the kernel's header */
	const char *second_name;       /* of the second member of a union; NULL: no union */
	uint8_t second_if;	       /* the condition: an enum perf_attr_flag, or NO_BREAKPOINT */
	uint8_t at, bytes;	       /* in struct perf_event_attr; an attr may end before it */
	uint16_t member;	       /* offset in struct perf_attr, of the same width */
	enum emit_kind kind;	       /* how it is printed */
	const struct emit_name *names; /* of a number or of its bits */
	bool always;		       /* printed even if 0, but not in lines */
};

#define ATTR_FIELDS_NO_BREAKPOINT 255

/* In the order of the bytes; the last one has no name. */
extern const struct attr_field attr_fields[];

/* The name of a flag (precise_ip: two bits wide); NULL: unknown. */
const char *attr_fields__flag_name(unsigned flag);

/*
 * Decodes as many fields as `count` bytes have whole; the others become 0.  Sets layout.swapped and
 * layout.sample_id_all, too.
 */
void attr_fields__decode(struct perf_attr *attr, const void *bytes, size_t count, bool swapped);

/* Encodes as many fields as `count` bytes have room for; "size" becomes `count`. */
void attr_fields__encode(const struct perf_attr *attr, void *bytes, size_t count, bool swapped);

/* The number in a field, sign-extended if it is EMIT_SIGNED. */
uint64_t attr_fields__number(const struct perf_attr *attr, const struct attr_field *field);

#endif /* PEAT_RECORD_ATTR_FIELDS_H */

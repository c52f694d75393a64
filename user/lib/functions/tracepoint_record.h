/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* functions/tracepoint_record.h: the record of a tracepoint, and fields that are its members. */
#ifndef PEAT_FUNCTIONS_TRACEPOINT_RECORD_H
#define PEAT_FUNCTIONS_TRACEPOINT_RECORD_H

#include <peat/schema.h>

#include "functions/function_field.h"
#include "tracepoint/format_parse.h"

struct tracepoint_record {
	struct trace_format format;
	char *text; /* of the format */
	bool is_syscall;
};

/* 0, or an error of tracefs__open(), or -EBADMSG: a format that cannot be parsed. */
int tracepoint_record__read(struct tracepoint_record *record, const char *category,
			    const char *name);

/* The same for the text of a format, from malloc(), which belongs to the record, also on failure.
 */
int tracepoint_record__parse(struct tracepoint_record *record, const char *category, char *text);
void tracepoint_record__free(struct tracepoint_record *record);

/*
 * Makes the field of a member of the record.  A "const char *" of a system call is a text of user
 * memory.  Errors and `why` as function_field__make(); -EINVAL: an array.
 */
int tracepoint_record__field(struct function_field *field, struct field_types *types,
			     const struct tracepoint_record *record, const char *name,
			     struct strbuf *why);

/* The first fields that can be, at most `room`.  Returns their number or a negative errno. */
int tracepoint_record__fields(struct function_field *fields, uint32_t room,
			      struct field_types *types, const struct tracepoint_record *record);

#endif /* PEAT_FUNCTIONS_TRACEPOINT_RECORD_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * field/several_strings.h: arrays of characters with several strings, each with its NUL.
 *
 * Programs that were not written for peat have arguments of commands in such arrays, and write
 * the event up to the end of the last one:
 *
 *	struct event { u32 args_size; char args[7680]; } *e;
 *	bpf_perf_event_output(ctx, &map, flags, e, offsetof(struct event, args) + e->args_size);
 */
#ifndef PEAT_FIELD_SEVERAL_STRINGS_H
#define PEAT_FIELD_SEVERAL_STRINGS_H

#include <peat/schema.h>

/* Notes whether a text of the schema has a length beside it.  Call it once all fields are there. */
void several_strings__init(struct peat_schema *schema);

/*
 * Returns the number of bytes of a STRING's text: up to the first NUL, or up to the NUL of the last
 * string if there are several.  `data` and `bytes` as for peat_field__number(); `text` and `count`
 * are the result of fields__bytes().
 *
 * Bytes after the first NUL are text only if
 * - the field has a `length`, or beside it is a number with its name and "_size", "_len", "_length"
 *   or "_bytes", which is the length of the text in this event, or
 * - the event ends inside the array, with the last string.  The last 7 bytes can be padding:
 * strings that begin there do not count. Otherwise they are left over from earlier use of the
 * memory.  So is everything from the first control character on.
 */
uint32_t several_strings__bytes(const struct peat_field *field, const void *data, uint32_t bytes,
				const char *text, uint32_t count);

/*
 * Whether a STRING has a length, by one of the ways above.  Without, the text of an event that has
 * the whole field is up to the first NUL.
 */
bool several_strings__has_length(const struct peat_field *field);

#endif /* PEAT_FIELD_SEVERAL_STRINGS_H */

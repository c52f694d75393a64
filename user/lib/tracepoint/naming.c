// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* our_formats.c: names of tracepoints that there never were, and what is told of them. */
#include "tracepoint/format_write.h"
#include "base/internal.h"
#include "tracepoint/naming.h"

#define SCRIPT_FIELDS 55 /* with more, handlers of perf script -g python crash */

_Static_assert(sizeof(OUR_FORMATS_SYSTEM ":") + FORMAT_TEXT_NAME_MAX <= OUR_FORMATS_NAME_ROOM,
	       "a name has room");

void our_formats__name(const char *event, char name[OUR_FORMATS_NAME_ROOM])
{
	static const char system[] = OUR_FORMATS_SYSTEM ":";
	size_t bytes = strnlen(event, FORMAT_TEXT_NAME_MAX);
	char *at = name + strlen(system);

	strcpy(name, system);
	for (size_t i = 0; i < bytes; i++)
		at[i] = leaves__word_char(event[i]);
	strcpy(at + bytes, bytes ? "" : "_");
}

void our_formats__tell(const struct record_format *format, const char *event)
{
	if (format->left_out)
		log__warn("%u fields of %s are in no recording: it has more than perf can take",
			  format->left_out, event);
	if (format->fields > SCRIPT_FIELDS)
		log__info("%s has %u fields: perf's python scripts crash with more than %u", event,
			  format->fields, SCRIPT_FIELDS);
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tracing_data/naming.c: names for tracepoints that no kernel has. */
#include <string.h>

#include "base/log.h"
#include "tracing_data/format_write.h"
#include "tracing_data/naming.h"

#define SCRIPT_FIELDS 55 /* handlers of perf script -g python crash with more */

_Static_assert(sizeof(NAMING_SYSTEM ":") + FORMAT_WRITE_NAME_MAX <= NAMING_BYTES,
	       "a name has room");

void naming__event(const char *event, char name[NAMING_BYTES])
{
	static const char system[] = NAMING_SYSTEM ":";
	size_t bytes = strnlen(event, FORMAT_WRITE_NAME_MAX);
	char *at = name + strlen(system);

	strcpy(name, system);
	for (size_t i = 0; i < bytes; i++)
		at[i] = flatten__word_char(event[i]);
	strcpy(at + bytes, bytes ? "" : "_");
}

void naming__warn(const struct payload_format *format, const char *event)
{
	if (format->left_out)
		log__warn("%s: %u fields left out: more than perf can read", event,
			  format->left_out);
	if (format->fields > SCRIPT_FIELDS)
		log__info("%s: %u fields: perf's python scripts crash with more than %u", event,
			  format->fields, SCRIPT_FIELDS);
}

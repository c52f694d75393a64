// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tracing_data/naming.c: names for tracepoints that no kernel has. */
#include <fnmatch.h>
#include <string.h>

#include <peat/recording.h>

#include "base/log.h"
#include "base/text.h"
#include "field/fields.h"
#include "tracing_data/format_write.h"
#include "tracing_data/naming.h"

#define SCRIPT_FIELDS 55 /* handlers of perf script -g python crash with more */

_Static_assert(sizeof(NAMING_PREFIX) + FORMAT_WRITE_NAME_MAX <= NAMING_BYTES, "a name has room");

void naming__event(const char *event, char name[NAMING_BYTES])
{
	size_t bytes = strnlen(event, FORMAT_WRITE_NAME_MAX);
	char *at = name + strlen(NAMING_PREFIX);

	strcpy(name, NAMING_PREFIX);
	for (size_t i = 0; i < bytes; i++)
		at[i] = flatten__word_char(event[i]);
	strcpy(at + bytes, bytes ? "" : "_");
}

bool peat_schema__is_called(const struct peat_schema *schema, const char *pattern)
{
	if (!fnmatch(pattern, schema->name, 0))
		return true;
	return schema->is_peats && begins_with(pattern, NAMING_PREFIX) &&
	       !fnmatch(pattern + strlen(NAMING_PREFIX), schema->name, 0);
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

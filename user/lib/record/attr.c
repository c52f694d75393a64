// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* record/attr.c: decodes a struct perf_event_attr of any size and either byte order. */
#include <errno.h>
#include <stdlib.h>

#include "base/cursor.h"
#include "record/attr.h"
#include "record/attr_fields.h"

#define BYTES_MOST 65536

int perf_attr__parse(struct perf_attr *attr, const void *bytes, size_t count, bool swapped)
{
	uint32_t size;

	memset(attr, 0, sizeof(*attr));
	if (count < ATTR_FIELDS_BYTES_LEAST)
		return -EBADMSG;
	size = load_u32((const uint8_t *)bytes + 4, swapped);
	if (size == 0)
		size = ATTR_FIELDS_BYTES_LEAST; /* written before there was a size */
	if (size < ATTR_FIELDS_BYTES_LEAST || size > count || size > BYTES_MOST)
		return -EBADMSG;
	attr_fields__decode(attr, bytes, size, swapped);
	attr->bytes = size;
	return (int)size;
}

void perf_attr__clear(struct perf_attr *attr)
{
	free(attr->ids);
	free(attr->name);
	attr->ids = NULL;
	attr->name = NULL;
	attr->ids_count = 0;
}

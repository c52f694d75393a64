/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * otlp/headers.h: reads a file of HTTP headers, such as credentials:
 *
 *	# of the collector
 *	Authorization: Bearer 4f2a...
 */
#ifndef PEAT_OTLP_HEADERS_H
#define PEAT_OTLP_HEADERS_H

#include <stddef.h>

#define OTLP_HEADERS_WHY 192

/*
 * Calls `add` for each "Name: value" of the file.  The file may be read by its owner and its group
 * only, and written by its owner only.
 *
 * 0; or a negative errno: `why` has the reason, without the header's value; or what `add` returned.
 */
int otlp_headers__read(const char *path, int (*add)(void *arg, const char *header), void *arg,
		       char why[OTLP_HEADERS_WHY]);

#endif /* PEAT_OTLP_HEADERS_H */

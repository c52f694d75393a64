/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* tracepoint/format_print.h: refines the kinds of fields by the `print fmt` of a format. */
#ifndef PEAT_TRACEPOINT_FORMAT_PRINT_H
#define PEAT_TRACEPOINT_FORMAT_PRINT_H

#include "schema/plan.h"

/*
 * Numbers printed in hexadecimal become HEX, numbers printed by name ENUM or FLAGS, bytes printed
 * as addresses IPV4, IPV6 or MAC.  Only a plain argument counts: "REC->flags", but not "REC->flags
 * & 3".  Anything else changes nothing.
 *
 * `text` follows "print fmt:".  Its strings are terminated in place, and names in the plan point to
 * them.  0 or -ENOMEM.
 */
int format_print__refine(struct plan *plan, char *text, size_t bytes);

#endif /* PEAT_TRACEPOINT_FORMAT_PRINT_H */

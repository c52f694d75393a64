/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* trace_print.h: what the `print fmt` of a format says of its fields. */
#ifndef TRACE_PRINT_H
#define TRACE_PRINT_H

#include "schema/plan.h"

/*
 * Numbers that are printed in hexadecimal become HEX, those printed by names ENUM or FLAGS, bytes
 * printed as addresses IPV4, IPV6, MAC.  Only where a field is printed as it is: "REC->flags", but
 * not "REC->flags & 3".  What is not understood changes nothing.
 *
 * `text` is what follows "print fmt:".  Its strings are ended in place, and names of the plan point
 * to them.  0 or -ENOMEM.
 */
int trace_print__refine(struct plan *plan, char *text, size_t bytes);

#endif /* TRACE_PRINT_H */

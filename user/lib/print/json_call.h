/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* print/json_call.h: the arguments of a system call as text, beside their numbers. */
#ifndef PEAT_PRINT_JSON_CALL_H
#define PEAT_PRINT_JSON_CALL_H

#include <peat/schema.h>

#include "base/strbuf.h"

/*
 * Appends `,"args_text":"fd=3 count=4096"` if the field has the arguments of a known call.  `data`
 * and `bytes` as for peat_field__number().
 */
void json_call__append(struct strbuf *out, const struct peat_field *field, const void *data,
		       uint32_t bytes);

#endif /* PEAT_PRINT_JSON_CALL_H */

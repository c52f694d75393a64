/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * functions/usdt_field.h: arguments of USDT, whose notes have sizes and no types.
 *
 *	arg1 ... arg12		a number
 *	arg1.text		the text in user memory that it points to
 */
#ifndef PEAT_FUNCTIONS_USDT_FIELD_H
#define PEAT_FUNCTIONS_USDT_FIELD_H

#include "functions/function_field.h"

#define USDT_ARGUMENTS 12

/* `count`: arguments that there are.  Errors and `why` as function_field__make(). */
int usdt_field__make(struct function_field *field, struct field_types *types, const char *path,
		     uint32_t count, struct strbuf *why);

#endif /* PEAT_FUNCTIONS_USDT_FIELD_H */

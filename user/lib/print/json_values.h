/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* print/json_values.h: appends the fields of an event as JSON. */
#ifndef PEAT_PRINT_JSON_VALUES_H
#define PEAT_PRINT_JSON_VALUES_H

#include "print/json_plan.h"

/* Appends a field as a value.  `data` and `bytes` as for peat_field__number(). */
void json_values__append(struct strbuf *out, const struct json_plan *plan,
			 const struct peat_field *field, const void *data, uint32_t bytes);

/* Appends fields from `first` to the one before `end`, each with its key. */
void json_values__members(struct strbuf *out, const struct json_plan *plan,
			  const struct peat_field *first, const struct peat_field *end,
			  const void *data, uint32_t bytes);

#endif /* PEAT_PRINT_JSON_VALUES_H */

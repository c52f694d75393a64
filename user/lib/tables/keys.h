/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * tables/keys.h: the key of an event as bytes, which are also the begin and the end of its row:
 *
 *	row	columns of the key | values | strings and bytes of the key
 *	key	columns of the key | strings and bytes of the key
 */
#ifndef PEAT_TABLES_KEYS_H
#define PEAT_TABLES_KEYS_H

#include "base/strbuf.h"
#include "tables/types.h"

#define TABLE_ROW_BYTES_MAX UINT16_MAX /* places have 16 bits */

/*
 * Makes the key of an event in `out`, whose contents it replaces.  Strings are at `strings_at` of
 * the row.
 *
 *	1		done
 *	0		the event ends before a field
 *	-EMSGSIZE	the row would be longer than TABLE_ROW_BYTES_MAX
 *	-ENOMEM, or an error of types->stack_id()
 */
int table_keys__make(const struct table_types *types, const struct table_plan *plan,
		     const struct peat_event *event, uint32_t strings_at, struct strbuf *out);

/*
 * Stores the two parts of a key in a row, whose values are between them.  The row has `key_bytes`
 * plus those of its values.
 */
void table_keys__store(const struct table_types *types, const void *key, uint32_t key_bytes,
		       uint32_t strings_at, char *row);

#endif /* PEAT_TABLES_KEYS_H */

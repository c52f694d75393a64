/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* tables/options.h: the options of a table, checked and copied. */
#ifndef PEAT_TABLES_OPTIONS_H
#define PEAT_TABLES_OPTIONS_H

#include <peat/table.h>

/*
 * Copies the caller's options, with strings of their own; table_options__free() frees them.  0,
 * -EINVAL: see the log; or -ENOMEM.  After an error `ours` has no strings.  Names of fields are not
 * checked.
 */
int table_options__read(struct peat_table_opts *ours, const struct peat_table_opts *callers);

void table_options__free(struct peat_table_opts *opts);

#endif /* PEAT_TABLES_OPTIONS_H */

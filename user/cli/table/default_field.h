/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef CLI_DEFAULT_FIELD_H
#define CLI_DEFAULT_FIELD_H

#include <stddef.h>

#include "cli/options/options.h"

/*
 * default_field.h: the field of peat hist SOURCE without a field: the first duration in the first
 * type of its events that has one.  Recordings do not have the kinds of fields.
 */

/*
 * Writes the field's name to `name`, and prints it unless options->output.quiet.  Returns 0 or an
 * exit status, after a message: the source cannot be read, or has no such field.
 */
int default_field__find(const struct options *options, char *name, size_t bytes);

#endif /* CLI_DEFAULT_FIELD_H */

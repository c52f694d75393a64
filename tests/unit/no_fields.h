/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* no_fields.h: what schemas without fields point to: like those of the library, not NULL. */
#ifndef TESTS_UNIT_NO_FIELDS_H
#define TESTS_UNIT_NO_FIELDS_H

#include "field/fields.h"

static struct peat_field no_fields[1];

#endif /* TESTS_UNIT_NO_FIELDS_H */

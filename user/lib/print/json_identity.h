/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* print/json_identity.h: the container, pod and unit of an event as members of JSON. */
#ifndef PEAT_PRINT_JSON_IDENTITY_H
#define PEAT_PRINT_JSON_IDENTITY_H

#include <peat/reader.h>

#include "base/strbuf.h"
#include "print/chosen_fields.h"

/* Appends a comma and the members; nothing if they were not looked up. */
void json_identity__append(struct strbuf *out, const struct peat_event *event);

/* Appends the value of CONTENT_IDENTITY: null if it is unknown; "" if there is no such text. */
void json_identity__append_part(struct strbuf *out, const struct chosen_field *part,
				const struct peat_event *event);

#endif /* PEAT_PRINT_JSON_IDENTITY_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* otlp/resource.h: this machine and this process as a Resource. */
#ifndef PEAT_OTLP_RESOURCE_H
#define PEAT_OTLP_RESOURCE_H

#include "base/strbuf.h"

/*
 * Appends a message Resource.  `more` has further attributes, "NAME=VALUE,NAME=VALUE" as in
 * OTEL_RESOURCE_ATTRIBUTES, with %XX for other characters: they replace ours.  NULL: none.
 *
 * 0; -EINVAL: `more` has another form; -ENOMEM.
 */
int otlp_resource__append(struct strbuf *out, const char *more);

#endif /* PEAT_OTLP_RESOURCE_H */

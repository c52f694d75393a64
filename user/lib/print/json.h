/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_PRINT_JSON_H
#define PEAT_PRINT_JSON_H

#include <peat/sink.h>

/* peat_sink__new_json() with checked options. */
struct peat_sink *json__new(int fd, const struct peat_sink_opts *opts);

struct strbuf;

/*
 * Appends an event to `to`, as a sink made by json__new() with default options prints it, without
 * the last newline.  0 or -ENOMEM.
 */
int json__append(struct peat_sink *sink, const struct peat_event *event, struct strbuf *to);

/* Appends a field of an event as a value, as such a sink prints it.  0 or -ENOMEM. */
int json__append_field(const struct peat_field *field, const void *data, uint32_t bytes,
		       struct strbuf *to);

#endif /* PEAT_PRINT_JSON_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_PRINT_TEXT_H
#define PEAT_PRINT_TEXT_H

#include <peat/sink.h>

/* peat_sink__new_text() with checked options. */
struct peat_sink *text__new(int fd, const struct peat_sink_opts *opts);

/* peat_sink__set_width().  -EINVAL, not logged: another sink. */
int text__set_width(struct peat_sink *sink, uint32_t width);

struct strbuf;

/* peat_sink__hidden_columns().  0, -EINVAL, not logged: another sink, or -ENOMEM. */
int text__hidden_columns(const struct peat_sink *sink, struct strbuf *names);

/*
 * Appends an event to `to`, as a sink made by text__new() with default options prints it, without
 * the last newline.  0 or -ENOMEM.
 */
int text__append(struct peat_sink *sink, const struct peat_event *event, struct strbuf *to);

#endif /* PEAT_PRINT_TEXT_H */

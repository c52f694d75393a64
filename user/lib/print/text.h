/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_PRINT_TEXT_H
#define PEAT_PRINT_TEXT_H

#include <peat/sink.h>

/* peat_sink__new_text() with checked options. */
struct peat_sink *text__new(int fd, const struct peat_sink_opts *opts);

#endif /* PEAT_PRINT_TEXT_H */

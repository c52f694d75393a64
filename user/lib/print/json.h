/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_PRINT_JSON_H
#define PEAT_PRINT_JSON_H

#include <peat/sink.h>

/* peat_sink__new_json() with checked options. */
struct peat_sink *json__new(int fd, const struct peat_sink_opts *opts);

#endif /* PEAT_PRINT_JSON_H */

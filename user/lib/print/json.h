/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef JSON_H
#define JSON_H

#include <peat/sink.h>

/* peat_sink__new_json(), of options that are good. */
struct peat_sink *json__new(int fd, const struct peat_sink_opts *opts);

#endif /* JSON_H */

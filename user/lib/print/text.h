/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef TEXT_H
#define TEXT_H

#include <peat/sink.h>

/* peat_sink__new_text(), of options that are good. */
struct peat_sink *text__new(int fd, const struct peat_sink_opts *opts);

#endif /* TEXT_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* otlp/otlp.h: the output "otlp"; only with libcurl (HAVE_CURL). */
#ifndef PEAT_OTLP_OTLP_H
#define PEAT_OTLP_OTLP_H

#include <peat/output.h>

extern const struct peat_output_ops otlp_output;

#endif /* PEAT_OTLP_OTLP_H */

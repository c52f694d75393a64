/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* jetstream/jetstream.h: the output that sends pieces to a stream of NATS JetStream. */
#ifndef PEAT_JETSTREAM_JETSTREAM_H
#define PEAT_JETSTREAM_JETSTREAM_H

#include <peat/output.h>

extern const struct peat_output_ops jetstream_output;

#endif /* PEAT_JETSTREAM_JETSTREAM_H */

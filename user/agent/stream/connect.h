/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* stream/connect.h: connects to servers of NATS. */
#ifndef PEAT_STREAM_CONNECT_H
#define PEAT_STREAM_CONNECT_H

#include <nats/nats.h>

#include "stream/stream.h"

/* NULL and errno, as stream__open(). */
natsConnection *connect__servers(const struct stream_opts *opts);

#endif /* PEAT_STREAM_CONNECT_H */

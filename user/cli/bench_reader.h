/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* bench_reader.h: how each transport is read. */
#ifndef BENCH_READER_H
#define BENCH_READER_H

#include "bench_rig.h"

/* Each returns 0 or a negative errno, and is called when the object is loaded. */
struct bench_reader {
	int (*open)(struct bench_rig *rig);
	int (*take)(struct bench_rig *rig);
	int (*finish)(struct bench_rig *rig);
	void (*close)(struct bench_rig *rig);
};

/* NULL: the transport carries nothing. */
const struct bench_reader *bench_reader__of(enum bench_way way);

#endif /* BENCH_READER_H */

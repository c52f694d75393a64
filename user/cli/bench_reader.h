/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* bench_reader.h: how each transport is read. */
#ifndef BENCH_READER_H
#define BENCH_READER_H

#include "bench_rig.h"

/*
 * Each returns 0 or a negative errno, and is called when the object is loaded.  Those that have
 * something to do for each run do it in begin(), when the program is attached, and in end(), when
 * it no longer is; others leave these NULL.
 */
struct bench_reader {
	int (*open)(struct bench_rig *rig);
	int (*take)(struct bench_rig *rig);
	int (*finish)(struct bench_rig *rig);
	void (*close)(struct bench_rig *rig);
	int (*begin)(struct bench_rig *rig);
	void (*end)(struct bench_rig *rig);
};

/* NULL: the transport carries nothing. */
const struct bench_reader *bench_reader__of(const struct bench_transport *transport);

#endif /* BENCH_READER_H */

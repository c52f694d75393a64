/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* reader.h: operations of a transport's reader. */
#ifndef BENCH_READER_H
#define BENCH_READER_H

#include "rig.h"

/*
 * Operations return 0 or a negative errno.  They are called after the object is loaded.
 *
 * begin() and end() may be NULL.  begin() is called for each run, after the program is attached;
 * end() after it is detached.
 */
struct bench_reader {
	int (*open)(struct bench_rig *rig);
	int (*read)(struct bench_rig *rig);
	int (*finish)(struct bench_rig *rig);
	void (*close)(struct bench_rig *rig);
	int (*begin)(struct bench_rig *rig);
	void (*end)(struct bench_rig *rig);
};

/* NULL: the transport has no output. */
const struct bench_reader *bench_reader__find(const struct bench_transport *transport);

#endif /* BENCH_READER_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* record/attr_encode.h: encodes the attrs of a recording.  Pure. */
#ifndef PEAT_RECORD_ATTR_ENCODE_H
#define PEAT_RECORD_ATTR_ENCODE_H

#include "base/strbuf.h"
#include "record/attr.h"

/*
 * The size of encoded attrs: perf 6.1 rejects longer ones, and expects the ids of a pipe's events
 * after this many bytes, whatever the attr's size.
 */
#define ATTR_ENCODE_BYTES 128

/* Appends the attr, without the fields from config3 on, which 128 bytes do not have. */
void attr_encode__put(struct strbuf *out, const struct perf_attr *attr);

/*
 * Attrs whose samples have CPU, pid, tid, time by CLOCK_MONOTONIC, an id and a payload.  The caller
 * sets name and ids.
 *
 * Stock perf decodes a tracepoint's payload by the format of this id (0 to 65535) in the tracing
 * data.  It prints the bytes of a bpf-output event, and needs an address for that.
 */
struct perf_attr attr_encode__tracepoint(uint16_t id);
struct perf_attr attr_encode__bpf_output(void);

#endif /* PEAT_RECORD_ATTR_ENCODE_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* attr_encode.h: the events of a recording that is written.  Pure. */
#ifndef ATTR_ENCODE_H
#define ATTR_ENCODE_H

#include "base/strbuf.h"
#include "record/attr.h"

/*
 * perf 6.1 reads no attr that is longer, and takes the ids of a pipe's events to stand behind this
 * many bytes whatever the attr says.
 */
#define ATTR_ENCODE_BYTES 128

/* What 128 bytes do not have, from config3 on, is left out. */
void attr_encode__put(struct out *out, const struct perf_attr *attr);

/*
 * Events whose samples have CPU, pid, tid, time by CLOCK_MONOTONIC, an id and a payload; name and
 * ids are the caller's to set.
 *
 * Stock perf decodes a tracepoint's payload field by field, with a format of this id (0 to 65535)
 * in the tracing data; of a bpf-output event it shows bytes, and wants an address to do so.
 */
struct perf_attr attr_encode__tracepoint(uint16_t id);
struct perf_attr attr_encode__bpf_output(void);

#endif /* ATTR_ENCODE_H */

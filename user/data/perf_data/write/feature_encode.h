/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * perf_data/write/feature_encode.h: encodes the header features of a perf.data;
 * perf_data/describe/features.h prints them.  Pure.
 *
 * Each function appends the bytes of one feature.  The only failure is a lack of memory:
 * out->failed.
 */
#ifndef PEAT_PERF_DATA_WRITE_FEATURE_ENCODE_H
#define PEAT_PERF_DATA_WRITE_FEATURE_ENCODE_H

#include "base/strbuf.h"
#include "perf_data/attrs.h"

/* HOSTNAME, OSRELEASE, VERSION, ARCH, CPUDESC, CPUID */
void feature_encode__text(struct strbuf *out, const char *text);

void feature_encode__nrcpus(struct strbuf *out, uint32_t available, uint32_t online);
void feature_encode__total_mem(struct strbuf *out, uint64_t total_kb);
void feature_encode__cmdline(struct strbuf *out, const char *const *args); /* ends with NULL */

/* The names of the events; an event without a name gets the name that perf gives it. */
void feature_encode__event_desc(struct strbuf *out, const struct perf_attrs *attrs);

/* The timestamps of the first and the last sample. */
void feature_encode__sample_time(struct strbuf *out, uint64_t first_ns, uint64_t last_ns);

/* The resolution of the clock of the samples' timestamps. */
void feature_encode__clockid(struct strbuf *out, uint64_t resolution_ns);

/* The same moment on the wall clock and on that clock: perf prints the time of day by them. */
void feature_encode__clock_data(struct strbuf *out, uint32_t clockid, uint64_t wall_ns,
				uint64_t clock_ns);

/* BPF_BTF.  perf 7.2 rejects a file if this feature is truncated or has no entries. */
struct feature_btf {
	uint32_t id, bytes_count;
	const void *bytes;
};
void feature_encode__bpf_btf(struct strbuf *out, const struct feature_btf *btfs, size_t count);

/* BUILD_ID with the kernel alone.  At most 20 bytes. */
void feature_encode__kernel_id(struct strbuf *out, const void *id, uint8_t bytes);

/* COMPRESSED, for the records of perf_data/write/deflate.h. */
void feature_encode__compressed(struct strbuf *out, int level, uint32_t ratio);

#endif /* PEAT_PERF_DATA_WRITE_FEATURE_ENCODE_H */

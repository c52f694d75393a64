/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * feature_encode.h: the header features of a perf.data, put together: what perf_features.h tells.
 * Pure.
 *
 * Each appends one feature's bytes, and nothing fails but memory, which `out` remembers.
 */
#ifndef FEATURE_ENCODE_H
#define FEATURE_ENCODE_H

#include "base/strbuf.h"
#include "perf_data/attrs.h"

/* HOSTNAME, OSRELEASE, VERSION, ARCH, CPUDESC, CPUID */
void feature_encode__text(struct out *out, const char *text);

void feature_encode__nrcpus(struct out *out, uint32_t available, uint32_t online);
void feature_encode__total_mem(struct out *out, uint64_t total_kb);
void feature_encode__cmdline(struct out *out, const char *const *args); /* up to NULL */

/* What the events are called: those without a name get perf's. */
void feature_encode__event_desc(struct out *out, const struct perf_attrs *attrs);

/* Of the first sample and the last. */
void feature_encode__sample_time(struct out *out, uint64_t first_ns, uint64_t last_ns);

/* Of the clock that samples have their time by. */
void feature_encode__clockid(struct out *out, uint64_t resolution_ns);

/* The same moment by the wall and by that clock, so that perf can show the time of day. */
void feature_encode__clock_data(struct out *out, uint32_t clockid, uint64_t wall_ns,
				uint64_t clock_ns);

/* BPF_BTF.  One that is cut makes perf 7.2 refuse the file, and so does one of none. */
struct feature_btf {
	uint32_t id, bytes_count;
	const void *bytes;
};
void feature_encode__bpf_btf(struct out *out, const struct feature_btf *btfs, size_t count);

/* COMPRESSED, as deflate.h makes it. */
void feature_encode__compressed(struct out *out, int level, uint32_t ratio);

#endif /* FEATURE_ENCODE_H */

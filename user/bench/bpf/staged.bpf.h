/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* staged.bpf.h: the load over peat.bpf.h, for any kind of ring. */
#ifndef BENCH_BPF_STAGED_BPF_H
#define BENCH_BPF_STAGED_BPF_H

struct bench_16 {
	__u64 words[2];
};

struct bench_64 {
	__u64 words[8];
};

struct bench_256 {
	__u64 words[32];
};

struct bench_1024 {
	__u64 words[128];
};

#define BENCH_STAGE(ctx, bytes)                                                                    \
	({                                                                                         \
		struct bench_##bytes *e = peat_reserve(ctx, struct bench_##bytes);                 \
                                                                                                   \
		if (e) {                                                                           \
			bench_fill(e->words, bytes / 8);                                           \
			peat_submit(ctx, e);                                                       \
		}                                                                                  \
		0;                                                                                 \
	})

__noinline int bench_emit_staged(struct bpf_raw_tracepoint_args *ctx)
{
	switch (bench_setup.bytes) {
	case 16:
		return BENCH_STAGE(ctx, 16);
	case 64:
		return BENCH_STAGE(ctx, 64);
	case 256:
		return BENCH_STAGE(ctx, 256);
	default:
		return BENCH_STAGE(ctx, 1024);
	}
}

BENCH_PROGRAM(bench_staged, bench_emit_staged)

#endif /* BENCH_BPF_STAGED_BPF_H */

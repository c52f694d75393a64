// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* calls: two program arrays, one of them with programs in its slots; opened, never loaded. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>

int first(void *ctx);
int second(void *ctx);

#define PROGRAM_ARRAY(name)                                                                        \
	struct {                                                                                   \
		__uint(type, BPF_MAP_TYPE_PROG_ARRAY);                                             \
		__uint(max_entries, 8);                                                            \
		__uint(key_size, sizeof(__u32));                                                   \
		__array(values, int(void *));                                                      \
	} name SEC(".maps")

PROGRAM_ARRAY(empty);
PROGRAM_ARRAY(filled) = {
	.values = { [1] = (void *)&second, [6] = (void *)&first, [7] = (void *)&second },
};

SEC("raw_tp/a") int first(void *ctx)
{
	bpf_tail_call(ctx, &empty, 0);
	return 0;
}

SEC("raw_tp/b") int second(void *ctx)
{
	bpf_tail_call(ctx, &filled, 6);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";

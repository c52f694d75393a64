// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* counters_packets: a tc program that reads a counter, which most kernels refuse. */
#include <vmlinux.h>
#include <bpf/bpf_helpers.h>
#include <peat/peat.bpf.h>

PEAT_COUNTER(faults, "page-faults");

struct passed {
	__u64 faults;
};

SEC("tc/ingress")
int on_packet(struct __sk_buff *skb)
{
	struct peat_count count;
	struct passed *e;

	if (peat_count_read(faults, &count))
		return -1;
	e = peat_reserve(skb, struct passed);
	if (!e)
		return -1;
	e->faults = count.value;
	return peat_submit(skb, e);
}

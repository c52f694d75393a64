/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * peat.bpf.h: the BPF side of peat.
 *
 *	#include <vmlinux.h>
 *	#include <peat/peat.bpf.h>
 *
 * The filters that every probe has.  The loader fills them in before the program is loaded, so the
 * verifier sees constants and an unused filter costs nothing but the test of one word.
 */
#ifndef PEAT_BPF_H
#define PEAT_BPF_H

#include <bpf/bpf_helpers.h>

/* 0 and "" let everything pass. */
const volatile __u32 peat_filter_pid __weak = 0;
const volatile char peat_filter_comm[16] __weak __attribute__((aligned(8))) = {};

static __always_inline bool peat_comm_differs(void)
{
	const volatile __u64 *wanted = (const volatile __u64 *)peat_filter_comm;
	__u64 comm[2] = {};

	bpf_get_current_comm(comm, sizeof(comm));
	return comm[0] != wanted[0] || comm[1] != wanted[1];
}

/* False when a filter rejects what the current task does: return at once, emit nothing. */
static __always_inline bool peat_wanted(void)
{
	if (peat_filter_pid && bpf_get_current_pid_tgid() >> 32 != peat_filter_pid)
		return false;
	if (peat_filter_comm[0] && peat_comm_differs())
		return false;
	return true;
}

#endif /* PEAT_BPF_H */

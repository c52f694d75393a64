/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * take.bpf.h: TAKE(counter) increments a __u64 and returns its old value.  NAME_plain.bpf.c defines
 * PLAIN, for kernels before Linux 5.12: correct for a program that no other run of itself
 * interrupts between the two.
 */
#ifndef TESTS_LIVE_BPF_TAKE_BPF_H
#define TESTS_LIVE_BPF_TAKE_BPF_H

#ifdef PLAIN
#define TAKE(counter)                                                                              \
	({                                                                                         \
		__u64 taken_ = *(volatile __u64 *)&(counter);                                      \
		__sync_fetch_and_add(&(counter), 1);                                               \
		taken_;                                                                            \
	})
#else
#define TAKE(counter) __sync_fetch_and_add(&(counter), 1)
#endif

#endif /* TESTS_LIVE_BPF_TAKE_BPF_H */

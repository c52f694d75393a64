/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* my_peat.bpf.h: a header whose name only ends like that of peat.bpf.h. */
#ifndef MY_PEAT_BPF_H
#define MY_PEAT_BPF_H

static __always_inline void my_unlock(__u32 *lock)
{
	__sync_lock_test_and_set(lock, 0);
}

enum { MY_UNLOCK_LINE = __LINE__ - 3 };

#endif /* MY_PEAT_BPF_H */

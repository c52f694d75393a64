/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * object/plain_locks.h: makes an object that includes peat.bpf.h loadable before Linux 5.12, where
 * no atomic operation of BPF programs returns a value.
 *
 * Where programs on a CPU only nest, a plain load and a plain store are enough to lock a slot: a
 * program that interrupts another unlocks before it returns.  So each atomic operation of
 * peat.bpf.h is replaced by one instruction, in the ELF file, before libbpf opens it:
 *
 *	r0 = cmpxchg(p, r0, r)	r0 = *p		peat_lock() stores r, as peat_plain_locks is 1
 *	r = xchg(p, r)		*p = r		the header does not use r afterwards
 *	r = fetch_add(p, r)	*p += r		likewise, of 8 bytes
 *
 * All instructions keep their places, so jumps, relocations, line and CO-RE information stay valid.
 */
#ifndef PEAT_OBJECT_PLAIN_LOCKS_H
#define PEAT_OBJECT_PLAIN_LOCKS_H

#include <stddef.h>

#include "object/line_info.h"

/*
 * Changes the ELF file of `bytes` bytes at `elf` in place, and sets its constant peat_plain_locks.
 * `elf` is 8-byte aligned.  Returns the number of replaced instructions, 0 if the object does not
 * include peat.bpf.h; or an error:
 *
 *	-EBADMSG	not a valid ELF file of BPF programs; it may be changed
 *	-EINVAL		the object was compiled with a peat.bpf.h that has no peat_plain_locks
 *	-EOPNOTSUPP	the line `refused` has an atomic operation that is not peat.bpf.h's and
 *			needs Linux 5.12; `file` is in `elf`, NULL if it is not known
 */
int plain_locks__use(void *elf, size_t bytes, struct source_line *refused);

#endif /* PEAT_OBJECT_PLAIN_LOCKS_H */

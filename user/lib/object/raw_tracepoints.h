/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * object/raw_tracepoints.h: makes programs of tp_btf loadable on a kernel without BTF.
 *
 * A raw_tp program has the same arguments, and libbpf selects the type by the section's name: so
 * "tp_btf/sched_switch" becomes "raw_tp/sched_switch" in the ELF file, before libbpf opens it.  Its
 * arguments have no types then, so the program can read the kernel's memory only by
 * bpf_probe_read_kernel(), as BPF_CORE_READ() does.  Programs that include peat.bpf.h are told so
 * by its constant peat_no_btf.
 *
 * A program of tp_btf stays one if the object has one of raw_tp for the same tracepoint, too.
 */
#ifndef PEAT_OBJECT_RAW_TRACEPOINTS_H
#define PEAT_OBJECT_RAW_TRACEPOINTS_H

#include <stddef.h>

/*
 * Changes the ELF file of `bytes` bytes at `elf` in place: names of sections, in the ELF file and
 * in the strings of .BTF, and the constant.  Returns the number of sections of programs that were
 * renamed; -EBADMSG: not a valid ELF file of BPF programs; -ENOMEM.
 */
int raw_tracepoints__use(void *elf, size_t bytes);

#endif /* PEAT_OBJECT_RAW_TRACEPOINTS_H */

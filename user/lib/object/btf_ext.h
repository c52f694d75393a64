/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * object/btf_ext.h: the parts of a section .BTF.ext.
 *
 * The format is described in the kernel's Documentation/bpf/btf.rst.  A header has the places of
 * the parts.  A part begins with the size of its records (u32).  Then follows, for each section of
 * code, its name (u32, an offset in the strings of .BTF), the number of its records (u32), and the
 * records.
 */
#ifndef PEAT_OBJECT_BTF_EXT_H
#define PEAT_OBJECT_BTF_EXT_H

#include "base/cursor.h"

enum btf_ext_part { BTF_EXT_FUNCS, BTF_EXT_LINES, BTF_EXT_RELOS };

/* Finds a part; `part` is empty if there is none.  False: invalid. */
bool btf_ext__find(const void *section, size_t bytes, enum btf_ext_part which, struct cursor *part);

/* Finds the strings of a section .BTF: their offset in it, and their bytes.  False: invalid. */
bool btf_ext__find_strings(const void *btf, size_t bytes, size_t *offset, size_t *count);

#endif /* PEAT_OBJECT_BTF_EXT_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* object/core_relos.h: whether the CO-RE relocations of an object need the kernel's types. */
#ifndef PEAT_OBJECT_CORE_RELOS_H
#define PEAT_OBJECT_CORE_RELOS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * True if a relocation in the section .BTF.ext may need types of the kernel: any kind but ids of
 * the object's own types.  True also for an invalid section.
 */
bool core_relos__need_kernel(const void *section, size_t bytes);

#endif /* PEAT_OBJECT_CORE_RELOS_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* core_relos.h: what the CO-RE relocations of an object ask for. */
#ifndef CORE_RELOS_H
#define CORE_RELOS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Whether any of the relocations in the section .BTF.ext may ask for types of the kernel, as all do
 * but the ids of the object's own.  A section that makes no sense may.
 */
bool core_relos__want_kernel(const void *section, size_t bytes);

#endif /* CORE_RELOS_H */

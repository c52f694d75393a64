/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * common.h: definitions that all public headers share.
 */
#ifndef PEAT_COMMON_H
#define PEAT_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define PEAT_BEGIN_DECLS extern "C" {
#define PEAT_END_DECLS	 }
#else
#define PEAT_BEGIN_DECLS
#define PEAT_END_DECLS
#endif

/*
 * Marks a symbol that libpeat.so, libpeat-data.so (data.h) or libpeat-agent.so (agent.h) exports;
 * all others are hidden.
 */
#define PEAT_API __attribute__((visibility("default")))

/* Marks a function that C and C++ inline, and that libpeat.so exports for bindings: binding.h. */
#ifndef PEAT_INLINE
#define PEAT_INLINE static inline
#endif

#endif /* PEAT_COMMON_H */

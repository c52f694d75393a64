/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * common.h: what every public header of peat needs.
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

/* Marks what libpeat.so exports; everything else is hidden. */
#define PEAT_API __attribute__((visibility("default")))

#endif /* PEAT_COMMON_H */

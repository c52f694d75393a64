/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* base/log.h: log messages of the library. */
#ifndef PEAT_BASE_LOG_H
#define PEAT_BASE_LOG_H

#include <stdarg.h>
#include <stddef.h>

#include <peat/log.h>

__attribute__((format(printf, 2, 3))) void log__print(enum peat_log_level level, const char *format,
						      ...);

/*
 * Formats a whole message: returns `buffer`, or memory to free if `size` bytes are too few. Without
 * memory for it, the message in the buffer ends in "...".
 */
__attribute__((format(printf, 3, 0))) char *log__format(char *buffer, size_t size,
							const char *format, va_list args);

/*
 * Messages of this thread that are more severe than `level` get this level: for calls that may fail
 * without harm.  Returns the previous level; PEAT_LOG_ERROR: no change.
 */
enum peat_log_level log__set_severest(enum peat_log_level level);

#define log__error(...) log__print(PEAT_LOG_ERROR, __VA_ARGS__)
#define log__warn(...)	log__print(PEAT_LOG_WARN, __VA_ARGS__)
#define log__info(...)	log__print(PEAT_LOG_INFO, __VA_ARGS__)
#define log__debug(...) log__print(PEAT_LOG_DEBUG, __VA_ARGS__)

#endif /* PEAT_BASE_LOG_H */

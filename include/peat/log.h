/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * log.h: receives the library's messages.
 *
 * libpeat never prints.  It passes each message to one function of the program's choice.  Without
 * such a function messages are dropped, and return values alone report failures.
 */
#ifndef PEAT_LOG_H
#define PEAT_LOG_H

#include <peat/common.h>

PEAT_BEGIN_DECLS

enum peat_log_level {
	PEAT_LOG_ERROR, /* a call failed: the failure, its reason and the remedy, in one line */
	PEAT_LOG_WARN,	/* the call continued with less than was requested */
	PEAT_LOG_INFO,	/* choices: ring sizes, watermarks; why libbpf or the verifier refused */
	PEAT_LOG_DEBUG, /* everything else */
};

/*
 * `text` is one line without a newline, valid during the call.  A message of libbpf's can have
 * several lines.  An error in an expression (where.h) has three: the reason, the expression, and a
 * caret below the place.  Names of files can contain escape sequences: before `text` is printed on
 * a terminal, escape each of its lines by peat_text__escape() (text.h).
 */
typedef void (*peat_print_fn)(enum peat_log_level level, const char *text);

/*
 * Sets the function that receives every message of this process; NULL drops them.  Returns the
 * previous function.  Call it before other threads use the library.
 */
PEAT_API peat_print_fn peat_set_print(peat_print_fn fn);

PEAT_END_DECLS

#endif /* PEAT_LOG_H */

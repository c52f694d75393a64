/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * log.h: where the library's words go.
 *
 * libpeat never prints, exits or touches signals.  What it has to say goes to one function of the
 * program's choice; without one it is dropped, and return values alone tell what happened.
 */
#ifndef PEAT_LOG_H
#define PEAT_LOG_H

#include <peat/common.h>

PEAT_BEGIN_DECLS

enum peat_log_level {
	PEAT_LOG_ERROR, /* a call failed: what, why and the remedy, one line for each failure */
	PEAT_LOG_WARN,	/* the call went on, with less than was asked for */
	PEAT_LOG_INFO,	/* what was chosen: ring sizes, watermarks; why libbpf or the verifier
			   refused */
	PEAT_LOG_DEBUG, /* everything else */
};

/* `text` is one line without its newline (libbpf's: sometimes several), valid during the call. */
typedef void (*peat_print_fn)(enum peat_log_level level, const char *text);

/*
 * Sets the function that receives every message; NULL drops them.  Returns the one set before.
 * Affects the whole process: call it before other threads use the library.
 */
PEAT_API peat_print_fn peat_set_print(peat_print_fn fn);

PEAT_END_DECLS

#endif /* PEAT_LOG_H */

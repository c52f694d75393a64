/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* field/call_text.h: prints the arguments of a system call. */
#ifndef PEAT_FIELD_CALL_TEXT_H
#define PEAT_FIELD_CALL_TEXT_H

#include "base/strbuf.h"
#include "field/call_table.h"

struct call_values {
	enum call_machine machine;
	uint64_t args[CALL_ARGUMENTS_MAX];
	/*
	 * The strings that the program read, each with its NUL, for each argument whose bit in
	 * `texts` is set, in order.  An address of a socket is a string too, of a path or "@name",
	 * or without a string, it is `endpoint`: the bytes of a struct peat_endpoint.
	 */
	uint32_t texts, memory_bytes;
	const char *memory, *endpoint; /* NULL: none */
};

/*
 * Appends the arguments that the call has, by name:
 *
 *	dfd=AT_FDCWD filename="/etc/motd" flags=O_RDONLY|O_CLOEXEC
 *
 * Arguments that depend on others are left out if the call ignores them, such as the mode of an
 * openat() without O_CREAT.
 */
void call_text__append(struct strbuf *out, const struct call *call,
		       const struct call_values *values);

#endif /* PEAT_FIELD_CALL_TEXT_H */

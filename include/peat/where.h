/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * where.h: expressions that select events by their fields.
 *
 *	struct peat_where *where = peat_where__parse("delay > 5ms && comm == \"nginx\"");
 *
 *	if (peat_where__test(where, event))
 *		...
 *	peat_where__free(where);
 *
 * peat_session_opts, peat_channel_opts and peat_reader_opts take such an expression: the BPF
 * programs then test as much of it as they can, and the reader tests all of it.
 *
 *	expr	and { ("||" | "or") and }
 *	and	unary { ("&&" | "and") unary }
 *	unary	("!" | "not") unary | "(" expr ")" | test
 *	test	FIELD				not 0, not empty
 *		FIELD & VALUE			any of these bits
 *		FIELD & VALUE == VALUE		or !=
 *		FIELD == VALUE			or != < <= > >=
 *		FIELD in (VALUE, ...)		one of these; or not in
 *		FIELD ~ "GLOB"			text with * ? [a-z] [!a-z], \* for a *; or !~
 *	FIELD	a field of the event, "from.port", "args[2]", "TYPE.FIELD";
 *		or pid tid comm cpu time size, and uid cgroup of a channel's events, unless the
 *		event has a field of this name
 *	VALUE	by the field's kind: 5, -3, 0x1f, 'c', true, 10ms, 64K, 0.5, "text" or 'text',
 *		192.0.2.1, 192.0.2.0/24, 2001:db8::/32, 00:1b:21:3c:4d:5e,
 *		192.0.2.1:443, [2001:db8::1]:443, bytes such as 0a1b,
 *		a name of an enum, flags such as O_CREAT|O_EXCL, ENOENT, SIGKILL,
 *		of cgroup also a path, "/system.slice"
 *
 * - Numbers are compared with 64 bits, signed if the field is.  Errors of a result are negative:
 *   `error == ENOENT` compares with -2.
 * - An IPv4 address in a field for IPv6 addresses is ::ffff:192.0.2.1, and can be written either
 *   way.  An endpoint, an address with its port, has both as members, too: "to.address", "to.port".
 * - Text is compared as it is printed, up to its first NUL; several strings are joined by blanks.
 *   Text without blanks and special characters needs no quotes.  Escapes: \n \t \r \x1b \" \' \\.
 * - A test of TYPE.FIELD is false for events of other types; so is any test of a path, A.B, if the
 *   event has no struct A.
 * - An event that lacks another field does not match, whatever the expression: its type lacks it,
 *   or the event ends before it, or the value is unknown (a pid, the time), or is a NaN.  So the
 *   order of tests does not matter.  The comm is unknown unless the reader follows names
 *   (peat_reader_opts.names).
 */
#ifndef PEAT_WHERE_H
#define PEAT_WHERE_H

#include <peat/common.h>
#include <peat/schema.h>

PEAT_BEGIN_DECLS

struct peat_event;
struct peat_where;

/*
 * Parses an expression of less than 4096 bytes.  Fields and values are resolved for each type of
 * event when it is added, or at the first event of the type.  NULL and errno, with the place in the
 * log:
 *
 *	EINVAL	not an expression
 *	ENOMEM	no memory
 */
PEAT_API struct peat_where *peat_where__parse(const char *text);

/*
 * Resolves the expression for a type of events; a type may be added again.  The schema has to live
 * as long as `where`.  peat_reader__resolve() adds all types of a reader, and checks them.
 *
 *	1	the type has all fields
 *	0	it lacks a field: its events do not match
 *	-EINVAL	a value does not fit its field: its events do not match; the log has the place, once
 *	-ENOMEM
 */
PEAT_API int peat_where__add_type(struct peat_where *where, const struct peat_schema *schema);

/*
 * Call it once all types are added: 0, or -EINVAL: none of them has one of the fields; the log has
 * its place and the fields that there are.
 */
PEAT_API int peat_where__check(const struct peat_where *where);

/*
 * Whether the event matches.  True for PEAT_EVENT_LOST.  An event without a schema has only the
 * fields that all events have.  A type that was not added, and cannot be resolved now, is logged
 * once, and its events do not match.
 */
PEAT_API bool peat_where__test(struct peat_where *where, const struct peat_event *event);

/* Accepts NULL. */
PEAT_API void peat_where__free(struct peat_where *where);

PEAT_END_DECLS

#endif /* PEAT_WHERE_H */

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
 *		FIELD in (VALUE, ...)		one of these
 *		FIELD ~ "GLOB"			text with * ? [a-z]; or !~
 *	FIELD	a field of the event, "from.port", "args[2]"; TYPE.FIELD: false for other types;
 *		or pid tid comm cpu time size, unless the event has a field of this name
 *	VALUE	by the field's kind: 5, -3, 0x1f, 'c', true, 10ms, 64K, "text", 192.0.2.1,
 *		192.0.2.0/24, 2001:db8::/32, a name of an enum, bits "O_CREAT|O_EXCL", ENOENT,
 *SIGKILL
 *
 * Numbers are compared with 64 bits, signed if the field is.  Text ends at its first NUL.  Errors
 * of a result are negative: `error == ENOENT` compares with -2.
 *
 * An event without one of the fields does not match, whatever the expression.
 */
#ifndef PEAT_WHERE_H
#define PEAT_WHERE_H

#include <peat/common.h>
#include <peat/schema.h>

PEAT_BEGIN_DECLS

struct peat_event;
struct peat_where;

/*
 * Parses an expression.  Fields and values are resolved for each type of event when it is added, or
 * at the first event of the type.  NULL and errno; the log has the column:
 *	EINVAL	not an expression
 *	ENOMEM	no memory
 */
PEAT_API struct peat_where *peat_where__parse(const char *text);

/*
 * Resolves the expression for a type of events; a type may be added again.  The schema has to live
 * as long as `where`.
 *
 *	1	the type has all fields
 *	0	it lacks a field: its events do not match
 *	-EINVAL	a value does not fit its field; the log has the column
 *	-ENOMEM
 */
PEAT_API int peat_where__add_type(struct peat_where *where, const struct peat_schema *schema);

/*
 * Call it once all types are added: 0, or -EINVAL: none of them has a field of this name; the log
 * has its column and the fields that there are.
 */
PEAT_API int peat_where__check(const struct peat_where *where);

/*
 * Whether the event matches.  True for PEAT_EVENT_LOST.  An event without a schema has only the
 * fields that all events have.
 */
PEAT_API bool peat_where__test(struct peat_where *where, const struct peat_event *event);

/* Accepts NULL. */
PEAT_API void peat_where__free(struct peat_where *where);

PEAT_END_DECLS

#endif /* PEAT_WHERE_H */

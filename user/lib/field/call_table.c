// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* field/call_table.c: the arguments of system calls: the rows of call_rows.h. */
#include <stdlib.h>
#include <string.h>

#include "field/call_table.h"

#define ARGUMENT(name, class)                                                                      \
	{                                                                                          \
#name, CALL_##class                                                                \
	}
#define CALL0(name)		{ #name, 0, { { "", 0 } } },
#define CALL1(name, a, A)	{ #name, 1, { ARGUMENT(a, A) } },
#define CALL2(name, a, A, b, B) { #name, 2, { ARGUMENT(a, A), ARGUMENT(b, B) } },
#define CALL3(name, a, A, b, B, c, C)                                                              \
	{ #name, 3, { ARGUMENT(a, A), ARGUMENT(b, B), ARGUMENT(c, C) } },
#define CALL4(name, a, A, b, B, c, C, d, D)                                                        \
	{ #name, 4, { ARGUMENT(a, A), ARGUMENT(b, B), ARGUMENT(c, C), ARGUMENT(d, D) } },
#define CALL5(name, a, A, b, B, c, C, d, D, e, E)                                                  \
	{ #name,                                                                                   \
	  5,                                                                                       \
	  { ARGUMENT(a, A), ARGUMENT(b, B), ARGUMENT(c, C), ARGUMENT(d, D), ARGUMENT(e, E) } },
#define CALL6(name, a, A, b, B, c, C, d, D, e, E, f, F)                                            \
	{ #name,                                                                                   \
	  6,                                                                                       \
	  { ARGUMENT(a, A), ARGUMENT(b, B), ARGUMENT(c, C), ARGUMENT(d, D), ARGUMENT(e, E),        \
	    ARGUMENT(f, F) } },

static const struct call calls[] = {
#include "field/call_rows.h"
};

#define CALLS (sizeof(calls) / sizeof(*calls))

/* clang-format off */
static const struct call arm64_calls[] = {
	CALL5(clone, flags, CLONE, newsp, ADDRESS, parent_tidptr, ADDRESS, tls, ADDRESS,
	      child_tidptr, ADDRESS)
};

static const struct call s390x_calls[] = {
	CALL5(clone, newsp, ADDRESS, flags, CLONE, parent_tidptr, ADDRESS, child_tidptr, ADDRESS,
	      tls, ADDRESS)
	CALL1(mmap, arg, ADDRESS)
};
/* clang-format on */

static int compare_name(const void *name, const void *call)
{
	return strcmp(name, ((const struct call *)call)->name);
}

static const struct call *find_exception(const char *name, enum call_machine machine)
{
	if (machine == CALL_ARM64)
		return bsearch(name, arm64_calls, sizeof(arm64_calls) / sizeof(*arm64_calls),
			       sizeof(*arm64_calls), compare_name);
	if (machine == CALL_S390X)
		return bsearch(name, s390x_calls, sizeof(s390x_calls) / sizeof(*s390x_calls),
			       sizeof(*s390x_calls), compare_name);
	return NULL;
}

const struct call *call_table__find(const char *name, enum call_machine machine)
{
	const struct call *call = find_exception(name, machine);

	return call ? call : bsearch(name, calls, CALLS, sizeof(*calls), compare_name);
}

const struct call *call_table__all(uint32_t *count)
{
	*count = CALLS;
	return calls;
}

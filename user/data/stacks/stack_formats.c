// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* stacks/stack_formats.c: the formats that counted stacks are written in. */
#include "stacks/counted_stacks.h"
#include "stacks/stack_formats.h"

static const struct stack_format formats[] = {
	[PEAT_STACKS_FOLDED] = { "folded", ".folded", folded__write },
	[PEAT_STACKS_FLAMEGRAPH] = { "flamegraph", ".svg", flamegraph__write },
	[PEAT_STACKS_PPROF] = { "pprof", ".pb.gz", pprof__write },
};

const struct stack_format *stack_formats__of(enum peat_stacks_format format)
{
	return format < sizeof(formats) / sizeof(*formats) ? &formats[format] : NULL;
}

const char *peat_stacks__name(enum peat_stacks_format format)
{
	const struct stack_format *row = stack_formats__of(format);

	return row ? row->name : NULL;
}

const char *peat_stacks__suffix(enum peat_stacks_format format)
{
	const struct stack_format *row = stack_formats__of(format);

	return row ? row->suffix : NULL;
}

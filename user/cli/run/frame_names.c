// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* frame_names.c: the names of addresses that a verb prints. */
#include <errno.h>

#include "cli/run/frame_names.h"
#include "cli/base/messages.h"
#include "cli/base/size_text.h"

#define SAMPLED (PEAT_SAMPLE_IP | PEAT_SAMPLE_CALLCHAIN | PEAT_SAMPLE_STACK_USER)

/* The rings of events fill in the meantime; samples are few. */
#define EVENT_WAIT_MS  20
#define SAMPLE_WAIT_MS 200

bool frame_names__are_wanted(const struct options *options)
{
	return !options->symbols.none &&
	       (options->sources.events.count || options->sampling.sample & SAMPLED);
}

struct peat_symbols *frame_names__new(const struct options *options, enum frame_names_of of)
{
	struct peat_symbols_opts opts = PEAT_SYMBOLS_OPTS_INIT;
	struct peat_symbols *symbols;

	opts.no_demangle = options->symbols.no_demangle;
	opts.lines = options->symbols.lines;
	opts.debuginfod = options->symbols.debuginfod;
	opts.memory_bytes = options->symbols.memory_bytes;
	opts.recorded = of == FRAME_NAMES_RECORDED;
	opts.wait_ms = of == FRAME_NAMES_AT_ONCE ? EVENT_WAIT_MS
		       : of == FRAME_NAMES_LIVE	 ? SAMPLE_WAIT_MS
						 : 0;
	opts.quiet = options->output.quiet;
	opts.namer = FRAME_NAMES_NAMER;
	symbols = peat_symbols__new(&opts);
	if (!symbols && errno == ENOTSUP)
		messages__print("--debuginfod: this peat was built without debuginfod: leave it "
				"out, or install the debug packages");
	else if (!symbols)
		messages__print("cannot name addresses: %m: use --no-symbols");
	return symbols;
}

void frame_names__print_stats(const struct peat_symbols *symbols)
{
	struct peat_symbols_stats stats = { .sz = sizeof(stats) };
	char size[32];

	if (!symbols || peat_symbols__stats(symbols, &stats))
		return;
	size_text__format(size, sizeof(size), stats.memory_bytes);
	messages__print("symbols of %llu files in %s (%llu read, %llu dropped): %llu frames with "
			"a name, %llu without",
			(unsigned long long)stats.tables, size, (unsigned long long)stats.read,
			(unsigned long long)stats.dropped, (unsigned long long)stats.named,
			(unsigned long long)stats.unnamed);
}

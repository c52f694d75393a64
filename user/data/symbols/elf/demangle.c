// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols/elf/demangle.c: C++ and Rust names as they are in the source, by libiberty. */
#include <string.h>
#include <libiberty/demangle.h>
#include <setjmp.h>

#include "symbols/elf/demangle.h"
#include "symbols/elf/rust_name.h"

struct demangling {
	struct strbuf *out;
	size_t start;
	jmp_buf too_long;
};

/*
 * A short hostile name can have a source name of terabytes, since parts may be repeated by
 * reference.  The callback cannot end the work in another way than by a jump.
 */
static void append_piece(const char *text, size_t bytes, void *arg)
{
	struct demangling *demangling = arg;
	const size_t room = demangling->start + BUDGET_NAME_BYTES - demangling->out->count;

	if (!bytes)
		return; /* `text` may be NULL */
	strbuf__bytes(demangling->out, text, bytes < room ? bytes : room);
	if (bytes > room)
		longjmp(demangling->too_long, 1);
}

typedef int (*demangle_fn)(const char *name, int options, demangle_callbackref callback, void *arg);

static bool try(demangle_fn demangle, struct strbuf *out, const char *name)
{
	struct demangling demangling = { .out = out, .start = out->count };

	if (setjmp(demangling.too_long))
		return true;
	if (demangle(name, DMGL_NO_OPTS, append_piece, &demangling) &&
	    out->count > demangling.start)
		return true;
	strbuf__cut(out, demangling.start);
	return false;
}

/* Legacy names of Rust are valid in C++, with a hash at the end. */
static bool demangle_plain(struct strbuf *out, const char *name)
{
	if (name[1] == 'R')
		return rust_name__is_valid(name) && try(rust_demangle_callback, out, name);
	return try(rust_demangle_callback, out, name) || try(cplus_demangle_v3_callback, out, name);
}

static bool demangle_start(struct strbuf *out, const char *name, size_t bytes)
{
	char start[BUDGET_NAME_BYTES];

	memcpy(start, name, bytes);
	start[bytes] = 0;
	if (!demangle_plain(out, start))
		return false;
	strbuf__text(out, name + bytes);
	return true;
}

bool demangle__append(struct strbuf *out, const char *name)
{
	const char *at = strchr(name, '@');
	size_t bytes = at ? (size_t)(at - name) : strlen(name);

	if (name[0] != '_' || (name[1] != 'Z' && name[1] != 'R') || bytes >= BUDGET_NAME_BYTES)
		return false;
	return demangle_start(out, name, bytes);
}

const user_functions_demangle peat_demangle = demangle__append;

/* Linking this is enough. */
__attribute__((constructor)) static void offer(void)
{
	user_functions__use(peat_demangle);
}

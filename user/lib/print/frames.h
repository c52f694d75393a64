/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * print/frames.h: prints stacks and addresses of code, with their names, as text and as JSON.
 *
 *	text	function+0x1f (libc.so.6) file.c:17
 *	JSON	{"symbol":"function","offset":31,"module":"/lib/libc.so.6","build_id":"8ad4...",
 *		"address":"0x7f33444f2ad7","file":"/src/file.c","line":17}
 */
#ifndef PEAT_PRINT_FRAMES_H
#define PEAT_PRINT_FRAMES_H

#include <peat/stack.h>

#include "base/strbuf.h"
#include "sys/kallsyms.h"

struct peat_symbols;

/* The names of an event's addresses. */
struct address_names {
	enum symbols kernel;	      /* used without `symbols` */
	struct peat_symbols *symbols; /* NULL: names of the kernel only */
};

/* The kernel's symbols that are right for the event; no_symbols: the user wants no names at all. */
enum symbols frames__kernel_symbols(const struct peat_event *event, bool no_symbols);

/* `symbols` as in peat_sink_opts. */
struct address_names frames__names(const struct peat_event *event, bool no_symbols,
				   struct peat_symbols *symbols);

/* Appends a frame of a stack. */
void frames__append(struct strbuf *out, const struct peat_stack_frame *frame);
void frames__append_json(struct strbuf *out, const struct peat_stack_frame *frame);

/* The address space of the instruction that a record was taken at. */
enum peat_space frames__space(const struct peat_record *record, uint64_t address);

/*
 * Appends an address that the event has outside of its stack.  Text is for a line with other
 * values: it has no module, and a function with blanks in its name is quoted.
 */
void frames__append_address(struct strbuf *out, const struct peat_event *event,
			    const struct address_names *names, enum peat_space space,
			    uint64_t address);
void frames__append_json_address(struct strbuf *out, const struct peat_event *event,
				 const struct address_names *names, enum peat_space space,
				 uint64_t address);

/* As frames__append_json_address(), but named by the kernel's symbols alone. */
void frames__append_json_kernel(struct strbuf *out, enum symbols kernel, uint64_t address);

/* Appends "\n        " and a frame for each frame of the event's stack, innermost first. */
void frames__append_stack(struct strbuf *out, const struct peat_event *event,
			  const struct address_names *names);

/*
 * Appends "\n    NAME:" and the frames of each user stack among the fields of the event, unless
 * names are unknown.
 */
void frames__append_user_fields(struct strbuf *out, const struct peat_event *event,
				const struct address_names *names);

/* Appends the user stack of a field as an array.  False, without output: names are unknown. */
bool frames__append_json_user(struct strbuf *out, const struct peat_event *event,
			      const struct address_names *names, const struct peat_field *field);

/*
 * Appends a comma and a member "stack", an array of frames, if the event has a stack.  It is
 * "sample_stack" if the event has a field of that name.
 */
void frames__append_json_stack(struct strbuf *out, const struct peat_event *event,
			       const struct address_names *names);

#endif /* PEAT_PRINT_FRAMES_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * functions/function_probe.h: a source that names functions or tracepoints, made into an object
 * with a type of events, and a plan for each function.
 *
 *	source, wanted fields ──▶ functions, prototypes ──▶ struct in BTF, plans ──▶ object, plans
 */
#ifndef PEAT_FUNCTIONS_FUNCTION_PROBE_H
#define PEAT_FUNCTIONS_FUNCTION_PROBE_H

#include "functions/found_functions.h"
#include "functions/function_field.h"
#include "functions/plan.h"
#include "functions/source.h"

/* The fields that are read. */
struct wanted_fields {
	const char *const *paths; /* each has to exist, in one function at least */
	uint32_t count;
	/*
	 * Names that expressions and tables use: fields of the events, or of all events ("pid",
	 * "comm"): those that the function has are read.
	 */
	const char *const *names;
	uint32_t name_count;
	bool no_others; /* only these; false: without `paths`, all that there are */
};

/* The most functions of a source, unless the caller allows more. */
#define FUNCTION_PROBE_MOST 4000

struct function_probe {
	struct function_source source;
	char *path;		      /* of the file of a user function; NULL: others */
	struct found_functions found; /* each has a plan: found.at[i] plans[i + 1] */
	struct function_plan *plans;  /* plans[0] is none */
	void *object;		      /* ELF file */
	size_t object_bytes;
	bool needs_return; /* programs run at the call and at the return */
	bool wants_caller;
	bool keeps_calls;	/* needs_return: it reads more of the call than its time */
	bool reads_user_memory; /* through pointers */
	bool by_fentry;		/* attached by fentry and fexit instead of kprobes */

	/* To make plans for the functions of other files: function_places.h. */
	struct function_field *fields;
	uint32_t field_count, own; /* own: the first one that is no name */
	bool has_members;	   /* some are members of structs */
};

/*
 * Makes the probe of a parsed source, which it owns from then on, also after an error.  `path`: the
 * file of a user function.  `btf`: a file with the kernel's BTF, or NULL.  `most`: functions; 0:
 * FUNCTION_PROBE_MOST.  0 or a negative errno; the log has the reason.
 */
int function_probe__make(struct function_probe *probe, struct function_source *source,
			 const char *path, const char *btf, const struct wanted_fields *wanted,
			 uint32_t most);

struct btf;

/*
 * Sets numbers[i] to the plan of function `i` of another file of the same library or program; 0: it
 * has none, since the probe has no function of this name, or its prototype here leads to another
 * plan.  `user_btf`: of the other file's prototypes, or NULL.  Functions without a prototype have
 * the plan of their name, unless it reads members of structs.  `differing` counts the functions
 * with another plan.  0 or -ENOMEM.
 */
int function_probe__match(const struct function_probe *probe, const struct found_functions *found,
			  struct btf *user_btf, uint64_t *numbers, size_t *differing);

/* The text of the source: "kprobe:vfs_read". */
const char *function_probe__name(const struct function_probe *probe);

void function_probe__free(struct function_probe *probe);

#endif /* PEAT_FUNCTIONS_FUNCTION_PROBE_H */

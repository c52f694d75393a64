/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * functions/event_struct.h: the struct of a function's events, in the BTF of the object whose
 * programs fill it in.
 *
 * A path is nested structs: file.f_inode.i_ino is a member `file` with a member `f_inode`.  A field
 * whose read can fail has a bit peat_has_NAME beside it, hidden, which its tag "peat:present:"
 * names. The last member is the event's stacks.
 */
#ifndef PEAT_FUNCTIONS_EVENT_STRUCT_H
#define PEAT_FUNCTIONS_EVENT_STRUCT_H

#include "functions/function_field.h"

/*
 * Adds the struct, and gives the fields' reads their places.  `plan` gets type, bytes, cleared,
 * flags and reads.  Fields may be none.  Two fields of one path, or a path that is a struct in
 * another ("file" and "file.f_inode"): -EEXIST.  -E2BIG: more than PLAN_BYTES bytes, PLAN_READS
 * fields, or 24 names in a path.  After a failure the BTF may have types that nothing uses.  Names
 * that are no identifiers, such as the glob of a source, are allowed for the struct: `name` is made
 * one. `stacks`: the id of struct peat_stacks in the BTF; 0: no stacks.
 */
int event_struct__add(struct field_types *types, const char *name, struct function_field *fields,
		      uint32_t count, int stacks, struct function_plan *plan);

/*
 * Adds the notes of peat_reserve() for the structs with these ids, which make them event types: the
 * last change of the BTF.  0 or a negative errno.
 */
int event_struct__finish(struct field_types *types, const uint32_t *ids, const uint32_t *bytes,
			 uint32_t count);

#endif /* PEAT_FUNCTIONS_EVENT_STRUCT_H */

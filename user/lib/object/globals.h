/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef PEAT_OBJECT_GLOBALS_H
#define PEAT_OBJECT_GLOBALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bpf_object;

/* A global variable. */
struct global {
	const char *name; /* owned by the BTF */
	uint32_t id;	  /* type id in the BTF */
	void *memory;	  /* see globals__find() */
	size_t bytes;
	bool is_constant; /* in .rodata */
	bool is_loaded;	  /* its map exists: a constant cannot be written any more */
};

/*
 * Finds the global variable number `i`, from 0, of all sections.  1: found; 0: `i` is after the
 * last; negative errno: see globals__find(), only its name and id are set.
 */
int globals__at(struct bpf_object *object, uint32_t i, struct global *global);

/*
 * Whether it is a variable of the probe itself, not of peat.bpf.h (set by the session), and not a
 * static variable in a function (has a dot in its name).
 */
bool globals__is_public(const struct global *global);

/*
 * Finds the public variable whose name is the first `name_bytes` bytes of `name`.  1: found; 0: no
 * such variable; negative errno: see globals__find().
 */
int globals__find_public(struct bpf_object *object, const char *name, size_t name_bytes,
			 struct global *global);

/*
 * The memory of the global variable `name`, and its size in `bytes`, valid as long as the object.
 * Before the load, it contains the initial value.  After the load, it is the variable itself,
 * shared with the programs; constants are then read-only.  NULL with errno:
 *   ENOENT: there is no such variable
 *   EBADMSG: BTF and memory do not match
 *   ENOTSUP: this kernel cannot map it
 */
void *globals__find(struct bpf_object *object, const char *name, size_t *bytes);

/*
 * Sets the global variable `name` of an object that is not loaded yet to `value` of `bytes` bytes;
 * the rest of a longer variable becomes 0.  -ENOENT: there is no such variable; -E2BIG: it is
 * shorter.
 */
int globals__set(struct bpf_object *object, const char *name, const void *value, size_t bytes);

#endif /* PEAT_OBJECT_GLOBALS_H */

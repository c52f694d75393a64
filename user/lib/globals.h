/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
#ifndef GLOBALS_H
#define GLOBALS_H

#include <stddef.h>

struct bpf_object;

/*
 * The memory of the global variable `name`, and its size in `bytes`.  Before the object is loaded
 * it holds the initial value.  Asked for after the load, it is the variable itself, shared with the
 * programs; a constant then cannot be written.  It lasts as long as the object.  NULL with errno,
 * ENOENT: there is no such variable, EBADMSG: BTF and memory do not fit together, ENOTSUP: this
 * kernel does not share it.
 */
void *globals__find(struct bpf_object *object, const char *name, size_t *bytes);

/*
 * Sets the global variable `name` of an object that is opened but not loaded to `value`, which is
 * `bytes` long; the rest of a longer variable becomes 0.  -ENOENT: there is no such variable,
 * -E2BIG: it is shorter.
 */
int globals__set(struct bpf_object *object, const char *name, const void *value, size_t bytes);

#endif /* GLOBALS_H */

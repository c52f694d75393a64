/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * functions/function_field.h: fields of a function's events: parameters, the result, and what
 * pointers lead to.
 *
 *	count				a parameter, by its name in the prototype
 *	arg1 ... arg12			a parameter by its number, also without a prototype
 *	result, latency			of a return
 *	caller				the address that the function returns to
 *	file.f_path.dentry.d_name.name	members, also of anonymous structs inside; pointers are
 *					followed
 *
 * A parameter with one of these names is preferred, except to the result and latency of a return;
 * the parameter has its number then.
 *
 * Types of the kernel or the program are copied with their names: integers, enums, bool.  Other
 * pointers are peat_hex_t.  "const char *" and char arrays are texts.  size_t is peat_size_t, and a
 * signed result of 4 or 8 bytes of a kernel function is peat_errno_t; latency is peat_duration_t.
 * __be16, __be32 and __be64 keep these names, so that schemas show ports and addresses.  A "char *"
 * that is not const is a pointer: it may be a buffer with nothing in it yet.
 */
#ifndef PEAT_FUNCTIONS_FUNCTION_FIELD_H
#define PEAT_FUNCTIONS_FUNCTION_FIELD_H

#include "base/strbuf.h"
#include "functions/plan.h"
#include "functions/prototype.h"

/* Types that fields need, in the BTF that they are added to, each made once. */
struct field_types {
	struct btf *btf;
	uint32_t text_bytes; /* room of a text behind a pointer */
	int char_type, u8, u32, u64, s64, hex, size, errno32, errno64, duration, kaddr;
};

/* Adds them, and sets text_bytes to 64.  0 or a negative errno. */
int field_types__init(struct field_types *types, struct btf *btf);

enum function_moment { FUNCTION_CALL, FUNCTION_RETURN };

struct function_field {
	char *path;	       /* as the caller wrote it */
	struct plan_read read; /* without its places in the event */
	int type;	       /* in field_types.btf */
	uint32_t bytes, align;
};

/*
 * Makes the field of a path.  `field` is zeroes before, and freed by function_field__free() after
 * success only.
 *
 *	0
 *	-ENOENT		no such parameter or member, or only returns have it
 *	-EINVAL		a type that cannot be a field: a struct, a union, a bit-field, a float;
 *			a member of what has none; a parameter by value before it
 *	-E2BIG		more than PLAN_STEPS pointers
 *	-EBADMSG	invalid BTF
 *	-ENOMEM
 *
 * `why` gets the reason in words, with the names that there are after -ENOENT: "struct file has no
 * member 'f_inod': did you mean "f_inode"? ...".
 */
int function_field__make(struct function_field *field, struct field_types *types,
			 const struct prototype *prototype, enum function_moment moment,
			 const char *path, struct strbuf *why);

/*
 * A number that is the same in all events of a plan, of an enum with these names from 0 on: the
 * caller sets read.offset[0].  Names that are no identifiers of C, such as "ns::f", are kept; the
 * kernel refuses BTF with such a name.
 */
int function_field__make_name(struct function_field *field, struct field_types *types,
			      const char *path, const char *const *names, uint32_t count);

/*
 * The fields if the user names none: each parameter that can be a field, and of a return the result
 * (unless void) and the latency; without a prototype result and latency; at most PLAN_READS.
 * Returns their number or a negative errno.
 */
int function_field__make_all(struct function_field fields[PLAN_READS], struct field_types *types,
			     const struct prototype *prototype, enum function_moment moment);

void function_field__free(struct function_field *field);

/*
 * Appends "ssize_t vfs_read(struct file *file, char *buf, size_t count, loff_t *pos)"; the name
 * alone if the prototype is unknown.
 */
void prototype__append(struct strbuf *out, const struct prototype *prototype, const char *name);

#endif /* PEAT_FUNCTIONS_FUNCTION_FIELD_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* field/call_names.h: constants of the kernel in arguments of system calls, by class. */
#ifndef PEAT_FIELD_CALL_NAMES_H
#define PEAT_FIELD_CALL_NAMES_H

#include <peat/schema.h>

#include "field/call_table.h"

/* Constant fields with the names of an array. */
#define CALL_NAMED(as, array)                                                                      \
	{                                                                                          \
		.name = "", .kind = PEAT_FIELD_##as, .span = 1, .bytes = 4, .names = (array),      \
		.name_count = sizeof(array) / sizeof(*(array))                                     \
	}
#define CALL_FLAGS(array) CALL_NAMED(FLAGS, array)
#define CALL_ENUM(array)                                                                           \
	{                                                                                          \
		.name = "", .kind = PEAT_FIELD_ENUM, .span = 1, .bytes = 4, .is_signed = true,     \
		.names = (array), .name_count = sizeof(array) / sizeof(*(array))                   \
	}
#define CALL_NUMBER(as, size, has_sign)                                                            \
	{                                                                                          \
		.name = "", .kind = PEAT_FIELD_##as, .span = 1, .bytes = (size),                   \
		.is_signed = (has_sign)                                                            \
	}

/* A field of the size and the names of the class: FLAGS, ENUM, SIGNAL or a plain number. */
const struct peat_field *call_names__of(enum call_class class, enum call_machine machine);

/* socket_names.c: those classes that call_names__of() leaves to it. */
const struct peat_field *socket_names__of(enum call_class class);

/* socket_names.c: names of the protocols of a family, and of the options of a level. */
const struct peat_field *call_names__protocols(uint32_t family);
const struct peat_field *call_names__socket_options(uint32_t level);

/* ioctl_names.c: commands of ioctl(2). */
extern const struct peat_field call_names__ioctls;

/* Flags beside an operation: of futex(2), socket(2) and semget(2). */
extern const struct peat_field call_names__futex_flags, call_names__socket_flags,
	call_names__ipc_flags;

#endif /* PEAT_FIELD_CALL_NAMES_H */

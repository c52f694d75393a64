/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * object_file.h: describes a BPF object, from its file alone: loads nothing, needs no privilege.
 *
 *	struct peat_object *object = peat_object__open_file("exec.bpf.o");
 *	const struct peat_schema *type;
 *
 *	for (uint32_t i = 0; (type = peat_object__type(object, i)); i++)
 *		puts(peat_schema__name(type));
 *	peat_object__free(object);
 *
 * Numbers start at 0.  Everything returned is valid as long as the object.
 */
#ifndef PEAT_OBJECT_FILE_H
#define PEAT_OBJECT_FILE_H

#include <peat/common.h>
#include <peat/schema.h>

PEAT_BEGIN_DECLS

struct peat_object;

/*
 * Reads an object from memory: `count` bytes at `bytes`, 8-byte aligned, needed during the call
 * only.  Messages call it `name`, which may be a path: the object has the name of the file
 * without .bpf.o.  From this call on, libbpf's messages go to the function set by peat_set_print(),
 * as with peat_session__new().
 *
 * NULL and errno on failure, with the reason in the log:
 *	EINVAL	not a BPF object, or one without BTF
 *	EBADMSG	invalid BTF
 *	ENOMEM	no memory
 *	other errors of libbpf
 */
PEAT_API struct peat_object *peat_object__open(const void *bytes, size_t count, const char *name);

/*
 * Reads an object from a file.  Its name is the file's without .bpf.o.  Fails like
 * peat_object__open(), and with ENOENT and EACCES.
 */
PEAT_API struct peat_object *peat_object__open_file(const char *path);

/* Accepts NULL. */
PEAT_API void peat_object__free(struct peat_object *object);

PEAT_API const char *peat_object__name(const struct peat_object *object);

/* True if the object includes peat.bpf.h: its events are carried by a channel. */
PEAT_API bool peat_object__has_channel(const struct peat_object *object);

/* Returns event type `i` of those that the programs reserve, each once; NULL after the last. */
PEAT_API const struct peat_schema *peat_object__type(const struct peat_object *object, uint32_t i);

/* A constant of the programs that users may set: PEAT_OPTION() of peat.bpf.h. */
struct peat_option {
	size_t sz;	  /* sizeof(struct peat_option), set by the caller */
	const char *name; /* the variable's */
	const char *doc;  /* the author's description */
	/* Kind of the value, by type and tags, as for a member of an event. */
	enum peat_field_kind kind;
	uint32_t bytes; /* size of the variable */
	/* Default; 0 if it is not a number (peat_field__number()). */
	uint64_t value;
	/* Default of a STRING; NULL for other kinds. */
	const char *text;
	/* Signedness, names of an enum, and the other properties of a field. */
	const struct peat_field *field;
};

/* Returns 1 and option `i`, 0 after the last one, or a negative errno. */
PEAT_API int peat_object__option(const struct peat_object *object, uint32_t i,
				 struct peat_option *option);

/*
 * Returns the other global variables in the same way: those that peat_session__set_variable()
 * accepts.  For a variable that is neither a number nor text, `field` describes its parts.  A
 * variable with a type unknown to peat is left out.
 */
PEAT_API int peat_object__variable(const struct peat_object *object, uint32_t i,
				   struct peat_option *variable);

/* A map that is a table: PEAT_TABLE() or PEAT_HIST() of peat.bpf.h. */
struct peat_object_table {
	size_t sz;			  /* sizeof(struct peat_object_table), set by the caller */
	const char *name;		  /* the map's; pointers are valid as long as the object */
	const char *doc;		  /* by PEAT_TABLE(); NULL: none */
	const char *unit;		  /* by PEAT_HIST(): "ns", "bytes"; NULL: none */
	const struct peat_schema *schema; /* columns */
	uint32_t keys;			  /* columns that are the key: the first ones */
	uint32_t reserved;
};

/* Returns 1 and table `i`, 0 after the last one, or a negative errno. */
PEAT_API int peat_object__table(const struct peat_object *object, uint32_t i,
				struct peat_object_table *table);

/* A counter that the programs read: PEAT_COUNTER() of counter.bpf.h. */
struct peat_object_counter {
	size_t sz;	   /* sizeof(struct peat_object_counter), set by the caller */
	const char *name;  /* the map's; pointers are valid as long as the object */
	const char *event; /* as the object names it: "cycles:u" */
	const char *doc;   /* NULL: none */
	bool optional;	   /* the object works without it: PEAT_OPTIONAL */
	uint8_t reserved[7];
};

/* Returns 1 and counter `i`, 0 after the last one, or a negative errno. */
PEAT_API int peat_object__counter(const struct peat_object *object, uint32_t i,
				  struct peat_object_counter *counter);

/* A program of the object. */
struct peat_hook {
	size_t sz;	     /* sizeof(struct peat_hook), set by the caller */
	const char *program; /* name of its function */
	const char *section; /* attach point: "tp_btf/sched_process_exec" */
	bool optional;	     /* the other programs work without it: PEAT_OPTIONAL of peat.bpf.h */
	bool one_process;    /* PEAT_ONE_PROCESS of peat.bpf.h */
	uint8_t reserved[6];
};

/* Returns 1 and program `i`, 0 after the last one, or a negative errno. */
PEAT_API int peat_object__hook(const struct peat_object *object, uint32_t i,
			       struct peat_hook *hook);

/*
 * Prepares an ELF file for this kernel in place, before libbpf opens it: `bytes` bytes at `elf`,
 * 8-byte aligned.  For callers that open objects by another way than peat_channel__open() and
 * sessions, which prepare what they open.  Before Linux 5.12, objects that include peat.bpf.h get
 * plain locks; on a kernel without BTF, programs of tp_btf become programs of raw_tp.  On other
 * kernels nothing is changed.
 *
 *	0		prepared
 *	-EOPNOTSUPP	see peat_channel__open()
 *	-EINVAL		the object was compiled with an older peat.bpf.h
 *	-EBADMSG	not an ELF file of BPF programs
 */
PEAT_API int peat_object__prepare(void *elf, size_t bytes);

PEAT_END_DECLS

#endif /* PEAT_OBJECT_FILE_H */

/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * object_file.h: what is in a BPF object, read from the file alone: nothing is loaded, no privilege
 * is needed.
 *
 *	struct peat_object *object = peat_object__open_file("exec.bpf.o");
 *	const struct peat_schema *type;
 *
 *	for (uint32_t i = 0; (type = peat_object__type(object, i)); i++)
 *		puts(peat_schema__name(type));
 *	peat_object__free(object);
 *
 * What is asked for by number begins with 0.  All that is lent is valid as long as the object.
 */
#ifndef PEAT_OBJECT_FILE_H
#define PEAT_OBJECT_FILE_H

#include <peat/common.h>
#include <peat/schema.h>

PEAT_BEGIN_DECLS

struct peat_object;

/*
 * The object of which `bytes` has all `count` bytes; they are needed during the call only, and are
 * 8-byte aligned.  `name` is what messages call it.  libbpf's messages go where peat_set_print()
 * says from here on, as with peat_session__new().  NULL and errno, with the reason in the log:
 * EINVAL (no BPF object, or one without BTF), EBADMSG (its BTF makes no sense), ENOMEM, and what
 * libbpf has to say.
 */
PEAT_API struct peat_object *peat_object__open(const void *bytes, size_t count, const char *name);

/* The same from a file, whose name without .bpf.o is that of the object; also ENOENT, EACCES. */
PEAT_API struct peat_object *peat_object__open_file(const char *path);

/* Takes NULL. */
PEAT_API void peat_object__free(struct peat_object *object);

PEAT_API const char *peat_object__name(const struct peat_object *object);

/* Whether its events come through a channel: it includes peat.bpf.h. */
PEAT_API bool peat_object__has_channel(const struct peat_object *object);

/* The types of events that its programs reserve, each once; NULL behind the last. */
PEAT_API const struct peat_schema *peat_object__type(const struct peat_object *object, uint32_t i);

/* A constant of the programs that users may choose: PEAT_OPTION() of peat.bpf.h. */
struct peat_option {
	size_t sz;	  /* sizeof(struct peat_option), set by the caller */
	const char *name; /* the variable's */
	const char *doc;  /* what it does, in the author's words */
	/* What it holds, by its type and tags, as with a member of an event. */
	enum peat_field_kind kind;
	uint32_t bytes; /* of the variable */
	/* What it is when nothing is chosen; 0 if it is no number (peat_field__number()). */
	uint64_t value;
	/* The same of a STRING; NULL: it is none. */
	const char *text;
	/* For the sign, the names of an enum, and what else a field has. */
	const struct peat_field *field;
};

/* 1 and an option, 0 behind the last one, or a negative errno. */
PEAT_API int peat_object__option(const struct peat_object *object, uint32_t i,
				 struct peat_option *option);

/*
 * Its other global variables, likewise: those that peat_session__set_variable() takes.  Of one that
 * is no number and no text `field` says what it is made of; what has no type of ours is left out.
 */
PEAT_API int peat_object__variable(const struct peat_object *object, uint32_t i,
				   struct peat_option *variable);

/* One of its programs. */
struct peat_hook {
	size_t sz;	     /* sizeof(struct peat_hook), set by the caller */
	const char *program; /* the name of its function */
	const char *section; /* where it is attached: "tp_btf/sched_process_exec" */
	bool optional;	     /* the others make sense without it: PEAT_OPTIONAL of peat.bpf.h */
	uint8_t reserved[7];
};

/* 1 and a program, 0 behind the last one, or a negative errno. */
PEAT_API int peat_object__hook(const struct peat_object *object, uint32_t i,
			       struct peat_hook *hook);

PEAT_END_DECLS

#endif /* PEAT_OBJECT_FILE_H */

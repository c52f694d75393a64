/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * schema.h: describes the fields of an event.
 *
 *	BTF of the probe's object ──▶ struct peat_schema ──▶ text, JSON, or your own sink
 *
 * A schema is made once per event type, from BTF.  It is a flat list of fields.  A struct, a union
 * and an array are fields too, followed by the fields inside them; `span` skips those:
 *
 *	for (field = fields; field < fields + count; field += field->span)
 *		...a member of the event...
 *	for (inner = field + 1; inner < field + field->span; inner += inner->span)
 *		...a member of the struct, or the element of the array...
 *
 * Events may be shorter than their type (peat_submit_bytes()), and lack fields whose memory could
 * not be read (PEAT_PRESENT).  Functions that read a field get the event's size; a missing field is
 * not an error.
 */
#ifndef PEAT_SCHEMA_H
#define PEAT_SCHEMA_H

#include <peat/common.h>

PEAT_BEGIN_DECLS

struct btf; /* libbpf's */
struct peat_schema;

enum peat_field_kind {
	PEAT_FIELD_UNSIGNED,
	PEAT_FIELD_SIGNED,
	PEAT_FIELD_HEX, /* an unsigned number, printed as 0x... */
	PEAT_FIELD_BOOL,
	PEAT_FIELD_FLOAT,
	PEAT_FIELD_ENUM,     /* a number, some of which have names */
	PEAT_FIELD_FLAGS,    /* a number, some bits of which have names */
	PEAT_FIELD_STRING,   /* up to the first NUL, or all of `bytes` */
	PEAT_FIELD_STRINGS,  /* consecutive strings, each with its NUL */
	PEAT_FIELD_BYTES,    /* in hexadecimal */
	PEAT_FIELD_IPV4,     /* 4 bytes in network order; likewise the next three */
	PEAT_FIELD_IPV6,     /* 16 bytes; ::ffff:192.0.2.1 is printed as 192.0.2.1 */
	PEAT_FIELD_MAC,	     /* 6 bytes */
	PEAT_FIELD_PORT,     /* 2 bytes */
	PEAT_FIELD_ERRNO,    /* a result: a negative errno has a name */
	PEAT_FIELD_SIGNAL,   /* a signal's number */
	PEAT_FIELD_DURATION, /* nanoseconds */
	PEAT_FIELD_SIZE,     /* bytes */
	PEAT_FIELD_KADDR,    /* a kernel address, printed as a symbol */
	PEAT_FIELD_KSTACK,   /* a result of bpf_get_stackid(), printed as symbols */
	PEAT_FIELD_STRUCT,
	PEAT_FIELD_UNION,
	PEAT_FIELD_ARRAY, /* `count` elements, each described by the next field */
	/*
	 * The event's stacks, at its end: peat_event__addresses() (stack.h).  In a table, the
	 * number of a stack: peat_table_opts.stack_id.
	 */
	PEAT_FIELD_STACK,
	/*
	 * A struct with the members address, IPV6, and port, PORT: 18 bytes.  Text has both in one:
	 * "192.0.2.1:443", "[2001:db8::1]:443".
	 */
	PEAT_FIELD_ENDPOINT,
	PEAT_FIELD_USTACK, /* as KSTACK, of a process: peat_symbols__field() names it */
	PEAT_FIELD_CHARS   /* characters and any other bytes, also NULs; text has escapes */
};

/* Kinds that have the same sort of value. */
enum peat_field_class {
	PEAT_CLASS_NUMBER, /* UNSIGNED, SIGNED, HEX, PORT, DURATION, SIZE */
	PEAT_CLASS_NAMED,  /* numbers, some of which have names: BOOL, ENUM, FLAGS, ERRNO, SIGNAL */
	PEAT_CLASS_CODE,   /* numbers: KADDR, KSTACK, USTACK */
	PEAT_CLASS_FLOAT,  /* FLOAT */
	PEAT_CLASS_TEXT,   /* STRING, STRINGS, CHARS */
	PEAT_CLASS_BYTES,  /* BYTES */
	PEAT_CLASS_ADDRESS,  /* IPV4, IPV6, MAC, ENDPOINT */
	PEAT_CLASS_MEMBERS,  /* STRUCT, UNION */
	PEAT_CLASS_ELEMENTS, /* ARRAY */
	PEAT_CLASS_STACK     /* STACK */
};

/*
 * Location of a field's bytes.  DATA_LOC and REL_LOC occur in tracepoints: the field's offset has a
 * uint32_t, size << 16 | distance.  The distance is counted from the start of the event for
 * DATA_LOC, and from the end of that uint32_t for REL_LOC.
 */
enum peat_field_place { PEAT_PLACE_OFFSET, PEAT_PLACE_DATA_LOC, PEAT_PLACE_REL_LOC };

/* A value of an enum, or one or several bits of flags. */
struct peat_name {
	uint64_t value; /* sign-extended if the enum is signed */
	const char *name;
};

struct peat_field {
	const char *name; /* "" for the elements of an array */
	enum peat_field_kind kind;
	uint32_t span;	    /* this field and those inside: 1 unless STRUCT, UNION or ARRAY */
	uint32_t offset;    /* bytes from the start of the event, the struct or the element */
	uint32_t bytes;	    /* size; 0: the rest of the event, for an array without a size at */
			    /* its end, and for a `place` other than OFFSET */
	uint8_t bit_offset; /* bit-field: its lowest bit in the number at `offset`, */
	uint8_t bits;	    /* and its number of bits; 0: not a bit-field */
	bool is_signed;	    /* SIGNED, ENUM, ERRNO: sign-extend */
	bool big_endian;    /* the number is in network order, on every machine */
	uint32_t count;	    /* ARRAY: number of elements; 0: as many as the event has */
	uint32_t name_count;
	enum peat_field_place place;   /* OFFSET unless STRING, STRINGS, CHARS, BYTES or ARRAY */
	const struct peat_name *names; /* ENUM and FLAGS: sorted by unsigned value */
	const char *doc;	       /* the author's description; NULL: none */
	const struct peat_schema *schema;
	/*
	 * STRING, STRINGS, CHARS, BYTES: a number in the same struct that limits the bytes in use;
	 * NULL: all are in use.  Text and JSON omit the other bytes, and never exceed the event.
	 * A number: without all of its bytes in use, it is missing.
	 */
	const struct peat_field *length;
	bool is_minor;	/* terminals that are too narrow for all fields omit it: PEAT_MINOR */
	bool is_rare;	/* likewise, and all terminals omit it while it is 0 or empty: PEAT_RARE */
	bool is_hidden; /* printed only if chosen by name: PEAT_HIDDEN */
	/*
	 * A number in the same struct: while it is 0, or the event ends before it, this field is
	 * absent, as if the event ended before this field: PEAT_PRESENT.  NULL: always there, as a
	 * STRUCT, a UNION, an ENDPOINT and a STACK are.
	 */
	const struct peat_field *presence;
};

/* The class of the field's kind; BYTES for a kind that the library does not know. */
PEAT_API enum peat_field_class peat_field__class(const struct peat_field *field);

/* A short description of the field's kind, with the unit of its number: "duration, ns". */
PEAT_API const char *peat_field__word(const struct peat_field *field);

/* The unit of the field's number: "ns", "bytes".  NULL: it has none. */
PEAT_API const char *peat_field__unit(const struct peat_field *field);

/*
 * Makes the schema of a struct or a union.  The schema does not need `btf` afterwards.
 *
 * NULL and errno on failure, with the reason in the log:
 *	EINVAL	another type; more than 65,535 bytes; nested more than 32 deep; more than 4096
 *		fields
 *	EBADMSG	invalid BTF
 *	ENOMEM	no memory
 */
PEAT_API struct peat_schema *peat_schema__new(const struct btf *btf, uint32_t btf_id);

/* Accepts NULL.  Do not free the schemas of a channel, which owns them. */
PEAT_API void peat_schema__free(struct peat_schema *schema);

/* The type's name, and its author's description; NULL: no description. */
PEAT_API const char *peat_schema__name(const struct peat_schema *schema);
PEAT_API const char *peat_schema__doc(const struct peat_schema *schema);

/*
 * The author's words of PEAT_SUBJECT() and PEAT_LIKE(): the subject of the events, and the tools
 * that answer the same question.  NULL: none.
 */
PEAT_API const char *peat_schema__subject(const struct peat_schema *schema);
PEAT_API const char *peat_schema__like(const struct peat_schema *schema);

/* Size of the type; events can be shorter. */
PEAT_API uint32_t peat_schema__bytes(const struct peat_schema *schema);

/*
 * All fields, with those inside a struct after the struct.  Stores their number in `count`, which
 * may be NULL.
 */
PEAT_API const struct peat_field *peat_schema__fields(const struct peat_schema *schema,
						      uint32_t *count);

/*
 * Finds a field by its path: "ppid", "from.port".  Fields inside an array have no path.  Stores the
 * offset of the struct that has the field in `offset`, which may be NULL; 0: a field of the event
 * itself.  NULL and errno ENOENT: no such field.
 */
PEAT_API const struct peat_field *peat_schema__find(const struct peat_schema *schema,
						    const char *path, uint32_t *offset);

/*
 * Whether events of the type have the user, the cgroup and, if requested, the identity of their
 * task: peat_event.has_owner (reader.h).
 */
PEAT_API bool peat_schema__has_owner(const struct peat_schema *schema);

/*
 * Whether they can have an identity: events with an owner, and events of a recording that has their
 * cgroups.
 */
PEAT_API bool peat_schema__has_identity(const struct peat_schema *schema);

/*
 * Stores the number in a field in `value`, sign-extended if signed.  `data` is the start of the
 * event, the struct or the element, and may be read for `bytes` bytes.  Kinds up to FLAGS except
 * FLOAT, PORT to KSTACK, and USTACK have numbers.
 *
 * False: the event ends before the field, the field is absent, or the kind has no number.
 */
PEAT_API bool peat_field__number(const struct peat_field *field, const void *data, uint32_t bytes,
				 uint64_t *value);

/*
 * Prints a field as text, as in a column: "17", "1.5ms", "O_CREAT|O_CLOEXEC", "[1 2]", "{a=1 b=2}".
 * An array of characters with several strings, each with its NUL, has all of them if a length
 * beside it (NAME_size, NAME_len) or the end of the event shows that they belong to it.
 * "-": the event ends before the field, or the field is absent.  Hidden members of a struct are
 * left out.  Control characters and invalid UTF-8 are printed as \n, \x1b and so on.
 * "(no memory)": there is no memory to make the text.
 * Like snprintf(), writes at most `room` bytes including the NUL, and returns the length of the
 * whole text without the NUL.
 */
PEAT_API size_t peat_field__text(const struct peat_field *field, const void *data, uint32_t bytes,
				 char *text, size_t room);

PEAT_END_DECLS

#endif /* PEAT_SCHEMA_H */

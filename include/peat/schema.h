/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * schema.h: what the bytes of an event mean.
 *
 *	BTF of the probe's object ──▶ struct peat_schema ──▶ text, JSON, or your own sink
 *
 * A schema is made once for a type of events.  It is a flat list of fields; nothing of BTF is
 * looked at for an event.  A struct, a union and an array are fields too, followed by those inside
 * of them; `span` leads past them:
 *
 *	for (field = fields; field < fields + count; field += field->span)
 *		...a member of the event...
 *	for (inner = field + 1; inner < field + field->span; inner += inner->span)
 *		...a member of the struct, or what each element of the array is...
 *
 * Events may be shorter than their type (peat_submit_bytes()): what is not there is not an error,
 * and whoever reads a field says how many bytes there are.
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
	PEAT_FIELD_HEX, /* an unsigned number, to be shown as 0x... */
	PEAT_FIELD_BOOL,
	PEAT_FIELD_FLOAT,
	PEAT_FIELD_ENUM,     /* a number, some of which have names */
	PEAT_FIELD_FLAGS,    /* a number, some bits of which have names */
	PEAT_FIELD_STRING,   /* up to the first NUL, or all of `bytes` */
	PEAT_FIELD_STRINGS,  /* strings, one behind the other, each with its NUL */
	PEAT_FIELD_BYTES,    /* in hexadecimal */
	PEAT_FIELD_IPV4,     /* 4 bytes in network order; likewise the next three */
	PEAT_FIELD_IPV6,     /* 16 bytes */
	PEAT_FIELD_MAC,	     /* 6 bytes */
	PEAT_FIELD_PORT,     /* 2 bytes */
	PEAT_FIELD_ERRNO,    /* a result: a negative errno has a name */
	PEAT_FIELD_SIGNAL,   /* a signal's number */
	PEAT_FIELD_DURATION, /* nanoseconds */
	PEAT_FIELD_SIZE,     /* bytes */
	PEAT_FIELD_KADDR,    /* an address in the kernel, symbolised */
	PEAT_FIELD_KSTACK,   /* what bpf_get_stackid() returned, symbolised */
	PEAT_FIELD_STRUCT,
	PEAT_FIELD_UNION,
	PEAT_FIELD_ARRAY /* `count` elements, each as the field behind this one says */
};

/*
 * Where the bytes of a field are.  Those of DATA_LOC and REL_LOC, which tracepoints have, are where
 * the uint32_t at the field's offset says: it is their number << 16 | how far they are from where
 * the event begins, or from the end of that uint32_t.
 */
enum peat_field_place { PEAT_PLACE_OFFSET, PEAT_PLACE_DATA_LOC, PEAT_PLACE_REL_LOC };

/* A value of an enum, or a bit (or several) of flags. */
struct peat_name {
	uint64_t value; /* sign-extended if the enum is signed */
	const char *name;
};

struct peat_field {
	const char *name; /* "" for the elements of an array */
	enum peat_field_kind kind;
	uint32_t span;	    /* this field and those inside: 1 unless STRUCT, UNION or ARRAY */
	uint32_t offset;    /* bytes from where the event, the struct or the element begins */
	uint32_t bytes;	    /* 0: all that is left of the event, for what ends it without a size, */
			    /* and what the event says the place of */
	uint8_t bit_offset; /* of a bit-field: the lowest bit in the number at `offset`, and how */
	uint8_t bits;	    /* many; 0: no bit-field */
	bool is_signed;	    /* of SIGNED, ENUM, ERRNO: sign-extend */
	bool big_endian;    /* the number is in network order, whatever the machine's is */
	uint32_t count;	    /* of an ARRAY: elements; 0: as many as the event has */
	uint32_t name_count;
	enum peat_field_place place;   /* not OFFSET: of a STRING, STRINGS, BYTES or ARRAY alone */
	const struct peat_name *names; /* of ENUM and FLAGS, by rising (unsigned) value */
	const char *doc;	       /* what it is, in the author's words; NULL: no word */
	const struct peat_schema *schema;
	/*
	 * Of STRING, STRINGS and BYTES: the number beside it, in the same struct, that says how
	 * many of the bytes count; NULL: all.  Text and JSON have no others, and no more than there
	 * are.
	 */
	const struct peat_field *length;
};

/*
 * The schema of a type, which has to be a struct or a union.  It owns nothing of `btf` and outlives
 * it.  NULL and errno: EINVAL (another type; an event has more than 65,535 bytes; nested more than
 * 32 deep, more than 4096 fields), EBADMSG (BTF that makes no sense), ENOMEM; the log says which.
 */
PEAT_API struct peat_schema *peat_schema__new(const struct btf *btf, uint32_t btf_id);

/* Takes NULL.  Not for those of a channel, which are the channel's. */
PEAT_API void peat_schema__free(struct peat_schema *schema);

/* The type's name, and what its author says about it (NULL: nothing). */
PEAT_API const char *peat_schema__name(const struct peat_schema *schema);
PEAT_API const char *peat_schema__doc(const struct peat_schema *schema);

/* Of the whole type; events can be shorter. */
PEAT_API uint32_t peat_schema__bytes(const struct peat_schema *schema);

/* All fields, those of structs behind the structs; their number in `count`. */
PEAT_API const struct peat_field *peat_schema__fields(const struct peat_schema *schema,
						      uint32_t *count);

/* A field by its path: "ppid", "from.port"; no way leads into an array.  NULL: there is none. */
PEAT_API const struct peat_field *peat_schema__find(const struct peat_schema *schema,
						    const char *path, uint32_t *offset);

/*
 * The number in a field (of a kind up to FLAGS but FLOAT, or PORT to KSTACK), in `value`; a signed
 * one sign-extended.  `data` is where the event, the struct or the element begins, of which `bytes`
 * may be read.  False: the event ends before it, or the field holds no number.
 */
PEAT_API bool peat_field__number(const struct peat_field *field, const void *data, uint32_t bytes,
				 uint64_t *value);

/*
 * The field as text, as in a column: "17", "1.5ms", "O_CREAT|O_CLOEXEC", "[1 2]", "{a=1 b=2}".
 * Control characters and what is not UTF-8 come as \n, \x1b and the like.  At most `room` bytes
 * with the NUL are written, as with snprintf(); returns the length without it, however much fitted.
 * "-" when the event ends before the field.
 */
PEAT_API size_t peat_field__text(const struct peat_field *field, const void *data, uint32_t bytes,
				 char *text, size_t room);

PEAT_END_DECLS

#endif /* PEAT_SCHEMA_H */

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* field/call_text.c: prints the arguments of a system call, each by its class. */
#include <string.h>

#include "base/escape.h"
#include "field/call_names.h"
#include "field/call_text.h"
#include "field/field_text.h"
#include "field/fields.h"

#define O_CREAT_BIT    0100u
#define O_TMPFILE_BIT  020000000u
#define O_ACCMODE_BITS 3u

/* The argument that is printed. */
struct argument {
	enum call_class class;
	const struct call_values *values;
	uint32_t at; /* its index */
	uint64_t value;
	const char *memory; /* NULL: none was read */
	uint32_t bytes;
};

/* ---- numbers --------------------------------------------------------------------------------- */

/* A register may have other bits above those of its argument. */
static uint64_t value_of(const struct peat_field *field, uint64_t number)
{
	if (field->bytes == 8)
		return number;
	return field->is_signed ? (uint64_t)(int64_t)(int32_t)number : (uint32_t)number;
}

static void append_as(struct strbuf *out, const struct peat_field *field, uint64_t number)
{
	field_text__append_number(out, field, value_of(field, number), (struct field_style){ 0 });
}

static void append_class(struct strbuf *out, const struct argument *argument, enum call_class class)
{
	append_as(out, call_names__of(class, argument->values->machine), argument->value);
}

static void append_hex(struct strbuf *out, uint64_t number)
{
	if (number)
		strbuf__hex(out, number);
	else
		strbuf__char(out, '0');
}

static void append_address(struct strbuf *out, uint64_t address)
{
	if (address)
		strbuf__hex(out, address);
	else
		strbuf__text(out, "NULL");
}

static void append_octal(struct strbuf *out, uint32_t mode)
{
	char digits[12], *digit = digits + sizeof(digits);

	*--digit = 0;
	for (; mode; mode >>= 3)
		*--digit = (char)('0' + (mode & 7));
	*--digit = '0';
	strbuf__text(out, digit);
}

/* ---- names and more -------------------------------------------------------------------------- */

/* Appends the rest of a value after its first names, unless it is 0. */
static void append_more(struct strbuf *out, const struct peat_field *flags, uint64_t rest)
{
	if (!rest)
		return;
	strbuf__char(out, '|');
	append_as(out, flags, rest);
}

static void append_open_flags(struct strbuf *out, const struct argument *argument)
{
	static const char *const modes[] = { "O_RDONLY", "O_WRONLY", "O_RDWR", "O_ACCMODE" };
	uint32_t flags = (uint32_t)argument->value;

	strbuf__text(out, modes[flags & O_ACCMODE_BITS]);
	append_more(out, call_names__of(CALL_OPEN, argument->values->machine),
		    flags & ~O_ACCMODE_BITS);
}

/* The lowest byte is the signal at the end of the child, or CLONE_NEWTIME of unshare(2). */
static void append_clone_flags(struct strbuf *out, const struct argument *argument)
{
	const struct peat_field *signals = call_names__of(CALL_SIGNAL, argument->values->machine);
	uint64_t low = argument->value & 0xff, flags = argument->value & 0xffffff00;

	if (flags || !low)
		append_as(out, call_names__of(CALL_CLONE, argument->values->machine), flags);
	if (flags && low)
		strbuf__char(out, '|');
	if (low == 0x80)
		strbuf__text(out, "CLONE_NEWTIME");
	else if (low)
		append_as(out, signals, low);
}

static void append_futex(struct strbuf *out, const struct argument *argument)
{
	append_as(out, call_names__of(CALL_FUTEX, argument->values->machine),
		  argument->value & 0x7f);
	append_more(out, &call_names__futex_flags, argument->value & 0xffffff80);
}

static void append_socket_type(struct strbuf *out, const struct argument *argument)
{
	append_as(out, call_names__of(CALL_SOCKET_TYPE, argument->values->machine),
		  argument->value & 0xf);
	append_more(out, &call_names__socket_flags, argument->value & 0xfffffff0);
}

/* Flags and a mode, "IPC_CREAT|0600". */
static void append_ipc_flags(struct strbuf *out, uint32_t value)
{
	uint32_t mode = value & 0777, flags = value & ~0777u;

	if (flags)
		append_as(out, &call_names__ipc_flags, flags);
	if (flags && mode)
		strbuf__char(out, '|');
	if (mode || !flags)
		append_octal(out, mode);
}

static void append_ioctl(struct strbuf *out, uint32_t command)
{
	if (!field_text__append_name(out, &call_names__ioctls, command))
		append_hex(out, command);
}

/* ---- by another argument --------------------------------------------------------------------- */

static uint32_t previous(const struct argument *argument)
{
	return (uint32_t)argument->values->args[argument->at - 1];
}

enum fcntl_form {
	FCNTL_NONE,
	FCNTL_INT,
	FCNTL_BITS,
	FCNTL_FD_FLAGS,
	FCNTL_OPEN,
	FCNTL_SIGNAL,
	FCNTL_ADDRESS
};

static enum fcntl_form fcntl_form(uint32_t command)
{
	switch (command) {
	case 1:	   /* F_GETFD */
	case 3:	   /* F_GETFL */
	case 9:	   /* F_GETOWN */
	case 11:   /* F_GETSIG */
	case 1025: /* F_GETLEASE */
	case 1032: /* F_GETPIPE_SZ */
	case 1034: /* F_GET_SEALS */
		return FCNTL_NONE;
	case 0:	   /* F_DUPFD */
	case 8:	   /* F_SETOWN */
	case 1024: /* F_SETLEASE */
	case 1027: /* F_DUPFD_QUERY */
	case 1030: /* F_DUPFD_CLOEXEC */
	case 1031: /* F_SETPIPE_SZ */
		return FCNTL_INT;
	case 1026: /* F_NOTIFY */
	case 1033: /* F_ADD_SEALS */
		return FCNTL_BITS;
	case 2: /* F_SETFD */
		return FCNTL_FD_FLAGS;
	case 4: /* F_SETFL */
		return FCNTL_OPEN;
	case 10: /* F_SETSIG */
		return FCNTL_SIGNAL;
	}
	return FCNTL_ADDRESS;
}

static void append_fcntl_arg(struct strbuf *out, const struct argument *argument)
{
	switch (fcntl_form(previous(argument))) {
	case FCNTL_NONE:
		return;
	case FCNTL_INT:
		append_class(out, argument, CALL_INT);
		return;
	case FCNTL_BITS:
		append_hex(out, argument->value);
		return;
	case FCNTL_FD_FLAGS:
		if (argument->value == 1)
			strbuf__text(out, "FD_CLOEXEC");
		else
			append_hex(out, argument->value);
		return;
	case FCNTL_OPEN:
		append_open_flags(out, argument);
		return;
	case FCNTL_SIGNAL:
		append_class(out, argument, CALL_SIGNAL);
		return;
	case FCNTL_ADDRESS:
		append_address(out, argument->value);
		return;
	}
}

/* Whether the call ignores the argument. */
static bool is_ignored(const struct argument *argument)
{
	if (argument->class == CALL_OPEN_MODE)
		return !(previous(argument) & (O_CREAT_BIT | O_TMPFILE_BIT));
	return argument->class == CALL_FCNTL_ARG && fcntl_form(previous(argument)) == FCNTL_NONE;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void append_string(struct strbuf *out, const char *text, size_t bytes)
{
	strbuf__char(out, '"');
	escape__text(out, text, bytes, '"');
	strbuf__char(out, '"');
}

static void append_text(struct strbuf *out, const struct argument *argument)
{
	if (argument->memory)
		append_string(out, argument->memory, argument->bytes);
	else
		append_address(out, argument->value);
}

/* The path of a socket, or an address with its port. */
static void append_socket_address(struct strbuf *out, const struct argument *argument)
{
	const struct call_values *values = argument->values;

	if (!argument->memory && values->endpoint && values->texts >> argument->at & 1)
		field_type__endpoint.text(out, values->endpoint, ENDPOINT_BYTES,
					  (struct field_style){ 0 });
	else
		append_text(out, argument);
}

/* ---- arguments ------------------------------------------------------------------------------- */

static void append_argument(struct strbuf *out, const struct argument *argument)
{
	const uint64_t *args = argument->values->args;

	switch (argument->class) {
	case CALL_HEX32:
		append_hex(out, (uint32_t)argument->value);
		return;
	case CALL_HEX:
		append_hex(out, argument->value);
		return;
	case CALL_ADDRESS:
		append_address(out, argument->value);
		return;
	case CALL_MODE:
	case CALL_OPEN_MODE:
		append_octal(out, (uint32_t)argument->value);
		return;
	case CALL_TEXT:
		append_text(out, argument);
		return;
	case CALL_SOCKET_ADDRESS:
		append_socket_address(out, argument);
		return;
	case CALL_FCNTL_ARG:
		append_fcntl_arg(out, argument);
		return;
	case CALL_PROTOCOL:
		append_as(out, call_names__protocols((uint32_t)args[0]), argument->value);
		return;
	case CALL_SOCKET_OPTION:
		append_as(out, call_names__socket_options(previous(argument)), argument->value);
		return;
	case CALL_OPEN:
		append_open_flags(out, argument);
		return;
	case CALL_CLONE:
		append_clone_flags(out, argument);
		return;
	case CALL_FUTEX:
		append_futex(out, argument);
		return;
	case CALL_SOCKET_TYPE:
		append_socket_type(out, argument);
		return;
	case CALL_IPC_FLAGS:
		append_ipc_flags(out, (uint32_t)argument->value);
		return;
	case CALL_IOCTL:
		append_ioctl(out, (uint32_t)argument->value);
		return;
	default:
		append_class(out, argument, argument->class);
	}
}

/* Finds the argument's memory from `at` on.  Returns where the next argument's begins. */
static uint32_t find_memory(struct argument *argument, uint32_t at)
{
	const struct call_values *values = argument->values;
	uint32_t rest = at < values->memory_bytes ? values->memory_bytes - at : 0;

	if (!rest || !(values->texts >> argument->at & 1))
		return at;
	argument->memory = values->memory + at;
	argument->bytes = (uint32_t)strnlen(argument->memory, rest);
	return at + argument->bytes + 1;
}

void call_text__append(struct strbuf *out, const struct call *call,
		       const struct call_values *values)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < call->count; i++) {
		struct argument argument = { .class = call->arguments[i].class,
					     .values = values,
					     .at = i,
					     .value = values->args[i] };

		at = find_memory(&argument, at);
		if (is_ignored(&argument))
			continue;
		if (i)
			strbuf__char(out, ' ');
		strbuf__text(out, call->arguments[i].name);
		strbuf__char(out, '=');
		append_argument(out, &argument);
	}
}

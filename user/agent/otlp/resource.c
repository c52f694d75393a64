// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* otlp/resource.c: describes this machine and this process. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <peat/peat.h>

#include "base/sip_hash.h"
#include "otlp/attribute.h"
#include "otlp/resource.h"
#include "sys/file_text.h"

enum { ATTRIBUTES = 1 }; /* of Resource */

#define MACHINE_ID "/etc/machine-id"

/* ---- further attributes ---------------------------------------------------------------------- */

/* Whether "NAME=" is in the list. */
static bool is_named(const char *list, const char *name)
{
	const size_t length = strlen(name);

	for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
		if (!strncmp(at + strspn(at, " "), name, length) &&
		    at[strspn(at, " ") + length] == '=')
			return true;
	return false;
}

static int hex_digit(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

/* Replaces each %XX, in place. */
static void decode(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++)
		if (*from == '%' && isxdigit((unsigned char)from[1]) &&
		    isxdigit((unsigned char)from[2])) {
			*to++ = (char)(hex_digit(from[1]) << 4 | hex_digit(from[2]));
			from += 2;
		} else {
			*to++ = *from;
		}
	*to = 0;
}

/* Removes blanks at both ends. */
static char *trim(char *text)
{
	size_t length;

	text += strspn(text, " \t");
	for (length = strlen(text); length && strchr(" \t", text[length - 1]);)
		text[--length] = 0;
	return text;
}

static int append_pair(struct strbuf *out, char *pair)
{
	char *value = strchr(pair, '=');

	if (!*trim(pair))
		return 0;
	if (!value || value == trim(pair))
		return -EINVAL;
	*value++ = 0;
	value = trim(value);
	decode(value);
	otlp_attribute__text(out, ATTRIBUTES, trim(pair), value);
	return 0;
}

static int append_list(struct strbuf *out, const char *list)
{
	char *copy = strdup(list), *rest = copy, *pair;
	int err = copy ? 0 : -ENOMEM;

	while (!err && rest && (pair = strsep(&rest, ",")))
		err = append_pair(out, pair);
	free(copy);
	return err;
}

/* ---- our attributes -------------------------------------------------------------------------- */

static void append_own(struct strbuf *out, const char *list, const char *name, const char *value)
{
	if (*value && !is_named(list, name))
		otlp_attribute__text(out, ATTRIBUTES, name, value);
}

/* A machine without the file has no id. */
static void append_machine_id(struct strbuf *out, const char *list)
{
	struct strbuf id = { 0 };

	if (!file_text__read(open(MACHINE_ID, O_RDONLY | O_CLOEXEC), 1, &id)) {
		strbuf__char(&id, 0);
		if (!id.failed) {
			id.bytes[strcspn(id.bytes, "\n")] = 0;
			append_own(out, list, "host.id", id.bytes);
		}
	}
	strbuf__free(&id);
}

/* The names of the semantic conventions for what uname(2) calls the machine. */
static const char *architecture(const char *machine)
{
	static const char *const names[][2] = {
		{ "x86_64", "amd64" },
		{ "aarch64", "arm64" },
		{ "ppc64le", "ppc64" },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(machine, names[i][0]))
			return names[i][1];
	return machine;
}

static void append_host(struct strbuf *out, const char *list)
{
	char description[sizeof(struct utsname)];
	struct utsname names;

	if (uname(&names))
		return;
	append_own(out, list, "host.name", names.nodename);
	append_machine_id(out, list);
	append_own(out, list, "host.arch", architecture(names.machine));
	append_own(out, list, "os.type", "linux");
	snprintf(description, sizeof(description), "%s %s %s", names.sysname, names.release,
		 names.version);
	append_own(out, list, "os.description", description);
}

/* A random UUID (version 4), another one for each output and each start. */
static void append_instance(struct strbuf *out, const char *list)
{
	char text[sizeof("01234567-0123-4123-8123-0123456789ab")];
	uint64_t id[2];

	sip_hash__seed(id);
	snprintf(text, sizeof(text), "%08x-%04x-4%03x-%04x-%012llx", (uint32_t)(id[0] >> 32),
		 (unsigned)(id[0] >> 16 & 0xffff), (unsigned)(id[0] & 0xfff),
		 (unsigned)(id[1] >> 48 & 0x3fff) | 0x8000,
		 (unsigned long long)(id[1] & 0xffffffffffff));
	append_own(out, list, "service.instance.id", text);
}

int otlp_resource__append(struct strbuf *out, const char *more)
{
	int err;

	append_own(out, more, "service.name", "peat");
	append_own(out, more, "service.version", PEAT_VERSION);
	append_instance(out, more);
	append_host(out, more);
	if (!is_named(more, "process.pid"))
		otlp_attribute__integer(out, ATTRIBUTES, "process.pid", getpid());
	append_own(out, more, "process.executable.name", program_invocation_short_name);
	err = more ? append_list(out, more) : 0;
	return out->failed ? -ENOMEM : err;
}

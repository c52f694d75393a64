// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * identity_filter.c: --container, --pod and --unit as an expression.  The library decides by it
 * which cgroups programs leave out.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/base/messages.h"
#include "cli/run/event_filter.h"
#include "cli/run/identity_filter.h"
#include "cli/run/types.h"

/* ---- the expression -------------------------------------------------------------------------- */

#define NO_CGROUP                                                                                  \
	"events of these sources have no cgroup: only those of programs with peat.bpf.h have one"

/* No id of a container is shorter. */
#define ID_BYTES_MIN 28

static void put_quoted(FILE *text, const char *before, const char *value, const char *after)
{
	fprintf(text, "\"%s", before);
	for (; *value; value++)
		if ((unsigned char)*value < ' ')
			fprintf(text, "\\x%02x", *value);
		else
			fprintf(text, "%s%c", strchr("\"\\", *value) ? "\\" : "", *value);
	fprintf(text, "%s\"", after);
}

static bool is_pattern(const char *value)
{
	return strpbrk(value, "*?[");
}

/* A test of one part.  The prefix: events may have a field of this name. */
static void put_test(FILE *text, const char *part, const char *value)
{
	fprintf(text, "sample_%s %s ", part, is_pattern(value) ? "~" : "==");
	put_quoted(text, "", value, "");
}

/* Hexadecimal digits are also the beginning of an id, which is longer than most names. */
static void put_container(FILE *text, const char *value)
{
	size_t bytes = strlen(value);

	put_test(text, "container", value);
	fputs(" || ", text);
	put_test(text, "container_name", value);
	if (value[strspn(value, "0123456789abcdef-")])
		return;
	fprintf(text, " || sample_container ~ \"%s", value);
	for (; bytes < ID_BYTES_MIN; bytes++)
		putc('?', text);
	fputs("*\"", text);
}

/* A name is found in any namespace, unless it has one: "default/web-0". */
static void put_pod(FILE *text, const char *value)
{
	put_test(text, "pod", value);
	fputs(" || ", text);
	if (strchr(value, '/')) {
		put_test(text, "pod_name", value);
		return;
	}
	fputs("sample_pod_name ~ ", text);
	put_quoted(text, "*/", value, "");
}

/* systemctl accepts names of services without their ending, too. */
static void put_unit(FILE *text, const char *value)
{
	put_test(text, "unit", value);
	if (is_pattern(value))
		return;
	fputs(" || sample_unit == ", text);
	put_quoted(text, "", value, ".service");
}

static void put_part(FILE *text, const char *value, void (*put)(FILE *text, const char *value))
{
	if (!value)
		return;
	fputs(ftell(text) ? " && (" : "(", text);
	put(text, value);
	putc(')', text);
}

/* NULL: no memory. */
static char *compose(const struct options *options)
{
	char *composed = NULL;
	size_t bytes;
	FILE *text = open_memstream(&composed, &bytes);

	if (!text)
		return NULL;
	if (options->filter.where)
		fprintf(text, "(%s)", options->filter.where);
	put_part(text, options->filter.container, put_container);
	put_part(text, options->filter.pod, put_pod);
	put_part(text, options->filter.unit, put_unit);
	if (!fclose(text))
		return composed;
	free(composed);
	return NULL;
}

/* The expression of --where is parsed alone first: a message about it shows nothing else. */
int identity_filter__parse(const struct options *options, struct peat_where **where)
{
	char *composed;

	*where = options->filter.where ? peat_where__parse(options->filter.where) : NULL;
	if (options->filter.where && !*where)
		return errno == ENOMEM ? EXIT_FAILED : EXIT_USAGE;
	if (!event_filter__has_identity(options))
		return 0;
	peat_where__free(*where);
	composed = compose(options);
	*where = composed ? peat_where__parse(composed) : NULL;
	free(composed);
	return *where ? 0 : EXIT_FAILED;
}

/* ---- types ----------------------------------------------------------------------------------- */

int identity_filter__check(const struct options *options, struct peat_session *session)
{
	bool has_identity = !event_filter__has_identity(options);
	const struct peat_schema *type;

	for (uint32_t i = 0; !has_identity && (type = peat_session__type(session, i)); i++)
		has_identity = peat_schema__has_identity(type);
	if (has_identity)
		return 0;
	messages__print("--container, --pod, --unit: " NO_CGROUP);
	return EXIT_USAGE;
}

static int note_identity(void *has_identity, const struct peat_schema *type)
{
	*(bool *)has_identity |= peat_schema__has_identity(type);
	return 0;
}

int identity_filter__check_output(const struct options *options, struct peat_reader *reader)
{
	bool has_identity = !options->output.identity;
	int types = has_identity ? 0 : types__of_events(reader, note_identity, &has_identity);

	if (types < 0 || has_identity)
		return types < 0 ? types : 0;
	messages__print("--identity: %s", options->verb & (VERB_REPLAY | VERB_REPORT)
						  ? IDENTITY_FILTER_NO_RECORD
						  : NO_CGROUP);
	return -EINVAL;
}

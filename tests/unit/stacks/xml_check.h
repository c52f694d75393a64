/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/* xml_check.h: whether a document is well-formed, as far as flame graphs use XML. */
#ifndef TESTS_UNIT_STACKS_XML_CHECK_H
#define TESTS_UNIT_STACKS_XML_CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define XML_DEPTH_MAX 20

/* The text after a reference such as &lt;  NULL: not one of those that are known. */
static inline const char *xml_skip_reference(const char *at)
{
	static const char *const known[] = { "&amp;", "&lt;", "&gt;", "&quot;" };

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strncmp(at, known[i], strlen(known[i])))
			return at + strlen(known[i]);
	return NULL;
}

/* The next tag, or the end.  NULL: a character that XML does not allow. */
static inline const char *xml_skip_text(const char *at)
{
	while (at && *at && *at != '<') {
		if ((uint8_t)*at < ' ' && *at != '\n' && *at != '\t')
			return NULL;
		at = *at == '&' ? xml_skip_reference(at) : at + 1;
	}
	return at;
}

/* The text after ` name="value"` and so on.  NULL: they have another form. */
static inline const char *xml_skip_attributes(const char *at)
{
	while (*at == ' ') {
		at++;
		at += strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-:");
		if (strncmp(at, "=\"", 2))
			return NULL;
		for (at += 2; *at != '"'; at++)
			if ((uint8_t)*at < ' ' || *at == '<')
				return NULL;
		at++;
	}
	return at;
}

/* The text after a tag.  `open` has the names of the open ones.  NULL: the tag is wrong. */
static inline const char *xml_skip_tag(const char *at, char open[][20], int *depth)
{
	char name[20];
	int bytes;

	if (sscanf(at, "<%19[a-zA-Z]%n", name, &bytes) != 1 &&
	    sscanf(at, "<%19[/a-zA-Z]%n", name, &bytes) != 1)
		return NULL;
	at = xml_skip_attributes(at + bytes);
	if (!at)
		return NULL;
	if (*name == '/') {
		if (!*depth || strcmp(name + 1, open[--*depth]))
			return NULL;
	} else if (*at != '/') {
		strcpy(open[(*depth)++], name);
	}
	at += *at == '/';
	return *at == '>' && *depth < XML_DEPTH_MAX ? at + 1 : NULL;
}

/* NULL: the document is well-formed; otherwise the place of the first fault. */
static inline const char *xml_check(const char *document)
{
	const char *at = strchr(document, '\n'), *next; /* after the declaration */
	char open[XML_DEPTH_MAX + 1][20];
	int depth = 0;

	for (;; at = next) {
		next = xml_skip_text(at);
		if (!next)
			return at;
		at = next;
		if (!*at)
			return depth ? at : NULL;
		if (!strncmp(at, "<![CDATA[", 9)) {
			next = strstr(at, "]]>");
			if (!next)
				return at;
			next += 3;
		} else {
			next = xml_skip_tag(at, open, &depth);
			if (!next)
				return at;
		}
	}
}

#endif /* TESTS_UNIT_STACKS_XML_CHECK_H */

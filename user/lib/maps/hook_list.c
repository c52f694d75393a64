// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* maps/hook_list.c: a list of the places that programs are attached to, without duplicates. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "maps/hook_list.h"

static bool has_hook(const struct hook_list *list, const struct hook *hook)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct hook *other = &list->hooks[i];

		if (other->program == hook->program && other->is_link == hook->is_link &&
		    !strcmp(other->text, hook->text))
			return true;
	}
	return false;
}

/* The same hook may be read from a perf event and from its link. */
int hook_list__add(struct hook_list *list, const struct hook *hook)
{
	char *copy;

	if (has_hook(list, hook))
		return 0;
	if (!ARRAY_RESERVE_NEXT(list->hooks, list->count))
		return -ENOMEM;
	copy = strdup(hook->text);
	if (!copy)
		return -ENOMEM;
	list->hooks[list->count] = *hook;
	list->hooks[list->count++].text = copy;
	return 0;
}

/* Whether the list has the hook of this link with the name of its interface or cgroup. */
static bool has_named_hook(const struct hook_list *list, const struct hook *link)
{
	for (size_t i = 0; link->is_link && i < list->count; i++) {
		const struct hook *hook = &list->hooks[i];

		if (!hook->is_link && hook->program == link->program && hook->at == link->at)
			return true;
	}
	return false;
}

static int append_hook(char **text, const char *more)
{
	char *longer;

	if (asprintf(&longer, "%s%s%s", *text, **text ? ", " : "", more) < 0)
		return -ENOMEM;
	free(*text);
	*text = longer;
	return 0;
}

char *hook_list__text(const struct hook_list *list, uint32_t program, const char *own)
{
	char *text = strdup("");
	int err = text ? 0 : -ENOMEM;

	for (size_t i = 0; !err && i < list->count; i++) {
		const struct hook *hook = &list->hooks[i];

		if (hook->program == program && !has_named_hook(list, hook))
			err = append_hook(&text, *hook->text ? hook->text : own);
	}
	if (!err)
		return text;
	free(text);
	return NULL;
}

void hook_list__free(struct hook_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->hooks[i].text);
	free(list->hooks);
	*list = (struct hook_list){ 0 };
}

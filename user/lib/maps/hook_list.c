// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* hook_list.c: where programs are attached, each place once. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "maps/hook_list.h"

static bool is_known(const struct hook_list *list, const struct hook *hook)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct hook *known = &list->of[i];

		if (known->program == hook->program && known->is_link == hook->is_link &&
		    !strcmp(known->text, hook->text))
			return true;
	}
	return false;
}

/* A perf event and its link may both tell. */
int hook_list__add(struct hook_list *list, const struct hook *hook)
{
	struct hook *of;
	char *copy;

	if (is_known(list, hook))
		return 0;
	of = reallocarray(list->of, list->count + 1, sizeof(*of));
	if (!of)
		return -ENOMEM;
	list->of = of;
	copy = strdup(hook->text);
	if (!copy)
		return -ENOMEM;
	of[list->count] = *hook;
	of[list->count++].text = copy;
	return 0;
}

/* The interface or the cgroup told it already, by its name. */
static bool is_told(const struct hook_list *list, const struct hook *link)
{
	for (size_t i = 0; link->is_link && i < list->count; i++) {
		const struct hook *hook = &list->of[i];

		if (!hook->is_link && hook->program == link->program && hook->at == link->at)
			return true;
	}
	return false;
}

static int append(char **text, const char *more)
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
		const struct hook *hook = &list->of[i];

		if (hook->program == program && !is_told(list, hook))
			err = append(&text, *hook->text ? hook->text : own);
	}
	if (!err)
		return text;
	free(text);
	return NULL;
}

void hook_list__free(struct hook_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->of[i].text);
	free(list->of);
	*list = (struct hook_list){ 0 };
}

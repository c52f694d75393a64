// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* base/name_list.c: names in a message. */
#include <string.h>

#include "base/name_list.h"

void name_list__append(char *list, size_t room, const char *name)
{
	size_t used = strlen(list), bytes = strlen(name);

	if (used + bytes + sizeof(", , ...") <= room) {
		strcat(list, used ? ", " : "");
		strcat(list, name);
	} else if (used < 3 || strcmp(list + used - 3, "...")) {
		strcat(list, ", ...");
	}
}

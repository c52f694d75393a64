// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* libbpf_log.c: libbpf's messages among our own. */
#include <stdio.h>
#include <string.h>
#include <bpf/libbpf.h>

#include "internal.h"
#include "libbpf_log.h"

static int forward(enum libbpf_print_level level, const char *format, va_list args)
{
	char text[4096];
	size_t bytes;

	vsnprintf(text, sizeof(text), format, args);
	bytes = strlen(text);
	if (bytes && text[bytes - 1] == '\n')
		text[bytes - 1] = '\0';
	log__print(level == LIBBPF_WARN ? PEAT_LOG_INFO : PEAT_LOG_DEBUG, "%s", text);
	return 0;
}

void libbpf_log__forward_all(void)
{
	libbpf_set_print(forward);
}

/* libbpf has numbers of its own, behind those of errno. */
int libbpf_log__explain_open(const char *name, int number)
{
	char text[128];

	libbpf_strerror(number, text, sizeof(text));
	log__error("%s cannot be used as a BPF object: %s", name, text);
	return number < __LIBBPF_ERRNO__START ? -number : -EINVAL;
}

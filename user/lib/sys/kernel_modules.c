// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* sys/kernel_modules.c: reads /proc/modules. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "sys/kernel_modules.h"

/* "nf_tables 385024 2 nft_compat,nft_counter, Live 0xffffffffc0a0e000" */
bool kernel_modules__parse(struct kernel_module *module, const char *line)
{
	*module = (struct kernel_module){ 0 };
	return sscanf(line, "%63s %" SCNu64 " %*s %*s %*s 0x%" SCNx64, module->name, &module->bytes,
		      &module->start) == 3 &&
	       module->start && module->bytes && module->bytes <= UINT64_MAX - module->start;
}

int kernel_modules__each(void (*use)(void *arg, const struct kernel_module *module), void *arg)
{
	FILE *file = fopen("/proc/modules", "re");
	struct kernel_module module;
	char *line = NULL;
	size_t room = 0;

	if (!file)
		return -errno;
	while (getline(&line, &room, file) > 0)
		if (kernel_modules__parse(&module, line))
			use(arg, &module);
	free(line);
	fclose(file);
	return 0;
}

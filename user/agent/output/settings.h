/* SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause */
/*
 * output/settings.h: reads the settings of an output into a struct, by rows:
 *
 *	struct choice { char *path; uint64_t max_bytes; };
 *
 *	static const struct setting_row rows[] = {
 *		{ "file", SETTING_TEXT, offsetof(struct choice, path), 0, 0 },
 *		{ "max-size", SETTING_BYTES, offsetof(struct choice, max_bytes), 4096, UINT64_MAX },
 *	};
 *	struct choice choice = { .max_bytes = 64 << 20 };
 *
 *	if (settings__read(opts, rows, 2, &choice))
 *		return NULL;
 */
#ifndef PEAT_OUTPUT_SETTINGS_H
#define PEAT_OUTPUT_SETTINGS_H

#include <peat/output.h>

enum setting_kind {
	SETTING_TEXT,	/* char *, a copy that the caller frees, also after an error */
	SETTING_BYTES,	/* uint64_t: "64K" */
	SETTING_MS,	/* uint64_t, milliseconds: "10s" */
	SETTING_NUMBER, /* uint64_t */
	SETTING_BOOL,	/* bool */
	SETTING_LIST	/* struct setting_list: each value of the name, in their order */
};

/* Copies of texts, to be freed by setting_list__free(), also after an error. */
struct setting_list {
	char **at;
	size_t count;
};

void setting_list__free(struct setting_list *list);

struct setting_row {
	const char *name;
	enum setting_kind kind;
	size_t offset;	      /* in the struct */
	uint64_t least, most; /* of numbers */
};

/*
 * Settings that are not set leave the struct as it is.  0; -EINVAL: the log has the reason: a name
 * that no row has, a name given twice, or a value; -ENOMEM.
 */
int settings__read(const struct peat_output_opts *opts, const struct setting_row *rows,
		   size_t count, void *into);

/* The settings of a section of the configuration. */
struct setting_block {
	const char *file; /* NULL: none */
	const char *what; /* "output", "pipeline" */
	const char *name; /* its name */
	const struct peat_setting *at;
	size_t count;
};

int settings__read_block(const struct setting_block *block, const struct setting_row *rows,
			 size_t count, void *into);

/* Refuses a setting, like peat_output__refuse_setting(). */
int settings__refuse(const struct setting_block *block, const struct peat_setting *setting,
		     const char *why);

/* The same for the value of an output's setting, also if it is the default. */
int settings__refuse_value(const struct peat_output_opts *opts, const char *name, const char *why);

#endif /* PEAT_OUTPUT_SETTINGS_H */

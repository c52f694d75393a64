// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* file/choice.c: reads the settings of an output to files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/errors.h"
#include "base/log.h"
#include "file/choice.h"
#include "output/settings.h"

#define MODE_DEFAULT  0640
#define LEVEL_DEFAULT 1 /* fast; higher levels cost more than they save */
#define LEAST_BYTES   4096
#define QUOTA_FILES   4 /* without max-size, so many files fit into the quota */

/* Settings as they are written. */
struct texts {
	struct file_choice choice;
	char *format, *compress, *sync, *mode, *disk_full;
	uint64_t level;
};

#define AT(member)    offsetof(struct texts, member)
#define CHOSE(member) offsetof(struct texts, choice.member)

static const struct setting_row rows[] = {
	{ "file", SETTING_TEXT, CHOSE(path), 0, 0 },
	{ "format", SETTING_TEXT, AT(format), 0, 0 },
	{ "max-size", SETTING_BYTES, CHOSE(max_bytes), LEAST_BYTES, UINT64_MAX },
	{ "max-age", SETTING_MS, CHOSE(max_ms), 1000, UINT64_MAX },
	{ "keep", SETTING_NUMBER, CHOSE(keep), 0, UINT64_MAX },
	{ "quota", SETTING_BYTES, CHOSE(quota), LEAST_BYTES *QUOTA_FILES, UINT64_MAX },
	{ "compress", SETTING_TEXT, AT(compress), 0, 0 },
	{ "level", SETTING_NUMBER, AT(level), 1, 22 },
	{ "sync", SETTING_TEXT, AT(sync), 0, 0 },
	{ "mode", SETTING_TEXT, AT(mode), 0, 0 },
	{ "disk-full", SETTING_TEXT, AT(disk_full), 0, 0 },
};

int file_choice__refuse(const struct peat_output_opts *opts, const char *name, const char *why)
{
	for (uint32_t i = 0; i < opts->setting_count; i++)
		if (!strcmp(opts->settings[i].name, name))
			return peat_output__refuse_setting(opts, &opts->settings[i], why);
	log__error("output %s: %s: %s", opts->name, name, why);
	return fail(-EINVAL);
}

/* The number of a word, the first if it is not set.  The list of words is in the message. */
static int read_word(const struct peat_output_opts *opts, const char *name, const char *word,
		     const char *const words[3], unsigned *number)
{
	char why[96];

	*number = 0;
	if (!word)
		return 0;
	for (unsigned i = 0; i < 3 && words[i]; i++) {
		*number = i;
		if (!strcmp(word, words[i]))
			return 0;
	}
	snprintf(why, sizeof(why), "expected %s%s%s%s%s", words[0], words[2] ? ", " : " or ",
		 words[1], words[2] ? " or " : "", words[2] ?: "");
	return file_choice__refuse(opts, name, why);
}

static int read_words(const struct peat_output_opts *opts, struct texts *texts)
{
	static const char *const formats[3] = { "json", "perf", "pcapng" };
	static const char *const compressions[3] = { "none", "zstd" };
	static const char *const syncs[3] = { "never", "rotate", "batch" };
	static const char *const policies[3] = { "wait", "remove-oldest" };
	struct file_choice *choice = &texts->choice;
	unsigned format, compress, sync, policy;
	int err = read_word(opts, "format", texts->format, formats, &format);

	if (!err)
		err = read_word(opts, "compress", texts->compress, compressions, &compress);
	if (!err)
		err = read_word(opts, "sync", texts->sync, syncs, &sync);
	if (!err)
		err = read_word(opts, "disk-full", texts->disk_full, policies, &policy);
	if (err)
		return err;
	choice->format = (enum file_format)format;
	choice->sync = (enum file_sync)sync;
	choice->removes_when_full = policy;
	if (texts->level && !compress)
		return file_choice__refuse(opts, "level", "it needs \"compress: zstd\"");
	choice->level = compress ? texts->level ?: LEVEL_DEFAULT : 0;
	if (choice->level && choice->format == FILE_PCAPNG)
		return file_choice__refuse(opts, "compress", "a pcapng is not compressed");
	return 0;
}

static int read_mode(const struct peat_output_opts *opts, struct texts *texts)
{
	unsigned long mode = MODE_DEFAULT;
	char *end = NULL;

	if (texts->mode)
		mode = strtoul(texts->mode, &end, 8);
	if ((end && (*end || end == texts->mode)) || mode > 0777 || !(mode & 0200))
		return file_choice__refuse(opts, "mode",
					   "expected octal digits with the owner's permission to "
					   "write, such as 0640");
	texts->choice.mode = (mode_t)mode;
	return 0;
}

static int check_path(const struct peat_output_opts *opts, const struct file_choice *choice)
{
	if (!choice->path || !*choice->path)
		return file_choice__refuse(opts, "file", "missing: a path, or - (standard output)");
	if (strcmp(choice->path, "-") != 0)
		return 0;
	if (choice->max_bytes != UINT64_MAX || choice->max_ms != UINT64_MAX ||
	    choice->keep != UINT64_MAX || choice->quota != UINT64_MAX)
		return file_choice__refuse(opts, "file",
					   "standard output has no max-size, max-age, keep or "
					   "quota");
	return 0;
}

static int check_limits(const struct peat_output_opts *opts, struct file_choice *choice)
{
	if (choice->quota == UINT64_MAX)
		return 0;
	if (choice->max_bytes == UINT64_MAX)
		choice->max_bytes = choice->quota / QUOTA_FILES;
	if (choice->max_bytes > choice->quota / 2)
		return file_choice__refuse(opts, "max-size",
					   "it is more than half of the quota, so that no rotated "
					   "file would be kept");
	return 0;
}

int file_choice__read(struct file_choice *choice, const struct peat_output_opts *opts)
{
	struct texts texts = { .choice = { .max_bytes = UINT64_MAX,
					   .max_ms = UINT64_MAX,
					   .keep = UINT64_MAX,
					   .quota = UINT64_MAX } };
	int err = settings__read(opts, rows, sizeof(rows) / sizeof(*rows), &texts);

	if (!err)
		err = read_words(opts, &texts);
	if (!err)
		err = read_mode(opts, &texts);
	if (!err)
		err = check_path(opts, &texts.choice);
	if (!err)
		err = check_limits(opts, &texts.choice);
	free(texts.format);
	free(texts.compress);
	free(texts.sync);
	free(texts.mode);
	free(texts.disk_full);
	*choice = texts.choice;
	return err;
}

void file_choice__free(struct file_choice *choice)
{
	free(choice->path);
	choice->path = NULL;
}

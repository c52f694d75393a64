// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* functions/usdt_notes.c: reads the notes of statically defined tracepoints. */
#include <elf.h>
#include <errno.h>

#include <stdio.h>
#include <string.h>

#include "base/cursor.h"
#include "base/glob.h"
#include "elf/elf_file.h"
#include "functions/usdt_notes.h"
#include "sys/foreign_file.h"

#define OWNER	   "stapsdt"
#define NOTE_TYPE  3
#define NAME_BYTES 256 /* of a provider and a name */

/* Notes of a file: large programs have some KiB. */
#define SECTION_BYTES (UINT64_C(64) << 20)

struct usdt_note {
	uint64_t place;
	const char *provider, *name, *arguments; /* arguments: NULL: none */
};

/* ---- notes ----------------------------------------------------------------------------------- */

static uint64_t padded(uint64_t bytes)
{
	return (bytes + 3) & ~(uint64_t)3;
}

/* A text with its NUL.  NULL: it has none. */
static const char *next_text(struct cursor *cur)
{
	const char *text = (const char *)cur->at;
	const void *end = memchr(cur->at, '\0', cursor__left(cur));

	return end && cursor__bytes(cur, (size_t)((const char *)end - text) + 1) ? text : NULL;
}

static uint64_t next_word(struct cursor *cur, bool is_64)
{
	return is_64 ? cursor__u64(cur) : cursor__u32(cur);
}

static bool read_description(struct usdt_note *note, const void *description, size_t bytes,
			     const struct peat_layout *layout, bool is_64)
{
	struct cursor cur;

	cursor__init(&cur, description, (const uint8_t *)description + bytes, layout);
	note->place = next_word(&cur, is_64);
	next_word(&cur, is_64); /* base */
	next_word(&cur, is_64); /* semaphore */
	note->provider = next_text(&cur);
	note->name = note->provider ? next_text(&cur) : NULL;
	note->arguments = note->name ? next_text(&cur) : NULL;
	return note->name;
}

/* 1: a note of a probe; 0: another note; -EBADMSG: the rest is invalid. */
static int next_note(struct cursor *cur, struct usdt_note *note, const struct peat_layout *layout,
		     bool is_64)
{
	uint32_t owner_bytes = cursor__u32(cur), bytes = cursor__u32(cur), type = cursor__u32(cur);
	const char *owner = cursor__bytes(cur, padded(owner_bytes));
	uint64_t room = padded(bytes) < cursor__left(cur) ? padded(bytes) : cursor__left(cur);
	const void *description = bytes <= room ? cursor__bytes(cur, room) : NULL;

	if (!owner || !description)
		return -EBADMSG;
	if (type != NOTE_TYPE || owner_bytes != sizeof(OWNER) ||
	    memcmp(owner, OWNER, sizeof(OWNER)))
		return 0;
	return read_description(note, description, bytes, layout, is_64);
}

static void try_alike(struct found_functions *found, const struct usdt_note *note)
{
	char text[NAME_BYTES];

	snprintf(text, sizeof(text), "%s:%s", note->provider, note->name);
	suggestion__try(&found->alike, text);
}

static bool matches(const char *pattern, const char *text)
{
	return glob__match(pattern, text, strlen(text));
}

static int use_note(struct found_functions *found, const char *provider, const char *name,
		    const struct usdt_note *note)
{
	int err;

	try_alike(found, note);
	if (!matches(provider, note->provider) || !matches(name, note->name))
		return 0;
	err = found_functions__add(found, note->name, note->provider, note->place);
	if (err || !note->arguments || !*note->arguments)
		return err;
	return found_functions__set_arguments(found, note->arguments);
}

int usdt_notes__select(struct found_functions *found, const char *provider, const char *name,
		       const void *notes, size_t bytes, bool is_64, bool swapped)
{
	const struct peat_layout layout = { .swapped = swapped };
	char wanted[NAME_BYTES];
	struct cursor cur;
	int err = 0;

	snprintf(wanted, sizeof(wanted), "%s:%s", provider, name);
	found->alike.wanted = wanted;
	cursor__init(&cur, notes, (const uint8_t *)notes + bytes, &layout);
	while (err >= 0 && cursor__left(&cur)) {
		struct usdt_note note;

		err = next_note(&cur, &note, &layout, is_64);
		if (err > 0)
			err = use_note(found, provider, name, &note);
	}
	found->alike.wanted = NULL;
	if (err == -ENOMEM)
		return err;
	found_functions__sort_names(found);
	return found->count ? 0 : -ENOENT;
}

/* ---- arguments ------------------------------------------------------------------------------- */

/* Whether an argument begins here: its size, "8", "-4" or "8f", and "@". */
static bool is_argument(const char *at)
{
	size_t sign = *at == '-', digits = strspn(at + sign, "0123456789");
	const char *end = at + sign + digits;

	return digits && end[*end == 'f'] == '@';
}

/* Places have blanks on some machines: "8@[sp, 16]". */
uint32_t usdt_notes__count_arguments(const char *arguments)
{
	uint32_t count = 0;

	for (const char *at = arguments; at && *at; at++)
		count += (at == arguments || at[-1] == ' ') && is_argument(at);
	return count;
}

/* ---- files ----------------------------------------------------------------------------------- */

static int find_in(struct found_functions *found, const struct elf_file *file, const char *provider,
		   const char *name)
{
	GElf_Shdr header;
	Elf_Scn *section = elf_file__find_section(file, ".note.stapsdt", &header);
	struct elf_content content;

	if (section && header.sh_size > SECTION_BYTES)
		return -E2BIG;
	content = elf_file__content(section);
	if (!content.at)
		return -ENODATA;
	return usdt_notes__select(found, provider, name, content.at, content.bytes, file->is_64,
				  file->swapped);
}

int usdt_notes__find(struct found_functions *found, const char *path, const char *provider,
		     const char *name)
{
	int fd = foreign_file__open(NULL, path, FOREIGN_PROC_LINKS, NULL);
	struct elf_file *file;
	int err = fd < 0 ? fd : elf_file__open(&file, fd, path);

	if (err)
		return err == -ENOTSUP ? -ENOEXEC : err;
	err = file->is_64 ? find_in(found, file, provider, name) : -EOPNOTSUPP;
	elf_file__free(file);
	return err;
}

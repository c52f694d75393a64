// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* symbols.c: the names of addresses in the kernel, and the stacks that a BPF map keeps. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include "base/internal.h"
#include "sys/kallsyms.h"

#define KALLSYMS "/proc/kallsyms"

/* Behind the last function of the kernel, of a module or of BPF there is no end marked. */
#define FUNCTION_BYTES_MAX (1u << 17)
#define NAME_BYTES_MAX	   511 /* KSYM_NAME_LEN */

struct symbol {
	uint64_t address;
	uint32_t name; /* where it begins in `names` */
};

#define TEXTS 2

struct symbols {
	struct symbol *list; /* by rising address, each address once */
	size_t count, room;
	struct out names;
	uint64_t texts[TEXTS]; /* where code begins, by each of its names; 0: not told */
	size_t hidden;	       /* functions at address 0 */
};

/* ---- parsing --------------------------------------------------------------------------------- */

/* A line without its newline. */
struct line {
	const char *at, *end;
};

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

static bool take_address(struct line *line, uint64_t *address)
{
	const char *start = line->at;

	*address = 0;
	for (; line->at < line->end && hex_digit(*line->at) >= 0; line->at++)
		*address = *address << 4 | (uint64_t)hex_digit(*line->at);
	return line->at > start && line->at - start <= 16;
}

static bool take_blank(struct line *line)
{
	return line->at < line->end && *line->at++ == ' ';
}

static bool take_function_type(struct line *line)
{
	return line->at < line->end && memchr("tTwW", *line->at++, 4);
}

/* Up to the tab before a module's name. */
static bool take_name(struct line *line, const char **name)
{
	*name = line->at;
	for (; line->at < line->end && *line->at != '\t'; line->at++)
		if (*line->at <= ' ' || *line->at > '~' || *line->at == '"' || *line->at == '\\')
			return false;
	return line->at > *name && line->at - *name <= NAME_BYTES_MAX;
}

static bool add(struct symbols *symbols, uint64_t address, const char *name, size_t bytes)
{
	if (symbols->names.count > UINT32_MAX - NAME_BYTES_MAX - 1)
		return false;
	if (symbols->count == symbols->room) {
		size_t room = symbols->room ? 2 * symbols->room : 1024;
		struct symbol *list = realloc(symbols->list, room * sizeof(*list));

		if (!list)
			return false;
		symbols->list = list;
		symbols->room = room;
	}
	symbols->list[symbols->count++] =
		(struct symbol){ address, (uint32_t)symbols->names.count };
	out__bytes(&symbols->names, name, bytes);
	out__char(&symbols->names, 0);
	return !symbols->names.failed;
}

/* By which perf says where a kernel's code was; they may be one place, which has one name then. */
static const char *const texts[TEXTS] = { "_text", "_stext" };

static void note_text(struct symbols *symbols, uint64_t address, const char *name, size_t bytes)
{
	for (size_t i = 0; i < TEXTS; i++)
		if (strlen(texts[i]) == bytes && !memcmp(texts[i], name, bytes))
			symbols->texts[i] = address;
}

/* False: no memory.  An address of 0 is one that the kernel hides. */
static bool parse_line(struct symbols *symbols, struct line line)
{
	const char *name;
	uint64_t address;

	if (!take_address(&line, &address) || !take_blank(&line) || !take_function_type(&line) ||
	    !take_blank(&line) || !take_name(&line, &name))
		return true;
	if (!address) {
		symbols->hidden++;
		return true;
	}
	note_text(symbols, address, name, (size_t)(line.at - name));
	return add(symbols, address, name, (size_t)(line.at - name));
}

/* Of names for the same address the one that came first: the kernel has sorted them by merit. */
static int compare(const void *left, const void *right)
{
	const struct symbol *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

static void sort(struct symbols *symbols)
{
	size_t kept = 0;

	if (!symbols->count)
		return;
	qsort(symbols->list, symbols->count, sizeof(*symbols->list), compare);
	for (size_t i = 1; i < symbols->count; i++)
		if (symbols->list[i].address != symbols->list[kept].address)
			symbols->list[++kept] = symbols->list[i];
	symbols->count = kept + 1;
}

struct symbols *symbols__parse(const char *bytes, size_t count)
{
	struct symbols *symbols = calloc(1, sizeof(*symbols));
	struct line line = { bytes, bytes };

	if (!symbols)
		return NULL;
	for (const char *end = bytes + count; line.at < end; line.at = line.end + 1) {
		line.end = memchr(line.at, '\n', (size_t)(end - line.at));
		if (!line.end)
			line.end = end;
		if (!parse_line(symbols, line)) {
			symbols__free(symbols);
			return NULL;
		}
	}
	sort(symbols);
	return symbols;
}

void symbols__free(struct symbols *symbols)
{
	if (!symbols)
		return;
	free(symbols->list);
	out__free(&symbols->names);
	free(symbols);
}

size_t symbols__count(const struct symbols *symbols)
{
	return symbols->count;
}

bool symbols__are_hidden(const struct symbols *symbols)
{
	return symbols->hidden && !symbols->count;
}

const char *symbols__find(const struct symbols *symbols, uint64_t address, uint64_t *offset)
{
	size_t low = 0, high = symbols->count; /* what is below `low` begins at or before address */

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (symbols->list[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return NULL;
	*offset = address - symbols->list[low - 1].address;
	if (*offset >= FUNCTION_BYTES_MAX)
		return NULL;
	return symbols->names.bytes + symbols->list[low - 1].name;
}

/* ---- the running kernel ---------------------------------------------------------------------- */

static struct symbols *running;

/* At least `most` bytes, if there are so many. */
static int read_file(const char *path, size_t most, struct out *text)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : 1;
	int err;

	while (got > 0 && text->count < most) {
		char *at = out__room(text, 1 << 16);

		errno = ENOMEM;
		got = at ? read(fd, at, 1 << 16) : -1;
		text->count += got > 0 ? (size_t)got : 0;
	}
	err = got < 0 ? -errno : 0;
	if (fd >= 0)
		close(fd);
	return err;
}

/*
 * Of the first `most` bytes at least, and whether there are more.  The kernel puts each line
 * together as it is read, all of them in tens of milliseconds.
 */
static int read_symbols(size_t most, struct symbols **symbols, bool *more)
{
	struct out text = { 0 };
	int err = read_file(KALLSYMS, most, &text);

	*symbols = err ? NULL : symbols__parse(text.bytes, text.count);
	*more = text.count >= most;
	out__free(&text);
	return err || *symbols ? err : -ENOMEM;
}

/* All are hidden, or none: what one read gives tells. */
#define FIRST_BYTES 2048

static int read_all(struct symbols **symbols)
{
	bool more;
	int err = read_symbols(FIRST_BYTES, symbols, &more);

	if (err || !more || symbols__are_hidden(*symbols))
		return err;
	symbols__free(*symbols);
	return read_symbols(SIZE_MAX, symbols, &more);
}

static void load(void)
{
	int err = read_all(&running);

	if (err)
		log__warn("kernel addresses stay without names: " KALLSYMS ": %s", strerror(-err));
	else if (!running->count)
		log__warn("kernel addresses stay without names: " KALLSYMS " hides them: it takes "
			  "CAP_SYSLOG, or sysctl kernel.kptr_restrict=0 and "
			  "kernel.perf_event_paranoid=1");
}

/* NULL: none are known. */
static const struct symbols *of_running_kernel(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load);
	return running;
}

static uint64_t running_texts[TEXTS];

/* False: further lines may tell.  Where one of the names is, the other is not far, or is none. */
static bool load_texts_of(size_t most)
{
	struct symbols *symbols;
	bool more, is_done;
	int found;

	if (read_symbols(most, &symbols, &more))
		return true;
	memcpy(running_texts, symbols->texts, sizeof(running_texts));
	found = !!running_texts[0] + !!running_texts[1];
	is_done = found == TEXTS || (found && most > FIRST_BYTES) || symbols__are_hidden(symbols) ||
		  !more;
	symbols__free(symbols);
	return is_done;
}

/* Where the kernel's code begins is asked of every recording, and stands in the first lines. */
static void load_texts(void)
{
	size_t most = FIRST_BYTES;

	while (!load_texts_of(most))
		most *= 32;
}

static const uint64_t *texts_of_running_kernel(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load_texts);
	return running_texts;
}

bool symbols__text_is_at(const char *name, uint64_t address)
{
	const uint64_t *there = texts_of_running_kernel();

	for (size_t i = 0; i < TEXTS; i++)
		if (!strcmp(name, texts[i]))
			return there[i] && there[i] == address;
	return false;
}

bool symbols__text(const char **name, uint64_t *address)
{
	const uint64_t *there = texts_of_running_kernel();

	for (size_t i = 0; i < TEXTS; i++) {
		if (!there[i])
			continue;
		*name = texts[i];
		*address = there[i];
		return true;
	}
	return false;
}

void symbols__append(struct out *out, uint64_t address)
{
	const char *name = NULL;
	uint64_t offset;

	if (of_running_kernel())
		name = symbols__find(running, address, &offset);
	if (!name) {
		out__hex(out, address);
		return;
	}
	out__text(out, name);
	if (offset) {
		out__char(out, '+');
		out__hex(out, offset);
	}
}

uint32_t symbols__stack(int fd, uint32_t id, uint64_t *addresses, uint32_t max)
{
	uint32_t count = 0;

	if (fd < 0 || !max || bpf_map_lookup_elem(fd, &id, addresses))
		return 0;
	while (count < max && addresses[count])
		count++;
	return count;
}

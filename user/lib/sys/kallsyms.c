// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* sys/kallsyms.c: the names of kernel addresses, and the stacks in a BPF map. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>

#include "base/array.h"
#include "base/log.h"
#include "sys/caps.h"
#include "sys/file_text.h"
#include "sys/kallsyms.h"
#include "sys/kallsyms_line.h"

#define KALLSYMS "/proc/kallsyms"

/* The last function of the kernel, of a module and of BPF has no marked end. */
#define FUNCTION_BYTES_MAX (1u << 17)

struct symbol {
	uint64_t address;
	uint32_t name;	/* its offset in `names` */
	uint32_t owner; /* likewise: "" for the kernel itself, "[nf_tables]", "[bpf]" */
};

/* Pages of the kernel's code are at least this large. */
#define PAGE_BYTES_MIN 4096

#define TEXT_NAMES 2

struct kallsyms {
	bool lasting;	     /* SYMBOLS_LASTING */
	struct symbol *list; /* by rising address, each address once */
	size_t count, room;
	struct strbuf names; /* begins with the kernel's owner, "" */
	uint32_t last_owner;
	uint64_t texts[TEXT_NAMES]; /* addresses of text_names; 0: not found */
	size_t hidden;		    /* functions at address 0 */
};

/* ---- parsing --------------------------------------------------------------------------------- */

static bool add_symbol(struct kallsyms *symbols, struct symbol symbol, const char *name,
		       size_t bytes)
{
	if (symbols->names.failed ||
	    symbols->names.count > UINT32_MAX - 2 * (KALLSYMS_NAME_BYTES + 1))
		return false;
	if (!ARRAY_RESERVE(symbols->list, symbols->count, symbols->room))
		return false;
	symbol.name = (uint32_t)symbols->names.count;
	symbols->list[symbols->count++] = symbol;
	strbuf__bytes(&symbols->names, name, bytes);
	strbuf__char(&symbols->names, 0);
	return !symbols->names.failed;
}

/*
 * Names of the start of the kernel's code, which perf records.  If both are one address, only one
 * name is listed.
 */
static const char *const text_names[TEXT_NAMES] = { "_text", "_stext" };

static void note_text(struct kallsyms *symbols, uint64_t address, const char *name, size_t bytes)
{
	for (size_t i = 0; i < TEXT_NAMES; i++)
		if (strlen(text_names[i]) == bytes && !memcmp(text_names[i], name, bytes))
			symbols->texts[i] = address;
}

/* The symbols of a module follow each other, so its name is stored once, or a few times. */
static uint32_t store_owner(struct kallsyms *symbols, const struct kallsyms_line *line)
{
	const char *last = symbols->names.bytes + symbols->last_owner;
	size_t bytes =
		strnlen(line->owner, line->owner_bytes < KALLSYMS_NAME_BYTES ? line->owner_bytes
									     : KALLSYMS_NAME_BYTES);

	if (!bytes)
		return 0;
	if (!strncmp(last, line->owner, bytes) && !last[bytes])
		return symbols->last_owner;
	symbols->last_owner = (uint32_t)symbols->names.count;
	strbuf__bytes(&symbols->names, line->owner, bytes);
	strbuf__char(&symbols->names, 0);
	return symbols->last_owner;
}

/* False: no memory.  The kernel prints 0 for an address that it hides. */
static bool parse_line(struct kallsyms *symbols, const char *at, const char *end)
{
	struct kallsyms_line line;
	struct symbol symbol;

	if (!kallsyms_line__parse(&line, at, end) || !kallsyms_line__is_function(&line))
		return true;
	if (!line.address) {
		symbols->hidden++;
		return true;
	}
	if (symbols->lasting && kallsyms_line__is_passing(&line))
		return true;
	note_text(symbols, line.address, line.name, line.name_bytes);
	symbol = (struct symbol){ .address = line.address, .owner = store_owner(symbols, &line) };
	return add_symbol(symbols, symbol, line.name, line.name_bytes);
}

/*
 * The last of several names for an address stays, as perf 6.1 chooses: __x64_sys_getpid is listed
 * after __do_sys_getpid and __ia32_sys_getpid.
 */
static int compare_addresses(const void *left, const void *right)
{
	const struct symbol *a = left, *b = right;

	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->name > b->name ? -1 : a->name < b->name;
}

static void sort(struct kallsyms *symbols)
{
	size_t kept = 0;

	if (!symbols->count)
		return;
	qsort(symbols->list, symbols->count, sizeof(*symbols->list), compare_addresses);
	for (size_t i = 1; i < symbols->count; i++)
		if (symbols->list[i].address != symbols->list[kept].address)
			symbols->list[++kept] = symbols->list[i];
	symbols->count = kept + 1;
}

struct kallsyms *kallsyms__parse(const char *bytes, size_t count, enum symbols which)
{
	struct kallsyms *symbols = calloc(1, sizeof(*symbols));
	const char *at = bytes, *end = bytes + count, *newline;

	if (!symbols)
		return NULL;
	symbols->lasting = which == SYMBOLS_LASTING;
	strbuf__char(&symbols->names, 0);
	for (; at < end; at = newline + 1) {
		newline = memchr(at, '\n', (size_t)(end - at));
		if (!newline)
			newline = end;
		if (!parse_line(symbols, at, newline)) {
			kallsyms__free(symbols);
			return NULL;
		}
	}
	sort(symbols);
	return symbols;
}

void kallsyms__free(struct kallsyms *symbols)
{
	if (!symbols)
		return;
	free(symbols->list);
	strbuf__free(&symbols->names);
	free(symbols);
}

size_t kallsyms__count(const struct kallsyms *symbols)
{
	return symbols->count;
}

bool kallsyms__are_hidden(const struct kallsyms *symbols)
{
	return symbols->hidden && !symbols->count;
}

/* Whether the function `i`, which begins at or before `address`, reaches it. */
static bool contains(const struct kallsyms *symbols, size_t i, uint64_t address)
{
	const struct symbol *symbol = &symbols->list[i];

	if (address - symbol->address >= FUNCTION_BYTES_MAX)
		return false;
	return !symbols->lasting || (i + 1 < symbols->count && symbol[1].owner == symbol->owner) ||
	       symbol->address / PAGE_BYTES_MIN == address / PAGE_BYTES_MIN;
}

bool kallsyms__find_owned(const struct kallsyms *symbols, uint64_t address,
			  struct kernel_symbol *found)
{
	const struct symbol *symbol;
	size_t low = 0,
	       high = symbols->count; /* symbols below `low` begin at or before `address` */

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (symbols->list[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || !contains(symbols, low - 1, address))
		return false;
	symbol = &symbols->list[low - 1];
	found->name = symbols->names.bytes + symbol->name;
	found->owner = symbols->names.bytes + symbol->owner;
	found->offset = address - symbol->address;
	return true;
}

const char *kallsyms__find(const struct kallsyms *symbols, uint64_t address, uint64_t *offset)
{
	struct kernel_symbol found;

	if (!kallsyms__find_owned(symbols, address, &found))
		return NULL;
	*offset = found.offset;
	return found.name;
}

/* ---- the running kernel ---------------------------------------------------------------------- */

static struct kallsyms *running_all, *running_lasting;

/*
 * Parses the first `most` bytes or somewhat more; `*more`: there may be others.  The kernel formats
 * each line as it is read; all lines take tens of milliseconds.
 */
static int read_symbols(size_t most, enum symbols which, struct kallsyms **symbols, bool *more)
{
	struct strbuf text = { 0 };
	int fd = open(KALLSYMS, O_RDONLY | O_CLOEXEC);
	int err = file_text__read(fd < 0 ? -errno : fd, most, &text);

	*symbols = err ? NULL : kallsyms__parse(text.bytes, text.count, which);
	*more = text.count >= most;
	strbuf__free(&text);
	return err || *symbols ? err : -ENOMEM;
}

/* The kernel hides all addresses or none: one read(2) is enough to find out. */
#define FIRST_BYTES 2048

static int read_all(enum symbols which, struct kallsyms **symbols)
{
	bool more;
	int err = read_symbols(FIRST_BYTES, which, symbols, &more);

	if (err || !more || kallsyms__are_hidden(*symbols))
		return err;
	kallsyms__free(*symbols);
	return read_symbols(SIZE_MAX, which, symbols, &more);
}

static void load_kallsyms(enum symbols which, struct kallsyms **running)
{
	int err = read_all(which, running);

	if (err)
		log__warn("kernel addresses have no names: cannot read " KALLSYMS ": %s",
			  strerror(-err));
	else if (!(*running)->count)
		log__warn("kernel addresses have no names: " KALLSYMS " hides them: %s",
			  caps__explain_kallsyms());
}

static void load_all(void)
{
	load_kallsyms(SYMBOLS_ALL, &running_all);
}

static void load_lasting(void)
{
	load_kallsyms(SYMBOLS_LASTING, &running_lasting);
}

/* NULL: they cannot be read. */
static const struct kallsyms *running_kernel(enum symbols which)
{
	static pthread_once_t all = PTHREAD_ONCE_INIT, lasting = PTHREAD_ONCE_INIT;

	if (which == SYMBOLS_LASTING) {
		pthread_once(&lasting, load_lasting);
		return running_lasting;
	}
	pthread_once(&all, load_all);
	return running_all;
}

static uint64_t running_texts[TEXT_NAMES];

/*
 * False: later lines may have them.  The two names stand near each other, unless only one is
 * listed.
 */
static bool load_texts_from(size_t most)
{
	struct kallsyms *symbols;
	bool more, is_done;
	int found;

	if (read_symbols(most, SYMBOLS_ALL, &symbols, &more))
		return true;
	memcpy(running_texts, symbols->texts, sizeof(running_texts));
	found = !!running_texts[0] + !!running_texts[1];
	is_done = found == TEXT_NAMES || (found && most > FIRST_BYTES) ||
		  kallsyms__are_hidden(symbols) || !more;
	kallsyms__free(symbols);
	return is_done;
}

/* Every recording needs them, so read as little as possible: they are among the first lines. */
static void load_texts(void)
{
	size_t most = FIRST_BYTES;

	while (!load_texts_from(most))
		most *= 32;
}

static const uint64_t *find_texts(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load_texts);
	return running_texts;
}

bool kallsyms__text_is_at(const char *name, uint64_t address)
{
	const uint64_t *addresses = find_texts();

	for (size_t i = 0; i < TEXT_NAMES; i++)
		if (!strcmp(name, text_names[i]))
			return addresses[i] && addresses[i] == address;
	return false;
}

bool kallsyms__text(const char **name, uint64_t *address)
{
	const uint64_t *addresses = find_texts();

	for (size_t i = 0; i < TEXT_NAMES; i++) {
		if (!addresses[i])
			continue;
		*name = text_names[i];
		*address = addresses[i];
		return true;
	}
	return false;
}

const char *kallsyms__name(uint64_t address, enum symbols which, uint64_t *offset)
{
	const struct kallsyms *symbols = which == SYMBOLS_NONE ? NULL : running_kernel(which);

	return symbols ? kallsyms__find(symbols, address, offset) : NULL;
}

bool kallsyms__symbol(uint64_t address, enum symbols which, struct kernel_symbol *found)
{
	const struct kallsyms *symbols = which == SYMBOLS_NONE ? NULL : running_kernel(which);

	return symbols && kallsyms__find_owned(symbols, address, found);
}

void kallsyms__append_name(struct strbuf *out, const char *name, uint64_t offset)
{
	strbuf__text(out, name);
	if (offset) {
		strbuf__char(out, '+');
		strbuf__hex(out, offset);
	}
}

void kallsyms__append(struct strbuf *out, uint64_t address, enum symbols which)
{
	uint64_t offset;
	const char *name = kallsyms__name(address, which, &offset);

	if (name)
		kallsyms__append_name(out, name, offset);
	else
		strbuf__hex(out, address);
}

uint32_t kallsyms__stack(int fd, uint32_t id, uint64_t *addresses, uint32_t max)
{
	uint32_t count = 0;

	if (fd < 0 || !max || bpf_map_lookup_elem(fd, &id, addresses))
		return 0;
	while (count < max && addresses[count])
		count++;
	return count;
}

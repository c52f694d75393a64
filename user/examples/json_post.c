// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * json_post.c: batches of JSON lines in memory, as an agent sends them, for three seconds.
 *
 *	cc json_post.c $(pkg-config --cflags --libs libpeat) -o json_post
 *
 * Then, as root: ./json_post [hello.bpf.o]
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <peat/peat.h>

struct batch {
	char *bytes;
	size_t count;
};

/* Called with whole lines. */
static int append(void *arg, const char *bytes, size_t count)
{
	struct batch *batch = arg;
	char *more = realloc(batch->bytes, batch->count + count);

	if (!more)
		return -ENOMEM;
	memcpy(more + batch->count, bytes, count);
	batch->bytes = more;
	batch->count += count;
	return 0;
}

int main(int argc, char **argv)
{
	const char *object = argc > 1 ? argv[1] : "hello.bpf.o";
	struct batch batch = { NULL, 0 };
	struct peat_sink_opts opts = { .sz = sizeof(opts), .output = append, .output_arg = &batch };
	struct peat_sink *sink = peat_sink__new_json(-1, &opts);
	struct peat_session *session = peat_session__new(NULL);

	if (!sink || !session || peat_session__add_file(session, object) ||
	    peat_session__start(session, NULL)) {
		perror("json_post");
		return 1;
	}
	for (time_t end = time(NULL) + 3; time(NULL) < end;) {
		if (peat_session__wait(session, 100) < 0 || peat_session__drain(session, sink) < 0)
			return 1;
		/* Send the batch here. */
		fwrite(batch.bytes, 1, batch.count, stdout);
		batch.count = 0;
	}
	peat_session__free(session);
	peat_sink__free(sink);
	free(batch.bytes);
}

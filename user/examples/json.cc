// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * json.cc: C++: the events of any probe as JSON lines, for three seconds.
 *
 *	c++ json.cc $(pkg-config --cflags --libs libpeat) -o json
 *
 * Then, as root: ./json [hello.bpf.o]
 */
#include <chrono>
#include <cstdio>
#include <memory>
#include <peat/peat.h>

template <auto f> struct with {
	template <class T> void operator()(T *object) const
	{
		f(object);
	}
};
using Session = std::unique_ptr<peat_session, with<peat_session__free>>;
using Sink = std::unique_ptr<peat_sink, with<peat_sink__free>>;

static void print(peat_log_level level, const char *text)
{
	if (level <= PEAT_LOG_WARN)
		fprintf(stderr, "json: %s\n", text);
}

int main(int argc, char **argv)
{
	using namespace std::chrono;
	const char *object = argc > 1 ? argv[1] : "hello.bpf.o";
	peat_reader_opts opts = PEAT_READER_OPTS_INIT;

	opts.names = true;
	peat_set_print(print);
	Session session(peat_session__new(nullptr));
	Sink sink(peat_sink__new_json(1, nullptr));
	if (!session || !sink || peat_session__add_file(session.get(), object) ||
	    peat_session__start(session.get(), &opts))
		return 1;
	for (auto end = steady_clock::now() + 3s; steady_clock::now() < end;) {
		if (peat_session__wait(session.get(), 100) < 0)
			return 1;
		if (peat_session__drain(session.get(), sink.get()) < 0)
			return 1;
	}
	peat_session__stop(session.get());
	return peat_session__drain(session.get(), sink.get()) < 0;
}

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* shapes.cc: usage: shapes MILLISECONDS.  Templates, namespaces, lambdas, operators, methods. */
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#define NOINLINE __attribute__((noinline))

namespace
{
volatile uint64_t sink;

NOINLINE void spin(unsigned turns)
{
	for (unsigned i = 0; i < turns; i++)
		sink = sink + (i ^ sink >> 3);
}
} // namespace

namespace outer::inner
{
struct Shape {
	virtual ~Shape() = default;
	virtual uint64_t area(unsigned depth) const = 0;
};

template <typename T, unsigned N> struct Square : Shape {
	T side = N;

	NOINLINE uint64_t area(unsigned depth) const override
	{
		spin(50);
		return (depth ? area(depth - 1) : 0) + uint64_t(side * side);
	}
	NOINLINE bool operator<(const Square &other) const
	{
		spin(10);
		return side < other.side;
	}
};

template <typename... Args> NOINLINE uint64_t sum(Args... args)
{
	spin(100);
	return (0 + ... + uint64_t(args));
}
} // namespace outer::inner

using outer::inner::Shape;
using outer::inner::Square;

NOINLINE static uint64_t lambdas()
{
	auto twice = [](const auto &call, unsigned turns) NOINLINE {
		spin(turns);
		return call(turns) + call(turns + 1);
	};
	std::function<uint64_t(unsigned)> call = [](unsigned turns) {
		spin(turns);
		return sink + turns;
	};

	return twice(call, 50);
}

NOINLINE static uint64_t containers()
{
	std::map<std::string, std::vector<Square<int, 3>>> map;

	for (int i = 0; i < 20; i++)
		map[std::to_string(i % 7)].push_back({});
	for (auto &entry : map) {
		entry.second.back().side = int(entry.second.size());
		std::sort(entry.second.begin(), entry.second.end());
	}
	return map.size();
}

int main(int argc, char **argv)
{
	std::unique_ptr<Shape> shapes[] = { std::make_unique<Square<int, 4>>(),
					    std::make_unique<Square<double, 5>>() };
	clock_t end = (argc > 1 ? atoi(argv[1]) : 100) * (clock_t)(CLOCKS_PER_SEC / 1000);

	while (clock() < end) {
		for (auto &shape : shapes)
			sink = sink + shape->area(12);
		sink = sink + lambdas() + containers() +
		       outer::inner::sum(1, 2.0, 'c', short(4), 5UL);
	}
}

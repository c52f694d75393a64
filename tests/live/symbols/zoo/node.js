// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
// node.js: usage: node --perf-basic-prof node.js MILLISECONDS.  Functions that V8 compiles.
"use strict";

function fib(n) {
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

const end = Date.now() + Number(process.argv[2]);
let sum = 0;

while (Date.now() < end) {
	sum += fib(15);
	sum += JSON.stringify(Array.from({ length: 50 }, (_, i) => ({ i }))).match(/\d+/g).sort().length;
}
process.exitCode = sum ? 0 : 1;

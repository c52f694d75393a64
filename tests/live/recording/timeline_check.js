// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
// timeline_check.js: reads a timeline as Perfetto does: packets sorted by time, then in their order.
//
// usage: node timeline_check.js FILE [COUNTS]
//
// usage: node timeline_check.js FILE counters
//
// COUNTS has the output of "peat count -q RECORDING --by tid": the events of each thread have to be as many.  Prints the
// numbers of slices, instants, switches and samples, or what is wrong; with "counters" the sum and the last value of each.
'use strict';
const fs = require('fs');

const bytes = fs.readFileSync(process.argv[2]);
const BEGIN = 1, END = 2, INSTANT = 3, COUNTER = 4;

function fail(why) {
	console.log('FAILED: ' + why);
	process.exit(1);
}

let at = 0;

function varint() {
	let value = 0, scale = 1;
	for (;;) {
		const byte = bytes[at++];
		if (byte === undefined)
			fail('the file ends inside a number');
		value += (byte & 127) * scale;
		if (byte < 128)
			return value;
		scale *= 128;
	}
}

// Calls use(field, value, end) for each field of a message that ends at `end`; messages are at `at`.
function fields(end, use) {
	while (at < end) {
		const tag = varint(), wire = tag % 8, field = (tag - wire) / 8;
		if (wire === 0) {
			use(field, varint(), 0);
		} else if (wire === 1) {
			at += 8;
		} else if (wire === 2) {
			const next = varint() + at;
			if (next > end)
				fail('field ' + field + ' ends after its message');
			use(field, 0, next);
			at = next;
		} else {
			fail('wire type ' + wire);
		}
	}
	if (at !== end)
		fail('a message ends inside a field');
}

const events = [], parents = new Map(), threads = new Map(), names = new Map(), stacks = new Set();
const numbers = { slices: 0, instants: 0, switches: 0, wakings: 0, samples: 0 };
const counts = new Map(), counters = new Map();

function count(tid) {
	counts.set(tid, (counts.get(tid) || 0) + 1);
}

function interned(sequence, end) {
	fields(end, (field, value, next) => {
		let id = 0, name = '';
		if (field !== 2 && field !== 3 && field !== 7)
			return;
		fields(next, (inner, number, last) => {
			if (inner === 1)
				id = number;
			else if (inner === 2 && last)
				name = bytes.toString('utf8', at, last);
		});
		if (field === 7)
			stacks.add(sequence + '/' + id);
		else
			names.set(field + '/' + id, name);
	});
}

function descriptor(end) {
	let uuid = 0, tid = -1, name = '';
	fields(end, (field, value, next) => {
		if (field === 1)
			uuid = value;
		else if (field === 2)
			name = bytes.toString('utf8', at, next);
		else if (field === 8)
			counters.set(uuid, { name, sum: 0, last: 0, time: 0 });
		else if (field === 5)
			parents.set(uuid, value);
		else if (field === 4)
			fields(next, (inner, number) => { if (inner === 2) tid = number; });
	});
	if (tid >= 0)
		threads.set(uuid, tid);
}

function event(end, time) {
	let type = 0, track = 0, name = 0, number = 0;
	fields(end, (field, value, next) => {
		if (field === 30)
			number = value;
		else if (field === 9)
			type = value;
		else if (field === 11)
			track = value;
		else if (field === 10)
			name = value;
		else if (field === 4)
			fields(next, (inner, number) => {
				if (inner === 1 && !names.has('3/' + number))
					fail('argument name ' + number + ' is not known');
			});
	});
	if (type === COUNTER) {
		const counter = counters.get(track);
		if (!counter || time < counter.time)
			fail('counter ' + track);
		counters.set(track, { ...counter, sum: counter.sum + number, last: number, time });
		return;
	}
	if (type !== END && !names.has('2/' + name))
		fail('event name ' + name + ' is not known');
	events.push(track, time, type);
	if (type === END)
		return;
	numbers[type === BEGIN ? 'slices' : 'instants']++;
	const thread = threads.get(parents.has(track) ? parents.get(track) : track);
	if (thread !== undefined)
		count(thread);
}

function ftrace(end) {
	fields(end, (field, value, next) => {
		if (field !== 2)
			return;
		fields(next, (inner) => {
			if (inner === 4)
				numbers.switches++;
			else if (inner === 20)
				numbers.wakings++;
		});
	});
}

function sample(end, sequence) {
	let tid = 0, stack = 0;
	fields(end, (field, value) => {
		if (field === 3)
			tid = value;
		else if (field === 4)
			stack = value;
	});
	if (!stacks.has(sequence + '/' + stack))
		fail('stack ' + stack + ' of sequence ' + sequence + ' is not known');
	numbers.samples++;
	if (process.argv[4])
		count(tid);
}

fields(bytes.length, (packet, none, end) => {
	let time = 0, sequence = 0;
	if (packet !== 1)
		fail('field ' + packet + ' of the trace');
	fields(end, (field, value, next) => {
		if (field === 8)
			time = value;
		else if (field === 10)
			sequence = value;
		else if (field === 11)
			event(next, time);
		else if (field === 12)
			interned(sequence, next);
		else if (field === 60)
			descriptor(next);
		else if (field === 1)
			ftrace(next);
		else if (field === 66)
			sample(next, sequence);
	});
});

// Each end has to close the slice whose begin is the event before it in the file.
const order = [];
for (let i = 0; i < events.length; i += 3)
	order.push(i);
order.sort((a, b) => events[a + 1] - events[b + 1] || a - b);
const open = new Map();
for (const i of order) {
	const track = events[i], type = events[i + 2];
	if (!open.has(track))
		open.set(track, []);
	if (type === BEGIN)
		open.get(track).push(i);
	else if (type === END && open.get(track).pop() !== i - 3)
		fail('slices of track ' + track + ' cross at ' + events[i + 1]);
	else if (type !== END && type !== INSTANT)
		fail('type ' + type);
}
for (const [track, left] of open)
	if (left.length)
		fail('a slice of track ' + track + ' has no end');

if (process.argv[3] === 'counters') {
	for (const counter of counters.values())
		console.log(`${counter.name} ${counter.sum} ${counter.last}`);
	process.exit(0);
}
if (process.argv[3])
	for (const line of fs.readFileSync(process.argv[3], 'utf8').trim().split('\n')) {
		const [tid, wanted] = line.trim().split(/ +/).map(Number);
		if (tid > 0 && counts.get(tid) !== wanted)
			fail('thread ' + tid + ' has ' + counts.get(tid) + ' events, not ' + wanted);
	}
console.log(Object.keys(numbers).map((name) => numbers[name] + ' ' + name).join(', '));

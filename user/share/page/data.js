// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * data.js: the events of the page.  user/data/page writes them as blocks: elements of the document
 * with compressed columns in base64.
 *
 * Data.load() reads all but the fields of events, which are read when they are needed.
 */
"use strict";
const Data = (() => {
	// ---- bytes ------------------------------------------------------------------------------

	function fromBase64(text) {
		if (Uint8Array.fromBase64)
			return Uint8Array.fromBase64(text);
		const binary = atob(text), bytes = new Uint8Array(binary.length);

		for (let i = 0; i < binary.length; i++)
			bytes[i] = binary.charCodeAt(i);
		return bytes;
	}

	async function bytesOf(element) {
		const packed = new Blob([fromBase64(element.textContent)]).stream();
		const plain = packed.pipeThrough(new DecompressionStream("deflate-raw"));

		return new Uint8Array(await new Response(plain).arrayBuffer());
	}

	const blocksOf = (name) =>
		Array.from(document.querySelectorAll(`script[data-block="${name}"]`));

	const decoder = new TextDecoder();

	// Numbers as base/varint.h writes them: seven bits a byte, the lowest bits first.
	class Cursor {
		constructor(bytes) {
			this.bytes = bytes;
			this.at = 0;
		}

		// Inexact beyond 2^53.
		number() {
			const bytes = this.bytes;
			let byte = bytes[this.at++];

			if (byte < 128)
				return byte;
			let value = byte & 127, scale = 128;
			do {
				byte = bytes[this.at++];
				value += (byte & 127) * scale;
				scale *= 128;
			} while (byte >= 128);
			return value;
		}

		signed() {
			const value = this.number();

			return value % 2 ? -(value + 1) / 2 : value / 2;
		}

		// A BigInt if a number is inexact.
		exact(isSigned) {
			const before = this.at, value = this.number();

			if (value <= Number.MAX_SAFE_INTEGER)
				return !isSigned ? value : value % 2 ? -(value + 1) / 2 : value / 2;
			let big = 0n;
			for (let i = before; i < this.at; i++)
				big |= BigInt(this.bytes[i] & 127) << BigInt(7 * (i - before));
			return !isSigned ? big : big & 1n ? -(big >> 1n) - 1n : big >> 1n;
		}

		// The next bytes, which have their number before them.
		part() {
			const count = this.number(), at = this.at;

			this.at += count;
			return new Cursor(this.bytes.subarray(at, at + count));
		}

		text() {
			return decoder.decode(this.part().bytes);
		}
	}

	// ---- what all events have ---------------------------------------------------------------

	const events = { count: 0 };
	let tables = null;
	let stacks = { parent: new Uint32Array(1), frame: new Uint32Array(1), count: 1 };
	let nodeOf = new Uint32Array(1); // nodes of `stacks`, by the numbers that events have

	const sumRows = (blocks) =>
		blocks.reduce((sum, block) => sum + Number(block.dataset.rows), 0);

	function readRows(bytes, at, rows, clock, rowsOfType) {
		const cursor = new Cursor(bytes);
		const [types, times, durations, cpus, tasks, nodes] =
			Array.from({ length: 6 }, () => cursor.part());

		for (let i = at; i < at + rows; i++) {
			const type = types.number();
			const duration = durations.number();

			clock.now += times.signed();
			events.type[i] = type;
			events.time[i] = clock.now;
			events.start[i] = duration ? clock.now - (duration - 1) : clock.now;
			events.isSlice[i] = duration ? 1 : 0;
			events.cpu[i] = cpus.number() - 1;
			events.task[i] = tasks.number();
			events.node[i] = nodes.number();
			events.row[i] = rowsOfType[type] = (rowsOfType[type] ?? -1) + 1;
		}
	}

	function isSorted(times) {
		for (let i = 1; i < times.length; i++)
			if (times[i] < times[i - 1])
				return false;
		return true;
	}

	// Late events are where their time is.
	function sortEvents() {
		if (isSorted(events.time))
			return;
		const { time } = events;
		const order = Uint32Array.from(time, (_, i) => i).sort((a, b) => time[a] - time[b]);

		for (const name of Object.keys(events))
			if (name !== "count")
				events[name] = events[name].map((_, i, all) => all[order[i]]);
	}

	async function loadEvents() {
		const blocks = blocksOf("rows"), count = sumRows(blocks);
		const clock = { now: 0 }, rowsOfType = [];
		let at = 0;

		Object.assign(events, {
			count,
			type: new Uint16Array(count),
			time: new Float64Array(count), // ns after the first event; the end of a slice
			start: new Float64Array(count),
			isSlice: new Uint8Array(count),
			cpu: new Int32Array(count), // -1: unknown
			task: new Uint32Array(count),
			node: new Uint32Array(count), // of `stacks`; 0: no stack
			row: new Uint32Array(count), // of the event's type
		});
		for (const block of blocks) {
			const rows = Number(block.dataset.rows);

			readRows(await bytesOf(block), at, rows, clock, rowsOfType);
			at += rows;
			block.remove();
		}
		sortEvents();
	}

	function readStacks(bytes) {
		const cursor = new Cursor(bytes);
		const count = cursor.number() + 1;

		stacks = { parent: new Uint32Array(count), frame: new Uint32Array(count), count };
		for (let i = 1; i < count; i++) {
			stacks.parent[i] = i - cursor.number();
			stacks.frame[i] = cursor.number();
		}
		nodeOf = new Uint32Array(cursor.number() + 1);
		for (let i = 1; i < nodeOf.length; i++)
			nodeOf[i] = cursor.number();
	}

	async function load() {
		const [tablesBlock] = blocksOf("tables"), [stacksBlock] = blocksOf("stacks");

		if (!tablesBlock)
			throw new Error("the page is cut: its writer did not finish");
		if (typeof DecompressionStream === "undefined")
			throw new Error("this browser cannot decompress: use one from 2023 or newer");
		tables = JSON.parse(decoder.decode(await bytesOf(tablesBlock)));
		readStacks(await bytesOf(stacksBlock));
		await loadEvents();
		for (let i = 0; i < events.count; i++)
			events.node[i] = nodeOf[events.node[i]];
		tables.types.forEach((type) => { type.blocks = []; });
		for (const element of blocksOf("fields")) {
			const blocks = tables.types[Number(element.dataset.type)].blocks;
			const last = blocks[blocks.length - 1];

			blocks.push({
				element,
				first: last ? last.first + last.rows : 0,
				rows: Number(element.dataset.rows),
				columns: null,
			});
		}
	}

	// ---- fields -----------------------------------------------------------------------------

	function readColumn(cursor, field, rows) {
		const missing = new Set(), texts = [], values = new Array(rows);
		let row = 0;

		for (let left = cursor.number(); left > 0; left--)
			missing.add(row += cursor.number());
		for (let left = cursor.number(); left > 0; left--)
			texts.push(cursor.text());
		for (let i = 0; i < rows; i++)
			values[i] = cursor.exact(field.signed && field.format !== "text");
		return { field, texts, values, missing };
	}

	// The columns of a block of a type, read once.
	function columnsOf(type, block) {
		block.columns ??= bytesOf(block.element).then((bytes) => {
			const cursor = new Cursor(bytes);

			return type.fields.map((field) => readColumn(cursor.part(), field, block.rows));
		});
		return block.columns;
	}

	// null: the event does not have the field.
	function valueOf(column, row) {
		if (column.missing.has(row))
			return null;
		const value = column.values[row];

		return column.field.format === "text" ? column.texts[value] : value;
	}

	// The fields of an event and their values.
	async function fieldsOf(event) {
		const type = tables.types[events.type[event]], row = events.row[event];
		const block = type.blocks.find((at) => row >= at.first && row < at.first + at.rows);

		if (!block)
			return [];
		const columns = await columnsOf(type, block);
		return columns.map((column) =>
			({ field: column.field, value: valueOf(column, row - block.first) }));
	}

	// Calls use(row of the type, value) for each event of a type.
	async function eachValue(typeNumber, fieldNumber, use) {
		const type = tables.types[typeNumber];

		for (const block of type.blocks) {
			const column = (await columnsOf(type, block))[fieldNumber];

			for (let i = 0; i < block.rows; i++)
				use(block.first + i, valueOf(column, i));
		}
	}

	// Events of a type, by their rows.
	function eventsByRow(typeNumber) {
		const result = new Uint32Array(tables.types[typeNumber].events);

		for (let i = 0; i < events.count; i++)
			if (events.type[i] === typeNumber)
				result[events.row[i]] = i;
		return result;
	}

	// The first index in a sorted array whose value is at least, or more than, a value.
	function lowerBound(values, value, low = 0, high = values.length) {
		while (low < high) {
			const middle = (low + high) >> 1;

			if (values[middle] < value)
				low = middle + 1;
			else
				high = middle;
		}
		return low;
	}

	return {
		load, events, fieldsOf, eachValue, eventsByRow, lowerBound, columnsOf,
		get tables() { return tables; },
		get stacks() { return stacks; },
	};
})();

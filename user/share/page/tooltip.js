// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/* tooltip.js: all fields of an event beside the mouse; a click keeps it. */
"use strict";
const Tooltip = (() => {
	const STACK_MAX = 16;
	const box = document.getElementById("tooltip");
	let shown = -1, isKept = false, place = { x: 0, y: 0 };

	function make(name, properties, ...children) {
		const made = Object.assign(document.createElement(name), properties);

		made.append(...children);
		return made;
	}

	const row = (name, value, doc = "") => make("tr", { title: doc },
		make("th", { textContent: name }), make("td", { textContent: value }));

	function headOf(event) {
		const { type, time, start, isSlice, cpu, task } = Data.events;
		const [pid, tid] = Data.tables.tasks[task[event]];
		const day = View.timeOfDay(time[event]);
		const rows = [row("time", View.moment(time[event]))];

		if (day)
			rows.push(row("", day));
		if (isSlice[event])
			rows.push(row("duration", `${View.duration(time[event] - start[event])}, from ` +
				View.moment(start[event])));
		rows.push(row("task", `${View.taskName(Data.tables.tasks[task[event]])}  pid ${pid ?? "–"}` +
			(tid === pid ? "" : `  tid ${tid ?? "–"}`)));
		if (cpu[event] >= 0)
			rows.push(row("cpu", String(cpu[event])));
		return { name: Data.tables.types[type[event]].name, colour: View.typeColour(type[event]), rows };
	}

	function stackOf(event) {
		const names = [];

		for (let node = Data.events.node[event]; Data.stacks.parent[node];
			node = Data.stacks.parent[node]) {
			const [name, module] = Data.tables.frames[Data.stacks.frame[node]];

			names.push(module ? `${name}  (${module})` : name);
		}
		const more = names.length - STACK_MAX;
		return more > 0 ? [...names.slice(0, STACK_MAX), `… and ${more} more`] : names;
	}

	function move() {
		const gap = 14, { width, height } = box.getBoundingClientRect();
		const right = place.x + gap + width < innerWidth;
		const x = right ? place.x + gap : Math.max(4, place.x - gap - width);

		box.style.left = `${x}px`;
		box.style.top = `${Math.max(4, Math.min(place.y + gap, innerHeight - height - 4))}px`;
	}

	function fill(event, count, fields) {
		const { name, colour, rows } = headOf(event);
		const mark = make("i", {});
		const stack = stackOf(event);

		mark.style.background = colour;
		box.replaceChildren(make("h3", {}, mark, name,
			make("small", { textContent: count > 1 ? `one of ${View.number(count)} here` : "" })));
		box.append(make("table", {}, ...rows,
			...fields.map(({ field, value }) => row(field.name, View.value(field, value), field.doc))));
		if (stack.length)
			box.append(make("ol", {}, ...stack.map((text) => make("li", { textContent: text }))));
		if (isKept)
			box.append(make("p", { textContent: "Esc closes" }));
	}

	async function show({ event, count }, x, y, keep) {
		if (isKept && !keep)
			return;
		isKept = keep;
		place = { x, y };
		box.hidden = false;
		box.classList.toggle("kept", isKept);
		if (shown !== event || keep) {
			shown = event;
			fill(event, count, []);
			const fields = await Data.fieldsOf(event);
			if (shown !== event)
				return;
			fill(event, count, fields);
		}
		move();
	}

	// A line or two, for other pictures.
	function showText(lines, x, y) {
		isKept = false;
		shown = -1;
		place = { x, y };
		box.hidden = false;
		box.classList.remove("kept");
		box.replaceChildren(make("h3", { textContent: lines[0] }),
			...lines.slice(1).map((textContent) => make("p", { textContent })));
		move();
	}

	// True: it was there.
	function close() {
		const was = !box.hidden && isKept;

		box.hidden = true;
		isKept = false;
		shown = -1;
		return was;
	}

	const hide = () => isKept || close();

	return { show, showText, hide, close };
})();

// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
/*
 * timeline.js: draws the tracks, and the overview above them, on a canvas.
 *
 * A slice or an instant that is narrower than a pixel shares the pixel with those beside it: found
 * by bisection, so a frame takes time by the pixels, not by the events.
 */
"use strict";
const Timeline = (() => {
	const OVERVIEW = 44, AXIS = 24, TOP = OVERVIEW + AXIS; // heights
	const LANE = 16, INSTANTS = 16, PAD = 5, TRACK_MIN = 26;
	const FONT = "12px system-ui, sans-serif", SMALL = "11px system-ui, sans-serif";
	const TEXT_MIN = 28; // pixels of a slice with a text

	const canvas = document.getElementById("timeline");
	const context = canvas.getContext("2d");
	const { state } = View;
	let width = 0, height = 0, gutter = 180;
	let tracks = [], tracksHeight = 0, scroll = 0;
	let overview = null;
	let pointer = null; // where the mouse is, in the plot
	let drag = null;
	let isDue = false;
	let hovered = -1; // an event

	const plotWidth = () => Math.max(width - gutter, 1);
	const xOf = (ns) => gutter + (ns - state.from) / (state.to - state.from) * plotWidth();
	const timeAt = (x) => state.from + (x - gutter) / plotWidth() * (state.to - state.from);
	const overviewX = (ns) =>
		gutter + (ns - state.first) / (state.last - state.first) * plotWidth();
	const overviewTime = (x) =>
		state.first + (x - gutter) / plotWidth() * (state.last - state.first);

	// ---- layout -----------------------------------------------------------------------------

	function placeTracks() {
		let y = 0;

		for (const track of tracks) {
			track.y = y;
			track.height = Math.max(TRACK_MIN, 2 * PAD + (track.instants ? INSTANTS : 0) +
				track.lanes.length * LANE);
			y += track.height;
		}
		tracksHeight = y;
		scrollBy(0);
	}

	function scrollBy(pixels) {
		const most = Math.max(0, tracksHeight - (height - TOP));

		scroll = Math.min(Math.max(scroll + pixels, 0), most);
		request();
	}

	function regroup() {
		tracks = Tracks.make(state.group, state.order, state.hidden);
		Tracks.noteMatches(tracks, state.matches);
		overview = null;
		scroll = 0;
		placeTracks();
	}

	function resize() {
		const ratio = window.devicePixelRatio || 1, box = canvas.getBoundingClientRect();

		width = Math.floor(box.width);
		height = Math.floor(box.height);
		gutter = width < 700 ? 120 : width < 1600 ? 190 : 260;
		canvas.width = Math.round(width * ratio);
		canvas.height = Math.round(height * ratio);
		context.setTransform(ratio, 0, 0, ratio, 0, 0);
		overview = null;
		scrollBy(0);
	}

	// ---- the overview -----------------------------------------------------------------------

	// Events per pixel, of the types that are shown.
	function countOverview() {
		const { time, type, count } = Data.events;
		const counts = new Uint32Array(Math.ceil(plotWidth()) + 1);
		const scale = plotWidth() / (state.last - state.first);

		for (let i = 0; i < count; i++)
			if (!state.hidden.has(type[i]))
				counts[Math.floor((time[i] - state.first) * scale)]++;
		return { counts, most: counts.reduce((most, it) => Math.max(most, it), 1) };
	}

	function drawLosses(y, bottom, xOfTime) {
		context.fillStyle = View.colours.lost;
		for (const [ns] of Data.tables.losses) {
			const x = Math.round(xOfTime(ns));

			if (x >= gutter && x < width)
				context.fillRect(x, y, 1.5, bottom - y);
		}
	}

	function drawOverview() {
		const { colours } = View;
		const tall = OVERVIEW - 10;

		overview ??= countOverview();
		context.fillStyle = colours.raised;
		context.fillRect(0, 0, width, OVERVIEW);
		context.fillStyle = colours.accent;
		context.globalAlpha = 0.55;
		overview.counts.forEach((count, x) => {
			const bar = count ? Math.max(1, Math.sqrt(count / overview.most) * tall) : 0;

			if (bar)
				context.fillRect(gutter + x, OVERVIEW - 2 - bar, 1, bar);
		});
		context.globalAlpha = 1;
		drawLosses(4, OVERVIEW - 2, overviewX);
		const left = overviewX(state.from), right = Math.max(overviewX(state.to), left + 2);
		context.fillStyle = colours.ground;
		context.globalAlpha = 0.65;
		context.fillRect(gutter, 0, left - gutter, OVERVIEW);
		context.fillRect(right, 0, width - right, OVERVIEW);
		context.globalAlpha = 1;
		context.strokeStyle = colours.accent;
		context.strokeRect(left + 0.5, 0.5, Math.max(right - left - 1, 1), OVERVIEW - 1);
		context.fillStyle = colours.faint;
		context.font = SMALL;
		context.fillText("whole recording", 12, OVERVIEW / 2 + 1);
		context.fillText(View.duration(state.last - state.first), 12, OVERVIEW / 2 + 15);
	}

	// ---- the axis ---------------------------------------------------------------------------

	function stepOf(pixels) {
		const least = (state.to - state.from) / plotWidth() * pixels;
		const power = 10 ** Math.floor(Math.log10(least));

		return power * [1, 2, 5, 10].find((factor) => power * factor >= least);
	}

	function drawAxis() {
		const { colours } = View, step = Math.max(stepOf(110), 1);

		context.fillStyle = colours.ground;
		context.fillRect(0, OVERVIEW, width, AXIS);
		context.fillStyle = colours.faint;
		context.font = SMALL;
		context.fillText(View.duration(state.to - state.from) + " in view", 12, OVERVIEW + 16);
		for (let ns = Math.ceil(state.from / step) * step; ns <= state.to; ns += step) {
			const x = Math.round(xOf(ns)) + 0.5;

			context.fillStyle = colours.line;
			context.fillRect(x, OVERVIEW + 17, 1, height);
			context.fillStyle = colours.faint;
			if (x + 60 < width)
				context.fillText(View.moment(ns, step), x + 4, OVERVIEW + 16);
		}
		context.fillStyle = colours.line;
		context.fillRect(0, TOP - 0.5, width, 1);
	}

	// ---- rows -------------------------------------------------------------------------------

	const paper = { fill: "", x: 0, y: 0, width: 0, height: 0, alpha: 1 };

	// Rectangles that touch are one.
	function putRect(fill, alpha, x, y, w, h) {
		if (paper.fill === fill && paper.alpha === alpha && paper.y === y && paper.height === h &&
			Math.abs(paper.x + paper.width - x) < 0.01) {
			paper.width += w;
			return;
		}
		endRect();
		Object.assign(paper, { fill, alpha, x, y, width: w, height: h });
	}

	function endRect() {
		if (paper.fill) {
			context.fillStyle = paper.fill;
			context.globalAlpha = paper.alpha;
			context.fillRect(paper.x, paper.y, paper.width, paper.height);
			context.globalAlpha = 1;
		}
		paper.fill = "";
	}

	// Events of a search stand out; without a search all have their colours.
	function fillOf(row, i, j) {
		if (row.matches && row.matches[j] === row.matches[i])
			return View.colours.line;
		return row.matches ? View.colours.match : palette[Data.events.type[row.events[i]]];
	}

	function textOn(row, i) {
		if (!row.matches)
			return View.textOn(Data.events.type[row.events[i]]);
		return row.matches[i + 1] === row.matches[i] ? View.colours.faint : View.colours.ground;
	}

	let palette = [];

	function drawInstants(row, y) {
		const { times } = row, pixel = (state.to - state.from) / plotWidth();
		let i = Data.lowerBound(times, state.from - pixel);

		while (i < times.length && times[i] <= state.to) {
			const x = Math.floor(xOf(times[i]));
			const next = Data.lowerBound(times, timeAt(x + 1), i + 1);
			const bar = Math.min(INSTANTS - 3, 6 + 2 * Math.log2(next - i));

			if (x >= gutter)
				putRect(fillOf(row, i, next), 1, x, y + INSTANTS - 3 - bar,
					pixel < 20 ? 2 : 1, bar);
			i = next;
		}
		endRect();
	}

	// All slices that end or begin within a pixel: the part of it that they cover.
	function drawNarrow(row, i, x, y) {
		const { starts, sums } = row, pixel = (state.to - state.from) / plotWidth();
		const next = Math.max(Data.lowerBound(starts, timeAt(x + 1), i + 1), i + 1);
		const covered = Math.min(1, (sums[next] - sums[i]) / pixel);

		putRect(fillOf(row, i, next), 0.35 + 0.65 * Math.round(covered * 8) / 8, x, y, 1, LANE - 2);
		return next;
	}

	function drawWide(row, i, from, to, y) {
		const fill = fillOf(row, i, i + 1);

		putRect(fill, 1, from, y, Math.max(to - from - 0.5, 1), LANE - 2);
		if (to - from < TEXT_MIN)
			return;
		endRect();
		const name = Data.tables.types[Data.events.type[row.events[i]]].name;
		const full = `${name} ${View.duration(row.ends[i] - row.starts[i])}`;
		context.font = SMALL;
		const text = [full, name].find((it) => context.measureText(it).width <= to - from - 8);
		context.fillStyle = textOn(row, i);
		if (text)
			context.fillText(text, from + 4, y + 11);
	}

	function drawLane(row, y) {
		const { starts, ends } = row;
		let i = Data.lowerBound(ends, state.from);

		while (i < starts.length && starts[i] < state.to) {
			const from = Math.max(xOf(starts[i]), gutter), to = Math.min(xOf(ends[i]), width);

			if (to - from >= 1.5) {
				drawWide(row, i, from, to, y);
				i++;
			} else {
				i = drawNarrow(row, i, Math.max(Math.floor(from), gutter), y);
			}
		}
		endRect();
	}

	// ---- tracks -----------------------------------------------------------------------------

	function cut(text, room) {
		if (context.measureText(text).width <= room)
			return text;
		let all = Array.from(text);
		while (all.length && context.measureText(all.join("") + "…").width > room)
			all = all.slice(0, -1);
		return all.join("") + "…";
	}

	function drawLabel(track, y) {
		const { colours } = View;

		context.fillStyle = colours.ground;
		context.fillRect(0, y, gutter, track.height);
		context.font = FONT;
		context.fillStyle = colours.text;
		const detail = track.detail ? `  ${track.detail}` : "", room = gutter - 24;
		context.font = SMALL;
		const detailWidth = context.measureText(detail).width;
		context.font = FONT;
		const label = cut(track.label, room - detailWidth - 52);
		context.fillText(label, 12, y + 17);
		const labelWidth = context.measureText(label).width;
		context.font = SMALL;
		context.fillStyle = colours.faint;
		context.fillText(detail, 12 + labelWidth, y + 17);
		context.textAlign = "right";
		context.fillText(View.number(track.count), gutter - 10, y + 17);
		context.textAlign = "left";
	}

	function drawTrack(track) {
		let y = TOP + track.y - scroll;

		if (y + track.height < TOP || y > height)
			return;
		let row = y + PAD;
		if (track.instants) {
			drawInstants(track.instants, row);
			row += INSTANTS;
		}
		for (const lane of track.lanes) {
			drawLane(lane, row);
			row += LANE;
		}
		drawLabel(track, y);
		context.fillStyle = View.colours.line;
		context.fillRect(0, y + track.height - 1, width, 1);
	}

	function drawScrollBar() {
		const room = height - TOP;

		if (tracksHeight <= room)
			return;
		const bar = Math.max(24, room * room / tracksHeight);
		const y = TOP + scroll / (tracksHeight - room) * (room - bar);
		context.fillStyle = View.colours.faint;
		context.globalAlpha = 0.5;
		context.fillRect(width - 7, y + 2, 4, bar - 4);
		context.globalAlpha = 1;
	}

	// ---- marks above the tracks -------------------------------------------------------------

	function drawSelection() {
		if (!state.selection)
			return;
		const left = Math.max(xOf(state.selection.from), gutter);
		const right = Math.min(xOf(state.selection.to), width);
		if (right < gutter || left > width)
			return;
		context.fillStyle = View.colours.select;
		context.globalAlpha = 0.16;
		context.fillRect(left, OVERVIEW, right - left, height);
		context.globalAlpha = 1;
		context.fillRect(left, OVERVIEW, 1, height);
		context.fillRect(right - 1, OVERVIEW, 1, height);
		const text = View.duration(state.selection.to - state.selection.from);
		context.font = "600 " + SMALL;
		if (right - left > context.measureText(text).width + 8) {
			context.textAlign = "center";
			context.fillText(text, (left + right) / 2, TOP + 14);
			context.textAlign = "left";
		}
	}

	function drawPointer() {
		if (!pointer || pointer.x < gutter || pointer.y < OVERVIEW || drag)
			return;
		context.fillStyle = View.colours.faint;
		context.fillRect(Math.round(pointer.x), OVERVIEW, 1, height);
	}

	function draw() {
		isDue = false;
		context.fillStyle = View.colours.ground;
		context.fillRect(0, 0, width, height);
		context.textBaseline = "alphabetic";
		drawAxis();
		context.save();
		context.beginPath();
		context.rect(0, TOP, width, height - TOP);
		context.clip();
		drawLosses(TOP, height, xOf);
		tracks.forEach(drawTrack);
		context.restore();
		drawSelection();
		drawPointer();
		drawScrollBar();
		drawOverview();
		context.fillStyle = View.colours.line;
		context.fillRect(gutter - 1, 0, 1, height);
	}

	function request() {
		if (isDue)
			return;
		isDue = true;
		requestAnimationFrame(draw);
	}

	// ---- events under the mouse -------------------------------------------------------------

	// The row at a height of the window.
	function rowAt(y) {
		const track = tracks.find((it) => {
			const top = TOP + it.y - scroll;

			return y >= Math.max(top, TOP) && y < top + it.height;
		});
		if (!track)
			return null;
		let row = TOP + track.y - scroll + PAD;
		if (track.instants) {
			if (y < row + INSTANTS || !track.lanes.length)
				return { track, row: track.instants, isLane: false };
			row += INSTANTS;
		}
		const lane = Math.min(Math.max(Math.floor((y - row) / LANE), 0), track.lanes.length - 1);
		return { track, row: track.lanes[lane], isLane: true };
	}

	// The events within three pixels: the nearest, and how many there are.
	function eventsAt(x, y) {
		const found = rowAt(y);

		if (!found || x < gutter)
			return null;
		const from = timeAt(x - 3), to = timeAt(x + 3), at = timeAt(x);
		const { row, isLane, track } = found;
		const low = Data.lowerBound(isLane ? row.ends : row.times, isLane ? Math.min(at, from) : from);
		const high = Data.lowerBound(isLane ? row.starts : row.times, to);
		if (high <= low)
			return null;
		let best = low;
		for (let i = low; i < high && i < low + 1000; i++)
			if (distance(row, isLane, i, at) < distance(row, isLane, best, at))
				best = i;
		return { event: row.events[best], count: high - low, track };
	}

	function distance(row, isLane, i, at) {
		if (!isLane)
			return Math.abs(row.times[i] - at);
		return Math.max(0, row.starts[i] - at, at - row.ends[i]);
	}

	// ---- mouse ------------------------------------------------------------------------------

	function beginDrag(event) {
		const { offsetX: x, offsetY: y } = event;

		if (event.button !== 0)
			return;
		canvas.setPointerCapture(event.pointerId);
		const selects = x >= gutter && y >= OVERVIEW && (y < TOP || event.shiftKey);
		drag = {
			kind: y < OVERVIEW ? "overview" : selects ? "select" : "pan",
			x, y, from: timeAt(x), scroll, first: state.from, moved: false,
		};
		if (drag.kind === "overview")
			moveOverview(x);
	}

	function moveOverview(x) {
		const half = (state.to - state.from) / 2, at = overviewTime(x);

		View.setSpan(at - half, at + half);
	}

	function moveDrag(event) {
		const { offsetX: x, offsetY: y } = event;

		drag.moved ||= Math.abs(x - drag.x) + Math.abs(y - drag.y) > 3;
		if (!drag.moved)
			return;
		Tooltip.hide();
		if (drag.kind === "overview") {
			moveOverview(x);
		} else if (drag.kind === "select") {
			const at = timeAt(Math.min(Math.max(x, gutter), width));
			View.select(Math.min(at, drag.from), Math.max(at, drag.from));
		} else {
			const ns = (drag.x - x) / plotWidth() * (state.to - state.from);
			View.pan(drag.first + ns - state.from);
			scrollBy(drag.scroll + drag.y - y - scroll);
		}
	}

	function endDrag(event) {
		const was = drag;

		drag = null;
		if (!was || was.moved || was.kind === "overview")
			return;
		const found = eventsAt(event.offsetX, event.offsetY);
		if (found)
			Tooltip.show(found, event.clientX, event.clientY, true);
		else if (state.selection)
			View.select(0, 0);
	}

	function hover(event) {
		pointer = { x: event.offsetX, y: event.offsetY };
		request();
		if (drag) {
			moveDrag(event);
			return;
		}
		const found = pointer.y >= TOP ? eventsAt(pointer.x, pointer.y) : null;
		canvas.style.cursor = pointer.x >= gutter && pointer.y >= OVERVIEW && pointer.y < TOP
			? "text" : found ? "pointer" : pointer.y < OVERVIEW ? "col-resize" : "default";
		hovered = found ? found.event : -1;
		if (found)
			Tooltip.show(found, event.clientX, event.clientY, false);
		else
			Tooltip.hide();
	}

	function turnWheel(event) {
		event.preventDefault();
		const pixels = event.deltaMode === 1 ? 16 : 1;

		if (event.offsetX < gutter || event.shiftKey)
			scrollBy((event.deltaY || event.deltaX) * pixels);
		else if (Math.abs(event.deltaX) > Math.abs(event.deltaY))
			View.pan(event.deltaX * pixels / plotWidth() * (state.to - state.from));
		else
			View.zoom(Math.exp(Math.max(-60, Math.min(60, event.deltaY * pixels)) / 200),
				timeAt(event.offsetX));
	}

	// ---- keys -------------------------------------------------------------------------------

	const step = (part) => () => View.pan((state.to - state.from) * part);
	const at = () => pointer && pointer.x >= gutter ? timeAt(pointer.x) : undefined;
	const keys = {
		ArrowLeft: step(-0.15), a: step(-0.15), ArrowRight: step(0.15), d: step(0.15),
		PageUp: step(-0.9), PageDown: step(0.9),
		ArrowUp: () => scrollBy(-40), ArrowDown: () => scrollBy(40),
		w: () => View.zoom(0.7, at()), "+": () => View.zoom(0.7, at()), "=": () => View.zoom(0.7, at()),
		s: () => View.zoom(1 / 0.7, at()), "-": () => View.zoom(1 / 0.7, at()),
		0: () => View.setSpan(state.first, state.last),
		Home: () => View.setSpan(state.first, state.first + (state.to - state.from)),
		End: () => View.setSpan(state.last - (state.to - state.from), state.last),
		f: () => state.selection && View.setSpan(state.selection.from, state.selection.to),
	};

	// True: the key was used.
	function press(event) {
		const use = !event.ctrlKey && !event.metaKey && !event.altKey && keys[event.key];

		if (use)
			use();
		return Boolean(use);
	}

	// ---- the next match ---------------------------------------------------------------------

	let current = -1;

	function goToMatch(direction) {
		const { matches } = state, { count, time, start } = Data.events;

		if (!matches || !state.matchCount)
			return;
		do
			current = (current + direction + count) % count;
		while (!matches[current] || state.hidden.has(Data.events.type[current]));
		const half = Math.min((state.to - state.from) / 2, (state.last - state.first) / 20);
		const middle = (start[current] + time[current]) / 2;
		View.setSpan(middle - half, middle + half);
		scrollTo(current);
	}

	function scrollTo(event) {
		const track = tracks.find((it) => [...it.lanes, it.instants].some((row) =>
			row && row.events.includes(event)));

		if (track)
			scrollBy(track.y - (height - TOP) / 2 - scroll);
	}

	function begin() {
		palette = Data.tables.types.map((_, i) => View.typeColour(i));
		resize();
		regroup();
		new ResizeObserver(resize).observe(canvas);
		View.on("span", request);
		View.on("selection", request);
		View.on("group", regroup);
		View.on("colours", () => {
			palette = Data.tables.types.map((_, i) => View.typeColour(i));
			request();
		});
		View.on("search", () => {
			current = -1;
			Tracks.noteMatches(tracks, state.matches);
			request();
		});
		canvas.addEventListener("pointerdown", beginDrag);
		canvas.addEventListener("pointermove", hover);
		canvas.addEventListener("pointerup", endDrag);
		canvas.addEventListener("pointerleave", () => {
			pointer = null;
			Tooltip.hide();
			request();
		});
		canvas.addEventListener("wheel", turnWheel, { passive: false });
		canvas.addEventListener("dblclick", (event) => View.zoom(0.4, timeAt(event.offsetX)));
	}

	return {
		begin, press, goToMatch, draw, xOf, eventsAt,
		get tracks() { return tracks; },
		get hovered() { return hovered; },
		get geometry() { return { TOP, gutter, width, height, scroll }; },
	};
})();

/* tests/report/readable.js -- how well the worst text of a page can be read: worst(), for the probes beside it. */
/* Contrast of WCAG: of every element with text of its own against what lies behind it. */
function rgb(text) { return text.match(/[\d.]+/g).map(Number); }
function light(c) {
	return [0.2126, 0.7152, 0.0722].reduce(function (sum, weight, i) {
		var v = c[i] / 255;
		return sum + weight * (v <= 0.03928 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4));
	}, 0);
}
/* What shows through is laid over what lies behind it. */
function behind(e) {
	var layers = [];
	for (; e; e = e.parentElement) {
		var c = rgb(getComputedStyle(e).backgroundColor), alpha = c.length < 4 ? 1 : c[3];
		layers.unshift(c.slice(0, 3).concat(alpha));
		if (alpha === 1)
			break;
	}
	return layers.reduce(function (under, c) { return under.map(function (u, i) { return u * (1 - c[3]) + c[i] * c[3]; }); }, [255, 255, 255]);
}
function contrast(e) {
	var a = light(rgb(getComputedStyle(e).color)), b = light(behind(e));
	return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}
function worst() {
	return [].slice.call(document.querySelectorAll('body *')).filter(function (e) {
		return e.offsetParent !== null && !/^(SCRIPT|STYLE|INPUT)$/.test(e.tagName) &&
			[].some.call(e.childNodes, function (n) { return n.nodeType === 3 && n.nodeValue.trim(); });
	}).reduce(function (least, e) { return Math.min(least, contrast(e)); }, 21);
}

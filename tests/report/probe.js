/* tests/report/probe.js -- appended to a page by browser.sh: looks at what the browser made of it and says so, a fact a line. */
(function () {
	'use strict';
	var said = [];
	function say(name, value) { said.push(name + ' ' + value); }
	function all(what, from) { return [].slice.call((from || document).querySelectorAll(what)); }
	function visible() { return all('details.finding').filter(function (d) { return d.offsetParent !== null; }).length; }
	function filter(text) {
		var q = document.getElementById('q');
		q.value = text;
		q.dispatchEvent(new Event('input', { bubbles: true }));
		return visible();
	}
	function toggle(name, value) {
		var box = document.querySelector('input[name=' + name + '][value=' + value + ']');
		box.click();
		return visible();
	}

	/* Contrast of WCAG: of every element with text of its own against the nearest background that is not transparent. */
	function rgb(text) { return text.match(/[\d.]+/g).map(Number); }
	function light(c) {
		return [0.2126, 0.7152, 0.0722].reduce(function (sum, weight, i) {
			var v = c[i] / 255;
			return sum + weight * (v <= 0.03928 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4));
		}, 0);
	}
	function behind(e) {
		for (; e; e = e.parentElement) {
			var c = rgb(getComputedStyle(e).backgroundColor);
			if (c.length < 4 || c[3] > 0)
				return c;
		}
		return [255, 255, 255];
	}
	function contrast(e) {
		var a = light(rgb(getComputedStyle(e).color)), b = light(behind(e));
		return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
	}
	function worst() {
		return all('body *').filter(function (e) {
			return e.offsetParent !== null && !/^(SCRIPT|STYLE|INPUT)$/.test(e.tagName) &&
				[].some.call(e.childNodes, function (n) { return n.nodeType === 3 && n.nodeValue.trim(); });
		}).reduce(function (least, e) { return Math.min(least, contrast(e)); }, 21);
	}

	var first = document.querySelector('details.finding');
	say('scheme', matchMedia('(prefers-color-scheme:dark)').matches ? 'dark' : 'light');
	say('findings', all('details.finding').length);
	say('open', all('details.finding[open]').length);
	say('shown', document.getElementById('shown') ? document.getElementById('shown').textContent : 'none');
	say('wide', document.documentElement.scrollWidth <= innerWidth ? 'no' : 'yes');
	say('strangers', all('img,iframe,object,embed,link,svg').length + document.scripts.length - 2);
	say('bold', all('b').filter(function (b) { return !b.closest('.tiles'); }).length);
	all('details.finding').forEach(function (d) { d.open = true; });
	if (first) {
		say('lanes', all('th', first.querySelector('.lanes')).map(function (t) { return t.textContent; }).join(','));
		say('steps', all('tbody tr', first).map(function (r) {
			return [].findIndex.call(r.cells, function (c) { return c.classList.contains('on'); }) + (r.className === 'bug' ? '!' : '');
		}).join(','));
		say('held', all('tbody tr', first).map(function (r) { return all('.held', r).length; }).join(','));
		say('marked', all('.src .bug', first).map(function (l) { return l.querySelector('.no').textContent; }).join(','));
	}
	say('loose', all('a.step').filter(function (a) { return !document.getElementById(a.getAttribute('href').slice(1)); }).length);
	say('links', all('a.step').length);
	say('readable', worst() >= 4.5 ? 'yes' : 'no, ' + worst().toFixed(2));
	if (first) {
		say('deadlock', filter('deadlock'));
		say('two-words', filter('take FIRST'));
		say('nobody', filter('no such word'));
		say('everybody', filter(''));
		say('without-race', toggle('kind', 'race'));
		say('without-confirmed', toggle('status', 'confirmed'));
		toggle('kind', 'race');
		toggle('status', 'confirmed');
		document.getElementById('close').click();
		say('closed', all('details.finding[open]').length);
	}
	var pre = document.createElement('pre');
	pre.id = 'probe';
	pre.textContent = '\n' + said.join('\n') + '\n';
	document.body.appendChild(pre);
}());

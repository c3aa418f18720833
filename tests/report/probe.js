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

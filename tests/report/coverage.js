/* tests/report/coverage.js -- appended to a page of faults by coverage.sh: looks at what the browser made of it and says so, a fact a line. */
(function () {
	'use strict';
	var said = [];
	function say(name, value) { said.push(name + ' ' + value); }
	function all(what, from) { return [].slice.call((from || document).querySelectorAll(what)); }
	function shown() { return document.getElementById('shown').textContent; }
	function input(e) { e.dispatchEvent(new Event('input', { bubbles: true })); return shown(); }
	function filter(text) { var q = document.getElementById('q'); q.value = text; return input(q); }
	function box(e) { return e.getBoundingClientRect(); }
	function inside(a, b) { return a.left >= b.left - 0.5 && a.right <= b.right + 0.5 && a.top >= b.top - 0.5 && a.bottom <= b.bottom + 0.5; }
	function meets(a, b) { return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom; }
	function pairs(list) { return list.reduce(function (n, a, i) { return n + list.slice(i + 1).filter(function (b) { return meets(box(a), box(b)); }).length; }, 0); }

	say('scheme', matchMedia('(prefers-color-scheme:dark)').matches ? 'dark' : 'light');
	say('programs', all('h3').map(function (h) { return h.textContent; }).join(','));
	say('bars', all('.bars tbody tr').map(function (r) { return r.cells[0].textContent + '=' + r.cells[2].textContent; }).join(';'));
	say('tiles', all('.tiles li').map(function (t) { return t.textContent; }).join(','));
	say('warned', all('.gave').map(function (t) { return t.textContent; }).join(','));
	/* Outcomes fill their bar; the interval lies where its numbers say. */
	say('uneven', all('.bars .stack').filter(function (s) {
		var wide = all('i', s).reduce(function (sum, i) { return sum + box(i).width; }, 0);
		return Math.abs(wide - box(s).width) > 1.5;
	}).length);
	say('misplaced', all('.bars tbody tr').filter(function (r) {
		var numbers = r.cells[2].textContent.match(/\[([\d.]+), ([\d.]+)\]/), track = box(r.querySelector('.stack')), ci = box(r.querySelector('.ci'));
		return Math.abs((ci.left - track.left) / track.width * 100 - numbers[1]) > 0.3 || Math.abs((ci.right - track.left) / track.width * 100 - numbers[2]) > 0.3;
	}).length);
	say('heat', all('.heat').map(function (l) { return l.dataset.line + ':' + l.querySelector('.cnt').textContent + ':' + l.style.getPropertyValue('--h'); }).join(' '));
	say('code', all('.heat .code').filter(function (c) { return c.textContent.trim(); }).length);
	say('wide', document.documentElement.scrollWidth <= innerWidth ? 'no' : 'yes');
	say('strangers', all('img,iframe,object,embed,link').length + document.scripts.length - 3);
	say('bold', all('b').filter(function (b) { return !b.closest('.tiles') && !b.closest('.stack') && !b.closest('.span') && !b.closest('.legend'); }).length);
	/* The picture: texts in their boxes, no box on another, arrows there. */
	all('details').forEach(function (d) { d.open = true; });
	say('boxes', all('.picture .box').length);
	say('arrows', all('.picture .edge').length + ',' + all('.picture .edge.crosses').length);
	say('on-another', pairs(all('.picture .box')));
	say('outside', all('.picture .node').filter(function (n) { return all('text', n).some(function (t) { return !inside(box(t), box(n.querySelector('.box'))); }); }).length);
	say('lines-apart', all('.picture .node').filter(function (n) { return pairs(all('text', n)) > 0; }).length);
	say('readable', worst() >= 4.5 ? 'yes' : 'no, ' + worst().toFixed(2));
	/* The table. */
	say('rows', all('#rows tbody tr').length);
	say('shown', shown());
	say('columns', all('#rows th').map(function (t) { return t.textContent; }).join(','));
	say('again', all('#rows tbody tr')[0].cells[all('#rows th').length - 1].textContent);
	say('seller', filter('T_0_1 sell'));
	say('nobody', filter('no such word'));
	say('everybody', filter(''));
	var crash = document.querySelector('input[name=outcome][value="3"]');
	crash.click();
	say('without-silent', shown());
	crash.click();
	var kind = document.getElementById('type');
	if (!kind.hidden) {
		kind.selectedIndex = 2;
		say('second-type', kind.options[2].textContent + ' ' + input(kind));
		kind.selectedIndex = 0;
		input(kind);
	}
	var hot = document.querySelector('.heat');
	hot.click();
	say('of-a-line', shown());
	document.getElementById('all').click();
	say('all-again', shown());
	var heat = document.getElementById('heat');
	heat.value = '3';
	input(heat);
	say('heat-silent', hot.style.getPropertyValue('--h'));
	all('#rows th')[0].click();
	say('last-first', all('#rows tbody tr')[0].dataset.id);
	say('links', all('#rows a').map(function (a) { return document.getElementById(a.getAttribute('href').slice(1)) ? 'good' : 'loose'; }).join(',') || 'none');
	document.getElementById('more').click();
	say('more-rows', all('#rows tbody tr').length);
	var pre = document.createElement('pre');
	pre.id = 'probe';
	pre.textContent = '\n' + said.join('\n') + '\n';
	document.body.appendChild(pre);
}());

/* tests/check/program.c -- reads the language of program.h: one token ahead, code made as it is read. */
#include "tests/check/program.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum what { IS_WORD, IS_OBJECT, IS_REGISTER };
struct name { char text[32]; enum what what; int at; };

struct parser {
	struct program *p;
	const char *path, *at;
	char token[32];
	int line;
	struct name names[128];
	int name_count, first_register; /* registers begin at this name */
	bool plain;                     /* of the body being read */
};

_Noreturn static void wrong(const struct parser *s, const char *what)
{
	fprintf(stderr, "%s:%d: %s, at '%s'\n", s->path, s->line, what, s->token);
	exit(3);
}

/* ---------------------------------------------------------------- tokens */

static void skip_blanks(struct parser *s)
{
	for (;; s->at++) {
		if (*s->at == '#')
			while (*s->at && *s->at != '\n')
				s->at++;
		if (!isspace((unsigned char)*s->at))
			return;
		s->line += *s->at == '\n';
	}
}

static void next(struct parser *s)
{
	static const char *const pairs[] = { "==", "!=", "<=", ">=", "&&", "||" };
	size_t n = 0;
	skip_blanks(s);
	if (isalnum((unsigned char)*s->at) || *s->at == '_') {
		while ((isalnum((unsigned char)s->at[n]) || s->at[n] == '_') && n < sizeof s->token - 1)
			n++;
	} else if (*s->at) {
		n = 1;
		for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
			if (strncmp(s->at, pairs[i], 2) == 0)
				n = 2;
	}
	memcpy(s->token, s->at, n);
	s->token[n] = 0;
	s->at += n;
}

static bool is(const struct parser *s, const char *text) { return strcmp(s->token, text) == 0; }
static bool take(struct parser *s, const char *text) { return is(s, text) ? next(s), true : false; }

static void need(struct parser *s, const char *text)
{
	char said[64];
	if (take(s, text))
		return;
	snprintf(said, sizeof said, "expected '%s'", text);
	wrong(s, said);
}

static int number(struct parser *s)
{
	char *end;
	int sign = take(s, "-") ? -1 : 1;
	long n = strtol(s->token, &end, 10);
	if (end == s->token || *end || n > 10000)
		wrong(s, "expected a number up to 10000");
	next(s);
	return sign * (int)n;
}

/* ---------------------------------------------------------------- names */

static struct name *known(struct parser *s, const char *text)
{
	for (int i = 0; i < s->name_count; i++)
		if (strcmp(s->names[i].text, text) == 0)
			return &s->names[i];
	return NULL;
}

static struct name *declare(struct parser *s, enum what what, int at)
{
	struct name *n = &s->names[s->name_count];
	if (s->name_count + 2 == (int)(sizeof s->names / sizeof *s->names))
		wrong(s, "too many names");
	if (!isalpha((unsigned char)s->token[0]) || known(s, s->token))
		wrong(s, "expected a new name");
	s->name_count++;
	snprintf(n->text, sizeof n->text, "%s", s->token);
	n->what = what;
	n->at = at;
	next(s);
	return n;
}

static int reg(struct parser *s)
{
	const struct name *n = known(s, s->token);
	int at = s->name_count - s->first_register;
	if (n && n->what != IS_REGISTER)
		wrong(s, "expected a register");
	if (n)
		at = n->at, next(s);
	else if (at < MAX_REGISTERS)
		declare(s, IS_REGISTER, at);
	else
		wrong(s, "too many registers");
	s->plain &= at != 0;
	if (at >= s->p->registers)
		s->p->registers = at + 1;
	return at;
}

static int named(struct parser *s, enum what what)
{
	const struct name *n = known(s, s->token);
	if (!n || n->what != what)
		wrong(s, what == IS_WORD ? "expected a shared word" : "expected a lock or the like");
	next(s);
	return n->at;
}

/* ---------------------------------------------------------------- expressions */

static int node(struct parser *s, struct node n)
{
	if (s->p->node_count == MAX_NODES)
		wrong(s, "too long a program");
	s->p->nodes[s->p->node_count] = n;
	return s->p->node_count++;
}

static int expression(struct parser *s, int level);

static int primary(struct parser *s)
{
	if (take(s, "(")) {
		int inside = expression(s, 0);
		need(s, ")");
		return inside;
	}
	if (take(s, "!"))
		return node(s, (struct node){ '!', 0, primary(s), NONE });
	if (isdigit((unsigned char)s->token[0]) || is(s, "-"))
		return node(s, (struct node){ '0', number(s), NONE, NONE });
	return node(s, (struct node){ 'r', reg(s), NONE, NONE });
}

/* Operators by how strongly they bind; the letter stands for it in a node. */
static int expression(struct parser *s, int level)
{
	static const struct { const char *text; int level; char kind; } operators[] = {
		{ "||", 0, '|' }, { "&&", 1, '&' }, { "==", 2, '=' }, { "!=", 2, 'n' }, { "<", 2, '<' }, { ">", 2, '>' },
		{ "<=", 2, 'l' }, { ">=", 2, 'g' }, { "+", 3, '+' }, { "-", 3, '-' }, { "*", 4, '*' }, { "%", 4, '%' } };
	int left = level == 5 ? primary(s) : expression(s, level + 1);
	for (size_t i = 0; level < 5 && i < sizeof operators / sizeof *operators; i++)
		if (operators[i].level == level && take(s, operators[i].text)) {
			left = node(s, (struct node){ operators[i].kind, 0, left, expression(s, level + 1) });
			i = (size_t)-1;
		}
	return left;
}

/* ---------------------------------------------------------------- statements */

static struct instruction *emit(struct parser *s, enum op op)
{
	struct instruction *i = &s->p->code[s->p->codes++];
	if (s->p->codes == MAX_CODE)
		wrong(s, "too long a program");
	*i = (struct instruction){ .op = op, .reg = NONE, .object = NONE, .second = NONE, .index = NONE, .value = NONE, .other = NONE,
	                           .line = s->line };
	s->plain &= (op <= OP_END && op != OP_DEMAND) || op == OP_STORE;
	return i;
}

/* x, or a[e]. */
static void place(struct parser *s, struct instruction *i)
{
	i->object = named(s, IS_WORD);
	if (take(s, "[")) {
		i->index = expression(s, 0);
		need(s, "]");
	}
}

static void store(struct parser *s)
{
	struct instruction *i = emit(s, OP_STORE);
	need(s, "(");
	place(s, i);
	need(s, ",");
	i->value = expression(s, 0);
	need(s, ",");
	i->order = take(s, "release") ? RELEASE : take(s, "seq_cst") ? SEQ_CST : (wrong(s, "expected release or seq_cst"), RELAXED);
	need(s, ")");
}

static void fence(struct parser *s)
{
	struct instruction *i = emit(s, OP_FENCE);
	i->order = SEQ_CST;
	if (take(s, "(")) {
		need(s, "release");
		need(s, ")");
		i->order = RELEASE;
	}
}

static void block(struct parser *s);

/* What the thread that is first does. */
static void once_block(struct parser *s, int once)
{
	block(s);
	emit(s, OP_ONCE_DONE)->object = s->p->code[once].object;
	s->p->code[once].to = s->p->codes;
}

/* lock(m) and its like; false: it is none. */
static bool called(struct parser *s, int result)
{
	static const struct { const char *text; enum op op; } calls[] = {
		{ "lock", OP_LOCK }, { "unlock", OP_UNLOCK }, { "trylock", OP_TRYLOCK }, { "timedlock", OP_TIMEDLOCK },
		{ "tryrdlock", OP_TRYRDLOCK }, { "trywrlock", OP_TRYWRLOCK }, { "timeddown", OP_TIMEDDOWN }, { "timedwait", OP_TIMEDWOKEN },
		{ "once", OP_ONCE }, { "rdlock", OP_RDLOCK }, { "wrlock", OP_WRLOCK },
		{ "rwunlock", OP_RWUNLOCK }, { "wait", OP_WAIT }, { "signal", OP_SIGNAL }, { "broadcast", OP_BROADCAST }, { "down", OP_DOWN },
		{ "trydown", OP_TRYDOWN }, { "up", OP_UP }, { "barrier", OP_BARRIER } };
	for (size_t n = 0; n < sizeof calls / sizeof *calls; n++) {
		if (!take(s, calls[n].text))
			continue;
		bool timed = calls[n].op == OP_TIMEDWOKEN;
		struct instruction *i = emit(s, timed ? OP_WAIT : calls[n].op);
		i->reg = timed ? NONE : result;
		need(s, "(");
		i->object = named(s, IS_OBJECT);
		if (i->op == OP_WAIT) {
			need(s, ",");
			i->second = named(s, IS_OBJECT);
			struct instruction *woken = emit(s, timed ? OP_TIMEDWOKEN : OP_WOKEN);
			woken->reg = result;
			woken->object = i->object;
			woken->second = i->second;
		} else if (i->op == OP_BARRIER) {
			struct instruction *pass = emit(s, OP_PASS);
			pass->object = i->object;
			pass->reg = result;
		}
		need(s, ")");
		if (i->op == OP_ONCE)
			once_block(s, (int)(i - s->p->code));
		return true;
	}
	return false;
}

/* add(x, e), swap(x, e), cas(x, old, new); false: it is none. */
static bool updated(struct parser *s, int result)
{
	enum op op = is(s, "add") ? OP_ADD : is(s, "swap") ? OP_SWAP : is(s, "cas") ? OP_CAS : OP_END;
	if (op == OP_END)
		return false;
	next(s);
	struct instruction *i = emit(s, op);
	i->reg = result;
	need(s, "(");
	place(s, i);
	need(s, ",");
	i->value = expression(s, 0);
	if (op == OP_CAS) {
		need(s, ",");
		i->other = expression(s, 0);
	}
	need(s, ")");
	return true;
}

static int condition(struct parser *s)
{
	need(s, "(");
	int e = expression(s, 0);
	need(s, ")");
	return e;
}

static void assignment(struct parser *s)
{
	const struct name *n = known(s, s->token);
	if (n && n->what == IS_WORD) {
		struct instruction *i = emit(s, OP_STORE);
		place(s, i);
		need(s, "=");
		i->value = expression(s, 0);
		return;
	}
	int result = reg(s);
	need(s, "=");
	n = known(s, s->token);
	if (take(s, "choose")) {
		struct instruction *i = emit(s, OP_CHOOSE);
		i->reg = result;
		i->value = condition(s);
		return;
	}
	if (called(s, result) || updated(s, result))
		return;
	struct instruction *i = emit(s, n && n->what == IS_WORD ? OP_LOAD : OP_SET);
	i->reg = result;
	if (i->op == OP_LOAD)
		place(s, i);
	else
		i->value = expression(s, 0);
}

static void if_else(struct parser *s)
{
	int e = condition(s), unless = s->p->codes;
	emit(s, OP_UNLESS)->value = e;
	block(s);
	if (take(s, "else")) {
		int over = s->p->codes;
		emit(s, OP_JUMP);
		s->p->code[unless].to = s->p->codes;
		block(s);
		s->p->code[over].to = s->p->codes;
	} else {
		s->p->code[unless].to = s->p->codes;
	}
}

static void while_loop(struct parser *s)
{
	int head = s->p->codes, e = condition(s);
	emit(s, OP_UNLESS)->value = e;
	block(s);
	emit(s, OP_JUMP)->to = head;
	s->p->code[head].to = s->p->codes;
}

/* Read as often as it is run. */
static void fixed_loop(struct parser *s)
{
	int n = number(s), line = s->line;
	const char *from = s->at;
	for (int i = 0; i < n; i++) {
		s->at = from;
		s->line = line;
		strcpy(s->token, "{");
		block(s);
	}
}

static void spin(struct parser *s)
{
	emit(s, OP_SPIN);
	int head = s->p->codes;
	block(s);
	need(s, "while");
	int e = condition(s);
	struct instruction *again = emit(s, OP_AGAIN);
	again->value = e;
	again->to = head;
	need(s, ";");
}

static void statement(struct parser *s)
{
	if (take(s, "if"))
		if_else(s);
	else if (take(s, "while"))
		while_loop(s);
	else if (take(s, "loop"))
		fixed_loop(s);
	else if (take(s, "spin"))
		spin(s);
	else {
		if (is(s, "assert") || is(s, "demand")) {
			enum op op = is(s, "assert") ? OP_ASSERT : OP_DEMAND;
			next(s);
			int e = condition(s);
			emit(s, op)->value = e;
		} else if (take(s, "store")) {
			store(s);
		} else if (take(s, "free")) {
			struct instruction *i = emit(s, OP_FREE);
			need(s, "(");
			place(s, i);
			s->p->is_freed[i->object] = true;
			need(s, ")");
		} else if (take(s, "exit")) {
			int e = condition(s);
			emit(s, OP_EXIT)->value = e;
		} else if (take(s, "fence")) {
			fence(s);
		} else if (!called(s, NONE)) {
			assignment(s);
		}
		need(s, ";");
	}
}

static void block(struct parser *s)
{
	need(s, "{");
	while (!is(s, "}"))
		statement(s);
	need(s, "}");
}

/* ---------------------------------------------------------------- the whole */

static void shared(struct parser *s, bool is_plain)
{
	do {
		int at = s->p->words, many = 1, value = 0;
		declare(s, IS_WORD, at);
		if (take(s, "[")) {
			many = number(s);
			need(s, "]");
		}
		if (take(s, "="))
			value = number(s);
		if (many < 1 || at + many > MAX_WORDS)
			wrong(s, "too many words");
		for (int i = 0; i < many; i++)
			s->p->initial[at + i] = value, s->p->is_plain[at + i] = is_plain;
		s->p->words += many;
	} while (take(s, ","));
	need(s, ";");
}

static void objects(struct parser *s, enum kind kind)
{
	do {
		int at = s->p->objects++;
		if (at == MAX_OBJECTS)
			wrong(s, "too many locks");
		declare(s, IS_OBJECT, at);
		s->p->kind[at] = kind;
		s->p->start[at] = take(s, "=") ? number(s) : 0;
	} while (take(s, ","));
	need(s, ";");
}

static void body(struct parser *s, struct body *b, bool last)
{
	b->copies = !last && !is(s, "{") ? number(s) : 1;
	if (b->copies < 1 || b->copies >= MAX_THREADS)
		wrong(s, "too many threads");
	b->code = s->p->codes;
	s->plain = true;
	s->first_register = s->name_count;
	s->names[s->name_count++] = (struct name){ .text = "me", .what = IS_REGISTER };
	if (s->p->registers == 0)
		s->p->registers = 1;
	if (last)
		emit(s, OP_JOIN_ALL);
	block(s);
	emit(s, OP_END);
	b->plain = s->plain;
	s->name_count = s->first_register;
}

void program_read(struct program *out, const char *path)
{
	static char text[65536];
	struct parser s = { .p = out, .path = path, .at = text, .line = 1 };
	FILE *f = fopen(path, "r");
	size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
	if (!f) {
		fprintf(stderr, "%s: cannot be read\n", path);
		exit(3);
	}
	fclose(f);
	text[n] = 0;
	memset(out, 0, sizeof *out);
	out->body_count = 1;                    /* body 0 is main's: a program without `finally` has one that only joins */
	for (next(&s); s.token[0];) {
		if (take(&s, "shared"))
			shared(&s, false);
		else if (take(&s, "plain"))
			shared(&s, true);
		else if (take(&s, "mutex") || take(&s, "rwlock") || take(&s, "cond") || take(&s, "sem"))
			objects(&s, ORDINARY);
		else if (is(&s, "recursive") || is(&s, "checked") || is(&s, "spinlock")) {
			enum kind kind = is(&s, "recursive") ? RECURSIVE : is(&s, "checked") ? CHECKED : SPINLOCK;
			next(&s);
			objects(&s, kind);
		}
		else if (!out->has_main && is(&s, "finally"))
			next(&s), body(&s, &out->bodies[0], true), out->has_main = true;
		else if (take(&s, "thread") && out->body_count < MAX_BODIES)
			body(&s, &out->bodies[out->body_count++], false);
		else if (take(&s, "barrier") || take(&s, "once"))
			objects(&s, ORDINARY);
		else
			wrong(&s, "expected a declaration or a thread");
	}
	if (!out->has_main) {
		out->bodies[0] = (struct body){ .code = out->codes, .copies = 1 };
		emit(&s, OP_JOIN_ALL);
		emit(&s, OP_END);
	}
}

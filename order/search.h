/* order/search.h -- what the files of the search share: one question on its way through clauses.c, complete.c, states.c and choose.c.
 *
 * The prefix asked for ends at a made-up node END: what comes before END is in it.  Edges (decided so far) and the must-order
 * say what comes before what; clauses are rules that some completion ran into, each a list of ways out, each way one or two
 * edges.  Nothing is a clause that is not a rule of the trace, so clauses are never taken back; edges are, on backtracking.
 *   (1) the edges never close a cycle with the must-order;
 *   (2) after search_saturate() every clause has a way that holds, or two that are open;
 *   (3) when all clauses hold, a completion lays the prefix in a row by the rules, lowest observed number first; what it
 *       gets stuck at is a rule that no clause has yet, so each round adds one or ends. */
#ifndef RADDLE_ORDER_SEARCH_H
#define RADDLE_ORDER_SEARCH_H

#include "order/inside.h"
#include "order/refute.h"

#define END (NONE - 1)

struct way { struct edge edge[2]; uint32_t count; };
struct clause { uint32_t first, count; uint8_t rule; uint32_t about[2]; uint64_t byte; };       /* ways[first...]; about SEM: wait, fronts[] */
enum rule { RULE_LOCK, RULE_SEM, RULE_COND, RULE_READ };

/* A cell in the row with this stamp: written as a whole by, and behind that these bytes by, accesses[]; whole NONE: by nobody. */
struct cell_now { uint32_t stamp, whole, byte[8]; uint8_t bytes; };

struct led_to { uint32_t lay, first; };

struct search {
	struct order *order;
	VEC(struct edge) edges;
	VEC(uint32_t) reasons;                  /* of edges: clause + 1, 0 given, NONE decided */
	VEC(struct way) ways;
	VEC(struct clause) clauses;
	struct map known;                       /* pairs and waits that are clauses already */
	VEC(uint8_t) seen;                      /* of edges, in reach() */
	VEC(uint32_t) todo;
	VEC(struct led_to) led_to;              /* by node: in this lay, the first edge that leads to it, + 1, */
	VEC(uint32_t) led_next;                 /* and by edge the next one, + 1 */
	uint32_t lay;
	uint32_t *front, *done, *limit;
	uint32_t cut;                           /* completions begin here */
	VEC(uint32_t) row;                      /* the completion */
	struct heap ready;
	VEC(uint32_t) blocked;
	VEC(uint32_t) lock_holder, lock_readers;        /* section + 1; how many */
	VEC(uint32_t) touched;
	VEC(int64_t) sem_value;
	VEC(uint32_t) signal_at;                /* by condition: place in the row, + 1, of the last signal; 0: none */
	uint32_t *waited;                       /* by thread: of its last wait for one */
	uint64_t steps, budget;
	struct names closed;                    /* questions whose answer was no, without values: their edges, as text; */
	VEC(const char *) why;                  /* by number: what was explained of it, or NULL: nobody asked */
	uint32_t states_halved;                 /* states.c: how often its room was */
	FILE *explain;
	struct proof *proof;                    /* or NULL: a no need not be written down */
	VEC(uint32_t) fronts;                   /* of clauses of semaphores: how far each thread had come */
	bool whole;                             /* all nodes must happen */
	bool by_solver;                         /* choose.c asks: all rules a completion runs into are clauses, not only the first */
	const struct order_read *read;          /* values are asked for too; or NULL */
	VEC(struct cell_now) now;               /* reads.c, by cell: who wrote its bytes last in the row, */
	uint32_t stamp;                         /* which is this one */
	uint32_t *come;                         /* reads.c: how far each line is, in the row */
	bool torn;                              /* a store that reaches memory word by word was taken to come at once */
	bool guessed;                           /* a value that was not recorded was taken for another one */
};

/* search.c */
struct search *search_of(struct order *o);                      /* the one an order has, made when it is first wanted */
void search_witness(const struct search *s, struct witness *w, uint32_t tail);  /* the completion as a witness */

/* clauses.c */
enum truth { FALSE, OPEN, TRUE };       /* by edges and must-order */
bool search_edge(struct search *s, struct edge e, uint32_t reason);     /* false: it would close a cycle */
enum truth search_way_truth(struct search *s, const struct way *w);
bool search_way_take(struct search *s, const struct way *w, uint32_t reason);
bool search_saturate(struct search *s, uint32_t *split);        /* false: contradicted.  *split: a clause with two open ways, or NONE */
/* What a completion got stuck at; false: it is a clause already. */
bool clause_lock(struct search *s, uint32_t i, uint32_t j);     /* two sections */
bool clause_sem(struct search *s, uint32_t wait);
bool clause_cond(struct search *s, uint32_t wake);
struct clause *clause_begin(struct search *s, enum rule rule, uint32_t a, uint32_t b);  /* the ways that follow are its */
void way_add(struct search *s, uint32_t from, uint32_t to);     /* none if one of them is NONE */
void way_add_two(struct search *s, uint32_t from, uint32_t by, uint32_t to);
void search_explain_given(struct search *s);                    /* what is asked for is closed before any rule */
void search_explain(struct search *s, uint32_t clause, const char *what, const struct way *w);

/* complete.c: the prefix that edges and must-order need, laid in a row.  False: stuck, and clauses have been learnt. */
bool search_lay(struct search *s);

/* reads.c: does every read in the row return what it should?  False: a rule each is a clause now. */
bool search_reads_hold(struct search *s);

/* states.c: every state the threads can come to under the first `given` edges.  NO and YES are exact; UNKNOWN: there are too many. */
enum order_answer search_states(struct search *s, size_t given);

/* choose.c: one choice after another for all clauses at once, the edges above `given` anew each time. */
enum order_answer search_by_solver(struct search *s, size_t given);

#endif

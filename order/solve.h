/* order/solve.h -- many order clauses at once: is there an acyclic choice?
 *
 * Nodes lie on chains (threads); edges must hold; a clause is a list of ways, one of which must hold; a way is one or two
 * edges.  Saturation by vector clocks first; what it leaves open goes to CaDiCaL, one variable a way, cycles forbidden as they
 * are met. */
#ifndef RADDLE_ORDER_SOLVE_H
#define RADDLE_ORDER_SOLVE_H

#include <stdbool.h>
#include <stdint.h>

struct solve;
struct solve *solve_new(uint32_t chains);                               /* never NULL */
uint32_t solve_node(struct solve *s, uint32_t chain);                   /* behind the last of its chain; its number: 0, 1, ... */
void solve_edge(struct solve *s, uint32_t from, uint32_t to);
void solve_clause(struct solve *s);                                     /* the ways that follow are of a new one */
uint32_t solve_way(struct solve *s, uint32_t from, uint32_t to);        /* its number: 0, 1, ... */
void solve_way_more(struct solve *s, uint32_t from, uint32_t to);       /* a second edge of the last way */
struct proof;
void solve_keep(struct solve *s, struct proof *proof);                  /* how a no is come to (refute.h); NULL is fine */
/* Asked while it is solved, often; once it says no, the answer is UNKNOWN.  NULL: never. */
void solve_watch(struct solve *s, bool (*goes_on)(void *with), void *with);
enum solved { SOLVED_NO, SOLVED_YES, SOLVED_UNKNOWN };
enum solved solve_run(struct solve *s, uint32_t rounds);                /* rounds: of CaDiCaL, at most; 0: 10,000 */
bool solve_holds(const struct solve *s, uint32_t way);                  /* after a yes: is it one of those chosen? */
uint64_t solve_work(const struct solve *s);                             /* steps it has taken, but for what CaDiCaL does */
void solve_free(struct solve *s);                                       /* NULL is fine */

#endif

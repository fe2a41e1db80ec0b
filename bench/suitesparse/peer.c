/* peer calculates the same score table as Cradle with SuiteSparse, on one thread.
 *
 *   peer SYSTEM umfpack|klu K        the first K indicators by the adjoint system
 *   peer SYSTEM refined K RESULTS    the same with UMFPACK's refinement, written out
 *   peer SYSTEM forward K EACH       one solve for every EACHth process
 *
 * SYSTEM holds A, B and C transposed, each as rows, columns, entries, then column starts,
 * row indices (32-bit integers) and values. What it prints is the seconds for
 * the factors and for the rest, and how many right-hand sides that was. */
#define _POSIX_C_SOURCE 200809L
#include <klu.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <umfpack.h>

typedef struct {
	int rows, cols, entries;
	int *start, *row;
	double *value;
} matrix;

static void fail(const char *why)
{
	fprintf(stderr, "peer: %s\n", why);
	exit(1);
}

static void *need(size_t size)
{
	void *memory = calloc(size ? size : 1, 1);
	if (!memory)
		fail("out of memory");
	return memory;
}

static void fetch(void *to, size_t size, size_t count, FILE *file)
{
	if (fread(to, size, count, file) != count)
		fail("the system's file is too short");
}

static matrix read_matrix(FILE *file)
{
	matrix m;
	fetch(&m.rows, 4, 1, file);
	fetch(&m.cols, 4, 1, file);
	fetch(&m.entries, 4, 1, file);
	m.start = need(4 * (size_t)(m.cols + 1));
	m.row = need(4 * (size_t)m.entries);
	m.value = need(8 * (size_t)m.entries);
	fetch(m.start, 4, m.cols + 1, file);
	fetch(m.row, 4, m.entries, file);
	fetch(m.value, 8, m.entries, file);
	return m;
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + 1e-9 * t.tv_nsec;
}

enum { WIDTH = 8 };

/* charge sets g to the columns of (C·B)ᵀ for WIDTH indicators: the flows' factors
 * side by side, so that B is read once for all of them. */
static void charge(const matrix *b, const matrix *c, int first, int count, double *factors, double *g)
{
	memset(factors, 0, sizeof(double) * WIDTH * b->rows);
	for (int k = 0; k < count; k++)
		for (int p = c->start[first + k]; p < c->start[first + k + 1]; p++)
			factors[WIDTH * c->row[p] + k] = c->value[p];
	for (int j = 0; j < b->cols; j++) {
		double sum[WIDTH] = {0};
		for (int p = b->start[j]; p < b->start[j + 1]; p++) {
			const double *f = factors + WIDTH * (size_t)b->row[p];
			for (int k = 0; k < WIDTH; k++)
				sum[k] += b->value[p] * f[k];
		}
		for (int k = 0; k < count; k++)
			g[(size_t)k * b->cols + j] = sum[k];
	}
}

/* solver solves with the transposed technosphere, or with it as it is. */
typedef struct {
	const matrix *a;
	void *numeric;
	double control[UMFPACK_CONTROL];
	klu_common common;
	klu_symbolic *order;
	klu_numeric *factors;
} solver;

static void prepare(solver *s, const matrix *a, int klu, int refine)
{
	s->a = a;
	if (klu) {
		klu_defaults(&s->common);
		s->order = klu_analyze(a->cols, a->start, a->row, &s->common);
		s->factors = s->order ? klu_factor(a->start, a->row, a->value, s->order, &s->common) : NULL;
		if (!s->factors)
			fail("KLU cannot factorise the system");
		return;
	}
	void *symbolic;
	umfpack_di_defaults(s->control);
	s->control[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_SYMMETRIC;
	if (!refine)
		s->control[UMFPACK_IRSTEP] = 0;
	if (umfpack_di_symbolic(a->cols, a->cols, a->start, a->row, a->value, &symbolic, s->control, NULL) != UMFPACK_OK ||
	    umfpack_di_numeric(a->start, a->row, a->value, symbolic, &s->numeric, s->control, NULL) != UMFPACK_OK)
		fail("UMFPACK cannot factorise the system");
	umfpack_di_free_symbolic(&symbolic);
}

static void solve_umfpack(solver *s, int system, double *x, double *g)
{
	if (umfpack_di_solve(system, s->a->start, s->a->row, s->a->value, x, g, s->numeric, s->control, NULL) != UMFPACK_OK)
		fail("UMFPACK cannot solve the system");
}

/* adjoint fills the table, by process and then by indicator. */
static void adjoint(solver *s, int klu, const matrix *b, const matrix *c, int k, double *table)
{
	size_t n = b->cols;
	double *factors = need(sizeof(double) * WIDTH * b->rows);
	double *g = need(sizeof(double) * WIDTH * n), *x = need(sizeof(double) * WIDTH * n);
	for (int first = 0; first < k; first += WIDTH) {
		int count = k - first < WIDTH ? k - first : WIDTH;
		charge(b, c, first, count, factors, g);
		double *from = x;
		if (klu) {
			if (!klu_tsolve(s->order, s->factors, n, count, g, &s->common))
				fail("KLU cannot solve the system");
			from = g;
		} else {
			for (int i = 0; i < count; i++)
				solve_umfpack(s, UMFPACK_At, x + i * n, g + i * n);
		}
		for (size_t j = 0; j < n; j++)
			for (int i = 0; i < count; i++)
				table[j * k + first + i] = from[i * n + j];
	}
	free(factors);
	free(g);
	free(x);
}

/* forward solves for a unit of every eachth product and scores the inventory. */
static int forward(solver *s, const matrix *b, const matrix *c, int k, int each)
{
	int n = b->cols, solves = 0;
	double *f = need(sizeof(double) * n), *x = need(sizeof(double) * n), *flows = need(sizeof(double) * b->rows);
	volatile double score;
	for (int j = 0; j < n; j += each, solves++) {
		f[j] = 1;
		solve_umfpack(s, UMFPACK_A, x, f);
		f[j] = 0;
		memset(flows, 0, sizeof(double) * b->rows);
		for (int i = 0; i < n; i++)
			if (x[i] != 0)
				for (int p = b->start[i]; p < b->start[i + 1]; p++)
					flows[b->row[p]] += b->value[p] * x[i];
		for (int i = 0; i < k; i++) {
			double sum = 0;
			for (int p = c->start[i]; p < c->start[i + 1]; p++)
				sum += c->value[p] * flows[c->row[p]];
			score = sum;
		}
	}
	(void)score;
	free(f);
	free(x);
	free(flows);
	return solves;
}

int main(int argc, char **argv)
{
	if (argc < 4)
		fail("usage: peer SYSTEM umfpack|klu|refined|forward K [RESULTS|EACH]");
	FILE *file = fopen(argv[1], "rb");
	if (!file)
		fail("cannot open the system");
	matrix a = read_matrix(file), b = read_matrix(file), c = read_matrix(file);
	fclose(file);
	int klu = !strcmp(argv[2], "klu"), refined = !strcmp(argv[2], "refined"), k = atoi(argv[3]), solves = k;
	double *table = need(sizeof(double) * (size_t)k * b.cols);
	solver s;
	double began = now();
	prepare(&s, &a, klu, refined);
	double factorised = now();
	if (!strcmp(argv[2], "forward"))
		solves = forward(&s, &b, &c, k, atoi(argv[4]));
	else
		adjoint(&s, klu, &b, &c, k, table);
	printf("%.6f %.6f %d\n", factorised - began, now() - factorised, solves);
	if (refined) {
		file = fopen(argv[4], "wb");
		if (!file || fwrite(table, 8, (size_t)k * b.cols, file) != (size_t)k * b.cols || fclose(file))
			fail("cannot write the results");
	}
	return 0;
}

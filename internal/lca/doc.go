// Package lca calculates life-cycle impacts: numbers in, numbers out.
//
// Its caller gives every process, product, elementary flow and indicator an index
// and fills three matrices with a [Builder]: the technosphere A (products ×
// processes; what a process makes is positive, what it takes negative), the
// elementary flows B (flows × processes) and the characterization factors C
// (indicators × flows). [Factorise] checks and factorises A once; from the
// [Factors] come the scores of all processes under all indicators, the supply
// chain of one process, what contributes to a score, and how uncertain it is.
//
// Product i is the reference product of process i wherever A has an entry there. A
// negative entry is a waste that the process treats. Scores are per unit of the
// reference product that is made, or treated.
//
// The scores come from the adjoint system: Aᵀ·λ = (C·B)ᵀ gives, with one solve
// for each indicator, what a unit of every product is charged with, where other
// tools solve A·x = f once for each process.
package lca

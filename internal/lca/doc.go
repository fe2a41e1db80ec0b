// Package lca calculates life-cycle impacts: numbers in, numbers out.
//
// The caller gives every process, product, elementary flow and indicator an
// index and fills three matrices with a [Builder]: the technosphere A (products
// × processes; outputs are positive, inputs negative), the elementary flows B
// (flows × processes) and the characterization factors C (indicators × flows).
// [Factorise] checks and factorises A once; the [Factors] give the scores of all
// processes under all indicators, the supply chain of one process, the
// contributions to a score, and its uncertainty.
//
// Product i is the reference product of process i wherever A has an entry there. A
// negative entry is a waste that the process treats. Scores are per unit of the
// reference product that is made, or treated.
//
// The scores come from the adjoint system: Aᵀ·λ = (C·B)ᵀ gives, with one solve
// per indicator, the score of a unit of every product, while other tools solve
// A·x = f once per process.
package lca

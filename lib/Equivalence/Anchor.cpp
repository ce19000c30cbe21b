// Equivalence

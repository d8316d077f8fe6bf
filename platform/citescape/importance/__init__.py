"""How much each citation matters: features of pairs, weights, scores, explanations (CIA, 3.1)."""

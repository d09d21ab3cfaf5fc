//! Pixels only: rectifying, thresholds, morphology, finding screens and grids, colour clustering. Knows no game.

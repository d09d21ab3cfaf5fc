//! The register of (game, body) pairs: settings, rectifier, player and description of every run.

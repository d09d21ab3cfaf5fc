//! Measured and expected shares side by side, as SVG.

use std::fmt::Write;

/// Pixels of the drawing.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 48.0;
const BOTTOM: f64 = 40.0;
const TOP: f64 = 36.0;

/// A bar for each piece's share, and a line at what the model says.
pub fn shares(title: &str, pieces: &[(char, f64, f64)]) -> String {
    let highest = pieces.iter().map(|(_, measured, model)| measured.max(*model)).fold(0.01, f64::max) * 1.15;
    let y = |share: f64| HEIGHT - BOTTOM - share / highest * (HEIGHT - BOTTOM - TOP);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"22\" font-size=\"15\">{title}</text>\n"
    );
    for percent in (0..=(highest * 100.0) as u32).step_by(4) {
        let line = y(f64::from(percent) / 100.0);
        // Writing to a String cannot fail.
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" x2=\"{WIDTH}\" y1=\"{line:.1}\" y2=\"{line:.1}\" stroke=\"#ddd\"/>\
             <text x=\"8\" y=\"{:.1}\">{percent} %</text>",
            line + 4.0
        );
    }
    let slot = (WIDTH - LEFT) / pieces.len().max(1) as f64;
    for (index, (letter, measured, model)) in pieces.iter().enumerate() {
        let x = LEFT + slot * (index as f64 + 0.2);
        let (bar, line) = (y(*measured), y(*model));
        let _ = writeln!(
            svg,
            "<rect x=\"{x:.1}\" y=\"{bar:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"#4477aa\"/>\
             <line x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{line:.1}\" y2=\"{line:.1}\" stroke=\"#cc3311\" stroke-width=\"3\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{letter}</text>",
            slot * 0.6,
            HEIGHT - BOTTOM - bar,
            x - slot * 0.1,
            x + slot * 0.7,
            x + slot * 0.3,
            HEIGHT - BOTTOM + 18.0,
        );
    }
    svg + "<text x=\"480\" y=\"22\" fill=\"#4477aa\">measured</text><text x=\"560\" y=\"22\" fill=\"#cc3311\">model</text>\n</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_has_a_bar_and_a_line() {
        let svg = shares("x", &[('L', 0.1, 0.12), ('J', 0.2, 0.18)]);
        assert_eq!(svg.matches("fill=\"#4477aa\"/>").count(), 2);
        assert_eq!(svg.matches("stroke=\"#cc3311\"").count(), 2);
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    }
}

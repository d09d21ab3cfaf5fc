//! Draws plots as SVG or PNG, depending on the file extension.

use std::path::PathBuf;
use std::sync::Once;

use anyhow::Context;
use plotters::chart::ChartContext;
use plotters::coord::{CoordTranslate, Shift};
use plotters::prelude::{
    BitMapBackend, ChartBuilder, DrawingArea, DrawingBackend, IntoDrawingArea, IntoSegmentedCoord,
    LineSeries, PathElement, RGBColor, Rectangle, SVGBackend, SegmentValue, SeriesLabelPosition, Text,
};
use plotters::series::DashedLineSeries;
use plotters::style::{Color, FontStyle, WHITE, register_font};

use crate::ending::UsageError;

/// Something that can be drawn.
pub trait Picture {
    /// Draws it over the whole area.
    fn draw_on<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> anyhow::Result<()>
    where
        B::ErrorType: 'static;
}

/// Curves over one axis.
pub struct Chart {
    /// The title.
    pub title: String,
    /// Label of the horizontal axis.
    pub x: String,
    /// Label of the vertical axis.
    pub y: String,
    /// The curves.
    pub curves: Vec<Curve>,
}

/// Points joined by a line.
pub struct Curve {
    /// Its name in the legend.
    pub name: String,
    /// The points, from left to right.
    pub points: Vec<(f64, f64)>,
}

/// Measured shares of a whole beside those of a model.
pub struct Shares {
    /// The title.
    pub title: String,
    /// The bars.
    pub bars: Vec<Share>,
}

/// One bar with a line for the model.
pub struct Share {
    /// Label below the bar.
    pub name: String,
    /// Height of the bar, from 0 to 1.
    pub measured: f64,
    /// Height of the line, from 0 to 1.
    pub model: f64,
}

const SIZE: (u32, u32) = (960, 600);
/// Safe for colour-blind people (Okabe and Ito); further curves are dashed in the same colours.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
];
const FONT: &str = "sans-serif";

/// A file to draw to; its name is checked before any work starts.
#[derive(Clone, Debug)]
pub struct PlotFile {
    path: PathBuf,
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Svg,
    Png,
}

impl std::str::FromStr for PlotFile {
    type Err = UsageError;

    fn from_str(text: &str) -> Result<Self, UsageError> {
        let path = PathBuf::from(text);
        let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
        let format = match ending.as_deref() {
            Some("svg") => Format::Svg,
            Some("png") => Format::Png,
            _ => {
                return Err(UsageError(format!("{text:?}: a plot's file name must end in .svg or .png")));
            }
        };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            let message = format!("{text:?}: there is no folder {}; create it first", folder.display());
            return Err(UsageError(message));
        }
        Ok(Self { path, format })
    }
}

impl PlotFile {
    /// Draws the picture to the file.
    pub fn draw(&self, picture: &impl Picture) -> anyhow::Result<()> {
        embed_font();
        let drawn = match self.format {
            Format::Svg => picture.draw_on(&SVGBackend::new(&self.path, SIZE).into_drawing_area()),
            Format::Png => png_of(picture).and_then(|bytes| Ok(std::fs::write(&self.path, bytes)?)),
        };
        drawn.with_context(|| format!("cannot draw {}", self.path.display()))
    }
}

/// The picture as a PNG file.
fn png_of(picture: &impl Picture) -> anyhow::Result<Vec<u8>> {
    let mut pixels = vec![0; (SIZE.0 * SIZE.1 * 3) as usize];
    picture.draw_on(&BitMapBackend::with_buffer(&mut pixels, SIZE).into_drawing_area())?;
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, SIZE.0, SIZE.1);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(&pixels)?;
    Ok(file)
}

/// Registers the built-in font: systems without a screen often have none.
fn embed_font() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        if register_font(FONT, FontStyle::Normal, dejavu::sans::regular()).is_err() {
            tracing::warn!("the built-in font cannot be used; PNG plots will have no text");
        }
    });
}

impl Picture for Chart {
    fn draw_on<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> anyhow::Result<()>
    where
        B::ErrorType: 'static,
    {
        area.fill(&WHITE)?;
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        let (left, right) = range(points().map(|point| point.0));
        let (bottom, top) = range(points().map(|point| point.1));
        let (plot, beside) = area.split_horizontally(SIZE.0 - legend_width(&self.curves));
        let mut context = ChartBuilder::on(&plot)
            .caption(&self.title, (FONT, 22))
            .margin(16)
            .x_label_area_size(48)
            .y_label_area_size(72)
            .build_cartesian_2d(left..right, bottom..top)?;
        context
            .configure_mesh()
            .x_desc(&self.x)
            .y_desc(&self.y)
            .x_labels(ticks(points().map(|point| point.0)))
            .y_labels(ticks(points().map(|point| point.1)))
            .x_label_formatter(&|value| number(*value))
            .y_label_formatter(&|value| number(*value))
            .label_style((FONT, 15))
            .light_line_style(WHITE)
            .draw()?;
        for (index, curve) in self.curves.iter().enumerate() {
            let style = COLOURS[index % COLOURS.len()].stroke_width(2);
            let points = curve.points.iter().copied();
            let y = FIRST_NAME + NAME_HEIGHT * index as i32;
            let mark = [(0, y), (20, y)];
            if index < COLOURS.len() {
                context.draw_series(LineSeries::new(points, style))?;
                beside.draw(&PathElement::new(mark.to_vec(), style))?;
            } else {
                context.draw_series(DashedLineSeries::new(points, 8, 5, style))?;
                for from in [0, 13] {
                    beside.draw(&PathElement::new(vec![(from, y), (from + 8, y)], style))?;
                }
            }
            beside.draw(&Text::new(curve.name.clone(), (26, y - 8), (FONT, 15)))?;
        }
        area.present()?;
        Ok(())
    }
}

/// Where the names of the curves begin, beside the plot and never over a curve.
const FIRST_NAME: i32 = 60;
const NAME_HEIGHT: i32 = 22;

/// Room for the longest name, up to a third of the picture.
fn legend_width(curves: &[Curve]) -> u32 {
    let longest = curves.iter().map(|curve| curve.name.chars().count()).max().unwrap_or_default() as u32;
    (36 + 9 * longest).min(SIZE.0 / 3)
}

/// How many numbers an axis may have; so few on whole things (games, lines) that all of them are whole.
fn ticks(values: impl Iterator<Item = f64>) -> usize {
    const MOST: usize = 10;
    let finite: Vec<f64> = values.filter(|value| value.is_finite()).collect();
    if finite.is_empty() || finite.iter().any(|value| value.fract() != 0.0) {
        return MOST;
    }
    let (left, right) = range(finite.into_iter());
    ((right - left).floor() as usize).clamp(1, MOST)
}

impl Picture for Shares {
    fn draw_on<B: DrawingBackend>(&self, area: &DrawingArea<B, Shift>) -> anyhow::Result<()>
    where
        B::ErrorType: 'static,
    {
        area.fill(&WHITE)?;
        let percent = |share: f64| 100.0 * share;
        let highest = self.bars.iter().map(|bar| bar.measured.max(bar.model)).fold(0.01, f64::max);
        let mut context = ChartBuilder::on(area)
            .caption(&self.title, (FONT, 22))
            .margin(16)
            .x_label_area_size(40)
            .y_label_area_size(72)
            .build_cartesian_2d(
                // A segmented range includes its end.
                (0..self.bars.len().saturating_sub(1)).into_segmented(),
                0.0..percent(highest) * 1.25,
            )?;
        let name = |value: &SegmentValue<usize>| match value {
            SegmentValue::CenterOf(index) | SegmentValue::Exact(index) => {
                self.bars.get(*index).map_or_else(String::new, |bar| bar.name.clone())
            }
            SegmentValue::Last => String::new(),
        };
        context
            .configure_mesh()
            .disable_x_mesh()
            .x_label_formatter(&name)
            .x_labels(self.bars.len())
            .y_desc("%")
            .label_style((FONT, 15))
            .light_line_style(WHITE)
            .draw()?;
        let (left, right) = (SegmentValue::Exact, |index: usize| SegmentValue::Exact(index + 1));
        let bar = |(index, bar): (usize, &Share)| {
            let corners = [(left(index), percent(bar.measured)), (right(index), 0.0)];
            let mut bar = Rectangle::new(corners, COLOURS[0].filled());
            bar.set_margin(0, 0, 14, 14);
            bar
        };
        let line = |(index, bar): (usize, &Share)| {
            let ends = vec![(left(index), percent(bar.model)), (right(index), percent(bar.model))];
            PathElement::new(ends, COLOURS[1].stroke_width(3))
        };
        context
            .draw_series(self.bars.iter().enumerate().map(bar))?
            .label("measured")
            .legend(|(x, y)| Rectangle::new([(x, y - 5), (x + 20, y + 5)], COLOURS[0].filled()));
        context
            .draw_series(self.bars.iter().enumerate().map(line))?
            .label("model")
            .legend(|(x, y)| PathElement::new(vec![(x, y), (x + 20, y)], COLOURS[1].stroke_width(3)));
        legend(&mut context, SeriesLabelPosition::UpperRight)?;
        area.present()?;
        Ok(())
    }
}

/// A number on an axis, without the rounding errors of floating point.
fn number(value: f64) -> String {
    ((value * 1e6).round() / 1e6).to_string()
}

/// Draws the names of the series.
fn legend<'a, B: DrawingBackend + 'a, C: CoordTranslate>(
    context: &mut ChartContext<'a, B, C>,
    position: SeriesLabelPosition,
) -> anyhow::Result<()>
where
    B::ErrorType: 'static,
{
    context
        .configure_series_labels()
        .position(position)
        .background_style(WHITE.mix(0.85))
        .border_style(RGBColor(160, 160, 160))
        .label_font((FONT, 15))
        .draw()?;
    Ok(())
}

/// The range of the values with a margin on both sides; never empty.
fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (least, greatest) = values
        .filter(|value| value.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    if least > greatest {
        return (0.0, 1.0);
    }
    let air = if greatest > least { 0.04 * (greatest - least) } else { 0.5 };
    (least - air, greatest + air)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart() -> Chart {
        let curve = |name: &str, slope: f64| Curve {
            name: name.to_owned(),
            points: (0..10).map(|x| (f64::from(x), slope * f64::from(x))).collect(),
        };
        let curves = (1..=8).map(|i| curve(&format!("player {i}"), f64::from(i))).collect();
        Chart { title: "Lines".to_owned(), x: "games".to_owned(), y: "lines".to_owned(), curves }
    }

    #[test]
    fn pictures_are_drawn_by_their_ending() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name).to_str().unwrap().parse::<PlotFile>().unwrap();
        file("a.svg").draw(&chart()).unwrap();
        let svg = std::fs::read_to_string(folder.path().join("a.svg")).unwrap();
        assert!(svg.starts_with("<svg") && svg.contains("player 8") && svg.contains("Lines"), "{svg}");
        file("a.PNG").draw(&chart()).unwrap();
        let png = std::fs::read(folder.path().join("a.PNG")).unwrap();
        assert_eq!(&png[1..4], b"PNG");
        // An empty chart can be drawn too.
        file("b.png").draw(&Chart { curves: Vec::new(), ..chart() }).unwrap();
    }

    #[test]
    fn shares_stand_beside_their_model() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("shares.svg");
        let share = |name: &str| Share { name: name.to_owned(), measured: 0.1, model: 0.12 };
        let shares = Shares { title: "Pieces".to_owned(), bars: vec![share("L"), share("J")] };
        path.to_str().unwrap().parse::<PlotFile>().unwrap().draw(&shares).unwrap();
        let svg = std::fs::read_to_string(path).unwrap();
        for word in ["Pieces", "measured", "model", "\nL\n", "\nJ\n"] {
            assert!(svg.contains(word), "{word}: {svg}");
        }
    }

    #[test]
    fn other_endings_are_refused_before_the_work() {
        for name in ["plot", "plot.gif", "svg"] {
            let error = name.parse::<PlotFile>().unwrap_err().to_string();
            assert!(error.contains(".svg or .png") && error.contains(name), "{error}");
        }
    }

    #[test]
    fn names_stand_beside_the_curves() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.svg");
        path.to_str().unwrap().parse::<PlotFile>().unwrap().draw(&chart()).unwrap();
        let svg = std::fs::read_to_string(path).unwrap();
        let attribute = |tag: &str, name: &str| {
            let rest = tag.split(&format!(" {name}=\"")).nth(1)?;
            rest.split('"').next().map(str::to_owned)
        };
        // The rightmost point of any curve (a polyline of ten points) and the leftmost letter of any name.
        let curves = svg.split("<polyline").skip(1).filter_map(|tag| attribute(tag, "points"));
        let rightmost = curves
            .filter(|points| points.split_whitespace().count() >= 10)
            .flat_map(|points| points.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
            .filter_map(|point| point.split(',').next()?.parse::<f64>().ok())
            .fold(0.0, f64::max);
        let names = svg.split("<text").skip(1).filter(|tag| tag.contains("player "));
        let leftmost =
            names.filter_map(|tag| attribute(tag, "x")?.parse::<f64>().ok()).fold(f64::INFINITY, f64::min);
        assert!(rightmost > 500.0 && rightmost < leftmost && leftmost < 960.0, "{rightmost} {leftmost}");
    }

    #[test]
    fn whole_things_have_whole_ticks() {
        assert_eq!(ticks([1.0, 2.0, 3.0].into_iter()), 2);
        assert_eq!(ticks([0.0, 1000.0].into_iter()), 10);
        assert_eq!(ticks([0.0, 0.5].into_iter()), 10);
        assert_eq!(ticks([5.0].into_iter()), 1);
        assert_eq!(ticks([].into_iter()), 10);
    }

    #[test]
    fn a_range_has_some_width() {
        assert_eq!(range([].into_iter()), (0.0, 1.0));
        assert_eq!(range([2.0].into_iter()), (1.5, 2.5));
        assert_eq!(range([f64::NAN, 0.0, 100.0].into_iter()), (-4.0, 104.0));
    }
}

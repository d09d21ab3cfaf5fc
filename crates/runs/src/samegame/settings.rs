//! Settings of SameGame in windows, real and simulated.

#![allow(
    clippy::struct_field_names,
    reason = "a setting's name ends with its unit, even if all of a section do"
)]

use configuration::{choices, settings};

choices! {
    /// What the SameGame player strives for.
    pub enum GoalWord {
        /// An empty board.
        Clear = "clear",
        /// The highest score.
        Points = "points",
    }
}

choices! {
    /// How the pointer moves.
    pub enum PointerWord {
        /// It speeds up and slows down on its way, as an arm does.
        Human = "human",
        /// It is there at once.
        Instant = "instant",
    }
}

choices! {
    /// Where columns go in a simulated window.
    pub enum OrientationWord {
        /// To the left.
        Left = "left",
        /// To the right.
        Right = "right",
        /// To the middle.
        Mixed = "mixed",
    }
}

choices! {
    /// What the pointer does to the group under it in a simulated window.
    pub enum HoverWord {
        /// Nothing.
        Nothing = "nothing",
        /// The group is drawn lighter.
        Brighten = "brighten",
        /// The group is drawn larger.
        Enlarge = "enlarge",
    }
}

choices! {
    /// What comes after tiles that went in a simulated window.
    pub enum SupplyWord {
        /// Nothing: the board empties.
        Nothing = "nothing",
        /// New tiles fall in from above.
        Refill = "refill",
        /// New columns come in where columns went.
        Columns = "columns",
    }
}

choices! {
    /// What comes after tiles that went, if that is known.
    pub enum KnownSupplyWord {
        /// It is found out.
        Find = "find",
        /// Nothing: the board empties.
        Nothing = "nothing",
        /// New tiles fall in from above.
        Refill = "refill",
        /// New columns come in where columns went.
        Columns = "columns",
    }
}

choices! {
    /// How the next round begins in a simulated window.
    pub enum NextRoundWord {
        /// By itself.
        Itself = "itself",
        /// By the button of a box that comes up, or the key N.
        Dialog = "dialog",
        /// By the window's button, or the key N.
        Button = "button",
    }
}

settings! {
    /// SameGame in a window of the desktop: where it is and what is wanted. Everything else is found out, unless it is set.
    pub struct SamegameSettings in "samegame" {
        /// What to aim for.
        goal: GoalWord = GoalWord::Clear;
        /// A text in the title or class of the window; empty for the whole screen.
        window: String = String::new();
        /// A rectangle of the screen instead, as X,Y,WxH.
        region: String = String::new();
        /// The X display; empty for the one that DISPLAY names.
        display: String = String::new();
        /// How the pointer moves.
        pointer: PointerWord = PointerWord::Instant;
        /// Nodes the solver may spend on one board.
        nodes: u32 = 3_000_000, range 1_000..=2_000_000_000, unit "nodes";
        /// Time between the two clicks of a move, in games that want two.
        between_clicks_ms: u32 = 120, range 0..=5_000, unit "milliseconds";
        /// How long the hand rests after a move.
        rest_ms: u32 = 60, range 0..=10_000, unit "milliseconds";
        /// How the next round is begun: wait, find (the usual keys), key:n, key:f2, key:control-n, key:return, key:space, or click:X,Y in pixels of the window.
        next_round: String = "find".to_owned();
        /// Clicks for one move; 0 to find out.
        clicks: u32 = 0, range 0..=2, unit "clicks";
        /// Smallest group that can be removed; 0 to find out.
        min_group: u32 = 0, range 0..=9, unit "tiles";
        /// What comes after tiles that went.
        supply: KnownSupplyWord = KnownSupplyWord::Find;
        /// Where the board's cells lie in the window, empty ones included, as X,Y,WxH in pixels; empty to find out. With columns and rows nothing is searched.
        board: String = String::new();
        /// Columns of the board; 0 to find out.
        columns: u32 = 0, range 0..=50, unit "columns";
        /// Rows of the board; 0 to find out.
        rows: u32 = 0, range 0..=50, unit "rows";
        /// Most kinds of tiles; 0 to find out.
        colours: u32 = 0, range 0..=9, unit "colours";
    }
}

settings! {
    /// The simulated SameGame window: how it looks and behaves, and what goes wrong with it.
    pub struct SamegameWindowSettings in "samegame_window" {
        /// Its look: flat, tight, gradient, glossy, balls, shapes, outlines, fractional, shades, textured, sockets, light, bevelled, jewels.
        look: String = "flat".to_owned();
        /// Columns.
        columns: u32 = 15, range 2..=50, unit "columns";
        /// Rows.
        rows: u32 = 10, range 2..=50, unit "rows";
        /// Colours.
        colours: u32 = 3, range 2..=9, unit "colours";
        /// Smallest group that can be removed.
        min_group: u32 = 2, range 2..=9, unit "tiles";
        /// Clicks for one move.
        clicks: u32 = 1, range 1..=2, unit "clicks";
        /// How long tiles take to vanish and fall.
        animation_ms: u32 = 150, range 0..=5_000, unit "milliseconds";
        /// Where columns go.
        orientation: OrientationWord = OrientationWord::Left;
        /// Whether tiles bounce when they land.
        bounce: bool = false;
        /// What the pointer does to the group under it.
        hover: HoverWord = HoverWord::Nothing;
        /// Whether the points of a move pop up over the board.
        pop_ups: bool = false;
        /// What comes after tiles that went.
        supply: SupplyWord = SupplyWord::Nothing;
        /// How the next round begins.
        next_round: NextRoundWord = NextRoundWord::Itself;
        /// Share of clicks that have no effect.
        lost_clicks: f64 = 0.0, range 0.0..=0.9;
        /// Time between two windows that cover the game for two seconds; 0 for none.
        covered_every_ms: u32 = 0, range 0..=3_600_000, unit "milliseconds";
    }
}

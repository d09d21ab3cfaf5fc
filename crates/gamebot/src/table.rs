//! Text tables.

use comfy_table::{CellAlignment, Table, presets};

/// An empty table with a header.
pub fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED).set_header(header.to_vec());
    table
}

/// Aligns the first column, names, to the left and the others, numbers, to the right.
pub fn figures(mut table: Table) -> Table {
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

//! Boards and moves as text: from files, arguments and other programs.

use connect_four::Position;

/// Reads the text as a board of every game; what can be read is written back the same.
pub fn read(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for line in text.lines().take(100) {
        if let Ok(position) = line.parse::<Position>() {
            assert!(position.legal().all(|column| position.play(column).is_ok()));
        }
        if let Ok(board) = line.parse::<samegame::board::Board>() {
            let written = board.to_string();
            assert_eq!(written.parse::<samegame::board::Board>().expect("what we write can be read"), board);
            assert!(board.groups(2).iter().all(|group| group.cells.len() >= 2));
            let normal = board.normal_form();
            assert_eq!(normal.normal_form(), normal);
        }
    }
    drop(samegame::notation::read_standard(&text));
    if let Ok(board) = tetris::Board::parse(&text) {
        assert!(board.height() <= tetris::board::MAX_ROWS as u32 && board.cells() <= 10 * board.height());
    }
}

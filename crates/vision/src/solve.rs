//! Small systems of linear equations.

/// Solves `N` equations whose last column is the right-hand side; `None` where they do not
/// determine the answer.
pub(crate) fn solve<const N: usize, const M: usize>(mut rows: [[f64; M]; N]) -> Option<[f64; N]> {
    const { assert!(M == N + 1, "one column more than rows") };
    for i in 0..N {
        let largest = (i..N).max_by(|a, b| rows[*a][i].abs().total_cmp(&rows[*b][i].abs()))?;
        rows.swap(i, largest);
        if rows[i][i].abs() < 1e-12 {
            return None;
        }
        for below in i + 1..N {
            let factor = rows[below][i] / rows[i][i];
            for column in i..M {
                rows[below][column] -= factor * rows[i][column];
            }
        }
    }
    let mut answer = [0.0; N];
    for i in (0..N).rev() {
        let known: f64 = (i + 1..N).map(|j| rows[i][j] * answer[j]).sum();
        answer[i] = (rows[i][N] - known) / rows[i][i];
    }
    answer.iter().all(|n| n.is_finite()).then_some(answer)
}

/// What is left, squared and summed, of values at places (x, y) after the plane that fits them best is
/// taken away: the variation that light alone cannot explain.
pub(crate) fn off_plane(values: impl Iterator<Item = (f64, f64, f64)> + Clone) -> f64 {
    let mut rows = [[0.0; 4]; 3];
    for (x, y, value) in values.clone() {
        let terms = [1.0, x, y, value];
        for row in 0..3 {
            for column in 0..4 {
                rows[row][column] += terms[row] * terms[column];
            }
        }
    }
    let [level, along_x, along_y] = solve(rows).unwrap_or_default();
    values.map(|(x, y, value)| (value - level - along_x * x - along_y * y).powi(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_are_solved_or_refused() {
        assert_eq!(solve([[0.0, 2.0, 4.0], [3.0, 1.0, 5.0]]), Some([1.0, 2.0]));
        assert_eq!(solve([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0]]), None);
    }
}

//! Linear systems (I + tD)X = R over exact numbers and doubles.

use hemiola_tableau::{Divisible, Scalar};

/// A matrix, row by row.
pub(crate) type Rows<T> = Vec<Vec<T>>;

/// Solves (I + tD)X = R. Returns `None` if I + tD is singular.
pub(crate) fn solve<T: Divisible>(d: &Rows<T>, t: &T, right: &Rows<T>) -> Option<Rows<T>> {
    if is_lower_triangular(d) { forward(d, t, right) } else { eliminate(d, t, right) }
}

fn is_lower_triangular<T: Scalar>(d: &Rows<T>) -> bool {
    d.iter().enumerate().all(|(i, row)| row[i + 1..].iter().all(T::is_zero))
}

/// Solves the system of a lower triangular D by forward substitution.
fn forward<T: Divisible>(d: &Rows<T>, t: &T, right: &Rows<T>) -> Option<Rows<T>> {
    let mut rows: Rows<T> = Vec::with_capacity(right.len());
    for (i, right) in right.iter().enumerate() {
        let mut row = right.clone();
        for (entry, earlier) in d[i].iter().zip(&rows) {
            subtract(&mut row, &(t.clone() * entry.clone()), earlier);
        }
        if !d[i][i].is_zero() {
            let inverse = (T::one() + t.clone() * d[i][i].clone()).inverse()?;
            row.iter_mut().for_each(|x| *x = x.clone() * inverse.clone());
        }
        rows.push(row);
    }
    Some(rows)
}

/// Solves the system by Gauss–Jordan elimination.
fn eliminate<T: Divisible>(d: &Rows<T>, t: &T, right: &Rows<T>) -> Option<Rows<T>> {
    let n = d.len();
    let row = |(i, row): (usize, &Vec<T>)| {
        let mut row: Vec<T> = row.iter().map(|entry| t.clone() * entry.clone()).collect();
        row[i] += T::one();
        row.extend(right[i].iter().cloned());
        row
    };
    let mut rows: Rows<T> = d.iter().enumerate().map(row).collect();
    for column in 0..n {
        let pivot = (column..n).find(|&i| !rows[i][column].is_zero())?;
        rows.swap(column, pivot);
        let inverse = rows[column][column].inverse()?;
        let pivot_row: Vec<T> = rows[column].iter().map(|x| x.clone() * inverse.clone()).collect();
        for (i, row) in rows.iter_mut().enumerate() {
            if i != column {
                let factor = row[column].clone();
                subtract(row, &factor, &pivot_row);
            }
        }
        rows[column] = pivot_row;
    }
    Some(rows.into_iter().map(|mut row| row.split_off(n)).collect())
}

/// Subtracts factor · `other` from a row.
fn subtract<T: Scalar>(row: &mut [T], factor: &T, other: &[T]) {
    if factor.is_zero() {
        return;
    }
    for (x, y) in row.iter_mut().zip(other).filter(|(_, y)| !y.is_zero()) {
        *x += -(factor.clone() * y.clone());
    }
}

/// Computes the product of two matrices.
pub(crate) fn product<T: Scalar>(x: &Rows<T>, y: &Rows<T>) -> Rows<T> {
    let columns = y.first().map_or(0, Vec::len);
    let row = |row: &Vec<T>| {
        let mut sum = vec![T::zero(); columns];
        for (factor, other) in row.iter().zip(y) {
            subtract(&mut sum, &-factor.clone(), other);
        }
        sum
    };
    x.iter().map(row).collect()
}

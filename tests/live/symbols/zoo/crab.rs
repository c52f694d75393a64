// SPDX-License-Identifier: LGPL-2.1-only OR BSD-2-Clause
//! crab.rs: usage: crab MILLISECONDS.  Traits, generics, closures and collections.
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

mod shore {
    pub trait Walk {
        fn walk(&self, depth: u32) -> u64;
    }

    pub struct Crab<T> {
        pub legs: T,
    }

    impl<T: Copy + Into<u64>> Walk for Crab<T> {
        #[inline(never)]
        fn walk(&self, depth: u32) -> u64 {
            super::spin(50) + if depth > 0 { self.walk(depth - 1) } else { 0 } + self.legs.into()
        }
    }
}

use shore::{Crab, Walk};

/// Keeps the compiler from computing the sum without a loop.
fn opaque(number: u64) -> u64 {
    unsafe { std::ptr::read_volatile(&number) }
}

#[inline(never)]
fn spin(turns: u64) -> u64 {
    (0..turns).fold(1, |sum: u64, i| opaque(sum ^ (i + (sum >> 3))))
}

#[inline(never)]
fn apply<F: Fn(u64) -> u64>(call: F, turns: u64) -> u64 {
    call(turns) + call(turns + 1)
}

#[inline(never)]
fn sorted(count: u64) -> u64 {
    let mut map = BTreeMap::new();
    let mut numbers: Vec<u64> = (0..count).map(|i| i * 7919 % 199).collect();

    numbers.sort_by(|a, b| b.cmp(a));
    for number in numbers {
        *map.entry(format!("{}", number % 17)).or_insert(0) += number;
    }
    map.values().sum()
}

fn main() {
    let ms = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(100);
    let crabs: [Box<dyn Walk>; 2] = [Box::new(Crab { legs: 8u8 }), Box::new(Crab { legs: 10u32 })];
    let (start, mut sum) = (Instant::now(), 0u64);

    while start.elapsed() < Duration::from_millis(ms) {
        for crab in &crabs {
            sum = sum.wrapping_add(crab.walk(12));
        }
        sum = sum.wrapping_add(apply(|turns| spin(turns * 2), 50)).wrapping_add(sorted(50));
    }
    std::process::exit((sum == 1) as i32);
}

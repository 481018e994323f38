//! The three stories side by side, as text.

use super::chart::chart;
use super::story::{Settings, Story, Strategy, Tick};
use evenkeel_core::TopologyError;
use std::fmt::Write;

/// Width of the names in front of the bars.
const NAMES: usize = 10;

/// Ticks in which the default story ends in `stable` again; the picture then fits into 80 columns.
pub const DEFAULT_TICKS: u32 = 61;

/// The stories of all strategies, told in step.
pub struct Picture {
    settings: Settings,
    /// Ticks that will be told.
    ticks: u32,
    told: Vec<(Strategy, Story, Vec<Tick>)>,
}

impl Picture {
    /// Fills the caches. O(keys).
    ///
    /// # Errors
    /// If there are no nodes, or more than a topology may have.
    pub fn new(settings: Settings, ticks: u32) -> Result<Self, TopologyError> {
        let told = Strategy::ALL
            .into_iter()
            .map(|strategy| Ok((strategy, Story::new(strategy, settings)?, Vec::new())))
            .collect::<Result<_, TopologyError>>()?;
        Ok(Self {
            settings,
            ticks,
            told,
        })
    }

    /// The next tick of every story; false once all is told.
    pub fn advance(&mut self) -> bool {
        for (_, story, ticks) in &mut self.told {
            if ticks.len() < self.ticks as usize {
                ticks.push(story.tick());
            }
        }
        self.told
            .iter()
            .any(|(_, _, ticks)| ticks.len() < self.ticks as usize)
    }

    /// What was told so far: always as many lines, so that a terminal can draw over them.
    pub fn frame(&self) -> String {
        let Settings {
            nodes_before,
            nodes_after,
            keys,
            reads,
            tick,
            ..
        } = self.settings;
        let per_second = f64::from(reads) / tick.as_secs_f64();
        let mut frame = format!(
            "{nodes_before} cache nodes grow to {nodes_after} under {per_second:.0} reads a second; {keys} keys, all cached.\n\
             Reads that the database behind them had to answer, a column for each {} ms:\n\n",
            tick.as_millis()
        );
        let top = self.highest();
        for (strategy, _, ticks) in &self.told {
            frame.push_str(&self.row(*strategy, ticks, top));
        }
        let at = self.settings.change_at as usize;
        // Writing to a string cannot fail.
        let _ = writeln!(
            frame,
            "{:NAMES$}{:at$}^ the change    {}",
            "",
            "",
            self.status()
        );
        frame
    }

    /// How far the migration is.
    fn status(&self) -> String {
        let evenkeel = self
            .told
            .iter()
            .find(|(strategy, _, _)| *strategy == Strategy::Evenkeel);
        let last = evenkeel.and_then(|(_, _, ticks)| ticks.last());
        last.map_or_else(String::new, |tick| {
            format!("evenkeel: {}, {} keys moved", tick.phase, tick.moved)
        })
    }

    /// Reads of the origin so far, of one strategy.
    pub fn origin_reads(&self, strategy: Strategy) -> u64 {
        let told = self.told.iter().find(|(told, _, _)| *told == strategy);
        told.map_or(0, |(_, _, ticks)| {
            ticks.iter().map(|tick| u64::from(tick.origin_reads)).sum()
        })
    }

    /// The most that any story's origin had to answer in one tick: all rows are drawn to one scale.
    fn highest(&self) -> u32 {
        let ticks = self.told.iter().flat_map(|(_, _, ticks)| ticks);
        ticks
            .map(|tick| tick.origin_reads)
            .max()
            .unwrap_or(0)
            .max(self.settings.reads / 8)
    }

    fn row(&self, strategy: Strategy, ticks: &[Tick], top: u32) -> String {
        let reads: Vec<u32> = ticks.iter().map(|tick| tick.origin_reads).collect();
        let (bars, width) = (chart(&reads, top), self.ticks as usize);
        format!(
            "{:NAMES$}{bars:width$} {:>7}\n",
            strategy.name(),
            self.origin_reads(strategy)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_frame_has_the_same_number_of_lines() {
        let settings = Settings {
            keys: 1_000,
            reads: 100,
            change_at: 2,
            copied: 100,
            ..Settings::default()
        };
        let mut picture = Picture::new(settings, 60).unwrap();
        let lines = picture.frame().lines().count();
        while picture.advance() {
            assert_eq!(picture.frame().lines().count(), lines);
        }
        assert_eq!(picture.origin_reads(Strategy::Evenkeel), 0);
        assert!(picture.origin_reads(Strategy::Modulo) > picture.origin_reads(Strategy::Ring));
        assert!(
            picture.frame().contains("evenkeel: stable, "),
            "the migration is over:\n{}",
            picture.frame()
        );
    }
}

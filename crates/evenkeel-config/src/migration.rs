//! Settings of a migration: how long things may wait, and how fast the copier goes.

use std::time::Duration;

use evenkeel_core::migration::Options;

use crate::reader::Reader;

/// Keys per second that the copier moves. Per pool.
const DEFAULT_RATE: u64 = 10_000;
/// Bytes per second that the copier moves. Per pool.
const DEFAULT_RATE_BYTES: u64 = 50 * 1024 * 1024;
/// The copier goes slower when a node's answers take longer than this.
const DEFAULT_SLOW_AT: Duration = Duration::from_millis(5);

/// How a pool's keys are moved when its topology changes: the table `[pool.migration]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MigrationSettings {
    /// Waits and leases; see the fields there for units and defaults.
    pub options: Options,
    /// Keys per second that the copier moves; 0 pauses it. Default 10,000.
    pub rate: u64,
    /// Bytes per second that the copier moves. Default 50 MiB.
    pub rate_bytes: u64,
    /// The copier slows down when a node answers it later than this. Default 5 ms.
    pub slow_at: Duration,
}

impl Default for MigrationSettings {
    fn default() -> Self {
        Self {
            options: Options::default(),
            rate: DEFAULT_RATE,
            rate_bytes: DEFAULT_RATE_BYTES,
            slow_at: DEFAULT_SLOW_AT,
        }
    }
}

impl MigrationSettings {
    pub(crate) fn read(mut reader: Reader<'_, '_>) -> Self {
        let mut settings = Self::default();
        let options = &mut settings.options;
        if let Some(time) = reader.duration("lease") {
            let seconds = time.as_secs().clamp(1, 3_600);
            options.lease_seconds = u32::try_from(seconds).unwrap_or(options.lease_seconds);
        }
        for (key, milliseconds) in [
            ("lease_wait", &mut options.lease_wait_ms),
            ("hold_timeout", &mut options.hold_timeout_ms),
            ("hold_max", &mut options.hold_max_ms),
            ("late_grace", &mut options.late_grace_ms),
        ] {
            if let Some(time) = reader.duration(key) {
                *milliseconds = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
            }
        }
        if let Some(drop) = reader.flag("drop_unmovable") {
            options.drop_unmovable = drop;
        }
        settings.rate = reader.count("rate", 0).unwrap_or(settings.rate);
        settings.rate_bytes = reader.size("rate_bytes").unwrap_or(settings.rate_bytes);
        settings.slow_at = reader.duration("slow_at").unwrap_or(settings.slow_at);
        reader.finish();
        settings
    }
}

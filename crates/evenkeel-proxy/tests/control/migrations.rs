//! Whole migrations with nobody serving: what is left on the servers, directly.

use evenkeel_core::migration::Phase;
use evenkeel_testkit::Server;

use crate::cluster::{FAST, Led, assert_placed, exchange, fill, keys, topology};
use evenkeel_proxy::copier::Rates;

const KEYS: usize = 20_000;

fn servers(count: usize) -> Vec<Server> {
    (0..count).map(|_| Server::memcached(&[])).collect()
}

fn slow(keys: u64) -> Rates {
    Rates {
        keys: Some(keys),
        bytes: None,
    }
}

#[tokio::test]
async fn a_node_is_added_and_no_source_keeps_a_moved_key() {
    let servers = servers(4);
    let (from, to) = (
        topology(&servers, &[0, 1, 2]),
        topology(&servers, &[0, 1, 2, 3]),
    );
    fill(&servers, &from, KEYS);
    let folder = tempfile::tempdir().unwrap();
    let led = Led::open(folder.path(), &from, FAST);
    led.start(&to).await;
    let status = led.stable().await;
    assert_placed(&servers, &to, KEYS);
    let ended = status.ended.unwrap();
    assert!(!ended.aborted && ended.switch_off.is_empty());
    assert_eq!(led.leader.record().current, to);
}

#[tokio::test]
async fn a_removed_node_is_empty_and_named() {
    let servers = servers(3);
    let (from, to) = (topology(&servers, &[0, 1, 2]), topology(&servers, &[0, 1]));
    fill(&servers, &from, KEYS);
    let folder = tempfile::tempdir().unwrap();
    let led = Led::open(folder.path(), &from, FAST);
    led.start(&to).await;
    let status = led.stable().await;
    assert_placed(&servers, &to, KEYS);
    assert!(keys(&servers[2]).is_empty());
    assert_eq!(status.ended.unwrap().switch_off, ["cache-3"]);
}

#[tokio::test]
async fn an_abort_in_copy_brings_every_key_back() {
    let servers = servers(3);
    let (from, to) = (topology(&servers, &[0, 1]), topology(&servers, &[0, 1, 2]));
    fill(&servers, &from, KEYS);
    let folder = tempfile::tempdir().unwrap();
    let led = Led::open(folder.path(), &from, slow(4_000));
    led.start(&to).await;
    led.copying(1_000).await;
    led.leader.abort().await.unwrap();
    led.copier.pace.set(FAST);
    let status = led.stable().await;
    assert_placed(&servers, &from, KEYS);
    let ended = status.ended.unwrap();
    assert!(ended.aborted);
    assert_eq!(ended.switch_off, ["cache-3"]);
}

#[tokio::test]
async fn a_leader_that_was_killed_goes_on_in_the_phase_it_was_in() {
    let servers = servers(3);
    let (from, to) = (topology(&servers, &[0, 1]), topology(&servers, &[0, 1, 2]));
    fill(&servers, &from, KEYS);
    let folder = tempfile::tempdir().unwrap();
    let led = Led::open(folder.path(), &from, slow(4_000));
    led.start(&to).await;
    led.copying(1_000).await;
    let epoch = led.leader.record().epoch;
    led.kill().await;
    // What the configuration says now does not matter: the record does.
    let led = Led::open(folder.path(), &from, FAST);
    assert_eq!(led.leader.record().epoch, epoch);
    assert_eq!(led.leader.record().phase(), Some(Phase::Copy));
    led.stable().await;
    assert_placed(&servers, &to, KEYS);
}

#[tokio::test]
async fn leftovers_at_a_target_are_deleted_before_anything_is_copied() {
    let servers = servers(3);
    let (from, to) = (topology(&servers, &[0, 1]), topology(&servers, &[0, 1, 2]));
    // An earlier life of the new node: the very keys, with other values.
    for at in 0..500 {
        exchange(
            &servers[2],
            format!("set key:{at} 0 0 3\r\nold\r\n").as_bytes(),
            b"STORED\r\n",
        );
    }
    fill(&servers, &from, 2_000);
    let folder = tempfile::tempdir().unwrap();
    let led = Led::open(folder.path(), &from, FAST);
    led.start(&to).await;
    led.stable().await;
    assert_placed(&servers, &to, 2_000);
}

#[tokio::test]
async fn rate_0_pauses_and_a_migration_that_is_paused_does_not_end() {
    let servers = servers(2);
    let (from, to) = (topology(&servers, &[0]), topology(&servers, &[0, 1]));
    fill(&servers, &from, 2_000);
    let folder = tempfile::tempdir().unwrap();
    let led = Led::open(folder.path(), &from, slow(0));
    led.start(&to).await;
    led.copying(0).await;
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    assert_eq!(led.leader.status().keys_done(), 0);
    led.copier.pace.set(FAST);
    led.stable().await;
    assert_placed(&servers, &to, 2_000);
}

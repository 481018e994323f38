//! Whose reply is whose.

use crate::world::World;
use evenkeel_proxy::Settings;

#[test]
fn replies_come_in_request_order_whichever_node_is_first() {
    // memcached/memcached#1011, envoyproxy/envoy#35983
    let mut world = World::new(2, Settings::default());
    let (slow, fast) = (world.key_of(0), world.key_of(1));
    let client = world.engine.open();
    world.ask(
        client,
        format!("set {slow} 0 0 1\r\ns\r\nset {fast} 0 0 1\r\nf\r\n"),
    );
    world.hold(0);
    assert_eq!(
        world.ask(client, format!("get {slow}\r\nget {fast}\r\n")),
        ""
    );
    world.release(0);
    assert_eq!(
        world.told(client),
        format!("VALUE {slow} 0 1\r\ns\r\nEND\r\nVALUE {fast} 0 1\r\nf\r\nEND\r\n")
    );
}

#[test]
fn commands_on_one_key_act_in_order() {
    let mut world = World::new(3, Settings::default());
    let client = world.engine.open();
    assert_eq!(
        world.ask(
            client,
            "set a 0 0 1\r\n1\r\nget a\r\nset a 0 0 1\r\n2\r\nget a\r\ndelete a\r\nget a\r\n"
        ),
        "STORED\r\nVALUE a 0 1\r\n1\r\nEND\r\nSTORED\r\nVALUE a 0 1\r\n2\r\nEND\r\nDELETED\r\nEND\r\n"
    );
}

#[test]
fn a_client_that_left_does_not_shift_the_replies_of_others() {
    // twitter/twemproxy#404
    let mut world = World::new(1, Settings::default());
    world.hold(0);
    let leaver = world.engine.open();
    world.send(leaver, b"set a 0 0 1\r\n1\r\n");
    world.engine.forget(leaver);
    let stayer = world.engine.open();
    assert_eq!(stayer, leaver, "the place is used again");
    world.send(stayer, b"get nothing\r\n");
    world.release(0);
    assert_eq!(world.told(stayer), "END\r\n");
}

#[test]
fn the_value_of_another_key_is_not_passed_on() {
    let mut world = World::new(1, Settings::default());
    world.hold(0);
    let client = world.engine.open();
    world.send(client, b"get a\r\n");
    world
        .engine
        .link_received(0, b"VALUE b 0 1\r\nx\r\nEND\r\n");
    world.held[0] = None;
    world.pump();
    assert_eq!(
        world.told(client),
        "SERVER_ERROR node n0: it sent the value of another key\r\n"
    );
    assert_eq!(world.closed, [(0, true)]);
    assert_eq!(world.ask(client, "get a\r\n"), "END\r\n");
}

#[test]
fn what_nobody_asked_for_ends_the_connection() {
    let mut world = World::new(1, Settings::default());
    world.engine.link_received(0, b"STORED\r\n");
    world.pump();
    assert_eq!(world.closed, [(0, false)]);
    let client = world.engine.open();
    assert_eq!(world.ask(client, "get a\r\n"), "END\r\n");
}

#[test]
fn a_reply_of_another_kind_is_not_passed_on() {
    let mut world = World::new(1, Settings::default());
    world.hold(0);
    let client = world.engine.open();
    world.send(client, b"delete a\r\nget b\r\n");
    world.engine.link_received(0, b"STORED\r\nEND\r\n");
    world.held[0] = None;
    world.pump();
    let why = "SERVER_ERROR node n0: its reply cannot be read\r\n";
    assert_eq!(world.told(client), why.repeat(2));
}

#[test]
fn quiet_requests_leave_no_trace_and_shift_nothing() {
    // pinterest/pymemcache#239, memcached/memcached#1312
    let mut world = World::new(2, Settings::default());
    let client = world.engine.open();
    assert_eq!(
        world.ask(
            client,
            "set K 0 60 3\r\nabc\r\ndelete K noreply\r\nget K\r\n"
        ),
        "STORED\r\nEND\r\n"
    );
    assert_eq!(
        world.ask(
            client,
            "set K 0 60 3\r\nabc\r\nincr K 1 noreply\r\nget K\r\n"
        ),
        "STORED\r\nVALUE K 0 3\r\nabc\r\nEND\r\n"
    );
    let (here, there) = (world.key_of(0), world.key_of(1));
    assert_eq!(
        world.ask(
            client,
            format!("ms {here} 1 q\r\nx\r\nmg {here} v q\r\nmg {there} v q\r\nmn\r\n")
        ),
        "VA 1\r\nx\r\nMN\r\n"
    );
}

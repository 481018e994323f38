"""Everything that pymemcache offers, against one memcached address. Usage: repertoire.py PORT"""
import sys
import time

from pymemcache.client.base import Client, PooledClient
from pymemcache.client.hash import HashClient
from pymemcache.exceptions import MemcacheClientError

port = int(sys.argv[1])
checks = 0


def same(what, expected, got):
    global checks
    checks += 1
    if expected != got:
        sys.exit(f"{what}: expected {expected!r}, got {got!r}")


def fails(what, error, call, *args, **kwargs):
    global checks
    checks += 1
    try:
        call(*args, **kwargs)
    except error:
        return
    sys.exit(f"{what}: no {error.__name__}")


def repertoire(c, prefix):
    k = lambda name: prefix + name
    same("set", True, c.set(k("a"), b"one", noreply=False))
    same("get", b"one", c.get(k("a")))
    same("default", b"?", c.get(k("absent"), b"?"))
    same("add", False, c.add(k("a"), b"two", noreply=False))
    same("replace", True, c.replace(k("a"), b"b", noreply=False))
    same("append", True, c.append(k("a"), b"c", noreply=False))
    same("prepend", True, c.prepend(k("a"), b"a", noreply=False))
    same("joined", b"abc", c.get(k("a")))
    same("set_many", [], c.set_many({k(f"m{i}"): b"%d" % i for i in range(150)}, noreply=False))
    same("get_many", {k(f"m{i}"): b"%d" % i for i in range(150)}, c.get_many([k(f"m{i}") for i in range(160)]))
    value, token = c.gets(k("a"))
    same("gets", b"abc", value)
    same("cas", True, c.cas(k("a"), b"new", token, noreply=False))
    same("cas with an old token", False, c.cas(k("a"), b"lost", token, noreply=False))
    # A token of another node answers EXISTS even where there is nothing: it can never store.
    same("cas of nothing", True, c.cas(k("absent"), b"x", token, noreply=False) in (None, False))
    same("kept", b"new", c.get(k("a")))
    many = c.gets_many([k("m1"), k("m2"), k("absent")])
    same("gets_many", {k("m1"): b"1", k("m2"): b"2"}, {key: pair[0] for key, pair in many.items()})
    c.set(k("n"), b"10", noreply=False)
    same("incr", 15, c.incr(k("n"), 5))
    same("decr", 0, c.decr(k("n"), 100))
    same("incr of nothing", None, c.incr(k("absent"), 1))
    same("touch", True, c.touch(k("m3"), 60, noreply=False))
    same("touch of nothing", False, c.touch(k("absent"), 60, noreply=False))
    same("delete", True, c.delete(k("m3"), noreply=False))
    same("delete again", False, c.delete(k("m3"), noreply=False))
    same("delete_many", True, c.delete_many([k("m4"), k("m5")], noreply=False))
    same("deleted", {}, c.get_many([k("m3"), k("m4"), k("m5")]))
    # Without a reply, mixed with commands that have one: nothing may shift.
    for i in range(100):
        c.set(k(f"q{i}"), b"q%d" % i, noreply=True)
        c.delete(k(f"absent{i}"), noreply=True)
        c.incr(k("n"), 1, noreply=True)
        c.touch(k(f"absent{i}"), 1, noreply=True)
        same("after noreply", b"q%d" % i, c.get(k(f"q{i}")))
    same("counted", b"100", c.get(k("n")).strip())
    big = bytes(range(256)) * 3000
    same("set of 768,000 bytes", True, c.set(k("big"), big, noreply=False))
    same("and back", big, c.get(k("big")))
    c.set(k("short"), b"x", expire=1, noreply=False)
    time.sleep(2.1)
    same("expired", None, c.get(k("short")))


repertoire(Client(("127.0.0.1", port)), "base:")
repertoire(PooledClient(("127.0.0.1", port), max_pool_size=4), "pool:")
repertoire(HashClient([("127.0.0.1", port)]), "hash:")

c = Client(("127.0.0.1", port))
same("version", True, c.version().startswith(b"1."))
same("stats", True, len(c.stats()) > 3)
c.set("text", b"abc", noreply=False)
fails("incr of a text", MemcacheClientError, c.incr, "text", 1)
same("still in step", b"abc", c.get("text"))
print(f"{checks} checks")

"""The store: its budget, what it drops and when, and what threads may do to it."""

import gc
import os
import random
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event, Thread

import pytest

from csp_encodings.store import DROPPED, STORE, Lease, Pool, Store, kept


class Thing:
    """Something that may be used by one caller at a time, and is closed once."""

    def __init__(self) -> None:
        self.users = 0
        self.closed = 0

    def close(self) -> None:
        self.closed += 1


def test_a_value_is_made_once():
    store, made = Store(), []
    for _ in range(3):
        assert store.get("key", lambda: made.append(1) or "value") == "value"
    assert made == [1]


def test_none_is_a_value_too():
    store, made = Store(), []
    for _ in range(3):
        assert store.get("key", lambda: made.append(1)) is None
    assert made == [1]


def test_what_fails_is_not_kept():
    store = Store()
    with pytest.raises(ZeroDivisionError):
        store.get("key", lambda: 1 / 0)
    assert store.get("key", lambda: 1) == 1


def test_the_least_recently_used_go_first():
    store = Store(budget=40_000)
    for key in "abc":
        store.get(key, str, 10_000)
    store.get("a", str, 10_000)
    store.get("d", str, 10_000)
    assert [key for key in "abcd" if key in store] == ["a", "c", "d"]


def test_the_size_may_depend_on_the_value():
    store = Store(budget=10_000)
    store.get("small", lambda: "x" * 100, len)
    assert 100 < store.bytes < 1_000
    store.get("large", lambda: "x" * 20_000, len)
    assert "small" in store
    assert "large" not in store


def test_even_empty_values_are_counted():
    store = Store(budget=100_000)
    for number in range(10_000):
        store.get(number, int)
    assert 50 < len(store) < 1_000
    assert store.bytes <= store.budget


@pytest.mark.parametrize("seed", range(20))
def test_the_budget_holds_and_the_sum_is_right_whatever_happens(seed):
    chance, store = random.Random(seed), Store(budget=50_000)
    lent = []
    for _ in range(300):
        key, size = chance.randrange(30), chance.randrange(9_000)
        match chance.randrange(8):
            case 0 | 1 | 2 | 3:
                store.get(key, object, size)
            case 4 | 5:
                lent.append(store.take(("pool", key), Thing, size))
            case 6 if lent:
                pool, thing = lent.pop(chance.randrange(len(lent)))
                pool.give_back(thing)
            case 7:
                store.drop(lambda known, key=key: known == key)
        assert store.bytes <= store.budget
    assert store.bytes == sum(entry.size for entry in store._entries.values())
    store.budget = 5_000
    assert store.bytes <= 5_000
    store.clear()
    assert (len(store), store.bytes) == (0, 0)


def test_an_entry_in_other_hands_keeps_nothing_alive():
    store = Store()
    store.get("key", Thing)
    entry = store.entry("key")
    assert isinstance(store.read(entry), Thing)
    store.clear()
    assert store.read(entry) is DROPPED
    assert store.read(store.entry("key")) is DROPPED


def test_reading_an_entry_counts_as_use():
    store = Store(budget=30_000)
    for key in "ab":
        store.get(key, str, 10_000)
    store.read(store.entry("a"))
    store.get("c", str, 10_000)
    assert [key for key in "abc" if key in store] == ["a", "c"]


def test_clearing_does_what_was_asked_for():
    store, done = Store(), []
    store.on_clear(lambda: done.append(1))
    store.clear()
    assert done == [1]


def test_arguments_have_an_order_and_no_names():
    @kept(size=0)
    def difference(a, b):
        return a - b

    assert (difference(3, 1), difference(1, 3)) == (2, -2)
    with pytest.raises(TypeError):
        difference(a=3, b=1)


def test_functions_of_the_same_name_are_kept_apart():
    def power(n):
        @kept(size=0)
        def raised(x):
            return x**n

        return raised

    assert [power(n)(3) for n in (1, 2, 3)] == [3, 9, 27]


# Pools


def test_a_thing_is_lent_to_one_at_a_time():
    store = Store()
    pool, first = store.take("key", Thing, 10)
    _, second = store.take("key", Thing, 10)
    assert first is not second
    pool.give_back(first)
    assert store.take("key", Thing, 10)[1] is first


def test_what_is_dropped_is_closed_at_once_or_when_it_comes_back():
    store = Store()
    pool, idle = store.take("key", Thing, 10)
    _, lent = store.take("key", Thing, 10)
    pool.give_back(idle)
    store.clear()
    assert (idle.closed, lent.closed) == (1, 0)
    pool.give_back(lent)
    assert lent.closed == 1
    assert store.take("key", Thing, 10)[1] not in (idle, lent)


def test_what_is_too_large_is_closed_after_use():
    store = Store(budget=1_000)
    pool, thing = store.take("key", Thing, 5_000)
    assert not thing.closed
    pool.give_back(thing)
    assert thing.closed == 1


def test_things_that_are_lent_are_counted():
    store = Store(budget=10_000)
    _ = [store.take("key", Thing, 2_000) for _ in range(3)]
    assert store.bytes > 6_000
    store.take("other", Thing, 5_000)
    assert "key" not in store


def test_a_pool_that_has_just_grown_was_just_used():
    store = Store(budget=10_000)

    def make():
        for key in range(5):
            store.get(key, str, 800)
        return Thing()

    pool, thing = store.take("key", make, 5_000)
    pool.give_back(thing)
    assert not thing.closed
    assert "key" in store


def test_a_lease_that_is_dropped_gives_back():
    store = Store()
    lease = Lease(*store.take("key", Thing, 10))
    thing = lease.thing
    del lease
    assert store.take("key", Thing, 10)[1] is thing


def test_a_lease_in_a_cycle_gives_back_when_garbage_is_collected():
    store = Store()
    circle = [Lease(*store.take("key", Thing, 10))]
    circle.append(circle)
    thing = circle[0].thing
    del circle
    gc.collect()
    assert store.take("key", Thing, 10)[1] is thing


def test_a_lease_gives_back_once():
    store = Store()
    lease = Lease(*store.take("key", Thing, 10))
    lease.release()
    taken = store.take("key", Thing, 10)[1]
    assert taken is lease.thing
    lease.release()
    del lease
    gc.collect()
    assert store.take("key", Thing, 10)[1] is not taken


def test_a_lease_may_be_given_back_while_the_store_is_at_work():
    """A garbage collection can come at any moment, also while the store is locked."""
    store = Store()
    circle = [Lease(*store.take("key", Thing, 10))]
    circle.append(circle)
    del circle

    class Key:
        def __hash__(self):
            return 1

        def __eq__(self, other):
            gc.collect()
            return self is other

    for _ in range(3):
        store.get(Key(), int)
    assert len(store) == 4


# Threads


def test_two_that_make_the_same_value_get_the_first():
    store, both, first = Store(), Barrier(2), Event()

    def slow():
        both.wait()
        first.wait()
        return "slow"

    def fast():
        both.wait()
        return "fast"

    found = []
    thread = Thread(target=lambda: found.append(store.get("key", slow)))
    thread.start()
    assert store.get("key", fast) == "fast"
    first.set()
    thread.join()
    assert found == ["fast"]


def hammer(work, threads=8):
    with ThreadPoolExecutor(threads) as pool:
        for future in [pool.submit(work, number) for number in range(threads)]:
            future.result()


def test_threads_never_share_a_thing_and_none_is_lost():
    store, things = Store(budget=20_000), []

    def make():
        things.append(Thing())
        return things[-1]

    def work(seed):
        chance = random.Random(seed)
        for _ in range(2_000):
            key = chance.randrange(4)
            if chance.random() < 0.01:
                store.clear()
            elif chance.random() < 0.1:
                store.get(("value", chance.randrange(100)), object, chance.randrange(3_000))
            pool, thing = store.take(key, make, 500)
            thing.users += 1
            assert thing.users == 1
            assert not thing.closed
            thing.users -= 1
            if chance.random() < 0.5:
                pool.give_back(thing)
            else:
                lease = Lease(pool, thing)
                del lease

    hammer(work)
    assert store.bytes <= store.budget
    assert store.bytes == sum(entry.size for entry in store._entries.values())
    idle = [
        thing
        for entry in store._entries.values()
        if isinstance(entry.value, Pool)
        for thing in entry.value._idle
    ]
    # Whatever was made is either idle, once, or closed, once.
    assert not any(thing.closed for thing in idle)
    assert len(set(map(id, idle))) == len(idle)
    assert sum(thing.closed for thing in things) == len(things) - len(idle)
    store.clear()
    assert [thing.closed for thing in things] == [1] * len(things)


def test_a_thing_that_comes_back_while_its_pool_is_closed_is_closed_once():
    for _ in range(300):
        pool, thing, both = Pool(), Thing(), Barrier(2)

        def give(pool=pool, thing=thing, both=both):
            both.wait()
            pool.give_back(thing)

        thread = Thread(target=give)
        thread.start()
        both.wait()
        pool.close()
        thread.join()
        assert thing.closed == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_is_not_locked_out():
    locked, done = Event(), Event()

    def hold():
        with STORE._lock:
            locked.set()
            done.wait()

    thread = Thread(target=hold)
    thread.start()
    locked.wait()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # to fork with threads is the point
        child = os.fork()
    if child == 0:
        STORE.get("in the child", int)
        os._exit(0 if "in the child" in STORE else 1)
    try:
        until = time.monotonic() + 20
        while (ended := os.waitpid(child, os.WNOHANG)) == (0, 0):
            assert time.monotonic() < until, "the child waits for the lock"
            time.sleep(0.01)
        assert ended == (child, 0)
    finally:
        done.set()
        thread.join()


def test_values_are_right_under_threads_and_pressure():
    store = Store(budget=10_000)

    def work(seed):
        chance = random.Random(seed)
        for _ in range(3_000):
            number = chance.randrange(200)
            assert store.get(number, lambda number=number: number * number, 300) == number * number

    hammer(work)
    assert store.bytes <= store.budget

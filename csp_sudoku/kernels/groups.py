"""The groups of an exact cover problem: which options are ruled out together, and what is counted.

A *group* is a list of options that are ruled out together. To take an option rules out the groups
that it takes; to drop it counts down the groups that count it.

- A primary item is both: whoever takes one of its options rules out the others, and it counts how
  many are left.
- A secondary item without colours is taken only.
- A *support of a colour* counts only. If a primary item has a coloured one in all its options, then
  for each colour it counts those that have it. When none is left, all options with the colour are
  ruled out, whichever item they belong to. On the layers of an automaton this is generalised arc
  consistency. Coloured items need nothing else: where an option is taken, its colours alone stay.
- A *support against a clash* counts only, too. If a primary item has a secondary one in at least
  half of its options, it counts the others. When none is left, one that has the secondary item will
  be taken, and the options of other items that have it are ruled out. On relations this is arc
  consistency, one way.
- Where a primary item has a coloured one in some of its options only, there is no support. Then an
  option takes the other colours of that item: each is a group.

Supports are looked for at the first item of an option, the one that it is an option *for*.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from csp_encodings.exact_cover import ExactCover
from csp_encodings.watch import look
from csp_sudoku.kernels.options import Groups, Ints, Options, new_options
from csp_sudoku.kernels.records import pack

Numbers: TypeAlias = NDArray[np.int64]

# The kinds of members of an option, in their order
_TAKEN, _PRIMARY, _SUPPORT = range(3)
_KINDS = 3


def arrange(cover: ExactCover, order: Numbers, *, supports: bool = True) -> tuple[Groups, Options]:
    """Return the groups of a problem and the options of a search in it that has not begun.

    The options of each group are in the given order.

    An item must have a colour in all its options, or in none. Without supports nothing is dropped
    but what Knuth's algorithm hides.
    """
    look()
    nodes = _Nodes.of(cover)
    look()  # with millions of nodes each of these steps takes its time
    if not supports:
        nodes = replace(nodes, led=np.zeros_like(nodes.led))
    colours = nodes.colour_supports()
    look()
    clashes = nodes.clash_supports()
    look()
    primary, hues = cover.primary, len(nodes.hue_item)
    counting = len(colours.lists) + clashes.number
    # There is a list for every hue, and for every clash.
    listed = np.concatenate([nodes.option, clashes.listed])
    number = np.concatenate([nodes.hue, hues + clashes.listed_by])
    lists = listed[np.lexsort((np.argsort(order)[listed], number))]
    look()
    ends = np.cumsum(np.bincount(number, minlength=hues + clashes.number))
    starts = np.concatenate([[0], ends[:-1]])
    # The groups are the primary items, the supports and the other hues; this is the list of each.
    clash_lists = hues + np.arange(clashes.number)
    list_of = np.concatenate(
        [np.arange(primary), colours.lists, clash_lists, np.arange(primary, hues)]
    )
    # The members of an option are groups of three kinds.
    is_primary = nodes.item < primary
    plain = ~is_primary & ~nodes.coloured
    alone, other_hue = nodes.other_colours(~colours.supported)
    kinds = [
        (_TAKEN, nodes.option[plain], nodes.hue[plain] + counting),
        (_TAKEN, alone, other_hue + counting),
        (_PRIMARY, nodes.option[is_primary], nodes.item[is_primary]),
        (_SUPPORT, nodes.option[colours.supported], primary + colours.counted_by),
        (_SUPPORT, clashes.counted, primary + len(colours.lists) + clashes.counted_by),
    ]
    place = np.concatenate([_KINDS * option + kind for kind, option, _ in kinds])
    members = np.concatenate([group for _, _, group in kinds])[np.argsort(place, kind="stable")]
    look()
    bounds = np.searchsorted(np.sort(place), np.arange(_KINDS * len(order) + 1))
    groups = Groups(
        first_taken=_ints(bounds[_TAKEN::_KINDS]),
        first_primary=_ints(bounds[_PRIMARY::_KINDS]),
        first_support=_ints(bounds[_SUPPORT::_KINDS]),
        member=_ints(members),
        list_start=_ints(starts[list_of]),
        list_end=_ints(ends[list_of]),
        listed=_ints(lists),
    )
    options = new_options(
        options=len(order),
        preferred=cover.preferred,
        primary=primary,
        counted=primary + counting,
    )
    return pack(groups), pack(options)


def _ints(numbers: Numbers) -> Ints:
    return numbers.astype(np.int32)


@dataclass(frozen=True)
class _ColourSupports:
    """The list of each, which is a hue; which nodes have one, and which one these have."""

    lists: Numbers
    supported: NDArray[np.bool_]
    counted_by: Numbers


@dataclass(frozen=True)
class _ClashSupports:
    """How many; options and which one counts them; options and which one rules them out."""

    number: int
    counted: Numbers
    counted_by: Numbers
    listed: Numbers
    listed_by: Numbers


@dataclass(frozen=True)
class _Nodes:
    """Every option with every item that it has.

    A *hue* is an item with a colour, or without one; those of the primary items come first.
    A *pair* is the first item of an option, and an item of it.
    """

    option: Numbers
    item: Numbers
    hue: Numbers
    coloured: NDArray[np.bool_]
    pair: Numbers
    # of each option
    leader: Numbers
    # of each hue
    hue_item: Numbers
    # of each pair: its items, how many options have both, and how many of the first there are, or
    # 0 if some of them are options for another item
    first: Numbers
    other: Numbers
    both: Numbers
    led: Numbers
    other_is_coloured: NDArray[np.bool_]
    primary: int

    @classmethod
    def of(cls, cover: ExactCover) -> Self:
        items, primary = len(cover.items), cover.primary
        option = np.repeat(np.arange(len(cover.meanings)), np.diff(cover.starts))
        item, colour = cover.members.astype(np.int64), cover.colours.astype(np.int64)
        colours = colour.max(initial=0) + 1
        keys = np.concatenate([np.arange(primary) * colours, item * colours + colour])
        hues, hue = np.unique(keys, return_inverse=True)
        leader = item[cover.starts[:-1]]
        look()
        pairs, where, pair, both = np.unique(
            leader[option] * items + item,
            return_index=True,
            return_inverse=True,
            return_counts=True,
        )
        look()
        first = pairs // items
        led = np.bincount(leader, minlength=items)
        led[(led < np.bincount(item, minlength=items)) | (np.arange(items) >= primary)] = 0
        return cls(
            option=option,
            item=item,
            hue=hue[primary:],
            coloured=colour > 0,
            pair=pair,
            leader=leader,
            hue_item=hues // colours,
            first=first,
            other=pairs % items,
            both=both,
            led=led[first],
            other_is_coloured=colour[where] > 0,
            primary=primary,
        )

    def colour_supports(self) -> _ColourSupports:
        """For items that have a coloured one in all their options: a support for each colour."""
        always = np.flatnonzero((self.both == self.led) & self.other_is_coloured)
        place, hue = join(self.other[always], self.hue_item)
        keys = always[place] * len(self.hue_item) + hue
        wanted = self.pair * len(self.hue_item) + self.hue
        supported = np.isin(wanted, keys)
        return _ColourSupports(hue, supported, np.searchsorted(keys, wanted[supported]))

    def clash_supports(self) -> _ClashSupports:
        """For items that have a secondary one in half of their options or more: a support each."""
        often = np.flatnonzero(
            (self.led > 0)
            & (self.both > 1)
            & (2 * self.both >= self.led)
            & (self.other >= self.primary)
            & ~self.other_is_coloured
        )
        first, other = self.first[often], self.other[often]
        options = len(self.leader)
        counted_by, counted = join(first, self.leader)
        has_both, node = join(often, self.pair)
        without = ~np.isin(counted_by * options + counted, has_both * options + self.option[node])
        listed_by, node = join(other, self.item)
        listed = self.option[node]
        foreign = self.leader[listed] != first[listed_by]
        return _ClashSupports(
            len(often),
            counted[without],
            counted_by[without],
            listed[foreign],
            listed_by[foreign],
        )

    def other_colours(self, which: NDArray[np.bool_]) -> tuple[Numbers, Numbers]:
        """Of some of the coloured nodes, the options and the other hues of the item."""
        nodes = np.flatnonzero(which & self.coloured)
        place, hue = join(self.item[nodes], self.hue_item)
        node = nodes[place]
        differs = hue != self.hue[node]
        return self.option[node[differs]], hue[differs]


def join(a: Numbers, b: Numbers) -> tuple[Numbers, Numbers]:
    """All places `i` and `j` with ``a[i] == b[j]``, by `i`, then by `j`.

    Examples
    --------
    >>> [places.tolist() for places in join(np.array([5, 7]), np.array([7, 5, 7]))]
    [[0, 1, 1], [1, 0, 2]]
    """
    order = np.argsort(b, kind="stable")
    starts = np.searchsorted(b[order], a, "left")
    counts = np.searchsorted(b[order], a, "right") - starts
    shift = np.repeat(starts - np.cumsum(counts) + counts, counts)
    return np.repeat(np.arange(len(a)), counts), order[np.arange(len(shift)) + shift]

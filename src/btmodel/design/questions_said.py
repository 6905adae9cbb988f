"""Questions that stand in a description: by which attributes it says that rows are looked up, picked and listed.

A question is a verb of reading, with the rows of the model as what is read, and with an attribute that the reader has in hand. What is said of another thing,
of another place to look, or of a person who does it, asks nothing here.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import pairwise
from typing import NamedTuple

from btmodel.codecs.cell.record import is_class
from btmodel.codecs.key import Kind
from btmodel.design.attribute_words import GENERIC, SAME, attributes, named, singular, things
from btmodel.design.hints import sentences
from btmodel.design.keys import with_named_tenants
from btmodel.design.proposal import serves, with_tenant
from btmodel.design.question_words import (
    ACCESS,
    ACCESS_KINDS,
    ADVERBS,
    ALONE,
    AROUND,
    ARTICLES,
    ASKED_WHERE,
    ASKS,
    BATCH,
    BE,
    BEARS,
    BEFORE,
    BELONGING,
    CALLS,
    COMES,
    DOES,
    DONE,
    ELSEWHERE,
    ENDS,
    EVERYTHING,
    FAR,
    FINDS,
    FIRST,
    GIVES,
    HAS,
    HOLD,
    IMPOSSIBLE,
    IN_FRONT,
    IN_HAND,
    LISTS,
    LONGEST,
    MANY,
    MEASURED,
    NEVER,
    NO_NAMES,
    NO_VALUES,
    OFFERED,
    ONE,
    OWN,
    OWNER,
    PARTICLES,
    PRONOUNS,
    REACHES,
    SAYS,
    SCANS,
    SENTENCE,
    SHOWS,
    STOPS,
    THAT,
    THE_SAME,
    THEN,
    TO_THEM,
    TOKEN,
    WAYS,
    WE_READ,
    WHO,
    WHOLE,
    denying,
    doer,
    is_article,
    is_list,
    is_noun,
)
from btmodel.schema import ModelSchema, Query
from btmodel.source_text import names_of


class Question(NamedTuple):
    """A sentence that asks for the rows of the attributes ``given``, and the fields of the key that it speaks of besides."""

    sentence: str
    given: tuple[str, ...]
    mentioned: tuple[str, ...]
    model: ModelSchema
    times: tuple[str, ...] = ()  #: those that are given beside, "by region and day"

    def answered_by(self, models: Iterable[ModelSchema]) -> bool:
        """Whether the key serves it, or a range of rows in which a reader looks on; a query that is declared; or another of ``models`` that holds the same rows."""
        own, keys = self.model, [part.name for part in self.model.key.asked]
        if any(name in (*names_of(query), *query.where) for query in own.queries for name in self.given):
            return True
        given = [name for name in self.given if name in keys]
        if any(
            key_serves(own, names) for names in ((*given, *self.mentioned), self.mentioned, given) if names
        ):
            return True
        words_of = attributes(own)
        return any(
            key_serves(other, [name]) or any(name in names_of(query) for query in other.queries)
            for other in models
            if other is not own and _same_rows(own, other, self.given)
            for name, known in attributes(other).items()
            if any(known == words_of[asked] for asked in self.given)
        )


def key_serves(model: ModelSchema, names: Sequence[str]) -> bool:
    """Whether the key of the model serves a query that gives ``names``, with the tenant of the caller."""
    known = {part.name for part in model.key.asked} | {*model.key.sources}
    query = with_tenant(with_named_tenants(model), Query("asked", tuple(names)))
    return known.issuperset(names) and serves(model.key, query)


def _same_rows(model: ModelSchema, other: ModelSchema, given: Sequence[str]) -> bool:
    """Whether another model holds what finds the rows of the model, besides what is given."""
    held = {part.name for part in other.key.asked} | {column.name for column in other.columns}
    return any(part.name in held and part.name not in given for part in model.key.asked)


def questions_said(model: ModelSchema) -> Iterator[Question]:
    """What the description asks of the rows of the model, each by the attributes that are given; of times, which may be an order, nothing."""
    if not model.doc:
        return
    reader = Reader(model)
    for sentence in sentences(model.doc):
        yield from reader.questions(sentence)


class Reader:
    """The words of a model: its rows, and its attributes."""

    def __init__(self, model: ModelSchema) -> None:
        self.model = model
        self.known = attributes(model)
        self.times = {part.name for part in model.key.asked if part.codec.kind is Kind.TIME} | {
            column.name for column in model.columns if is_class(column.codec.python_type, date)
        }
        self.things = things(model)

    def questions(self, sentence: str) -> Iterator[Question]:
        """The questions of one sentence."""
        tokens = [
            token.strip("`")
            for token in TOKEN.findall(sentence.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
        ]
        low = [token.lower().replace("look-up", "lookup") for token in tokens]
        if len(low) > SENTENCE or ASKS.isdisjoint(low) or self.is_elsewhere(sentence):
            return
        found: list[tuple[str, ...]] = []
        for at, token in enumerate(low):
            if token in HAS and LISTS.isdisjoint(low[at + 1 : at + 4]):
                continue
            if token in SHOWS and not is_noun(low, at) and not self.denied(low, at):
                found += self._by(low, at)
                found += self._belonging(low, at + 1, min(at + FAR, len(low)), at)
                found += self._passive(low, at)
            elif is_list(low, at):  # "the page is a list of the parts of a supplier"
                found += self._belonging(low, at + 1, min(at + FAR, len(low)), at)
        found += self._in_front(low)
        found += self._reached(low)
        found += self._which(low)
        asked: dict[tuple[str, ...], tuple[str, ...]] = {}
        for given in found:
            names = tuple(name for name in given if name not in self.times)
            asked[names] = asked.get(names) or tuple(name for name in given if name in self.times)
        for names, times in asked.items():
            if names:
                yield Question(sentence, names, self._mentioned(low, names), self.model, times)
        for given in dict.fromkeys(self._noted(low)):  # each a way of its own
            if names := tuple(name for name in given if name not in self.times):
                yield Question(sentence, names, (), self.model, tuple(self.times.intersection(given)))

    def _in_front(self, low: Sequence[str]) -> Iterator[tuple[str, ...]]:
        """What is in hand in front of the verb: "given a user, the service finds the sessions", "a number, by which it is found", "types the number to see the parcel"."""
        for at, word in enumerate(low):
            verbs = (place for place in range(at + 1, len(low)) if low[place] in SHOWS)
            verb = next((place for place in verbs if not is_noun(low, place)), None)
            if verb is None or self.denied(low, verb) or self.denied(low, at):
                continue
            names: tuple[str, ...] = ()
            first = not at and word in FIRST and "," in low[1:FAR]
            then = word in GIVES and not THEN.isdisjoint(low[at:verb])
            if word in IN_HAND and low[at + 1 : at + 2] == ["which"]:
                if low[verb] in DONE and any(map(self.is_thing, low[at + 2 : verb])):
                    names = self._spoken_of(low, at)
            elif (
                (first or then)
                and (low[verb] in FINDS or word in SAYS or self._for_each(low, at, verb))
                and any(map(self.is_thing, low[verb:]))
            ):
                names = self._named(low, at + 1 + (low[at + 1] == "only"), doers=False)
            yield from (names,) if names else ()

    def is_elsewhere(self, sentence: str) -> bool:
        """Whether it is asked in another place, or by what reads all rows anyway; a row may itself be called a job or a report."""
        places = (found[0] for one in (ELSEWHERE, BATCH) for found in one.finditer(sentence))
        return any(singular(place) not in self.things for place in places)

    def denied(self, low: Sequence[str], at: int) -> bool:
        """Whether the clause of the verb at a place denies it."""
        begin = max((place for place in range(at) if low[place] in STOPS), default=-1)
        return any(map(denying, low[begin + 1 : at])) or self._is_refused(low, at, begin + 1)

    def _is_refused(self, low: Sequence[str], at: int, begin: int) -> bool:
        """Whether a verb is a noun of which the sentence says that there is none, as in "searching by kind is not offered"."""
        if not (low[at].endswith("ing") or low[at] in ALONE) or any(
            word not in ADVERBS | ARTICLES for word in low[begin:at]
        ):
            return False
        for place in range(at + 1, len(low)):
            word = low[place]
            if word in STOPS or word in WHO or word in ENDS:
                return False
            if word in IMPOSSIBLE or (denying(word) and not OFFERED.isdisjoint(low[place + 1 : place + 4])):
                return True
        return False

    def is_thing(self, word: str) -> bool:
        """Whether a word is one for a row."""
        return word in PRONOUNS or singular(word) in self.things

    def _many(self, word: str) -> bool:
        return word in MANY or (word != singular(word) and singular(word) in self.things)

    def _by(self, low: Sequence[str], at: int) -> Iterator[tuple[str, ...]]:
        """By what the verb at a place finds the rows: "looks the parcel up by the phone number", "searches by name"."""
        for place in range(at + 1, min(at + FAR, len(low))):
            word = low[place]
            if word in ENDS or word in NEVER or word in STOPS[1:]:
                return
            if word not in IN_HAND:
                continue
            objects = [one for one in low[at + 1 : place] if one not in AROUND and one != ","]
            if names := self._by_its_number(low, at, place):
                yield names
                return
            passive = not objects and low[at] in DONE
            if objects and (not self.is_thing(objects[-1]) or len(objects) > 2):
                return
            if word in ("by", "via", "using") and self._only_row(low, at, objects):
                own = self._own_number(low, place + 1)
                if own:
                    yield own
                    return
            if objects and low[at] not in FINDS and not self._many(objects[-1]):
                one_row = word in ("by", "via", "using") and self._is_number(low, place + 1)
                if not one_row:
                    return
            if not objects and low[at] not in ALONE and not self._subject(low, at):
                we_read = low[at] in WE_READ and low[at - 1 : at] == ["we"] and word in ("by", "per")
                if not we_read:
                    return
            if low[place + 1 : place + 2] and low[place + 1] in BEFORE:
                names = self._spoken_of(low, at)
                yield from (names,) if names else ()
                return
            if word == "with" and low[place + 1 : place + 2] and low[place + 1] in OWN:
                return  # what is shown along with it
            if low[at] not in FINDS and WAYS.intersection(low[place + 1 : place + 2]):
                return  # how somebody does it
            names = self._named(low, place + 1, doers=passive and word == "by")
            yield from (names,) if names else ()
            for more in _more(low, place, word):
                names = self._named(low, more, doers=passive and word == "by")
                yield from (names,) if names else ()
            return

    def _by_its_number(self, low: Sequence[str], at: int, place: int) -> tuple[str, ...]:
        """The attribute of which the number is in hand, where its rows are then spoken of: "opens a pitch by its number and wants all readings of it"."""
        of_it = place + 2 < len(low) and low[place + 1] in OWN and singular(low[place + 2]) in GENERIC
        if not of_it or not any(map(self._many, low[place + 3 :])):
            return ()
        named = [word for word in low[at + 1 : place] if word == "of" or word not in AROUND]
        head = named[: named.index("of")] if "of" in named else named
        return () if not head or self.is_thing(head[-1]) else self._matching((head[-1],))

    def _only_row(self, low: Sequence[str], at: int, objects: Sequence[str]) -> bool:
        """Whether a row is what is found, and not one of a list, of which a reader has the rest of the key: "list the loans of one phase, and open one by its number"."""
        row = bool(objects) and singular(objects[-1]) in self.things
        return row and not any(low[one] in SHOWS and not is_noun(low, one) for one in range(at))

    def _own_number(self, low: Sequence[str], place: int) -> tuple[str, ...]:
        """The field of the key that is the number of the row, where that is spoken of: "by its id"."""
        if low[place : place + 1] and low[place] in OWN:
            last = self.model.key.asked[-1:]
            behind = [word for word in low[place + 1 : place + 3] if word != "own"]
            if behind[:1] and behind[0] in GENERIC:
                return tuple(part.name for part in last if self.known[part.name][-1] in self.things)
        return ()

    def _is_number(self, low: Sequence[str], place: int) -> bool:
        """Whether what is named at a place is a number or a code, and nobody who does something."""
        start = place + (low[place : place + 1] != [] and low[place] in ARTICLES)
        for length in range(LONGEST, 0, -1):
            phrase = tuple(low[start : start + length])
            if len(phrase) == length and self._matching(phrase):
                return phrase[-1] in GENERIC or phrase[-1].endswith("code")
        return False

    def _for_each(self, low: Sequence[str], at: int, verb: int) -> bool:
        """Whether rows are wanted for each of something: "for each vessel, planners want to see which containers are on it"."""
        return (
            low[at] == "for"
            and low[at + 1] in ONE
            and any(self._many(word) for word in low[verb + 1 : verb + FAR])
        )

    def _noted(self, low: Sequence[str]) -> Iterator[tuple[str, ...]]:
        """By what rows are read, in a note on it: "access path: by status", "search is by postcode", "lookup key: the policy number"."""
        at = next((place for place, word in enumerate(low) if word not in IN_FRONT | ARTICLES), len(low))
        if low[at : at + 1] == [] or low[at] not in ACCESS:
            return
        if any(map(denying, low)) or not IMPOSSIBLE.isdisjoint(low):
            return
        kinds = low[at + 1 : at + 2] != [] and low[at + 1] in ACCESS_KINDS
        begin = at + 1 + kinds
        if low[at] in ("entry", "read", "reads") and not kinds:
            return
        near = range(begin, min(begin + FAR, len(low)))
        to = next(
            (place for place in near if low[place] in (":", "is", "are", "goes", "happens", "works")), None
        )
        if to is None:
            if low[begin : begin + 1] == ["by"] and not is_article(low, begin + 1):
                yield from self._each_named(low, begin)
            return
        while low[to + 1 : to + 2] and low[to + 1] in ADVERBS:
            to += 1
        if low[to + 1 : to + 2] and low[to + 1] in IN_HAND:
            yield from self._each_named(low, to + 1)
        elif low[to] == ":" or kinds:
            names = self._named(low, to + 1, doers=True)
            row = any(map(self.is_thing, low[to + 1 : to + 3]))  # "query: one ticket of a customer"
            yield from (names,) if names and not row else ()
            if low[to] == ":":
                yield from self._belonging(low, to + 1, min(to + FAR, len(low)), to)

    def _each_named(self, low: Sequence[str], place: int) -> Iterator[tuple[str, ...]]:
        """What is named behind each word such as "by" from a place on, in one part of a sentence."""
        before: tuple[str, ...] = ()
        for at in range(place, len(low)):
            if low[at] in ENDS or low[at] == ";":
                return
            if low[at] in ("by", "via", "per") and (at == place or low[at - 1] not in SHOWS | BE):
                for begin in (at + 1, *_more(low, at, low[at])):
                    names = self._named(low, begin, doers=True)
                    if low[at - 1] == "then":  # "by ward, then by bed"
                        names = (*before, *names)
                    yield from (names,) if names else ()
                    before = names

    def _reached(self, low: Sequence[str]) -> Iterator[tuple[str, ...]]:
        """What is in hand, and leads to the row: "scanning the barcode brings up the sample", "the letter shows the number, and from that the clerk gets to the claim"."""
        for at, word in enumerate(low):
            scans = word in SCANS and (word != "given" or not at)
            if not (scans or word in BEARS) or self.denied(low, at):
                continue
            start = at + 1 + (low[at + 1 : at + 2] in (["only"], ["in"]))
            names = self._named(low, start, doers=False)
            if not names or not (scans or _leads(low, start)):
                continue
            for verb in range(start + 1, min(start + 2 * FAR, len(low))):
                if low[verb] in ENDS or low[verb] in STOPS[1:]:
                    break
                if low[verb] in REACHES and not is_noun(low, verb) and not self.denied(low, verb):
                    behind = (one for one in low[verb + 1 : verb + FAR] if one not in PARTICLES | ARTICLES)
                    if singular(next(behind, "")) in self.things:
                        yield names
                        return

    def _which(self, low: Sequence[str]) -> Iterator[tuple[str, ...]]:
        """Whose rows are asked for: "which containers does a consignee have?"."""
        for at in range(len(low) - 3):
            if low[at] not in ("which", "what") or not self._many(low[at + 1]):
                continue
            if low[at + 2] in ("do", "does", "did") and not HOLD.isdisjoint(low[at + 4 : at + FAR]):
                names = self._named(low, at + 3, doers=False)
                yield from (names,) if names else ()

    def _spoken_of(self, low: Sequence[str], end: int) -> tuple[str, ...]:
        """The attribute that was named last in front of a place, and is no thing that the rows are called after."""
        for place in range(end - 1, -1, -1):
            for length in range(min(LONGEST, end - place), 0, -1):
                names = (
                    () if self.is_thing(low[place]) else self._matching(tuple(low[place : place + length]))
                )
                if names and not (place and low[place - 1] in OWN and low[place] in GENERIC):
                    return names
        return ()

    def _subject(self, low: Sequence[str], at: int) -> bool:
        """Whether the rows are what the participle at a place is said of."""
        if low[at] not in DONE:
            return False
        begin = max((place + 1 for place in range(at) if low[place] in STOPS), default=0)
        before = list(low[begin:at])
        while before and (before[-1] in ADVERBS or before[-1] in BE):
            before.pop()
        if not before:
            return True
        if before[-1] in ("which", "that") and begin > 1:
            return self.is_thing(low[begin - 2])
        stops = [place for place, word in enumerate(before) if word in BELONGING | WHO and place]
        head = before[: stops[0]] if stops else before
        return bool(head) and self.is_thing(head[-1])

    def _passive(self, low: Sequence[str], at: int) -> Iterator[tuple[str, ...]]:
        """Of what all rows are wanted, where they stand in front of the verb: "bookings of a hotel are listed"."""
        if at and (low[at - 1] in BE or low[at] in COMES):
            begin = max((place + 1 for place in range(at) if low[place] in STOPS), default=0)
            yield from self._belonging(low, begin, at, begin)
            yield from self._of_before(low, begin, at)

    def _of_before(self, low: Sequence[str], begin: int, at: int) -> Iterator[tuple[str, ...]]:
        """Whose rows are wanted, where that was named before: "a branch opens, and its claims are pulled up", "the ticket with that e-mail is found"."""
        if low[at] not in DONE or any(map(denying, low[begin:at])):
            return
        for place in range(begin, at):
            behind = low[place + 1 : place + 3]
            if low[place] in OWN and any(map(self._many, behind)):
                names = self._spoken_of(low, begin)
            elif singular(low[place]) in self.things and behind[:1] == ["with"] and behind[1] in THE_SAME:
                names = self._named(low, place + 2, doers=False)
            else:
                continue
            yield from (names,) if names else ()
            return

    def _belonging(self, low: Sequence[str], begin: int, end: int, verb: int) -> Iterator[tuple[str, ...]]:
        """Of what all rows are wanted that are spoken of between two places: "the invoices of a customer", "a customer's invoices", "their invoices"."""
        unknown, asked = 0, False
        for place in range(begin, end):
            word = low[place]
            asked = asked or word in ASKED_WHERE
            if (word in ENDS and not asked) or word in NEVER or word in STOPS:
                return
            owner = OWNER.sub("", word)
            if owner != word and any(self._many(one) for one in low[place + 1 : place + 3]):
                names = self._matching((owner,))
                yield from (names,) if names else ()
                return
            whole = asked or {"every", "each", "all"}.intersection(low[begin:place])
            if self._many(word) or (whole and singular(word) in self.things):
                if word in EVERYTHING and (place + 1 >= len(low) or self._goes_on(low, place + 1)):
                    continue
                which = {"which", "what"}.intersection(low[begin:place]) and low[place + 1 : place + 2]
                relative = which and low[place + 1] not in BELONGING | ONE
                yield from self._whose(low, place if relative else place + 1, relative=bool(relative))
                yield from self._own(low, verb, place)
                return
            unknown += word not in AROUND
            if unknown > 1:
                return

    def _goes_on(self, low: Sequence[str], place: int) -> bool:
        """Whether what is meant by "all" or "each" stands behind it, as in "all of his parcels"."""
        if low[place] not in BELONGING:
            return low[place] not in {"a", "an", "one", "each", "every", "that", "which"}
        return low[place] == "of" and any(self._many(one) for one in low[place + 1 : place + 4])

    def _own(self, low: Sequence[str], verb: int, place: int) -> Iterator[tuple[str, ...]]:
        """The subject of the verb, where the rows are said to be its own: "customers list their invoices", "the bookings that it made"."""
        behind = [word for word in low[place + 1 : place + 3] if word not in ("that", "which")]
        own = (
            not OWN.isdisjoint(low[verb + 1 : place])
            or behind in (["of", "theirs"], ["of", "his"], ["of", "hers"])
            or low[place + 1 : place + 4]
            in (["of", "their", "own"], ["of", "its", "own"], ["that", "are", "there"])
            or TO_THEM.match(" ".join(low[place + 1 : place + 7])) is not None
        )
        before = list(low[:verb])
        while before and (before[-1] in ADVERBS or before[-1] in (",", "and")):
            before.pop()
        said = next(
            (place for place, word in enumerate(before) if word in ("that", "who", "which") and place), None
        )
        shown_to = [[word] for word in low[verb + 1 : place] if own]
        # "consignees can log in and follow their containers"
        first = before[:1] if "and" in low[:verb] and STOPS[0] not in before else []
        subjects = (*shown_to, before[-1:], [] if said is None else before[said - 1 : said], first)
        names = next(filter(None, (self._matching(tuple(one)) for one in subjects if one)), ())
        if names and (own or not DOES.isdisjoint(behind[:1])):
            yield names

    def _whose(self, low: Sequence[str], place: int, *, relative: bool) -> Iterator[tuple[str, ...]]:
        """Whose the rows are, by the words behind them: "of a customer", "that belong to an owner", "an owner has"."""
        strict = low[place : place + 1] != ["of"]
        relative = relative or low[place : place + 1] in (["that"], ["which"])
        if relative and low[place + 1 : place + 2] and low[place + 1] not in ONE:
            place += 1  # and the verb
            while place + 1 < len(low) and low[place + 1] in BELONGING | ADVERBS | BE | {"to"}:
                place += 1
        elif low[place : place + 1] and low[place].endswith("ed") and low[place + 1 : place + 2]:
            place += low[place + 1] in BELONGING  # "planned for one nurse"
        elif low[place : place + 1] and low[place] in ONE and low[place] not in BELONGING:
            place -= 1
        elif not (low[place : place + 1] and low[place] in BELONGING | {"that", "which"}):
            return
        article = low[place + 1 : place + 2]
        if article and low[place] == "with" and article[0] in OWN:
            return  # what is shown along with each
        known = article == ["the"] and low[place + 2 : place + 3] and low[place + 2] in low[:place]
        if low[place] == "with" and self._has_value(low, place + 1):
            yield self._matching((low[place + 1],))
        elif article and (low[place] == "per" or known or article[0] in (ONE if strict else ARTICLES)):
            names = self._named(low, place + 1, doers=False)
            yield from (names,) if names else ()

    def _has_value(self, low: Sequence[str], place: int) -> bool:
        """Whether an attribute and a value of it are named: "with status open"; not "with status and date"."""
        value = low[place + 1 : place + 2]
        return (
            value != []
            and bool(self._matching((low[place],)))
            and value[0] not in NO_NAMES | NO_VALUES | NEVER
            and value[0] == singular(value[0])
            and (low[place + 2 : place + 3] == [] or low[place + 2] in (*STOPS, *ENDS))
        )

    def _named(self, low: Sequence[str], place: int, *, doers: bool) -> tuple[str, ...]:
        """The attributes that are named from a place on, one or several that are joined by "and"; none where it is somebody who does it."""
        names: list[str] = []
        sure, joined = 0, "and"  # so many names are surely one list: behind commas, an "and" has to come
        while place < len(low):
            article = False
            while place < len(low) and (low[place] in ARTICLES or low[place].endswith("'s")):
                article, place = True, place + 1
            for length in range(min(LONGEST, len(low) - place), 0, -1):
                phrase = tuple(low[place : place + length])
                found = self._matching(phrase)
                if found:
                    break
            else:
                break
            if doers and article and phrase[-1] not in GENERIC and doer(phrase[-1]):
                break
            if low[place + length : place + length + 1] and low[place + length] in CALLS:
                break
            names += [name for name in found if name not in names]
            place += length
            sure = len(names) if joined == "and" else sure
            joined = low[place] if place < len(low) else ""
            if joined == "," and names[1:] and low[place + 1 : place + 2] == ["and"]:
                joined, place = "and", place + 1
            if joined not in ("and", ","):
                break
            place += 1
        return tuple(names[:sure])

    def _matching(self, phrase: tuple[str, ...]) -> tuple[str, ...]:
        """The one attribute that a phrase names, or none: its name, its end, or its name with more in front."""
        if not NO_NAMES.isdisjoint(phrase):
            return ()
        names = named(self.known, phrase)
        # A length of time is no name, unless it is that of a time: "by region and day".
        return () if singular(phrase[-1]) in MEASURED and self.times.isdisjoint(names) else names

    def _mentioned(self, low: Sequence[str], given: Sequence[str]) -> tuple[str, ...]:
        """The fields of the key that the sentence speaks of, but those that the rows are called after."""
        spoken = [
            SAME.get(own, own)
            for at, word in enumerate(low)
            if "without" not in low[:at]
            and (own := OWNER.sub("", word))
            and not WHOLE.intersection(low[max(0, at - 1) : at])
            and not (own == word and any(map(doer, low[at + 1 : at + 2])))  # "the harbour master"
        ]
        return tuple(
            part.name
            for part in self.model.key.asked
            if part.name not in given
            and self.known[part.name][-1] not in self.things
            and self.known[part.name][-1] in spoken
        )


def _leads(low: Sequence[str], place: int) -> bool:
    """Whether what is borne or read is then used: "and from that", "calls up the part with it"."""
    rest = low[place : place + 2 * FAR]
    return any(one in ("from", "with", "by") and other in THAT for one, other in pairwise(rest))


def _more(low: Sequence[str], place: int, word: str) -> Iterator[int]:
    """Where other attributes begin that are named beside the first: "by phone, by topic or by owner", "by phone or topic"."""
    for at in range(place + 1, min(place + 2 * FAR, len(low) - 1)):
        if low[at] in ENDS or low[at] in STOPS[1:] or denying(low[at]):
            return
        again = low[at] == word and low[at - 1] in ("and", "or", ",")
        if again or (low[at] == "or" and low[at + 1] not in ARTICLES | {word}):
            yield at + 1

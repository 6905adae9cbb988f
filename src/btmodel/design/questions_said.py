"""Questions that stand in a description: by which attributes it says that rows are looked up, picked and listed.

A question is a verb of reading, with the rows of the model as what is read, and with an attribute that the reader has in hand. What is said of another thing,
of another place to look, or of a person who does it, asks nothing here.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import NamedTuple

from btmodel.codecs.cell.record import is_class
from btmodel.codecs.key import Kind
from btmodel.design.attribute_words import GENERIC, SAME, attributes, named, singular, things
from btmodel.design.hints import sentences
from btmodel.design.keys import with_named_tenants
from btmodel.design.proposal import serves, with_tenant
from btmodel.design.time_adverbs import RARE, either
from btmodel.on_demand import pattern
from btmodel.schema import ModelSchema, Query
from btmodel.source_text import names_of
from btmodel.words import words


class Question(NamedTuple):
    """A sentence that asks for the rows of the attributes ``given``, and the fields of the key that it speaks of besides."""

    sentence: str
    given: tuple[str, ...]
    mentioned: tuple[str, ...]
    model: ModelSchema

    def answered_by(self, models: Iterable[ModelSchema]) -> bool:
        """Whether the key serves it, or a range of rows in which a reader looks on; a query that is declared; or another of ``models`` that holds the same rows."""
        own, keys = self.model, [part.name for part in self.model.key.asked]
        if any(name in (*names_of(query), *query.where) for query in own.queries for name in self.given):
            return True
        given = [name for name in self.given if name in keys]
        if any(_serves(own, names) for names in ((*given, *self.mentioned), self.mentioned, given) if names):
            return True
        words_of = attributes(own)
        return any(
            _serves(other, [name]) or any(name in names_of(query) for query in other.queries)
            for other in models
            if other is not own and _same_rows(own, other, self.given)
            for name, known in attributes(other).items()
            if any(known == words_of[asked] for asked in self.given)
        )


def _serves(model: ModelSchema, names: Sequence[str]) -> bool:
    """Whether the key of the model serves a query that gives ``names``, with the tenant of the caller."""
    known = {part.name for part in model.key.asked} | {*model.key.sources}
    query = with_tenant(with_named_tenants(model), Query("asked", tuple(names)))
    return known.issuperset(names) and serves(model.key, query)


def _same_rows(model: ModelSchema, other: ModelSchema, given: Sequence[str]) -> bool:
    """Whether another model holds what finds the rows of the model, besides what is given."""
    held = {part.name for part in other.key.asked} | {column.name for column in other.columns}
    return any(part.name in held and part.name not in given for part in model.key.asked)


# What finds rows by something, and what shows those that belong to something.
_FINDS = frozenset(
    words(
        "look looks looked looking search searches searched searching find finds found finding locate locates located fetch fetches fetched fetching list lists listed listing "
        "retrieve retrieves retrieved retrieving query queries queried querying pick picks picked picking select selects selected selecting filter filters filtered filtering searchable "
        "lookup lookups track tracks tracked resolve resolves resolved identify identifies identified check checks checked browse browses"
    )
)
_SHOWS = _FINDS | frozenset(
    words(
        "get gets read reads load loads loaded show shows shown display displays displayed ask asks asked want wants wanted need needs needed see sees seen open opens opened "
        "view views viewed manage manages managed follow follows handle handles has have print prints printed come comes appear appears serve serves served access accesses accessed work works go goes request requests requested pull pulls revoke revokes revoked delete deletes deleted erase erases erased cancel cancels cancelled export exports exported count counts counted "
        "gather gathers collect collects return returns returned end ends block blocks"
    )
)
# Those that need no object, as "filters by status"; and those that say what is done to the rows, if something is.
_ALONE = frozenset(
    words(
        "search searches searching query queries querying filter filters filtering lookup lookups look looks"
    )
)
_DONE = frozenset(
    words(
        "looked searched found located fetched listed retrieved queried picked selected filtered searchable loaded shown displayed asked identified checked read viewed opened tracked resolved accessed requested come comes appear appears"
    )
)
_ALSO_NOUNS = frozenset(
    words(
        "list lists need needs request requests count counts block blocks end ends check checks view views look show shows display find pick cancel export read"
    )
)
_BE = frozenset(words("is are be been being was were get gets"))
_ADVERBS = frozenset(
    words(
        "also often usually mostly sometimes always quickly then too only just mainly still up first easily frequently either again typically regularly can must should may has have to"
    )
)
# In front of what is asked for: how many, which and in what form, and no other thing.
_AROUND = _ADVERBS | frozenset(
    words(
        "for through at back out of to an a the all every each any some many his her its their our own list lists overview page pages new newest latest last recent open active past "
        "current old older matching relevant single whole first other few most those these see read find get know show display have which what"
    )
)
_IN_HAND = frozenset(words("by via using from with on under per"))
_BELONGING = frozenset(words("of from for with in at on by per behind under within inside"))
_ONE = frozenset(
    words(
        "a an one each every any some given certain single specific particular his her its their same that this"
    )
)
_ARTICLES = _ONE | frozenset(words("the our own exact full whole"))
_PRONOUNS = frozenset(
    words("it them they one ones those all everything each any row rows record records entry entries")
)
_EVERYTHING = frozenset(words("all everything those ones"))
_MANY = _EVERYTHING | frozenset(words("rows records entries"))
_OWN = frozenset(words("his her its their"))
_WHO = frozenset(words("who that which"))
_WHOLE = frozenset(words("all every across any"))
_TO_THEM = pattern(r"(?:(?:that|which) )?(?:(?:is|are|was|were) )?\w+ed (?:to|by|for) (?:them|him|her|it)\b")
# What somebody has only as what is shown to them.
_HAS = frozenset(words("has have"))
_LISTS = frozenset(words("page pages list lists overview screen dashboard inbox tab"))
_COMES = frozenset(words("come comes appear appears"))
_THEN = frozenset(words("to and then"))
_DOES = frozenset(words("it they he she"))
# The words for what was spoken of before.
_BEFORE = frozenset(words("it this them that these which"))
_FIRST = frozenset(words("given from by with for using"))
_SAYS = frozenset(words("type types typed enter enters entered give gives"))
# What a reader does with what is in hand, in front of what is then read.
_GIVES = frozenset(
    words(
        "type types typed enter enters entered give gives get gets receive receives know knows has have hold holds scan scans present presents submit submits"
    )
)
_ENDS = frozenset(
    words("who when where while whether because if until so than but as before after though although")
)
# Who says that it is not asked, or not here; and what reads all rows, so that nobody waits for it.
_NEVER = frozenset(
    words(
        "never no not nobody nothing none cannot nor neither without hardly rarely seldom instead rather don doesn needn would"
    )
)
_IMPOSSIBLE = frozenset(words("impossible unsupported forbidden unavailable disabled"))
_OFFERED = frozenset(
    words(
        "offered supported possible needed wanted planned provided available allowed permitted intended foreseen required implemented there asked served done"
    )
)
# How somebody reaches somebody else.
_WAYS = frozenset(words("phone telephone mail email e-mail post fax letter letters sms chat"))
# What is done by what is named in front of it, and is another thing.
_CALLS = frozenset(words("call calls conversation conversations message messages"))
_ELSEWHERE = pattern(
    r"(?i:\b(?:tables?|elsewhere|separate(?:ly)?|(?:data|in the|to the|from the) warehouse|bigquery|backups?|lake|dumps?|snapshots?|exports?|elastic\w*|open ?search|solr|lucene|algolia|meilisearch|typesense|sphinx|vespa"
    r"|postgres\w*|mysql|spanner|redis|memcache\w*|mongo\w*|cassandra|dynamo\w*|firestore|datastore|alloydb|snowflake|click ?house|oracle|caches?|cached|in memory|in python"
    r"|in the (?:client|program|code)|(?:on|in) (?:paper|print)|(?:in|from) (?:the|an?) (?:\w+ )?(?:handbook|manual|guidebook|brochure|binder)"
    r"|(?:search|own|other|another|second|separate|external|full-text|text|secondary) (?:\w+ )?(?:index|indices|indexes|engine|service|system|store|database|model|view|directory|cluster|key)"
    r"|(?:in|from|by|through|via|to) (?:the|an?|their|its) (?:\w+ )?(?:index|engine|system|store|database|service|directory)|(?:index|engine|system|store|database|service|directory) of (?:its|their|his|her) own|the (?:\w+ )?(?:erp|crm|index|directory|registry))\b)|\b(?:[Ss]ee|[Ii]n|[Bb]y|[Uu]se) `?[A-Z][a-z]+[A-Z]\w+"
)
_BATCH = pattern(
    rf"(?i)\b(?:{either(RARE)}|night\w*|annual\w*|batch\w*|jobs?|migrat\w+|reports?|audits?|once an? \w+|(?:every|each) (?:night|day|week|month|quarter|year|morning|evening)"
    r"|whole table|scans?|now and then)\b"
)
# What is measured, and no value by which rows are looked up.
_MEASURED = frozenset(
    words(
        "second seconds minute hour day week month year gram cent euro dollar byte meter metre amount total sum count size length width height weight price score temperature value speed level"
    )
)
# How somebody who does something is called: it is done by them, and they are not what it is found by.
_DOER = pattern(
    r"(?:\w{2,}(?:er|or|ant|ent|ian|eer|ee|man)|journalist|dentist|pharmacist|receptionist|therapist|people|staff|clerk|crew|guest|police|patron|nurse|team|machine|device|server|terminal|camera|robot|shop|store|hotel|company|agency|bank|school|hospital|branch|gateway|app|service|system|bot|car|vehicle|truck|van|bus)s?"
)
_NO_DOERS = frozenset(
    words(
        "number order letter folder identifier vendor sensor meter color colour counter sector floor door parameter layer center centre tier paper offer tenant container document segment account "
        "amount component content event continent department plant instrument barcode chapter register folder cluster sender tower"
    )
)
_STOPS = (",", ";", ":", "(", ")")
_OWNER = pattern(r"'s$|(?<=s)'$")
# No part of a name.
_NO_NAMES = frozenset(
    (
        *_STOPS,
        *_BELONGING,
        *_IN_HAND,
        *_ARTICLES,
        *_ENDS,
        *_PRONOUNS,
        *_BE,
        "and",
        "or",
        "over",
        "as",
        "not",
        "to",
        "also",
    )
)
_ASKED_WHERE = frozenset(words("where what whether how"))
_TOKEN = pattern(r"[\w`][\w`'.@-]*\w|\w|[,;:()]")
# Words of the longest name of an attribute.
_LONGEST = 4
# Words of a sentence that somebody reads: what is longer is a table or a list.
_SENTENCE = 200
# Words between a verb and what it is about.
_FAR = 8


def questions_said(model: ModelSchema) -> Iterator[Question]:
    """What the description asks of the rows of the model, each by the attributes that are given; of times, which may be an order, nothing."""
    if not model.doc:
        return
    reader = _Reader(model)
    for sentence in sentences(model.doc):
        yield from reader.questions(sentence)


class _Reader:
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
            for token in _TOKEN.findall(sentence.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
        ]
        low = [token.lower().replace("look-up", "lookup") for token in tokens]
        if len(low) > _SENTENCE or _SHOWS.isdisjoint(low) or self._is_elsewhere(sentence):
            return
        found: list[tuple[str, ...]] = []
        for at, token in enumerate(low):
            if token in _HAS and _LISTS.isdisjoint(low[at + 1 : at + 4]):
                continue
            if token in _SHOWS and not _noun(low, at) and not self._denied(low, at):
                found += self._by(low, at)
                found += self._belonging(low, at + 1, min(at + _FAR, len(low)), at)
                found += self._passive(low, at)
        found += self._in_front(low)
        asked = (tuple(name for name in names if name not in self.times) for names in found)
        for names in dict.fromkeys(filter(None, asked)):
            yield Question(sentence, names, self._mentioned(low, names), self.model)

    def _in_front(self, low: Sequence[str]) -> Iterator[tuple[str, ...]]:
        """What is in hand in front of the verb: "given a user, the service finds the sessions", "a number, by which it is found", "types the number to see the parcel"."""
        for at, word in enumerate(low):
            verbs = (place for place in range(at + 1, len(low)) if low[place] in _SHOWS)
            verb = next((place for place in verbs if not _noun(low, place)), None)
            if verb is None or self._denied(low, verb) or self._denied(low, at):
                continue
            names: tuple[str, ...] = ()
            first = not at and word in _FIRST and "," in low[1:_FAR]
            then = word in _GIVES and not _THEN.isdisjoint(low[at:verb])
            if word in _IN_HAND and low[at + 1 : at + 2] == ["which"]:
                if low[verb] in _DONE and any(map(self._thing, low[at + 2 : verb])):
                    names = self._spoken_of(low, at)
            elif (
                (first or then)
                and (low[verb] in _FINDS or word in _SAYS)
                and any(map(self._thing, low[verb:]))
            ):
                names = self._named(low, at + 1 + (low[at + 1] == "only"), doers=False)
            yield from (names,) if names else ()

    def _is_elsewhere(self, sentence: str) -> bool:
        """Whether it is asked in another place, or by what reads all rows anyway; a row may itself be called a job or a report."""
        places = (found[0] for one in (_ELSEWHERE, _BATCH) for found in one.finditer(sentence))
        return any(singular(place) not in self.things for place in places)

    def _denied(self, low: Sequence[str], at: int) -> bool:
        begin = max((place for place in range(at) if low[place] in _STOPS), default=-1)
        return any(map(_denies, low[begin + 1 : at])) or self._is_refused(low, at, begin + 1)

    def _is_refused(self, low: Sequence[str], at: int, begin: int) -> bool:
        """Whether a verb is a noun of which the sentence says that there is none, as in "searching by kind is not offered"."""
        if not (low[at].endswith("ing") or low[at] in _ALONE) or any(
            word not in _ADVERBS | _ARTICLES for word in low[begin:at]
        ):
            return False
        for place in range(at + 1, len(low)):
            word = low[place]
            if word in _STOPS or word in _WHO or word in _ENDS:
                return False
            if word in _IMPOSSIBLE or (_denies(word) and not _OFFERED.isdisjoint(low[place + 1 : place + 4])):
                return True
        return False

    def _thing(self, word: str) -> bool:
        return word in _PRONOUNS or singular(word) in self.things

    def _many(self, word: str) -> bool:
        return word in _MANY or (word != singular(word) and singular(word) in self.things)

    def _by(self, low: Sequence[str], at: int) -> Iterator[tuple[str, ...]]:
        """By what the verb at a place finds the rows: "looks the parcel up by the phone number", "searches by name"."""
        for place in range(at + 1, min(at + _FAR, len(low))):
            word = low[place]
            if word in _ENDS or word in _NEVER or word in _STOPS[1:]:
                return
            if word not in _IN_HAND:
                continue
            objects = [one for one in low[at + 1 : place] if one not in _AROUND and one != ","]
            if names := self._by_its_number(low, at, place):
                yield names
                return
            passive = not objects and low[at] in _DONE
            if objects and (not self._thing(objects[-1]) or len(objects) > 2):
                return
            if objects and low[at] not in _FINDS and not self._many(objects[-1]):
                return
            if not objects and low[at] not in _ALONE and not self._subject(low, at):
                return
            if low[place + 1 : place + 2] and low[place + 1] in _BEFORE:
                names = self._spoken_of(low, at)
                yield from (names,) if names else ()
                return
            if word == "with" and low[place + 1 : place + 2] and low[place + 1] in _OWN:
                return  # what is shown along with it
            if low[at] not in _FINDS and _WAYS.intersection(low[place + 1 : place + 2]):
                return  # how somebody does it
            names = self._named(low, place + 1, doers=passive and word == "by")
            yield from (names,) if names else ()
            for more in _more(low, place, word):
                names = self._named(low, more, doers=passive and word == "by")
                yield from (names,) if names else ()
            return

    def _by_its_number(self, low: Sequence[str], at: int, place: int) -> tuple[str, ...]:
        """The attribute of which the number is in hand, where its rows are then spoken of: "opens a pitch by its number and wants all readings of it"."""
        of_it = place + 2 < len(low) and low[place + 1] in _OWN and singular(low[place + 2]) in GENERIC
        if not of_it or not any(map(self._many, low[place + 3 :])):
            return ()
        named = [word for word in low[at + 1 : place] if word == "of" or word not in _AROUND]
        head = named[: named.index("of")] if "of" in named else named
        return () if not head or self._thing(head[-1]) else self._matching((head[-1],))

    def _spoken_of(self, low: Sequence[str], end: int) -> tuple[str, ...]:
        """The attribute that was named last in front of a place, and is no thing that the rows are called after."""
        for place in range(end - 1, -1, -1):
            for length in range(min(_LONGEST, end - place), 0, -1):
                names = () if self._thing(low[place]) else self._matching(tuple(low[place : place + length]))
                if names and not (place and low[place - 1] in _OWN and low[place] in GENERIC):
                    return names
        return ()

    def _subject(self, low: Sequence[str], at: int) -> bool:
        """Whether the rows are what the participle at a place is said of."""
        if low[at] not in _DONE:
            return False
        begin = max((place + 1 for place in range(at) if low[place] in _STOPS), default=0)
        before = list(low[begin:at])
        while before and (before[-1] in _ADVERBS or before[-1] in _BE):
            before.pop()
        if not before:
            return True
        if before[-1] in ("which", "that") and begin > 1:
            return self._thing(low[begin - 2])
        stops = [place for place, word in enumerate(before) if word in _BELONGING | _WHO and place]
        head = before[: stops[0]] if stops else before
        return bool(head) and self._thing(head[-1])

    def _passive(self, low: Sequence[str], at: int) -> Iterator[tuple[str, ...]]:
        """Of what all rows are wanted, where they stand in front of the verb: "bookings of a hotel are listed"."""
        if at and (low[at - 1] in _BE or low[at] in _COMES):
            begin = max((place + 1 for place in range(at) if low[place] in _STOPS), default=0)
            yield from self._belonging(low, begin, at, begin)

    def _belonging(self, low: Sequence[str], begin: int, end: int, verb: int) -> Iterator[tuple[str, ...]]:
        """Of what all rows are wanted that are spoken of between two places: "the invoices of a customer", "a customer's invoices", "their invoices"."""
        unknown, asked = 0, False
        for place in range(begin, end):
            word = low[place]
            asked = asked or word in _ASKED_WHERE
            if (word in _ENDS and not asked) or word in _NEVER or word in _STOPS:
                return
            owner = _OWNER.sub("", word)
            if owner != word and any(self._many(one) for one in low[place + 1 : place + 3]):
                names = self._matching((owner,))
                yield from (names,) if names else ()
                return
            whole = asked or {"every", "each", "all"}.intersection(low[begin:place])
            if self._many(word) or (whole and singular(word) in self.things):
                if word in _EVERYTHING and (place + 1 >= len(low) or self._goes_on(low, place + 1)):
                    continue
                which = {"which", "what"}.intersection(low[begin:place]) and low[place + 1 : place + 2]
                relative = which and low[place + 1] not in _BELONGING | _ONE
                yield from self._whose(low, place if relative else place + 1, relative=bool(relative))
                yield from self._own(low, verb, place)
                return
            unknown += word not in _AROUND
            if unknown > 1:
                return

    def _goes_on(self, low: Sequence[str], place: int) -> bool:
        """Whether what is meant by "all" or "each" stands behind it, as in "all of his parcels"."""
        if low[place] not in _BELONGING:
            return low[place] not in {"a", "an", "one", "each", "every", "that", "which"}
        return low[place] == "of" and any(self._many(one) for one in low[place + 1 : place + 4])

    def _own(self, low: Sequence[str], verb: int, place: int) -> Iterator[tuple[str, ...]]:
        """The subject of the verb, where the rows are said to be its own: "customers list their invoices", "the bookings that it made"."""
        behind = [word for word in low[place + 1 : place + 3] if word not in ("that", "which")]
        own = (
            not _OWN.isdisjoint(low[verb + 1 : place])
            or behind in (["of", "theirs"], ["of", "his"], ["of", "hers"])
            or low[place + 1 : place + 4]
            in (["of", "their", "own"], ["of", "its", "own"], ["that", "are", "there"])
            or _TO_THEM.match(" ".join(low[place + 1 : place + 7])) is not None
        )
        before = list(low[:verb])
        while before and (before[-1] in _ADVERBS or before[-1] in (",", "and")):
            before.pop()
        said = next(
            (place for place, word in enumerate(before) if word in ("that", "who", "which") and place), None
        )
        shown_to = [[word] for word in low[verb + 1 : place] if own]
        subjects = (*shown_to, before[-1:], [] if said is None else before[said - 1 : said])
        names = next(filter(None, (self._matching(tuple(one)) for one in subjects if one)), ())
        if names and (own or not _DOES.isdisjoint(behind[:1])):
            yield names

    def _whose(self, low: Sequence[str], place: int, *, relative: bool) -> Iterator[tuple[str, ...]]:
        """Whose the rows are, by the words behind them: "of a customer", "that belong to an owner", "an owner has"."""
        strict = low[place : place + 1] != ["of"]
        relative = relative or low[place : place + 1] in (["that"], ["which"])
        if relative and low[place + 1 : place + 2] and low[place + 1] not in _ONE:
            place += 1  # and the verb
            while place + 1 < len(low) and low[place + 1] in _BELONGING | _ADVERBS | _BE | {"to"}:
                place += 1
        elif low[place : place + 1] and low[place] in _ONE and low[place] not in _BELONGING:
            place -= 1
        elif not (low[place : place + 1] and low[place] in _BELONGING | {"that", "which"}):
            return
        article = low[place + 1 : place + 2]
        if article and low[place] == "with" and article[0] in _OWN:
            return  # what is shown along with each
        if article and (low[place] == "per" or article[0] in (_ONE if strict else _ARTICLES)):
            names = self._named(low, place + 1, doers=False)
            yield from (names,) if names else ()

    def _named(self, low: Sequence[str], place: int, *, doers: bool) -> tuple[str, ...]:
        """The attributes that are named from a place on, one or several that are joined by "and"; none where it is somebody who does it."""
        names: list[str] = []
        while place < len(low):
            article = False
            while place < len(low) and (low[place] in _ARTICLES or low[place].endswith("'s")):
                article, place = True, place + 1
            for length in range(min(_LONGEST, len(low) - place), 0, -1):
                phrase = tuple(low[place : place + length])
                found = self._matching(phrase)
                if found:
                    break
            else:
                break
            if doers and article and phrase[-1] not in GENERIC and _doer(phrase[-1]):
                break
            if low[place + length : place + length + 1] and low[place + length] in _CALLS:
                break
            names += [name for name in found if name not in names]
            place += length
            if low[place : place + 1] != ["and"]:
                break
            place += 1
        return tuple(names)

    def _matching(self, phrase: tuple[str, ...]) -> tuple[str, ...]:
        """The one attribute that a phrase names, or none: its name, its end, or its name with more in front."""
        if not _NO_NAMES.isdisjoint(phrase):
            return ()
        names = named(self.known, phrase)
        return () if singular(phrase[-1]) in _MEASURED else names

    def _mentioned(self, low: Sequence[str], given: Sequence[str]) -> tuple[str, ...]:
        """The fields of the key that the sentence speaks of, but those that the rows are called after."""
        spoken = [
            SAME.get(own, own)
            for at, word in enumerate(low)
            if (own := _OWNER.sub("", word))
            and not _WHOLE.intersection(low[max(0, at - 1) : at])
            and not (own == word and any(map(_doer, low[at + 1 : at + 2])))  # "the harbour master"
        ]
        return tuple(
            part.name
            for part in self.model.key.asked
            if part.name not in given
            and self.known[part.name][-1] not in self.things
            and self.known[part.name][-1] in spoken
        )


def _denies(word: str) -> bool:
    return word in _NEVER or word.endswith("n't")


def _more(low: Sequence[str], place: int, word: str) -> Iterator[int]:
    """Where other attributes begin that are named beside the first: "by phone, by topic or by owner", "by phone or topic"."""
    for at in range(place + 1, min(place + 2 * _FAR, len(low) - 1)):
        if low[at] in _ENDS or low[at] in _STOPS[1:] or _denies(low[at]):
            return
        again = low[at] == word and low[at - 1] in ("and", "or", ",")
        if again or (low[at] == "or" and low[at + 1] not in _ARTICLES | {word}):
            yield at + 1


def _noun(low: Sequence[str], at: int) -> bool:
    """Whether a word that may be a verb is none, as in "the list"."""
    return at > 0 and low[at - 1] in _ARTICLES and low[at] in _ALSO_NOUNS


def _doer(word: str) -> bool:
    return _DOER.fullmatch(word) is not None and singular(word) not in _NO_DOERS

"""The words by which a description asks for rows: verbs of readers, what stands around what they ask for, and what says that nothing is asked here."""

from collections.abc import Sequence

from btmodel.design.attribute_words import singular
from btmodel.design.time_adverbs import RARE, either
from btmodel.on_demand import pattern
from btmodel.words import words

# What finds rows by something, and what shows those that belong to something.
FINDS = frozenset(
    words(
        "look looks looked looking search searches searched searching find finds found finding locate locates located fetch fetches fetched fetching list lists listed listing "
        "retrieve retrieves retrieved retrieving query queries queried querying pick picks picked picking select selects selected selecting filter filters filtered filtering searchable "
        "lookup lookups track tracks tracked resolve resolves resolved identify identifies identified check checks checked browse browses"
    )
)
SHOWS = FINDS | frozenset(
    words(
        "get gets read reads load loads loaded show shows shown display displays displayed ask asks asked want wants wanted need needs needed see sees seen open opens opened "
        "view views viewed manage manages managed follow follows handle handles has have print prints printed come comes appear appears serve serves served access accesses accessed work works go goes request requests requested pull pulls pulled revoke revokes revoked delete deletes deleted erase erases erased cancel cancels cancelled export exports exported count counts counted "
        "review reviews reviewed gather gathers collect collects return returns returned end ends block blocks"
    )
)
# Those that need no object, as "filters by status"; and those that say what is done to the rows, if something is.
ALONE = frozenset(
    words(
        "search searches searching query queries querying filter filters filtering lookup lookups look looks"
    )
)
DONE = frozenset(
    words(
        "looked searched found located fetched listed retrieved queried picked selected filtered searchable loaded shown displayed asked identified checked read viewed opened pulled deleted erased removed exported tracked resolved accessed requested come comes appear appears"
    )
)
ALSO_NOUNS = frozenset(
    words(
        "list lists need needs request requests count counts block blocks end ends check checks view views look show shows display find pick cancel export read"
    )
)
BE = frozenset(words("is are be been being was were get gets"))
ADVERBS = frozenset(
    words(
        "also often usually mostly sometimes always quickly then too only just mainly still up first easily frequently either again typically regularly can must should may has have to"
    )
)
# In front of what is asked for: how many, which and in what form, and no other thing.
AROUND = ADVERBS | frozenset(
    words(
        "for through at back out of to an a the all every each any some many his her its their our own list lists overview page pages new newest latest last recent open active past "
        "current old older matching relevant single whole first other few most those these see read find get know show display have which what"
    )
)
IN_HAND = frozenset(words("by via using from with on under per"))
BELONGING = frozenset(words("of from for with in at on by per behind under within inside"))
ONE = frozenset(
    words(
        "a an one each every any some given certain single specific particular his her its their same that this"
    )
)
ARTICLES = ONE | frozenset(words("the our own exact full whole"))
PRONOUNS = frozenset(
    words("it them they one ones those all everything each any row rows record records entry entries")
)
EVERYTHING = frozenset(words("all everything those ones"))
MANY = EVERYTHING | frozenset(words("rows records entries"))
OWN = frozenset(words("his her its their"))
WHO = frozenset(words("who that which"))
WHOLE = frozenset(words("all every across any"))
TO_THEM = pattern(r"(?:(?:that|which) )?(?:(?:is|are|was|were) )?\w+ed (?:to|by|for) (?:them|him|her|it)\b")
# What somebody has only as what is shown to them.
HAS = frozenset(words("has have"))
LISTS = frozenset(words("page pages list lists overview screen dashboard inbox tab"))
COMES = frozenset(words("come comes appear appears"))
THEN = frozenset(words("to and then"))
DOES = frozenset(words("it they he she"))
# The words for what was spoken of before.
BEFORE = frozenset(words("it this them that these which"))
FIRST = frozenset(words("given from by with for using"))
SAYS = frozenset(words("type types typed enter enters entered give gives"))
# What a reader does with what is in hand, in front of what is then read.
GIVES = frozenset(
    words(
        "type types typed enter enters entered give gives get gets receive receives know knows has have hold holds scan scans present presents submit submits"
    )
)
ENDS = frozenset(
    words("who when where while whether because if until so than but as before after though although")
)
# Who says that it is not asked, or not here; and what reads all rows, so that nobody waits for it.
NEVER = frozenset(
    words(
        "never no not nobody nothing none cannot nor neither without hardly rarely seldom instead rather don doesn needn would"
    )
)
IMPOSSIBLE = frozenset(words("impossible unsupported forbidden unavailable disabled"))
OFFERED = frozenset(
    words(
        "offered supported possible needed wanted planned provided available allowed permitted intended foreseen required implemented there asked served done"
    )
)
# How somebody reaches somebody else.
WAYS = frozenset(words("phone telephone mail email e-mail post fax letter letters sms chat"))
# What is done by what is named in front of it, and is another thing.
CALLS = frozenset(words("call calls conversation conversations message messages"))
ELSEWHERE = pattern(
    r"(?i:\b(?:tables?|elsewhere|separate(?:ly)?|(?:data|in the|to the|from the) warehouse|bigquery|backups?|lake|dumps?|snapshots?|exports?|elastic\w*|open ?search|solr|lucene|algolia|meilisearch|typesense|sphinx|vespa"
    r"|postgres\w*|mysql|spanner|redis|memcache\w*|mongo\w*|cassandra|dynamo\w*|firestore|datastore|alloydb|snowflake|click ?house|oracle|caches?|cached|in memory|in python"
    r"|in the (?:client|program|code)|(?:on|in) (?:paper|print)|(?:in|from) (?:the|an?) (?:\w+ )?(?:handbook|manual|guidebook|brochure|binder)"
    r"|(?:search|own|other|another|second|separate|external|full-text|text|secondary) (?:\w+ )?(?:index|indices|indexes|engine|service|system|store|database|model|view|directory|cluster|key)"
    r"|(?:in|from|by|through|via|to) (?:the|an?|their|its) (?:\w+ )?(?:index|engine|system|store|database|service|directory)|(?:index|engine|system|store|database|service|directory) of (?:its|their|his|her) own|the (?:\w+ )?(?:erp|crm|index|directory|registry))\b)|\b(?:[Ss]ee|[Ii]n|[Bb]y|[Uu]se) `?[A-Z][a-z]+[A-Z]\w+"
)
BATCH = pattern(
    rf"(?i)\b(?:{either(RARE)}|night\w*|annual\w*|batch\w*|jobs?|migrat\w+|reports?|audits?|once an? \w+|(?:every|each) (?:night|day|week|month|quarter|year|morning|evening)"
    r"|whole table|scans?(?! (?:the|an?|its|his|her|their)\b)|now and then)\b"
)
# What is measured, and no value by which rows are looked up.
MEASURED = frozenset(
    words(
        "second seconds minute hour day week month year gram cent euro dollar byte meter metre amount total sum count size length width height weight price score temperature value speed level"
    )
)
# How somebody who does something is called: it is done by them, and they are not what it is found by.
DOER = pattern(
    r"(?:\w{2,}(?:er|or|ant|ent|ian|eer|ee|man)|journalist|dentist|pharmacist|receptionist|therapist|people|staff|clerk|crew|guest|police|patron|nurse|team|machine|device|server|terminal|camera|robot|shop|store|hotel|company|agency|bank|school|hospital|branch|gateway|app|service|system|bot|car|vehicle|truck|van|bus)s?"
)
NO_DOERS = frozenset(
    words(
        "number order letter folder identifier vendor sensor meter color colour counter sector floor door parameter layer center centre tier paper offer tenant container document segment account "
        "amount component content event continent department plant instrument barcode chapter register folder cluster sender tower"
    )
)
STOPS = (",", ";", ":", "(", ")")
OWNER = pattern(r"'s$|(?<=s)'$")
# No part of a name.
NO_NAMES = frozenset(
    (
        *STOPS,
        *BELONGING,
        *IN_HAND,
        *ARTICLES,
        *ENDS,
        *PRONOUNS,
        *BE,
        "and",
        "or",
        "over",
        "as",
        "not",
        "to",
        "also",
    )
)
ASKED_WHERE = frozenset(words("where what whether how"))
TOKEN = pattern(r"[\w`][\w`'.@-]*\w|\w|[,;:()]")
# Words of the longest name of an attribute.
LONGEST = 4
# Words of a sentence that somebody reads: what is longer is a table or a list.
SENTENCE = 200
# Words between a verb and what it is about.
FAR = 8

# What a note calls the way to the rows, in front of what is in hand: "access path: by status".
ACCESS = frozenset(words("access lookup lookups retrieval search searches query queries read reads entry"))
ACCESS_KINDS = frozenset(words("path paths pattern patterns key keys point points case cases"))
IN_FRONT = frozenset(words("main usual typical most second other common frequent hot primary only our"))
# Who has a value in hand by doing this, and how they then come to the row: "scanning the barcode brings up the sample".
SCANS = frozenset(
    words("scan scans scanned scanning type types typed typing know knows knowing key keys keying given")
)
BEARS = frozenset(words("show shows bear bears carry carries print prints have has quote quotes read reads"))
REACHES = frozenset(
    words(
        "bring brings call calls land lands lead leads reach reaches get gets open opens pull pulls find finds see sees"
    )
)
PARTICLES = frozenset(words("up out to on at with by from it straight right exactly"))
THAT = frozenset(words("that it this which these"))
# Verbs that are said without an object of what we read: "we fetch per adjuster".
WE_READ = frozenset(words("fetch retrieve list select filter load read find"))
# What stands behind the name of an attribute, and is none of its values.
NO_VALUES = frozenset(
    words(
        "information info data detail details history value field column code change icon color colour label text"
    )
)
HOLD = frozenset(words("have own hold get see"))
# What says that the value is one that somebody has in hand.
THE_SAME = frozenset(words("that this given same"))
# Without one of these, nothing is asked.
ASKS = SHOWS | ACCESS | REACHES | frozenset(words("do does did"))


def doer(word: str) -> bool:
    """Whether a word says how somebody who does something is called."""
    return DOER.fullmatch(word) is not None and singular(word) not in NO_DOERS


def is_article(low: Sequence[str], place: int) -> bool:
    """Whether an article stands at a place."""
    return low[place : place + 1] != [] and low[place] in ARTICLES


def denying(word: str) -> bool:
    """Whether a word denies something."""
    return word in NEVER or word.endswith("n't")


def is_noun(low: Sequence[str], at: int) -> bool:
    """Whether a word that may be a verb is none, as in "the list"."""
    return at > 0 and low[at - 1] in ARTICLES and low[at] in ALSO_NOUNS


def is_list(low: Sequence[str], at: int) -> bool:
    """Whether something is said to be a list of the rows."""
    around = [*low[max(0, at - 2) : at], *low[at + 1 : at + 2]]
    return (
        low[at] in ("list", "overview")
        and len(around) == 3
        and around[0] in BE
        and around[1] in ARTICLES
        and around[2] == "of"
    )

"""Every limit of the wire, named, with its reason. Clients are told them in `welcome`."""

LINE_BYTES = 4_096  # a terminal cuts a typed line at 4,095
FRAME_BYTES = 16_384  # no request needs a tenth of it
DEPTH = 8  # nested maps and lists in a request
STRING_BYTES = 1_024
LIST_ITEMS = 64
MAP_ITEMS = 32
VALUES = 1_024  # in all maps and lists of a request together; no action has a tenth of it
TELNET_BYTES = 64  # one telnet sub-negotiation; longer ones are no terminal's
REQUEST_ID = 2**53 - 1  # what every language's numbers hold exactly
INTEGER = 2**53 - 1
CHAT_CHARACTERS = 300
NAME_CHARACTERS = (2, 16)
NONCE_CHARACTERS = 64

REQUESTS_BEFORE_HELLO = 16  # a stranger who talks on without a name is sent away
NOTHING_ASKED = 256  # times in a row within a second of each other: empty lines, or 128 keys that make no line
PROTOCOL_ERRORS = 10  # a connection: after that many it is closed
BAD_PROOFS = 3  # a connection: guesses at a token
REPLIES_KEPT = 32  # a player: answers that can be asked for again by request id
REQUESTS_A_SECOND = (
    50.0  # a name, on however many connections, beyond accepted actions, which are free; then reading waits
)
REQUESTS_AT_ONCE = 100  # the burst before that
REQUESTS_AN_ADDRESS = 20  # times as much for all connections from one address (IPv6: from one /64)
REQUESTS_A_CONNECTION = 10  # so much weighs a connection, for its address
BYTES_A_REQUEST = 256  # so many bytes read weigh as much as one request
HEARERS_A_REQUEST = 20  # so many who hear what is said weigh as much as one request
LINES_A_REQUEST = 20  # so many lines of a replay that had to be written first weigh as much as one request
SESSIONS_AN_ADDRESS = 512  # a classroom behind one router; IPv6: all of one /64
NAMES_AN_ADDRESS = 256  # taken there that never played: the oldest that is away makes room
TABLES_AN_ADDRESS = 128  # open or running, of all owners there
FINISHED_A_PLAYER = 16  # tables of one owner that can still be asked for their result
UNSTARTED_SECONDS = 120  # an open table that rests for so long may make room on a full server
TABLES_A_PLAYER = 64  # where one plays at once; seats given up do not count
SPECTATORS_A_TABLE = 256  # a hall full of guests; what one decision tells them all takes 3 ms
CUPS_A_PLAYER = 4  # of one owner, open or running
CUPS_AN_ADDRESS = 16  # open or running, of all owners there
CUPS = 100  # on a server: the oldest that is over, or that is open and whose owner is away, makes room
CUP_ROUNDS = 1_000
ENTRANTS_A_CUP = 128
MATCHES_A_CUP = 20_000
TABLES_A_CUP = 128  # at once
CHANGES_AN_ENTRANT = 64  # entering anew or being replaced, and of a cup, starts and pauses: all are kept
CHATS_A_MATCH = 300  # by each seat, and by all spectators together: what is said is kept and told again with the match
RECEIVE_BYTES = 65_536  # that the kernel keeps of what a peer sent and nobody read yet
OUTBOX_BYTES = 262_144  # unsent bytes of one session before it is cut as a slow reader
BEHIND_BYTES = 65_536  # unsent bytes of one session for `outbox_seconds`, though some are taken now and then
HERE_BYTES = 524_288  # what a name with a connection may hold of the server's memory, unsent bytes included
AWAY_BYTES = 65_536  # and one without: the answers that may be asked for again
OUTBOX_SECONDS = 10.0  # without any progress
ILLEGAL_A_DECISION = 3  # then the default action is done
ILLEGAL_A_MATCH = 20  # then the seat is taken over
ILLEGAL_A_DECISION_PERSON = 50  # for who did not say `bot`: people err, and their clock runs; a program may hide there
ILLEGAL_A_MATCH_PERSON = 150
LATE_A_MATCH = 3  # the third time the seat is taken over

#!/usr/bin/perl
# Checks a replay without the games' rules, from docs/protocol-verification.md alone: the chain of hashes, the commitment, and the deal.
# Usage: verify.pl FILE CARDS, where CARDS is what `magehall cards GAME --json` prints. Exit code 1: something is wrong.
use strict; use warnings; use JSON::PP; use Digest::SHA qw(sha256_hex hmac_sha256 hmac_sha256_hex);

my ($file, $cards_file) = @ARGV;
die "usage: verify.pl FILE CARDS\n" unless defined $cards_file;
my $json = JSON::PP->new->utf8->canonical;
sub wrong { my ($line, $text) = @_; print "$file: line $line: $text\n"; exit 1 }
sub content { my ($path) = @_; open my $in, '<:raw', $path or die "$path: $!\n"; local $/; return <$in> // '' }

# -- the chain ----------------------------------------------------------------------------------------------------------

my @raw = split /\n/, content($file), -1;
my $rest = pop @raw;
my ($hash, @lines) = ('0' x 64);
for my $number (1 .. @raw) {
    my ($body, $told) = $raw[$number - 1] =~ /\A(.*),"hash":"([0-9a-f]{64})"\}\z/s or wrong($number, 'no hash at its end');
    $hash = sha256_hex($hash . $body);
    wrong($number, 'its hash does not fit') if $hash ne $told;
    my $line = eval { $json->decode("$body}") };
    wrong($number, 'no JSON map') unless ref $line eq 'HASH';
    push @lines, $line;
}
wrong(@raw + 1, 'the file ends within a line') if !defined $rest or length $rest;
my ($begun, $over) = @lines ? @lines[0, -1] : wrong(1, 'the file is empty');
wrong(1, 'not the line match of version 1') unless ($begun->{line} // '') eq 'match' and $begun->{replay} == 1;
wrong(scalar @lines, 'not the line over') unless ($over->{line} // '') eq 'over';
for (1 .. $#lines - 1) { wrong($_ + 1, 'in the wrong place') if $lines[$_]{line} =~ /\A(match|over)\z/ }

# -- the commitment and the stream of chance ----------------------------------------------------------------------------

my ($seed, $salt) = map { pack 'H*', $_ } @$over{qw(seed salt)};
wrong(1, 'the commitment does not fit seed and salt') unless hmac_sha256_hex($seed, $salt) eq $begun->{commitment};
my $key = hmac_sha256(join("\n", 'deal', @{ $begun->{nonces} }), $seed);
my %uses;

sub stream {    # a new use of the label: returns below(bound)
    my ($label) = @_;
    my ($use, $block, @words) = ($uses{$label}++ // 0, 0);
    return sub {
        my ($bound) = @_;
        while (1) {
            @words = unpack 'N8', hmac_sha256("$label $use " . $block++, $key) unless @words;
            my $word = shift @words;
            return $word % $bound if $word < 2**32 - 2**32 % $bound;
        }
    };
}
sub draw { my ($label, $bound) = @_; return stream($label)->($bound) }
sub shuffle {
    my ($label, @list) = @_;
    my $below = stream($label);
    for my $i (reverse 1 .. $#list) { my $j = $below->($i + 1); @list[$i, $j] = @list[$j, $i] }
    return @list;
}

# -- the deal -----------------------------------------------------------------------------------------------------------

my @cards = @{ $json->decode(content($cards_file)) };
my $seats = @{ $begun->{seats} };
my @told = @{ $begun->{told} };
sub kind { my ($pattern) = @_; return grep { $_->{kind} =~ /$pattern/ } @cards }
sub pile { return map { ($_->{name}) x $_->{count} } @_ }
sub event { my ($what) = @_; my ($first) = grep { $_->{what} eq $what } map { $_->{event} } @told; return $first }
sub hand { my ($seat) = @_; my ($one) = grep { ($_->{only} // 0) == $seat and $_->{event}{what} eq 'you_drew' } @told; return $one->{event} }
sub same { my ($what, $told, @dealt) = @_; wrong(1, "$what: told @$told, dealt @dealt") if "@$told" ne "@dealt" }

sub arena {    # ikasamage and cheaty-mages
    my @spells = shuffle('spells', pile(kind('spell$')));
    my @judges = shuffle('judges', pile(kind('judge$')));
    for my $seat (1 .. $seats) {
        my @hand = @{ hand($seat)->{cards} };
        same("hand of seat $seat", [sort @hand], sort map { pop @spells } @hand);
    }
    same('first seat', [event('starts')->{seat}], 1 + draw('starter', $seats));    # all are equally rich
    my @fighters = shuffle('fighters', pile(kind('fighter$')));
    same('fighters', event('fighters_drawn')->{fighters}, map { pop @fighters } 1 .. 5);
    same('judge', [event('judge_drawn')->{judge}], pop @judges);
}

sub magecraft {
    my $started = event('started');
    my $first = 1 + draw('first player', $seats);
    same('first player', [$started->{first}], $first);
    my @boards = shuffle('characters', map { $_->{name} } kind('^character$'));
    same('characters', $started->{characters}, @boards[0 .. $seats - 1]);
    my %offered = map { $_ => 1 } (shuffle('academy', map { $_->{name} } kind('^academy$')))[0 .. 8];
    my @listed = grep { $offered{$_} } map { $_->{name} } kind('^academy$');
    same('academy', $started->{academy}, (map { $_->{name} } kind('^base$')), @listed);
    for my $place (0 .. $seats - 1) {
        my $seat = ($first - 1 + $place) % $seats + 1;
        my @bag = shuffle("bag $seat", map { ($_) x 3 } qw(fire water earth light));
        same("gems of seat $seat", hand($seat)->{gems}, map { pop @bag } 1 .. ($place == 3 ? 5 : 4));
    }
}

sub mages_110m {
    my @pile = shuffle('pile', pile(@cards));
    my $first = 1 + draw('first', $seats);
    same('first mage', [event('started')->{first}], $first);
    my $drew = event('drew');
    return if !$drew or $drew->{king} or @{ $drew->{front} } or @{ $drew->{aside} };    # that is up to the rules
    my @hand = @{ hand($first)->{cards} };
    same("hand of seat $first", [sort @hand], sort map { pop @pile } @hand);
}

my %deals = (ikasamage => \&arena, 'cheaty-mages' => \&arena, magecraft => \&magecraft, 'mages-110m' => \&mages_110m);
# options that are left out have their defaults
my ($game, %options) = ($begun->{game}, mastery => 1, darkness => 1, boards => 'dealt', %{ $begun->{options} });
my $usual = $game ne 'magecraft' || ($options{mastery} && $options{darkness} && $options{boards} eq 'dealt');
my $deal = $usual && !$begun->{cards} ? $deals{$game} : undef;
$deal->() if $deal;
print "$file: chain and commitment hold", ($deal ? ', and the cards are those of the seed' : '; the deal was not checked'), "\n";

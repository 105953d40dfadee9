#!/usr/bin/perl
# A bot in the JSON face: takes a name, waits for a seat, plays at random, comes back when the connection is lost.
# Usage: minimal.pl HOST PORT NAME MATCHES
use strict; use warnings; use IO::Socket::INET; use JSON::PP; use Digest::SHA qw(sha256 hmac_sha256);
my ($host, $port, $name, $matches) = @ARGV;
my $json = JSON::PP->new->utf8->canonical;
my ($id, $known, $session, $socket, $challenge) = (0, 0, "$$-" . time);
open my $chance, '<:raw', '/dev/urandom' or die;
sub new_secret { read $chance, my $token, 32; sha256($token) }
my $secret = new_secret();
my (%seen, %due);    # by table: the number of the last message; the number of a turn whose act is not accepted yet
sub ask { my %request = (id => ++$id, @_); print $socket $json->encode(\%request), "\n" }
sub hello {    # the first one takes the name with a key, the others prove it
    my $key = sha256($secret);
    ask(type => 'hello', name => $name, bot => JSON::PP::true, tables => 1, session => $session,
        $known ? (proof => unpack 'H*', $secret ^ hmac_sha256("$challenge $name", $key)) : (key => unpack 'H*', $key));
    $known = 1;
}

while ($matches > 0) {
    $socket = IO::Socket::INET->new(PeerAddr => $host, PeerPort => $port) or do { sleep 1; next };
    $socket->autoflush(1);
    ($challenge) = (<$socket> // '') =~ /^magehall 2 .*challenge=([0-9a-f]+)/ or do { sleep 1; next };
    hello();
    while ($matches > 0 and defined(my $line = <$socket>)) {
        last unless $line =~ /\n\z/;    # torn in the middle: not a message
        my $message = $json->decode($line);
        my ($type, $table) = @$message{qw(type table)};
        $seen{$table} = $message->{n} if $table and $message->{n} and !$message->{re};
        delete $due{$table} if $type eq 'accepted';
        if ($type eq 'welcome') {
            ask(type => 'resume', table => $_->{table}, after => ($due{$_->{table}} // 1 + ($seen{$_->{table}} // 0)) - 1)
                for grep { $_->{state} ne 'open' } @{ $message->{seats} // [] };
        } elsif ($type eq 'turn') {
            my $legal = $message->{legal};
            $due{$table} = $message->{n};
            ask(type => 'act', table => $table, turn => $message->{turn}, action => $legal->[rand @$legal]);
        } elsif ($type eq 'over') {
            print "$table: $_->{name} $_->{score}\n" for @{ $message->{results} };
            $matches--;
        } elsif ($type eq 'are_you_there') {
            ask(type => 'ping');
        } elsif ($type eq 'error' and $message->{code} eq 'unknown_name') {    # the server forgot it
            ($known, $secret) = (0, new_secret());    # no server gets a key and a proof of one secret
            hello();
        } elsif ($type eq 'error') {
            print STDERR "$message->{code}: $message->{text}\n";
        }
    }
}

# How prove reports here: each part's output together when it has ended, and at the end the counts,
# which go to the file named by TALLY for tests/run.sh: tests passed, failed, skipped, and the parts, one a line.
package Tally;
use strict;
use warnings;
use parent 'TAP::Formatter::File';

# A part that ended badly although no test of it failed (no plan, a wrong exit status) counts as one failure.
sub failures_of {
    my ($parser) = @_;
    my $failed = scalar $parser->failed;
    return $failed ? $failed : $parser->has_problems ? 1 : 0;
}

sub summary {
    my ($self, $all, $interrupted) = @_;
    my @parts = $all->descriptions;
    my $failed = $interrupted ? 1 : 0;
    $self->SUPER::summary($all, $interrupted);
    $failed += failures_of($_) for map { $all->parsers($_) } @parts;
    my $skipped = scalar $all->skipped;
    my $passed = $all->passed - $skipped;
    open my $tally, '>', $ENV{TALLY} or die "$ENV{TALLY}: $!\n";
    print {$tally} "$passed $failed $skipped\n", map {"$_\n"} @parts;
    close $tally or die "$ENV{TALLY}: $!\n";
}

1;

/// How often each kind of work is repeated.
struct Repetitions {
    /// Queries.
    let runs: Int

    /// Work of a good part of a second: import and export.
    var heavyRuns: Int { max(3, runs / 10) }
    /// Rounds of the comparison of warm queries: in each every contestant has one turn, so that a
    /// slow moment of the machine meets all of them.
    var warmRounds: Int { max(1, min(5, runs)) }
    /// Samples that each contestant gives in a round.
    var samplesPerRound: Int { max(1, runs / warmRounds) }
}

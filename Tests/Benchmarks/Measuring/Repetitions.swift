/// The number of repetitions for each kind of work.
struct Repetitions {
    /// Runs of each query.
    let runs: Int

    /// Runs of work that takes a good part of a second: import and export.
    var heavyRuns: Int { max(3, runs / 10) }
    /// Rounds of the comparison of warm queries: every contestant has one turn per round, so that a
    /// slow moment of the machine affects all.
    var warmRounds: Int { max(1, min(5, runs)) }
    /// The number of samples that each contestant gives per round.
    var samplesPerRound: Int { max(1, runs / warmRounds) }
}

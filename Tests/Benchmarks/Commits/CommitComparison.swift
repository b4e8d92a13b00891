import FirnPlatform
import FirnTesting

/// The same durable work by all committers in turns, A B C A B C: a slow moment of the disk affects
/// all.
final class CommitComparison {
    /// The committers, in this process or in processes of their own.
    private let committers: [any Committer]
    /// The same with several processes per database; `nil` for a committer without support for
    /// that.
    private let crews: [(any Committer)?]
    private let rounds: Int
    private let isWanted: (String) -> Bool

    init(
        _ committers: [any Committer], crews: [(any Committer)?], rounds: Int,
        isWanted: @escaping (String) -> Bool
    ) {
        self.committers = committers
        self.crews = crews
        self.rounds = rounds
        self.isWanted = isWanted
    }

    func run() throws -> [ComparisonRow] {
        let works = CommitWork.allCases.filter { isWanted($0.title) }
        var samples = works.map { _ in committers.map { _ in [UInt64]() } }
        for round in 0..<rounds {
            Console.note("round \(round + 1) of \(rounds)")
            for (index, work) in works.enumerated() {
                let contestants = work == .processes ? crews : committers
                for (column, contestant) in contestants.enumerated() {
                    guard let contestant else { continue }
                    // The previous contestant has left nothing of this one in the processor's caches,
                    // which would make the first of 50 commits the 99th percentile.
                    if work.isSteady { _ = try contestant.samples(work, count: 1) }
                    samples[index][column] +=
                        try contestant.samples(work, count: work.samplesPerTurn)
                }
            }
        }
        return zip(works, samples).map { work, samples in
            ComparisonRow(
                work.title, unit: work.isRate ? .rate : .time, showsSlowest: work.isEachTimed,
                samples.map(Statistics.init))
        }
    }
}

extension CommitWork {
    /// Whether the total throughput counts rather than the time of each commit.
    fileprivate var isRate: Bool { self == .threads || self == .processes || self == .bulk }

    /// Whether it is measured as one of many of its kind: a turn begins with one that does not count.
    fileprivate var isSteady: Bool { self == .create || self == .update }

    /// Whether each commit gives a sample, so that slow ones are visible.
    fileprivate var isEachTimed: Bool { self == .create || self == .update || self == .checkpoint }
}

import FirnPlatform
import FirnTesting

/// The works of all contestants on tables of several sizes.
final class ScaleComparison {
    /// The times of one work of one contestant, by size of the table.
    struct Series {
        let work: String
        let contestant: String
        /// `nil` if the program cannot do the work.
        var costs: [PeerProcess.Cost?] = []
    }

    /// After this time, a work counts as hung.
    private static let timeoutSeconds: Double = 3_600

    private let contestants: [ScaleContestant]
    private let runs: Int
    private let isWanted: (String) -> Bool
    private(set) var remarks: [String] = []
    private var series: [Series] = []

    init(_ contestants: [ScaleContestant], runs: Int, isWanted: @escaping (String) -> Bool) {
        self.contestants = contestants
        self.runs = runs
        self.isWanted = isWanted
    }

    /// Returns the series of each work, by contestant.
    func run(_ tables: [ScaleData]) throws -> [Series] {
        for table in tables { try measure(table) }
        return series
    }

    private func measure(_ table: ScaleData) throws {
        let folder = TemporaryFolder()
        let process = PeerProcess(home: folder.path, timeoutSeconds: Self.timeoutSeconds)
        var position = 0
        func record(_ work: String, _ contestant: ScaleContestant, _ cost: PeerProcess.Cost?) {
            if position == series.count {
                series.append(Series(work: work, contestant: contestant.name))
            }
            series[position].costs.append(cost)
            position += 1
        }
        for contestant in contestants {
            Console.note("\(table.rowCount) rows: import by \(contestant.name)")
            let database = contestant.database(in: folder)
            record(
                "import", contestant,
                try process.run(contestant.importing(table.csv, into: database)).cost)
        }
        for work in ScaleWork.all(rowCount: table.rowCount) where isWanted(work.name) {
            Console.note("\(table.rowCount) rows: \(work.name)")
            let costs = try costs(of: work, process, folder)
            for (contestant, cost) in zip(contestants, costs) {
                record(work.name, contestant, cost)
            }
        }
    }

    /// Runs a work by all contestants in turns, and returns the fastest run of each.
    private func costs(
        of work: ScaleWork, _ process: PeerProcess, _ folder: TemporaryFolder
    ) throws -> [PeerProcess.Cost?] {
        var best = contestants.map { _ in PeerProcess.Cost?.none }
        var answers: [(name: String, answer: Answer)] = []
        // A work that changes the file runs once.
        for round in 0..<(work.kind == .query ? runs : 1) {
            for (index, contestant) in contestants.enumerated() {
                let database = contestant.database(in: folder)
                guard let invocation = contestant.doing(work, with: database) else { continue }
                let run = try process.run(invocation)
                if round == 0, work.kind == .query {
                    answers.append((contestant.name, Answer(run.output)))
                }
                if best[index].map({ run.cost.nanoseconds < $0.nanoseconds }) ?? true {
                    best[index] = run.cost
                }
            }
        }
        for other in answers.dropFirst() {
            guard let first = answers.first, !first.answer.agrees(with: other.answer) else {
                continue
            }
            remarks.append(
                "\(work.name): \(other.name) answers \(other.answer.summary), "
                    + "not \(first.answer.summary)")
        }
        return best
    }
}

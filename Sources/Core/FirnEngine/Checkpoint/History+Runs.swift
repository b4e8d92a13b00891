import FirnValues

extension History.Chunk {
    var span: HistoryPlan.Span {
        HistoryPlan.Span(first: first, last: last, byteCount: byteCount, barriers: barriers)
    }
}

extension History {
    /// The commits that can be replayed.
    var runs: FrameRuns { FrameRuns(chunks.map(\.span)) }

    /// Returns the root from which a version is reached with the fewest commits.
    func base(for version: LSN) -> KeptRoot? { bases(for: [version]).first ?? nil }

    /// Returns, for each of the given versions, the root from which it is reached with the fewest
    /// commits.
    ///
    /// - Complexity: O(chunks + versions · log roots)
    func bases(for versions: [LSN]) -> [KeptRoot?] {
        let runs = runs
        return versions.map { version in
            guard let end = Bisection.lastIndex(in: roots, { $0.lsn <= version }) else {
                return nil
            }
            return roots[...end].last { runs.cover(after: $0.lsn, through: version) }
        }
    }
}

/// The runs of kept commits that consist only of operations.
struct FrameRuns: Hashable, Sendable {
    /// Ascending; neither overlapping nor adjacent.
    private(set) var runs: [ClosedRange<UInt64>] = []

    /// - Parameter spans: The spans, ascending and without overlap.
    init(_ spans: [HistoryPlan.Span]) {
        for span in spans {
            var start = span.first.rawValue
            for barrier in span.barriers {
                if start < barrier.rawValue { append(start...(barrier.rawValue - 1)) }
                start = barrier.rawValue &+ 1
            }
            if start <= span.last.rawValue { append(start...span.last.rawValue) }
        }
    }

    private mutating func append(_ run: ClosedRange<UInt64>) {
        if let last = runs.last, last.upperBound &+ 1 == run.lowerBound {
            runs[runs.count - 1] = last.lowerBound...run.upperBound
        } else {
            runs.append(run)
        }
    }

    /// Whether all commits after one version, up to and including another, can be replayed.
    func cover(after start: LSN, through end: LSN) -> Bool { self.end(after: start) >= end }

    /// Returns the last version that can be reached from a given one.
    func end(after start: LSN) -> LSN {
        guard start.rawValue < .max else { return start }
        let next = start.rawValue + 1
        var low = 0
        var high = runs.count
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].lowerBound <= next { low = middle + 1 } else { high = middle }
        }
        guard low > 0, runs[low - 1].contains(next) else { return start }
        return LSN(runs[low - 1].upperBound)
    }
}

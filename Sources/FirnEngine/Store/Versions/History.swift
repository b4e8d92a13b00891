import FirnValues

/// What leads to the versions before the newest: kept roots, and the commits since each of them.
///
/// Version V can be read if some root K with K.lsn <= V is kept or current, and all commits after K
/// up to V are operations that are kept.
struct History: Hashable, Sendable {
    /// All that is needed to open an older root.
    struct KeptRoot: Hashable, Sendable {
        let version: RootVersion
        let lsn: LSN
        let chain: ChainHash
        let catalog: PageReference?
        let fileByteCount: UInt64
    }

    /// Commits that follow each other without a gap, in one blob.
    struct Chunk: Hashable, Sendable {
        let first: LSN
        let last: LSN
        /// Bytes of the frames before they are packed.
        let byteCount: UInt64
        /// The commits that wrote pages, ascending.
        ///
        /// Nothing leads over them.
        let barriers: [LSN]
        let reference: PageReference

        var span: HistoryPlan.Span {
            HistoryPlan.Span(first: first, last: last, byteCount: byteCount, barriers: barriers)
        }
    }

    /// Ascending by version.
    var roots: [KeptRoot] = []
    /// Ascending, without overlap.
    var chunks: [Chunk] = []
    /// Roots that the root before kept and this one does not: if a power loss leads back to it, they
    /// must still be as they were.
    var dropped: [RootVersion] = []
    /// The freezes, which belong to the root itself.
    var freezes = FreezeIndex()

    /// More are never kept, and no reader accepts more.
    static let rootCountMaximum = 20_000

    var isEmpty: Bool {
        roots.isEmpty && chunks.isEmpty && dropped.isEmpty && freezes.isEmpty
    }

    /// Which commits can be replayed.
    var runs: FrameRuns { FrameRuns(chunks.map(\.span)) }

    /// The root from which a version is reached with the fewest commits.
    func base(for version: LSN) -> KeptRoot? { bases(for: [version]).first ?? nil }

    /// The root of each of some versions from which it is reached with the fewest commits.
    ///
    /// - Complexity: O(chunks + versions · log roots)
    func bases(for versions: [LSN]) -> [KeptRoot?] {
        let runs = runs
        return versions.map { version in
            guard let end = Directory.lastIndex(in: roots, { $0.lsn <= version }) else {
                return nil
            }
            return roots[...end].last { runs.cover(after: $0.lsn, through: version) }
        }
    }
}

extension History.KeptRoot {
    init(_ superblock: Superblock) {
        self.init(
            version: superblock.rootVersion, lsn: superblock.lsn, chain: superblock.chain,
            catalog: superblock.catalog, fileByteCount: superblock.fileByteCount)
    }

    /// The root as its own superblock had it, without what only a current root needs.
    func superblock(in current: Superblock) -> Superblock {
        var superblock = current
        superblock.rootVersion = version
        superblock.lsn = lsn
        superblock.chain = chain
        superblock.catalog = catalog
        superblock.fileByteCount = fileByteCount
        superblock.freeSpace = nil
        superblock.history = nil
        superblock.hasLog = false
        superblock.previousChecksum = 0
        return superblock
    }
}

/// The stretches of commits that are all operations, as far as they are kept.
struct FrameRuns: Hashable, Sendable {
    /// Ascending; neither overlapping nor adjacent.
    private(set) var runs: [ClosedRange<UInt64>] = []

    /// - Parameter spans: ascending, without overlap.
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

    /// Whether all commits after one version up to and with another can be replayed.
    func cover(after start: LSN, through end: LSN) -> Bool { self.end(after: start) >= end }

    /// The last version that is reached from this one.
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

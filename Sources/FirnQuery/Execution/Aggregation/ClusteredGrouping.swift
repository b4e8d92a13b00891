import FirnCodec
import FirnEngine
import FirnValues

/// A grouping of rows that are clustered by a key, which writes groups to disk as soon as no later
/// row belongs to them.
///
/// Each part of the scan keeps the groups that earlier or later parts may share with it. They are
/// merged when all parts are known, so that sums of Doubles are the same as in memory.
struct ClusteredGrouping: ScanConsumer {
    /// The memory of a statement for each group that a thread keeps before it writes complete ones.
    private static let byteCountPerGroup = 8_192
    private static let groupCountMin = 256

    /// The number of groups from which complete ones are written.
    private let groupCountMax: Int
    private var grouping: Grouping
    private let clusters: KeyClusters
    private let file: SpillFile
    /// The first row group of the part that has rows; `nil` before the first row.
    private var first: Int?
    private var latest = 0
    /// The groups that were written: one run per part of the scan.
    private var runs: [SpilledRun] = []
    private var blocks: [SpillFile.Block] = []
    private var kinds: [ValueTag] = []

    /// - Parameter grouping: a grouping of no rows that keeps the numbers of the first rows.
    init(
        _ grouping: Grouping, _ clusters: KeyClusters, statementByteCount: Int, to file: SpillFile
    ) {
        self.grouping = grouping
        self.clusters = clusters
        self.file = file
        groupCountMax = max(Self.groupCountMin, statementByteCount / Self.byteCountPerGroup)
    }

    mutating func add(_ batch: RowBatch) throws(StoreError) {
        if case .run(let run) = batch {
            if first == nil { first = run.group }
            if run.group != latest {
                latest = run.group
                try writeComplete(before: run.group)
            }
        }
        try grouping.add(batch)
    }

    /// Writes groups that have no rows in a row group and in later ones.
    ///
    /// Only the leading groups are written, so that a run is in the order of the first rows. Groups
    /// that earlier parts may share stay, and do not count.
    private mutating func writeComplete(before group: Int) throws(StoreError) {
        guard grouping.groupCount >= groupCountMax, let first else { return }
        var codes: [UInt64] = []
        SortCode.append(grouping.keyValues[clusters.key], to: &codes)
        var complete: [UInt32] = []
        var kept: [UInt32] = []
        for (owner, code) in codes.enumerated() {
            let number = UInt32(truncatingIfNeeded: owner)
            if clusters.mayPrecede(first, code) {
                kept.append(number)
            } else if clusters.mayFollow(group, code) {
                kept += number..<UInt32(truncatingIfNeeded: codes.count)
                break
            } else {
                complete.append(number)
            }
        }
        // Keeping most groups would cost more than it saves.
        guard complete.count >= kept.count else { return }
        let columns = try grouping.take(complete, keeping: kept)
        kinds = columns.map(\.kind)
        blocks += try SpilledRun(columns, to: file).blocks
    }

    mutating func finish() {
        if !blocks.isEmpty { runs.append(SpilledRun(blocks: blocks, kinds: kinds)) }
        blocks = []
    }

    func reserve(for later: [ClusteredGrouping]) {
        grouping.reserve(for: later.map(\.grouping))
    }

    mutating func merge(_ later: ClusteredGrouping) throws(StoreError) {
        runs += later.runs
        try grouping.merge(later.grouping)
    }

    /// Returns all groups, in the order of their first rows.
    func rows(willWrite: () throws(StoreError) -> Void) throws(StoreError) -> SpilledRows {
        let rest = try SpilledRun(try grouping.columns() + [grouping.firstRows], to: file)
        return try SpilledMerge(runs + [rest], in: file).rows(willWrite: willWrite)
    }
}

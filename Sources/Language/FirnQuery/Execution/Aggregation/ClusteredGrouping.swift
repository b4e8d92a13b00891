import FirnCodec
import FirnEngine
import FirnValues

/// A grouping of rows that are clustered by a key, which sets groups aside as soon as no later rows
/// can belong to them.
///
///     rows  ----->  open groups, in a small hash table
///                        |  no later row has the key
///                        v
///                   complete groups  -->  disk, if there are many
///
/// Each part of the scan keeps the groups that earlier or later parts may share with it. They are
/// merged when all parts are known, so that sums of Doubles are the same as without clusters.
struct ClusteredGrouping: ScanConsumer {
    /// The number of open groups at which complete ones are set aside, unless there is less memory.
    ///
    /// Their table fits into the cache of a core.
    private static let openCountMax = 16_384
    /// The statement memory required per open group.
    private static let byteCountPerGroup = 8_192
    /// The statement memory required per byte of the complete groups of one part.
    ///
    /// There are up to eight parts, and the groups of all of them are copied once.
    private static let memoryShare = 32

    private var grouping: LimitedGrouping
    private let clusters: KeyClusters
    private let file: SpillFile
    private let completeByteCountMax: Int
    private let openCountMax: Int
    /// The number of open groups at which complete ones are searched for next.
    private var nextCount: Int
    /// The first row group of the part that has rows; `nil` before the first row.
    private var first: Int?
    private var latest = 0
    /// The complete groups in memory, followed by the numbers of their first rows; one element per
    /// part of the scan.
    private var complete: [[ColumnVector]] = []
    private var blocks: [SpillFile.Block] = []
    private var kinds: [ValueTag] = []
    /// The complete groups on disk.
    private var runs: [SpilledRun] = []

    /// - Parameters:
    ///   - grouping: a grouping of no rows that keeps the numbers of the first rows.
    ///   - statementByteCount: the memory of the statement.
    ///   - file: where groups that are too many for it are written.
    init(
        _ grouping: LimitedGrouping, _ clusters: KeyClusters, statementByteCount: Int,
        to file: SpillFile
    ) {
        self.grouping = grouping
        self.clusters = clusters
        self.file = file
        completeByteCountMax = statementByteCount / Self.memoryShare
        openCountMax = min(Self.openCountMax, statementByteCount / Self.byteCountPerGroup)
        nextCount = openCountMax
    }

    mutating func add(_ batch: RowBatch) throws(StoreError) {
        if case .run(let run) = batch {
            if first == nil { first = run.group }
            if run.group != latest {
                latest = run.group
                if grouping.groups.count >= nextCount { try setAsideComplete(before: run.group) }
            }
        }
        try grouping.add(batch)
    }

    /// Sets aside groups that have no rows in a row group or later ones.
    ///
    /// Only the leading groups are taken, so that they are in the order of the first rows. Groups
    /// that earlier parts may share stay, and do not count.
    private mutating func setAsideComplete(before group: Int) throws(StoreError) {
        guard let first, !grouping.isDivided else { return }
        var codes: [UInt64] = []
        SortCode.append(grouping.groups.keyValues[clusters.key], to: &codes)
        var taken: [UInt32] = []
        var kept: [UInt32] = []
        for (owner, code) in codes.enumerated() {
            let number = UInt32(truncatingIfNeeded: owner)
            if clusters.mayPrecede(first, code) {
                kept.append(number)
            } else if clusters.mayFollow(group, code) {
                kept += number..<UInt32(truncatingIfNeeded: codes.count)
                break
            } else {
                taken.append(number)
            }
        }
        // Keeping most groups would cost more than it saves.
        guard taken.count >= kept.count else {
            nextCount = 2 * grouping.groups.count
            return
        }
        append(try grouping.take(taken, keeping: kept))
        nextCount = max(openCountMax, 2 * grouping.groups.count)
        let byteCount = complete[0].reduce(0) { $0 + $1.allocatedByteCount }
        if byteCount > completeByteCountMax { try writeComplete() }
    }

    private mutating func append(_ columns: [ColumnVector]) {
        guard !complete.isEmpty else {
            complete = [columns]
            return
        }
        for (index, column) in columns.enumerated() { complete[0][index].append(column) }
    }

    private mutating func writeComplete() throws(StoreError) {
        guard let columns = complete.popLast() else { return }
        kinds = columns.map(\.kind)
        blocks += try SpilledRun(columns, to: file).blocks
    }

    mutating func finish() throws(StoreError) {
        try setAsideComplete(before: latest + 1)
        try grouping.finish()
        guard !blocks.isEmpty else { return }
        try writeComplete()
        runs.append(SpilledRun(blocks: blocks, kinds: kinds))
        blocks = []
    }

    mutating func merge(_ later: ClusteredGrouping) throws(StoreError) {
        complete += later.complete
        runs += later.runs
        try grouping.merge(later.grouping)
    }

    /// Returns all groups, in the order of their first rows, after the last row.
    ///
    /// - Parameter spilling: the grouping of the rows on disk.
    consuming func content(
        _ spilling: SpilledGrouping
    ) throws(StoreError) -> GroupedRows.Content {
        var runs = runs
        var rest: [[ColumnVector]] = []
        if grouping.isDivided {
            runs += try spilling.runs(of: grouping.segments)
        } else {
            rest = [try grouping.columns() + [grouping.groups.firstRows]]
        }
        if let only = rest.first, runs.isEmpty {
            return .memory(merged(complete, only).dropLast())
        }
        for columns in complete + rest { runs.append(try SpilledRun(columns, to: file)) }
        return .pages(try spilling.merged(runs))
    }

    /// Returns groups in the order of their first rows; the last column holds the numbers of these
    /// rows.
    ///
    /// - Parameters:
    ///   - parts: parts of the groups, in their order.
    ///   - rest: further groups, in their order.
    private func merged(_ parts: [[ColumnVector]], _ rest: [ColumnVector]) -> [ColumnVector] {
        let numbers = parts.compactMap(\.last).flatMap(\.ints)
        let order = Self.mergedOrder(numbers, rest.last?.ints ?? [])
        return rest.indices.map { index in
            var column = rest[index].emptied
            for part in parts { column.append(part[index]) }
            column.append(rest[index])
            return column.picking(order)
        }
    }

    /// Returns the positions of the elements of two consecutive ascending lists, in the ascending
    /// order of all elements.
    private static func mergedOrder(_ first: [Int64], _ second: [Int64]) -> [UInt32] {
        var order: [UInt32] = []
        order.reserveCapacity(first.count + second.count)
        var next = 0
        for (position, number) in first.enumerated() {
            while next < second.count, second[next] < number {
                order.append(UInt32(truncatingIfNeeded: first.count + next))
                next += 1
            }
            order.append(UInt32(truncatingIfNeeded: position))
        }
        order += (next..<second.count).lazy.map {
            UInt32(truncatingIfNeeded: first.count + $0)
        }
        return order
    }
}

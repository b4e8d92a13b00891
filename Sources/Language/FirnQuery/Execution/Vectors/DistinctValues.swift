import FirnCodec
import FirnEngine
import FirnValues

/// The distinct values of each owner.
///
/// Once the values exceed the memory limit, further values are written to disk with their owners,
/// divided into parts by both. At the end, each part is counted in memory.
struct DistinctValues {
    /// The numbers of the values in memory.
    let values: ValueNumbers
    /// The numbers of the pairs in memory; each pair is an owner and the number of a value.
    private let pairs = PairNumbers()
    /// The limits and files; `nil` to keep all in memory.
    private let spill: AggregateSpill?
    private var spilled: SpilledPairs?

    init(kind: ValueTag, _ spill: AggregateSpill?) {
        values = ValueNumbers(kind: kind, ignoresNull: true)
        self.spill = spill
    }

    /// Whether every new value gets a number.
    var numbersAll: Bool { spilled == nil }

    /// Adds values, and counts those that are new to their owner.
    mutating func add(_ vector: ColumnVector, _ owners: [UInt32], _ counts: inout [Int]) {
        guard spilled != nil else {
            return add(values.numbers(of: vector, adding: true), owners, &counts)
        }
        let numbers = values.numbers(of: vector, adding: false)
        var found = owners
        pairs.replace(&found, byPairsWith: numbers, adding: false)
        let unknown = found.indices.filter { found[$0] == ValueNumbers.none && !vector.isNull($0) }
        spilled?.add(vector, owners, rows: unknown.map { UInt32(truncatingIfNeeded: $0) })
    }

    /// Adds values, none of which is null, by their numbers, and counts those that are new to their
    /// owner.
    mutating func add(_ numbers: [UInt32], _ owners: [UInt32], _ counts: inout [Int]) {
        precondition(numbersAll, "values without a number")
        pairs.count(numbers, owners, &counts)
    }

    /// Writes values that do not fit into memory.
    mutating func makeRoom() throws(StoreError) {
        guard let spill else { return }
        if numbersAll, values.byteCount + pairs.byteCount > spill.distinctByteCountMax {
            spilled = SpilledPairs(kind: values.kind, to: spill.makeFile())
        }
        try spilled?.makeRoom()
    }

    /// Counts the values on disk.
    ///
    /// - Parameter willRead: called before values are read; an error ends the work.
    mutating func finish(
        _ counts: inout [Int], willRead: () throws(StoreError) -> Void
    ) throws(StoreError) {
        try spilled?.count(into: &counts, willRead: willRead)
        spilled = nil
    }
}

/// Values and their owners on disk, in parts that fit into memory.
private struct SpilledPairs {
    /// The number of parts; it is larger than usual because distinct values take more memory to
    /// count than to keep.
    private static let partCount = 256
    /// The number of values that are divided together.
    private static let batchCount = 8_192

    private let file: SpillFile
    private let kinds: [ValueTag]
    private var partitions: KeyPartitions
    /// The values and the owners that have not been divided yet.
    private var waiting: [ColumnVector]

    init(kind: ValueTag, to file: SpillFile) {
        self.file = file
        kinds = [kind, .int]
        partitions = KeyPartitions(
            kinds, keyCount: kinds.count, partCount: Self.partCount, to: file)
        waiting = kinds.map { ColumnVector(kind: $0) }
    }

    mutating func add(_ vector: ColumnVector, _ owners: [UInt32], rows: [UInt32]) {
        waiting[0].append(vector, rows: rows[...])
        waiting[1].ints += rows.lazy.map { Int64(owners[Int($0)]) }
        waiting[1].count += rows.count
    }

    mutating func makeRoom() throws(StoreError) {
        if waiting[1].count >= Self.batchCount { try divide() }
    }

    private mutating func divide() throws(StoreError) {
        try partitions.add(waiting, rowCount: waiting[1].count)
        for index in waiting.indices { waiting[index].removeAll() }
    }

    /// Counts the distinct values of each owner.
    mutating func count(
        into counts: inout [Int], willRead: () throws(StoreError) -> Void
    ) throws(StoreError) {
        try divide()
        try partitions.finish()
        for chunks in partitions.chunks {
            let values = ValueNumbers(kind: kinds[0], ignoresNull: true)
            let pairs = PairNumbers()
            for chunk in chunks.joined() {
                try willRead()
                let (vectors, _) = try KeyPartitions.vectors(of: chunk, kinds, in: file)
                guard let found = vectors.first, let numbers = vectors.last?.ints,
                    numbers.allSatisfy({ counts.indices.contains(Int($0)) })
                else { throw file.damaged }
                pairs.count(
                    values.numbers(of: found, adding: true),
                    numbers.map { UInt32(truncatingIfNeeded: $0) }, &counts)
            }
        }
    }
}

extension PairNumbers {
    /// Counts the numbers that are new to their owner; the number for no value does not count.
    fileprivate func count(_ numbers: [UInt32], _ owners: [UInt32], _ counts: inout [Int]) {
        var next = UInt32(truncatingIfNeeded: count)
        var found = owners
        replace(&found, byPairsWith: numbers, adding: true)
        guard count > Int(next) else { return }
        for (row, number) in found.enumerated() where number == next {
            counts[Int(owners[row])] += 1
            next += 1
        }
    }
}

import FirnCodec
import FirnEngine
import FirnValues

/// Values of owners on disk, in no order.
struct SpilledSamples {
    /// Values in one file.
    private struct Segment {
        let file: SpillFile
        var blocks: [SpillFile.Block] = []
        /// The owner for each owner in the file; `nil` if they are the same.
        var owners: [UInt32]?
    }

    /// The number of values that are written and read together.
    static let blockCountMax = 65_536

    private var segments: [Segment] = []
    /// The number of values of each owner; not all owners have one.
    private(set) var counts: [Int] = []

    var isEmpty: Bool { segments.isEmpty }

    /// Writes values.
    ///
    /// - Parameter owners: the owner of each value.
    mutating func append(
        _ values: [Double], _ owners: [UInt32], _ spill: AggregateSpill
    ) throws(StoreError) {
        let isNew = segments.last.map { $0.owners != nil } ?? true
        try append(values, owners, to: isNew ? spill.makeFile() : nil)
    }

    /// Writes values to a different file than before; to the same one if `file` is nil.
    mutating func append(
        _ values: [Double], _ owners: [UInt32], to file: SpillFile?
    ) throws(StoreError) {
        if let file { segments.append(Segment(file: file)) }
        let last = segments.count - 1
        for start in stride(from: 0, to: values.count, by: Self.blockCountMax) {
            let range = start..<min(values.count, start + Self.blockCountMax)
            var numbers = ColumnVector(kind: .int)
            numbers.ints = owners[range].map { Int64($0) }
            var doubles = ColumnVector(kind: .double)
            doubles.doubles = Array(values[range])
            (numbers.count, doubles.count) = (range.count, range.count)
            segments[last].blocks.append(try segments[last].file.append([numbers, doubles]))
        }
        count(owners)
    }

    private mutating func count(_ owners: [UInt32]) {
        let last = owners.max().map { Int($0) } ?? -1
        counts.append(contentsOf: repeatElement(0, count: max(0, last + 1 - counts.count)))
        for owner in owners { counts[Int(owner)] += 1 }
    }

    /// Adds the values of another instance.
    ///
    /// - Parameter owners: the owner here of each owner there.
    mutating func merge(_ other: SpilledSamples, _ owners: [UInt32]) {
        for segment in other.segments {
            var segment = segment
            segment.owners = segment.owners?.map { owners[Int($0)] } ?? owners
            segments.append(segment)
        }
        for (there, count) in other.counts.enumerated() where count > 0 {
            let here = Int(owners[there])
            counts.append(contentsOf: repeatElement(0, count: max(0, here + 1 - counts.count)))
            counts[here] += count
        }
    }

    /// Visits all values with their owners, block by block.
    func visit(
        _ body: (_ values: [Double], _ owners: [UInt32]) throws(StoreError) -> Void
    ) throws(StoreError) {
        for segment in segments {
            for block in segment.blocks {
                let vectors = try segment.file.vectors(of: block, [.int, .double])
                guard let numbers = vectors.first?.ints, let values = vectors.last?.doubles,
                    numbers.count == values.count
                else { throw segment.file.damaged }
                let found = numbers.map { UInt32(truncatingIfNeeded: $0) }
                let owners = segment.owners.map { owners in found.map { owners[Int($0)] } } ?? found
                try body(values, owners)
            }
        }
    }
}

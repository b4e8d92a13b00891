import FirnValues

/// The distinct strings of a column in byte order, with the rank of each.
struct SortedEntries {
    private let interner: StringInterner
    /// The entry of each rank.
    private let order: [UInt32]
    /// The rank of each entry.
    let ranks: [UInt32]
    /// The minimum and maximum length in bytes.
    let lengths: ClosedRange<Int>

    init(_ interner: StringInterner) {
        self.interner = interner
        let order = interner.bytes.withUnsafeBufferPointer { bytes in
            func text(_ entry: UInt32) -> UnsafeBufferPointer<UInt8> {
                let start = Int(interner.offsets[Int(entry)])
                return UnsafeBufferPointer(
                    rebasing: bytes[start..<Int(interner.offsets[Int(entry) + 1])])
            }
            return (0..<UInt32(interner.count)).sorted {
                ByteStrings.order(text($0), text($1)) == .less
            }
        }
        var ranks = [UInt32](repeating: 0, count: order.count)
        for (rank, entry) in order.enumerated() { ranks[Int(entry)] = UInt32(rank) }
        self.order = order
        self.ranks = ranks
        let shortest = order.reduce(Int.max) { min($0, interner.length(Int($1))) }
        let longest = order.reduce(0) { max($0, interner.length(Int($1))) }
        lengths = min(shortest, longest)...longest
    }

    var count: Int { order.count }
    var byteCount: Int { interner.bytes.count }
    /// The length of each entry beyond the minimum length.
    var lengthCodes: [UInt64] {
        order.map { UInt64(interner.length(Int($0)) - lengths.lowerBound) }
    }

    private func range(_ rank: Int) -> Range<Int> {
        let entry = Int(order[rank])
        return Int(interner.offsets[entry])..<Int(interner.offsets[entry + 1])
    }

    func value(_ rank: Int, kind: ValueTag) -> Value {
        interner.bytes.withUnsafeBufferPointer { bytes in
            Value(columnBytes: UnsafeBufferPointer(rebasing: bytes[range(rank)]), kind: kind)
        }
    }

    /// Sets the bounds of the zone map: the first and the last entry, if values are ordered by
    /// their bytes.
    func measure(_ zone: inout ZoneMap, kind: ValueTag) {
        guard !kind.isOrderedByBytes else {
            zone.setBounds(
                minimum: value(0, kind: kind), maximum: value(count - 1, kind: kind))
            return
        }
        guard kind == .decimal128 else { return }
        for rank in 0..<count { zone.include(value(rank, kind: kind)) }
    }

    func appendBytes(to body: inout PageBody) {
        for rank in 0..<count { body.raw.append(contentsOf: interner.bytes[range(rank)]) }
        body.pad()
    }
}

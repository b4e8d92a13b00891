/// A set of sector numbers of one file, as a bitmap.
struct SectorSet: Sendable, Sequence {
    private var words: [UInt64] = []

    var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    func contains(_ sector: Int) -> Bool {
        sector / 64 < words.count && words[sector / 64] >> UInt64(sector % 64) & 1 == 1
    }

    mutating func insert(_ sectors: Range<Int>) {
        guard !sectors.isEmpty else { return }
        let count = (sectors.upperBound + 63) / 64
        while words.count < count { words.append(0) }
        for sector in sectors { words[sector / 64] |= 1 << UInt64(sector % 64) }
    }

    mutating func remove(_ sectors: Range<Int>) {
        for sector in sectors.clamped(to: 0..<words.count * 64) {
            words[sector / 64] &= ~(1 << UInt64(sector % 64))
        }
    }

    mutating func formUnion(_ other: SectorSet) {
        while words.count < other.words.count { words.append(0) }
        for (index, word) in other.words.enumerated() { words[index] |= word }
    }

    mutating func removeAll() { words = [] }

    /// The sectors in ascending order.
    func makeIterator() -> AnyIterator<Int> {
        var index = 0
        var rest = words.first ?? 0
        return AnyIterator {
            while rest == 0 {
                index += 1
                guard index < words.count else { return nil }
                rest = words[index]
            }
            let bit = rest.trailingZeroBitCount
            rest &= rest - 1
            return index * 64 + bit
        }
    }
}

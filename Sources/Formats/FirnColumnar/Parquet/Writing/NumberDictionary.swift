import FirnValues

/// The distinct numbers of a row group, by their bits.
///
/// A table of open addresses: its slots have the index of a value plus one, 0 if they are free.
struct NumberDictionary {
    /// The maximum number of values of a dictionary, so that readers can keep it in a cache.
    static let countMax = 1 << 17

    private(set) var values: [Int64] = []
    private var slots: [UInt32]
    private var shift: UInt64

    init() {
        slots = Array(repeating: 0, count: 1 << 10)
        shift = 64 - 10
    }

    mutating func removeAll() { self = NumberDictionary() }

    /// Forgets the values after the first ones; values can no longer be looked up.
    mutating func truncate(to count: Int) { values.removeLast(values.count - count) }

    /// Looks up numbers and adds those that are new.
    ///
    /// - Returns: `false` if there are too many.
    mutating func lookUp(_ numbers: [Int64], _ indices: inout [UInt32]) -> Bool {
        indices.removeAll(keepingCapacity: true)
        indices.reserveCapacity(numbers.count)
        var last: (number: Int64, index: UInt32)?
        for number in numbers {
            if let last, last.number == number {
                indices.append(last.index)
                continue
            }
            guard let index = index(of: number) else { return false }
            indices.append(index)
            last = (number, index)
        }
        return true
    }

    @inline(__always)
    private mutating func index(of number: Int64) -> UInt32? {
        let mask = slots.count - 1
        var slot = Int((UInt64(bitPattern: number) &* 0x9E37_79B9_7F4A_7C15) >> shift)
        while true {
            let index = slots[slot]
            guard index > 0 else { break }
            if values[Int(index) - 1] == number { return index - 1 }
            slot = (slot + 1) & mask
        }
        guard values.count < Self.countMax else { return nil }
        values.append(number)
        slots[slot] = UInt32(values.count)
        if values.count * 2 > slots.count { grow() }
        return UInt32(values.count - 1)
    }

    private mutating func grow() {
        shift -= 1
        slots = Array(repeating: 0, count: slots.count * 2)
        let mask = slots.count - 1
        for (index, number) in values.enumerated() {
            var slot = Int((UInt64(bitPattern: number) &* 0x9E37_79B9_7F4A_7C15) >> shift)
            while slots[slot] > 0 { slot = (slot + 1) & mask }
            slots[slot] = UInt32(index + 1)
        }
    }
}

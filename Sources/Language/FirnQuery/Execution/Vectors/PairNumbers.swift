import FirnValues

/// Numbers the pairs of two numbers in the order of their first occurrence.
///
/// While few pairs are possible, their numbers are in an array with one row for each first number.
/// After that, they are in a hash table.
final class PairNumbers {
    private static let none = IntegerNumbers.none
    /// The number of possible pairs up to which the array is used.
    private static let arrayCountMax = 1 << 18

    private(set) var count = 0
    private var numbersByPair: [UInt32] = []
    /// The width of a row of the array, a power of two.
    private var stride = 1
    private var hashed: IntegerNumbers?

    /// The memory that the pairs take.
    var byteCount: Int {
        numbersByPair.capacity * MemoryLayout<UInt32>.stride + (hashed?.byteCount ?? 0)
    }

    /// Returns the memory that the pairs take after more are added, all of which may be new.
    func byteCount(afterAdding added: Int) -> Int {
        numbersByPair.capacity * MemoryLayout<UInt32>.stride
            + (hashed?.byteCount(afterAdding: added) ?? 0)
    }

    /// Replaces each number with the number of its pair with another number.
    func replace(_ firsts: inout [UInt32], byPairsWith seconds: [UInt32], adding: Bool) {
        precondition(firsts.count == seconds.count, "each number has another one")
        if hashed == nil, fits(firsts, seconds) {
            replaceByArray(&firsts, seconds, adding)
        } else {
            replaceByHash(&firsts, seconds, hash(), adding)
        }
    }

    /// Makes room in the array; returns `false` if it would become too large.
    private func fits(_ firsts: [UInt32], _ seconds: [UInt32]) -> Bool {
        let (rows, columns) = (Self.end(of: firsts), Self.end(of: seconds))
        guard rows <= Self.arrayCountMax, columns <= Self.arrayCountMax else { return false }
        var width = stride
        while width < columns { width *= 2 }
        let rowCount = max(rows, numbersByPair.count / stride)
        guard rowCount * width <= Self.arrayCountMax else { return false }
        if width > stride {
            var wider = [UInt32](repeating: Self.none, count: numbersByPair.count / stride * width)
            for (index, number) in numbersByPair.enumerated() {
                wider[index / stride * width + index % stride] = number
            }
            (numbersByPair, stride) = (wider, width)
        }
        let missing = rowCount * width - numbersByPair.count
        if missing > 0 { numbersByPair += repeatElement(Self.none, count: missing) }
        return true
    }

    /// Returns the largest of some numbers plus one, ignoring none.
    private static func end(of numbers: [UInt32]) -> Int {
        var end: UInt32 = 0
        // Adding one turns none into 0.
        for number in numbers { end = max(end, number &+ 1) }
        return Int(end)
    }

    private func replaceByArray(
        _ firsts: inout [UInt32], _ seconds: [UInt32], _ adding: Bool
    ) {
        let shift = UInt32(truncatingIfNeeded: stride.trailingZeroBitCount)
        numbersByPair.withUnsafeMutableBufferPointer { byPair in
            seconds.withUnsafeBufferPointer { seconds in
                firsts.withUnsafeMutableBufferPointer { firsts in
                    for row in firsts.indices {
                        let (first, second) = (firsts[row], seconds[row])
                        guard first != Self.none, second != Self.none else {
                            firsts[row] = Self.none
                            continue
                        }
                        let pair = Int(first &<< shift | second)
                        if byPair[pair] == Self.none, adding {
                            byPair[pair] = UInt32(truncatingIfNeeded: count)
                            count += 1
                        }
                        firsts[row] = byPair[pair]
                    }
                }
            }
        }
    }

    private func replaceByHash(
        _ firsts: inout [UInt32], _ seconds: [UInt32], _ hashed: IntegerNumbers, _ adding: Bool
    ) {
        seconds.withUnsafeBufferPointer { seconds in
            firsts.withUnsafeMutableBufferPointer { firsts in
                for row in firsts.indices {
                    let (first, second) = (firsts[row], seconds[row])
                    guard first != Self.none, second != Self.none else {
                        firsts[row] = Self.none
                        continue
                    }
                    let pair = Int64(first) << 32 | Int64(second)
                    firsts[row] =
                        adding
                        ? hashed.number(of: pair, adding: UInt32(truncatingIfNeeded: hashed.count))
                        : hashed.number(of: pair)
                }
            }
        }
        count = hashed.count
    }

    /// Returns the hash table, with the pairs of the array.
    private func hash() -> IntegerNumbers {
        if let hashed { return hashed }
        let made = IntegerNumbers()
        made.reserve(count)
        for (index, number) in numbersByPair.enumerated() where number != Self.none {
            let pair = Int64(index / stride) << 32 | Int64(index % stride)
            _ = made.number(of: pair, adding: number)
        }
        hashed = made
        (numbersByPair, stride) = ([], 1)
        return made
    }
}

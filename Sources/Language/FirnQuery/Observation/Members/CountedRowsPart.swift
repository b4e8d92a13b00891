import FirnValues

/// A set of numbers from 0 to 65,535.
struct CountedRowsPart {
    /// The maximum size of a list.
    ///
    /// At this size, a list and a bitmap take the same space.
    private static let listCountMax = 4_096
    /// The size at which a bitmap becomes a list again.
    ///
    /// It is lower, to avoid repeated conversions.
    private static let listCountAgain = 2_048
    private static let wordCount = 1_024

    /// The numbers, ascending; empty while they are stored as a bitmap.
    private var list: [UInt16] = []
    /// The bitmap: 1,024 words, or none.
    private var words: [UInt64] = []
    private(set) var count = 0

    private var isList: Bool { words.isEmpty }

    func contains(_ number: UInt16) -> Bool {
        guard isList else { return words[Int(number >> 6)] >> UInt64(number & 63) & 1 != 0 }
        let index = index(of: number)
        return index < list.count && list[index] == number
    }

    func count(before number: UInt16) -> Int {
        guard !isList else { return index(of: number) }
        let last = Int(number >> 6)
        var count = 0
        for word in words[..<last] { count += word.nonzeroBitCount }
        return count + (words[last] & (1 << UInt64(number & 63) - 1)).nonzeroBitCount
    }

    /// Adds a number that is greater than all others.
    mutating func append(_ number: UInt16) { _ = insert(number) }

    mutating func insert(_ number: UInt16) -> Bool {
        if isList {
            let index = index(of: number)
            guard index == list.count || list[index] != number else { return false }
            list.insert(number, at: index)
            count += 1
            if count > Self.listCountMax { becomeBits() }
            return true
        }
        let bit: UInt64 = 1 << UInt64(number & 63)
        guard words[Int(number >> 6)] & bit == 0 else { return false }
        words[Int(number >> 6)] |= bit
        count += 1
        return true
    }

    mutating func remove(_ number: UInt16) -> Bool {
        if isList {
            let index = index(of: number)
            guard index < list.count, list[index] == number else { return false }
            list.remove(at: index)
            count -= 1
            return true
        }
        let bit: UInt64 = 1 << UInt64(number & 63)
        guard words[Int(number >> 6)] & bit != 0 else { return false }
        words[Int(number >> 6)] &= ~bit
        count -= 1
        if count < Self.listCountAgain { becomeList() }
        return true
    }

    /// Calls `body` with the numbers at a range of positions.
    func forEach(in range: Range<Int>, _ body: (UInt16) -> Void) {
        guard !isList else { return list[range].forEach(body) }
        var position = 0
        for (index, word) in words.enumerated() {
            guard position < range.upperBound else { return }
            let population = word.nonzeroBitCount
            if position + population > range.lowerBound {
                var rest = word
                var number = position
                while rest != 0 {
                    if range.contains(number) {
                        body(UInt16(index << 6 | rest.trailingZeroBitCount))
                    }
                    number += 1
                    rest &= rest - 1
                }
            }
            position += population
        }
    }

    private func index(of number: UInt16) -> Int {
        var low = 0
        var high = list.count
        while low < high {
            let middle = (low + high) / 2
            if list[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func becomeBits() {
        words = Array(repeating: 0, count: Self.wordCount)
        for number in list { words[Int(number >> 6)] |= 1 << UInt64(number & 63) }
        list = []
    }

    private mutating func becomeList() {
        var numbers: [UInt16] = []
        forEach(in: 0..<count) { numbers.append($0) }
        list = numbers
        words = []
    }
}

/// How many things there are in each of many parts, made to be asked how many are before a part.
///
/// A binary indexed tree: element i has the sum of as many parts, up to its own, as its lowest bit
/// says.
struct PartialSums {
    /// Of parts 1, 2, ...; there is no element 0 to speak of.
    private var sums: [Int] = [0]
    private(set) var total = 0

    init(_ counts: some Sequence<Int> = []) {
        for count in counts { append(count) }
    }

    /// How many parts there are.
    var count: Int { sums.count - 1 }

    mutating func append(_ number: Int) {
        let place = sums.count
        var sum = number
        // The parts between what the lowest bit says and this one.
        var part = place - 1
        let end = place & (place - 1)
        while part > end {
            sum += sums[part]
            part &= part - 1
        }
        sums.append(sum)
        total += number
    }

    mutating func add(_ change: Int, at part: Int) {
        total += change
        var place = part + 1
        while place < sums.count {
            sums[place] += change
            place += place & -place
        }
    }

    /// - Complexity: O(log parts)
    func sum(before part: Int) -> Int {
        var sum = 0
        var place = part
        while place > 0 {
            sum += sums[place]
            place &= place - 1
        }
        return sum
    }

    /// The part that a thing is in, and its place there.
    ///
    /// - Parameter position: less than ``total``.
    /// - Complexity: O(log parts)
    func part(of position: Int) -> (part: Int, place: Int) {
        var rest = position
        var place = 0
        var step = 1
        while step * 2 < sums.count { step *= 2 }
        while step > 0 {
            let next = place + step
            if next < sums.count, sums[next] <= rest {
                place = next
                rest -= sums[next]
            }
            step /= 2
        }
        return (place, rest)
    }
}

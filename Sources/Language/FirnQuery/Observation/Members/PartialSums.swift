import FirnValues

/// The number of elements in each of many parts, with fast prefix sums.
///
/// This is a binary indexed tree. Element i contains the sum of the parts up to i; the lowest set
/// bit of i is the number of parts in the sum.
struct PartialSums {
    /// The sums for parts 1, 2, ...; element 0 is unused.
    private var sums: [Int] = [0]
    private(set) var total = 0

    init(_ counts: some Sequence<Int> = []) {
        for count in counts { append(count) }
    }

    mutating func append(_ number: Int) {
        let node = sums.count
        var sum = number
        // Adds the parts between the range of the lowest bit and this part.
        var part = node - 1
        let end = node & (node - 1)
        while part > end {
            sum += sums[part]
            part &= part - 1
        }
        sums.append(sum)
        total += number
    }

    mutating func add(_ change: Int, at part: Int) {
        total += change
        var node = part + 1
        while node < sums.count {
            sums[node] += change
            node += node & -node
        }
    }

    /// Returns the number of elements before a part.
    ///
    /// - Complexity: O(log parts)
    func sum(before part: Int) -> Int {
        var sum = 0
        var node = part
        while node > 0 {
            sum += sums[node]
            node &= node - 1
        }
        return sum
    }

    /// Returns the part that contains an element, and the position of the element in the part.
    ///
    /// - Parameter position: a position less than ``total``.
    /// - Complexity: O(log parts)
    func part(of position: Int) -> (part: Int, offset: Int) {
        var rest = position
        var node = 0
        var step = 1
        while step * 2 < sums.count { step *= 2 }
        while step > 0 {
            let next = node + step
            if next < sums.count, sums[next] <= rest {
                node = next
                rest -= sums[next]
            }
            step /= 2
        }
        return (node, rest)
    }
}

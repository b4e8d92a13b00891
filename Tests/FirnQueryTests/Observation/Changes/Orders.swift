import FirnQuery

/// Enumerates small orders of elements.
enum Orders {
    /// All orders of all subsets.
    static func distinct(of things: [Int]) -> [[Int]] {
        var orders: [[Int]] = [[]]
        for thing in things {
            orders += orders.flatMap { order in
                (0...order.count).map { place in
                    var longer = order
                    longer.insert(thing, at: place)
                    return longer
                }
            }
        }
        return orders
    }

    /// All orders up to a length, with duplicates.
    static func words(of things: [Int], upTo count: Int) -> [[Int]] {
        var words: [[Int]] = [[]]
        var longest = words
        for _ in 0..<count {
            longest = longest.flatMap { word in things.map { word + [$0] } }
            words += longest
        }
        return words
    }

    /// The length of the longest common subsequence of two orders: all subsets are tried.
    static func longestCommon(_ left: [Int], _ right: [Int]) -> Int {
        guard let first = left.first else { return 0 }
        let rest = Array(left.dropFirst())
        let without = longestCommon(rest, right)
        guard let place = right.firstIndex(of: first) else { return without }
        return max(without, 1 + longestCommon(rest, Array(right[(place + 1)...])))
    }
}

/// Elements that know their origin and their changes: the expected result of a composition.
struct TrackedOrder {
    struct Thing {
        /// Its index at first; `nil` if it was inserted later.
        var origin: Int?
        var isModified = false
        var isMoved = false
    }

    private let count: Int
    private var things: [Thing]

    init(count: Int) {
        self.count = count
        things = (0..<count).map { Thing(origin: $0) }
    }

    /// The order after a change that is applied step by step.
    func changed(by changes: ChangeSet) -> TrackedOrder {
        var result = self
        for index in changes.modifications { result.things[index].isModified = true }
        for index in changes.deletions.reversed() { result.things.remove(at: index) }
        for index in changes.insertions {
            var thing = Thing(origin: nil)
            if let move = changes.moves.first(where: { $0.to == index }) {
                thing = things[move.from]
                thing.isMoved = true
            }
            result.things.insert(thing, at: index)
        }
        return result
    }

    /// The changes since the beginning.
    var changes: ChangeSet {
        var staying: Set<Int> = []
        var insertions: [Int] = []
        var modifications: [Int] = []
        var moves: [ChangeSet.Move] = []
        for (index, thing) in things.enumerated() {
            guard let origin = thing.origin, !thing.isMoved else {
                insertions.append(index)
                if let origin = thing.origin { moves.append(.init(from: origin, to: index)) }
                continue
            }
            staying.insert(origin)
            if thing.isModified { modifications.append(origin) }
        }
        return ChangeSet(
            deletions: (0..<count).filter { !staying.contains($0) }, insertions: insertions,
            modifications: modifications, moves: moves)
    }
}

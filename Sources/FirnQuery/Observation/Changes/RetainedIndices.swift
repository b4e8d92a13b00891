/// Where the things that stay are before and after a change.
///
/// Those that stay are in the same order on both sides: the third of them in the old order is the
/// third of them in the new one.
struct RetainedIndices {
    /// Indices of things that are only in the old order, ascending.
    let deletions: [Int]
    /// Indices of things that are only in the new order, ascending.
    let insertions: [Int]

    /// `nil` for a deletion.
    func newIndex(of old: Int) -> Int? {
        Self.number(of: old, besides: deletions).map { Self.index(of: $0, besides: insertions) }
    }

    /// `nil` for an insertion.
    func oldIndex(of new: Int) -> Int? {
        Self.number(of: new, besides: insertions).map { Self.index(of: $0, besides: deletions) }
    }

    /// The new index of a thing that is known to stay.
    func newIndex(staying old: Int) -> Int {
        guard let index = newIndex(of: old) else {
            preconditionFailure("what was deleted is not modified")
        }
        return index
    }

    /// How many that stay are before one of them; `nil` if it does not stay itself.
    private static func number(of index: Int, besides others: [Int]) -> Int? {
        let before = others.count(before: index)
        guard before == others.count || others[before] != index else { return nil }
        return index - before
    }

    /// The index of the one that stays before which so many stay.
    private static func index(of number: Int, besides others: [Int]) -> Int {
        var low = 0
        var high = others.count
        while low < high {
            let middle = (low + high) / 2
            // So many that stay are before this one of the others.
            if others[middle] - middle <= number { low = middle + 1 } else { high = middle }
        }
        return number + low
    }
}

extension [Int] {
    /// How many elements of an ascending array are less than a number.
    func count(before number: Int) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Whether a number is in an ascending array.
    func containsAscending(_ number: Int) -> Bool {
        let place = count(before: number)
        return place < count && self[place] == number
    }
}

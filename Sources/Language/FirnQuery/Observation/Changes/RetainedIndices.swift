import FirnValues

/// The indices of retained elements before and after a change.
///
/// Retained elements are in the same order on both sides: the third of them in the old order is the
/// third of them in the new one.
struct RetainedIndices {
    /// The indices of elements that are only in the old order, ascending.
    let deletions: [Int]
    /// The indices of elements that are only in the new order, ascending.
    let insertions: [Int]

    /// Returns the new index of an element, or `nil` for a deletion.
    func newIndex(of old: Int) -> Int? {
        Self.number(of: old, besides: deletions).map { Self.index(of: $0, besides: insertions) }
    }

    /// Returns the old index of an element, or `nil` for an insertion.
    func oldIndex(of new: Int) -> Int? {
        Self.number(of: new, besides: insertions).map { Self.index(of: $0, besides: deletions) }
    }

    /// Returns the new index of an element that is known to be retained.
    func newIndex(staying old: Int) -> Int {
        guard let index = newIndex(of: old) else {
            preconditionFailure("what was deleted is not modified")
        }
        return index
    }

    /// Returns the number of retained elements before an index; `nil` if its element is not
    /// retained.
    private static func number(of index: Int, besides others: [Int]) -> Int? {
        let before = others.count(before: index)
        guard before == others.count || others[before] != index else { return nil }
        return index - before
    }

    /// Returns the index of the retained element that has `number` retained elements before it.
    private static func index(of number: Int, besides others: [Int]) -> Int {
        // The difference is the number of retained elements before this other element.
        number + others.indices.partitioningIndex { others[$0] - $0 > number }
    }
}

extension [Int] {
    /// Returns the number of elements of an ascending array that are less than a number.
    func count(before number: Int) -> Int {
        partitioningIndex { $0 >= number }
    }
}

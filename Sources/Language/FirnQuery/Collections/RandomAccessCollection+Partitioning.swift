import FirnValues

extension RandomAccessCollection where Index == Int {
    /// Returns the index of the first element that satisfies a predicate, by binary search.
    ///
    /// All elements that do not satisfy the predicate precede those that do.
    ///
    /// - Complexity: O(log n)
    /// - Returns: The index, or `endIndex` if no element satisfies the predicate.
    @inline(__always)
    func partitioningIndex<Failure: Error>(
        where belongsToSecondPart: (Element) throws(Failure) -> Bool
    ) throws(Failure) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if try belongsToSecondPart(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension RandomAccessCollection where Index == Int, Element: Comparable {
    /// Returns the index of an element of an ascending collection, or `nil` if it is absent.
    ///
    /// - Complexity: O(log n)
    @inline(__always)
    func indexAscending(of element: Element) -> Int? {
        let index = partitioningIndex { $0 >= element }
        return index < endIndex && self[index] == element ? index : nil
    }

    /// Returns whether an ascending collection contains an element.
    ///
    /// - Complexity: O(log n)
    @inline(__always)
    func containsAscending(_ element: Element) -> Bool { indexAscending(of: element) != nil }
}

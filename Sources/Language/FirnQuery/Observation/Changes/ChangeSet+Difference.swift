import FirnValues

extension ChangeSet {
    /// Returns the change set that turns one order into another.
    ///
    /// For elements that occur once, the number of deletions and insertions is minimal: the longest
    /// subsequence that is in the same order on both sides stays. Duplicates are paired in order of
    /// occurrence.
    ///
    /// - Parameter isModified: returns whether an element that stays was modified.
    /// - Complexity: O(n log n), and O(n) where the orders are the same at both ends
    package static func difference<Element: Hashable>(
        from old: [Element], to new: [Element], isModified: (Element) -> Bool = { _ in false }
    ) -> ChangeSet {
        let (prefix, suffix) = commonEnds(old, new)
        let oldEnd = old.count - suffix
        let newEnd = new.count - suffix
        let origins = origins(of: new[prefix..<newEnd], in: old[prefix..<oldEnd])
        let staying = longestAscending(origins)
        var changes = Collected()
        changes.addModified(old[..<prefix], isModified)
        changes.add(old, prefix..<oldEnd, newFrom: prefix, origins, staying, isModified)
        changes.addModified(old[oldEnd...], isModified)
        return ChangeSet(
            deletions: changes.deletions, insertions: changes.insertions,
            modifications: changes.modifications, moves: changes.moves)
    }

    /// The changes that a difference has found so far.
    private struct Collected {
        var deletions: [Int] = []
        var insertions: [Int] = []
        var modifications: [Int] = []
        var moves: [Move] = []

        /// Adds the modified elements among the elements of the old order that stay.
        mutating func addModified<Element>(
            _ stays: ArraySlice<Element>, _ isModified: (Element) -> Bool
        ) {
            for index in stays.indices where isModified(stays[index]) {
                modifications.append(index)
            }
        }

        /// Adds the changes between the common ends.
        mutating func add<Element>(
            _ old: [Element], _ range: Range<Int>, newFrom newStart: Int, _ origins: [Int?],
            _ staying: [Bool], _ isModified: (Element) -> Bool
        ) {
            var isDeleted = [Bool](repeating: true, count: range.count)
            for (position, origin) in origins.enumerated() {
                guard let origin else {
                    insertions.append(newStart + position)
                    continue
                }
                if staying[position] {
                    isDeleted[origin - range.lowerBound] = false
                    if isModified(old[origin]) { modifications.append(origin) }
                } else {
                    insertions.append(newStart + position)
                    moves.append(Move(from: origin, to: newStart + position))
                }
            }
            for (position, isDeleted) in isDeleted.enumerated() where isDeleted {
                deletions.append(range.lowerBound + position)
            }
        }
    }

    /// Returns the number of equal elements at the beginning, and the number of further ones at the
    /// end.
    private static func commonEnds<Element: Equatable>(
        _ old: [Element], _ new: [Element]
    ) -> (prefix: Int, suffix: Int) {
        let most = min(old.count, new.count)
        var prefix = 0
        while prefix < most, old[prefix] == new[prefix] { prefix += 1 }
        var suffix = 0
        while suffix < most - prefix, old[old.count - 1 - suffix] == new[new.count - 1 - suffix] {
            suffix += 1
        }
        return (prefix, suffix)
    }

    /// Returns the index in the old order of each element of the new one.
    ///
    /// Each index is used once.
    private static func origins<Element: Hashable>(
        of new: ArraySlice<Element>, in old: ArraySlice<Element>
    ) -> [Int?] {
        var first: [Element: Int] = [:]
        first.reserveCapacity(old.count)
        /// The next index of the same element.
        var next: [Int: Int] = [:]
        for index in old.indices.reversed() {
            if let later = first.updateValue(index, forKey: old[index]) { next[index] = later }
        }
        return new.map { element in
            guard let origin = first[element] else { return nil }
            first[element] = next[origin]
            return origin
        }
    }

    /// Marks a longest increasing subsequence of the numbers that are not `nil`.
    static func longestAscending(_ numbers: [Int?]) -> [Bool] {
        /// The index of the smallest number that ends a subsequence of each length.
        var ends: [Int] = []
        var before = [Int](repeating: -1, count: numbers.count)
        for (position, number) in numbers.enumerated() {
            guard let number else { continue }
            let low = ends.partitioningIndex { numbers[$0] ?? 0 >= number }
            if low > 0 { before[position] = ends[low - 1] }
            if low == ends.count { ends.append(position) } else { ends[low] = position }
        }
        var isMember = [Bool](repeating: false, count: numbers.count)
        var position = ends.last ?? -1
        while position >= 0 {
            isMember[position] = true
            position = before[position]
        }
        return isMember
    }
}

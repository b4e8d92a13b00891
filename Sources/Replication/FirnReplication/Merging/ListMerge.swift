import FirnValues

/// Merges two changes to the same collection, given its previous content.
enum ListMerge {
    /// Merges lists element by element.
    ///
    /// Removals and insertions of both sides take effect, each at its position. At the same position,
    /// the elements of the server come first.
    ///
    /// Source: the three-way merge of diff3; Khanna, Kunal and Pierce, "A Formal Investigation of
    /// Diff3", 2007.
    ///
    /// - Complexity: O((elements + differences)²) in the worst case
    static func list<Element: Hashable>(
        base: [Element], server: [Element], local: [Element]
    ) -> [Element] {
        if base == server { return local }
        if base == local || server == local { return server }
        let theirs = Alignment(from: base, to: server)
        let ours = Alignment(from: base, to: local)
        var merged: [Element] = []
        for index in 0...base.count {
            let inserted = theirs.inserted[index]
            merged += inserted
            // Both sides inserted the same elements: once is meant.
            if ours.inserted[index] != inserted { merged += ours.inserted[index] }
            if index < base.count, theirs.isKept[index], ours.isKept[index] {
                merged.append(base[index])
            }
        }
        return merged
    }

    /// Merges sets.
    static func set<Element: Hashable>(
        base: [Element], server: [Element], local: [Element]
    ) -> [Element] {
        let base = Set(base)
        let mine = Set(local)
        let removed = base.subtracting(mine)
        let known = Set(server)
        return server.filter { !removed.contains($0) }
            + local.filter { !base.contains($0) && !known.contains($0) }
    }

    /// Merges maps key by key; if both sides changed a key, the local change takes effect.
    static func map<Element: Hashable>(
        base: TextMap<Element>, server: TextMap<Element>, local: TextMap<Element>
    ) -> TextMap<Element> {
        var merged = server
        for key in TextSet(base.keys).union(TextSet(local.keys)) where base[key] != local[key] {
            merged[key] = local[key]
        }
        return merged
    }

    /// The elements of a list that another list keeps, and the elements that it inserts before each
    /// of them.
    private struct Alignment<Element: Hashable> {
        var isKept: [Bool]
        /// The elements inserted before each element, and at the end.
        var inserted: [[Element]]

        init(from old: [Element], to new: [Element]) {
            isKept = Array(repeating: true, count: old.count)
            inserted = Array(repeating: [], count: old.count + 1)
            let difference = new.difference(from: old)
            for case .remove(let offset, _, _) in difference { isKept[offset] = false }
            var insertedOffsets = Set<Int>()
            for case .insert(let offset, _, _) in difference { insertedOffsets.insert(offset) }
            // Walks both lists: elements of the new list are kept ones or inserted ones.
            var index = 0
            for (offset, element) in new.enumerated() {
                while index < old.count, !isKept[index] { index += 1 }
                if insertedOffsets.contains(offset) {
                    inserted[min(index, old.count)].append(element)
                } else {
                    index += 1
                }
            }
        }
    }
}

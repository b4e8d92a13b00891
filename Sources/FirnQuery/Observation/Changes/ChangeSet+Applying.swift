extension ChangeSet {
    /// The new order, made of the old one.
    ///
    /// - Parameters:
    ///   - old: the order that this is a change of.
    ///   - element: gives what is now at an index of the new order; it is asked for insertions and
    ///     modifications, ascending.
    /// - Complexity: O(elements)
    package func applied<Element, Failure>(
        to old: [Element], _ element: (_ new: Int) throws(Failure) -> Element
    ) throws(Failure) -> [Element] {
        var new: [Element] = []
        new.reserveCapacity(old.count - deletions.count + insertions.count)
        var deletions = self.deletions[...]
        var insertions = self.insertions[...]
        var modifications = self.modifications[...]
        for (index, before) in old.enumerated() {
            if deletions.first == index {
                deletions.removeFirst()
                continue
            }
            while insertions.first == new.count {
                insertions.removeFirst()
                new.append(try element(new.count))
            }
            if modifications.first == index {
                modifications.removeFirst()
                new.append(try element(new.count))
            } else {
                new.append(before)
            }
        }
        while insertions.first == new.count {
            insertions.removeFirst()
            new.append(try element(new.count))
        }
        precondition(
            deletions.isEmpty && insertions.isEmpty && modifications.isEmpty,
            "a change of another order")
        return new
    }
}

import FirnValues

extension ChangeSet {
    /// Returns the new order, built from the old one.
    ///
    /// - Parameters:
    ///   - old: the order that the change set applies to.
    ///   - element: returns the element at an index of the new order. It is called for insertions
    ///     and modifications, in ascending order.
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

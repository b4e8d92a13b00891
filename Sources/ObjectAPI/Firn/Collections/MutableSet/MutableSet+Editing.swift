import FirnEngine
import FirnValues

/// Adding and removing elements.
///
/// Managed sets require a write transaction.
extension MutableSet {
    /// Adds an element if the set does not contain it.
    ///
    /// An unmanaged object is added to the realm of the set.
    ///
    /// - Complexity: O(log elements)
    public func insert(_ element: Element) {
        guard let core else { return insertUnmanaged(element) }
        core.edit(with: element) { .add($0.asSetElement) }
    }

    /// Adds the elements that the set does not contain.
    ///
    /// - Complexity: O(log elements) for each
    public func insert<S: Sequence>(objectsIn objects: S) where S.Element == Element {
        // Converted to an array first, because the sequence may read this set.
        let elements = Array(objects)
        guard let core else {
            for element in elements { insertUnmanaged(element) }
            return
        }
        core.edit(with: elements) { .add($1.asSetElement) }
    }

    /// Removes an element if the set contains it.
    ///
    /// An object remains in the realm.
    ///
    /// - Complexity: O(log elements)
    public func remove(_ element: Element) {
        guard let core else { return removeUnmanaged(element) }
        // An unmanaged object cannot be an element. The edit still checks whether a change is
        // allowed.
        let value = LinkLookup.value(of: element, in: core.instance)
        core.changing { transaction, _ throws(StoreError) in
            if let value { try core.apply(.discard(value), transaction) }
        }
    }

    /// Removes all elements.
    ///
    /// Objects remain in the realm.
    ///
    /// - Complexity: O(elements)
    public func removeAll() {
        guard let core else { return removeAllUnmanaged() }
        core.edit(.clear)
    }
}

/// Operations on two sets.
///
/// Either both are unmanaged, or both belong to the same realm.
extension MutableSet {
    /// Returns a Boolean value that indicates whether another set contains all elements.
    ///
    /// - Complexity: O(elements · log elements of the other)
    public func isSubset(of other: MutableSet<Element>) -> Bool {
        checkCompanion(other)
        return allSatisfy { other.contains($0) }
    }

    /// Returns a Boolean value that indicates whether the sets have an element in common.
    ///
    /// - Complexity: O(elements · log elements of the other)
    public func intersects(_ other: MutableSet<Element>) -> Bool {
        checkCompanion(other)
        return contains { other.contains($0) }
    }

    /// Removes all elements that another set does not contain.
    ///
    /// - Complexity: O((elements + those of the other) · log)
    public func formIntersection(_ other: MutableSet<Element>) {
        checkCompanion(other)
        remove(filter { !other.contains($0) })
    }

    /// Removes all elements that another set contains.
    ///
    /// - Complexity: O((elements + those of the other) · log)
    public func subtract(_ other: MutableSet<Element>) {
        checkCompanion(other)
        remove(filter { other.contains($0) })
    }

    /// Adds all elements of another set.
    ///
    /// - Complexity: O(elements of the other · log)
    public func formUnion(_ other: MutableSet<Element>) {
        checkCompanion(other)
        insert(objectsIn: other)
    }

    private func remove(_ elements: [Element]) {
        guard let core else {
            for element in elements { removeUnmanaged(element) }
            return
        }
        core.changing { transaction, links throws(StoreError) in
            for element in elements {
                try core.apply(.discard(links.encoded(element)), transaction)
            }
        }
    }

    private func checkCompanion(_ other: MutableSet<Element>) {
        guard let core else { return }
        guard let theirs = other.core else {
            misuse(
                "a managed set can only be combined with another managed set: insert the elements "
                    + "with insert(objectsIn:) instead")
        }
        guard core.instance === theirs.instance else {
            misuse("sets of different realms cannot be combined")
        }
    }
}

extension Value {
    /// The value itself.
    ///
    /// The program stops if it is a list or dictionary.
    var asSetElement: Value {
        guard !isNested else {
            misuse("a list or dictionary cannot be an element of a set: put it into a list")
        }
        return self
    }
}

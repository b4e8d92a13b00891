import FirnEngine
import FirnValues

/// Elements that come and go. Managed sets need a write transaction.
extension MutableSet {
    /// Adds an element, unless it is there.
    ///
    /// An object that is in no realm is added to that of the set.
    ///
    /// - Complexity: O(log elements)
    public func insert(_ element: Element) {
        guard let core else { return insertUnmanaged(element) }
        core.edit(with: element) { .add($0.asSetElement) }
    }

    /// Adds elements that are not there yet.
    ///
    /// - Complexity: O(log elements) for each
    public func insert<S: Sequence>(objectsIn objects: S) where S.Element == Element {
        // As an array first: the sequence may read this set.
        let elements = Array(objects)
        guard let core else {
            for element in elements { insertUnmanaged(element) }
            return
        }
        core.edit(with: elements) { .add($1.asSetElement) }
    }

    /// Takes an element out, if it is there.
    ///
    /// An object stays in the realm.
    ///
    /// - Complexity: O(log elements)
    public func remove(_ element: Element) {
        guard let core else { return removeUnmanaged(element) }
        // What was never added cannot be an element; the edit says so if this is not allowed now.
        let value = LinkLookup.value(of: element, in: core.instance)
        core.changing { transaction, _ throws(StoreError) in
            if let value { try core.apply(.discard(value), transaction) }
        }
    }

    /// Takes all elements out.
    ///
    /// Objects stay in the realm.
    ///
    /// - Complexity: O(elements)
    public func removeAll() {
        guard let core else { return removeAllUnmanaged() }
        core.edit(.clear)
    }
}

/// Two sets. If one of them is managed, both must be, by the same realm.
extension MutableSet {
    /// Whether every element is in another set, too.
    ///
    /// - Complexity: O(elements · log elements of the other)
    public func isSubset(of other: MutableSet<Element>) -> Bool {
        checkCompanion(other)
        return allSatisfy { other.contains($0) }
    }

    /// Whether an element is in another set, too.
    ///
    /// - Complexity: O(elements · log elements of the other)
    public func intersects(_ other: MutableSet<Element>) -> Bool {
        checkCompanion(other)
        return contains { other.contains($0) }
    }

    /// Takes all elements out that are not in another set.
    ///
    /// - Complexity: O((elements + those of the other) · log)
    public func formIntersection(_ other: MutableSet<Element>) {
        checkCompanion(other)
        remove(filter { !other.contains($0) })
    }

    /// Takes all elements out that are in another set.
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
    /// The value itself; stops the program for a list or dictionary.
    var asSetElement: Value {
        guard !isNested else {
            misuse("a list or dictionary cannot be an element of a set: put it into a list")
        }
        return self
    }
}

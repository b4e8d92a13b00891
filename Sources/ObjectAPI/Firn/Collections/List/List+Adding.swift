import FirnEngine
import FirnValues
public import Foundation

/// Adding elements.
///
/// Managed lists require a write transaction.
extension List {
    /// Adds an element to the end of the list.
    ///
    /// An unmanaged object is added to the realm of the list. An object of another realm is copied
    /// into it.
    ///
    /// - Complexity: O(log elements)
    public func append(_ element: Element) {
        guard let core else { return _unmanaged.append(element) }
        core.edit(with: element) { .append($0) }
    }

    /// Adds elements to the end of the list.
    ///
    /// - Complexity: O(log elements) for each
    public func append<S: Sequence>(objectsIn objects: S) where S.Element == Element {
        // Converted to an array first, because the sequence may read this list.
        let elements = Array(objects)
        guard let core else { return _unmanaged.append(contentsOf: elements) }
        core.edit(with: elements) { .append($1) }
    }

    /// Inserts an element at a position.
    ///
    /// - Parameters:
    ///   - element: The element. An unmanaged object is added to the realm of the list.
    ///   - index: A position from 0 to `count`. The program stops otherwise.
    /// - Complexity: O(log elements)
    public func insert(_ element: Element, at index: Int) {
        guard let core else {
            check(index..<index)
            return _unmanaged.insert(element, at: index)
        }
        core.edit(with: element) { .insert(index, $0) }
    }

    /// Inserts elements at a position, in their order.
    ///
    /// - Complexity: O(log elements) for each
    public func insert<C: Collection>(
        contentsOf newElements: C, at index: Int
    ) where C.Element == Element {
        replaceSubrange(index..<index, with: newElements)
    }

    /// Replaces the element at a position.
    ///
    /// - Complexity: O(log elements)
    public func replace(index: Int, object: Element) { self[index] = object }

    /// Replaces the elements of a range of positions with any number of new elements.
    ///
    /// - Complexity: O(log elements) for each removed and each added element
    public func replaceSubrange<C: Collection, R: RangeExpression>(
        _ subrange: R, with newElements: C
    ) where C.Element == Element, R.Bound == Int {
        // Otherwise the expression would be resolved to a range that ends before it begins.
        if let rest = subrange as? PartialRangeFrom<Int> {
            check(rest.lowerBound..<rest.lowerBound)
        }
        let range = subrange.relative(to: self)
        let elements = Array(newElements)
        guard let core else {
            check(range)
            return _unmanaged.replaceSubrange(range, with: elements)
        }
        check(range)
        core.changing { transaction, links throws(StoreError) in
            // New elements are inserted first, because they may depend on the old ones.
            for (offset, element) in elements.enumerated() {
                try core.apply(
                    .insert(range.upperBound + offset, links.encoded(element)), transaction)
            }
            for _ in range { try core.apply(.remove(range.lowerBound), transaction) }
        }
    }
}

/// Reordering elements.
///
/// Managed lists require a write transaction.
extension List {
    /// Moves an element to a position.
    ///
    /// - Complexity: O(log elements)
    public func move(from: Int, to: Int) {
        guard let core else {
            check(from)
            check(to)
            return _unmanaged.insert(_unmanaged.remove(at: from), at: to)
        }
        core.edit(.move(from: from, to: to))
    }

    /// Moves elements in front of a position, keeping their relative order.
    ///
    /// The parameters match those of `onMove` for a list in SwiftUI.
    ///
    /// - Parameters:
    ///   - fromOffsets: The positions of the elements before the move.
    ///   - toOffset: The position before the move, or `count` for the end.
    /// - Complexity: O(log elements) for each
    public func move(fromOffsets: IndexSet, toOffset: Int) {
        guard let last = fromOffsets.last else { return }
        check(last)
        check(toOffset..<toOffset)
        let steps = List.steps(moving: Array(fromOffsets), to: toOffset)
        guard let core else {
            for (from, to) in steps { _unmanaged.insert(_unmanaged.remove(at: from), at: to) }
            return
        }
        core.changing { transaction, _ throws(StoreError) in
            for (from, to) in steps { try core.apply(.move(from: from, to: to), transaction) }
        }
    }

    /// Returns the single moves that are equivalent to moving several elements.
    private static func steps(
        moving offsets: [Int], to target: Int
    ) -> [(from: Int, to: Int)] {
        // Elements before the target are moved from last to first, and elements after it from first
        // to last. No move then shifts an element that is still to be moved.
        let before = offsets.filter { $0 < target }
        let after = offsets.filter { $0 >= target }
        return before.reversed().enumerated().map { ($1, target - 1 - $0) }
            + after.enumerated().map { ($1, target + $0) }
    }

    /// Exchanges two elements.
    ///
    /// - Complexity: O(log elements)
    public func swapAt(_ index1: Int, _ index2: Int) {
        check(index1)
        check(index2)
        guard index1 != index2 else { return }
        guard let core else { return _unmanaged.swapAt(index1, index2) }
        let (first, second) = (Swift.min(index1, index2), Swift.max(index1, index2))
        // Moves instead of replacements, because an embedded object must not leave the list.
        core.changing { transaction, _ throws(StoreError) in
            try core.apply(.move(from: first, to: second), transaction)
            if second - 1 != first {
                try core.apply(.move(from: second - 1, to: first), transaction)
            }
        }
    }
}

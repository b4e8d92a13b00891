import FirnEngine
import FirnValues
public import Foundation

/// Putting elements in. Managed lists need a write transaction.
extension List {
    /// Adds an element behind the last one.
    ///
    /// An object that is in no realm is added to that of the list, and one of another realm is copied
    /// into it.
    ///
    /// - Complexity: O(log elements)
    public func append(_ element: Element) {
        guard let core else { return _unmanaged.append(element) }
        core.edit(with: element) { .append($0) }
    }

    /// Adds elements behind the last one.
    ///
    /// - Complexity: O(log elements) for each
    public func append<S: Sequence>(objectsIn objects: S) where S.Element == Element {
        // As an array first: the sequence may read this list.
        let elements = Array(objects)
        guard let core else { return _unmanaged.append(contentsOf: elements) }
        core.edit(with: elements) { .append($1) }
    }

    /// Puts an element in front of the one at a position, or behind the last one.
    ///
    /// - Parameters:
    ///   - element: an object that is in no realm is added to that of the list.
    ///   - index: from 0 to `count`; the program stops otherwise.
    /// - Complexity: O(log elements)
    public func insert(_ element: Element, at index: Int) {
        guard let core else {
            check(index..<index)
            return _unmanaged.insert(element, at: index)
        }
        core.edit(with: element) { .insert(index, $0) }
    }

    /// Puts elements in front of the one at a position, or behind the last one, in their order.
    ///
    /// - Complexity: O(log elements) for each
    public func insert<C: Collection>(
        contentsOf newElements: C, at index: Int
    ) where C.Element == Element {
        replaceSubrange(index..<index, with: newElements)
    }

    /// Puts another element in the place of one.
    ///
    /// - Complexity: O(log elements)
    public func replace(index: Int, object: Element) { self[index] = object }

    /// Puts other elements, of any number, in the place of some.
    ///
    /// - Complexity: O(log elements) for each that goes or comes
    public func replaceSubrange<C: Collection, R: RangeExpression>(
        _ subrange: R, with newElements: C
    ) where C.Element == Element, R.Bound == Int {
        // It would be asked for a range that ends before it begins.
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
            // The new ones first: what they need of the old ones is still there.
            for (offset, element) in elements.enumerated() {
                try core.apply(
                    .insert(range.upperBound + offset, links.encoded(element)), transaction)
            }
            for _ in range { try core.apply(.remove(range.lowerBound), transaction) }
        }
    }
}

/// Changing the order. Managed lists need a write transaction.
extension List {
    /// Moves an element, so that it has the position `to` afterwards.
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

    /// Moves elements, which keep their order among themselves, in front of the one that is at a
    /// position before the move.
    ///
    /// This is what the `onMove` of a list in SwiftUI asks for.
    ///
    /// - Parameters:
    ///   - fromOffsets: the positions of the elements before the move.
    ///   - toOffset: a position before the move, or `count` for the end.
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

    /// The single moves that make one of several elements.
    private static func steps(
        moving offsets: [Int], to target: Int
    ) -> [(from: Int, to: Int)] {
        // Those in front of the target go there from the last to the first, so that none shifts
        // another that is still to move; those behind it from the first to the last.
        let before = offsets.filter { $0 < target }
        let behind = offsets.filter { $0 >= target }
        return before.reversed().enumerated().map { ($1, target - 1 - $0) }
            + behind.enumerated().map { ($1, target + $0) }
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
        // Moves, not two replacements: an embedded object must not leave the list on the way.
        core.changing { transaction, _ throws(StoreError) in
            try core.apply(.move(from: first, to: second), transaction)
            if second - 1 != first {
                try core.apply(.move(from: second - 1, to: first), transaction)
            }
        }
    }
}

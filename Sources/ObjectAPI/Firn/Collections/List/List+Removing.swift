import FirnEngine
import FirnValues
public import Foundation

/// Removing elements.
///
/// Managed lists require a write transaction.
///
/// Removed objects remain in the realm. Removed embedded objects are deleted.
extension List {
    /// Removes the element at a position.
    ///
    /// - Complexity: O(log elements)
    public func remove(at index: Int) {
        guard let core else {
            check(index)
            _unmanaged.remove(at: index)
            return
        }
        core.edit(.remove(index))
    }

    /// Removes elements from the start of the list.
    ///
    /// - Parameter number: The number of elements, at most `count`. The program stops otherwise.
    public func removeFirst(_ number: Int = 1) {
        checkRemoval(of: number)
        removeSubrange(0..<number)
    }

    /// Removes elements from the end of the list.
    ///
    /// - Parameter number: The number of elements, at most `count`. The program stops otherwise.
    public func removeLast(_ number: Int = 1) {
        checkRemoval(of: number)
        let count = count
        removeSubrange((count - number)..<count)
    }

    private func checkRemoval(of number: Int) {
        guard number >= 0 else { misuse("a list cannot lose \(number) elements") }
        guard number <= count else {
            misuse("\(number) elements cannot be removed from a list that has only \(count)")
        }
    }

    /// Removes all elements.
    ///
    /// - Complexity: O(elements)
    public func removeAll() {
        guard let core else { return _unmanaged.removeAll() }
        core.edit(.clear)
    }

    /// Removes the elements in a range of positions.
    ///
    /// - Complexity: O(log elements) for each
    public func removeSubrange<R: RangeExpression>(_ bounds: R) where R.Bound == Int {
        replaceSubrange(bounds, with: EmptyCollection<Element>())
    }

    /// Removes the elements at several positions.
    ///
    /// - Complexity: O(log elements) for each
    public func remove(atOffsets offsets: IndexSet) {
        if let last = offsets.last { check(last) }
        guard let core else {
            for offset in offsets.reversed() { _unmanaged.remove(at: offset) }
            return
        }
        core.changing { transaction, _ throws(StoreError) in
            for offset in offsets.reversed() { try core.apply(.remove(offset), transaction) }
        }
    }
}

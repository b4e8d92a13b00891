import FirnEngine
public import Foundation

/// Taking elements out. Managed lists need a write transaction.
///
/// Objects stay in the realm; embedded objects are deleted.
extension List {
    /// Takes the element at a position out.
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

    /// Takes elements out at the front.
    ///
    /// - Parameter number: not more than `count`; the program stops otherwise.
    public func removeFirst(_ number: Int = 1) {
        checkRemoval(of: number)
        removeSubrange(0..<number)
    }

    /// Takes elements out at the end.
    ///
    /// - Parameter number: not more than `count`; the program stops otherwise.
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

    /// Takes all elements out.
    ///
    /// - Complexity: O(elements)
    public func removeAll() {
        guard let core else { return _unmanaged.removeAll() }
        core.edit(.clear)
    }

    /// Takes the elements of a range of positions out.
    ///
    /// - Complexity: O(log elements) for each
    public func removeSubrange<R: RangeExpression>(_ bounds: R) where R.Bound == Int {
        replaceSubrange(bounds, with: EmptyCollection<Element>())
    }

    /// Takes the elements at some positions out.
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

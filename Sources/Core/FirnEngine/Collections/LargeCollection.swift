import FirnCodec
import FirnPlatform
import FirnValues

/// The collection of one object whose elements are stored in a collection tree.
///
/// The elements of a list keep their order, those of a set ascend by value and those of a map by
/// key. A position is therefore a rank in the tree less the rank of the first element.
package struct LargeCollection: Sendable {
    let tree: Tree
    let row: RowID
    let container: PropertyType.Container
    /// The ranks of the elements in the tree.
    let ranks: Range<UInt64>

    /// Finds the elements of an object.
    ///
    /// - Complexity: O(log n)
    init(
        _ tree: Tree, row: RowID, container: PropertyType.Container
    ) throws(StoreError) {
        self.tree = tree
        self.row = row
        self.container = container
        ranks = try tree.ranks(withPrefix: TreeKey.element(row: row))
    }

    /// The number of elements.
    package var count: Int { ranks.count }
    var path: String { tree.pages.file.path }

    /// Returns one element.
    ///
    /// - Precondition: The index is less than the count.
    /// - Complexity: O(log n)
    func entry(at index: Int) throws(StoreError) -> CollectionEntry {
        precondition(index >= 0 && index < count)
        let entry = try tree.entry(at: ranks.lowerBound + UInt64(index))
        return try entry.key.withBytes { key throws(StoreError) in
            try entry.value.withBytes { value throws(StoreError) in try decode(key, value) }
        }
    }

    /// Visits elements in order; only the leaves that contain them are read.
    ///
    /// - Parameter visit: Returns whether to continue.
    func forEach(
        in range: Range<Int>, _ visit: (CollectionEntry) throws(StoreError) -> Bool
    ) throws(StoreError) {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        let first = ranks.lowerBound + UInt64(range.lowerBound)
        try tree.forEach(in: first..<(first + UInt64(range.count))) {
            (key, value) throws(StoreError) in try visit(try decode(key, value))
        }
    }

    /// Returns the position of a value in a set.
    ///
    /// - Complexity: O(log n) elements are read.
    func position(of value: Value) throws(StoreError) -> CollectionPosition {
        precondition(container == .set)
        return try CollectionPosition.search(count: count) { index throws(StoreError) in
            try entry(at: index).value.order(relativeTo: value)
        }
    }

    /// Returns the position of a key in a map.
    ///
    /// - Complexity: O(log n)
    func position(ofKey key: String) throws(StoreError) -> CollectionPosition {
        precondition(container == .map)
        let treeKey = TreeKey.element(row: row, mapKey: key)
        let rank = try tree.lowerBound(treeKey)
        guard ranks.contains(rank) || rank == ranks.upperBound else {
            throw .corrupt(path, "the \(tree.name) is out of order")
        }
        let index = Int(rank - ranks.lowerBound)
        guard index < count else { return CollectionPosition(index: index, isFound: false) }
        let isFound = try tree.entry(at: rank).key == treeKey
        return CollectionPosition(index: index, isFound: isFound)
    }

    private func decode(
        _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
    ) throws(StoreError) -> CollectionEntry {
        do throws(CodecError) {
            guard TreeKey.row(ofElement: key) == row else {
                throw CodecError(.corrupt, "element of another object")
            }
            return try CollectionEntry(treeKey: key, value: value, isMap: container == .map)
        } catch {
            throw .corrupt(path, "an element of the \(tree.name): \(error.reason)")
        }
    }
}

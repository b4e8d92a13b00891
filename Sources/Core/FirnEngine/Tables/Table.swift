import FirnCodec
package import FirnValues
import HashTreeCollections

/// The objects of one class in one snapshot.
package struct Table: Sendable {
    let record: ClassRecord
    let overlay: ClassOverlay?
    let directory: Directory

    package var schema: ClassSchema { record.schema }

    /// The number of objects.
    ///
    /// - Complexity: O(1)
    package var liveRowCount: Int {
        // The catalog of a crafted file may contain any number: no sum may overflow or be negative.
        let (sum, overflow) = Int(clamping: record.liveRowCount)
            .addingReportingOverflow(Int(clamping: overlay?.liveRowDelta ?? 0))
        return overflow ? .max : max(0, sum)
    }

    /// Returns all row groups in the order of their row ids, with the changes of the overlay.
    ///
    /// Only pages of the directory are read.
    ///
    /// - Complexity: O(row groups)
    package func rowGroups() throws(StoreError) -> [RowGroupView] {
        try directory.groups().map { view(.stored($0)) } + appendedViews
    }

    /// Returns the identities of all objects, ascending.
    ///
    /// - Complexity: O(objects)
    package func liveRowIDs() throws(StoreError) -> [RowID] {
        var rows: [RowID] = []
        for group in try rowGroups() { rows += try group.liveRowIDs() }
        return rows
    }

    var appendedViews: [RowGroupView] {
        (overlay?.appended ?? []).map { rows in
            switch rows {
            case .memory(let group): view(.memory(group))
            case .stored(let group): view(.stored(group))
            }
        }
    }

    func view(_ source: RowGroupView.Source) -> RowGroupView {
        let first =
            switch source {
            case .stored(let group): group.firstRowID
            case .memory(let group): group.firstRowID
            }
        return RowGroupView(
            source: source, patch: overlay?.patches[first], record: record, pages: directory.pages)
    }

    /// Returns the row group of an object and its index there, or `nil` if there is no such object.
    ///
    /// - Complexity: O(log objects)
    package func locate(_ row: RowID) throws(StoreError) -> (group: RowGroupView, index: Int)? {
        let found: RowGroupView?
        let appended = overlay?.appended ?? []
        if let index = Bisection.lastIndex(in: appended, { $0.firstRowID <= row }) {
            found = view(appended[index].source)
        } else {
            found = try directory.group(for: row).map { view(.stored($0)) }
        }
        guard let found, let index = try found.index(of: row) else { return nil }
        return try found.isLive(index) ? (found, index) : nil
    }

    /// Returns the row groups of several objects, each with the indices of those that exist.
    ///
    /// - Parameter rows: The objects, ascending, each once.
    /// - Complexity: O(row groups found * log row groups + objects)
    package func locate(
        _ rows: [RowID]
    ) throws(StoreError) -> [(group: RowGroupView, indices: [UInt32])] {
        var found: [(group: RowGroupView, indices: [UInt32])] = []
        var rest = rows[...]
        while let first = rest.first {
            guard let (group, _) = try locate(first) else {
                rest.removeFirst()
                continue
            }
            var indices = try group.leadingIndices(of: rest)
            rest = rest.dropFirst(indices.count)
            if let live = try group.liveRows() { indices.removeAll { !live[Int($0)] } }
            found.append((group, indices))
        }
        return found
    }

    /// Returns a tree of the class.
    func tree(_ slot: TreeSlot) -> Tree { record.tree(slot, in: directory.pages) }

    /// Returns all values of an object in the order of the schema, or `nil` if there is no such
    /// object.
    ///
    /// - Complexity: O(log objects + elements)
    package func values(of row: RowID) throws(StoreError) -> [Value]? {
        guard let (group, index) = try locate(row) else { return nil }
        return try group.values(at: index)
    }
}

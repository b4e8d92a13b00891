import FirnCodec
package import FirnValues

/// A cursor that reads single properties of single objects of a class, in one snapshot.
///
/// It caches recent results: row groups, and the columns of the requested properties. Another access
/// to a row of the same group costs a few nanoseconds for numbers, and some ten to a row of another
/// group that is in the cache, such as the target of a link.
///
///     guard try cursor.move(to: row) else { ... }     there is no such object
///     let age = try cursor.int(2)                     property 2 of the schema, of that row
///
/// A cursor belongs to one thread at a time. Properties are identified by their indices in the
/// schema, or in the list that the caller passed. Reading a property as another type than its own
/// returns `nil`.
package final class ObjectCursor {
    /// The maximum number of row groups to cache.
    private static let groupCountMaximum = 1024
    /// The size of the columns to cache, in bytes.
    ///
    /// They are not part of the budget of the page cache.
    private static let byteCountMaximum = 16 << 20

    private let table: Table
    private let properties: [PropertySchema]
    // Exclusivity is not checked at run time: no code calls back while these change, and the checks
    // cost more than an access.
    @exclusivity(unchecked) private var group: CursorGroup?
    /// The groups in the cache, including the current one, by their first rows.
    @exclusivity(unchecked) private var groups: [CursorGroup] = []
    @exclusivity(unchecked) private var firstRowIDs: [RowID] = []
    /// The size of the columns of the cached groups that are not current.
    @exclusivity(unchecked) private var byteCount = 0
    /// One element per property, borrowed from the current group.
    @exclusivity(unchecked) private var plain: [CursorGroup.Plain] = []
    /// The index of the current row in the group.
    @exclusivity(unchecked) private var index = 0
    @exclusivity(unchecked) private var row: RowID?

    /// - Parameter properties: The properties whose indices the caller uses; `nil` means those of
    ///   the schema.
    /// - Returns: `nil` if the snapshot has no such class.
    package init?(
        _ snapshot: Snapshot, _ classID: ClassID, _ properties: [PropertySchema]? = nil
    ) {
        guard let table = snapshot.table(classID) else { return nil }
        self.table = table
        self.properties = properties ?? table.schema.properties
    }

    package var schema: ClassSchema { table.schema }

    // MARK: Objects

    /// Makes an object the current one.
    ///
    /// - Returns: Whether the object exists; if not, there is no current object.
    /// - Complexity: O(1) within a row group without gaps, else O(log objects)
    package func move(to row: RowID) throws(StoreError) -> Bool {
        if row == self.row { return true }
        guard let group, let index = group.denseIndex(of: row) else { return try find(row) }
        return settle(on: row, group, index)
    }

    private func settle(on row: RowID, _ group: CursorGroup, _ index: Int) -> Bool {
        guard group.isLive(index) else {
            self.row = nil
            return false
        }
        self.index = index
        self.row = row
        return true
    }

    private func find(_ row: RowID) throws(StoreError) -> Bool {
        self.row = nil
        if let slot = Bisection.lastIndex(in: firstRowIDs, { $0 <= row }),
            let index = groups[slot].denseIndex(of: row)
        {
            // The change may empty the cache.
            let found = groups[slot]
            change(to: found)
            return settle(on: row, found, index)
        }
        guard let (view, index) = try table.locate(row) else { return false }
        if group?.firstRowID != view.firstRowID { change(to: try known(view)) }
        self.index = index
        self.row = row
        return true
    }

    /// Returns the group of a view from the cache, or adds it.
    private func known(_ view: RowGroupView) throws(StoreError) -> CursorGroup {
        let slot = Bisection.lastIndex(in: firstRowIDs) { $0 <= view.firstRowID }
        if let slot, firstRowIDs[slot] == view.firstRowID { return groups[slot] }
        let new = try CursorGroup(view, properties)
        let place = slot.map { $0 + 1 } ?? 0
        groups.insert(new, at: place)
        firstRowIDs.insert(view.firstRowID, at: place)
        return new
    }

    private func change(to new: CursorGroup) {
        if let group {
            swap(&group.plain, &plain)
            byteCount += group.takeReadByteCount()
        }
        if groups.count > ObjectCursor.groupCountMaximum
            || byteCount > ObjectCursor.byteCountMaximum
        {
            // The page cache still has the pages of recent groups.
            (groups, firstRowIDs, byteCount) = ([new], [new.firstRowID], new.byteCount)
        }
        swap(&new.plain, &plain)
        group = new
    }

    /// The current group; there must be a current object.
    private var current: CursorGroup {
        guard let group, row != nil else {
            preconditionFailure("a cursor was read before it was moved to an object")
        }
        return group
    }

    // MARK: Values of the current object

    /// Whether a property has no value, which is `false` for a collection.
    package func isNil(_ column: Int) throws(StoreError) -> Bool {
        if row != nil, plain[column].kind != nil { return plain[column].isNull(index) }
        return try value(column).isNull
    }

    package func int(_ column: Int) throws(StoreError) -> Int64? {
        if row != nil, plain[column].kind == .int {
            return plain[column].numbers.isNull(index)
                ? nil : plain[column].numbers.integer(at: index)
        }
        guard case .int(let value) = try value(column) else { return nil }
        return value
    }

    package func bool(_ column: Int) throws(StoreError) -> Bool? {
        if row != nil, plain[column].kind == .bool {
            return plain[column].numbers.isNull(index)
                ? nil : plain[column].numbers.integer(at: index) != 0
        }
        guard case .bool(let value) = try value(column) else { return nil }
        return value
    }

    package func double(_ column: Int) throws(StoreError) -> Double? {
        if row != nil, plain[column].kind == .double {
            return plain[column].numbers.isNull(index)
                ? nil : plain[column].numbers.double(at: index)
        }
        guard case .double(let value) = try value(column) else { return nil }
        return value
    }

    package func float(_ column: Int) throws(StoreError) -> Float? {
        if row != nil, plain[column].kind == .float {
            return plain[column].numbers.isNull(index)
                ? nil : plain[column].numbers.float(at: index)
        }
        guard case .float(let value) = try value(column) else { return nil }
        return value
    }

    package func date(_ column: Int) throws(StoreError) -> Timestamp? {
        if row != nil, plain[column].kind == .date {
            return plain[column].numbers.isNull(index)
                ? nil : Timestamp(seconds: plain[column].numbers.integer(at: index))
        }
        guard case .date(let value) = try value(column) else { return nil }
        return value
    }

    /// Returns the target of a link.
    package func link(_ column: Int) throws(StoreError) -> ObjectReference? {
        if row != nil, plain[column].kind == .link,
            let target = properties[column].type.target
        {
            guard !plain[column].numbers.isNull(index) else { return nil }
            let number = plain[column].numbers.integer(at: index)
            return ObjectReference(classID: target, rowID: RowID(UInt64(bitPattern: number)))
        }
        guard case .link(let reference) = try value(column) else { return nil }
        return reference
    }

    package func string(_ column: Int) throws(StoreError) -> String? {
        if row != nil, plain[column].kind == .string { return plain[column].texts?.text(at: index) }
        guard case .string(let text) = try value(column) else { return nil }
        return text
    }

    /// Returns the value of any property.
    package func value(_ column: Int) throws(StoreError) -> Value {
        let group = current
        let value = try group.value(column, index)
        if plain[column].kind == nil, let found = group.findPlain(column) {
            plain[column] = found
        }
        return value
    }
}

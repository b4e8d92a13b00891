package import FirnCodec
import FirnPlatform
package import FirnValues
import HashTreeCollections

/// A row group in one snapshot: base and overlay merged, with columns read on demand.
package struct RowGroupView: Sendable {
    enum Source: Sendable {
        case stored(RowGroup)
        case memory(MemoryRowGroup)
    }

    let source: Source
    let patch: GroupPatch?
    /// The class, with the trees of the root.
    let record: ClassRecord
    let pages: PageStore

    var schema: ClassSchema { record.schema }

    /// The number of rows including the deleted ones.
    package var rowCount: Int {
        switch source {
        case .stored(let group): group.rowCount
        case .memory(let group): group.rowCount
        }
    }

    package var firstRowID: RowID {
        switch source {
        case .stored(let group): group.firstRowID
        case .memory(let group): group.firstRowID
        }
    }

    /// Whether the rows are in memory as single values instead of columns.
    var isValues: Bool {
        if case .memory(let group) = source { return group.block != nil }
        return false
    }

    /// Returns the zone map of a column of single values, or of the elements of collections,
    /// without reading it.
    ///
    /// It is `nil` if the overlay changes the column or if some elements are not in the column.
    package func zone(of property: PropertySchema) -> ZoneMap? {
        guard patch?.changes(property.id) != true, case .stored(let group) = source else {
            return nil
        }
        guard property.type.container != .single else { return group.column(property.id)?.zone }
        let lengths = group.column(property.id)?.zone
        guard let lengths, lengths.minimum != .int(ColumnPart.outOfLine) else { return nil }
        return group.column(property.id, .elements)?.zone
    }

    /// Returns the values of a column of single values; a link is the row id of its target.
    package func column(_ property: PropertySchema) throws(StoreError) -> ColumnPage {
        let base = try baseColumn(property)
        guard let changes = patch?.values[property.id], !changes.isEmpty else { return base }
        return try patched(base, property, changes) { builder throws(CodecError) in
            try builder.makePage()
        }
    }

    /// Returns one value without building the column that the overlay changes.
    package func value(of property: PropertySchema, at row: Int) throws(StoreError) -> Value {
        if let changed = patch?.values[property.id]?[UInt32(row)] { return changed }
        if let edited = patch?.edited[property.id]?[UInt32(row)] {
            return try OutOfLine.edited(edited).value(property.type)
        }
        if case .memory(let group) = source, patch?.columns[property.id] == nil,
            let value = group.value(property.id, at: row)
        {
            return value
        }
        guard property.type.container == .single else {
            switch try baseCollection(property, at: row) {
            case .inline(let value): return value
            case .large(let collection):
                return try OutOfLine.stored(collection).value(property.type)
            }
        }
        if let value = valueOfNewerProperty(property) { return value }
        return property.type.fromColumn(try baseColumn(property).value(at: row))
    }

    /// Returns the value that all rows have of a single property, if the property is newer than the
    /// group and the overlay does not replace its column.
    private func valueOfNewerProperty(_ property: PropertySchema) -> Value? {
        guard patch?.columns[property.id] == nil, case .stored(let group) = source,
            group.reference(property.id) == nil, mistake(property) == nil
        else { return nil }
        return record.defaultValues[property.id] ?? .null
    }

    /// Returns the values of all properties of a row.
    func values(at row: Int) throws(StoreError) -> [Value] {
        try schema.properties.map { property throws(StoreError) in
            try value(of: property, at: row)
        }
    }

    /// Returns the encoded column of single values, and the size of its values without encoding.
    func encodedColumn(
        _ property: PropertySchema, level: CompressionLevel
    ) throws(StoreError) -> (page: EncodedPage, rawByteCount: Int) {
        let base = try baseColumn(property)
        return try patched(base, property, patch?.values[property.id] ?? RowMap()) {
            builder throws(CodecError) in (try builder.encode(level), builder.byteCount)
        }
    }

    /// Returns the rows that exist, or `nil` if all do.
    package func liveRows() throws(StoreError) -> Bitmap? {
        var live: Bitmap?
        if case .stored(let group) = source, let deleted = group.deleted {
            var mask = try deleteMarks(deleted, of: group)
            mask.invert()
            live = mask
        }
        if let patch, !patch.deleted.isEmpty {
            var mask = live ?? Bitmap(count: rowCount, isSet: true)
            for row in patch.deleted.rows { mask[Int(row)] = false }
            live = mask
        }
        return live
    }

    /// Returns the identities of the rows that exist, ascending.
    package func liveRowIDs() throws(StoreError) -> [RowID] {
        let live = try liveRows()
        var rows: [RowID] = []
        rows.reserveCapacity(rowCount)
        for row in 0..<rowCount where live?[row] ?? true { rows.append(try rowID(at: row)) }
        return rows
    }

    /// Returns whether a row exists.
    func isLive(_ row: Int) throws(StoreError) -> Bool {
        if let patch, patch.deleted.contains(UInt32(row)) { return false }
        guard case .stored(let group) = source, let deleted = group.deleted else { return true }
        return !(try deleteMarks(deleted, of: group))[row]
    }

    /// Returns the deleted rows of a group on disk.
    func deleteMarks(
        _ reference: PageReference, of group: RowGroup
    ) throws(StoreError) -> Bitmap {
        try pages.mask(
            reference, bitCount: group.rowCount, context: "delete marks of \(schema.name)")
    }

    /// Returns the index of an object in this group, or `nil` if it is not here or does not exist.
    ///
    /// - Complexity: O(log rows)
    package func liveIndex(of row: RowID) throws(StoreError) -> Int? {
        guard let index = try index(of: row), try isLive(index) else { return nil }
        return index
    }

    /// Returns the number of rows that exist.
    package func liveRowCount() throws(StoreError) -> Int {
        try liveRows()?.population ?? rowCount
    }

    /// Returns the row ids less ``firstRowID``, or `nil` while they are dense.
    package func rowIDOffsets() throws(StoreError) -> ColumnPage? {
        switch source {
        case .memory(let group):
            return try pages.coding(group.rowIDOffsets())
        case .stored(let group):
            guard let reference = group.rowIDs else { return nil }
            return try pages.column(
                reference, kind: .int, rowCount: group.rowCount,
                context: "row ids of \(schema.name)")
        }
    }

    /// Returns the identity of a row.
    package func rowID(at row: Int) throws(StoreError) -> RowID {
        if case .memory(let group) = source, let block = group.block { return block.rowIDs[row] }
        guard let offsets = try rowIDOffsets() else {
            return RowID(firstRowID.rawValue &+ UInt64(row))
        }
        guard case .int(let offset) = offsets.value(at: row), offset >= 0 else {
            throw .corrupt(pages.file.path, "a row id of \(schema.name) is negative")
        }
        return RowID(firstRowID.rawValue &+ UInt64(offset))
    }

    /// Returns the index of a row id in this group, whether the row is deleted or not.
    ///
    /// - Complexity: O(log rows)
    package func index(of row: RowID) throws(StoreError) -> Int? {
        guard row >= firstRowID else { return nil }
        if case .memory(let group) = source, let block = group.block { return block.index(of: row) }
        let wanted = row.rawValue - firstRowID.rawValue
        guard let offsets = try rowIDOffsets() else {
            return wanted < UInt64(rowCount) ? Int(wanted) : nil
        }
        var low = 0
        var high = rowCount
        while low < high {
            let middle = (low + high) / 2
            guard case .int(let offset) = offsets.value(at: middle) else { return nil }
            if offset < 0 || UInt64(offset) < wanted { low = middle + 1 } else { high = middle }
        }
        guard low < rowCount, case .int(let offset) = offsets.value(at: low), offset >= 0,
            UInt64(offset) == wanted
        else { return nil }
        return low
    }

    func baseColumn(_ property: PropertySchema) throws(StoreError) -> ColumnPage {
        switch patch?.columns[property.id] {
        case .memory(let column)?: return column
        case .stored(let column)?: return try page(at: column.reference, property)
        case nil: break
        }
        switch source {
        case .memory(let group):
            let page = try pages.coding(group.column(property.id))
            if let page { return page }
        case .stored(let group):
            if let reference = group.reference(property.id) {
                do throws(StoreError) {
                    return try page(at: reference, property)
                } catch {
                    throw mistake(property) ?? error
                }
            }
        }
        if let mistake = mistake(property) { throw mistake }
        // The property is newer than the group.
        let defaultValue = property.type.toColumn(record.defaultValues[property.id] ?? .null)
        return try pages.coding(
            ColumnPage(repeating: defaultValue, kind: property.columnKind, rowCount: rowCount))
    }

    /// Appends a few rows of a column of single values, if that is faster than ``column(_:)``.
    ///
    /// - Parameters:
    ///   - rows: indices of rows.
    ///   - vector: a vector of the kind of the column.
    /// - Returns: whether the rows were appended.
    package func pick(
        _ rows: [UInt32], of property: PropertySchema, with picker: PagePicker,
        to vector: inout ColumnVector
    ) throws(StoreError) -> Bool {
        guard case .stored(let group) = source, patch?.changes(property.id) != true,
            property.type.container == .single, mistake(property) == nil,
            let column = group.column(property.id), PagePicker.reads(column.encoding)
        else { return false }
        return try pages.pick(
            rows, of: column.reference, kind: property.columnKind, rowCount: rowCount, with: picker,
            to: &vector, context: "column \(property.name) of \(schema.name)")
    }

    private func page(
        at reference: PageReference, _ property: PropertySchema
    ) throws(StoreError) -> ColumnPage {
        try pages.column(
            reference, kind: property.columnKind, rowCount: rowCount,
            context: "column \(property.name) of \(schema.name)")
    }

    /// Returns the error for a property that the class does not have, such as one of another class
    /// with the same number.
    ///
    /// It is an internal error of the program, which must not be reported as damage of the file.
    func mistake(_ property: PropertySchema) -> StoreError? {
        if let known = schema[property.id], known.type.container == property.type.container,
            known.columnKind == property.columnKind
        {
            return nil
        }
        return StoreError(
            .internalError, path: pages.file.path,
            detail: "internal error: \(schema.name) has no property \(property.name) of this type",
            remedy: "the file is intact; please report the query")
    }

    /// Returns the base column with changes applied.
    private func patched<Result>(
        _ base: ColumnPage, _ property: PropertySchema, _ changes: RowMap<Value>,
        _ finish: (ColumnBuilder) throws(CodecError) -> Result
    ) throws(StoreError) -> Result {
        try pages.whileCoding { () throws(CodecError) in
            let builder = ColumnBuilder(kind: property.columnKind)
            var source = PageRows(base)
            var next: UInt32 = 0
            try changes.visit { row, value throws(CodecError) in
                source.append(next..<row, to: builder)
                try builder.append(property.type.toColumn(value))
                next = row + 1
            }
            source.append(next..<UInt32(rowCount), to: builder)
            return try finish(builder)
        }
    }
}

extension PageStore {
    /// Returns the value of an expression that encodes valid values, whose errors are limits and
    /// not damage.
    @inline(__always)
    func coding<Result>(
        _ body: @autoclosure () throws(CodecError) -> Result
    ) throws(StoreError) -> Result {
        do throws(CodecError) {
            return try body()
        } catch {
            throw codingError(error)
        }
    }

    /// Runs code that encodes valid values, whose errors are limits and not damage.
    func whileCoding<Result>(
        _ body: () throws(CodecError) -> Result
    ) throws(StoreError) -> Result {
        do throws(CodecError) {
            return try body()
        } catch {
            throw codingError(error)
        }
    }

    private func codingError(_ error: CodecError) -> StoreError {
        let code: StoreError.Code =
            switch error.code {
            case .corrupt: .corrupt
            case .typeMismatch: .typeMismatch
            case .tooLarge: .limitExceeded
            }
        return StoreError(
            code, path: file.path, detail: error.reason,
            remedy: error == .fullPage
                ? "write fewer of them in one transaction, as with firn write --batch 100" : nil)
    }
}

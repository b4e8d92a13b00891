package import FirnCodec
import FirnPlatform
package import FirnValues
import HashTreeCollections

/// A loader that streams rows into a class and writes each row group to disk as soon as it is full.
///
/// Memory does not grow with the number of rows. The rows are not visible before the transaction
/// commits.
///
///     let loader = try transaction.bulkLoader(for: schema.id)
///     for record in input {
///         loader.columns[0].append(int: record.id)
///         loader.columns[1].append(utf8: record.name)
///         try loader.endRow()
///     }
///     try loader.finish()
package final class BulkLoader: BulkRowTarget {
    /// One builder per property, in the order of the schema.
    ///
    /// Every row appends one value to each builder, except to those of collections, which are empty
    /// unless ``append(collection:at:)`` fills them. A link is the row id of an object that exists
    /// when the load is finished, which the caller guarantees.
    package let columns: [ColumnBuilder]
    /// The number of rows ended so far.
    package private(set) var rowCount: UInt64 = 0
    /// The rows that made ``finish()`` fail, if two rows of this load have the same key.
    package private(set) var duplicate: Duplicate?
    let transaction: WriteTransaction
    let schema: ClassSchema
    let assembler: RowGroupAssembler
    /// The collection properties that have elements.
    var filledCollections: Set<PropertyID> = []
    private let firstRowID: RowID

    /// Two rows with the same key, both counted from 1 in the order of the load.
    package struct Duplicate: Sendable {
        package let property: String
        package let value: Value
        package let first: UInt64
        package let second: UInt64
    }

    init(_ transaction: WriteTransaction, _ record: ClassRecord) {
        self.transaction = transaction
        schema = record.schema
        firstRowID = transaction.overlay.nextRowID(of: record)
        assembler = RowGroupAssembler(
            schema: record.schema, options: transaction.store.options, path: transaction.store.path)
        columns = assembler.builders.map(\.rowColumn)
    }

    /// Ends a row.
    ///
    /// - Throws: ``StoreError`` with `missingValue` if a required property of this or one of the
    ///   last records is null, `diskFull`, `inputOutput` or `limitExceeded`. The transaction is
    ///   then rolled back: a part of a load is never committed.
    package func endRow() throws(StoreError) { try endRows(1) }

    /// Ends several rows, whose values were appended column by column.
    ///
    /// - Parameter count: at most ``rowRoom``.
    /// - Throws: The errors of ``endRow()``.
    package func endRows(_ count: Int) throws(StoreError) {
        // After the end of the transaction, its space belongs to the next writer.
        try transaction.checkOpen()
        do throws(StoreError) {
            guard count > 0 else { return }
            let first = RowID(firstRowID.rawValue &+ rowCount)
            let last = RowID(first.rawValue &+ UInt64(count - 1))
            guard last < RowID.limit else { throw transaction.noRowIDLeft }
            rowCount += UInt64(count)
            let isFull = assembler.endRows(from: first, count: count)
            assembler.endCollections()
            if isFull {
                try transaction.withPages { writer throws(StoreError) in
                    try assembler.flush(&writer)
                }
            }
        } catch {
            transaction.rollback()
            throw error
        }
    }

    /// Returns a function that creates row collectors for other threads, whose results are passed
    /// to ``append(_:)``.
    package var rowMaker: @Sendable () -> BulkRows {
        let (schema, options, path) = (schema, transaction.store.options, transaction.store.path)
        return { BulkRows(schema, options, path) }
    }

    /// The row ID of the next row.
    package var nextRowID: RowID { RowID(firstRowID.rawValue &+ rowCount) }

    /// Writes rows that another thread encoded.
    ///
    /// - Parameter rows: rows that follow the last row of the load.
    /// - Throws: The errors of ``endRow()``.
    package func append(_ rows: EncodedRows) throws(StoreError) {
        try transaction.checkOpen()
        do throws(StoreError) {
            precondition(rows.first == nextRowID, "encoded rows must follow each other")
            guard rows.first.rawValue &+ UInt64(rows.count) < RowID.limit.rawValue else {
                throw transaction.noRowIDLeft
            }
            rowCount += UInt64(rows.count)
            try transaction.withPages { writer throws(StoreError) in
                try assembler.append(rows.groups, &writer)
            }
        } catch {
            transaction.rollback()
            throw error
        }
    }

    /// Writes the last rows and checks the keys.
    ///
    /// - Throws: ``StoreError`` with `duplicateKey`, which names both records. The transaction is
    ///   then rolled back.
    package func finish() throws(StoreError) {
        try transaction.checkOpen()
        do throws(StoreError) {
            try transaction.withPages { writer throws(StoreError) in
                try assembler.flush(&writer)
            }
            try transaction.adopt(
                assembler.groups, of: schema.id, rowCount: rowCount, firstRowID: firstRowID,
                filledCollections: filledCollections, duplicate: &duplicate)
        } catch {
            transaction.rollback()
            throw error
        }
    }
}

extension WriteTransaction {
    /// Begins a bulk load; until it is finished, the class must not be changed in other ways.
    ///
    /// - Parameter isOwned: whether the caller guarantees that exactly one link leads to each object
    ///   when the transaction commits; only then can embedded objects be loaded.
    package func bulkLoader(
        for classID: ClassID, isOwned: Bool = false
    ) throws(StoreError) -> BulkLoader {
        try checkOpen()
        try becomeBulk()
        try seal(classID)
        let record = try record(classID)
        guard isOwned || !record.schema.isEmbedded else {
            throw StoreError(
                .embeddedParent, path: store.path,
                detail: "embedded objects cannot be loaded, they would have no parents")
        }
        guard loading.insert(classID).inserted else {
            throw StoreError(
                .invalidSchema, path: store.path,
                detail: "another bulk load of \(record.schema.name) is not finished")
        }
        return BulkLoader(self, record)
    }

    /// Adds the groups of a bulk load to the overlay.
    fileprivate func adopt(
        _ groups: [RowGroup], of classID: ClassID, rowCount: UInt64, firstRowID: RowID,
        filledCollections: Set<PropertyID>, duplicate found: inout BulkLoader.Duplicate?
    ) throws(StoreError) {
        try checkOpen()
        loading.remove(classID)
        hasChanges = true
        operationCount += 1
        let record = try self.record(classID)
        guard created[classID] == nil, overlay.nextRowID(of: record) == firstRowID else {
            throw StoreError(
                .invalidSchema, path: store.path,
                detail: "\(record.schema.name) was changed during a bulk load")
        }
        overlay.change(classID) { changes in
            changes.nextRowID = RowID(firstRowID.rawValue &+ rowCount)
            changes.appended.append(contentsOf: groups.map { .stored($0) })
            changes.liveRowDelta += Int64(clamping: rowCount)
        }
        maxKeyBounds[classID] = nil
        for property in record.schema.properties where property.mayLink {
            let hasLinks =
                filledCollections.contains(property.id)
                || property.type.container == .single
                    && groups.contains { group in
                        group.column(property.id).map { $0.zone.nullCount < $0.zone.rowCount }
                            ?? false
                    }
            guard hasLinks else { continue }
            overlay.classes[classID, default: ClassOverlay()].links[property.id] = .unlisted
        }
        guard let key = record.schema.keyProperty else { return }
        let views = try table(record.schema).rowGroups()
        let search = DuplicateKeySearch(groups: views, key: key)
        if case .ascending = keyChanges(of: classID), try search.isAscendingIncludingDeleted() {
            return
        }
        unlistKeys(of: classID)
        guard let duplicate = try search.firstDuplicate() else { return }
        func name(_ row: RowID) -> String {
            row < firstRowID
                ? "the object with @id \(row.rawValue)"
                : "record \(row.rawValue - firstRowID.rawValue + 1)"
        }
        if duplicate.first >= firstRowID {
            found = BulkLoader.Duplicate(
                property: key.name, value: duplicate.value,
                first: duplicate.first.rawValue - firstRowID.rawValue + 1,
                second: duplicate.second.rawValue - firstRowID.rawValue + 1)
        }
        throw StoreError(
            .duplicateKey, path: store.path,
            detail: "\(key.name) \(duplicate.value.quoted) is the key of \(name(duplicate.first)) "
                + "and of \(name(duplicate.second))",
            remedy: "choose another key, or remove one of them")
    }
}

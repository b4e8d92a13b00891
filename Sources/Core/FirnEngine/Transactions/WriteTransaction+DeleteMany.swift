import FirnCodec
package import FirnValues
import HashTreeCollections

/// Deleting many objects of a class in one call.
extension WriteTransaction {
    /// Whether ``deleteMany(_:in:)`` can delete objects of a class: they hold no embedded objects,
    /// and no objects hold them.
    func isDeletedInRuns(_ schema: ClassSchema) -> Bool {
        !schema.isEmbedded && !schema.properties.contains { overlay.catalog.isOwning($0) }
    }

    /// Returns whether several calls that delete objects of a class have the same effect as one,
    /// because no object can link to them.
    package func canDeleteInParts(_ classID: ClassID) throws(StoreError) -> Bool {
        let schema = try record(classID).schema
        return isDeletedInRuns(schema)
            && overlay.catalog.classes.allSatisfy { other in
                other.schema.properties.allSatisfy {
                    $0.type.base != .any && $0.type.target != classID
                }
            }
    }

    /// Deletes objects of a class row group by row group, with the consequences and the recorded
    /// operations of single deletions.
    ///
    /// - Parameters:
    ///   - rows: The objects in the order of their operations.
    ///   - more: The number of further objects that will be deleted.
    /// - Throws: ``StoreError`` with `unknownObject` if one of them does not exist; none is then
    ///   deleted.
    func deleteMany(
        _ rows: [RowID], in classID: ClassID, expecting more: Int
    ) throws(StoreError) {
        try seal(classID)
        try prepareForRecordedDeletions(of: rows)
        try beginOperation()
        defer { endOperation() }
        let plan = try plan(of: classID)
        let (ascending, distinct) = WriteTransaction.distinct(rows)
        let runs = try runs(of: ascending, plan)
        let count = ascending.count + more
        do throws(StoreError) {
            try releaseLinks(of: ascending, in: runs, plan, changing: count)
            try nullifyLinks(toMany: ascending, in: plan.schema)
            try releaseKeys(in: runs, plan, changing: count)
            for run in runs {
                overlay.patch(classID, run.group) { $0.deleted.insert(contentsOf: run.indices) }
            }
            overlay.change(classID) { $0.liveRowDelta -= Int64(ascending.count) }
            counts.deleted += ascending.count
        } catch {
            // As for single deletions, objects may be half deleted.
            rollback()
            throw error
        }
        for row in distinct {
            try recording { recorded throws(CodecError) in recorded?.appendDelete(classID, row) }
        }
        if operationDepth == 1 { removalCount += UInt64(distinct.count) }
    }

    /// Switches to writing pages if the operations will not fit into the log.
    private func prepareForRecordedDeletions(of rows: [RowID]) throws(StoreError) {
        guard operationDepth == 0, let recorded else { return }
        // The code of the operation, and the varint of the row.
        let byteCount = rows.reduce(0) { sum, row in
            sum + 1 + max(1, (70 - row.rawValue.leadingZeroBitCount) / 7)
        }
        if recorded.byteCount + byteCount > store.options.recordedByteCountMaximum {
            try becomeBulk()
        }
    }

    /// Returns rows without duplicates: ascending, and in the given order.
    private static func distinct(_ rows: [RowID]) -> (ascending: [RowID], ordered: [RowID]) {
        if zip(rows, rows.dropFirst()).allSatisfy({ $0 < $1 }) { return (rows, rows) }
        var seen: Set<RowID> = []
        let ordered = rows.filter { seen.insert($0).inserted }
        return (ordered.sorted(), ordered)
    }

    /// Whether enough objects change to rebuild the indexes of the class from its rows.
    private func rebuildsIndexes(changing count: Int, _ plan: ClassWriteCache) -> Bool {
        count >= sealedTable(plan).liveRowCount / WriteTransaction.indexShare
    }

    // MARK: Links

    /// Removes the links of objects from the link indexes.
    private func releaseLinks(
        of rows: [RowID], in runs: [RowsOfGroup], _ plan: ClassWriteCache, changing count: Int
    ) throws(StoreError) {
        for column in plan.linkColumns {
            let property = plan.schema.properties[column]
            if unlistLinks(of: property, plan, changing: count) { continue }
            var links: [(target: ObjectReference, source: RowID)] = []
            var start = 0
            for run in runs {
                let view = try view(of: run, plan)
                let rows = rows[start..<start + run.indices.count]
                try view.forEachLink(of: property, at: run.indices) { target, offset in
                    links.append((target, rows[rows.startIndex + offset]))
                }
                start += rows.count
            }
            removeLinks(links, property, of: plan.schema.id)
        }
    }

    private func removeLinks(
        _ links: [(target: ObjectReference, source: RowID)], _ property: PropertySchema,
        of classID: ClassID
    ) {
        guard !links.isEmpty else { return }
        overlay.changeLinks(of: classID, property.id) { list in
            list.add(-1, links)
        }
    }

    /// Removes all links to objects that will be deleted, except links from objects that will also
    /// be deleted.
    private func nullifyLinks(
        toMany targets: [RowID], in target: ClassSchema
    ) throws(StoreError) {
        for source in overlay.catalog.classes.map(\.schema) {
            for property in source.properties
            where property.type.base == .any || property.type.target == target.id {
                let found = try sources(
                    of: targets, in: target.id, through: property, of: source)
                guard !found.rows.isEmpty else { continue }
                var links: [(target: ObjectReference, source: RowID)] = []
                for (index, row) in targets.enumerated() {
                    let reference = ObjectReference(classID: target.id, rowID: row)
                    for row in found[index]
                    where source.id != target.id || !WriteTransaction.contains(row, in: targets) {
                        links.append((reference, row))
                    }
                }
                try nullify(links, property, of: source)
            }
        }
    }

    private func nullify(
        _ links: [(target: ObjectReference, source: RowID)], _ property: PropertySchema,
        of source: ClassSchema
    ) throws(StoreError) {
        guard property.type.container == .single, property.type.base == .link else {
            var lost: [RowID: Set<ObjectReference>] = [:]
            for link in links { lost[link.source, default: []].insert(link.target) }
            for row in lost.keys.sorted() {
                try nullify(lost[row] ?? [], property, of: row, in: source)
            }
            return
        }
        try seal(source.id)
        let plan = try plan(of: source.id)
        // A single property has one link, so no source occurs twice.
        for run in try runs(of: links.map(\.source).sorted(), plan) {
            try store(.one(.null), property, in: run, plan)
        }
        guard !unlistLinks(of: property, plan, changing: links.count) else { return }
        removeLinks(links, property, of: source.id)
    }

    private static func contains(_ row: RowID, in rows: [RowID]) -> Bool {
        Bisection.lastIndex(in: rows) { $0 <= row }.map { rows[$0] == row } ?? false
    }

    // MARK: Keys

    /// Removes the keys of objects that are about to be deleted.
    private func releaseKeys(
        in runs: [RowsOfGroup], _ plan: ClassWriteCache, changing count: Int
    ) throws(StoreError) {
        guard let property = plan.schema.keyProperty,
            case .listed = keyChanges(of: plan.schema.id)
        else { return }
        guard !rebuildsIndexes(changing: count, plan) else {
            // A lookup ignores entries of deleted objects.
            changeKeys(of: plan.schema.id) { _ in }
            return overlay.change(plan.schema.id) { $0.rebuildsKeyIndex = true }
        }
        var released: [Value] = []
        for run in runs {
            let view = try view(of: run, plan)
            for index in run.indices {
                released.append(try view.value(of: property, at: Int(index)))
            }
        }
        changeKeys(of: plan.schema.id) { keys in
            for key in released { keys.updateValue(nil, forKey: key) }
        }
    }
}

import FirnCodec
import FirnPlatform
package import FirnValues

/// A report on the readable and the lost parts of a damaged database.
package struct SalvageReport: Hashable, Sendable {
    package struct ClassCount: Hashable, Sendable {
        package let name: String
        package var objectCount: UInt64 = 0
        package var lostCount: UInt64 = 0
    }

    /// The version that was read.
    package var version = LSN.zero
    package var classes: [ClassCount] = []
    /// The number of lost values of saved objects, which are now nil or an empty collection.
    package var lostValueCount: UInt64 = 0
    /// The number of links to lost objects.
    package var lostLinkCount: UInt64 = 0
    /// The number of embedded objects whose owner is lost.
    package var orphanCount: UInt64 = 0
}

/// The progress of a verification or a salvage, in objects.
package struct ObjectProgress: Hashable, Sendable {
    package var doneCount: UInt64 = 0
    /// The expected total.
    package var totalCount: UInt64 = 0
}

extension Store {
    /// Writes the readable part of a version into a new database.
    ///
    /// The identities of classes, properties and objects are those of the original. Values that
    /// cannot be read become nil where their property allows it; otherwise the object is lost.
    ///
    /// - Parameter progress: called once per 1,024 objects; returns whether to continue.
    /// - Throws: ``StoreError`` with `exists` if there is a file at the path, `cancelled` if
    ///   `progress` returns false, and the errors of reading and writing other than `corrupt`; no
    ///   partial copy remains.
    /// - Complexity: O(size of the version); in one transaction.
    package func salvage(
        _ snapshot: Snapshot, to target: String,
        progress: @escaping (ObjectProgress) -> Bool = { _ in true }
    ) throws(StoreError) -> SalvageReport {
        try checkProcess()
        var options = self.options
        options.rowsPerGroup = Int(snapshot.root.superblock.rowsPerGroup)
        options.history = .off
        let creation = try Store.create(target, services: services, options: options)
        let copy = creation.store
        let empty = try copy.snapshot().root
        let writer = try copy.pageWriter(for: empty)
        var catalog = snapshot.catalog
        catalog.freezes = []
        catalog.classes = catalog.classes.map { record in
            var fresh = ClassRecord(schema: record.schema, nextPropertyID: record.nextPropertyID)
            fresh.nextRowID = RowID(0)
            return fresh
        }
        let change = RootChange(
            lsn: snapshot.version, chain: snapshot.root.superblock.chain, frames: [],
            hasLog: false, logGeneration: 0, keepsHistory: false)
        let root = try RootPublisher(store: copy, root: empty).publish(catalog, change, writer)
        copy.state.withLock { $0.root = root }
        let transaction = try copy.beginWrite()
        do throws(StoreError) {
            var salvage = Salvage(
                snapshot: snapshot, transaction: transaction, report: progress)
            var report = try salvage.run()
            report.version = snapshot.version
            _ = try transaction.commit()
            try creation.publish()
            return report
        } catch {
            transaction.rollback()
            throw error
        }
    }
}

/// The salvage of the objects of a damaged version into an empty database with the same classes.
///
///     1. objects with their readable values, without links, whose targets may come later
///     2. links to objects that exist
///     3. embedded objects without an owner are deleted
private struct Salvage {
    let snapshot: Snapshot
    let transaction: WriteTransaction
    private var report = SalvageReport()
    /// The row groups that can be found, by class.
    private var groups: [ClassID: [RowGroupView]] = [:]
    private let progress: SalvageProgress

    init(
        snapshot: Snapshot, transaction: WriteTransaction,
        report: @escaping (ObjectProgress) -> Bool
    ) {
        self.snapshot = snapshot
        self.transaction = transaction
        progress = SalvageProgress(snapshot, report)
    }

    mutating func run() throws(StoreError) -> SalvageReport {
        for schema in snapshot.schema.classes {
            guard let table = snapshot.table(schema.id) else { continue }
            var count = SalvageReport.ClassCount(name: schema.name)
            let found = try readableGroups(table)
            groups[schema.id] = found
            for view in found { count.objectCount += try makeObjects(of: view, schema) }
            let expected = UInt64(clamping: table.liveRowCount)
            count.lostCount = expected - min(expected, count.objectCount)
            report.classes.append(count)
        }
        for schema in snapshot.schema.classes {
            let linking = schema.properties.filter(\.mayLink)
            guard !linking.isEmpty else { continue }
            for view in groups[schema.id] ?? [] { try link(view, schema, linking) }
        }
        while let orphan = transaction.orphans.first {
            try transaction.delete(orphan.rowID, in: orphan.classID)
            report.orphanCount += 1
        }
        return report
    }

    /// Returns the result of a step, or `nil` if it reads damaged data.
    private func whole<Result>(
        _ step: @autoclosure () throws(StoreError) -> Result
    ) throws(StoreError) -> Result? {
        do throws(StoreError) { return try step() } catch {
            guard error.code == .corrupt else { throw error }
            return nil
        }
    }

    /// Returns the row groups that the directory still references, ascending.
    private func readableGroups(_ table: Table) throws(StoreError) -> [RowGroupView] {
        var views: [RowGroupView] = []
        var pending = [table.directory.root].compactMap(\.self)
        var seen: Set<PageReference> = []
        while let next = pending.popLast() {
            guard seen.insert(next.reference).inserted else { continue }
            let node = try whole(table.directory.load(next.reference, level: next.level))
            switch node?.content {
            case .groups(let groups): views += groups.map { table.view(.stored($0)) }
            case .children(let children):
                pending += children.map {
                    DirectoryRoot(reference: $0.reference, level: next.level - 1)
                }
            case nil: break
            }
        }
        views.sort { $0.firstRowID < $1.firstRowID }
        return views + table.appendedViews
    }

    /// Returns the unreadable properties of a row group.
    private func damagedProperties(
        _ view: RowGroupView, _ schema: ClassSchema
    ) throws(StoreError) -> Set<PropertyID> {
        var damaged: Set<PropertyID> = []
        for property in schema.properties {
            if try whole(read(property, of: view)) == nil { damaged.insert(property.id) }
        }
        return damaged
    }

    private func read(_ property: PropertySchema, of view: RowGroupView) throws(StoreError) {
        if property.type.container == .single {
            _ = try view.column(property)
        } else {
            _ = try view.collection(property)
        }
    }

    /// Calls a closure for each object of a row group whose identity is readable.
    private func forEachObject(
        _ view: RowGroupView, _ body: (RowID, Int) throws(StoreError) -> Void
    ) throws(StoreError) {
        let live = try whole(view.liveRows())
        // Without the delete marks, deleted objects cannot be told from existing ones.
        guard let live else { return }
        for index in 0..<view.rowCount where live?[index] != false {
            let row = try whole(view.rowID(at: index))
            if let row { try body(row, index) }
            try progress.advance()
        }
    }

    // MARK: Objects

    private mutating func makeObjects(
        of view: RowGroupView, _ schema: ClassSchema
    ) throws(StoreError) -> UInt64 {
        let damaged = try damagedProperties(view, schema)
        let isLost = schema.properties.contains { property in
            damaged.contains(property.id) && property.type.container == .single
                && !property.type.mayBeNull
        }
        if isLost { return 0 }
        var count: UInt64 = 0
        var lostValueCount: UInt64 = 0
        let transaction = transaction
        try forEachObject(view) { (row, index) throws(StoreError) in
            var values: [Value] = []
            for property in schema.properties {
                let value = try whole(
                    damaged.contains(property.id)
                        ? nil : try view.value(of: property, at: index))
                if property.mayLink {
                    values.append(property.type.emptyCollection)
                } else {
                    values.append((value ?? nil) ?? property.type.emptyCollection)
                }
                if (value ?? nil) == nil { lostValueCount += 1 }
            }
            do throws(StoreError) {
                try transaction.create(in: schema.id, values, at: row)
                count += 1
            } catch {
                // Damage can duplicate an object; any other error ends the salvage.
                guard [.duplicateKey, .invalidValue, .missingValue].contains(error.code) else {
                    throw error
                }
            }
        }
        report.lostValueCount += lostValueCount
        return count
    }

    // MARK: Links

    private mutating func link(
        _ view: RowGroupView, _ schema: ClassSchema, _ properties: [PropertySchema]
    ) throws(StoreError) {
        var lostLinkCount: UInt64 = 0
        let transaction = transaction
        try forEachObject(view) { (row, index) throws(StoreError) in
            guard try transaction.exists(row, in: schema.id) else { return }
            for property in properties {
                let value = try whole(view.value(of: property, at: index))
                guard let value, value != property.type.emptyCollection else { continue }
                let kept = try Salvage.kept(value, in: transaction, &lostLinkCount)
                try transaction.set(property.id, of: row, in: schema.id, to: kept)
            }
        }
        report.lostLinkCount += lostLinkCount
    }

    /// Returns the value without links to objects that do not exist.
    private static func kept(
        _ value: Value, in transaction: WriteTransaction, _ lost: inout UInt64
    ) throws(StoreError) -> Value {
        switch value {
        case .link(let target):
            if try transaction.exists(target.rowID, in: target.classID) { return value }
            lost += 1
            return .null
        case .list(let values): return .list(try elements(values, in: transaction, &lost))
        case .set(let values):
            return .set(try elements(values, in: transaction, &lost).canonicalSet)
        case .map(let values):
            var kept: TextMap<Value> = [:]
            for (key, value) in values {
                kept[key] = try Salvage.kept(value, in: transaction, &lost)
            }
            return .map(kept)
        default: return value
        }
    }

    private static func elements(
        _ values: [Value], in transaction: WriteTransaction, _ lost: inout UInt64
    ) throws(StoreError) -> [Value] {
        var kept: [Value] = []
        for value in values {
            let before = lost
            let value = try Salvage.kept(value, in: transaction, &lost)
            // A list of objects omits a lost object.
            if value == .null, lost > before { continue }
            kept.append(value)
        }
        return kept
    }
}

/// Counts the objects that a salvage has visited.
private final class SalvageProgress {
    private static let objectsPerReport: UInt64 = 1_024

    private let report: (ObjectProgress) -> Bool
    private let path: String
    private var state = ObjectProgress()

    /// Objects of classes with links are visited twice.
    init(_ snapshot: Snapshot, _ report: @escaping (ObjectProgress) -> Bool) {
        self.report = report
        path = snapshot.path
        for schema in snapshot.schema.classes {
            let count = UInt64(clamping: snapshot.table(schema.id)?.liveRowCount ?? 0)
            state.totalCount += schema.properties.contains(where: \.mayLink) ? 2 * count : count
        }
    }

    func advance() throws(StoreError) {
        state.doneCount += 1
        guard state.doneCount % SalvageProgress.objectsPerReport == 0, !report(state) else {
            return
        }
        throw StoreError(.cancelled, path: path, detail: "the salvage was given up")
    }
}

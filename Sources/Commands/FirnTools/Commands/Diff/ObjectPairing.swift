import FirnEngine
import FirnFormats
import FirnQuery
import FirnValues

/// The pairs of matching objects of two versions: objects with the same key, or with the same
/// number in a class without a key.
struct ObjectPairing {
    struct Pair {
        let old: RowID
        let new: RowID
    }

    /// The objects that are only in the old version.
    private(set) var deleted: [RowID] = []
    /// The objects that are only in the new version.
    private(set) var inserted: [RowID] = []
    /// The objects in both versions, which may differ.
    private(set) var common: [Pair] = []

    /// The number of objects, pairs counted once.
    var count: Int { deleted.count + inserted.count + common.count }

    private init() {}

    /// Pairs all objects of a class of two databases.
    init(
        of name: String, _ old: DatabaseSnapshot, _ new: DatabaseSnapshot
    ) throws(StoreError) {
        try pair(
            try ObjectPairing.rows(of: name, in: old), old,
            try ObjectPairing.rows(of: name, in: new), new, name)
    }

    /// Pairs the objects of a class that the commits of one database wrote.
    ///
    /// An object that was deleted and inserted again with the same key counts as the same object.
    init(
        of name: String, _ old: DatabaseSnapshot, _ new: DatabaseSnapshot, of database: Database
    ) throws(StoreError) {
        let isForward = old.version <= new.version
        let (first, last) = isForward ? (old, new) : (new, old)
        let changes = try database.changes(from: first, to: last)
        guard !changes.schemaChanged, let schema = last.schema.classNamed(name) else {
            try self.init(of: name, old, new)
            return
        }
        self.init()
        let owners = try EmbeddedOwners(of: changes, in: last.snapshot)
        let changed = changes.classes[schema.id] ?? ClassChanges()
        let modified = owners.modified(changed, of: schema.id).map(\.row)
        let before = isForward ? changed.deleted : changed.created
        let after = isForward ? changed.created : changed.deleted
        try pair(before + modified, old, after + modified, new, name)
    }

    private static func rows(
        of name: String, in snapshot: DatabaseSnapshot
    ) throws(StoreError) -> [RowID] {
        guard let schema = snapshot.schema.classNamed(name) else { return [] }
        return try snapshot.snapshot.table(schema.id)?.liveRowIDs() ?? []
    }

    private mutating func pair(
        _ oldRows: [RowID], _ old: DatabaseSnapshot, _ newRows: [RowID], _ new: DatabaseSnapshot,
        _ name: String
    ) throws(StoreError) {
        let oldKeys = try ObjectPairing.keys(of: oldRows, name, in: old)
        let newKeys = try ObjectPairing.keys(of: newRows, name, in: new)
        var rest = Dictionary(zip(oldKeys, oldRows)) { first, _ in first }
        for (key, row) in zip(newKeys, newRows) {
            if let match = rest.removeValue(forKey: key) {
                common.append(Pair(old: match, new: row))
            } else {
                inserted.append(row)
            }
        }
        deleted = rest.values.sorted()
    }

    /// Returns the identities of the objects.
    private static func keys(
        of rows: [RowID], _ name: String, in snapshot: DatabaseSnapshot
    ) throws(StoreError) -> [String] {
        guard let schema = snapshot.schema.classNamed(name), schema.key != nil else {
            return rows.map { String($0.rawValue) }
        }
        let texts = try ValueRenderer(
            lookup: SnapshotLookup(snapshot.snapshot), options: ValueOptions()
        ).keyTexts(rows, schema, .json)
        let column = TextColumn()
        for row in rows {
            texts.append(row, to: column)
            column.endText()
        }
        return rows.indices.map { String(decoding: column.text($0), as: UTF8.self) }
    }
}

/// Compares objects of one class whose properties can differ between the versions.
struct ImageDifference {
    let old: ObjectImages
    let new: ObjectImages
    let shape: ObjectShape
    /// The column of the old shape for each column of the new shape, matched by name.
    private let oldColumns: [Int?]

    init(old: ObjectImages, _ oldShape: ObjectShape, new: ObjectImages, _ shape: ObjectShape) {
        self.old = old
        self.new = new
        self.shape = shape
        oldColumns = shape.columns.map { column in
            oldShape.columns.firstIndex { $0.name == column.name }
        }
    }

    /// Returns the columns of the new shape whose values differ.
    ///
    /// A property that is missing in the old version has the old value nil.
    func changed(_ pair: ObjectPairing.Pair) -> [Int] {
        shape.columns.indices.filter { column in
            before(pair.old, column) != text(new.text(of: pair.new, column: column))
        }
    }

    /// Returns the old value of a column of the new shape, as JSON.
    func before(_ row: RowID, _ column: Int) -> String {
        oldColumns[column].map { text(old.text(of: row, column: $0)) } ?? "null"
    }

    func after(_ row: RowID, _ column: Int) -> String { text(new.text(of: row, column: column)) }

    private func text(_ bytes: UnsafeBufferPointer<UInt8>?) -> String {
        bytes.map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }
}

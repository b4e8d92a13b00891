import FirnCodec
import FirnEngine
import FirnFormats
import FirnQuery
import FirnValues

/// The report of `firn stats`, as text and as one record.
struct StatsReport {
    private let file: String
    private let version: LSN
    private let space: SpaceReport
    private let versions: VersionsReport
    /// The processes that have the file open, if requested.
    private let sessions: SessionList?
    private let rowsPerGroup: Int
    private let tables: [TableStatistics]
    /// The pages of each class, if requested.
    private let pages: PageList?
    private let schema: Schema
    /// The current time in seconds since 1970.
    private let now: Int64

    init(
        file: String, _ open: OpenDatabase, listsSessions: Bool, listsPages: Bool = false,
        now: Int64
    ) throws(StoreError) {
        let snapshot = open.snapshot.snapshot
        let store = open.database.store
        self.file = file
        self.now = now
        version = snapshot.version
        space = try store.spaceReport()
        versions = try store.versions()
        sessions = listsSessions ? SessionList(try store.sessions()) : nil
        rowsPerGroup = snapshot.rowsPerGroup
        var tables: [TableStatistics] = []
        for schema in snapshot.schema.classes {
            if let table = snapshot.table(schema.id) { tables.append(try table.statistics()) }
        }
        self.tables = tables
        pages = listsPages ? try PageList(snapshot) : nil
        schema = snapshot.schema
    }

    // MARK: Text

    var text: String {
        var text = "\(SafeText.escaping(file)): version \(version.rawValue), "
        text += versions.range + "\n" + spaceText
        if !versions.freezes.isEmpty {
            text += "\nfreezes:\n" + FreezeListing.text(versions.freezes, now: now)
        }
        if let sessions { text += "\nsessions:\n" + sessions.text }
        for table in tables {
            text += self.text(of: table)
            if let pages { text += pages.text(of: table.schema.id) }
        }
        return text
    }

    private var spaceText: String {
        var text = "  \(Formatting.bytes(space.fileByteCount)): "
        text += "\(Formatting.bytes(space.liveByteCount)) in use, "
        text += "\(Formatting.bytes(space.freeByteCount)) free, "
        text += "\(Formatting.bytes(space.heldByteCount)) held by older versions\n"
        if space.logByteCount > 0 {
            text += "  \(Formatting.bytes(space.logByteCount)) in its log\n"
        }
        // Freezes are listed in a separate table.
        for holder in space.holders {
            if case .freeze = holder.kind { continue }
            let name = holder.text(versions.freezes.map(\.freeze), now: now)
            text += "  \(Formatting.bytes(holder.byteCount)) held only by \(name)\n"
        }
        return text
    }

    private func text(of table: TableStatistics) -> String {
        var text = "\n\(SafeText.escaping(table.schema.name)): "
        text += Formatting.count(UInt64(clamping: table.objectCount), "object")
        text += ", " + Formatting.count(UInt64(clamping: table.columns.count), "property")
        text += ", " + Formatting.count(UInt64(clamping: table.rowGroupCount), "row group") + "\n"
        var rows = [["", "type", "nulls", "raw", "stored", "ratio", "encoding"]]
        rows += table.columns.map { column in
            [
                SafeText.escaping(column.property.name),
                SafeText.escaping(schema.typeName(column.property.type)),
                Formatting.count(column.nullCount), Formatting.bytes(column.rawByteCount),
                Formatting.bytes(column.storedByteCount), StatsReport.ratio(column),
                StatsReport.encodings(column),
            ]
        }
        text += TextColumns.aligned(rows, right: [2, 3, 4, 5])
        guard !table.indexes.isEmpty else { return text }
        let indexes = table.indexes.map { index in
            [
                "index " + SafeText.escaping(table.schema.name(of: index.index)),
                Formatting.count(index.entryCount, "entry"),
                Formatting.bytes(index.storedByteCount),
            ]
        }
        return text + TextColumns.aligned(indexes, right: [1, 2])
    }

    /// Returns the raw bytes per stored byte, with one decimal place.
    private static func ratio(_ column: ColumnStatistics) -> String {
        guard column.storedByteCount > 0 else { return "" }
        let tenths =
            (column.rawByteCount * 10 + column.storedByteCount / 2) / column.storedByteCount
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// Returns the encodings of the pages, the most frequent first.
    private static func encodings(_ column: ColumnStatistics) -> String {
        column.pagesByEncoding
            .sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
            .map { "\($0.key)" }.joined(separator: ", ")
    }

    // MARK: Record

    var json: String {
        var json = JSONObject()
        json.add("v", 1)
        json.add("type", "stats")
        json.add("file", file)
        json.add("version", Int64(clamping: version.rawValue))
        json.add("newest", Int64(clamping: versions.newest.rawValue))
        json.add("oldest", Int64(clamping: versions.oldest.rawValue))
        json.add("bytes", Int64(clamping: space.fileByteCount))
        json.add("log", Int64(clamping: space.logByteCount))
        json.add("live", Int64(clamping: space.liveByteCount))
        json.add("free", Int64(clamping: space.freeByteCount))
        json.add("held", Int64(clamping: space.heldByteCount))
        json.add("held_by", space.holders.map { $0.record(versions.freezes.map(\.freeze)) })
        json.add("freezes", versions.freezes.map(FreezeListing.record))
        if let sessions { json.add("sessions", sessions.records) }
        json.add("rowsPerGroup", Int64(rowsPerGroup))
        json.add("classes", tables.map { record(of: $0) })
        return json.text + "\n"
    }

    private func record(of table: TableStatistics) -> JSONObject {
        var json = JSONObject()
        json.add("name", table.schema.name)
        json.add("objects", Int64(table.objectCount))
        json.add("deleted", Int64(table.deletedRowCount))
        json.add("rowGroups", Int64(table.rowGroupCount))
        json.add("properties", table.columns.map { record(of: $0) })
        if !table.indexes.isEmpty {
            json.add("indexes", table.indexes.map { record(of: $0, table.schema) })
        }
        if let pages { json.add("pages", pages.records(of: table.schema.id)) }
        return json
    }

    private func record(of index: IndexStatistics, _ schema: ClassSchema) -> JSONObject {
        var json = JSONObject()
        json.add("name", schema.name(of: index.index))
        json.add("entries", Int64(clamping: index.entryCount))
        json.add("stored", Int64(clamping: index.storedByteCount))
        return json
    }

    private func record(of column: ColumnStatistics) -> JSONObject {
        var json = JSONObject()
        json.add("name", column.property.name)
        json.add("type", schema.typeName(column.property.type))
        json.add("nulls", Int64(clamping: column.nullCount))
        json.add("raw", Int64(clamping: column.rawByteCount))
        json.add("stored", Int64(clamping: column.storedByteCount))
        var pages = JSONObject()
        for (encoding, count) in column.pagesByEncoding.sorted(by: {
            $0.key.rawValue < $1.key.rawValue
        }) {
            pages.add("\(encoding)", Int64(count))
        }
        json.add("pages", pages)
        return json
    }
}

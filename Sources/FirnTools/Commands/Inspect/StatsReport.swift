import FirnCodec
import FirnEngine
import FirnPlatform
import FirnQuery
import FirnValues

/// What `firn stats` says, as text and as one record.
struct StatsReport {
    private let file: String
    private let version: UInt64
    private let byteCount: UInt64
    private let freeByteCount: UInt64
    private let rowsPerGroup: Int
    private let tables: [TableStatistics]
    private let schema: Schema

    init(file: String, _ open: OpenDatabase) throws(StoreError) {
        let snapshot = open.snapshot.snapshot
        self.file = file
        version = open.snapshot.version.rawValue
        byteCount = try open.database.store.fileStatus().size
        freeByteCount = try snapshot.freeByteCount()
        rowsPerGroup = snapshot.rowsPerGroup
        var tables: [TableStatistics] = []
        for schema in snapshot.schema.classes {
            if let table = snapshot.table(schema.id) { tables.append(try table.statistics()) }
        }
        self.tables = tables
        schema = snapshot.schema
    }

    var text: String {
        var text = "\(SafeText.escaping(file)): version \(version), \(Amounts.bytes(byteCount))"
        text += ", \(Amounts.bytes(freeByteCount)) of it free\n"
        for table in tables { text += self.text(of: table) }
        return text
    }

    private func text(of table: TableStatistics) -> String {
        var text = "\n\(SafeText.escaping(table.schema.name)): "
        text += Amounts.count(UInt64(clamping: table.objectCount), "object")
        text += ", " + Amounts.count(UInt64(clamping: table.columns.count), "property")
        text += ", " + Amounts.count(UInt64(clamping: table.rowGroupCount), "row group") + "\n"
        var rows = [["", "type", "nulls", "raw", "stored", "ratio", "encoding"]]
        rows += table.columns.map { column in
            [
                SafeText.escaping(column.property.name),
                SafeText.escaping(schema.typeName(column.property.type)),
                Amounts.count(column.nullCount), Amounts.bytes(column.rawByteCount),
                Amounts.bytes(column.storedByteCount), StatsReport.ratio(column),
                StatsReport.encodings(column),
            ]
        }
        return text + TextColumns.aligned(rows, right: [2, 3, 4, 5])
    }

    /// Raw bytes per stored byte, with one digit behind the point.
    private static func ratio(_ column: ColumnStatistics) -> String {
        guard column.storedByteCount > 0 else { return "" }
        let tenths =
            (column.rawByteCount * 10 + column.storedByteCount / 2) / column.storedByteCount
        return "\(tenths / 10).\(tenths % 10)"
    }

    /// The encodings of the pages, the most frequent first.
    private static func encodings(_ column: ColumnStatistics) -> String {
        column.pagesByEncoding
            .sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
            .map { "\($0.key)" }.joined(separator: ", ")
    }

    var json: String {
        var json = JSONObject()
        json.add("v", 1)
        json.add("type", "stats")
        json.add("file", file)
        json.add("version", Int64(clamping: version))
        json.add("bytes", Int64(clamping: byteCount))
        json.add("free", Int64(clamping: freeByteCount))
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

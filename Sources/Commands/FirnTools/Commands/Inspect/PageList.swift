import FirnCodec
import FirnEngine
import FirnFormats
import FirnValues

/// The column pages that `stats --pages` lists.
struct PageList {
    private let pages: [ClassID: [PageStatistics]]

    init(_ snapshot: Snapshot) throws(StoreError) {
        var pages: [ClassID: [PageStatistics]] = [:]
        for schema in snapshot.schema.classes {
            pages[schema.id] = try snapshot.table(schema.id)?.pageStatistics()
        }
        self.pages = pages
    }

    /// Returns a table of the pages of a class; empty if it has none.
    func text(of classID: ClassID) -> String {
        guard let pages = pages[classID], !pages.isEmpty else { return "" }
        var rows = [
            [
                "group", "column", "offset", "rows", "nulls", "raw", "stored", "encoding", "min",
                "max",
            ]
        ]
        rows += pages.map { page in
            [
                "\(page.rowGroup)", PageList.name(page), "\(page.offset)",
                Formatting.count(UInt64(page.rowCount)),
                Formatting.count(UInt64(page.zone.nullCount)),
                Formatting.bytes(page.rawByteCount), Formatting.bytes(page.storedByteCount),
                "\(page.encoding)", PageList.shown(page.zone.minimum),
                PageList.shown(page.zone.maximum),
            ]
        }
        return "\n" + TextColumns.aligned(rows, right: [0, 2, 3, 4, 5, 6])
    }

    func records(of classID: ClassID) -> [JSONObject] {
        (pages[classID] ?? []).map { page in
            var json = JSONObject()
            json.add("group", Int64(page.rowGroup))
            json.add("property", page.property.name)
            json.add("part", page.part)
            json.add("offset", Int64(clamping: page.offset))
            json.add("rows", Int64(page.rowCount))
            json.add("nulls", Int64(page.zone.nullCount))
            json.add("raw", Int64(clamping: page.rawByteCount))
            json.add("stored", Int64(clamping: page.storedByteCount))
            json.add("encoding", "\(page.encoding)")
            if let minimum = page.zone.minimum { json.add("min", PageList.text(minimum)) }
            if let maximum = page.zone.maximum { json.add("max", PageList.text(maximum)) }
            return json
        }
    }

    private static func name(_ page: PageStatistics) -> String {
        let name = SafeText.escaping(page.property.name)
        return page.part == "values" ? name : "\(name) \(page.part)"
    }

    private static func shown(_ value: Value?) -> String {
        guard let value else { return "" }
        let text = SafeText.escaping(text(value))
        return text.count <= 20 ? text : text.prefix(19) + "\u{2026}"
    }

    private static func text(_ value: Value) -> String {
        if case .string(let text) = value { text } else { value.quoted }
    }
}

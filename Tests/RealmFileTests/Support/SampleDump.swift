import FirnValues
import RealmFile

/// The contents of a Realm file as lines of JSON, in the form of the expected contents of the
/// samples: one line for each class, then one for each object.
///
/// The lines show every bit: numbers as bits, exponents of decimals, bytes of texts that are not
/// UTF-8. Long texts and data are shown as digests.
struct SampleDump {
    private static let shownMax = 4096
    private let reader: RealmReader
    private let write: (String) -> Void

    init(_ reader: RealmReader, _ write: @escaping (String) -> Void) {
        self.reader = reader
        self.write = write
    }

    /// Returns the dump as one text.
    static func text(_ reader: RealmReader) throws(RealmFileError) -> String {
        var text = ""
        try SampleDump(reader) { text += $0 + "\n" }.run()
        return text
    }

    func run() throws(RealmFileError) {
        for realmClass in reader.classes { write(heading(realmClass)) }
        for realmClass in reader.classes {
            let objects = reader.objects(of: realmClass)
            while let cluster = try objects.next() { try dump(cluster, realmClass) }
        }
    }

    // MARK: Classes

    private func heading(_ realmClass: RealmClass) -> String {
        let key = realmClass.primaryKey.map { JSONText.quoted(realmClass.columns[$0].name) }
        let columns = realmClass.columns.map(heading).joined(separator: ",")
        return "{\"$table\":\(JSONText.quoted(realmClass.name)),"
            + "\"kind\":\"\(realmClass.kind.rawValue)\",\"pk\":\(key ?? "null"),"
            + "\"count\":\(realmClass.objectCount),\"columns\":[\(columns)]}"
    }

    private func heading(_ column: RealmColumn) -> String {
        let type: String =
            switch column.type {
            case .objectID: "objectId"
            default: "\(column.type)"
            }
        let container: String =
            switch column.container {
            case nil: "null"
            case .list: "\"list\""
            case .set: "\"set\""
            case .dictionary: "\"dict\""
            }
        var text =
            "{\"name\":\(JSONText.quoted(column.name)),\"type\":\"\(type)\","
            + "\"nullable\":\(column.isNullable),\"collection\":\(container)"
        if let target = column.target {
            text += ",\"target\":\(JSONText.quoted(reader.classes[target].name))"
        }
        if column.container == .dictionary {
            text += ",\"keys\":\"\(column.hasIntegerKeys ? "int" : "string")\""
        }
        return text + "}"
    }

    // MARK: Objects

    private func dump(
        _ cluster: Cluster, _ realmClass: RealmClass
    ) throws(RealmFileError) {
        var columns: [ClusterColumn] = []
        for column in realmClass.columns {
            columns.append(try reader.column(column, in: cluster))
        }
        let start = "{\"$class\":\(JSONText.quoted(realmClass.name)),\"$key\":"
        let names = realmClass.columns.map { "," + JSONText.quoted($0.name) + ":" }
        for (row, key) in cluster.keys.enumerated() {
            var line = start + "\(key)"
            for (name, column) in zip(names, columns) {
                line += name + (try text(try reader.value(column, row)))
            }
            write(line + "}")
        }
    }

    private func text(_ value: RealmValue) throws(RealmFileError) -> String {
        switch value {
        case .null, .unresolvedLink: return "null"
        case .bool(let value): return "\(value)"
        case .int(let value): return "\(value)"
        case .float(let bits): return "{\"$float\":\"\(JSONText.digits(UInt64(bits), 8))\"}"
        case .double(let bits): return "{\"$double\":\"\(JSONText.digits(bits, 16))\"}"
        case .string(let text):
            let count = text.utf8.count
            guard count > SampleDump.shownMax else { return JSONText.quoted(text) }
            return "{\"$text\":{\"len\":\(count),"
                + "\"sha256\":\"\(SHA256.digits(of: Array(text.utf8)))\"}}"
        case .invalidText(let bytes): return "{\"$rawtext\":\"\(Base64.encoded(bytes))\"}"
        case .data(let bytes):
            guard bytes.count > SampleDump.shownMax else {
                return "{\"$data\":\"\(Base64.encoded(bytes))\"}"
            }
            return "{\"$data\":{\"len\":\(bytes.count),\"sha256\":\"\(SHA256.digits(of: bytes))\"}}"
        case .date(let date): return "{\"$date\":[\(date.seconds),\(date.nanoseconds)]}"
        case .decimal(let number): return "{\"$decimal\":\"\(SampleDump.text(number))\"}"
        case .objectID(let id): return "{\"$oid\":\"\(id)\"}"
        case .uuid(let id): return "{\"$uuid\":\"\(id)\"}"
        case .link(let link):
            let name = JSONText.quoted(reader.classes[link.classIndex].name)
            return "{\"$link\":[\(name),\(link.key)]}"
        case .collection(let collection): return try text(collection)
        }
    }

    private static func text(_ number: Decimal128) -> String {
        let sign = number.isNegative ? "-" : ""
        if number.isNaN { return sign + (number.isSignalling ? "sNaN" : "NaN") }
        if number.isInfinite { return sign + "Inf" }
        return "\(sign)\(number.parts.coefficient)E\(number.parts.exponent)"
    }

    // MARK: Collections

    private func text(_ collection: RealmCollection) throws(RealmFileError) -> String {
        switch collection.kind {
        case .list: return "[" + (try elements(collection)).joined(separator: ",") + "]"
        case .set:
            let sorted = try elements(collection).sorted { Array($0.utf8).precedes($1.utf8) }
            return "{\"$set\":[" + sorted.joined(separator: ",") + "]}"
        case .dictionary: return try dictionary(collection)
        }
    }

    private func elements(_ collection: RealmCollection) throws(RealmFileError) -> [String] {
        var texts: [String] = []
        let elements = reader.elements(of: collection)
        while let element = try elements.next() {
            // A list has no places for objects that have not arrived; values of any type have.
            if case .unresolvedLink = element, collection.dropsUnresolvedLinks { continue }
            texts.append(try text(element))
        }
        return texts
    }

    private func dictionary(_ collection: RealmCollection) throws(RealmFileError) -> String {
        var entries: [(key: RealmValue, text: String)] = []
        let cursor = try reader.entries(of: collection)
        while let (key, value) = try cursor.next() {
            entries.append((key, "[\(try text(key)),\(try text(value))]"))
        }
        entries.sort { left, right in
            switch (left.key, right.key) {
            case (.int(let left), .int(let right)): left < right
            case (.string(let left), .string(let right)):
                Array(left.utf8).precedes(right.utf8)
            default: left.text < right.text
            }
        }
        return "{\"$dict\":[" + entries.map(\.text).joined(separator: ",") + "]}"
    }
}

extension [UInt8] {
    /// Whether these bytes come before others, compared as unsigned.
    fileprivate func precedes(_ other: some Sequence<UInt8>) -> Bool {
        lexicographicallyPrecedes(other)
    }
}

/// JSON as in the expected contents.
private enum JSONText {
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                quoted += "\\"
                quoted.unicodeScalars.append(scalar)
            case "\u{0}"..<" ": quoted += "\\u" + digits(UInt64(scalar.value), 4)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    static func digits(_ number: UInt64, _ count: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: count - digits.count) + digits
    }
}

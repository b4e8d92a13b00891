import FirnValues
package import RealmFile

/// The contents of a Realm file as lines of JSON, in the form of the expected contents of the
/// samples: one line for each class, then one for each object.
package struct SampleDump {
    private let reader: RealmReader
    private let hasDatesOfOneSign: Bool
    private let write: (String) -> Void

    /// - Parameter hasDatesOfOneSign: whether dates are shown in the one form that a database
    ///   has, and not as they are stored.
    package init(
        _ reader: RealmReader, hasDatesOfOneSign: Bool = false,
        _ write: @escaping (String) -> Void
    ) {
        self.reader = reader
        self.hasDatesOfOneSign = hasDatesOfOneSign
        self.write = write
    }

    /// Returns the dump as one text.
    package static func text(_ reader: RealmReader) throws(RealmFileError) -> String {
        var text = ""
        try SampleDump(reader) { text += $0 + "\n" }.run()
        return text
    }

    package func run() throws(RealmFileError) {
        for realmClass in reader.classes { write(heading(realmClass)) }
        for realmClass in reader.classes {
            let objects = reader.objects(of: realmClass)
            while let cluster = try objects.next() { try dump(cluster, realmClass) }
        }
    }

    // MARK: Classes

    private func heading(_ realmClass: RealmClass) -> String {
        SampleText.heading(
            realmClass.name, kind: realmClass.kind.rawValue,
            key: realmClass.primaryKey.map { realmClass.columns[$0].name },
            count: realmClass.objectCount, columns: realmClass.columns.map(heading))
    }

    private func heading(_ column: RealmColumn) -> String {
        let isDictionary = column.container == .dictionary
        return SampleText.column(
            column.name, type: column.type == .objectID ? "objectId" : "\(column.type)",
            isNullable: column.isNullable,
            container: isDictionary ? "dict" : column.container?.rawValue,
            target: column.target.map { reader.classes[$0].name },
            keys: isDictionary ? column.hasIntegerKeys ? "int" : "string" : nil)
    }

    // MARK: Objects

    private func dump(
        _ cluster: Cluster, _ realmClass: RealmClass
    ) throws(RealmFileError) {
        var columns: [ClusterColumn] = []
        for column in realmClass.columns {
            columns.append(try reader.column(column, in: cluster))
        }
        let start = "{\"$class\":\(SampleText.quoted(realmClass.name)),\"$key\":"
        let names = realmClass.columns.map { "," + SampleText.quoted($0.name) + ":" }
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
        case .null, .unresolvedLink: "null"
        case .bool(let value): "\(value)"
        case .int(let value): "\(value)"
        case .float(let bits): SampleText.float(bits)
        case .double(let bits): SampleText.double(bits)
        case .string(let text): SampleText.string(text)
        case .invalidText(let bytes): SampleText.rawText(bytes)
        case .data(let bytes): SampleText.data(bytes)
        case .date(let date):
            hasDatesOfOneSign
                ? SampleText.dateOfOneSign(
                    seconds: date.seconds, nanoseconds: date.nanoseconds)
                : SampleText.date(seconds: date.seconds, nanoseconds: date.nanoseconds)
        case .decimal(let number): SampleText.decimal(number)
        case .objectID(let id): SampleText.objectID(id)
        case .uuid(let id): SampleText.uuid(id)
        case .link(let link): SampleText.link(reader.classes[link.classIndex].name, link.key)
        case .collection(let collection): try text(collection)
        }
    }

    // MARK: Collections

    private func text(_ collection: StoredCollection) throws(RealmFileError) -> String {
        switch collection.kind {
        case .list: SampleText.list(try elements(collection))
        case .set: SampleText.set(try elements(collection))
        case .dictionary: SampleText.dictionary(try entries(collection))
        }
    }

    private func elements(_ collection: StoredCollection) throws(RealmFileError) -> [String] {
        var texts: [String] = []
        let elements = reader.elements(of: collection)
        while let element = try elements.next() {
            // A list has no places for objects that have not arrived; values of any type have.
            if case .unresolvedLink = element, collection.dropsUnresolvedLinks { continue }
            texts.append(try text(element))
        }
        return texts
    }

    private func entries(
        _ collection: StoredCollection
    ) throws(RealmFileError) -> [(key: SampleText.Key, value: String)] {
        var entries: [(key: SampleText.Key, value: String)] = []
        let cursor = try reader.entries(of: collection)
        while let (key, value) = try cursor.next() {
            let shown: SampleText.Key =
                switch key {
                case .int(let number): .int(number)
                case .invalidText(let bytes): .rawText(bytes)
                case .string(let text): .string(text)
                default: .string("")
                }
            entries.append((shown, try text(value)))
        }
        return entries
    }
}

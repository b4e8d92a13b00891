import FirnEngine
import FirnValues
import RealmFile

/// Converts values of a Realm file to values of a database.
final class ValueConversion {
    private let reader: RealmReader
    /// The identities of objects and of classes, by the classes of the file.
    private let indices: [ObjectIndex]
    private let classIDs: [ClassID?]
    private let isEmbedded: [Bool]
    private(set) var owned: [OwnedObjects]
    var report: RealmImportReport
    /// Whether values are converted once more, so that their owners are known.
    var isRepeating = false

    init(
        _ reader: RealmReader, _ indices: [ObjectIndex], _ classIDs: [ClassID?],
        isEmbedded: [Bool], _ report: RealmImportReport
    ) {
        self.reader = reader
        self.indices = indices
        self.classIDs = classIDs
        self.isEmbedded = isEmbedded
        self.report = report
        owned = [OwnedObjects](repeating: OwnedObjects(), count: indices.count)
    }

    /// Returns a single value, or an element.
    func value(_ value: RealmValue) throws(RealmImportError) -> Value {
        switch value {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .int(let value): return .int(value)
        case .float(let bits): return .float(Float(bitPattern: bits))
        case .double(let bits): return .double(Double(bitPattern: bits))
        case .string(let text): return .string(text)
        case .invalidText(let bytes): return .string(repaired(bytes))
        case .data(let bytes): return .data(bytes)
        case .date(let date):
            if date.isBeforeFirst { report.changedDates += 1 }
            return .date(Timestamp(date))
        case .decimal(let number): return .decimal128(number)
        case .objectID(let id): return .objectID(id)
        case .uuid(let id): return .uuid(id)
        case .link(let link): return try reference(link).map { .link($0) } ?? .null
        case .unresolvedLink:
            report.unresolvedLinks += 1
            return .null
        case .collection(let collection):
            if case .dictionary = collection.kind { return .map(try map(collection)) }
            return .list(try elements(collection))
        }
    }

    func repaired(_ bytes: [UInt8]) -> String {
        report.repairedTexts += 1
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the value, or nil or an empty one in place of text or data that is too long for an
    /// element or a value of any type.
    ///
    /// Realm itself reads such an element as nil.
    func fitting(_ value: Value, isNullable: Bool) -> Value {
        let count: Int
        let empty: Value
        switch value {
        case .string(let text): (count, empty) = (text.utf8.count, .string(""))
        case .data(let bytes): (count, empty) = (bytes.count, .data([]))
        default: return value
        }
        guard count > WriteTransaction.elementByteCountMaximum else { return value }
        report.longElements += 1
        return isNullable ? .null : empty
    }

    // MARK: Links

    /// Returns the object that a link leads to; `nil` if there is none.
    func reference(_ link: RealmLink) throws(RealmImportError) -> ObjectReference? {
        guard let classID = classIDs[link.classIndex],
            let row = indices[link.classIndex].row(link.key)
        else {
            report.unresolvedLinks += 1
            return nil
        }
        if isEmbedded[link.classIndex], !isRepeating, !owned[link.classIndex].insert(row) {
            throw .realm(
                RealmFileError(
                    .damaged,
                    "an embedded object of \(reader.classes[link.classIndex].name) has two owners"))
        }
        return ObjectReference(classID: classID, rowID: row)
    }

    // MARK: Collections

    /// Returns the elements of a list or set.
    func elements(_ collection: StoredCollection) throws(RealmImportError) -> [Value] {
        var values: [Value] = []
        let elements = reader.elements(of: collection)
        while let part = try reading({ () throws(RealmFileError) in try elements.nextPart() }) {
            values.reserveCapacity(values.count + part.count)
            for element in part {
                let value = fitting(try value(element), isNullable: collection.isNullable)
                // Lists and sets of links have no nil.
                if value.isNull, collection.dropsUnresolvedLinks { continue }
                values.append(value)
            }
        }
        return values
    }

    /// Returns the entries of a dictionary.
    func map(_ collection: StoredCollection) throws(RealmImportError) -> TextMap<Value> {
        var map: TextMap<Value> = [:]
        let entries = try reading { () throws(RealmFileError) in
            try reader.entries(of: collection)
        }
        while let (key, value) = try reading({ () throws(RealmFileError) in try entries.next() }) {
            map[uniqueKey(key, in: map)] = fitting(try self.value(value), isNullable: true)
        }
        return map
    }

    private func uniqueKey(_ key: RealmValue, in map: TextMap<Value>) -> String {
        var text =
            switch key {
            case .int(let number): "\(number)"
            case .string(let text): text
            case .invalidText(let bytes): repaired(bytes)
            default: ""
            }
        if text.utf8.contains(UInt8(ascii: ".")) || text.utf8.first == UInt8(ascii: "$") {
            report.changedKeys += 1
            text = text.replacing(".", with: "_")
            if text.utf8.first == UInt8(ascii: "$") { text = "_" + text }
        }
        while map[text] != nil { text += "_" }
        return text
    }
}

/// Reads from the file; its errors become errors of the import.
func reading<Result>(
    _ body: () throws(RealmFileError) -> Result
) throws(RealmImportError) -> Result {
    do { return try body() } catch { throw .realm(error) }
}

/// Writes to the database; its errors become errors of the import.
func writing<Result>(
    _ body: () throws(StoreError) -> Result
) throws(RealmImportError) -> Result {
    do { return try body() } catch { throw .store(error) }
}

extension RealmDate {
    /// Whether the date is before the first one that a database can hold.
    var isBeforeFirst: Bool { seconds == .min && nanoseconds < 0 }
}

extension Timestamp {
    /// A point in time with nanoseconds of either sign.
    init(_ date: RealmDate) {
        self.init(seconds: date.seconds, nanoseconds: date.nanoseconds)
    }
}

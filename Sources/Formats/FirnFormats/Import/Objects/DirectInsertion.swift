package import FirnEngine
package import FirnText
package import FirnValues

/// Creates objects from the records of an input whose fields are single values, without a tree and
/// a plan for each record.
///
/// A record that needs more is left to the caller, and nothing has changed: a record with lists,
/// with an unusual form of a value, or with a mistake. Links to objects that do not exist yet are
/// stored for later, or left to the caller, too.
package final class DirectInsertion {
    package enum Outcome {
        case inserted(ObjectReference, ClassSchema)
        /// The next record has to be read in another way, or there is none.
        case left
    }

    package enum Failure: Error {
        case input(InputError)
        case store(StoreError)
    }

    /// The number of records left to the caller after which direct insertion is given up, if most
    /// records were left.
    private static let leftMax = 1_024

    package let transaction: WriteTransaction
    private let json: JSONRecords?
    private let table: TableRecords?
    private let names: FieldNames
    private let links: KeyedLinks?
    /// The class of records that do not name one.
    private let defaultClass: DirectClass?
    private var classes: TextMap<DirectClass> = [:]
    // Exclusivity is not checked at run time: nothing calls back while these change, and the checks
    // took a tenth of the time of an import.
    /// The last class that a record named.
    @exclusivity(unchecked) private var recent: (name: [UInt8], found: DirectClass)?
    /// The properties of the columns of a table.
    private let tableColumns: [Int]
    @exclusivity(unchecked) private var values: [Value] = []
    /// Per property, the number of the last record that gave it.
    @exclusivity(unchecked) private var givenIn: [UInt64] = []
    @exclusivity(unchecked) private var recordNumber: UInt64 = 0
    @exclusivity(unchecked) private var leftCount = 0

    /// - Parameters:
    ///   - className: the class of records that name no class.
    ///   - nullText: a text that means null in tables.
    ///   - links: receives links to objects that come later. Until these are set, objects must not
    ///     be changed; `nil` leaves such records to the caller.
    /// - Returns: `nil` if no record of the input can be inserted directly.
    package init?(
        _ records: any RecordSource, into transaction: WriteTransaction, className: String?,
        names: FieldNames, nullText: String?, links: KeyedLinks? = nil
    ) {
        self.transaction = transaction
        self.links = links
        self.names = names
        json = records as? JSONRecords
        table = records as? TableRecords
        let schema = transaction.schema
        defaultClass = className.flatMap { schema.classNamed($0) }.flatMap {
            $0.isEmbedded ? nil : DirectClass($0, ClassFields($0, names), in: schema, links: links)
        }
        var columns: [Int] = []
        if let table {
            guard nullText == nil, table.cells.numbers == nil, let defaultClass else { return nil }
            for name in table.columnNames ?? [] {
                guard case .property(let index) = defaultClass.slot(name),
                    !columns.contains(index)
                else { return nil }
                columns.append(index)
            }
            guard defaultClass.isComplete(where: { columns.contains($0) }) else { return nil }
        }
        tableColumns = columns
        guard json != nil || table != nil else { return nil }
    }

    /// Inserts the next record, if it can be inserted directly.
    package func insertNext() throws(Failure) -> Outcome {
        // Most records of the input are of another form.
        guard leftCount < DirectInsertion.leftMax || recordNumber > UInt64(leftCount) * 2 else {
            return .left
        }
        let outcome: Outcome
        if let json {
            outcome = try insert(json)
        } else if let table {
            outcome = try insert(table)
        } else {
            return .left
        }
        if case .left = outcome { leftCount += 1 }
        return outcome
    }

    // MARK: JSON

    private func insert(_ json: JSONRecords) throws(Failure) -> Outcome {
        do { guard try json.nextFlat() else { return .left } } catch { throw .input(error) }
        do {
            if let outcome = try insert(json.flat) { return outcome }
        } catch { throw .store(error) }
        json.returnFlat()
        return .left
    }

    private func insert(_ object: FlatObject) throws(StoreError) -> Outcome? {
        guard let type = type(of: object) else { return nil }
        begin(type)
        var row: RowID?
        for index in object.members.indices {
            let member = object.members[index]
            switch type.slot(member.name, at: index) {
            case .property(let column):
                guard givenIn[column] != recordNumber,
                    let value = try type.value(member, column, transaction)
                else { return nil }
                givenIn[column] = recordNumber
                values[column] = value
            case .identity:
                guard row == nil, member.kind == .number,
                    let number = NumberText.int(member.text), let given = UInt64(exactly: number)
                else { return nil }
                row = RowID(given)
            case .className: guard index == 0 else { return nil }
            case .other: return nil
            }
        }
        // A key is the identity; the `$id` belongs to another database.
        if type.schema.key != nil { row = nil }
        return try create(type, row, at: object.position)
    }

    /// Returns the class that an object names first, or the class of records that do not name one.
    private func type(of object: FlatObject) -> DirectClass? {
        guard let first = object.members.first, first.kind == .string,
            first.name.first == UInt8(ascii: "$"),
            first.name.elementsEqual(ReservedName.className.utf8)
        else { return defaultClass }
        // Whether it is the class or a value needs the names of all classes.
        if defaultClass?.fields.property(of: ReservedName.className) != nil { return nil }
        if let recent, recent.name.withUnsafeBufferPointer({ FlatObject.equals(first.text, $0) }) {
            return recent.found
        }
        let name = String(decoding: first.text, as: UTF8.self)
        guard let found = classes[name] ?? named(name) else { return nil }
        classes[name] = found
        recent = (Array(first.text), found)
        return found
    }

    private func named(_ name: String) -> DirectClass? {
        let schema = transaction.schema
        guard let type = schema.classNamed(name), !type.isEmbedded else { return nil }
        return DirectClass(type, ClassFields(type, names), in: schema, links: links)
    }

    // MARK: Tables

    private func insert(_ table: TableRecords) throws(Failure) -> Outcome {
        do { guard try table.nextRow() else { return .left } } catch { throw .input(error) }
        do {
            if let outcome = try insert(table.row) { return outcome }
        } catch { throw .store(error) }
        table.returnRow()
        return .left
    }

    private func insert(_ row: RowView) throws(StoreError) -> Outcome? {
        guard let type = defaultClass, row.count == tableColumns.count else { return nil }
        begin(type)
        for (index, column) in tableColumns.enumerated() {
            let value =
                row.isNull(index)
                ? type.null(column) : try type.value(cell: row.text(index), column, transaction)
            guard let value else { return nil }
            givenIn[column] = recordNumber
            values[column] = value
        }
        return try create(type, nil, at: TextPosition(offset: 0, line: row.line))
    }

    // MARK: Objects

    private func begin(_ type: DirectClass) {
        recordNumber += 1
        type.begin()
        if givenIn.count < type.absent.count {
            givenIn += Array(repeating: 0, count: type.absent.count - givenIn.count)
        }
        if values.count != type.absent.count {
            values = type.absent
        }
    }

    /// - Returns: `nil` if the object has a mistake.
    private func create(
        _ type: DirectClass, _ row: RowID?, at position: TextPosition
    ) throws(StoreError) -> Outcome? {
        for index in values.indices where givenIn[index] != recordNumber {
            values[index] = type.absent[index]
        }
        guard type.isComplete(where: { givenIn[$0] == recordNumber }) else { return nil }
        if let key = type.schema.key, let index = type.schema.index(of: key),
            givenIn[index] != recordNumber
        {
            return nil
        }
        let classID = type.schema.id
        do throws(StoreError) {
            let created: RowID
            if let row {
                guard try row >= transaction.nextRowID(in: classID) else {
                    return nil
                }
                created = try transaction.create(in: classID, values, at: row)
            } else {
                created = try transaction.create(in: classID, values)
            }
            for (column, key) in type.pending { note(key, of: created, column, position) }
            return .inserted(ObjectReference(classID: classID, rowID: created), type.schema)
        } catch {
            // These change nothing, and the planner says where the mistake is.
            guard [.duplicateKey, .missingValue, .invalidValue].contains(error.code) else {
                throw error
            }
            return nil
        }
    }

    /// Stores a link to an object that comes later.
    private func note(
        _ key: Value, of row: RowID, _ column: KeyedLinks.Column, _ position: TextPosition
    ) {
        guard let links else { return }
        column.append(
            row, key,
            at: KeyedLinks.Occurrence(
                position: position, input: json?.name ?? table?.name ?? "",
                order: links.nextOrder()))
    }
}

import FirnCodec
import FirnValues

/// The encoded operations of a transaction, in the order in which they were made.
///
/// Each operation is written directly into one buffer; ``Operation`` describes the encoding. An
/// operation that cannot be written leaves no bytes.
struct RecordedOperations: Sendable {
    /// The capacity of a frame in bytes; a transaction with more operations writes its own pages.
    static let byteCountMaximum = CodecLimits.taggedBytesMax

    /// A position to which the recording can be rolled back.
    struct Mark: Sendable {
        fileprivate let byteCount: Int
        fileprivate let count: Int
        fileprivate let selected: ClassID?
    }

    private(set) var count = 0
    private var writer = ByteWriter()
    /// The class of an operation that does not name one.
    private var selected: ClassID?

    init() {}

    /// Adopts operations recorded elsewhere, which are validated only when they are read.
    init(bytes: [UInt8], count: Int) {
        writer = ByteWriter(continuing: bytes)
        self.count = count
    }

    var bytes: [UInt8] { writer.bytes }
    var byteCount: Int { writer.count }
    var isEmpty: Bool { count == 0 }

    /// Returns the operations of an annotated commit.
    ///
    /// - Returns: The annotation, then these operations.
    func annotated(with annotation: Annotation?) -> RecordedOperations {
        guard let annotation else { return self }
        var writer = ByteWriter()
        annotation.write(to: &writer)
        return RecordedOperations(bytes: writer.bytes + bytes, count: count + 1)
    }

    // MARK: Rolling back

    var mark: Mark { Mark(byteCount: writer.count, count: count, selected: selected) }

    /// Discards the operations recorded since a mark.
    mutating func truncate(to mark: Mark) {
        writer.truncate(to: mark.byteCount)
        count = mark.count
        selected = mark.selected
    }

    /// Discards all operations and keeps the memory.
    mutating func removeAll() {
        writer.removeAll()
        count = 0
        selected = nil
    }

    // MARK: Recording

    /// - Throws: ``CodecError`` with `tooLarge` if values are nested more deeply than the data
    ///   rules allow; the other methods throw the same error.
    mutating func append(_ operation: Operation) throws(CodecError) {
        switch operation {
        case .create(let classID, let row, let values):
            try appendCreate(classID, row, values)
        case .set(let classID, let row, let property, let value):
            try appendSet(classID, row, property, value)
        case .edit(let classID, let row, let property, let edit):
            try appendEdit(classID, row, property, edit)
        case .delete(let classID, let row): appendDelete(classID, row)
        case .schema, .freeze, .dropFreeze, .annotate: try appendRare(operation)
        }
    }

    mutating func appendCreate(
        _ classID: ClassID, _ row: RowID, _ values: [Value]
    ) throws(CodecError) {
        let mark = mark
        begin(.create, classID)
        writer.varint(row.rawValue)
        writer.varint(UInt64(values.count))
        do throws(CodecError) {
            try writer.taggedValues(values, depth: Operation.valueDepth)
        } catch {
            truncate(to: mark)
            throw error
        }
        count += 1
    }

    mutating func appendSet(
        _ classID: ClassID, _ row: RowID, _ property: PropertyID, _ value: Value
    ) throws(CodecError) {
        let mark = mark
        begin(.set, classID)
        writer.varint(row.rawValue)
        writer.varint(UInt64(property.rawValue))
        try write(value, orReturnTo: mark)
        count += 1
    }

    mutating func appendEdit(
        _ classID: ClassID, _ row: RowID, _ property: PropertyID, _ edit: CollectionEdit
    ) throws(CodecError) {
        let mark = mark
        begin(edit.code, classID)
        writer.varint(row.rawValue)
        writer.varint(UInt64(property.rawValue))
        do throws(CodecError) {
            try edit.writeFields(to: &writer)
        } catch {
            truncate(to: mark)
            throw error
        }
        count += 1
    }

    mutating func appendDelete(_ classID: ClassID, _ row: RowID) {
        begin(.delete, classID)
        writer.varint(row.rawValue)
        count += 1
    }

    /// Appends an operation that changes no object and names its own class.
    private mutating func appendRare(_ operation: Operation) throws(CodecError) {
        let mark = mark
        do throws(CodecError) {
            switch operation {
            case .schema(let change):
                writer.u8(change.code.rawValue)
                try change.writeFields(to: &writer)
            case .freeze(let freeze):
                writer.u8(Operation.Code.freeze.rawValue)
                freeze.writeFields(to: &writer)
            case .dropFreeze(let name):
                writer.u8(Operation.Code.dropFreeze.rawValue)
                writer.string(name)
            case .annotate(let annotation):
                annotation.write(to: &writer)
            case .create, .set, .edit, .delete:
                preconditionFailure("an operation on an object")
            }
        } catch {
            truncate(to: mark)
            throw error
        }
        count += 1
    }

    private mutating func begin(_ code: Operation.Code, _ classID: ClassID) {
        guard selected != classID else { return writer.u8(code.rawValue) }
        writer.u8(code.rawValue | Operation.classFollows)
        writer.varint(UInt64(classID.rawValue))
        selected = classID
    }

    private mutating func write(_ value: Value, orReturnTo mark: Mark) throws(CodecError) {
        do throws(CodecError) {
            try value.writeTagged(to: &writer, depth: Operation.valueDepth)
        } catch {
            truncate(to: mark)
            throw error
        }
    }
}

/// Two records are equal if their counts and bytes are equal, whatever class is selected.
extension RecordedOperations: Hashable {
    static func == (left: RecordedOperations, right: RecordedOperations) -> Bool {
        left.count == right.count && left.bytes == right.bytes
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        hasher.combine(bytes)
    }
}

import FirnCodec
import FirnValues

/// The encoding of operations: u8 code, and the fields of that code.
///
///     0  create   row, count, values       8  append   row, property, value
///     1  set      row, property, value     9  insert   row, property, position, value
///     2  delete   row                     10  replace  row, property, position, value
///                                         11  remove   row, property, position
///     32 ...      changes of the schema   12  move     row, property, position, position
///     48 freeze   name, version, zigzag   13  add      row, property, value
///                 created, u8 expires,    14  discard  row, property, value
///                 [zigzag], note          15  put      row, property, key, value
///     49 drop     name                    16  drop     row, property, key
///     50 annotate author, note            17  clear    row, property
///
/// Codes below 32 concern an object. They refer to the class of the previous operation of that
/// kind, unless the highest bit of the code is set: then the class follows the code. Rows,
/// properties, classes, counts and versions are varints, positions are zigzag, names and keys are
/// length and UTF-8, values are tagged.
extension Operation {
    enum Code: UInt8 {
        case create = 0
        case set = 1
        case delete = 2
        case append = 8
        case insert = 9
        case replace = 10
        case remove = 11
        case move = 12
        case add = 13
        case discard = 14
        case put = 15
        case drop = 16
        case clear = 17
        case addClasses = 32
        case renameClass = 33
        case removeClass = 34
        case addProperty = 35
        case renameProperty = 36
        case removeProperty = 37
        case setKey = 38
        case addInverse = 39
        case removeInverse = 40
        case setModelVersion = 41
        case freeze = 48
        case dropFreeze = 49
        case annotate = 50
    }

    /// The bit of a code that is set if the class follows it.
    static let classFollows: UInt8 = 0x80
    /// The elements of a property's own collection may be nested as deeply as a single value.
    static let valueDepth = -1

    /// Reads one operation from untrusted bytes.
    ///
    /// - Parameter selected: The class of an operation that does not name one.
    init(from reader: inout ByteReader, selected: inout ClassID?) throws(CodecError) {
        let code = try Code(from: &reader, selected: &selected)
        guard code.rawValue < Code.addClasses.rawValue, let classID = selected else {
            try self.init(rare: code, from: &reader)
            return
        }
        let row = RowID(try reader.varint())
        switch code {
        case .create: self = .create(classID, row, try Operation.values(from: &reader))
        case .delete: self = .delete(classID, row)
        case .set:
            let property = PropertyID(try reader.varint32())
            self = .set(classID, row, property, try Operation.value(from: &reader))
        default:
            let property = PropertyID(try reader.varint32())
            self = .edit(classID, row, property, try CollectionEdit(code, from: &reader))
        }
    }

    private init(rare code: Code, from reader: inout ByteReader) throws(CodecError) {
        switch code {
        case .freeze: self = .freeze(try Freeze(fieldsFrom: &reader))
        case .dropFreeze: self = .dropFreeze(try reader.string())
        case .annotate: self = .annotate(try Annotation(fieldsFrom: &reader))
        default: self = .schema(try SchemaChange(code, from: &reader))
        }
    }

    /// Reads the number of values that follow, each of which has at least its tag.
    static func valueCount(from reader: inout ByteReader) throws(CodecError) -> Int {
        let start = reader.offset
        let count = try reader.varint()
        guard count <= UInt64(ClassSchema.propertyCountMaximum), count <= UInt64(reader.remaining)
        else { throw CodecError(.corrupt, "more values than bytes or properties", at: start) }
        return Int(count)
    }

    private static func values(from reader: inout ByteReader) throws(CodecError) -> [Value] {
        let count = try valueCount(from: &reader)
        var values: [Value] = []
        values.reserveCapacity(count)
        for _ in 0..<count { values.append(try value(from: &reader)) }
        return values
    }

    static func value(from reader: inout ByteReader) throws(CodecError) -> Value {
        try Value(taggedFrom: &reader, depth: valueDepth)
    }
}

extension Operation.Code {
    /// Reads a code and the class after it, if there is one.
    ///
    /// An operation on an object has a class afterwards.
    init(from reader: inout ByteReader, selected: inout ClassID?) throws(CodecError) {
        let start = reader.offset
        let byte = try reader.u8()
        let namesClass = byte & Operation.classFollows != 0
        guard let code = Self(rawValue: byte & ~Operation.classFollows),
            !namesClass || code.rawValue < Self.addClasses.rawValue
        else { throw CodecError(.corrupt, "unknown operation \(byte)", at: start) }
        if namesClass { selected = ClassID(try reader.varint32()) }
        guard selected != nil || code.rawValue >= Self.addClasses.rawValue else {
            throw CodecError(.corrupt, "operation without a class", at: start)
        }
        self = code
    }
}

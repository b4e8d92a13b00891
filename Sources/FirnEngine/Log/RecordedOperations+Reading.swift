import FirnCodec
import FirnValues

extension RecordedOperations {
    /// Hands out the operations in their order.
    ///
    /// - Parameter path: of the file that they come from, for the error if they are damaged.
    /// - Throws: ``StoreError`` with `corrupt` at the first operation that is none; those before
    ///   were handed out already. And what the body throws.
    func forEach(
        in path: String, _ body: (Operation) throws(StoreError) -> Void
    ) throws(StoreError) {
        try bytes.withBytes { bytes throws(StoreError) in
            var reader = OperationReader(bytes, count: count)
            while let operation = try reader.next(in: path) { try body(operation) }
        }
    }

    /// All operations at once.
    func decoded() throws(CodecError) -> [Operation] {
        try bytes.withBytes { bytes throws(CodecError) in
            var reader = OperationReader(bytes, count: count)
            var operations: [Operation] = []
            while let operation = try reader.next() { operations.append(operation) }
            return operations
        }
    }
}

/// Reads recorded operations one by one.
struct OperationReader {
    /// What stands next.
    enum Step {
        case end
        case set(ClassID, RowID, PropertyID, Value)
        /// So many values follow, which the caller reads.
        case create(ClassID, RowID, valueCount: Int)
        case other(Operation)
    }

    /// Behind a step ``Step/create(_:_:valueCount:)`` at the first value.
    var reader: ByteReader
    private var selected: ClassID?
    private var remaining: Int

    /// - Parameter count: how many there must be.
    init(_ bytes: UnsafeRawBufferPointer, count: Int) {
        reader = ByteReader(bytes)
        remaining = count
    }

    /// Whether all operations were read that there must be.
    var isAtEnd: Bool { remaining == 0 }

    /// - Returns: `nil` behind the last one.
    mutating func next() throws(CodecError) -> Operation? {
        guard remaining > 0 else {
            try reader.finish()
            return nil
        }
        remaining -= 1
        return try Operation(from: &reader, selected: &selected)
    }

    /// The same for who takes the operations apart that there are most of.
    mutating func step() throws(CodecError) -> Step {
        guard remaining > 0 else {
            try reader.finish()
            return .end
        }
        remaining -= 1
        let start = (reader, selected)
        let code = try Operation.Code(from: &reader, selected: &selected)
        if let classID = selected, code == .set || code == .create {
            let row = RowID(try reader.varint())
            guard code == .create else {
                let property = PropertyID(try reader.varint32())
                return .set(classID, row, property, try Operation.value(from: &reader))
            }
            return .create(classID, row, valueCount: try Operation.valueCount(from: &reader))
        }
        (reader, selected) = start
        return .other(try Operation(from: &reader, selected: &selected))
    }

    /// Reads the next operation if it gives a property of a class another value, of which both are
    /// known.
    ///
    /// - Parameter isWanted: whether the value is one that the caller wants so.
    /// - Returns: `nil` if it is any other operation: then nothing was read.
    mutating func set(
        _ property: PropertyID, of classID: ClassID, _ isWanted: (Value) -> Bool
    ) throws(CodecError) -> (RowID, Value)? {
        guard remaining > 0 else { return nil }
        var ahead = reader
        let byte = try ahead.u8()
        guard byte & ~Operation.classFollows == Operation.Code.set.rawValue else { return nil }
        let namesClass = byte & Operation.classFollows != 0
        let meant = namesClass ? ClassID(try ahead.varint32()) : selected
        guard meant == classID else { return nil }
        let row = RowID(try ahead.varint())
        guard try ahead.varint32() == property.rawValue else { return nil }
        let value = try Operation.value(from: &ahead)
        guard isWanted(value) else { return nil }
        reader = ahead
        selected = classID
        remaining -= 1
        return (row, value)
    }

    /// The same as ``next()``, with the error that users see.
    mutating func next(in path: String) throws(StoreError) -> Operation? {
        do throws(CodecError) {
            return try next()
        } catch {
            throw damage(error, in: path)
        }
    }

    /// Bytes that are no operation, as users see it.
    func damage(_ error: CodecError, in path: String) -> StoreError {
        .corrupt(
            path,
            "an operation in the commit log, at byte \(error.offset ?? reader.offset): "
                + error.reason)
    }
}

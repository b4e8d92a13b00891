import FirnCodec
import FirnValues

extension RecordedOperations {
    /// Passes the operations to a closure in their order.
    ///
    /// - Parameter path: The path of their file, for the error if they are damaged.
    /// - Throws: ``StoreError`` with `corrupt` at the first invalid operation, after the closure
    ///   has received the operations before it; and the errors of the closure.
    func forEach(
        in path: String, _ body: (Operation) throws(StoreError) -> Void
    ) throws(StoreError) {
        try bytes.withBytes { bytes throws(StoreError) in
            var reader = OperationReader(bytes, count: count)
            while let operation = try reader.next(in: path) { try body(operation) }
        }
    }

    /// Returns all operations at once.
    func decoded() throws(CodecError) -> [Operation] {
        try bytes.withBytes { bytes throws(CodecError) in
            var reader = OperationReader(bytes, count: count)
            var operations: [Operation] = []
            while let operation = try reader.next() { operations.append(operation) }
            return operations
        }
    }
}

/// A reader that decodes recorded operations one by one.
struct OperationReader {
    /// The next operation, decoded or about to be decoded.
    enum Step {
        case end
        case set(ClassID, RowID, PropertyID, Value)
        /// A creation, followed by a number of values that the caller reads.
        case create(ClassID, RowID, valueCount: Int)
        case other(Operation)
    }

    /// The underlying reader, which is at the first value after ``Step/create(_:_:valueCount:)``.
    var reader: ByteReader
    private var selected: ClassID?
    private var remaining: Int

    /// - Parameter count: The expected number of operations.
    init(_ bytes: UnsafeRawBufferPointer, count: Int) {
        reader = ByteReader(bytes)
        remaining = count
    }

    /// Whether all expected operations were read.
    var isAtEnd: Bool { remaining == 0 }

    /// - Returns: `nil` after the last operation.
    mutating func next() throws(CodecError) -> Operation? {
        guard remaining > 0 else {
            try reader.finish()
            return nil
        }
        remaining -= 1
        return try Operation(from: &reader, selected: &selected)
    }

    /// Like ``next()``, but returns the most frequent operations without building an ``Operation``.
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

    /// Reads the next operation if it sets a known property of a known class.
    ///
    /// - Parameter isWanted: Whether the caller accepts the value in this form.
    /// - Returns: `nil`, without reading, if it is any other operation.
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

    /// Like ``next()``, but throws the error that users see.
    mutating func next(in path: String) throws(StoreError) -> Operation? {
        do throws(CodecError) {
            return try next()
        } catch {
            throw damage(error, in: path)
        }
    }

    /// Returns the error that users see for an invalid operation.
    func damage(_ error: CodecError, in path: String) -> StoreError {
        .corrupt(
            path,
            "an operation in the commit log, at byte \(error.offset ?? reader.offset): "
                + error.reason)
    }
}

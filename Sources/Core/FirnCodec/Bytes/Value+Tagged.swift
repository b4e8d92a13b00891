package import FirnValues

/// The form of any value: a scalar as in ``writeScalar(to:)``, a link or a collection.
///
///     u8 tag | link:  varint class, varint row
///            | list:  varint count, values
///            | set:   varint count, values, ascending by order, then by bytes
///            | map:   varint count, then per entry: varint length, UTF-8 of the key, value;
///                     ascending by the bytes of the keys
///
/// The form is canonical: equal values (`==`; sets in any order) have the same bytes, and every
/// other form is rejected by the reader. A collection is nested in at most 128 others.
extension Value {
    /// The maximum number of collections that enclose a collection.
    package static let nestingMax = 128

    /// Writes the value.
    ///
    /// - Parameter depth: the number of enclosing collections; -1 if the value may be a collection
    ///   whose elements count as separate values.
    /// - Throws: ``CodecError`` with `tooLarge` if collections nest more deeply than
    ///   ``nestingMax``.
    package func writeTagged(
        to writer: inout ByteWriter, depth: Int = 0
    ) throws(CodecError) {
        if tag.isCollection, depth >= Self.nestingMax {
            throw CodecError(.tooLarge, "collections nested in more than \(Self.nestingMax) others")
        }
        switch self {
        case .link(let reference):
            writer.u8(tag.rawValue)
            writer.varint(UInt64(reference.classID.rawValue))
            writer.varint(reference.rowID.rawValue)
        case .list(let values):
            writer.u8(tag.rawValue)
            writer.varint(UInt64(values.count))
            for value in values { try value.writeTagged(to: &writer, depth: depth + 1) }
        case .set(let values):
            let elements = try Self.canonical(values, depth: depth + 1)
            writer.u8(tag.rawValue)
            writer.varint(UInt64(elements.count))
            for element in elements { writer.bytes(element.bytes) }
        case .map(let entries):
            writer.u8(tag.rawValue)
            writer.varint(UInt64(entries.count))
            let sorted = entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            for (key, value) in sorted {
                writer.string(key)
                try value.writeTagged(to: &writer, depth: depth + 1)
            }
        default: writeScalar(to: &writer)
        }
    }

    /// Returns the elements of a set in order, without duplicates.
    private static func canonical(
        _ values: [Value], depth: Int
    ) throws(CodecError) -> [(value: Value, bytes: [UInt8])] {
        var elements: [(value: Value, bytes: [UInt8])] = []
        elements.reserveCapacity(values.count)
        for value in values {
            var writer = ByteWriter()
            try value.writeTagged(to: &writer, depth: depth)
            elements.append((value, writer.bytes))
        }
        elements.sort { precedes($0, $1) }
        var unique: [(value: Value, bytes: [UInt8])] = []
        unique.reserveCapacity(elements.count)
        for element in elements where unique.last?.bytes != element.bytes {
            unique.append(element)
        }
        return unique
    }

    /// Returns whether one element of a set precedes another.
    ///
    /// `1` and `1.0` are distinct elements that compare as equal; their bytes decide.
    private static func precedes<Bytes: Collection>(
        _ left: (value: Value, bytes: Bytes), _ right: (value: Value, bytes: Bytes)
    ) -> Bool where Bytes.Element == UInt8 {
        switch left.value.order(relativeTo: right.value) {
        case .less: true
        case .greater: false
        case .equal: left.bytes.lexicographicallyPrecedes(right.bytes)
        }
    }
}

extension Value {
    /// Reads an untrusted value.
    ///
    /// - Parameter depth: the number of enclosing collections, as for writing.
    package init(taggedFrom reader: inout ByteReader, depth: Int = 0) throws(CodecError) {
        let start = reader.offset
        let code = try reader.u8()
        // Ints are more frequent than all other kinds together.
        if code == ValueTag.int.rawValue {
            self = .int(try reader.zigzag())
            return
        }
        let tag = ValueTag(rawValue: code)
        if let scalar = try Value.scalar(
            tag, from: &reader, byteCountMax: CodecLimits.taggedBytesMax)
        {
            self = scalar
            return
        }
        guard let tag, tag == .link || tag.isCollection else {
            throw CodecError(.corrupt, "unknown kind of a value", at: start)
        }
        guard depth < Self.nestingMax || tag == .link else {
            throw CodecError(.corrupt, "collections nested too deeply", at: start)
        }
        switch tag {
        case .link:
            let classID = try reader.count(max: Int(UInt32.max))
            self = .link(
                ObjectReference(
                    classID: ClassID(UInt32(truncatingIfNeeded: classID)),
                    rowID: RowID(try reader.varint())))
        case .map: self = .map(try Self.entries(from: &reader, depth: depth + 1))
        case .set: self = .set(try Self.elements(from: &reader, depth: depth + 1, isSet: true))
        default: self = .list(try Self.elements(from: &reader, depth: depth + 1, isSet: false))
        }
    }

    /// Reads bytes that contain exactly one value.
    package init(tagged bytes: UnsafeRawBufferPointer) throws(CodecError) {
        var reader = ByteReader(bytes)
        try self.init(taggedFrom: &reader)
        try reader.finish()
    }

    private static func elements(
        from reader: inout ByteReader, depth: Int, isSet: Bool
    ) throws(CodecError) -> [Value] {
        // Each element has at least a tag, so the count cannot exceed the bytes that exist.
        let count = try reader.count(max: reader.remaining)
        var values: [Value] = []
        var last = 0..<0
        for _ in 0..<count {
            let start = reader.offset
            let value = try Value(taggedFrom: &reader, depth: depth)
            let range = start..<reader.offset
            if isSet, let before = values.last,
                !precedes((before, reader.source[last]), (value, reader.source[range]))
            {
                throw CodecError(.corrupt, "set that is not sorted", at: start)
            }
            last = range
            values.append(value)
        }
        return values
    }

    private static func entries(
        from reader: inout ByteReader, depth: Int
    ) throws(CodecError) -> TextMap<Value> {
        let count = try reader.count(max: reader.remaining / 2)
        var entries: TextMap<Value> = [:]
        var last: String?
        for _ in 0..<count {
            let start = reader.offset
            let key = try reader.string(max: CodecLimits.taggedBytesMax)
            if let last, !last.utf8.lexicographicallyPrecedes(key.utf8) {
                throw CodecError(.corrupt, "map that is not sorted", at: start)
            }
            last = key
            entries[key] = try Value(taggedFrom: &reader, depth: depth)
        }
        return entries
    }
}

/// The constant of a page.
extension Value {
    /// Writes a scalar, or a value of a column of Any, which the column has already checked.
    func writeConstant(to writer: inout ByteWriter) {
        guard tag == .link || tag.isCollection else { return writeScalar(to: &writer) }
        do throws(CodecError) {
            try writeTagged(to: &writer)
        } catch {
            preconditionFailure("a constant that nobody checked")
        }
    }

    init(constantFrom reader: inout ByteReader, kind: ValueTag) throws(CodecError) {
        if kind == .any {
            try self.init(taggedFrom: &reader)
        } else {
            try self.init(scalarFrom: &reader)
        }
    }
}

package import FirnValues

extension ColumnVector {
    /// Appends a value of this kind, or null.
    ///
    /// A vector of ints also accepts a link, as its row id.
    ///
    /// A value of another kind is a programming error, and so is a value of Any that nests more
    /// deeply than a column permits.
    package mutating func append(_ value: Value) {
        switch (kind, value) {
        case (_, .null): appendNull()
        case (.bool, .bool(let flag)): appendInt(flag ? 1 : 0)
        case (.int, .int(let number)): appendInt(number)
        case (.int, .link(let reference)):
            appendInt(Int64(bitPattern: reference.rowID.rawValue))
        case (.float, .float(let number)): appendDouble(Double(widening: number))
        case (.double, .double(let number)): appendDouble(number)
        case (.date, .date(let date)):
            nanoseconds.append(date.nanoseconds)
            appendInt(date.seconds)
        case (.list, .list(let values)), (.set, .set(let values)):
            for value in values { children[0].append(value) }
            endCollection()
        case (.map, .map(let entries)):
            for (key, value) in Self.sorted(entries) {
                children[0].append(value)
                children[1].append(.string(key))
            }
            endCollection()
        default: appendBytes(of: value)
        }
    }

    /// Sorts map entries by the bytes of their keys, as on disk.
    private static func sorted(_ entries: TextMap<Value>) -> [(key: String, value: Value)] {
        entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }

    /// Appends a null, which is stored as zero or empty.
    package mutating func appendNull() {
        insertNull(count)
        switch kind {
        case .double, .float: appendDouble(0)
        case .string, .data, .uuid, .objectID, .decimal128, .any, .list, .set, .map:
            offsets.append(offsets[count])
            count += 1
        case .date:
            nanoseconds.append(0)
            appendInt(0)
        case .bool, .int, .null, .link: appendInt(0)
        }
    }

    /// Appends the bytes of a value that is stored as bytes.
    mutating func append(columnBytes value: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: value)
        offsets.append(UInt32(bytes.count))
        count += 1
    }

    /// Ends a collection after its elements, and keys, were appended to the children.
    package mutating func endCollection() {
        precondition(kind.isCollection)
        precondition(kind != .map || children[0].count == children[1].count)
        offsets.append(UInt32(children[0].count))
        count += 1
    }

    private mutating func appendInt(_ value: Int64) {
        ints.append(value)
        count += 1
    }

    private mutating func appendDouble(_ value: Double) {
        doubles.append(value)
        count += 1
    }

    private mutating func appendBytes(of value: Value) {
        guard kind.isStoredAsBytes,
            (try? value.withColumnBytes(of: kind) { bytes.append(contentsOf: $0) }) != nil
        else {
            preconditionFailure("\(value.tag.name) in a vector of \(kind.name)")
        }
        offsets.append(UInt32(bytes.count))
        count += 1
    }
}

extension ColumnVector {
    /// Passes the bytes of a row to a closure; the kind of the vector must be stored as bytes.
    package func withBytes<Result>(
        of row: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range(row)])) }
    }
}

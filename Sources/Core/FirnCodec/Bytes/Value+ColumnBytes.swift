package import FirnValues

/// The forms of values in columns that store bytes.
///
///     string     UTF-8                      objectID    12 bytes, big-endian
///     data       its bytes                  uuid        16 bytes, big-endian
///     any        tagged, never null         decimal128  16 bytes: high half, low half, big-endian
extension Value {
    /// Calls `body` with the bytes of this value in a column; returns `nil` if it is of another
    /// kind.
    ///
    /// - Throws: ``CodecError`` if a value of a column of Any nests too deeply.
    package func withColumnBytes<Result>(
        of kind: ValueTag, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) throws(CodecError) -> Result? {
        if kind == .any {
            guard !isNull else { return nil }
            var writer = ByteWriter()
            try writeTagged(to: &writer)
            guard writer.count <= CodecLimits.taggedBytesMax else {
                throw CodecError(.tooLarge, "a value of Any beyond its limit")
            }
            return writer.bytes.withUnsafeBufferPointer(body)
        }
        return withBytes(of: kind, body)
    }

    /// Like ``withColumnBytes(of:_:)``, for all kinds except Any, which cannot fail.
    func withBytes<Result>(
        of kind: ValueTag, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result? {
        switch (kind, self) {
        case (.string, .string(var text)): return text.withUTF8(body)
        case (.data, .data(let bytes)): return bytes.withUnsafeBufferPointer(body)
        case (.uuid, .uuid(let id)):
            return Self.bigEndian(id.high, id.low).withUnsafeBufferPointer(body)
        case (.objectID, .objectID(let id)):
            return Self.bigEndian(id.high, UInt64(id.low) << 32)[..<12]
                .withUnsafeBufferPointer(body)
        case (.decimal128, .decimal128(let number)):
            return Self.bigEndian(number.high, number.low).withUnsafeBufferPointer(body)
        default: return nil
        }
    }

    private static func bigEndian(_ high: UInt64, _ low: UInt64) -> [UInt8] {
        (0..<16).map { index in
            let word = index < 8 ? high : low
            return UInt8(truncatingIfNeeded: word >> UInt64(56 - index % 8 * 8))
        }
    }

    /// Creates a value from bytes that were checked to be of a kind.
    package init(columnBytes bytes: UnsafeBufferPointer<UInt8>, kind: ValueTag) {
        switch kind {
        case .string: self = .string(String(decoding: bytes, as: UTF8.self))
        case .data: self = .data(Array(bytes))
        case .uuid:
            self = .uuid(UUID(high: Self.word(bytes, 0, 8), low: Self.word(bytes, 8, 8)))
        case .objectID:
            self = .objectID(
                ObjectID(
                    high: Self.word(bytes, 0, 8),
                    low: UInt32(truncatingIfNeeded: Self.word(bytes, 8, 4))))
        case .decimal128:
            self = .decimal128(
                Decimal128(high: Self.word(bytes, 0, 8), low: Self.word(bytes, 8, 8)))
        case .any:
            guard let value = try? Value(tagged: UnsafeRawBufferPointer(bytes)) else {
                preconditionFailure("bytes of an Any that nobody checked")
            }
            self = value
        default: preconditionFailure("values of this kind are not bytes")
        }
    }

    private static func word(
        _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ count: Int
    ) -> UInt64 {
        var word: UInt64 = 0
        for index in start..<start + count { word = word << 8 | UInt64(bytes[index]) }
        return word
    }

    /// Returns whether bytes are a valid value of a kind other than String.
    ///
    /// Strings are checked together.
    static func isValid(columnBytes bytes: UnsafeBufferPointer<UInt8>, kind: ValueTag) -> Bool {
        if let count = kind.fixedByteCount { return bytes.count == count }
        guard kind == .any else { return true }
        guard bytes.count <= CodecLimits.taggedBytesMax,
            let value = try? Value(tagged: UnsafeRawBufferPointer(bytes))
        else { return false }
        return !value.isNull
    }
}

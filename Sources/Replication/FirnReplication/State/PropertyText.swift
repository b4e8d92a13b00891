import FirnValues

/// A property of a change: its columns as texts, and the texts of the value that it replaced.
struct PropertyText: Hashable, Sendable {
    var name: String
    /// The text of each column.
    var texts: [String?]
    /// The texts before the change; `nil` in new objects.
    var base: [String?]?
}

/// The bytes in which properties are stored in the file.
///
///     properties = count, property*
///     property   = text (name), texts, flag, texts if the flag is 1 (base)
///     texts      = count, text*
///     text       = 0 for nil, or the number of bytes + 1, then the bytes
///
/// All numbers are base-128 varints.
enum PropertyCoding {
    static func bytes(_ properties: [PropertyText]) -> [UInt8] {
        var bytes: [UInt8] = []
        append(properties.count, to: &bytes)
        for property in properties {
            append(property.name, to: &bytes)
            append(property.texts, to: &bytes)
            append(property.base == nil ? 0 : 1, to: &bytes)
            if let base = property.base { append(base, to: &bytes) }
        }
        return bytes
    }

    private static func append(_ number: Int, to bytes: inout [UInt8]) {
        var rest = UInt64(clamping: number)
        while rest > 127 {
            bytes.append(UInt8(truncatingIfNeeded: rest & 127) | 128)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    private static func append(_ text: String?, to bytes: inout [UInt8]) {
        guard let text else { return append(0, to: &bytes) }
        append(text.utf8.count + 1, to: &bytes)
        bytes.append(contentsOf: text.utf8)
    }

    private static func append(_ texts: [String?], to bytes: inout [UInt8]) {
        append(texts.count, to: &bytes)
        for text in texts { append(text, to: &bytes) }
    }

    /// Returns the properties; `nil` if the bytes are not in this form.
    static func properties(_ bytes: [UInt8]) -> [PropertyText]? {
        var reader = Reader(rest: bytes[...])
        guard let count = reader.number() else { return nil }
        var properties: [PropertyText] = []
        for _ in 0..<count {
            guard let name = reader.text()?.value, let texts = reader.texts(),
                let flag = reader.number()
            else { return nil }
            var property = PropertyText(name: name, texts: texts)
            if flag == 1 {
                guard let base = reader.texts() else { return nil }
                property.base = base
            }
            properties.append(property)
        }
        return reader.rest.isEmpty ? properties : nil
    }

    private struct Reader {
        var rest: ArraySlice<UInt8>

        /// Reads a number; every number in these bytes is at most their count.
        mutating func number() -> Int? {
            var number: UInt64 = 0
            var shift: UInt64 = 0
            while let byte = rest.popFirst(), shift < 35 {
                number |= UInt64(byte & 127) << shift
                if byte < 128 { return Int(exactly: number) }
                shift += 7
            }
            return nil
        }

        mutating func text() -> (value: String?, Void)? {
            guard let count = number() else { return nil }
            if count == 0 { return (nil, ()) }
            guard count - 1 <= rest.count else { return nil }
            let text = String(decoding: rest.prefix(count - 1), as: UTF8.self)
            rest = rest.dropFirst(count - 1)
            return (text, ())
        }

        mutating func texts() -> [String?]? {
            guard let count = number(), count <= rest.count else { return nil }
            var texts: [String?] = []
            for _ in 0..<count {
                guard let text = text() else { return nil }
                texts.append(text.value)
            }
            return texts
        }
    }
}

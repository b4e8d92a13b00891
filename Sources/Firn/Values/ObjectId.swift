package import FirnValues

/// An identity of 12 bytes, which machines can make without asking each other.
///
///      0       4            9        12
///     +--------+------------+---------+
///     |  time  |   random   | counter |     all big-endian
///     +--------+------------+---------+
///
/// The time counts seconds since 1970, so that identities sort by when they were made, to the
/// second. The random part belongs to the process, and the counter goes up with every identity.
///
///     let id = ObjectId.generate()
///     id.stringValue                      // "6560c1d49f8a3b2c7d00012e"
///     id.timestamp                        // when it was made
public struct ObjectId: Sendable {
    /// The identity as the engine stores it.
    package let bits: ObjectID

    /// Makes an identity of what the engine stores.
    package init(bits: ObjectID) { self.bits = bits }

    /// Makes the identity that is all zeros.
    public init() { bits = ObjectID(high: 0, low: 0) }

    /// Makes a new identity, which differs from all others.
    ///
    /// Can be called on any thread. A process makes 16,777,216 different ones per second.
    public static func generate() -> ObjectId {
        ObjectId(bits: ObjectIdGenerator.shared.next())
    }

    /// Reads an identity that is written in the program.
    ///
    ///     let id = ObjectId("6560c1d49f8a3b2c7d00012e")
    ///
    /// - Parameter literal: 24 hexadecimal digits in either case; another text stops the program,
    ///   because it is a mistake in its source.
    public init(_ literal: StaticString) {
        let text = literal.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
        guard let bits = ObjectID(text) else {
            misuse("\"\(text)\" is no ObjectId: write 24 hexadecimal digits")
        }
        self.init(bits: bits)
    }

    /// The 24 hexadecimal digits in lower case.
    public var stringValue: String { bits.description }
}

extension ObjectId: Comparable, Hashable {
    /// Whether the left identity comes first by its bytes, and so by its time.
    public static func < (left: ObjectId, right: ObjectId) -> Bool { left.bits < right.bits }
}

extension ObjectId: CustomStringConvertible, CustomDebugStringConvertible {
    /// The same as ``stringValue``.
    public var description: String { bits.description }

    /// The same as ``stringValue``.
    public var debugDescription: String { bits.description }
}

extension ObjectId: Codable {
    /// Reads an identity from a text of 24 hexadecimal digits.
    ///
    /// - Parameter decoder: what holds one single text.
    /// - Throws: `DecodingError` for anything else.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let bits = ObjectID(text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "\"\(text)\" is no ObjectId, which has 24 hexadecimal digits")
        }
        self.init(bits: bits)
    }

    /// Writes the text of the identity.
    ///
    /// - Parameter encoder: takes one single value.
    /// - Throws: what the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(stringValue)
    }
}

package import FirnValues
public import Foundation

/// A 12-byte identifier that machines can generate without coordination.
///
///      0       4            9        12
///     +--------+------------+---------+
///     |  time  |   random   | counter |     all big-endian
///     +--------+------------+---------+
///
/// The time is in seconds since 1970, so that identifiers sort by their time of creation. The
/// random part is chosen once per process, and the counter increases with every identifier.
///
///     let id = ObjectId.generate()
///     id.stringValue                      // "6560c1d49f8a3b2c7d00012e"
///     id.timestamp                        // the time of creation
public struct ObjectId: Sendable {
    /// The identifier as the engine stores it.
    package let bits: ObjectID

    /// Creates an identifier from the form that the engine stores.
    package init(bits: ObjectID) { self.bits = bits }

    /// Creates an identifier whose bytes are all zero.
    public init() { bits = ObjectID(high: 0, low: 0) }

    /// Returns a new, unique identifier.
    ///
    /// This method can be called on any thread. A process can generate 16,777,216 different
    /// identifiers per second.
    public static func generate() -> ObjectId {
        ObjectId(bits: ObjectIdGenerator.shared.next())
    }

    /// Creates an identifier from a string literal.
    ///
    ///     let id = ObjectId("6560c1d49f8a3b2c7d00012e")
    ///
    /// - Parameter literal: 24 hexadecimal digits, uppercase or lowercase. Invalid text is a
    ///   programming error and stops the program.
    public init(_ literal: StaticString) {
        let text = literal.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
        guard let bits = ObjectID(text) else {
            misuse("\"\(text)\" is not an ObjectId: write 24 hexadecimal digits")
        }
        self.init(bits: bits)
    }

    /// The identifier as 24 lowercase hexadecimal digits.
    public var stringValue: String { bits.description }
}

extension ObjectId: Comparable, Hashable {
    /// Returns a Boolean value that indicates whether the bytes of the left identifier come first.
    ///
    /// Identifiers are therefore ordered by their time of creation.
    public static func < (left: ObjectId, right: ObjectId) -> Bool { left.bits < right.bits }
}

extension ObjectId: CustomStringConvertible, CustomDebugStringConvertible {
    /// A textual representation that is equal to ``stringValue``.
    public var description: String { bits.description }

    /// A textual representation that is equal to ``stringValue``.
    public var debugDescription: String { bits.description }
}

extension ObjectId: Codable {
    /// Creates an identifier by decoding a string of 24 hexadecimal digits.
    ///
    /// - Parameter decoder: A decoder that holds a single string.
    /// - Throws: `DecodingError` for any other value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let bits = ObjectID(text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "\"\(text)\" is not an ObjectId, which has 24 hexadecimal digits")
        }
        self.init(bits: bits)
    }

    /// Encodes the string value of the identifier.
    ///
    /// - Parameter encoder: An encoder for a single value.
    /// - Throws: An error that the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(stringValue)
    }
}

extension ObjectId {
    /// Creates an identifier for a given time, with the next counter value of this process.
    ///
    /// Two processes that pass the same arguments can create equal identifiers. Use ``generate()``
    /// to avoid this.
    ///
    /// - Parameters:
    ///   - timestamp: The time, truncated to seconds. A time outside of 1970 to 2106 is clamped.
    ///   - machineId: A number whose lowest 24 bits are used.
    ///   - processId: A number whose lowest 16 bits are used.
    public init(timestamp: Date, machineId: Int, processId: Int) {
        let seconds = timestamp.timeIntervalSince1970.rounded(.down)
        let time = UInt32(exactly: Swift.max(0, Swift.min(seconds, Double(UInt32.max)))) ?? 0
        let origin =
            (UInt64(truncatingIfNeeded: machineId) & 0xFF_FFFF) << 16
            | UInt64(truncatingIfNeeded: processId) & 0xFFFF
        bits = ObjectIdGenerator.shared.next(seconds: time, origin: origin)
    }

    /// The time of creation to the second, as stored in the first four bytes.
    public var timestamp: Date { Date(timeIntervalSince1970: Double(bits.high >> 32)) }
}

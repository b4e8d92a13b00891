import FirnValues

extension Decimal128: Codable {
    /// Creates a number by decoding a string, an integer or a floating-point number.
    ///
    /// - Parameter decoder: A decoder that holds a single value.
    /// - Throws: `DecodingError.dataCorrupted` for any other value, or for a string that is not a
    ///   number.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // Each attempt fails if the value has a different type, and the next one is tried.
        if let text = try? container.decode(String.self) {
            guard let number = Decimal128(text) else {
                throw Self.corrupted(container, "\"\(text)\" is no number")
            }
            self = number
        } else if let number = try? container.decode(Int64.self) {
            self.init(number)
        } else if let number = try? container.decode(Double.self) {
            self.init(number)
        } else {
            throw Self.corrupted(container, "a Decimal128 is a text or a number")
        }
    }

    private static func corrupted(
        _ container: any SingleValueDecodingContainer, _ message: String
    ) -> DecodingError {
        .dataCorruptedError(in: container, debugDescription: message)
    }

    /// Encodes the string value of the number, which keeps every digit.
    ///
    /// - Parameter encoder: An encoder for a single value.
    /// - Throws: An error that the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(stringValue)
    }
}

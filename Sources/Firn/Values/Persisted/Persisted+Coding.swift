/// Models that are `Codable`.
///
///     class Dog: Object, Codable {
///         @Persisted var name: String
///         @Persisted var age: Int?
///     }
extension Persisted: Decodable where Value: Decodable {
    /// Makes an unmanaged property with the value that was written.
    public init(from decoder: any Decoder) throws {
        // Out of a container: a coder applies its strategies, such as those for dates, only there.
        self.init(wrappedValue: try decoder.singleValueContainer().decode(Value.self))
    }
}

extension Persisted: Encodable where Value: Encodable {
    /// Writes the value of an unmanaged object.
    ///
    /// - Throws: `EncodingError` for a managed object: the property does not know its object. Such a
    ///   model declares `encode(to:)` itself.
    public func encode(to encoder: any Encoder) throws {
        switch state {
        case .unmanaged(let value) where place < 0:
            var container = encoder.singleValueContainer()
            try container.encode(value)
        case .initial where place < 0:
            var container = encoder.singleValueContainer()
            try container.encode(Value._initial())
        case .initial, .unmanaged, .recording:
            throw EncodingError.invalidValue(
                self,
                EncodingError.Context(
                    codingPath: encoder.codingPath,
                    debugDescription: "objects of a realm are not encoded by what the compiler "
                        + "makes: declare encode(to:) in the class"))
        }
    }
}

extension KeyedDecodingContainer {
    /// Reads an optional property, which is nil if there is no such key.
    public func decode<Wrapped: Decodable>(
        _ type: Persisted<Wrapped?>.Type, forKey key: Key
    ) throws -> Persisted<Wrapped?> {
        try decodeIfPresent(type, forKey: key) ?? Persisted(wrappedValue: nil)
    }
}

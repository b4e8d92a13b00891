import FirnValues

/// Support for models that conform to `Codable`.
///
///     class Dog: Object, Codable {
///         @Persisted var name: String
///         @Persisted var age: Int?
///     }
extension Persisted: Decodable where Value: Decodable {
    /// Creates an unmanaged property by decoding its value.
    public init(from decoder: any Decoder) throws {
        // Decoded from a container, because coders apply strategies, such as those for dates, only
        // there.
        self.init(wrappedValue: try decoder.singleValueContainer().decode(Value.self))
    }
}

extension Persisted: Encodable where Value: Encodable {
    /// Encodes the value of an unmanaged object.
    ///
    /// - Throws: `EncodingError` for a managed object, because the property does not know its
    ///   object. Such a model must implement `encode(to:)` itself.
    public func encode(to encoder: any Encoder) throws {
        switch state {
        case .unmanaged(let value) where index < 0:
            var container = encoder.singleValueContainer()
            try container.encode(value)
        case .initial where index < 0, .inverse where index < 0:
            var container = encoder.singleValueContainer()
            try container.encode(Value._initial())
        case .initial, .unmanaged, .kept, .inverse, .recording:
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
    /// Decodes an optional property, which is nil if the key is missing.
    public func decode<Wrapped: Decodable>(
        _ type: Persisted<Wrapped?>.Type, forKey key: Key
    ) throws -> Persisted<Wrapped?> {
        try decodeIfPresent(type, forKey: key) ?? Persisted(wrappedValue: nil)
    }
}

extension List: Encodable where Element: Encodable {
    /// Encodes the elements in their order.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for element in self { try container.encode(element) }
    }
}

extension List: Decodable where Element: Decodable {
    /// Creates an unmanaged list by decoding its elements.
    public convenience init(from decoder: any Decoder) throws {
        self.init()
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd { _unmanaged.append(try container.decode(Element.self)) }
    }
}

extension List: Encodable where Element: Encodable {
    /// Writes the elements in their order.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for element in self { try container.encode(element) }
    }
}

extension List: Decodable where Element: Decodable {
    /// Makes an unmanaged list of the elements that were written.
    public convenience init(from decoder: any Decoder) throws {
        self.init()
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd { _unmanaged.append(try container.decode(Element.self)) }
    }
}

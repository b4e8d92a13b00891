extension Value {
    /// Returns whether both values have the same tag and content.
    ///
    /// Floating point is compared by bits, so that NaN equals itself and -0.0 differs from 0.0.
    public static func == (left: Value, right: Value) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.int(let left), .int(let right)): left == right
        case (.float(let left), .float(let right)): left.bitPattern == right.bitPattern
        case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.data(let left), .data(let right)): left == right
        case (.date(let left), .date(let right)): left == right
        case (.decimal128(let left), .decimal128(let right)): left == right
        case (.objectID(let left), .objectID(let right)): left == right
        case (.uuid(let left), .uuid(let right)): left == right
        case (.link(let left), .link(let right)): left == right
        case (.list(let left), .list(let right)), (.set(let left), .set(let right)): left == right
        case (.map(let left), .map(let right)): areEqual(left, right)
        default: false
        }
    }

    /// Returns whether the keys have the same code points and the values are equal.
    ///
    /// The equality of dictionaries would treat differently composed letters as the same.
    private static func areEqual(_ left: TextMap<Value>, _ right: TextMap<Value>) -> Bool {
        left.count == right.count
            && zip(pairs(left), pairs(right)).allSatisfy { left, right in
                left.key.utf8.elementsEqual(right.key.utf8) && left.value == right.value
            }
    }

    /// Hashes the tag and the content that ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(tag)
        switch self {
        case .null: break
        case .bool(let value): hasher.combine(value)
        case .int(let value): hasher.combine(value)
        case .float(let value): hasher.combine(value.bitPattern)
        case .double(let value): hasher.combine(value.bitPattern)
        case .string(let value):
            var copy = value
            copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        case .data(let value): hasher.combine(value)
        case .date(let value): hasher.combine(value)
        case .decimal128(let value): hasher.combine(value)
        case .objectID(let value): hasher.combine(value)
        case .uuid(let value): hasher.combine(value)
        case .link(let value): hasher.combine(value)
        case .list(let values), .set(let values): hasher.combine(values)
        case .map(let values): hasher.combine(values)
        }
    }
}

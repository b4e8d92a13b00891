import FirnValues

extension Value {
    /// Returns a computed number, converted to a type.
    ///
    /// For an integer type, the fraction is discarded. For any other number type, the value is
    /// rounded.
    ///
    /// - Returns: `nil` if the value is out of the range of the type, or is not a number.
    func truncated(to type: FirnValues.PropertyType) -> Value? {
        switch (type.base, self) {
        case (_, .null): return type.isOptional ? .null : nil
        case (.int, .int(let number)):
            return type.integerWidth.range.contains(number) ? self : nil
        case (.int, .double(let number)):
            guard let whole = Int64(exactly: number.rounded(.towardZero)) else { return nil }
            return Value.int(whole).truncated(to: type)
        case (.int, .float(let number)): return Value.double(Double(number)).truncated(to: type)
        case (.int, .decimal128(let number)):
            return Double(number.description).flatMap { Value.double($0).truncated(to: type) }
        case (.float, .double(let number)): return .float(Float(number))
        case (.float, .int(let number)): return .float(Float(number))
        case (.float, .decimal128(let number)): return Float(number.description).map { .float($0) }
        case (.double, .int(let number)): return .double(Double(number))
        case (.double, .float(let number)): return .double(Double(number))
        case (.double, .decimal128(let number)):
            return Double(number.description).map { .double($0) }
        case (.decimal128, _), (.any, _): return converted(to: type)
        default: return tag == type.base ? self : nil
        }
    }
}

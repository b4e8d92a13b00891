import FirnCodec
import FirnEngine
import FirnSyntax
import FirnValues

/// Converts computed values to the type of a property, or throws an error that says why this is not
/// possible.
struct FittingValue {
    let property: PropertySchema
    let range: SourceRange

    /// Converts a value of a vector to its stored form.
    ///
    /// Links get their class, and numbers the kind of the property.
    ///
    /// - Parameters:
    ///   - value: a value in the form that ``ColumnVector`` uses.
    ///   - type: the type of the vector.
    func value(_ value: Value, of type: PropertyType) throws(QueryError) -> Value {
        switch value {
        case .list(let elements), .set(let elements):
            guard property.type.container != .single else { return value }
            var fitting: [Value] = []
            for element in elements { fitting.append(try single(type.fromColumn(element))) }
            return property.type.container == .set ? .set(Self.distinct(fitting)) : .list(fitting)
        case .map(let entries):
            guard property.type.container != .single else { return value }
            var fitting: TextMap<Value> = [:]
            for (key, element) in entries { fitting[key] = try single(type.fromColumn(element)) }
            return .map(fitting)
        default: return try single(type.fromColumn(value))
        }
    }

    /// Returns a vector of single values in the form of the property's column, or `nil` if its values
    /// have to be converted one by one.
    func vector(_ vector: ColumnVector) throws(QueryError) -> ColumnVector? {
        let type = property.type
        guard type.container == .single, vector.kind == type.base, !property.mayLink,
            type.base != .int || type.integerWidth == .bits64
        else { return nil }
        guard !type.isOptional, vector.nulls.contains(where: { $0 != 0 }) else { return vector }
        _ = try single(.null)
        return nil
    }

    private static func distinct(_ values: [Value]) -> [Value] {
        var distinct: [Value] = []
        for value in values.sorted(by: { $0.order(relativeTo: $1) == .less })
        where distinct.last?.order(relativeTo: value) != .equal {
            distinct.append(value)
        }
        return distinct
    }

    private func single(_ value: Value) throws(QueryError) -> Value {
        let type = property.type
        if value.isNull {
            guard type.isOptional || type.base == .link || type.base == .any else {
                throw error("\(property.name) must have a value, and this is nil for an object")
            }
            return value
        }
        switch (type.base, value) {
        case (.int, .int(let number)):
            guard type.integerWidth.range.contains(number) else {
                throw error("\(number) is out of the range of \(type.integerWidth.typeName)")
            }
            return value
        case (.int, .double(let number)):
            guard let whole = Int64(exactly: number), type.integerWidth.range.contains(whole) else {
                throw error("\(number) is not a valid \(type.integerWidth.typeName)")
            }
            return .int(whole)
        case (.double, .int(let number)): return .double(Double(number))
        case (.double, .float(let number)): return .double(Double(number))
        case (.float, .int(let number)): return .float(Float(number))
        case (.float, .double(let number)): return .float(Float(number))
        case (.decimal128, .int), (.decimal128, .double), (.decimal128, .float):
            guard let decimal = DecimalArithmetic.decimal(value) else { break }
            return .decimal128(decimal)
        case (.any, _): return value
        case (let base, _) where base == value.tag: return value
        default: break
        }
        throw error("\(value.tag.name) \(value.quoted) is not a valid \(type.name)")
    }

    private func error(_ message: String) -> QueryError {
        QueryError(.value, message, at: range.bytes)
    }
}

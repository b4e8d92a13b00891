import FirnSyntax
package import FirnValues

extension ScalarFunction {
    /// Returns the type of the result.
    package func type(of arguments: [BoundExpression]) -> PropertyType {
        let types = arguments.map(\.type)
        let isOptional = types.contains { $0.isOptional }
        switch self {
        case .upper, .lower, .trim, .replace, .substitute, .concat, .format:
            return PropertyType(.string, isOptional: isOptional)
        case .substring, .split, .extract: return PropertyType(.string, isOptional: true)
        case .length: return PropertyType(.int, isOptional: isOptional)
        case .round, .floor, .ceil, .abs:
            let base = types.first?.base ?? .double
            return PropertyType(base == .float ? .double : base, isOptional: true)
        case .min, .max: return Self.commonType(types[...], isOptional: isOptional)
        case .sign, .int, .difference: return PropertyType(.int, isOptional: true)
        case .power, .sqrt, .exp, .ln, .log, .double: return PropertyType(.double, isOptional: true)
        case .coalesce:
            return Self.commonType(types[...], isOptional: types.allSatisfy(\.isOptional))
        case .if:
            let values = types.dropFirst()
            return Self.commonType(values, isOptional: values.contains { $0.isOptional })
        case .truncate, .add, .date: return PropertyType(.date, isOptional: true)
        case .decimal: return PropertyType(.decimal128, isOptional: true)
        case .text: return PropertyType(.string, isOptional: isOptional || types[0].base == .any)
        case .bool: return PropertyType(.bool, isOptional: true)
        default: return PropertyType(.int, isOptional: isOptional)
        }
    }

    /// Returns the type that holds the values of all the given types.
    private static func commonType(
        _ types: ArraySlice<PropertyType>, isOptional: Bool
    ) -> PropertyType {
        let bases = types.map(\.base).filter { $0 != .null }
        // Without any value, the type does not matter, but a column has one.
        if bases.isEmpty { return PropertyType(.int, isOptional: true) }
        let base = bases.dropFirst().reduce(bases.first ?? .null) { common, base in
            common == base ? base : BoundExpression.commonKind(common, base)
        }
        return PropertyType(
            base, isOptional: isOptional, target: types.lazy.compactMap(\.target).first)
    }

    /// Returns the display form of the result.
    func display(of arguments: [BoundExpression]) -> DisplayForm? {
        switch self {
        // A year, a month and a day, without a zone.
        case .date where arguments.count == 3 && arguments[2].type.base != .string: .dateOnly
        case .date:
            // With a zone, the begin of a day is not midnight of UTC.
            arguments.count == 2
                && arguments[1].constantText.map { !DatePattern($0).hasTime } ?? false
                ? .dateOnly : nil
        case .truncate:
            arguments.count == 2 && arguments[1].dateUnit.map { $0.fixedSeconds == nil } ?? false
                ? .dateOnly : nil
        default: nil
        }
    }
}

import FirnEngine
import FirnValues

extension Binder {
    /// Binds `now()`, `obj(...)` and functions of values.
    func call(
        _ name: String, _ arguments: [ListElement], _ range: SourceRange
    ) throws(QueryError) -> Operand {
        switch name.lowercased() {
        case "now" where arguments.isEmpty: return .constant(.date(context.now))
        case "obj": return try object(arguments, range)
        case "link": return try link(arguments, range)
        default: break
        }
        guard let function = BoundExpression.Function(rawValue: name.lowercased()) else {
            let known = BoundExpression.Function.allCases.map(\.rawValue) + ["now", "obj"]
            let nearest = NearestNames.find(name.lowercased(), among: known)
            throw QueryError(
                .type, "no function \"\(name.shortened)\"", at: range.bytes,
                hint: nearest.first.map { "did you mean \"\($0)\"?" }, suggestions: nearest,
                notes: ["functions: " + known.joined(separator: " · ")])
        }
        return .single(try self.function(function, arguments, range))
    }

    private func function(
        _ function: BoundExpression.Function, _ arguments: [ListElement], _ range: SourceRange
    ) throws(QueryError) -> Computed {
        let name = function.rawValue
        if function == .if { return try choice(arguments, range) }
        guard function == .coalesce ? arguments.count >= 2 : arguments.count == 1 else {
            let expected = function == .coalesce ? "at least two values" : "one value"
            throw typeError("\(name) takes \(expected)", range)
        }
        guard arguments.count <= QueryLimits.computationDepthMax else {
            throw limitError(
                "\(name) takes at most \(QueryLimits.computationDepthMax) values", range)
        }
        var values: [Computed] = []
        for argument in arguments {
            let operand = argument.operand
            if function == .length, case .collection(_, let whole) = operand {
                throw typeError(
                    "length is for strings, not for \(describe(operand))", argument.range,
                    hint: "write \(whole.name.shortened).@count")
            }
            let value = try computed(
                operand, argument.range, for: arguments.numberType)
            try check(value, for: function, argument.range)
            if let first = values.first, !first.type.isSimilar(to: value.type) {
                throw typeError(
                    "coalesce needs values of one type, not \(typeName(first.type)) and "
                        + typeName(value.type), argument.range)
            }
            values.append(value)
        }
        return try limited(
            Computed(.function(function, values.map(\.expression)), of: values), range)
    }

    /// Binds `if(condition, value, value)`.
    private func choice(
        _ arguments: [ListElement], _ range: SourceRange
    ) throws(QueryError) -> Computed {
        guard arguments.count == 3 else {
            throw typeError(
                "if takes a condition and two values", range, hint: "such as if(age > 17, 1, 0)")
        }
        let condition = try computed(arguments[0].operand, arguments[0].range)
        guard condition.type.base == .bool else {
            throw typeError(
                "if needs a condition, not \(describe(condition))", arguments[0].range)
        }
        var values: [Computed] = []
        for argument in arguments.dropFirst() {
            let value = try computed(
                argument.operand, argument.range, for: Array(arguments.dropFirst()).numberType)
            try check(value, for: .if, argument.range)
            values.append(value)
        }
        guard values[0].type.isSimilar(to: values[1].type) else {
            throw typeError(
                "if needs values of one type, not \(typeName(values[0].type)) and "
                    + typeName(values[1].type), arguments[2].range)
        }
        return try limited(
            Computed(
                .function(.if, ([condition] + values).map(\.expression)), of: [condition] + values),
            range)
    }

    private func check(
        _ value: Computed, for function: BoundExpression.Function, _ range: SourceRange
    ) throws(QueryError) {
        let base = value.type.base
        let needed: String
        switch function {
        case .upper, .lower, .trim:
            if base == .string { return }
            needed = "a String"
        case .length:
            if base == .string || base == .data { return }
            needed = "a String"
        case .year, .month, .day, .weekday, .hour:
            if base == .date { return }
            needed = "a Date"
        case .coalesce, .if:
            if base != .link { return }
            needed = "values"
        }
        throw typeError("\(function.rawValue) needs \(needed), not \(describe(value))", range)
    }

    // MARK: Objects

    /// Binds `obj("Class", key)` to an object.
    private func object(
        _ arguments: [ListElement], _ range: SourceRange
    ) throws(QueryError) -> Operand {
        guard arguments.count == 2,
            case .string(let name) = try value(arguments[0].operand, arguments[0].range)
        else {
            throw typeError(
                "obj takes a class and a key", range, hint: "such as obj(\"Class\", 1)")
        }
        guard let target = context.schema.classNamed(name) else {
            throw unknownClass(name, arguments[0].range)
        }
        guard let key = target.keyProperty else {
            throw typeError(
                "class \(target.name) has no key", arguments[0].range,
                hint: "compare @id with a number")
        }
        let value = try value(arguments[1].operand, arguments[1].range, for: key.type)
        guard value != .null else {
            throw typeError("the key of an object is not null here", arguments[1].range)
        }
        let operand = Computed(.column(.property(key)))
        return .object(
            target, key: try converted(value, for: operand, arguments[1].range))
    }

    /// Binds `link(class, id)`, the form of a link that was passed as an argument.
    private func link(
        _ arguments: [ListElement], _ range: SourceRange
    ) throws(QueryError) -> Operand {
        guard arguments.count == 2,
            case .int(let row) = try value(arguments[1].operand, arguments[1].range), row >= 0
        else { throw typeError("link takes a class and an id", range) }
        let target: ClassSchema?
        switch try value(arguments[0].operand, arguments[0].range) {
        case .string(let name): target = context.schema.classNamed(name)
        case .int(let number):
            target = UInt32(exactly: number).flatMap {
                context.schema[ClassID($0)]
            }
        default: target = nil
        }
        guard let target else {
            throw typeError("link needs a class of this database", arguments[0].range)
        }
        return .constant(
            .link(ObjectReference(classID: target.id, rowID: RowID(UInt64(row)))))
    }
}

extension [ListElement] {
    /// The type that a number takes among the values of `coalesce`.
    fileprivate var numberType: PropertyType {
        contains { $0.operand.numberType.base == .decimal128 }
            ? PropertyType(.decimal128) : PropertyType(.any)
    }
}

extension PropertyType {
    /// Returns whether values of one type can replace values of the other.
    fileprivate func isSimilar(to other: PropertyType) -> Bool {
        base == other.base || (isNumeric && other.isNumeric) || base == .null
            || other.base == .null || base == .any || other.base == .any
    }
}

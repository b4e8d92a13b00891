import FirnEngine
import FirnSyntax
import FirnValues

extension MutationBinder {
    func content(
        _ property: PropertySchema, _ expression: Expression
    ) throws(QueryError) -> BoundMutation.Content {
        let range = expression.range
        if let found = try binder.computedObject(expression) {
            let name = found.type.target.flatMap { binder.context.schema[$0]?.name } ?? "link"
            try check(found.type, property, "a \(name)", range)
            return .expression(found.expression)
        }
        if property.type.base == .any, let value = try nestedValue(expression) {
            switch (property.type.container, value) {
            case (.single, _), (.list, .list), (.map, .map): return .expression(.constant(value))
            case (.set, .list(let values)): return .expression(.constant(.set(values.asSet)))
            case (.map, .list([])): return .expression(.constant(.map([:])))
            default: break
            }
        }
        if case .map(let keys, let values, _) = expression {
            return try mapContent(property, keys, values, range)
        }
        let operand = try binder.operand(expression)
        if property.type.container != .single {
            return try collection(property, operand, range)
        }
        switch operand {
        case .constant(let value): return .expression(.constant(try fitted(value, property, range)))
        case .number(let number):
            return .expression(.constant(try fitted(number, property, range)))
        case .object(let object):
            guard property.type.base == .link, property.type.target == object.target.id else {
                throw mismatch(property, binder.describe(operand), range)
            }
            guard !object.target.isEmbedded else { throw embedded(property, range) }
            return .object(object)
        case .list(let elements) where property.type.base == .any:
            return .expression(.constant(.list(try binder.plainValues(elements))))
        case .single(let computed):
            try check(computed.type, property, binder.describe(computed), range)
            return .expression(computed.expression)
        case .duration, .list, .many, .elements, .collection:
            throw mismatch(property, binder.describe(operand), range)
        }
    }

    /// Binds a whole collection.
    private func collection(
        _ property: PropertySchema, _ operand: Operand, _ range: SourceRange
    ) throws(QueryError) -> BoundMutation.Content {
        switch operand {
        case .list(let elements): return try elementsContent(property, elements, range)
        case .collection(_, let whole)
        where whole.type.container == property.type.container && !whole.isMultiple:
            try check(whole.type.element, property, binder.describe(operand), range)
            return .expression(.path(whole))
        default:
            throw mismatch(
                property, binder.describe(operand), range,
                hint: property.type.container == .map
                    ? "such as {\"key\": 1}" : "such as {1, 2}")
        }
    }

    private func elementsContent(
        _ property: PropertySchema, _ elements: [ListElement], _ range: SourceRange
    ) throws(QueryError) -> BoundMutation.Content {
        if property.type.container == .map {
            guard elements.isEmpty else {
                throw mismatch(property, "a list", range, hint: "such as {\"key\": 1}")
            }
            return .expression(.constant(.map([:])))
        }
        var values: [Value] = []
        var objects: [BoundObject] = []
        for element in elements {
            switch element.operand {
            case .object(let object)
            where property.type.base == .link && property.type.target == object.target.id:
                guard !object.target.isEmbedded else { throw embedded(property, element.range) }
                objects.append(object)
            case .constant(let value) where value != .null || property.type.isOptional:
                values.append(try fitted(value, property, element.range))
            case .number(let number):
                values.append(try fitted(number, property, element.range))
            default:
                throw mismatch(property, binder.describe(element.operand), element.range)
            }
        }
        if !objects.isEmpty {
            guard values.isEmpty else {
                throw binder.typeError("either obj(...) or values, not both", range)
            }
            return .objects(objects)
        }
        return .expression(
            .constant(property.type.container == .set ? .set(values.asSet) : .list(values)))
    }

    private func mapContent(
        _ property: PropertySchema, _ keys: [Expression.Key], _ values: [Expression],
        _ range: SourceRange
    ) throws(QueryError) -> BoundMutation.Content {
        guard property.type.container == .map else { throw mismatch(property, "a map", range) }
        var entries: TextMap<Value> = [:]
        for (key, expression) in zip(keys, values) {
            let operand = try binder.operand(expression)
            switch operand {
            case .constant(.null) where !property.type.isOptional:
                throw binder.typeError("\"\(property.name)\" cannot have nil", expression.range)
            case .constant(let value):
                entries[key.text] = try fitted(value, property, expression.range)
            case .number(let number):
                entries[key.text] = try fitted(number, property, expression.range)
            default:
                throw binder.typeError(
                    "a map holds constants only", expression.range,
                    hint: "set its entries one by one: "
                        + "\(Canonical.name(property.name))[\(Canonical.literal(.string(key.text)))] = ..."
                )
            }
        }
        return .expression(.constant(.map(entries)))
    }

    /// Returns the value of a list or map for a property of type Any; `nil` for another expression.
    private func nestedValue(_ expression: Expression) throws(QueryError) -> Value? {
        switch expression {
        case .list(let elements, _):
            var values: [Value] = []
            for element in elements { values.append(try elementValue(element)) }
            return .list(values)
        case .map(let keys, let values, _):
            var entries: TextMap<Value> = [:]
            for (key, value) in zip(keys, values) { entries[key.text] = try elementValue(value) }
            return .map(entries)
        default: return nil
        }
    }

    private func elementValue(_ expression: Expression) throws(QueryError) -> Value {
        if let nested = try nestedValue(expression) { return nested }
        let operand = try binder.operand(expression)
        if case .list(let elements) = operand { return .list(try binder.plainValues(elements)) }
        let element = ListElement(operand: operand, range: expression.range)
        guard let value = try binder.plainValues([element]).first else { return .null }
        return value
    }

    /// Converts a number to a value of the property.
    ///
    /// All digits are kept if the property stores them.
    private func fitted(
        _ number: NumberLiteral, _ property: PropertySchema, _ range: SourceRange
    ) throws(QueryError) -> Value {
        if property.type.base == .int, number.isWhole {
            throw Lexer.integerOverflow(binder.typed(range), range.bytes)
        }
        return try fitted(try binder.value(number, for: property.type, range), property, range)
    }

    /// Converts a constant to a value of the property.
    private func fitted(
        _ value: Value, _ property: PropertySchema, _ range: SourceRange
    ) throws(QueryError) -> Value {
        let type = property.type
        switch (type.base, value) {
        case (_, .null):
            guard type.isOptional || type.base == .any || type.base == .link else {
                throw binder.typeError("\"\(property.name)\" cannot be nil", range)
            }
            return .null
        case (.int, .int(let number)):
            guard type.integerWidth.range.contains(number) else {
                throw binder.typeError(
                    "\(number) is out of range for the \(type.integerWidth.typeName) property "
                        + "\"\(property.name)\"", range)
            }
            return value
        case (.double, .int(let number)):
            if let exact = Double(exactly: number) { return .double(exact) }
        case (.float, .int(let number)):
            if let exact = Float(exactly: number) { return .float(exact) }
        case (.float, .double(let number)):
            let rounded = Float(number)
            if rounded.isFinite || !number.isFinite { return .float(rounded) }
        case (.decimal128, .int(let number)): return .decimal128(Decimal128(number))
        case (.decimal128, .double(let number)):
            return .decimal128(Decimal128(shortest: number))
        case (.link, .link(let reference)):
            if type.target == reference.classID, !isEmbedded(property) { return value }
        case (.any, _), (.bool, .bool), (.double, .double), (.string, .string), (.data, .data),
            (.date, .date), (.decimal128, .decimal128), (.objectID, .objectID), (.uuid, .uuid):
            return value
        case (_, .string(let text)):
            if let spelled = Binder.spelled(text, type.base) { return spelled }
        default: break
        }
        throw mismatch(property, binder.describe(.constant(value)), range)
    }

    private func isEmbedded(_ property: PropertySchema) -> Bool {
        property.type.target.flatMap { binder.context.schema[$0] }?.isEmbedded ?? false
    }

    /// Throws an error unless computed values of a type can be stored.
    ///
    /// Numbers must not lose their fraction.
    private func check(
        _ type: PropertyType, _ property: PropertySchema, _ described: String,
        _ range: SourceRange
    ) throws(QueryError) {
        if property.type.base == .link, isEmbedded(property) { throw embedded(property, range) }
        let isSame = type.base == property.type.base && type.target == property.type.target
        let isWider: Bool =
            switch property.type.base {
            case .double: type.base == .int || type.base == .float
            case .float: type.base == .double || type.base == .int
            case .decimal128: type.base == .int
            case .any: type.base != .link
            default: false
            }
        guard !isSame, !isWider else { return }
        throw mismatch(property, described, range)
    }

    private func embedded(_ property: PropertySchema, _ range: SourceRange) -> QueryError {
        binder.unsupported(
            "set of the embedded object \"\(property.name)\" to another", range,
            hint: "nil removes it")
    }

    private func mismatch(
        _ property: PropertySchema, _ described: String, _ range: SourceRange,
        hint: String? = nil
    ) -> QueryError {
        let type = binder.context.schema.typeName(property.type)
        return binder.typeError(
            "the \(type) property \"\(property.name)\" cannot be set to \(described)", range,
            hint: hint)
    }
}

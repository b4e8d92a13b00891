import FirnCodec
import FirnEngine
import FirnSyntax
import FirnValues

extension Binder {
    /// Returns the text options of an operator.
    ///
    /// Only operators on strings have options. `<` and BETWEEN have none.
    func textOptions(
        _ comparison: Comparison, of subject: Subject
    ) throws(QueryError) -> TextPattern.Options {
        let options = TextPattern.Options(rawValue: comparison.options.rawValue)
        if options.isEmpty { return options }
        guard [.string, .data, .any].contains(subject.type.base), !subject.isTypeName else {
            throw typeError(
                "[c] and [d] are for strings and Data, not for \(describe(subject))",
                comparison.operatorRange)
        }
        switch comparison.operator {
        case .less, .lessOrEqual, .greater, .greaterOrEqual, .between:
            throw typeError(
                "\(comparison.operator.rawValue) has no [c] or [d]", comparison.operatorRange)
        default: return options
        }
    }

    // MARK: Constants

    func converted(
        _ value: Value, for subject: Subject, _ range: SourceRange
    ) throws(QueryError) -> Value {
        try converted(value, to: subject.type, range) { describe(subject) }
    }

    func converted(
        _ value: Value, for computed: Computed, _ range: SourceRange
    ) throws(QueryError) -> Value {
        try converted(value, to: computed.type, range) { describe(computed) }
    }

    /// Converts a constant for a comparison with values of a type.
    ///
    /// Numbers of any kind are valid for numbers, and texts for the values that they spell.
    private func converted(
        _ value: Value, to type: PropertyType, _ range: SourceRange, _ described: () -> String
    ) throws(QueryError) -> Value {
        switch (type.base, value) {
        case (.float, .double(let number)): return .double(Binder.asFloat(number))
        // The digits as written, not the nearest binary fraction.
        case (.decimal128, .double(let number)):
            return .decimal128(Decimal128(shortest: number))
        case (.int, .int), (.int, .double), (.int, .decimal128), (.double, .int),
            (.double, .double), (.double, .decimal128), (.float, .int), (.float, .decimal128),
            (.decimal128, .int), (.decimal128, .decimal128), (.bool, .bool),
            (.string, .string), (.date, .date), (.data, .data), (.uuid, .uuid),
            (.objectID, .objectID), (.any, _), (.null, _):
            return value
        // The reference has no other literals of bytes in conditions on them.
        case (.data, .string(let text)): return .data(Array(text.utf8))
        case (_, .string(let text)):
            if let spelled = Binder.spelled(text, type.base) { return spelled }
            throw notSpelled(value, type.base, range, described)
        default: throw mismatch(value, type.base, range, described)
        }
    }

    /// Returns the value that a Float property stores for a decimal number.
    private static func asFloat(_ number: Double) -> Double {
        let rounded = Double(Float(number))
        return rounded.isFinite || !number.isFinite ? rounded : number
    }

    /// Parses a text as a value of a type that has no literal, or a long one.
    static func spelled(_ text: String, _ base: ValueTag) -> Value? {
        switch base {
        case .date: Timestamp(text).map { .date($0) }
        case .decimal128: Decimal128(text).map { .decimal128($0) }
        case .uuid: UUID(text).map { .uuid($0) }
        case .objectID: ObjectID(text).map { .objectID($0) }
        default: nil
        }
    }

    private func notSpelled(
        _ value: Value, _ base: ValueTag, _ range: SourceRange, _ described: () -> String
    ) -> QueryError {
        let shown = Canonical.literal(value, scalarsMax: 40)
        let (noun, example): (String, String?) =
            switch base {
            case .date: ("a date", "2013-01-31 or 2013-01-31T10:00:00Z")
            case .decimal128: ("a decimal number", "\"19.99\"")
            case .uuid: ("a UUID", "uuid(\"00000000-0000-0000-0000-000000000000\")")
            case .objectID: ("an ObjectId", "oid(\"000000000000000000000000\")")
            default: ("", nil)
            }
        guard let example else { return mismatch(value, base, range, described) }
        return typeError(
            "\(shown) is not \(noun), as \(described()) is", range, hint: "such as \(example)")
    }

    private func mismatch(
        _ value: Value, _ base: ValueTag, _ range: SourceRange, _ described: () -> String
    ) -> QueryError {
        var hint: String?
        switch (base, value) {
        case (.string, .int), (.string, .double), (.string, .bool):
            hint = "write \"\(value)\" for a String"
        case (.int, .string(let text)), (.double, .string(let text)), (.float, .string(let text)):
            if let number = Double(text), number.isFinite { hint = "write \(text) without quotes" }
        case (.link, _): hint = "compare it with nil or obj(\"Class\", key)"
        case (.bool, _): hint = "write true or false"
        default: break
        }
        let shown = Canonical.literal(value, scalarsMax: 40)
        return typeError(
            "cannot compare \(described()) with \(value.tag.name) \(shown)", range, hint: hint)
    }
}

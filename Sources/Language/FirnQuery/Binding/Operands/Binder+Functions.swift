import FirnEngine
import FirnSyntax
import FirnValues

extension Binder {
    /// Binds `now()`, `obj(...)` and functions of values.
    func call(
        _ name: String, _ arguments: [ListElement], _ range: SourceRange
    ) throws(QueryError) -> Operand {
        switch name.lowercased() {
        case "now" where arguments.isEmpty: return .constant(.date(context.now))
        case "today" where arguments.isEmpty: return .constant(today)
        case "obj": return try object(arguments, range)
        case "link": return try link(arguments, range)
        default: break
        }
        guard let function = ScalarFunction(rawValue: name.lowercased()) else {
            let known =
                ScalarFunction.allCases.map(\.rawValue)
                + ["now", "today", "obj"]
            let nearest = NearestNames.find(name.lowercased(), among: known)
            throw QueryError(
                .type, "no function \"\(name.shortened)\"", at: range.bytes,
                hint: nearest.first.map { "did you mean \"\($0)\"?" }, suggestions: nearest,
                notes: ["functions: " + known.joined(separator: " · ")])
        }
        return .single(try self.function(function, arguments, range))
    }

    /// Binds `today()`, the start of the day of `now()` in the zone of the query.
    private var today: Value {
        var cursor = ZoneCursor(context.arguments.zone.flatMap(ZoneDatabase.zone) ?? .utc)
        let now = context.now.seconds
        guard let local = cursor.local(now),
            let seconds = cursor.start(local - LocalTime(local).clock, of: now)
        else { return .null }
        return .date(Timestamp(seconds: seconds))
    }

    /// Binds a function.
    func function(
        _ function: ScalarFunction, _ arguments: [ListElement], _ range: SourceRange
    ) throws(QueryError) -> Computed {
        let name = function.rawValue
        let signature = signature(of: function, arguments)
        let isEnough = arguments.count >= signature.required
        guard isEnough, signature.repeats || arguments.count <= signature.parameters.count else {
            throw typeError("\(name) takes \(signature.countText)", range)
        }
        guard arguments.count <= QueryLimits.computationDepthMax else {
            throw limitError(
                "\(name) takes at most \(QueryLimits.computationDepthMax) values", range)
        }
        var values: [Computed] = []
        for (index, argument) in arguments.enumerated() {
            let value = try self.argument(
                argument, function, signature.parameter(index), arguments.numberType)
            if let start = signature.commonFrom, index > start,
                let other = values[start...].firstUnlike(value)
            {
                throw typeError(
                    "\(name) needs values of one type, not \(typeName(other.type)) and "
                        + typeName(value.type), argument.range)
            }
            values.append(value)
        }
        try checkConstants(function, values, arguments, range)
        addZone(signature, to: &values)
        addParts(function, to: &values)
        return try limited(
            Computed(.function(function, values.map(\.expression)), of: values), range)
    }

    /// Returns the parameters of a function, some of which depend on the arguments.
    private func signature(
        of function: ScalarFunction, _ arguments: [ListElement]
    ) -> FunctionSignature {
        guard function == .date, arguments.count > 1 else { return .of(function) }
        if case .constant(.string) = arguments[1].operand { return .dateReading }
        guard (4...BoundExpression.dateParts).contains(arguments.count),
            case .constant(.string) = arguments[arguments.count - 1].operand
        else { return .of(function) }
        return .dateMaking(partCount: arguments.count - 1)
    }

    /// Adds the parts of a time of day that `date(year, month, day, zone)` omits.
    private func addParts(
        _ function: ScalarFunction, to values: inout [Computed]
    ) {
        guard function == .date, values.count > 3, let last = values.last,
            last.type.base == .string
        else { return }
        while values.count <= BoundExpression.dateParts {
            values.insert(Computed(.constant(.int(0))), at: values.count - 1)
        }
    }

    /// Adds the zone of the session to a function of dates that does not name one.
    private func addZone(_ signature: FunctionSignature, to values: inout [Computed]) {
        guard let zone = context.arguments.zone, signature.parameters.last == .zone,
            values.count < signature.parameters.count,
            // A number that is formatted, or a date in the form of a literal, has no zone.
            values[0].type.base == .date
                || values.count > 1 && signature.parameters[0] != .formatted
        else { return }
        while values.count < signature.parameters.count - 1 {
            values.append(Computed(.constant(.int(0))))
        }
        values.append(Computed(.constant(.string(zone))))
    }

    /// Binds one argument.
    private func argument(
        _ argument: ListElement, _ function: ScalarFunction,
        _ parameter: FunctionSignature.Parameter, _ numberType: PropertyType
    ) throws(QueryError) -> Computed {
        let operand = argument.operand
        if function == .length, case .collection(_, let whole) = operand {
            throw typeError(
                "length is for strings, not for \(describe(operand))", argument.range,
                hint: "write \(whole.name.shortened).@count")
        }
        let value = try computed(operand, argument.range, for: numberType)
        // The type of nil is that of the other arguments.
        let isNil = value.type.base == .null
        guard isNil || parameter.accepts(value.type) else {
            throw typeError(
                "\(function.rawValue) needs \(parameter.noun), not \(describe(value))",
                argument.range)
        }
        switch parameter {
        case .unit: try checkUnit(value, argument.range)
        case .zone: try checkZone(value, argument.range)
        default: break
        }
        return value
    }

    // MARK: Constants

    private func checkUnit(_ value: Computed, _ range: SourceRange) throws(QueryError) {
        guard value.expression.dateUnit == nil else { return }
        let units = DateUnit.allCases.map(\.rawValue)
        let nearest =
            value.expression.constantText.map { NearestNames.find($0, among: units) } ?? []
        throw QueryError(
            .type, "a unit of time is needed here, not \(describe(value))", at: range.bytes,
            hint: nearest.first.map { "did you mean \"\($0)\"?" }, suggestions: nearest,
            notes: ["units: " + units.joined(separator: " · ")])
    }

    private func checkZone(_ value: Computed, _ range: SourceRange) throws(QueryError) {
        guard let name = value.expression.constantText else {
            throw typeError(
                "a time zone is needed here, not \(describe(value))", range,
                hint: "such as \"America/New_York\"")
        }
        guard ZoneDatabase.zone(named: name) == nil else { return }
        let nearest = ZoneDatabase.names(near: name)
        throw QueryError(
            .value, "no time zone \"\(name.shortened)\"", at: range.bytes,
            hint: nearest.first.map { "did you mean \"\($0)\"?" }
                ?? "such as \"America/New_York\" or \"+02:00\"",
            suggestions: nearest)
    }

    /// Checks the conditions that depend on several arguments, or on the values of constants.
    private func checkConstants(
        _ function: ScalarFunction, _ values: [Computed], _ arguments: [ListElement],
        _ range: SourceRange
    ) throws(QueryError) {
        switch function {
        case .format: try checkFormat(values, arguments)
        case .date: try checkDate(values, arguments, range)
        case .extract, .substitute: try checkPattern(function, values, arguments)
        case .int, .double, .decimal, .bool:
            guard let value = values.first, case .constant(let constant) = value.expression,
                constant != .null
            else { return }
            guard ValueCast.value(constant, as: function) != .null else {
                throw QueryError(
                    .value, "\(describe(value)) is not a valid \(function.rawValue)",
                    at: arguments[0].range.bytes)
            }
        default: return
        }
    }

    private func checkFormat(
        _ values: [Computed], _ arguments: [ListElement]
    ) throws(QueryError) {
        let takesPattern = values[0].type.base == .date
        switch values[1].expression {
        case .constant(.string(let pattern)) where takesPattern:
            guard let error = DatePattern.error(in: pattern) else { return }
            throw typeError(
                error, arguments[1].range, hint: "such as \"yyyy-MM-dd HH:mm:ss\"")
        case .constant(.int(let places)) where !takesPattern:
            guard (0...DecimalDigits.placesMax).contains(places) else {
                throw typeError(
                    "a number has 0 to \(DecimalDigits.placesMax) places", arguments[1].range)
            }
            guard values.count == 2 else {
                throw typeError("format of a number takes two values", arguments[2].range)
            }
        default:
            throw typeError(
                takesPattern
                    ? "format of a Date needs a pattern in quotes"
                    : "format of a number needs a number of places", arguments[1].range,
                hint: takesPattern ? "such as \"yyyy-MM-dd\"" : "such as 2")
        }
    }

    /// Checks `date(text, pattern)`.
    private func checkDateReading(
        _ values: [Computed], _ arguments: [ListElement]
    ) throws(QueryError) {
        guard let pattern = values[1].expression.constantText else { return }
        if let error = DatePattern.readingError(in: pattern) {
            throw typeError(error, arguments[1].range, hint: "such as \"dd.MM.yyyy HH:mm\"")
        }
        guard let text = values[0].expression.constantText,
            DatePattern(pattern).read(Array(text.utf8)[...]) == nil
        else { return }
        throw QueryError(
            .value, "\(describe(values[0])) is not a date in the form \"\(pattern.shortened)\"",
            at: arguments[0].range.bytes)
    }

    /// Checks `date(text)` and `date(year, month, day, ...)`.
    private func checkDate(
        _ values: [Computed], _ arguments: [ListElement], _ range: SourceRange
    ) throws(QueryError) {
        if values.count > 1, values[1].type.base == .string {
            return try checkDateReading(values, arguments)
        }
        guard values.count > 1 else {
            let base = values[0].type.base
            guard [.string, .date, .any, .null].contains(base) else {
                throw typeError(
                    "date needs a String, or a year, a month and a day, not "
                        + describe(values[0]), arguments[0].range)
            }
            guard let text = values[0].expression.constantText, Timestamp(text) == nil else {
                return
            }
            throw QueryError(
                .value, "\(describe(values[0])) is not a date", at: arguments[0].range.bytes,
                hint: "such as 2013-01-31 or 2013-01-31T10:00:00Z")
        }
        guard values.count >= 3, values[0].type.base == .int || values[0].type.base == .null else {
            throw typeError("date takes a year, a month and a day", range)
        }
        let numbers = values.prefix(3).compactMap { value -> Int64? in
            if case .constant(.int(let number)) = value.expression { number } else { nil }
        }
        guard numbers.count == 3 else { return }
        guard let month = Int(exactly: numbers[1]), let day = Int(exactly: numbers[2]),
            CivilDate(year: numbers[0], month: month, day: day) != nil
        else { throw QueryError(.value, "this date does not exist", at: range.bytes) }
    }
}

extension [ListElement] {
    /// The type that a number takes among the values of a function.
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

extension ArraySlice<Computed> {
    /// Returns the first value that is not nil, unless its type is similar to the type of another
    /// value.
    func firstUnlike(_ value: Computed) -> Computed? {
        first { $0.type.base != .null }.flatMap { $0.type.isSimilar(to: value.type) ? nil : $0 }
    }
}

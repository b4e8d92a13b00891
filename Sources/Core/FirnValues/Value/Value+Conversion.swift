extension Value {
    /// Returns the value converted to another type, if the conversion loses no information.
    ///
    ///     from \ to   Bool  Int   Double Float Decimal String Date UUID ObjectId Data
    ///     Bool        =     0 1   -      -     -       text   -    -    -        -
    ///     Int         0 1   range exact  exact always  digits -    -    -        -
    ///     Double      -     whole =      exact digits  digits -    -    -        -
    ///     Float       -     whole always =     digits  digits -    -    -        -
    ///     Decimal128  -     whole digits exact =       digits -    -    -        -
    ///     String      text  same  same   same  always  =      same same same     base64
    ///     Date        -     -     -      -     -       ISO    =    -    -        -
    ///     UUID, ObjectId, Data: to and from String (either case; base64)
    ///
    /// `same`: the converted value has the same text again, so that `007` does not become 7; a Date
    /// may also be a date without a time. `digits`: the shortest digits of one value are those of
    /// the other. Every value can become an Any, and an Any is converted like the value that it
    /// contains. Lists become sets if no element occurs twice, sets become lists, and elements are
    /// converted individually. Null becomes null where that is allowed. Links cannot be converted.
    ///
    /// - Returns: `nil` if the value cannot be converted.
    public func converted(to type: PropertyType) -> Value? {
        switch type.container {
        case .single: return convertedToSingle(type)
        case .list:
            guard let elements else { return nil }
            return Value.each(elements, to: type.element).map { .list($0) }
        case .set:
            guard let elements, let converted = Value.each(elements, to: type.element) else {
                return nil
            }
            let sorted = converted.sorted { $0.order(relativeTo: $1) == .less }
            for (left, right) in zip(sorted, sorted.dropFirst())
            where left.order(relativeTo: right) == .equal { return nil }
            return .set(sorted)
        case .map:
            guard case .map(let entries) = self else { return nil }
            var converted: TextMap<Value> = [:]
            for (key, value) in entries {
                guard let value = value.convertedToSingle(type.element) else { return nil }
                converted[key] = value
            }
            return .map(converted)
        }
    }

    /// The elements of a list or set.
    private var elements: [Value]? {
        switch self {
        case .list(let values), .set(let values): values
        default: nil
        }
    }

    private static func each(_ values: [Value], to type: PropertyType) -> [Value]? {
        var converted: [Value] = []
        converted.reserveCapacity(values.count)
        for value in values {
            guard let value = value.convertedToSingle(type) else { return nil }
            converted.append(value)
        }
        return converted
    }

    private func convertedToSingle(_ type: PropertyType) -> Value? {
        if isNull { return type.isOptional || [.any, .link].contains(type.base) ? .null : nil }
        switch type.base {
        case .any: return self
        case .bool: return convertedToBool
        case .int:
            return wholeNumber.flatMap { type.integerWidth.range.contains($0) ? .int($0) : nil }
        case .double: return convertedToDouble.map { .double($0) }
        case .float: return convertedToFloat.map { .float($0) }
        case .decimal128: return convertedToDecimal.map { .decimal128($0) }
        case .string: return text.map { .string($0) }
        case .link:
            guard case .link(let reference) = self, reference.classID == type.target else {
                return nil
            }
            return self
        case .date, .uuid, .objectID, .data: return tag == type.base ? self : parsed(as: type.base)
        case .null, .list, .set, .map: return nil
        }
    }

    private var convertedToBool: Value? {
        switch self {
        case .bool: self
        case .int(0), .string("false"): .bool(false)
        case .int(1), .string("true"): .bool(true)
        default: nil
        }
    }

    /// The value as an integer, if it has no fraction.
    private var wholeNumber: Int64? {
        switch self {
        case .int(let value): return value
        case .bool(let value): return value ? 1 : 0
        case .double(let value): return Int64(exactly: value)
        case .float(let value): return Int64(exactly: value)
        case .decimal128(let value): return value.wholeNumber
        case .string(let text):
            guard let value = Int64(text), String(value) == text else { return nil }
            return value
        default: return nil
        }
    }

    private var convertedToDouble: Double? {
        switch self {
        case .double(let value): return value
        case .float(let value): return Double(value)
        case .int(let value):
            let number = Double(value)
            return Int64(exactly: number) == value ? number : nil
        case .decimal128(let value):
            let number = value.nearestDouble
            let back = Decimal128(shortest: number)
            return back.numericOrder(relativeTo: value) == .equal ? number : nil
        case .string(let text): return Value.double(printedAs: text)
        default: return nil
        }
    }

    private var convertedToFloat: Float? {
        switch self {
        case .float(let value): return value
        case .string(let text):
            guard let number = Float(text), number.isFinite || Value.double(printedAs: text) != nil,
                Value.isPrinted(number.description, as: text) || !number.isFinite
            else { return nil }
            return number
        case .decimal128(let value):
            guard value.isFinite else { return Float(value.nearestDouble) }
            guard let number = Float(value.description) else { return nil }
            let back = Decimal128(shortest: number)
            return back.numericOrder(relativeTo: value) == .equal ? number : nil
        default:
            guard let double = convertedToDouble else { return nil }
            if double.isNaN { return .nan }
            return Float(exactly: double)
        }
    }

    private var convertedToDecimal: Decimal128? {
        switch self {
        case .decimal128(let value): value
        case .int(let value): Decimal128(value)
        case .double(let value): Decimal128(shortest: value)
        case .float(let value): Decimal128(shortest: value)
        // Every digit and the exponent are kept.
        case .string(let text): Decimal128(text).flatMap { $0.description == text ? $0 : nil }
        default: nil
        }
    }

    /// The text of the value in JSON and CSV.
    private var text: String? {
        switch self {
        case .string(let text): text
        case .double(let value): value.isFinite ? value.description : Value.word(value)
        case .float(let value): value.isFinite ? value.description : Value.word(Double(value))
        case .data(let bytes): Base64.text(of: bytes)
        case .bool, .int, .date, .decimal128, .objectID, .uuid: description
        case .null, .link, .list, .set, .map: nil
        }
    }

    /// Parses a text as a date, a UUID, an ObjectId or bytes.
    private func parsed(as base: ValueTag) -> Value? {
        guard case .string(var text) = self else { return nil }
        switch base {
        case .date:
            guard let date = Timestamp(text) else { return nil }
            var dateOnly: [UInt8] = []
            let isDate = date.appendDateOnly(to: &dateOnly) && text.utf8.elementsEqual(dateOnly)
            return isDate || date.description == text ? .date(date) : nil
        case .uuid: return UUID(text).map { .uuid($0) }
        case .objectID: return ObjectID(text).map { .objectID($0) }
        case .data: return text.withUTF8 { Base64.decode($0) }.map { .data($0) }
        default: return nil
        }
    }

    /// Parses a number in its printed form.
    ///
    /// A whole number may lack its `.0`.
    private static func double(printedAs text: String) -> Double? {
        switch text {
        case "NaN": return .nan
        case "Infinity": return .infinity
        case "-Infinity": return -.infinity
        default:
            guard let number = Double(text), number.isFinite,
                isPrinted(number.description, as: text)
            else { return nil }
            return number
        }
    }

    private static func isPrinted(_ printed: String, as text: String) -> Bool {
        printed == text || printed == text + ".0"
    }

    private static func word(_ value: Double) -> String {
        value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity"
    }
}

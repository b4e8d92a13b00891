import FirnText
import FirnValues

extension JSONValueReader {
    /// Reads a value that is neither null, a link, an Any nor a collection.
    static func scalar(
        _ tree: JSONTree, _ base: ValueTag, _ width: IntegerWidth = .bits64
    ) throws(JSONMistake) -> Value {
        switch base {
        case .bool:
            guard case .bool(let value) = tree.content else {
                throw wrongKind(tree, PropertyType(base), "true or false")
            }
            return .bool(value)
        case .int: return .int(try int(tree, width))
        case .double: return .double(try double(tree))
        case .float: return .float(try float(tree))
        case .decimal128: return .decimal128(try decimal(tree))
        case .string: return .string(try text(tree, base))
        case .data:
            return .data(try parsed(tree, base, "base64") { Base64.decode($0) })
        case .date:
            return .date(
                try parsed(tree, base, "a string such as 2026-11-21T08:00:00Z") {
                    Timestamp.parse($0)?.timestamp
                })
        case .uuid:
            let text = try text(tree, base)
            guard let value = UUID(text) else {
                throw badText(tree, base, "8-4-4-4-12 hexadecimal digits")
            }
            return .uuid(value)
        case .objectID:
            let text = try text(tree, base)
            guard let value = ObjectID(text) else {
                throw badText(tree, base, "24 hexadecimal digits")
            }
            return .objectID(value)
        case .null, .link, .list, .set, .map, .any:
            throw JSONMistake(.type, "\(base.name) is not the type of a value", tree)
        }
    }

    private static func text(_ tree: JSONTree, _ base: ValueTag) throws(JSONMistake) -> String {
        guard case .string(let text) = tree.content else {
            throw wrongKind(tree, PropertyType(base), "a string")
        }
        return text
    }

    private static func parsed<T>(
        _ tree: JSONTree, _ base: ValueTag, _ expected: String,
        _ parse: (UnsafeBufferPointer<UInt8>) -> T?
    ) throws(JSONMistake) -> T {
        var text = try text(tree, base)
        guard let value = text.withUTF8(parse) else { throw badText(tree, base, expected) }
        return value
    }

    private static func badText(
        _ tree: JSONTree, _ base: ValueTag, _ expected: String
    ) -> JSONMistake {
        JSONMistake(.value, "\(base.name) takes \(expected)", tree)
    }
}

extension JSONValueReader {
    /// Reads a number, or the same digits as a string, which `--int64 string` writes.
    private static func int(
        _ tree: JSONTree, _ width: IntegerWidth
    ) throws(JSONMistake) -> Int64 {
        var text: String
        switch tree.content {
        case .number(let number): text = number
        case .string(let digits): text = digits
        default: throw wrongKind(tree, PropertyType(.int, integerWidth: width), "a number")
        }
        if let value = text.withUTF8({ NumberText.int($0) }) {
            guard width.range.contains(value) else { throw outOfRange(tree, width) }
            return value
        }
        if text == "-0" { return 0 }
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        let isWhole = !digits.isEmpty && digits.allSatisfy { $0 &- UInt8(ascii: "0") < 10 }
        if isWhole, digits.first != UInt8(ascii: "0") { throw outOfRange(tree, width) }
        if case .string = tree.content {
            throw JSONMistake(.type, "\(width.typeName) takes a number, not a string", tree)
        }
        throw JSONMistake(
            .type, "\(width.typeName) takes a number without a decimal point or exponent", tree)
    }

    private static func outOfRange(_ tree: JSONTree, _ width: IntegerWidth) -> JSONMistake {
        let range = width.range
        return JSONMistake(
            .value,
            "out of the range of \(width.typeName), \(range.lowerBound) to \(range.upperBound)",
            tree)
    }

    private static func double(_ tree: JSONTree) throws(JSONMistake) -> Double {
        switch tree.content {
        case .number(let text):
            guard let value = Double(text), value.isFinite else {
                throw JSONMistake(.value, "out of the range of Double", tree)
            }
            return value
        case .string("NaN"): return .nan
        case .string("Infinity"): return .infinity
        case .string("-Infinity"): return -.infinity
        default: throw noNumber(tree, .double)
        }
    }

    private static func float(_ tree: JSONTree) throws(JSONMistake) -> Float {
        switch tree.content {
        case .number(let text):
            guard let value = Float(text), value.isFinite else {
                throw JSONMistake(.value, "out of the range of Float", tree)
            }
            return value
        case .string("NaN"): return .nan
        case .string("Infinity"): return .infinity
        case .string("-Infinity"): return -.infinity
        default: throw noNumber(tree, .float)
        }
    }

    private static func noNumber(_ tree: JSONTree, _ base: ValueTag) -> JSONMistake {
        wrongKind(
            tree, PropertyType(base), "a number, \"NaN\", \"Infinity\" or \"-Infinity\"")
    }

    private static func decimal(_ tree: JSONTree) throws(JSONMistake) -> Decimal128 {
        var text: String
        switch tree.content {
        case .number(let number): text = number
        case .string(let digits): text = digits
        default: throw wrongKind(tree, PropertyType(.decimal128), "a string or a number")
        }
        guard let value = text.withUTF8({ Decimal128.parse($0) }) else {
            throw JSONMistake(
                .value,
                "Decimal128 takes a number of at most \(Decimal128.digitsMax) digits", tree)
        }
        return value
    }
}

import FirnValues

/// A condition that is evaluated row by row on plain values, and can be written as query text.
///
/// Except for the order of values it shares no code with the filters that it checks.
indirect enum OraclePredicate: Sendable {
    case always(Bool)
    case bare(Int)
    case compare(Int, String, Value, flipped: Bool)
    /// `==` and `!=` with `[c]` or `[d]`.
    case equalText(Int, isEqual: Bool, String, options: String)
    case text(Int, String, String?, options: String)
    case matches(Int, OraclePattern, ignoresCase: Bool)
    case between(Int, Value, Value)
    case oneOf(Int, [Value])
    case columns(Int, String, Int)
    case and([OraclePredicate])
    case or([OraclePredicate])
    case not(OraclePredicate)

    func passes(_ row: OracleRow) -> Bool {
        switch self {
        case .always(let value): value
        case .bare(let column): row.value(column) == .bool(true)
        case .compare(let column, let comparison, let constant, _):
            Self.holds(row.value(column), comparison, constant)
        case .equalText(let column, let isEqual, let operand, let options):
            if case .string(let string) = row.value(column) {
                (OracleText.fold(string, options) == OracleText.fold(operand, options)) == isEqual
            } else {
                !isEqual
            }
        case .text(let column, let kind, let operand, let options):
            OracleText.matches(row.value(column), kind, operand, options)
        case .matches(let column, let pattern, let ignoresCase):
            pattern.matches(row.value(column), ignoresCase: ignoresCase)
        case .between(let column, let low, let high):
            Self.holds(row.value(column), ">=", low) && Self.holds(row.value(column), "<=", high)
        case .oneOf(let column, let constants):
            constants.contains { Self.holds(row.value(column), "==", $0) }
        case .columns(let left, let comparison, let right):
            Self.holds(row.value(left), comparison, row.value(right))
        case .and(let operands): operands.allSatisfy { $0.passes(row) }
        case .or(let operands): operands.contains { $0.passes(row) }
        case .not(let operand): !operand.passes(row)
        }
    }

    /// Null equals null and has no order with other values; NaN is only ever unequal.
    static func holds(_ left: Value, _ comparison: String, _ right: Value) -> Bool {
        switch (left, right) {
        case (.null, .null): return ["==", "<=", ">="].contains(comparison)
        case (.null, _), (_, .null): return comparison == "!="
        case (.double(let number), _) where number.isNaN: return comparison == "!="
        case (_, .double(let number)) where number.isNaN: return comparison == "!="
        default: break
        }
        let order = left.order(relativeTo: right)
        switch comparison {
        case "==": return order == .equal
        case "!=": return order != .equal
        case "<": return order == .less
        case "<=": return order != .greater
        case ">": return order == .greater
        default: return order != .less
        }
    }

    var text: String {
        switch self {
        case .always(let value): return value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .bare(let column): return OracleColumn.name(column)
        case .compare(let column, let comparison, let constant, let flipped):
            let name = OracleColumn.name(column)
            let literal = OracleLiteral.text(constant)
            guard flipped else { return "\(name) \(comparison) \(literal)" }
            let mirrors = ["<": ">", "<=": ">=", ">": "<", ">=": "<="]
            return "\(literal) \(mirrors[comparison] ?? comparison) \(name)"
        case .equalText(let column, let isEqual, let operand, let options):
            return "\(OracleColumn.name(column)) \(isEqual ? "==" : "!=")[\(options)] "
                + OracleLiteral.text(operand)
        case .text(let column, let kind, let operand, let options):
            let suffix = options.isEmpty ? "" : "[\(options)]"
            return "\(OracleColumn.name(column)) \(kind)\(suffix) "
                + (operand.map(OracleLiteral.text) ?? "nil")
        case .matches(let column, let pattern, let ignoresCase):
            return "\(OracleColumn.name(column)) MATCHES\(ignoresCase ? "[c]" : "") "
                + OracleLiteral.text(.string(pattern.text))
        case .between(let column, let low, let high):
            return "\(OracleColumn.name(column)) BETWEEN "
                + "{\(OracleLiteral.text(low)), \(OracleLiteral.text(high))}"
        case .oneOf(let column, let constants):
            let list = constants.map { OracleLiteral.text($0) }.joined(separator: ", ")
            return "\(OracleColumn.name(column)) IN {\(list)}"
        case .columns(let left, let comparison, let right):
            return "\(OracleColumn.name(left)) \(comparison) \(OracleColumn.name(right))"
        case .and(let operands): return "(" + operands.map(\.text).joined(separator: " AND ") + ")"
        case .or(let operands): return "(" + operands.map(\.text).joined(separator: " OR ") + ")"
        case .not(let operand): return "NOT (\(operand.text))"
        }
    }
}

/// Text operators on arrays of Unicode scalars, by the shortest definition.
enum OracleText {
    typealias Scalars = [Unicode.Scalar]

    static func fold(_ text: String, _ options: String) -> Scalars {
        var text = text
        if options.contains("c") { text = text.lowercased() }
        guard options.contains("d") else { return Array(text.unicodeScalars) }
        // By scalars: a mark may follow a `*` of a pattern, where it does not combine with a
        // letter.
        return text.unicodeScalars.compactMap { scalar in
            switch scalar {
            case "\u{E9}": "e"
            case "\u{C9}": "E"
            case "\u{301}": nil
            default: scalar
            }
        }
    }

    static func matches(
        _ value: Value, _ kind: String, _ operand: String?, _ options: String
    ) -> Bool {
        guard let operand else { return kind == "LIKE" && value == .null }
        guard case .string(let string) = value else { return false }
        let text = fold(string, options)
        let pattern = fold(operand, options)
        if kind == "LIKE" { return isLike(text[...], pattern[...]) }
        guard !pattern.isEmpty, pattern.count <= text.count else { return false }
        switch kind {
        case "BEGINSWITH": return text.starts(with: pattern)
        case "ENDSWITH": return text.reversed().starts(with: pattern.reversed())
        default:
            return (0...(text.count - pattern.count)).contains { start in
                text[start...].starts(with: pattern)
            }
        }
    }

    /// Follows all alternatives through the text at once: one after the other, a pattern with many
    /// stars once took longer than the rest of a long run.
    private static func isLike(
        _ text: ArraySlice<Unicode.Scalar>, _ pattern: ArraySlice<Unicode.Scalar>
    ) -> Bool {
        var places: Set<Int> = [text.startIndex]
        var rest = pattern
        while let first = rest.popFirst() {
            switch first {
            case "*": places = places.min().map { Set($0...text.endIndex) } ?? []
            case "?": places = Set(places.filter { $0 < text.endIndex }.map { $0 + 1 })
            default:
                let scalar = first == "\\" ? rest.popFirst() : first
                places = Set(
                    places.filter { $0 < text.endIndex && text[$0] == scalar }.map { $0 + 1 })
            }
        }
        return places.contains(text.endIndex)
    }
}

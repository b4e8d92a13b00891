import FirnTesting
import FirnValues

/// Generates random queries with constants near the values of a table.
struct RandomQuery {
    var table: RandomTable
    var generator: SplitMix64

    init(_ table: RandomTable, seed: UInt64) {
        self.table = table
        generator = SplitMix64(seed: seed)
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &generator)
    }

    private mutating func pick<T>(_ elements: [T]) -> T { elements[number(0...elements.count - 1)] }

    private mutating func column() -> Int { number(-1...OracleColumn.names.count - 1) }

    mutating func query() -> OracleQuery {
        var stages: [OracleStage] = []
        for _ in 0..<number(0...4) { stages.append(stage()) }
        switch number(0...9) {
        case 0: stages.append(.count)
        case 1: stages.append(.exists)
        case 2, 3: stages.append(.aggregate((0...number(0...3)).map { _ in aggregate() }))
        case 4, 5:
            stages.append(.project((0...number(0...3)).map { _ in column() }))
            if number(0...2) == 0 { stages.append(.skip(number(0...5))) }
            if number(0...2) == 0 { stages.append(.limit(number(0...20))) }
        default: break
        }
        return OracleQuery(stages: stages)
    }

    private mutating func stage() -> OracleStage {
        switch number(0...14) {
        case 0...4: return .filter(predicate(number(0...2)))
        case 5...8:
            return .sort(
                (0...number(0...2)).map { _ in
                    OracleStage.Key(column: column(), descending: number(0...1) == 0)
                })
        case 9, 10: return .distinct((0...[0, 0, 1, 2][number(0...3)]).map { _ in column() })
        case 11, 12: return .limit(pick([0, 1, 2, 3, 7, 8, 9, 16, 30, 100]))
        case 13: return .skip(pick([0, 1, 2, 7, 8, 9, 30]))
        default: return number(0...1) == 0 ? .first : .last
        }
    }

    private mutating func aggregate() -> OracleStage.Aggregate {
        switch number(0...5) {
        case 0: OracleStage.Aggregate(function: "@count", column: nil)
        case 1: OracleStage.Aggregate(function: "@count", column: column())
        case 2:
            OracleStage.Aggregate(
                function: "@sum", column: pick(OracleColumn.all([.int, .double])))
        case 3:
            OracleStage.Aggregate(
                function: "@avg", column: pick(OracleColumn.all([.int, .double])))
        default: OracleStage.Aggregate(function: pick(["@min", "@max"]), column: column())
        }
    }

    private mutating func predicate(_ depth: Int) -> OraclePredicate {
        guard depth > 0 else { return leaf() }
        switch number(0...6) {
        case 0, 1: return .and((0...number(1...2)).map { _ in predicate(depth - 1) })
        case 2, 3: return .or((0...number(1...2)).map { _ in predicate(depth - 1) })
        case 4, 5: return .not(predicate(depth - 1))
        default: return leaf()
        }
    }

    private mutating func leaf() -> OraclePredicate {
        let column = column()
        let comparison = pick(["==", "!=", "<", "<=", ">", ">="])
        switch number(0...11) {
        case 0: return number(0...3) == 0 ? .always(number(0...1) == 0) : .bare(number(0...1))
        case 1: return .compare(column, comparison, .null, flipped: number(0...1) == 0)
        case 2: return .between(column, constant(column), constant(column))
        case 3:
            return .oneOf(
                column,
                (0..<number(0...5)).map { _ in number(0...5) == 0 ? .null : constant(column) })
        case 4:
            let others = OracleColumn.kind(column)
            let isNumeric = [.int, .double].contains(others)
            return .columns(
                column, comparison, pick(OracleColumn.all(isNumeric ? [.int, .double] : [others])))
        case 5...7: return textLeaf(pick(OracleColumn.all([.string])))
        default:
            return .compare(column, comparison, constant(column), flipped: number(0...3) == 0)
        }
    }

    /// A number may be compared with numbers of another kind.
    private mutating func constant(_ column: Int) -> Value {
        let kind = OracleColumn.kind(column)
        guard [.int, .double].contains(kind), number(0...4) == 0 else {
            return table.constant(column)
        }
        return RandomValues.any(kind == .int ? .double : .int, &generator)
    }

    private mutating func textLeaf(_ column: Int) -> OraclePredicate {
        let options = pick(["", "", "c", "c", "d", "cd"])
        guard case .string(let whole) = table.constant(column) else { return .always(true) }
        let scalars = Array(whole.unicodeScalars.prefix(40))
        var operand = ""
        if !scalars.isEmpty {
            let low = number(0...scalars.count - 1)
            for scalar in scalars[low...number(low...scalars.count - 1)] {
                operand.unicodeScalars.append(scalar)
            }
        }
        if number(0...3) == 0 { operand = operand.uppercased() }
        switch number(0...5) {
        case 0 where !options.isEmpty:
            return .equalText(
                column, isEqual: number(0...1) == 0, whole.uppercased(), options: options)
        case 0, 1: return .text(column, "LIKE", pattern(operand), options: options)
        case 2: return .text(column, "ENDSWITH", operand, options: options)
        case 3: return .text(column, "CONTAINS", operand, options: options)
        case 5 where number(0...1) == 0:
            let pattern = expression(Array(operand.unicodeScalars.prefix(8)))
            return .matches(
                column, .sequence([.many(.anyScalar, 0), pattern, .many(.anyScalar, 0)]),
                ignoresCase: options.contains("c"))
        case 4 where number(0...4) == 0:
            return .text(column, pick(["LIKE", "CONTAINS"]), nil, options: options)
        default:
            let length = number(0...scalars.count)
            var prefix = ""
            for scalar in scalars.prefix(length) { prefix.unicodeScalars.append(scalar) }
            return .text(column, "BEGINSWITH", prefix, options: options)
        }
    }

    /// Returns a regular expression that some characters match, or nearly match.
    private mutating func expression(_ scalars: [Unicode.Scalar]) -> OraclePattern {
        var parts: [OraclePattern] = []
        for scalar in scalars {
            let part: OraclePattern = number(0...3) == 0 ? .anyScalar : .scalar(scalar)
            switch number(0...7) {
            case 0: parts.append(.many(part, number(0...2)))
            case 1:
                let least = number(0...1)
                parts.append(.repeated(part, least...least + number(1...2)))
            case 2: parts.append(.choice([part, .scalar(pick(["a", "K", "é", "*"]))]))
            case 3 where !parts.isEmpty: parts = [.many(.sequence(parts), number(0...1)), part]
            default: parts.append(part)
            }
        }
        return .sequence(parts)
    }

    private mutating func pattern(_ operand: String) -> String {
        var pattern = number(0...1) == 0 ? "*" : ""
        for scalar in operand.unicodeScalars.prefix(12) {
            switch number(0...6) {
            case 0: pattern += "*"
            case 1: pattern += "?"
            default:
                if ["\\", "*", "?"].contains(scalar) { pattern += "\\" }
                pattern.unicodeScalars.append(scalar)
            }
        }
        return pattern + (number(0...1) == 0 ? "*" : "")
    }
}

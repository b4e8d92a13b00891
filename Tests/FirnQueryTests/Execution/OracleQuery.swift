import FirnValues

/// One stage of a query, with its text and its meaning.
enum OracleStage: Sendable {
    struct Key: Sendable {
        let column: Int
        let descending: Bool
    }

    struct Aggregate: Sendable {
        let function: String
        let column: Int?
    }

    case filter(OraclePredicate)
    case sort([Key])
    case distinct([Int])
    case limit(Int)
    case skip(Int)
    case first
    case last
    case project([Int])
    case aggregate([Aggregate])
    case count
    case exists

    var text: String {
        switch self {
        case .filter(let predicate): return predicate.text
        case .sort(let keys):
            let list = keys.map { OracleColumn.name($0.column) + ($0.descending ? " DESC" : "") }
            return "SORT(\(list.joined(separator: ", ")))"
        case .distinct(let columns):
            return "DISTINCT(\(columns.map(OracleColumn.name).joined(separator: ", ")))"
        case .limit(let count): return "LIMIT(\(count))"
        case .skip(let count): return "SKIP(\(count))"
        case .first: return "first"
        case .last: return "last"
        case .project(let columns):
            let items = columns.enumerated().map { "\(OracleColumn.name($1)) AS c\($0)" }
            return "project(\(items.joined(separator: ", ")))"
        case .aggregate(let aggregates):
            let items = aggregates.enumerated().map { index, aggregate in
                aggregate.function + (aggregate.column.map { ".\(OracleColumn.name($0))" } ?? "")
                    + " AS a\(index)"
            }
            return "project(\(items.joined(separator: ", ")))"
        case .count: return "count"
        case .exists: return "exists"
        }
    }
}

/// Runs stages over rows in the simplest way.
struct OracleQuery: Sendable {
    enum Failure: Error { case overflow }

    let stages: [OracleStage]

    /// The text of the query of the class `Item`.
    var text: String { "Item" + stages.map { " | " + $0.text }.joined() }

    func run(_ rows: [OracleRow]) throws(Failure) -> [[Value]] {
        var rows = rows
        var columns = Array(OracleColumn.names.indices)
        for stage in stages {
            switch stage {
            case .filter(let predicate): rows = rows.filter(predicate.passes)
            case .sort(let keys): rows = Self.sorted(rows, keys)
            case .distinct(let columns):
                var seen: Set<[Value]> = []
                rows = rows.filter { row in
                    seen.insert(columns.map { Self.canonical(row.value($0)) }).inserted
                }
            case .limit(let count): rows = Array(rows.prefix(count))
            case .skip(let count): rows = Array(rows.dropFirst(count))
            case .first: rows = Array(rows.prefix(1))
            case .last: rows = Array(rows.suffix(1))
            case .project(let projected): columns = projected
            case .aggregate(let aggregates):
                return [try aggregates.map { item throws(Failure) in try Self.value(item, rows) }]
            case .count: return [[.int(Int64(rows.count))]]
            case .exists: return [[.bool(!rows.isEmpty)]]
            }
        }
        return rows.map { row in columns.map { row.value($0) } }
    }

    private static func sorted(_ rows: [OracleRow], _ keys: [OracleStage.Key]) -> [OracleRow] {
        rows.enumerated().sorted { left, right in
            for key in keys {
                let order = left.element.value(key.column)
                    .order(relativeTo: right.element.value(key.column))
                if order != .equal { return (order == .less) != key.descending }
            }
            return left.offset < right.offset
        }.map(\.element)
    }

    /// Both zeros are one value, all NaN are one value.
    private static func canonical(_ value: Value) -> Value {
        guard case .double(let number) = value else { return value }
        return .double(number.isNaN ? .nan : (number == 0 ? 0 : number))
    }

    private static func value(
        _ aggregate: OracleStage.Aggregate, _ rows: [OracleRow]
    ) throws(Failure) -> Value {
        guard let column = aggregate.column else { return .int(Int64(rows.count)) }
        let values = rows.map { $0.value(column) }.filter { $0 != .null }
        let ordered = values.filter { if case .double(let x) = $0 { !x.isNaN } else { true } }
        switch aggregate.function {
        case "@count": return .int(Int64(values.count))
        case "@min": return ordered.min { $0.order(relativeTo: $1) == .less } ?? .null
        case "@max": return ordered.max { $0.order(relativeTo: $1) == .less } ?? .null
        default: break
        }
        if OracleColumn.kind(column) == .int {
            let sum = values.reduce(Int128(0)) { sum, value in
                if case .int(let number) = value { sum + Int128(number) } else { sum }
            }
            guard aggregate.function == "@sum" else {
                return values.isEmpty ? .null : .double(exactQuotient(sum, values.count))
            }
            guard let small = Int64(exactly: sum) else { throw .overflow }
            return .int(small)
        }
        let sum = values.reduce(0.0) { sum, value in
            if case .double(let number) = value { sum + number } else { sum }
        }
        if aggregate.function == "@sum" { return .double(sum) }
        return values.isEmpty ? .null : .double(sum / Double(values.count))
    }

    /// The double nearest to a quotient, found among the neighbours of an estimate with exact
    /// integers.
    static func exactQuotient(_ sum: Int128, _ count: Int) -> Double {
        if sum < 0 { return -exactQuotient(-sum, count) }
        let estimate = Double(sum) / Double(count)
        guard sum >= 1 << 53 else { return estimate }
        return [estimate, estimate.nextDown, estimate.nextUp].min { left, right in
            let errors = (error(left, sum, count), error(right, sum, count))
            // If two are equally near, the even one counts.
            return errors.0 != errors.1
                ? errors.0 < errors.1 : left.significandBitPattern & 1 == 0
        } ?? estimate
    }

    /// |candidate * count - sum|, times a power of two that makes the candidate an integer.
    private static func error(_ candidate: Double, _ sum: Int128, _ count: Int) -> Int128 {
        let scale = max(0, 52 - Int(candidate.exponent))
        let factor = Double(sign: .plus, exponent: scale, significand: 1)
        let product = Int128(candidate * factor) * Int128(count)
        return (product - sum << Int128(scale)).magnitude > UInt128(Int128.max)
            ? .max : Int128((product - sum << Int128(scale)).magnitude)
    }
}

import FirnTesting

/// Generates the texts of random pipelines over orders that deliver values: groups, aggregates,
/// computed items, and any stages before and after them.
struct RandomPipeline {
    /// A column that a stage can name.
    private struct Column {
        let name: String
        let isNumeric: Bool
    }

    private static let objectColumns = [
        Column(name: "state", isNumeric: false), Column(name: "region", isNumeric: true),
        Column(name: "amount", isNumeric: true), Column(name: "total", isNumeric: true),
        Column(name: "price", isNumeric: true), Column(name: "customer.country", isNumeric: false),
    ]

    private var generator: SplitMix64
    private var columns: [Column] = []
    private var nameCount = 0

    init(seed: UInt64) { generator = SplitMix64(seed: seed &* 977 &+ 3) }

    private mutating func happens(_ oneIn: UInt64) -> Bool { generator.happens(oneIn: oneIn) }

    private mutating func pick<T>(_ elements: [T]) -> T {
        elements[Int.random(in: 0..<elements.count, using: &generator)]
    }

    private mutating func newName() -> String {
        nameCount += 1
        // Names that look like the columns of computed items must not be confused with them.
        return happens(6) ? "_\(nameCount)" : "c\(nameCount)"
    }

    mutating func next() -> String {
        columns = Self.objectColumns
        nameCount = 0
        var stages: [String] = []
        for _ in 0..<pick([0, 0, 1, 1, 2]) { stages.append(rowStage()) }
        for _ in 0..<pick([0, 1, 1, 1, 2]) {
            stages.append(group())
            for _ in 0..<pick([0, 0, 1, 2]) { stages.append(rowStage()) }
        }
        switch pick([0, 1, 2, 3, 4, 5, 6]) {
        case 0: stages.append("count")
        case 1: stages.append("exists")
        case 2, 3: stages.append(aggregates())
        case 4: stages.append(projection())
        default: break
        }
        return (["Order"] + stages).joined(separator: " | ")
    }

    // MARK: Stages

    private mutating func rowStage() -> String {
        switch pick([0, 0, 1, 1, 2, 3, 4, 5, 6, 7]) {
        case 0: return condition()
        case 1:
            let order = happens(2) ? " DESC" : ""
            return "SORT(\(pick(columns).name)\(order), \(pick(columns).name))"
        case 2: return "DISTINCT(\(pick(columns).name))"
        case 3: return "LIMIT(\(pick([0, 1, 2, 5, 30])))"
        case 4: return "SKIP(\(pick([0, 1, 3])))"
        case 5: return "LIMIT(\(pick([1, 2])) BY \(pick(columns).name))"
        case 6: return pick(["first", "last"])
        default: return projection()
        }
    }

    private mutating func condition() -> String {
        let column = pick(columns)
        guard column.isNumeric else {
            return
                "\(column.name) \(pick(["==", "!=", "<", ">="])) \"\(pick(["no", "paid", "p"]))\""
        }
        return "\(column.name) \(pick(["==", "!=", "<", ">="])) \(pick(["-3", "0", "2", "nil"]))"
    }

    /// Adds computed columns, and sometimes one of the columns under another's name.
    private mutating func projection() -> String {
        var items: [String] = []
        var named: [Column] = []
        for _ in 0..<pick([1, 2, 3]) {
            let column = pick(columns)
            let name = newName()
            let isComputed = column.isNumeric && happens(2)
            items.append("\(name) = \(isComputed ? "\(column.name) * 2 + 1" : column.name)")
            named.append(Column(name: name, isNumeric: column.isNumeric))
        }
        columns = named
        return "select(\(items.joined(separator: ", ")))"
    }

    private mutating func group() -> String {
        var keys: [String] = []
        var named: [Column] = []
        for _ in 0..<pick([0, 1, 1, 1, 2]) {
            let column = pick(columns)
            let name = newName()
            let isComputed = column.isNumeric && happens(4)
            keys.append("\(name) = \(isComputed ? "\(column.name) + 1" : column.name)")
            named.append(Column(name: name, isNumeric: column.isNumeric))
        }
        let (items, columns) = items(pick([1, 1, 2, 3]))
        self.columns = named + columns
        return "group(\(keys.joined(separator: ", ")); \(items.joined(separator: ", ")))"
    }

    private mutating func aggregates() -> String {
        let (items, columns) = items(pick([1, 2, 3]))
        self.columns = columns
        return "select(\(items.joined(separator: ", ")))"
    }

    private mutating func items(_ count: Int) -> ([String], [Column]) {
        var items: [String] = []
        var named: [Column] = []
        for _ in 0..<count {
            let name = newName()
            let (text, isNumeric) = aggregate()
            let isComputed = isNumeric && happens(3)
            items.append("\(name) = \(isComputed ? "1 * \(text)" : text)")
            named.append(Column(name: name, isNumeric: isNumeric))
        }
        return (items, named)
    }

    private mutating func aggregate() -> (text: String, isNumeric: Bool) {
        let column = pick(columns)
        let function = pick([
            "count", "count", "sum", "avg", "min", "max", "distinct", "median", "stddev",
            "variance", "first", "last",
        ])
        let hasCondition = happens(5)
        let suffix = hasCondition ? " WHERE \(condition())" : ""
        switch function {
        case "count":
            if happens(2) { return ("@count", true) }
            return ("@count(\(column.name)\(suffix))", true)
        case "distinct": return ("@distinct(\(column.name)\(suffix))", true)
        case "min", "max", "first", "last":
            return ("@\(function)(\(column.name)\(suffix))", column.isNumeric)
        default:
            guard let numeric = columns.filter(\.isNumeric).randomElement(using: &generator) else {
                return ("@count", true)
            }
            if function == "median", happens(2) {
                return ("@quantile(\(numeric.name), 0.9)", true)
            }
            return ("@\(function)(\(numeric.name)\(suffix))", true)
        }
    }
}

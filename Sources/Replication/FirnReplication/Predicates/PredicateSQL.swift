import FirnCodec
import FirnEngine
package import FirnQuery
import FirnSyntax
import FirnValues

/// A condition in SQL that holds for exactly the rows for which the query holds.
///
/// Firn's conditions have two values, those of SQL three. At the top and below AND and OR, NULL
/// counts as false in both; below NOT, each comparison is wrapped so that it is never NULL.
/// Constants are parameters, and names come from the schema. What has no exact equivalent is
/// refused: upper and lower case, for example, differ between the two.
///
/// A path of links is decided by the rows that the server has: a link without a row leads to no
/// object. Only `link.key == value` is decided by the column of the link, whether or not there is a
/// row, so that it needs no other table.
package struct PredicateSQL {
    private let classes: [ClassID: SyncedClass]
    private var type: SyncedClass
    /// The number of links from the subscribed class.
    private var depth = 0
    /// The condition whose links lead to the row, for messages.
    private var linking: BoundPredicate?
    /// Whether a comparison that is NULL would not count as false.
    private var isNegated = false
    private(set) var parameters: [String?]

    private init(
        _ type: SyncedClass, among classes: [ClassID: SyncedClass], _ parameters: [String?]
    ) {
        self.type = type
        self.classes = classes
        self.parameters = parameters
    }

    /// The alias of the row in the statement.
    private var row: String { depth == 0 ? "t" : "t\(depth)" }

    /// A condition and its parameters, numbered from the end of the given ones.
    package struct Condition: Hashable, Sendable {
        package let sql: String
        package let parameters: [String?]
    }

    /// Returns the condition of rows, with the alias `t`, that satisfy any of several queries.
    ///
    /// - Parameter classes: The classes to which links of the conditions lead.
    /// - Throws: ``UpstreamError`` with `notPushable` and the part that has no exact equivalent.
    static func condition(
        _ predicates: [BoundPredicate], of type: SyncedClass, among classes: [ClassID: SyncedClass],
        after parameters: [String?] = []
    ) throws(UpstreamError) -> Condition {
        var writer = PredicateSQL(type, among: classes, parameters)
        var texts: [String] = []
        for predicate in predicates { texts.append(try writer.text(predicate)) }
        let sql = texts.isEmpty ? "FALSE" : texts.map { "(\($0))" }.joined(separator: " OR ")
        return Condition(sql: "(\(sql))", parameters: writer.parameters)
    }

    /// Returns the condition of a query, which may only filter.
    package static func predicate(of query: BoundQuery) throws(UpstreamError) -> BoundPredicate {
        var conditions: [BoundPredicate] = []
        for stage in query.stages {
            guard case .filter(let predicate) = stage else {
                throw UpstreamError(
                    .notPushable,
                    "a subscription filters objects: it cannot sort, limit or compute",
                    remedy: "subscribe to the filter, and apply the rest to the result")
            }
            conditions.append(predicate)
        }
        if conditions.count > 1 { return .and(conditions) }
        return conditions.first ?? .always(true)
    }

    /// Checks that a condition can be evaluated by the server.
    ///
    /// - Returns: The classes to which its links lead.
    @discardableResult
    static func check(
        _ predicate: BoundPredicate, of type: SyncedClass, in schema: Schema
    ) throws(UpstreamError) -> [ClassID: SyncedClass] {
        var classes: [ClassID: SyncedClass] = [:]
        for target in predicate.linkPaths.flatMap(\.links).map(\.target) where !target.isEmbedded {
            if classes[target.id] == nil {
                classes[target.id] = try SyncedClass(target, in: schema)
            }
        }
        _ = try condition([predicate], of: type, among: classes)
        return classes
    }

    private func refuse(_ predicate: BoundPredicate, _ reason: String) -> UpstreamError {
        UpstreamError(
            .notPushable,
            "the server cannot evaluate \(linking ?? predicate) exactly: \(reason)",
            remedy: "subscribe to a wider condition, and filter the result locally")
    }

    private mutating func parameter(_ text: String?, _ cast: String) -> String {
        parameters.append(text)
        return "$\(parameters.count)::\(cast)"
    }

    // MARK: Logic

    private mutating func text(_ predicate: BoundPredicate) throws(UpstreamError) -> String {
        switch predicate {
        case .always(let value): return value ? "TRUE" : "FALSE"
        case .and(let operands): return try joined(operands, " AND ")
        case .or(let operands): return try joined(operands, " OR ")
        case .not(let operand):
            let text = try negated { writer throws(UpstreamError) in try writer.text(operand) }
            return "NOT (\(text))"
        case .comparison(let comparison): return try text(comparison, predicate)
        case .linkMatches(let property, let target, let inner, let ifNil):
            if let test = predicate.keyTestOfLink, let column = type.column(of: property.id),
                !column.isCollection
            {
                return try leaf(test, ColumnSubject(column, row), predicate)
            }
            // The target is missing or passes: no target fails.
            let link = LinkPath.Link(property: property, target: target)
            return try exists(not: ifNil, [link], predicate) { writer throws(UpstreamError) in
                let text = try writer.text(inner)
                return ifNil ? "NOT (\(text))" : text
            }
        case .isWithin:
            throw refuse(predicate, "only comparisons of a property with constants are")
        }
    }

    private mutating func text(
        _ comparison: BoundComparison, _ predicate: BoundPredicate
    ) throws(UpstreamError) -> String {
        if case .constant(let test) = comparison.test {
            switch comparison.left.value {
            case .column(.property(let property)):
                guard let column = type.column(of: property.id), !column.isCollection,
                    !column.isJSON
                else { throw refuse(predicate, "it is not a column of a simple type") }
                return try leaf(test, ColumnSubject(column, row), predicate)
            case .mapped(let path):
                return try quantified(comparison.left.quantifier, path, test, predicate)
            default: break
            }
        }
        throw refuse(predicate, "only comparisons of a property with constants are")
    }

    private mutating func joined(
        _ operands: [BoundPredicate], _ word: String
    ) throws(UpstreamError) -> String {
        var texts: [String] = []
        for operand in operands { texts.append("(" + (try text(operand)) + ")") }
        return texts.joined(separator: word)
    }

    /// Returns a comparison, which is never NULL below NOT.
    private mutating func leaf(
        _ test: ColumnTest, _ subject: ColumnSubject, _ predicate: BoundPredicate
    ) throws(UpstreamError) -> String {
        let text = try self.test(test, subject, predicate)
        return isNegated ? "COALESCE(\(text), FALSE)" : text
    }

    /// Writes a condition whose comparisons are never NULL.
    private mutating func negated(
        _ body: (inout PredicateSQL) throws(UpstreamError) -> String
    ) throws(UpstreamError) -> String {
        let outer = isNegated
        isNegated = true
        defer { isNegated = outer }
        return try body(&self)
    }

    /// Writes whether links lead to an object that satisfies a condition.
    ///
    /// - Parameters:
    ///   - isComplement: Whether the result is negated.
    ///   - body: Writes the condition of the object, which is never NULL.
    private mutating func exists(
        not isComplement: Bool = false, _ links: [LinkPath.Link], _ predicate: BoundPredicate,
        _ body: (inout PredicateSQL) throws(UpstreamError) -> String
    ) throws(UpstreamError) -> String {
        guard let link = links.first else { return try negated(body) }
        guard let column = type.column(of: link.property.id), column.isLink,
            let target = classes[link.target.id]
        else { throw refuse(predicate, "it is not a column with links to other objects") }
        let outer = (type: type, row: row, linking: linking)
        type = target
        depth += 1
        linking = linking ?? predicate
        defer {
            type = outer.type
            depth -= 1
            linking = outer.linking
        }
        let text = try exists(Array(links.dropFirst()), predicate, body)
        let own = "\(outer.row).\(SQLText.name(column.main))"
        let key = "\(row).\(SQLText.name(target.key.main))"
        return (isComplement ? "NOT " : "") + "EXISTS (SELECT FROM \(target.table) \(row) WHERE "
            + "\(key) = " + (column.isCollection ? "ANY (\(own))" : own) + " AND (\(text)))"
    }

    /// Writes a comparison of all values of a path, or of all elements of a collection.
    private mutating func quantified(
        _ quantifier: Quantifier, _ path: BoundPath, _ test: ColumnTest,
        _ predicate: BoundPredicate
    ) throws(UpstreamError) -> String {
        guard let links = path.links, path.measure == nil else {
            throw refuse(predicate, "only values that links lead to are compared")
        }
        let isNot = quantifier != .any
        return try exists(not: isNot, links, predicate) { writer throws(UpstreamError) in
            let (type, row) = (writer.type, writer.row)
            switch path.terminal {
            case .column(.property(let property)):
                guard !links.isEmpty, let column = type.column(of: property.id),
                    !column.isCollection, !column.isJSON
                else { break }
                let text = try writer.leaf(test, ColumnSubject(column, row), predicate)
                return quantifier == .all ? "NOT (\(text))" : text
            case .elements(let property):
                guard let column = type.column(of: property.id), column.isCollection,
                    !column.isLink, !column.isJSON
                else { break }
                let text = try writer.leaf(test, ColumnSubject(element: column), predicate)
                let elements = "unnest(\(row).\(SQLText.name(column.main))) AS e"
                return (links.isEmpty && isNot ? "NOT " : "") + "EXISTS (SELECT FROM \(elements) "
                    + "WHERE \(quantifier == .all ? "NOT (\(text))" : text))"
            default: break
            }
            throw writer.refuse(predicate, "only properties of simple types are compared")
        }
    }

    // MARK: Comparisons

    private mutating func test(
        _ test: ColumnTest, _ subject: ColumnSubject, _ predicate: BoundPredicate
    ) throws(UpstreamError) -> String {
        switch test {
        case .isNull: return "\(subject.main) IS NULL"
        case .isNotNull: return "\(subject.main) IS NOT NULL"
        case .compare(let operation, let value):
            return try compare(subject, operation, value, predicate)
        case .between(let low, let high):
            let first = try compare(subject, .greaterOrEqual, low, predicate)
            return "(\(first) AND \(try compare(subject, .lessOrEqual, high, predicate)))"
        case .oneOf(let values):
            var texts: [String] = []
            for value in values {
                texts.append(
                    value.isNull
                        ? "\(subject.main) IS NULL"
                        : try compare(subject, .equal, value, predicate))
            }
            return texts.isEmpty ? "FALSE" : "(" + texts.joined(separator: " OR ") + ")"
        case .text(let pattern):
            guard subject.tag == .string, pattern.bytes == nil, pattern.options.isEmpty,
                !pattern.operand.isEmpty, !pattern.operand.utf8.contains(0)
            else { throw refuse(predicate, "texts are only compared by their exact characters") }
            return try match(pattern, subject, predicate)
        }
    }

    private mutating func compare(
        _ subject: ColumnSubject, _ operation: ComparisonOperator, _ value: Value,
        _ predicate: BoundPredicate
    ) throws(UpstreamError) -> String {
        if subject.tag == .date, case .date(let date) = value, subject.rest != nil {
            guard let texts = try? ScalarText.texts(date), texts.count == 2 else {
                throw refuse(predicate, "the date is outside the years 1 to 9999")
            }
            let right =
                "(\(parameter(texts[0], "timestamptz")), \(parameter(texts[1], "integer")))"
            return comparison(subject.pair, operation, right)
        }
        if subject.tag == .date, subject.isWhole, case .date(let date) = value,
            let texts = try? ScalarText.texts(date), texts.count == 2, texts[1] == "0"
        {
            return comparison(subject.main, operation, parameter(texts[0], "timestamptz"))
        }
        guard let constant = SQLConstant(value, comparedWith: subject.tag) else {
            throw refuse(predicate, "the constant has no exact form for \(subject.tag.name)")
        }
        switch (subject.tag, operation) {
        case (.bool, .equal), (.bool, .notEqual), (.data, .equal), (.data, .notEqual),
            (.objectID, .equal), (.objectID, .notEqual), (.uuid, .equal), (.uuid, .notEqual),
            (.int, _), (.float, _), (.double, _), (.decimal128, _), (.string, _):
            break
        default: throw refuse(predicate, "values of this type have no common order")
        }
        let right = parameter(constant.text, constant.cast)
        let text = comparison(subject.main, operation, right)
        let isAbove = operation == .greater || operation == .greaterOrEqual
        guard isAbove, [.float, .double, .decimal128].contains(subject.tag) else { return text }
        // The server sorts NaN above all numbers; here it is not comparable.
        return "(\(text) AND \(subject.main) <> 'NaN')"
    }

    private func comparison(
        _ left: String, _ operation: ComparisonOperator, _ right: String
    ) -> String {
        switch operation {
        case .equal: "\(left) = \(right)"
        case .notEqual: "(\(left) = \(right)) IS NOT TRUE"
        case .less: "\(left) < \(right)"
        case .lessOrEqual: "\(left) <= \(right)"
        case .greater: "\(left) > \(right)"
        case .greaterOrEqual: "\(left) >= \(right)"
        }
    }

    private mutating func match(
        _ pattern: TextPattern, _ subject: ColumnSubject, _ predicate: BoundPredicate
    ) throws(UpstreamError) -> String {
        let operand = LikeText.escaped(pattern.operand)
        switch pattern.kind {
        case .beginsWith: return "\(subject.main) LIKE \(parameter(operand + "%", "text"))"
        case .endsWith: return "\(subject.main) LIKE \(parameter("%" + operand, "text"))"
        case .contains: return "\(subject.main) LIKE \(parameter("%" + operand + "%", "text"))"
        case .like:
            let text = LikeText.converted(pattern.operand)
            return "\(subject.main) LIKE \(parameter(text, "text"))"
        case .matches: throw refuse(predicate, "regular expressions differ")
        case .equal, .notEqual: throw refuse(predicate, "upper and lower case differ")
        }
    }
}

/// The left side of a comparison.
private struct ColumnSubject {
    let tag: ValueTag
    let main: String
    let rest: String?
    /// Whether the column has a whole date; in a table of another program, it has only
    /// microseconds.
    let isWhole: Bool

    init(_ column: SyncedColumn, _ row: String) {
        tag = column.stored
        isWhole = column.rest == nil
        // By bytes, also if the key of another program's table is sorted differently.
        let collation = column.stored == .string ? " COLLATE \"C\"" : ""
        main = "\(row)." + SQLText.name(column.main) + collation
        rest = column.rest.map { "\(row)." + SQLText.name($0) }
    }

    init(element column: SyncedColumn) {
        tag = column.stored
        main = "e"
        isWhole = false
        rest = nil
    }

    var pair: String { "(\(main), COALESCE(\(rest ?? "0"), 0)::integer)" }
}

/// A constant as the parameter of a comparison with a column.
private struct SQLConstant {
    let text: String
    let cast: String

    /// Creates a constant; `nil` if it has no exact form that the server compares in the same way.
    init?(_ value: Value, comparedWith tag: ValueTag) {
        switch (tag, value) {
        case (.int, .int(let number)): (text, cast) = (String(number), "bigint")
        case (.float, .int(let number)), (.double, .int(let number)):
            guard let double = Double(exactly: number) else { return nil }
            (text, cast) = (double.description, "double precision")
        case (.float, .double(let number)), (.double, .double(let number)):
            guard number.isFinite else { return nil }
            (text, cast) = (number.description, "double precision")
        case (.float, .float(let number)), (.double, .float(let number)):
            guard number.isFinite else { return nil }
            (text, cast) = (Double(number).description, "double precision")
        case (.decimal128, .decimal128(let number)):
            guard number.isFinite else { return nil }
            (text, cast) = (number.description, "numeric")
        case (.decimal128, .int(let number)):
            (text, cast) = (String(number), "numeric")
        case (.bool, .bool), (.string, .string), (.data, .data), (.objectID, .objectID),
            (.uuid, .uuid):
            guard let known = (try? ScalarText.text(value)) ?? nil,
                let type = ScalarText.type(tag)
            else { return nil }
            (text, cast) = (known, type)
        default: return nil
        }
    }
}

/// Patterns of LIKE, whose escape character is the backslash on both sides.
private enum LikeText {
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars { append(scalar, to: &result) }
        return result
    }

    /// Converts `*`, `?` and their escapes to `%` and `_`.
    static func converted(_ pattern: String) -> String {
        var result = ""
        var isEscaped = false
        for scalar in pattern.unicodeScalars {
            if isEscaped {
                append(scalar, to: &result)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else if scalar == "*" {
                result += "%"
            } else if scalar == "?" {
                result += "_"
            } else {
                append(scalar, to: &result)
            }
        }
        if isEscaped { append("\\", to: &result) }
        return result
    }

    private static func append(_ scalar: UnicodeScalar, to text: inout String) {
        if ["%", "_", "\\"].contains(scalar) { text += "\\" }
        text.unicodeScalars.append(scalar)
    }
}

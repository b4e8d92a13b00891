import FirnCodec
import FirnEngine
import FirnQuery
import FirnSyntax
import FirnValues

/// One object.
struct GraphObject: Hashable {
    let schema: ClassSchema
    let row: RowID

    var link: Value { .link(ObjectReference(classID: schema.id, rowID: row)) }
}

/// Follows paths and computes expressions one object at a time, without vectors.
struct GraphOracle {
    let data: GraphData
    /// The values of the object around a subquery.
    private var outer: [Value] = []
    private let known = KnownValues()

    /// The values of subqueries and aggregates: without them, nested ones take a time that is
    /// exponential in their depth.
    private final class KnownValues {
        struct Key: Hashable {
            let expression: BoundExpression
            let object: GraphObject
            let outer: [Value]
        }

        var values: [Key: Value] = [:]
    }

    init(data: GraphData) { self.data = data }

    // MARK: Paths

    func objects(_ path: BoundPath, _ object: GraphObject) -> [GraphObject] {
        path.steps.reduce([object]) { objects, step in
            objects.flatMap { follow(step, $0) }
        }
    }

    private func follow(_ step: BoundPath.Step, _ object: GraphObject) -> [GraphObject] {
        switch step {
        case .link(let property, let target):
            return targets([value(property, object)], target)
        case .elements(let property, let target):
            return targets(elements(value(property, object)), target)
        case .element(let property, let position, let target):
            return targets([element(elements(value(property, object)), position)], target)
        case .mapValue(let property, let key, let target):
            return targets([entry(value(property, object), key)], target)
        case .backlinks(let property, let source):
            return data.rows(of: source).flatMap { row -> [GraphObject] in
                let candidate = GraphObject(schema: source, row: row)
                let links = elements(value(property, candidate)).filter { $0 == object.link }
                return links.map { _ in candidate }
            }
        case .allBacklinks:
            return data.schema.incoming(to: object.schema.id).flatMap {
                follow(.backlinks($0.property, of: $0.source), object)
            }
        case .lookup: preconditionFailure("a join, which random queries do not have")
        }
    }

    private func targets(_ links: [Value], _ schema: ClassSchema) -> [GraphObject] {
        links.compactMap { link in
            guard case .link(let reference) = link, data.exists(reference.rowID, in: schema) else {
                return nil
            }
            return GraphObject(schema: schema, row: reference.rowID)
        }
    }

    func value(_ property: PropertySchema, _ object: GraphObject) -> Value {
        data.value(property, of: object.row, in: object.schema)
    }

    /// A single value is a collection of one.
    func elements(_ value: Value) -> [Value] {
        switch value {
        case .list(let values), .set(let values): values
        case .map(let entries): entries.keys.sorted().map { entries[$0] ?? .null }
        default: [value]
        }
    }

    private func element(_ values: [Value], _ position: BoundPath.Position) -> Value {
        switch position {
        case .index(let index): values.indices.contains(index) ? values[index] : .null
        case .first: values.first ?? .null
        case .last: values.last ?? .null
        }
    }

    private func entry(_ value: Value, _ key: String) -> Value {
        guard case .map(let entries) = value else { return .null }
        return entries[key] ?? .null
    }

    /// All values at the end of a path.
    func values(_ path: BoundPath, _ object: GraphObject) -> [Value] {
        let values = objects(path, object).flatMap { terminal(path.terminal, $0) }
        switch path.measure {
        case nil: return values
        case .typeName: return values.map { .string($0.tag.name) }
        case .length: return values.map(length)
        }
    }

    private func length(_ value: Value) -> Value {
        switch value {
        case .string(let text): .int(Int64(text.utf8.count))
        case .data(let bytes): .int(Int64(bytes.count))
        default: .null
        }
    }

    private func terminal(_ terminal: BoundPath.Terminal, _ object: GraphObject) -> [Value] {
        switch terminal {
        case .column(.property(let property)), .collection(let property):
            return [value(property, object)]
        case .column: return [.int(Int64(object.row.rawValue))]
        case .object: return [object.link]
        case .elements(let property): return elements(value(property, object))
        case .keys(let property):
            guard case .map(let entries) = value(property, object) else { return [] }
            return entries.keys.sorted().map { .string($0) }
        case .element(let property, let position):
            return [element(elements(value(property, object)), position)]
        case .mapValue(let property, let key): return [entry(value(property, object), key)]
        case .nested(let property, let inner):
            return inside(value(property, object), inner[...])
        }
    }

    func inside(_ value: Value, _ inner: ArraySlice<BoundPath.Inner>) -> [Value] {
        guard let step = inner.first else { return [value] }
        let rest = inner.dropFirst()
        var isCollection = false
        switch value {
        case .list, .set, .map: isCollection = true
        default: break
        }
        let all = isCollection ? elements(value) : []
        let isMap = if case .map = value { true } else { false }
        switch step {
        case .all: return all.flatMap { inside($0, rest) }
        case .keys:
            guard case .map(let entries) = value else { return [] }
            return entries.keys.sorted().map { .string($0) }
        case .index(let index): return inside(isMap ? .null : element(all, .index(index)), rest)
        case .first: return inside(isMap ? .null : element(all, .first), rest)
        case .last: return inside(isMap ? .null : element(all, .last), rest)
        case .key(let key): return inside(entry(value, key), rest)
        case .objectKey(let schema, let key):
            guard case .link(let reference) = value, reference.classID == schema.id,
                data.exists(reference.rowID, in: schema)
            else { return [.null] }
            return [self.value(key, GraphObject(schema: schema, row: reference.rowID))]
        }
    }

    // MARK: Expressions

    func value(_ expression: BoundExpression, _ object: GraphObject) -> Value {
        switch expression {
        case .subqueryCount, .aggregate:
            let key = KnownValues.Key(expression: expression, object: object, outer: outer)
            if let value = known.values[key] { return value }
            let value = computed(expression, object)
            known.values[key] = value
            return value
        default: return computed(expression, object)
        }
    }

    private func computed(_ expression: BoundExpression, _ object: GraphObject) -> Value {
        switch expression {
        case .constant(let value): return value
        case .column(.property(let property)): return value(property, object)
        case .column(.output(let index, _, _, _)): return outer[index]
        case .column(.rowID): return .int(Int64(object.row.rawValue))
        case .path(let path): return values(path, object).first ?? .null
        case .reduction(let reduction, let path): return reduce(reduction, path, object)
        case .subqueryCount(let reached, let outer, let predicate):
            var inner = self
            inner.outer = outer.map { value($0, object) }
            return .int(
                Int64(objects(reached.path, object).count { inner.passes(predicate, $0) }))
        case .aggregate(let reached, let aggregate):
            return self.aggregate(aggregate, objects(reached.path, object))
        case .arithmetic(let operation, let left, let right):
            return arithmetic(operation, value(left, object), value(right, object))
        case .moved(let date, let milliseconds):
            guard case .date(let date) = value(date, object) else { return .null }
            return .date(
                Timestamp(
                    seconds: date.seconds,
                    nanoseconds: Int64(date.nanoseconds) + milliseconds * 1_000_000))
        case .function(let function, let arguments):
            return call(function, arguments.map { value($0, object) })
        case .typeName(let path):
            return .string((values(path, object).first ?? .null).tag.name)
        case .mapped(let path): return .list(values(path, object))
        case .condition(let predicate): return .bool(passes(predicate, object))
        }
    }

    private func reduce(
        _ reduction: BoundExpression.Reduction, _ path: BoundPath, _ object: GraphObject
    ) -> Value {
        let values = values(path, object)
        if reduction == .count {
            if case .collection = path.terminal {
                return .int(Int64(values.reduce(0) { $0 + elements($1).count }))
            }
            // The elements of a collection count, whether there is an object or not.
            if case .object = path.terminal, case .elements(let property, _)? = path.steps.last {
                let parents = path.steps.dropLast().reduce([object]) { objects, step in
                    objects.flatMap { follow(step, $0) }
                }
                return .int(
                    Int64(parents.reduce(0) { $0 + elements(value(property, $1)).count }))
            }
            if path.isMultiple { return .int(Int64(values.count)) }
            switch values.first ?? .null {
            case .list(let elements), .set(let elements): return .int(Int64(elements.count))
            case .map(let entries): return .int(Int64(entries.count))
            case let value: return length(value)
            }
        }
        let present = values.filter { $0 != .null }
        let ordered = present.filter { if case .double(let x) = $0 { !x.isNaN } else { true } }
        switch reduction {
        case .count: return .null
        case .minimum: return ordered.min { $0.order(relativeTo: $1) == .less } ?? .null
        case .maximum: return ordered.max { $0.order(relativeTo: $1) == .less } ?? .null
        case .sum, .average: return sum(present, path, isAverage: reduction == .average)
        case .distinct: return .int(Int64(Set(present).count))
        case .first: return present.first ?? .null
        case .last: return present.last ?? .null
        case .median, .quantile, .deviation, .variance:
            preconditionFailure("a reduction that random queries do not have")
        }
    }

    private func sum(_ values: [Value], _ path: BoundPath, isAverage: Bool) -> Value {
        if path.type.base == .int {
            let sum = values.reduce(Int128(0)) { sum, value in
                if case .int(let number) = value { sum + Int128(number) } else { sum }
            }
            guard isAverage else { return Int64(exactly: sum).map { .int($0) } ?? .null }
            return values.isEmpty
                ? .null : .double(OracleQuery.exactQuotient(sum, values.count))
        }
        let sum = values.reduce(0.0) { sum, value in
            switch value {
            case .double(let number): sum + number
            case .float(let number): sum + Double(number)
            default: sum
            }
        }
        guard isAverage else { return .double(sum) }
        return values.isEmpty ? .null : .double(sum / Double(values.count))
    }

    func arithmetic(
        _ operation: BoundExpression.Arithmetic, _ left: Value, _ right: Value
    ) -> Value {
        if case .int(let left) = left, case .int(let right) = right {
            let (a, b) = (Int128(left), Int128(right))
            let exact: Int128? =
                switch operation {
                case .add: a + b
                case .subtract: a - b
                case .multiply: a * b
                case .divide: b == 0 ? nil : a / b
                case .remainder: b == 0 ? nil : a % b
                }
            return exact.flatMap { Int64(exactly: $0) }.map { .int($0) } ?? .null
        }
        func double(_ value: Value) -> Double? {
            switch value {
            case .int(let number): Double(number)
            case .double(let number): number
            case .float(let number): Double(number)
            default: nil
            }
        }
        guard let left = double(left), let right = double(right) else { return .null }
        switch operation {
        case .add: return .double(left + right)
        case .subtract: return .double(left - right)
        case .multiply: return .double(left * right)
        case .divide: return right == 0 ? .null : .double(left / right)
        case .remainder:
            return right == 0 ? .null : .double(left.truncatingRemainder(dividingBy: right))
        }
    }

    private func call(_ function: ScalarFunction, _ arguments: [Value]) -> Value {
        if function == .if { return arguments[0] == .bool(true) ? arguments[1] : arguments[2] }
        if function == .coalesce { return arguments.first { $0 != .null } ?? .null }
        switch (function, arguments[0]) {
        case (.upper, .string(let text)): return .string(text.uppercased())
        case (.lower, .string(let text)): return .string(text.lowercased())
        case (.trim, .string(let text)):
            return .string(
                String(
                    text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()))
        case (.length, .string(let text)): return .int(Int64(text.count))
        case (.length, .data(let bytes)): return .int(Int64(bytes.count))
        case (.year, .date(let date)): return .int(civil(date).year)
        case (.month, .date(let date)): return .int(Int64(civil(date).month))
        case (.day, .date(let date)): return .int(Int64(civil(date).day))
        case (.hour, .date(let date)):
            return .int((date.seconds - days(date) * 86_400) / 3_600)
        case (.weekday, .date(let date)):
            // 2024-01-01, day 19,723, was a Monday.
            let distance = (days(date) - 19_723) % 7
            return .int(distance < 0 ? distance + 8 : distance + 1)
        default: return .null
        }
    }

    private func days(_ date: Timestamp) -> Int64 {
        Int64((Double(date.seconds) / 86_400).rounded(.down))
    }

    private func civil(_ date: Timestamp) -> CivilDate { CivilDate(daysSince1970: days(date)) }
}

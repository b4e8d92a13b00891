import ArgumentParser
import FirnQuery
package import FirnValues

/// The values of `$name` in queries and statements, and their time zone.
package struct ParameterOptions: ParsableArguments {
    @Option(
        name: [.customShort("p"), .customLong("parameter")],
        help: ArgumentHelp(
            "The value of $NAME in queries: a string, or JSON after :=; repeatable.",
            valueName: "NAME=TEXT|NAME:=JSON"))
    var parameters: [QueryParameter] = []

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "The time zone of functions that name none, such as Europe/Oslo or +02:00 (default: "
                + "UTC).",
            valueName: "ZONE"))
    var timezone: String?

    mutating func validate() throws {
        if let mistake = timezone.flatMap(ParameterOptions.mistake(inZone:)) {
            throw ValidationError(mistake)
        }
    }

    /// What queries and statements are bound with.
    var arguments: QueryArguments {
        QueryArguments(
            TextMap(parameters.map { ($0.name, $0.value) }) { _, last in last }, zone: timezone)
    }

    /// Returns a message if the system does not know a time zone.
    package static func mistake(inZone name: String) -> String? {
        guard ZoneDatabase.zone(named: name) == nil else { return nil }
        let nearest = ZoneDatabase.names(near: name).first
        return "no time zone \"\(SafeText.escaping(name))\"; "
            + (nearest.map { "did you mean \($0)?" } ?? "write one as Europe/Oslo or +02:00")
    }
}

/// `city=Oslo` or `age:=30`.
struct QueryParameter: ExpressibleByArgument {
    let name: String
    let value: Value

    init?(argument: String) {
        guard let equals = argument.firstIndex(of: "=") else { return nil }
        let left = argument[..<equals]
        let text = String(argument[argument.index(after: equals)...])
        guard left.last == ":" else {
            name = String(left)
            value = .string(text)
            if name.isEmpty { return nil }
            return
        }
        name = String(left.dropLast())
        guard !name.isEmpty, let value = Value(json: text) else { return nil }
        self.value = value
    }
}

extension Value {
    /// Parses one JSON value, as an Any property does.
    package init?(json text: String) {
        do {
            var reader = try JSONReader(MemorySource(Array("[\(text)]".utf8), name: "-p"))
            guard case .value(let tree, _) = try reader.next(), try reader.next() == nil,
                let value = try Value(parameter: tree)
            else { return nil }
            self = value
        } catch { return nil }
    }

    /// Parses the value of a parameter; `nil` for a link.
    ///
    /// A number that a Double would round is kept as a Decimal128, because only the query
    /// determines which digits are significant.
    init?(parameter tree: JSONTree) throws(JSONMistake) {
        switch tree.content {
        case .number(let text):
            guard Int64(text) == nil, let number = NumberLiteral(text),
                case .decimal128(let exact)? = number.value(for: .any)
            else { break }
            self = .decimal128(exact)
            return
        case .array(let elements):
            var values: [Value] = []
            for element in elements {
                guard let value = try Value(parameter: element) else { return nil }
                values.append(value)
            }
            self = .list(values)
            return
        default: break
        }
        guard case .value(let value) = try JSONValueReader.read(tree, as: PropertyType(.any)) else {
            return nil
        }
        self = value
    }
}

import ArgumentParser
import FirnFormats
import FirnQuery
import FirnValues

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

    /// The context in which queries and statements are bound.
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
        guard let (left, right) = argument.cut(at: "=") else { return nil }
        let text = String(right)
        guard left.hasSuffix(":") else {
            name = String(left)
            value = .string(text)
            if name.isEmpty { return nil }
            return
        }
        name = String(left.utf8.dropLast()) ?? ""
        guard !name.isEmpty, let value = Value(json: text) else { return nil }
        self.value = value
    }
}

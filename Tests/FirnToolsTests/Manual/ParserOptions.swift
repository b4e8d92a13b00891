import FirnPlatform
import FirnText
import FirnTools
import Testing

/// The options that the parser of a command accepts.
struct ParserOptions {
    struct Option {
        /// The names as typed: `-f`, `--format`.
        var names: [String] = []
        /// The values that can be listed.
        var values: [String] = []
    }

    private(set) var options: [Option] = []

    var names: Set<String> { Set(options.flatMap(\.names)) }

    /// - Parameter command: the name of the command.
    init(of command: String) throws {
        let run = CommandHarness().run([command, "--experimental-dump-help"])
        try #require(run.status == 0, "\(run.errors)")
        var reader = try JSONReader(MemorySource(Array("[\(run.output)]".utf8), name: "help"))
        guard case .value(let document, _) = try reader.next(),
            case .array(let arguments) = document["command"]?["arguments"]?.content
        else { throw Unreadable() }
        for argument in arguments {
            guard case .bool(true) = argument["shouldDisplay"]?.content else { continue }
            let option = Option(
                names: ParserOptions.elements(argument["names"]).map { name in
                    let dashes = ParserOptions.text(name["kind"]) == "long" ? "--" : "-"
                    return dashes + ParserOptions.text(name["name"])
                },
                values: ParserOptions.elements(argument["allValues"]).map(ParserOptions.text))
            if !option.names.isEmpty { options.append(option) }
        }
        try #require(names.contains("--help"))
    }

    private struct Unreadable: Error {}

    private static func elements(_ tree: JSONTree?) -> [JSONTree] {
        if case .array(let elements) = tree?.content { elements } else { [] }
    }

    private static func text(_ tree: JSONTree?) -> String {
        if case .string(let text) = tree?.content { text } else { "" }
    }
}

import FirnFormats
import FirnText
import FirnValues

/// A file with the values of `$name`: one JSON object with a member for each.
enum ParameterFile {
    /// - Parameter path: `-` for standard input.
    static func read(
        _ path: String, _ environment: CommandEnvironment
    ) throws(CommandFailure) -> TextMap<Value> {
        let text = try SmallText.read(
            path, called: "the parameter object", bytesMax: QueryText.bytesMax, environment)
        let name = path == "-" ? "standard input" : path
        var values: TextMap<Value> = [:]
        for member in try members(text, name) {
            do throws(JSONMistake) {
                guard let value = try Value(parameter: member.value) else {
                    throw JSONMistake(.type, "a parameter cannot be an object", member.value)
                }
                values[member.name] = value
            } catch {
                throw wrong(name, "\(SafeText.escaping(member.name)): \(error.message)")
            }
        }
        return values
    }

    private static func members(
        _ text: String, _ name: String
    ) throws(CommandFailure) -> [JSONTree.Member] {
        do {
            var reader = try JSONReader(MemorySource(Array(text.utf8), name: name))
            if case .value(let tree, _) = try reader.next(), try reader.next() == nil,
                case .object(let members) = tree.content
            {
                return members
            }
        } catch { throw CommandFailure(error) }
        throw wrong(
            name, "parameters must be one JSON object, such as {\"city\":\"Oslo\",\"min\":30}")
    }

    private static func wrong(_ name: String, _ message: String) -> CommandFailure {
        var diagnostic = Diagnostic(.inputSyntax, "\(SafeText.escaping(name)): \(message)")
        diagnostic.file = name
        return .diagnostic(diagnostic)
    }
}

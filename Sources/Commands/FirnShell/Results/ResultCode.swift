import FirnEngine
import FirnFormats
import FirnQuery
import FirnTools
import FirnValues

/// A query in other notations.
enum ResultCode {
    /// Returns a shell command.
    static func shell(_ query: BoundQuery, file: String) -> String {
        "firn query \(quoted(file)) \(quoted(query.description))"
    }

    private static func quoted(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.utf8.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (byte | 0x20) &- UInt8(ascii: "a") < 26 || "._-/".utf8.contains(byte)
            }
        return isPlain ? word : TextEditor.quoted(word)
    }

    /// Returns calls of the object API.
    ///
    /// - Throws: if the object API has no call for a stage.
    static func swift(_ query: BoundQuery) throws(CommandFailure) -> String {
        var lines = ["realm.objects(\(query.classSchema.name).self)"]
        // A limit on the rows returns a sequence, which cannot be refined any further.
        var hasRows = false
        for stage in query.stages {
            let call = try call(stage)
            if hasRows, !isSequenceCall(stage) { throw missing(stage) }
            hasRows = hasRows || isSequenceCall(stage)
            lines.append("    " + call)
        }
        return lines.joined(separator: "\n")
    }

    private static func isSequenceCall(_ stage: BoundStage) -> Bool {
        switch stage {
        case .filter, .sort, .distinct: false
        default: true
        }
    }

    private static func call(_ stage: BoundStage) throws(CommandFailure) -> String {
        switch stage {
        case .filter(let predicate): return ".filter(\(literal(predicate.description)))"
        case .sort(let keys):
            let descriptors = keys.map { key in
                "SortDescriptor(keyPath: \(literal(key.expression.description)), "
                    + "ascending: \(!key.descending))"
            }
            guard keys.allSatisfy({ $0.expression.isPath }) else { throw missing(stage) }
            return ".sorted(by: [\(descriptors.joined(separator: ", "))])"
        case .distinct(let keys):
            guard keys.allSatisfy(\.isPath) else { throw missing(stage) }
            return
                ".distinct(by: [\(keys.map { literal($0.description) }.joined(separator: ", "))])"
        case .limit(let count): return ".prefix(\(count))"
        case .skip(let count): return ".dropFirst(\(count))"
        case .count: return ".count"
        case .exists: return ".isEmpty == false"
        case .first: return ".first"
        case .last: return ".last"
        case .limitEach, .join, .window, .unnest, .filterAmong, .project, .aggregate, .group,
            .pivot, .chart:
            throw missing(stage)
        }
    }

    private static func missing(_ stage: BoundStage) -> CommandFailure {
        var diagnostic = Diagnostic(
            .usageQuery, "the object API has no call for \"\(stage.description)\"")
        diagnostic.remedy = "show it as a shell command with: .code shell"
        return .diagnostic(diagnostic)
    }

    /// Returns a Swift string literal.
    private static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            case "\n": literal += "\\n"
            default:
                // Characters that move the cursor or are invisible are escaped.
                let shown = SafeText.escaping(String(scalar))
                if shown.unicodeScalars.count == 1, shown.unicodeScalars.first == scalar {
                    literal.unicodeScalars.append(scalar)
                } else {
                    literal += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
                }
            }
        }
        return literal + "\""
    }
}

extension BoundExpression {
    /// Whether the object API can name it: a property, or a property of a linked object.
    fileprivate var isPath: Bool {
        switch self {
        case .column, .path: true
        default: false
        }
    }
}

import FirnPlatform
import FirnQuery
import FirnValues

/// The prompt before the line being typed.
struct Prompt: Hashable {
    enum Transaction: Hashable {
        case none
        case open(changes: UInt64)
        /// The transaction can only be cancelled.
        case failed
    }

    /// The number of refinements of the result, and its number of rows.
    struct Refinement: Hashable {
        var className: String
        var depth: Int
        var rowCount: UInt64
        /// Whether there are more rows than counted.
        var isCut = false
    }

    /// The name of the database without folder and extension; `nil` if there is none.
    var database: String?
    /// A version or the name of a freeze.
    var frozen: String?
    var isReadOnly = false
    /// The class in use.
    var className: String?
    var refinement: Refinement?
    var observerCount = 0
    var transaction = Transaction.none

    /// The whole prompt, such as `app Person[2:204]*3> `.
    var text: String {
        var text = SafeText.escaping(database ?? "firn")
        if let frozen { text += "@" + SafeText.escaping(frozen) }
        if isReadOnly { text += "(ro)" }
        if let name = className ?? refinement?.className { text += " " + SafeText.escaping(name) }
        if let refinement {
            text += "[\(refinement.depth):\(refinement.rowCount)\(refinement.isCut ? "+" : "")]"
        }
        if observerCount > 0 { text += "~\(observerCount)" }
        switch transaction {
        case .none: break
        case .open(let changes): text += changes > 0 ? "*\(changes)" : "*"
        case .failed: text += "!"
        }
        return text + "> "
    }

    /// Returns the prompt of a continuation line.
    static func continuation(_ missing: StatementScanner.Missing) -> String {
        switch missing {
        case .quote("`"): "  `> "
        case .quote: "  '> "
        case .bracket(let bracket): "  \(bracket)> "
        case .stage: "  |> "
        case .item: "  ,> "
        case .operand: "  &> "
        }
    }

    /// `app` of `/srv/app.firn`.
    static func name(of path: String) -> String {
        let last = PathName.lastComponent(of: path)
        return last.hasSuffix(".firn") && last.count > 5 ? String(last.dropLast(5)) : last
    }
}

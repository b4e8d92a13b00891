import FirnFormats
import FirnPlatform
import FirnQuery
import FirnSyntax
import FirnTools
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

    /// The whole prompt, such as `app Person (204 rows, step 2)> `.
    var text: String { text(.all) }

    /// Returns the prompt for a window; in a narrow one, it leaves half of the line for typing.
    ///
    /// - Parameter columns: the width of the window; `nil` if there is none.
    func text(columns: Int?) -> String {
        guard let columns else { return text }
        let texts = [Detail.all, .noRowCount, .noClass].map { text($0) }
        return texts.first { DisplayWidth.columns(of: $0) <= columns / 2 } ?? texts[2]
    }

    private enum Detail {
        case all
        case noRowCount
        case noClass
    }

    private func text(_ detail: Detail) -> String {
        var text = SafeText.escaping(database ?? "firn")
        if detail != .noClass, let name = className ?? refinement?.className {
            text += " " + SafeText.escaping(name)
        }
        let facts = facts(detail)
        if !facts.isEmpty { text += " (\(facts.joined(separator: ", ")))" }
        return text + "> "
    }

    private func facts(_ detail: Detail) -> [String] {
        var facts: [String] = []
        if let frozen {
            let isNumber = frozen.allSatisfy(\.isNumber)
            facts.append((isNumber ? "at version " : "at ") + SafeText.escaping(frozen))
        }
        if isReadOnly { facts.append("read-only") }
        switch transaction {
        case .none: break
        case .open(let changes):
            facts.append("transaction")
            if changes > 0 { facts.append(Formatting.count(changes, "change")) }
        case .failed: facts.append("failed transaction")
        }
        if let refinement {
            if detail == .all {
                let plus = refinement.isCut ? "+" : ""
                let noun = refinement.rowCount == 1 && !refinement.isCut ? "row" : "rows"
                facts.append("\(Formatting.count(refinement.rowCount))\(plus) \(noun)")
            }
            facts.append("step \(refinement.depth)")
        }
        if observerCount > 0 {
            facts.append(Formatting.count(UInt64(observerCount), "observer"))
        }
        return facts
    }

    /// The prompt of a pasted line that may continue the statement before it.
    static let following = "   > "

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

    /// Returns `app` for `/srv/app.firn`.
    static func name(of path: String) -> String {
        let last = PathName.lastComponent(of: path)
        return last.hasSuffix(".firn") && last.count > 5 ? String(last.dropLast(5)) : last
    }
}

import FirnValues

/// The parser's record of the one token at which completion has placed the cursor.
///
/// The token is a name that no user can have typed, or a word whose meaning is to be determined.
/// Everything is recorded when the parser reaches the token, so that it is valid even if the
/// following text is missing.
package struct CursorRecord {
    /// The role of the token, if it was parsed as a name.
    package enum Role: Equatable {
        /// The class or condition at the beginning of a statement.
        case source
        /// The next step of a path.
        case path(variable: String?, [Path.Segment])
        /// A name that the user defines.
        case newName
        case savedResult
        case function
        case format
    }

    /// A subquery that contains the cursor.
    package struct Subquery {
        package let path: Path
        /// The variable without the `$`.
        package let variable: String
    }

    /// The index of the token.
    let token: Int
    package var role: Role?
    package var source: Source?
    /// The stages before the last `|` that precedes the cursor.
    package var stages: [Stage] = []
    /// The open subqueries, innermost last.
    var subqueries: [Subquery] = []
    /// The subqueries that enclose the token; `nil` until the parser reaches it.
    package var enclosing: [Subquery]?
    /// The left side and the operator of the comparison whose right side is at the token.
    package var compared: (left: Expression, by: Comparison.Operator)?
    /// The operand before the token, if an operator is valid there.
    package var left: Expression?
    /// Whether that operand is already the right side of a comparison.
    package var leftIsCompared = false
    /// Whether a condition is invalid there: in the arguments of a function, and in lists.
    package var needsValue = false
    /// Whether the token begins an item of a projection or group.
    package var beginsItem = false
    /// Whether that item is one of a group.
    package var isGroupItem = false
    /// Whether the token begins a path that a `set` assigns to.
    package var isAssigned = false

    package init(token: Int) { self.token = token }

    mutating func beginItem(inGroup: Bool) {
        beginsItem = true
        isGroupItem = inGroup
    }
}

extension Parser {
    /// Records the role of the current token, if it is the token at the cursor.
    mutating func note(_ role: CursorRecord.Role) { note { $0.role = role } }

    mutating func note(_ change: (inout CursorRecord) -> Void) {
        guard cursor?.token == position, var record = cursor else { return }
        if record.enclosing == nil { record.enclosing = record.subqueries }
        change(&record)
        cursor = record
    }
}

extension ExpressionParser {
    /// Records the comparison whose operand is at the cursor.
    func noteOperand(_ parser: inout Parser) {
        guard parser.cursor?.token == parser.position else { return }
        let needsValue = isInsideValue
        parser.note { $0.needsValue = needsValue }
        var index = entries.count - 1
        if index >= 0, case .open(.list) = entries[index].operation { index -= 1 }
        guard index >= 0, case .compare(let comparison, _, _) = entries[index].operation else {
            parser.note { _ in }
            return
        }
        // The list elements before the cursor are above the left side on the stack.
        let base =
            index == entries.count - 1 ? operands.count : entries[entries.count - 1].operandBase
        guard base > 0, case .expression(let left) = operands[base - 1] else { return }
        parser.note { $0.compared = (left, comparison) }
    }

    /// Whether a call or list is open, with no subquery open inside it.
    private var isInsideValue: Bool {
        for index in openings.reversed() {
            switch entries[index].operation {
            case .open(.list): return true
            case .open(.call(let name)): return name.lowercased() != "if"
            case .open(.subquery), .open(.aggregate): return false
            default: continue
            }
        }
        return false
    }

    /// Records the operand before an operator at the cursor.
    func noteOperator(_ parser: inout Parser) {
        guard parser.cursor?.token == parser.position, case .expression(let left)? = operands.last
        else { return }
        let isCompared = entries.reversed().prefix { entry in
            if case .open = entry.operation { false } else { true }
        }.contains { entry in
            if case .compare = entry.operation { true } else { false }
        }
        let needsValue = isInsideValue
        parser.note {
            $0.needsValue = needsValue
            $0.left = left
            $0.leftIsCompared = isCompared
        }
    }
}

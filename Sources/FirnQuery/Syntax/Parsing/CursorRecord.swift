/// What the parser finds out about one token, at which completion has put the cursor.
///
/// The token is a name that nobody can have typed, or a word whose meaning there is in question.
/// Everything is noted as the parser comes past the token, so that it holds also if the text that
/// follows is missing.
struct CursorRecord {
    /// What the token was taken for, if for a name.
    enum Role: Equatable {
        /// The class or condition at the beginning of a statement.
        case source
        /// The next step of a path.
        case path(variable: String?, [Path.Segment])
        /// A name that the user gives.
        case newName
        case savedResult
        case function
        case format
    }

    /// A subquery that the cursor is inside of.
    struct Subquery {
        let path: Path
        /// Without the `$`.
        let variable: String
    }

    /// The place of the token among the tokens.
    let token: Int
    var role: Role?
    var source: Source?
    /// The stages before the `|` that the cursor stands behind.
    var stages: [Stage] = []
    /// Innermost last.
    var subqueries: [Subquery] = []
    /// The subqueries around the token, once the parser has come to it.
    var enclosing: [Subquery]?
    /// What the operand at the token is compared with.
    var compared: (left: Expression, by: Comparison.Operator)?
    /// What stands before the token, if an operator may stand there.
    var left: Expression?
    /// Whether that is the right side of a comparison already.
    var leftIsCompared = false
    /// Whether a condition cannot stand there: in the arguments of a function, and in lists.
    var needsValue = false
    /// Whether the token begins an item of a projection or group.
    var beginsItem = false
    /// Whether the token begins a path that a `set` changes.
    var isAssigned = false

    init(token: Int) { self.token = token }
}

extension Parser {
    /// Notes what the current token is taken for, if completion asks about it.
    mutating func note(_ role: CursorRecord.Role) { note { $0.role = role } }

    mutating func note(_ change: (inout CursorRecord) -> Void) {
        guard cursor?.token == position, var record = cursor else { return }
        if record.enclosing == nil { record.enclosing = record.subqueries }
        change(&record)
        cursor = record
    }
}

extension ExpressionParser {
    /// Notes what the operand at the cursor is compared with.
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
        // The elements of the list before the cursor stand above the left side.
        let place =
            index == entries.count - 1 ? operands.count : entries[entries.count - 1].operandBase
        guard place > 0, case .expression(let left) = operands[place - 1] else { return }
        parser.note { $0.compared = (left, comparison) }
    }

    /// Whether a call or list is open, and no subquery inside of it.
    private var isInsideValue: Bool {
        for index in openings.reversed() {
            switch entries[index].operation {
            case .open(.call), .open(.list): return true
            case .open(.subquery): return false
            default: continue
            }
        }
        return false
    }

    /// Notes what stands before the operator at the cursor.
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

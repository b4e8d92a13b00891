import FirnSyntax
import FirnValues

/// Determines which words can follow an unfinished text, by asking the parser.
///
/// Only the parser knows the grammar. Each possible word is appended to the text and parsed. A word
/// can follow if the parser reports no error, or only an error after the word.
struct GrammarProbe {
    /// A name that no user can have typed.
    static let unknownName = "\u{E000}cursor"

    let before: String
    let entry: QueryEntry
    /// The index of the token after the text.
    private let token: Int

    /// Creates a probe, or `nil` if the text cannot be split into tokens.
    init?(_ before: String, entry: QueryEntry) {
        guard let parser = try? Parser(before, entry: entry) else { return nil }
        self.before = before
        self.entry = entry
        token = parser.tokens.count - 1
    }

    /// Returns what the parser recorded about the first word of the continuation.
    ///
    /// - Returns: `nil` if the continuation cannot follow.
    func record(_ continuation: String) -> CursorRecord? {
        let text = before + " " + continuation
        guard var parser = try? Parser(text, entry: entry) else { return nil }
        parser.cursor = CursorRecord(token: token)
        do {
            while parser.skip(.semicolon) {}
            repeat {
                _ = try parser.parseStatement()
                while parser.skip(.semicolon) {}
            } while parser.peek().kind != .end
        } catch {
            let isMissing = error.code == .syntax && error.range.lowerBound >= text.utf8.count
            guard isMissing else { return nil }
        }
        return parser.cursor
    }
}

/// A keyword, operator or sign of the language.
struct GrammarWord {
    enum Kind {
        /// Begins a condition or value.
        case operand
        /// A comparison operator, with or without a preceding NOT.
        case comparison(Comparison.Operator, negated: Bool)
        case arithmetic
        /// Joins conditions, or ends a condition.
        case logic
        case order
        case stage
        case sign
    }

    let text: String
    let kind: Kind
    /// Continuations that give the word its intended meaning.
    ///
    /// The word is valid if the parser accepts at least one of them.
    let probes: [String]
    let append: Character?

    init(_ text: String, _ kind: Kind, _ probes: [String]? = nil, append: Character? = " ") {
        self.text = text
        self.kind = kind
        self.probes = probes ?? [text]
        self.append = append
    }

    /// All words, in display order.
    static let all: [GrammarWord] =
        operands + comparisons + arithmetic
        + [
            GrammarWord("AND", .logic, ["AND x == 1"]), GrammarWord("OR", .logic, ["OR x == 1"]),
            GrammarWord("ASC", .order), GrammarWord("DESC", .order), GrammarWord("AS", .order),
            GrammarWord("|", .logic),
        ] + stages
        + [")", "}", ","].map { GrammarWord($0, .sign) }

    private static let operands =
        ["NOT", "ANY", "ALL", "NONE"].map { GrammarWord($0, .operand, ["\($0) x == 1"]) }
        + [
            GrammarWord(
                "SUBQUERY(", .operand,
                ["SUBQUERY(x, $x, x == 1).@count == 1", "SUBQUERY(x, $x, x == 1).@count"],
                append: nil),
            GrammarWord("TRUEPREDICATE", .operand), GrammarWord("FALSEPREDICATE", .operand),
            GrammarWord("true", .operand), GrammarWord("false", .operand),
            GrammarWord("nil", .operand),
        ]

    private static let comparisons: [GrammarWord] = Comparison.Operator.allCases.flatMap {
        comparison -> [GrammarWord] in
        let word = comparison.rawValue
        switch comparison {
        case .oneOf:
            return [
                GrammarWord(
                    "IN {", .comparison(comparison, negated: false), ["IN {1}"], append: nil),
                GrammarWord(
                    "NOT IN {", .comparison(comparison, negated: true), ["NOT IN {1}"], append: nil),
            ]
        case .between:
            return [
                GrammarWord(
                    "BETWEEN {", .comparison(comparison, negated: false), ["BETWEEN {1, 2}"],
                    append: nil)
            ]
        default:
            return [GrammarWord(word, .comparison(comparison, negated: false), ["\(word) 1"])]
        }
    }

    private static let arithmetic = ["+", "-", "*", "/", "%"].map {
        GrammarWord($0, .arithmetic, ["\($0) 1 == 1", "\($0) 1"])
    }

    private static let stages =
        ["SORT(", "DISTINCT(", "LIMIT(", "SKIP("].map { GrammarWord($0, .logic, append: nil) }
        // Stages that the grammar accepts but that cannot run yet are not suggested.
        + [
            "project(", "select(", "group(", "join(", "each(", "eachOrNil(", "pivot(",
            "unpivot(", "hist(", "bar(", "spark(",
        ].map {
            GrammarWord($0, .stage, append: nil)
        }
        + ["count", "exists", "first", "last", "explain", "observe", "delete"].map {
            GrammarWord($0, .stage)
        }
        + [
            GrammarWord("where", .stage, ["where x"]), GrammarWord("set", .stage, ["set x = 1"]),
            GrammarWord("to", .stage, ["to x"]), GrammarWord("save", .stage, ["save x"]),
        ]
}

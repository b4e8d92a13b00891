package import FirnValues

/// Words that are keywords only in certain positions.
///
/// Everywhere else, they are names.
package enum Keywords {
    /// Returns the comparison operator that a word represents between two expressions.
    static func comparison(_ word: String) -> Comparison.Operator? {
        comparisons[word.uppercased()]
    }

    private static let comparisons: TextMap<Comparison.Operator> = [
        "BEGINSWITH": .beginsWith, "ENDSWITH": .endsWith, "CONTAINS": .contains, "LIKE": .like,
        "MATCHES": .matches, "TEXT": .text, "GEOWITHIN": .geoWithin, "IN": .oneOf,
        "BETWEEN": .between,
    ]

    static func quantifier(_ word: String) -> Quantifier? {
        switch word.uppercased() {
        case "ANY", "SOME": .any
        case "ALL": .all
        case "NONE": Quantifier.none
        default: nil
        }
    }

    static let descriptors: TextSet = ["SORT", "DISTINCT", "LIMIT", "SKIP"]

    /// Stages with parentheses.
    static let stagesWithItems: TextSet = [
        "SELECT", "PROJECT", "GROUP", "JOIN", "EACH", "EACHORNIL", "PIVOT", "UNPIVOT", "HIST",
        "BAR", "SPARK",
    ]

    /// Stages that consist of one word.
    package static let bareStages: TextSet = [
        "COUNT", "EXISTS", "FIRST", "LAST", "DESCRIBE", "EXPLAIN", "OBSERVE", "DELETE",
    ]

    /// Words that begin a condition, and therefore are not a class at the start of a statement.
    static let conditionStarts: TextSet = [
        "NOT", "ANY", "SOME", "ALL", "NONE", "TRUE", "FALSE", "NULL", "NIL", "INF", "INFINITY",
        "NAN", "TRUEPREDICATE", "FALSEPREDICATE", "SUBQUERY", "WHERE",
    ]
}

package import FirnValues

/// The property for a column, and the reason for its type.
package struct ColumnDecision: Hashable, Sendable {
    package let name: String
    package let type: PropertyType
    package let display: DisplayForm?
    /// The reason for its type, for people.
    package let reason: String
    package let nulls: UInt64
    /// Whether the user declared the type, so that values can be written more freely.
    package let isDeclared: Bool

    init(name: String, _ evidence: ColumnEvidence) {
        self.name = name
        let base: ValueTag
        (base, display, reason) = ColumnDecision.decide(evidence)
        type = PropertyType(base, isOptional: evidence.nulls > 0)
        nulls = evidence.nulls
        isDeclared = false
    }

    init(name: String, _ evidence: ColumnEvidence, declared: PropertyType) {
        self.name = name
        let inferred = ColumnDecision.decide(evidence)
        display = inferred.base == declared.base ? inferred.display : nil
        reason = "declared"
        type = PropertyType(declared.base, isOptional: declared.isOptional || evidence.nulls > 0)
        nulls = evidence.nulls
        isDeclared = true
    }

    private static func decide(
        _ evidence: ColumnEvidence
    ) -> (base: ValueTag, display: DisplayForm?, reason: String) {
        switch evidence.guess {
        case .nothing: (.string, nil, "no values")
        case .int: (.int, nil, "whole numbers")
        case .decimal where evidence.isFixed && (1...15).contains(evidence.places):
            (
                .double, .decimalPlaces(evidence.places),
                "\(evidence.places) decimal place\(evidence.places == 1 ? "" : "s")"
            )
        case .decimal: (.double, nil, "decimals")
        case .date: (.date, .dateOnly, "dates")
        case .dateTime: (.date, nil, "points in time")
        case .bool: (.bool, nil, "true and false")
        case .string: (.string, nil, evidence.reason)
        }
    }
}

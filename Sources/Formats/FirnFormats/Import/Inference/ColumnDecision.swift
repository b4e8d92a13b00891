package import FirnValues

/// The property for a column, and the reason for its type.
package struct ColumnDecision: Hashable, Sendable {
    package let name: String
    package let type: PropertyType
    package let display: DisplayForm?
    /// The reason for its type, for people.
    package let reason: String
    package let nulls: UInt64
    /// Whether the user declared the type, so that values can be spelled more freely.
    package let isDeclared: Bool
    /// A value that an export prints differently, and its printed form.
    package let respelling: Respelling?

    /// A value as the input has it, and as an export prints it; null is an empty field.
    package struct Respelling: Hashable, Sendable {
        package let text: String
        package let printed: String
    }

    /// Decides by the values; the property is optional, so that the next input also fits.
    init(name: String, _ evidence: ColumnEvidence) {
        self.name = name
        let base: ValueTag
        (base, display, reason) = ColumnDecision.decide(evidence)
        type = PropertyType(base, isOptional: true)
        nulls = evidence.nulls + (base == .string ? 0 : evidence.nullWordCount)
        isDeclared = false
        respelling = ColumnDecision.respelling(evidence, base)
    }

    /// - Parameter nullWordCount: the number of values that mean null in a column of the type.
    init(
        name: String, _ evidence: ColumnEvidence, declared: PropertyType, nullWordCount: UInt64
    ) {
        self.name = name
        let inferred = ColumnDecision.decide(evidence)
        display = inferred.base == declared.base ? inferred.display : nil
        reason = "declared"
        nulls = evidence.nulls + nullWordCount
        type = PropertyType(declared.base, isOptional: declared.isOptional || nulls > 0)
        isDeclared = true
        respelling = nil
    }

    private static func decide(
        _ evidence: ColumnEvidence
    ) -> (base: ValueTag, display: DisplayForm?, reason: String) {
        switch evidence.guess {
        case .nothing where evidence.values > 0:
            (.string, nil, "no values but \(quoted(evidence.firstNullWord))")
        case .nothing: (.string, nil, "no values")
        case .int: (.int, nil, "whole numbers" + nullNote(evidence))
        case .double:
            (
                .double, evidence.decimalPlaces.map { .decimalPlaces($0) },
                numberReason(evidence) + nullNote(evidence)
            )
        case .date: (.date, .dateOnly, "dates" + nullNote(evidence))
        case .dateTime: (.date, nil, timeReason(evidence) + nullNote(evidence))
        case .bool: (.bool, nil, "true and false" + nullNote(evidence))
        case .string: (.string, nil, evidence.reason)
        }
    }

    private static func numberReason(_ evidence: ColumnEvidence) -> String {
        guard let places = evidence.decimalPlaces else { return "numbers" }
        return "\(places) decimal place\(places == 1 ? "" : "s")"
    }

    private static func timeReason(_ evidence: ColumnEvidence) -> String {
        switch (evidence.hasLocalTimes, evidence.hasOffsets) {
        case (false, false): "points in time"
        case (true, false): "points in time, taken as UTC"
        case (false, true): "points in time, converted to UTC"
        case (true, true): "points in time, in UTC; taken as UTC without an offset"
        }
    }

    private static func nullNote(_ evidence: ColumnEvidence) -> String {
        evidence.nullWordCount > 0 ? "; \(quoted(evidence.firstNullWord)) is null" : ""
    }

    private static func quoted(_ text: String) -> String {
        "\"\(SafeText.excerpt(of: text.utf8, characters: 24))\""
    }

    private static func respelling(_ evidence: ColumnEvidence, _ base: ValueTag) -> Respelling? {
        guard var text = evidence.respelled else {
            guard base != .string, evidence.nullWordCount > 0 else { return nil }
            return Respelling(text: evidence.firstNullWord, printed: "")
        }
        let printed = text.withUTF8 { text -> String? in
            switch base {
            case .int: FieldText.int(text)?.description
            case .double: FieldText.double(text)?.description
            case .bool: FieldText.bool(text)?.description
            case .date:
                FieldText.time(text).map { time in
                    var printed: [UInt8] = []
                    guard evidence.guess == .date, time.value.appendDateOnly(to: &printed) else {
                        return time.value.description
                    }
                    return String(decoding: printed, as: UTF8.self)
                }
            default: nil
            }
        }
        return printed.map { Respelling(text: text, printed: $0) }
    }
}

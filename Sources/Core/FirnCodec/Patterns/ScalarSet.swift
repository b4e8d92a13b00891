import FirnValues

/// A set of characters: one character, `.`, or a class such as `[a-z\d]`.
struct ScalarSet: Hashable, Sendable {
    /// Characters with a property of Unicode.
    enum Property: Hashable, Sendable {
        case digit
        case word
        case space
        case category(Unicode.GeneralCategory)
        /// All categories whose short names begin with a letter, such as `L`.
        case majorCategory(Character)
    }

    private(set) var ranges: [ClosedRange<UInt32>] = []
    private(set) var properties: [Property] = []
    private(set) var negatedProperties: [Property] = []
    var isNegated = false
    /// Whether a character also matches if its uppercase or lowercase form does.
    var ignoresCase = false

    init() {}

    init(_ scalar: Unicode.Scalar) { ranges = [scalar.value...scalar.value] }

    init(_ property: Property, isNegated: Bool = false) {
        properties = [property]
        self.isNegated = isNegated
    }

    /// All characters except line ends.
    static let anyButLineEnd: ScalarSet = {
        var set = ScalarSet()
        set.ranges = [0x0A...0x0D, 0x85...0x85, 0x2028...0x2029]
        set.isNegated = true
        return set
    }()

    /// Whether the set selects no characters by property.
    var isMadeOfRanges: Bool { properties.isEmpty && negatedProperties.isEmpty && !ignoresCase }

    mutating func insert(_ range: ClosedRange<UInt32>) { ranges.append(range) }

    mutating func insert(_ property: Property, isNegated: Bool) {
        if isNegated { negatedProperties.append(property) } else { properties.append(property) }
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        let isMember = holds(scalar) || (ignoresCase && holdsInOtherCase(scalar))
        return isMember != isNegated
    }

    /// Whether the set contains the uppercase or lowercase form of a character, or a character with
    /// the same form.
    private func holdsInOtherCase(_ scalar: Unicode.Scalar) -> Bool {
        let upper = scalar.properties.uppercaseMapping
        let lower = scalar.properties.lowercaseMapping
        let isForm = [upper, lower].contains { text in
            let forms = text.unicodeScalars
            guard forms.count == 1, let form = forms.first else { return false }
            return holds(form)
        }
        return isForm
            || ranges.contains { range in
                guard range.count == 1,
                    let other = Unicode.Scalar(range.lowerBound)?.properties
                else { return false }
                return other.uppercaseMapping == upper || other.lowercaseMapping == lower
            }
    }

    private func holds(_ scalar: Unicode.Scalar) -> Bool {
        ranges.contains { $0.contains(scalar.value) }
            || properties.contains { $0.holds(scalar) }
            || negatedProperties.contains { !$0.holds(scalar) }
    }
}

extension ScalarSet.Property {
    func holds(_ scalar: Unicode.Scalar) -> Bool {
        switch self {
        case .digit: return scalar.properties.generalCategory == .decimalNumber
        case .space:
            return scalar.properties.isWhitespace
        case .word:
            if scalar.isASCII {
                return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || scalar == "_"
            }
            if scalar.properties.isAlphabetic { return true }
            switch scalar.properties.generalCategory {
            case .decimalNumber, .connectorPunctuation, .nonspacingMark, .spacingMark,
                .enclosingMark:
                return true
            default: return scalar.value == 0x200C || scalar.value == 0x200D
            }
        case .category(let category): return scalar.properties.generalCategory == category
        case .majorCategory(let letter):
            return Self.name(of: scalar.properties.generalCategory).first == letter
        }
    }

    /// Creates the property of `\p{name}`, such as `Lu` or `L`.
    init?(name: String) {
        if name.count == 1, let letter = name.first, "LMNPSZC".contains(letter) {
            self = .majorCategory(letter)
            return
        }
        let found = Self.categories.first { Self.name(of: $0) == name }
        guard let found else { return nil }
        self = .category(found)
    }

    private static let categories: [Unicode.GeneralCategory] = [
        .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
        .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber,
        .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation,
        .initialPunctuation, .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol,
        .modifierSymbol, .otherSymbol, .spaceSeparator, .lineSeparator, .paragraphSeparator,
        .control, .format, .surrogate, .privateUse, .unassigned,
    ]

    private static func name(of category: Unicode.GeneralCategory) -> String {
        switch category {
        case .uppercaseLetter: "Lu"
        case .lowercaseLetter: "Ll"
        case .titlecaseLetter: "Lt"
        case .modifierLetter: "Lm"
        case .otherLetter: "Lo"
        case .nonspacingMark: "Mn"
        case .spacingMark: "Mc"
        case .enclosingMark: "Me"
        case .decimalNumber: "Nd"
        case .letterNumber: "Nl"
        case .otherNumber: "No"
        case .connectorPunctuation: "Pc"
        case .dashPunctuation: "Pd"
        case .openPunctuation: "Ps"
        case .closePunctuation: "Pe"
        case .initialPunctuation: "Pi"
        case .finalPunctuation: "Pf"
        case .otherPunctuation: "Po"
        case .mathSymbol: "Sm"
        case .currencySymbol: "Sc"
        case .modifierSymbol: "Sk"
        case .otherSymbol: "So"
        case .spaceSeparator: "Zs"
        case .lineSeparator: "Zl"
        case .paragraphSeparator: "Zp"
        case .control: "Cc"
        case .format: "Cf"
        case .surrogate: "Cs"
        case .privateUse: "Co"
        case .unassigned: "Cn"
        @unknown default: "Cn"
        }
    }
}

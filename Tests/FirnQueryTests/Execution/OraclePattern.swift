import FirnValues

/// A regular expression as a tree, which is matched by following the positions that each part can
/// reach.
indirect enum OraclePattern: Sendable {
    case scalar(Unicode.Scalar)
    case anyScalar
    case sequence([OraclePattern])
    case choice([OraclePattern])
    case repeated(OraclePattern, ClosedRange<Int>)
    /// At least this many times.
    case many(OraclePattern, Int)

    func matches(_ value: Value, ignoresCase: Bool) -> Bool {
        guard case .string(let string) = value else { return false }
        let text = Array(string.unicodeScalars)
        return ends(in: text, from: [0], ignoresCase).contains(text.count)
    }

    /// Returns the positions behind all matches that begin at some positions.
    private func ends(
        in text: [Unicode.Scalar], from starts: Set<Int>, _ ignoresCase: Bool
    ) -> Set<Int> {
        func following(_ starts: Set<Int>, where holds: (Unicode.Scalar) -> Bool) -> Set<Int> {
            Set(starts.filter { $0 < text.count && holds(text[$0]) }.map { $0 + 1 })
        }
        switch self {
        case .scalar(let scalar):
            return following(starts) { Self.isEqual($0, scalar, ignoresCase) }
        case .anyScalar: return following(starts) { $0 != "\n" && $0 != "\r" }
        case .sequence(let parts):
            return parts.reduce(starts) { $1.ends(in: text, from: $0, ignoresCase) }
        case .choice(let parts):
            return parts.reduce(into: []) {
                $0.formUnion($1.ends(in: text, from: starts, ignoresCase))
            }
        case .repeated(let part, let counts):
            var ends: Set<Int> = counts.contains(0) ? starts : []
            var reached = starts
            for count in 1...max(1, counts.upperBound) where count <= counts.upperBound {
                reached = part.ends(in: text, from: reached, ignoresCase)
                if counts.contains(count) { ends.formUnion(reached) }
            }
            return ends
        case .many(let part, let least):
            var reached = starts
            for _ in 0..<least { reached = part.ends(in: text, from: reached, ignoresCase) }
            var ends = reached
            while !reached.isEmpty {
                reached = part.ends(in: text, from: reached, ignoresCase).subtracting(ends)
                ends.formUnion(reached)
            }
            return ends
        }
    }

    private static func isEqual(
        _ left: Unicode.Scalar, _ right: Unicode.Scalar, _ ignoresCase: Bool
    ) -> Bool {
        left == right
            || ignoresCase && left.properties.lowercaseMapping == right.properties.lowercaseMapping
    }

    /// The pattern as it is written.
    var text: String {
        switch self {
        case .scalar(let scalar):
            return ("\\.[]|(){}*+?^$".unicodeScalars.contains(scalar) ? "\\" : "")
                + String(Character(scalar))
        case .anyScalar: return "."
        case .sequence(let parts): return "(?:" + parts.map(\.text).joined() + ")"
        case .choice(let parts): return "(" + parts.map(\.text).joined(separator: "|") + ")"
        case .repeated(let part, 0...1): return part.text + "?"
        case .repeated(let part, let counts):
            return part.text + "{\(counts.lowerBound),\(counts.upperBound)}"
        case .many(let part, 0): return part.text + "*"
        case .many(let part, 1): return part.text + "+"
        case .many(let part, let least): return part.text + "{\(least),}"
        }
    }
}

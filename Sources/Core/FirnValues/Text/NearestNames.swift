/// Finds the names that a misspelled name may refer to.
package enum NearestNames {
    /// The maximum length of compared names, because the cost grows quadratically.
    private static let scalarsMax = 64
    private static let editsMax = 2

    /// Returns at most three names, nearest first: names that differ only in case or by few edits,
    /// or that begin with it.
    package static func find(_ name: String, among candidates: [String]) -> [String] {
        Array(ranked(name, among: candidates, takesPrefixes: true).prefix(3))
    }

    /// Returns the names that differ only in case or by few edits, nearest first.
    package static func misspelt(_ name: String, among candidates: [String]) -> [String] {
        ranked(name, among: candidates, takesPrefixes: false)
    }

    private static func ranked(
        _ name: String, among candidates: [String], takesPrefixes: Bool
    ) -> [String] {
        let wanted = Array(name.lowercased().unicodeScalars.prefix(scalarsMax + 1))
        guard !wanted.isEmpty, wanted.count <= scalarsMax else { return [] }
        // One edit turns any short name into any other.
        let allowed = min(editsMax, (wanted.count + 1) / 3)
        var ranked: [(rank: Int, name: String)] = []
        for candidate in candidates where candidate != name {
            let other = Array(candidate.lowercased().unicodeScalars.prefix(scalarsMax + 1))
            guard other.count <= scalarsMax, let rank = rank(wanted, other, allowed),
                takesPrefixes || rank <= editsMax
            else { continue }
            ranked.append((rank, candidate))
        }
        return ranked.sorted { ($0.rank, $0.name) < ($1.rank, $1.name) }.map(\.name)
    }

    private static func rank(
        _ wanted: [Unicode.Scalar], _ other: [Unicode.Scalar], _ allowed: Int
    ) -> Int? {
        if abs(wanted.count - other.count) <= allowed {
            let edits = distance(wanted, other)
            if edits <= allowed { return edits }
        }
        return wanted.count >= 2 && other.starts(with: wanted) ? editsMax + 1 : nil
    }

    /// Returns the minimum number of insertions, deletions, replacements and swaps of neighbors.
    ///
    /// This is the Damerau-Levenshtein distance in which each position is edited once.
    static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (row, scalar) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                let replaced = last[column] + (scalar == other ? 0 : 1)
                var best = min(replaced, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, scalar == right[column - 1], left[row - 1] == other {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}

/// Finds names similar to a misspelled name.
package enum EditDistance {
    /// Returns the names that differ by at most two edits (and by about a third of the name),
    /// nearest first.
    package static func nearest(to name: String, among names: [String]) -> [String] {
        // A longer name is not a typing error.
        guard name.utf8.count <= 100 else { return [] }
        let word = Array(name.lowercased())
        let found = names.compactMap { candidate -> (name: String, distance: Int)? in
            guard candidate.utf8.count <= 100 else { return nil }
            let distance = between(word, Array(candidate.lowercased()))
            return distance <= min(2, (word.count + 1) / 3) ? (candidate, distance) : nil
        }
        return found.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.map(\.name)
    }

    /// Returns the number of insertions, deletions, replacements and transpositions between two
    /// words.
    static func between(_ left: [Character], _ right: [Character]) -> Int {
        var beforeLast = [Int](repeating: 0, count: right.count + 1)
        var last = Array(0...right.count)
        for row in left.indices {
            var next = [row + 1]
            for column in right.indices {
                let isSame = left[row] == right[column]
                var best = min(
                    last[column] + (isSame ? 0 : 1), last[column + 1] + 1, next[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1],
                    left[row - 1] == right[column]
                {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                next.append(best)
            }
            (beforeLast, last) = (last, next)
        }
        return last[right.count]
    }
}

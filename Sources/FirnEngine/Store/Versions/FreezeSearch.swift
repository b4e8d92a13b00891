import FirnValues

/// Says what is wrong when a freeze is not found.
struct FreezeSearch {
    private let names: [String]
    private let path: String

    init(_ freezes: [Freeze], path: String, now: Int64) {
        names = freezes.filter { !$0.isExpired(at: now) }.map(\.name)
        self.path = path
    }

    /// There is no freeze of the name, but maybe one that was meant.
    func missing(_ name: String) -> StoreError {
        let near = names.map { ($0, FreezeSearch.distance($0, name)) }.min { $0.1 < $1.1 }
        var remedy: String?
        if let near, near.1 <= max(1, name.count / 3) { remedy = "did you mean \(near.0)?" }
        return StoreError(
            .freezeMissing, path: path, detail: "there is no freeze named \(name)", remedy: remedy)
    }

    static func expired(_ freeze: Freeze, path: String) -> StoreError {
        StoreError(
            .freezeMissing, path: path, detail: "the freeze named \(freeze.name) has expired")
    }

    /// How many letters must be put in, left out, changed or exchanged with the next.
    private static func distance(_ left: String, _ right: String) -> Int {
        let left = Array(left.lowercased())
        let right = Array(right.lowercased())
        var before: [Int] = []
        var last = Array(0...right.count)
        for (row, letter) in left.enumerated() {
            var next = [row + 1]
            for (column, other) in right.enumerated() {
                var cost = min(
                    last[column] + (letter == other ? 0 : 1), last[column + 1] + 1,
                    next[column] + 1)
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    cost = min(cost, before[column - 1] + 1)
                }
                next.append(cost)
            }
            before = last
            last = next
        }
        return last[right.count]
    }
}

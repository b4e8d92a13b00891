/// The table that compares the contestants.
enum ComparisonTable {
    static func text(_ rows: [ComparisonRow], contestants: [String]) -> String {
        let firn = contestants.first ?? ""
        var table = MarkdownTable(
            ["work"] + contestants + contestants.dropFirst().map { "\(firn) / \($0)" })
        for row in rows {
            let own = row.values.first.flatMap { $0 }
            let ratios = row.values.dropFirst().map { other in
                guard let own, let other else { return "-" }
                return Figures.ratio(own.median, to: other.median)
            }
            table.add(
                [row.work] + row.values.map { $0.map(row.text) ?? "-" } + ratios)
        }
        return table.text
    }
}
